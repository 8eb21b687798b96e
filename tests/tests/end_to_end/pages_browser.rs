//! Pages in a real browser: nothing is fetched, nothing complains, every mark is where it belongs, and axe-core, the
//! validator of HTML and a width of 400 pixels find no fault. Skipped with a line where there is no browser or no node;
//! with `PLUSMINUS_TEST_CHROMIUM` set, a missing one fails the test. `PLUSMINUS_TEST_SCREENSHOTS=1` keeps pictures of the pages.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use plusminus::record::{self, AnyRecord, Record};
use plusminus_tests::pages_support::{
    hostile, kernels, knee, million, published, shortest_paths, textbook,
};
use plusminus_tests::study_support::{folder, plusminus};
use plusminus_tests::workspace;
use serde_json::Value;

/// Where the program of a name is.
fn found(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// The script with its packages, installed below the target directory.
fn script() -> Result<PathBuf, String> {
    let folder = workspace().join("target/fixtures/browser");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for name in ["check.mjs", "package.json", "package-lock.json"] {
        let from = workspace().join("tests/browser").join(name);
        std::fs::copy(from, folder.join(name)).map_err(|error| error.to_string())?;
    }
    let is_there = || folder.join("node_modules/axe-core/axe.min.js").is_file();
    if !is_there() {
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        let installed = Command::new("npm").current_dir(&folder).args(arguments).output();
        let output = installed.map_err(|error| error.to_string())?;
        if !output.status.success() || !is_there() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
    }
    Ok(folder.join("check.mjs"))
}

/// What the browser saw of pages in four views, and of those of papers, which are long, in two; `None`, with a line, where
/// the test cannot be made.
fn seen(pages: &[PathBuf], papers: &[PathBuf], screenshots: &Path) -> Option<Vec<Value>> {
    let demanded = std::env::var_os("PLUSMINUS_TEST_CHROMIUM").is_some();
    let skip = |reason: &str| {
        assert!(!demanded, "PLUSMINUS_TEST_CHROMIUM is set, and {reason}");
        eprintln!("skipped: {reason}");
        None
    };
    let Some(browser) = found(&["chromium", "chromium-browser", "google-chrome"]) else {
        return skip("there is no chromium: install it to have pages looked at");
    };
    if found(&["node"]).is_none() || found(&["npm"]).is_none() {
        return skip("there is no node with npm, which drives the browser");
    }
    let script = match script() {
        Ok(script) => script,
        Err(reason) => {
            return skip(&format!("the packages of tests/browser cannot be installed: {reason}"));
        }
    };
    let mut command = Command::new("node");
    command.arg(script).arg(browser).arg(screenshots).args(pages).arg("--").args(papers);
    let output = command.output().expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
    all.as_array().cloned()
}

/// The fields of the figures of a page in one view.
fn figures(view: &Value) -> &[Value] {
    view["figures"].as_array().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The colour `rgb(r, g, b)` as its relative luminance (WCAG 2).
fn luminance(colour: &Value) -> f64 {
    let text = colour.as_str().unwrap();
    let inner = text.split(['(', ')']).nth(1).unwrap_or_else(|| panic!("no colour: {text}"));
    let linear = |part: &str| {
        let c = part.trim().parse::<f64>().unwrap() / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    let parts: Vec<f64> = inner.split(',').take(3).map(linear).collect();
    0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
}

#[test]
fn pages_are_whole_in_a_browser() {
    let folder = folder("pages_browser");
    let write = |name: &str, record: &AnyRecord| {
        let path = folder.join(format!("{name}.json"));
        match record {
            AnyRecord::Measurement(record) => record::write(record, &path).unwrap(),
            AnyRecord::Comparison(record) => record::write_comparison(record, &path).unwrap(),
        }
        plusminus(&folder, &["report", &format!("{name}.json")]).exits(0);
        folder.join(format!("{name}.html"))
    };
    let measured = |record| AnyRecord::Measurement(Box::new(record));
    let study = |name: &str, record: &Path| {
        let arguments = ["report", "--study", record.to_str().unwrap(), "-o", "."];
        plusminus(&folder, &arguments).exits(0);
        folder.join(format!("{name}-study.html"))
    };
    record::write(&knee(), &folder.join("knee.json")).unwrap();
    let history = |name: &str| {
        let record = |commit: usize| {
            let mut record = knee();
            record.manifest.commit = Some(format!("<script>{commit}"));
            record.manifest.started = format!("2026-01-{:02}T00:00:00Z", commit + 1);
            record
        };
        for commit in 0..10 {
            record::write(&record(commit), &folder.join("commit.json")).unwrap();
            plusminus(&folder, &["history", "add", "--allow-dirty", "commit.json"]).exits(0);
        }
        plusminus(&folder, &["history", "show", "--html", name]).exits(0);
        folder.join(name)
    };
    let paper = |name: &str, record: &Record| {
        let kept = format!("of-{name}.json");
        record::write(record, &folder.join(&kept)).unwrap();
        plusminus(&folder, &["paper", name, "--from", &kept, "-o", "."]).exits(0);
        folder.join(format!("{name}.html"))
    };
    let apex_map = record::read(&workspace().join("suite/tests/fixtures/apex_map.json")).unwrap();
    let pages = [
        write("measurement", &published("schema-1.json")),
        write("comparison", &published("comparison-1.json")),
        write("hostile", &measured(hostile())),
        write("million", &measured(million())),
        study("knee", &folder.join("knee.json")),
        study("schema-1", &workspace().join("tests/records/schema-1.json")),
        study("apex_map", &workspace().join("suite/tests/fixtures/apex_map.json")),
        history("history.html"),
    ];
    let papers = [
        paper("vov", &shortest_paths(&[(14, 6.0), (15, 5.0)])),
        paper("pc", &apex_map),
        paper("imsuite", &kernels()),
        paper("mpp", &textbook(8)),
        paper("dbpp", &textbook(8)),
    ];
    // Pictures of whole pages, for who wants to see what the browser saw.
    let wanted = std::env::var_os("PLUSMINUS_TEST_SCREENSHOTS").is_some();
    let screenshots = if wanted { folder.join("screenshots") } else { PathBuf::new() };
    let Some(seen) = seen(&pages, &papers, &screenshots) else { return };
    assert_eq!(seen.len(), pages.len() + papers.len());
    for page in &seen {
        let name = page["path"].as_str().unwrap();
        for nothing in ["console", "requests", "dialogs", "html"] {
            assert_eq!(page[nothing], serde_json::json!([]), "{nothing} of {name}");
        }
        for view in page["views"].as_array().unwrap() {
            let what = format!("{name}, {} at {}", view["scheme"], view["width"]);
            assert_eq!(view["violations"], serde_json::json!([]), "axe-core, {what}");
            assert!(number(&view["document_width"]) <= number(&view["width"]), "too wide: {what}");
            assert!(!figures(view).is_empty(), "no figures: {what}");
            for figure in figures(view) {
                whole(figure, &format!("{what}, {}", figure["title"]));
            }
        }
    }
    // Two runs of two variants with eight instances: each sample, and each typical time.
    let of = |page: usize, figure: usize| &figures(&seen[page]["views"][0])[figure];
    assert_eq!((number(&of(0, 3)["circles"]), number(&of(0, 5)["bars"])), (32.0, 16.0));
    // Three runs of five samples, and three medians; the name is no mark.
    assert_eq!(number(&of(2, 2)["circles"]), 18.0);
    // The time of each of the seven, and three runs of each.
    assert_eq!(number(&of(2, 0)["circles"]), 28.0);
    figures_of_papers(&seen);
}

/// Asserts how many marks the figures of papers have, by what their records hold.
fn figures_of_papers(seen: &[Value]) {
    let of = |page: &str| {
        let is_it = |one: &&Value| one["path"].as_str().is_some_and(|path| path.ends_with(page));
        figures(&seen.iter().find(is_it).unwrap()["views"][0])
    };
    let named = |page: &str, title: &str| {
        let is_it = |figure: &&Value| figure["title"].as_str().unwrap().starts_with(title);
        of(page)
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{page} has no figure {title}"))
            .clone()
    };
    // Four configurations of the record, with both kinds of KLA and both weights, have five runs of eight instances each.
    let maps = of("/vov.html").iter().filter(|f| number(&f["bars"]) == 40.0).count();
    assert_eq!(maps, 8, "heat maps of instances and runs");
    // Each law of four numbers of processors: the values that were measured.
    assert_eq!(number(&named("/mpp.html", "Laws of strong scaling")["points"]), 4.0);
    // Four sizes on 2, 4 and 8 processors.
    assert_eq!(number(&named("/mpp.html", "Sizes that keep an efficiency")["points"]), 12.0);
    // Four sizes, with three runs each.
    assert_eq!(number(&named("/dbpp.html", "Simple and scaled fits")["points"]), 16.0);
    assert_eq!(number(&named("/dbpp.html", "Times of strips over P")["points"]), 16.0);
    // A surface has a cell for each of 10 α and 17 L.
    assert_eq!(number(&named("/pc.html", "T(α, L): ")["bars"]), 170.0);
    // BF has 7 rounds in Mn-In and 3 in Mx-In, each of the rings has 64; DR and HS are made of them.
    let course = named("/imsuite.html", "Communication of all kernels by round");
    assert!(number(&course["bars"]) > 70.0, "{course}");
    let places = named("/imsuite.html", "BF: communication by places");
    assert_eq!(number(&places["points"]), 14.0, "seven numbers of places in two styles");
}

/// Asserts that everything is drawn that should be, within the drawing, and can be read.
fn whole(figure: &Value, what: &str) {
    assert_eq!(figure["points"], figure["circles"], "dots: {what}");
    assert!(number(&figure["rectangles"]) >= number(&figure["bars"]), "bars: {what}");
    assert!(number(&figure["points"]) + number(&figure["bars"]) > 0.0, "empty: {what}");
    assert_eq!(number(&figure["outside"]), 0.0, "outside of the drawing: {what}");
    assert!(number(&figure["smallest_text"]) >= 9.0, "too small: {what}: {figure}");
    let (ink, ground) = (luminance(&figure["ink"]), luminance(&figure["ground"]));
    let contrast = (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05);
    assert!(contrast >= 4.5, "contrast {contrast:.1}: {what}");
}
