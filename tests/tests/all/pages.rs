//! `cargo plusminus report`: pages and figures from records whose contents are known.

use plusminus::{
    record::{self, AnyRecord, ComparedCase, Explanation, InstanceRecord},
    report::{View, render},
};
use plusminus_tests::pages_support::{
    FIGURES, bimodal, case, changed_code, compared, explanation, hostile, kept_picture, knee,
    long_names, million, nothing_compared, page_of, published, very_many, without_style,
};
use plusminus_tests::study_support::{empty, folder, plusminus};
use plusminus_tests::{Fixture, Outcome, workspace};

#[test]
fn the_page_of_a_measurement() {
    insta::assert_snapshot!(without_style(&page_of(
        "pages_measurement",
        &published("schema-1.json")
    )));
}

#[test]
fn the_page_of_a_comparison() {
    insta::assert_snapshot!(without_style(&page_of(
        "pages_comparison",
        &published("comparison-1.json")
    )));
}

#[test]
fn the_same_record_becomes_the_same_bytes_anywhere() {
    let one = folder("pages_same_1");
    let two = folder("pages_same_2");
    for folder in [&one, &two] {
        for name in ["schema-1.json", "comparison-1.json"] {
            std::fs::copy(workspace().join("tests/records").join(name), folder.join(name)).unwrap();
        }
    }
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(86_400);
    std::fs::File::options()
        .append(true)
        .open(two.join("schema-1.json"))
        .unwrap()
        .set_modified(old)
        .unwrap();
    let arguments = ["report", "schema-1.json", "comparison-1.json", "--figures", "figures"];
    plusminus(&one, &arguments).exits(0);
    let output = std::process::Command::new(plusminus_tests::program())
        .current_dir(&two)
        .args(arguments)
        .env_clear()
        .envs([
            ("TZ", "Asia/Tokyo"),
            ("LC_ALL", "de_DE.UTF-8"),
            ("HOME", "/nowhere"),
            ("COLUMNS", "20"),
        ])
        .output();
    Outcome::of(&output.unwrap()).exits(0);
    let files = |folder: &std::path::Path| -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        for part in ["", "figures/schema-1", "figures/comparison-1"] {
            for file in std::fs::read_dir(folder.join(part)).unwrap().flatten() {
                if file.path().is_file() {
                    let name = format!("{part}/{}", file.file_name().to_string_lossy());
                    files.push((name, std::fs::read(file.path()).unwrap()));
                }
            }
        }
        files.sort();
        files
    };
    let (one, two) = (files(&one), files(&two));
    assert_eq!(one.len(), 2 + 2 + 2 * FIGURES);
    assert!(one == two, "two renderings differ");
}

#[test]
fn figures_are_written_with_all_their_data() {
    let folder = folder("pages_figures");
    let path = workspace().join("tests/records/schema-1.json");
    plusminus(&folder, &["report", path.to_str().unwrap(), "-o", ".", "--figures", "figures"])
        .exits(0)
        .says("figures: 7 in figures");
    let text = |name: &str| std::fs::read_to_string(folder.join("figures").join(name)).unwrap();
    insta::assert_snapshot!(text("summary.csv"));
    insta::assert_snapshot!(text("summary.svg"));
    // 2 runs × 8 instances × 1 sample, and as many typical times.
    let samples = text("figure-001-every-sample-of-kla.csv");
    assert_eq!(samples.lines().filter(|line| line.starts_with("sample,")).count(), 16);
    assert_eq!(samples.lines().filter(|line| line.starts_with("typical time")).count(), 16);
    // 2 runs × 8 instances.
    let cells = text("figure-003-instances-and-runs-of-kla.csv");
    assert_eq!(cells.lines().count(), 1 + 16);
}

#[test]
fn a_page_has_the_numbers_of_the_report() {
    let path = workspace().join("tests/records/schema-1.json");
    let AnyRecord::Measurement(record) = record::read_any(&path).unwrap() else { panic!() };
    let report = render(&record, None, None, &View::unlimited());
    let page = page_of("pages_numbers", &published("schema-1.json"));
    let mut seen = 0;
    let (_, rows) = page.split_once("<ol>").unwrap();
    let (rows, _) = rows.split_once("</ol>").unwrap();
    for cell in rows.split("<span>").skip(1).filter_map(|rest| rest.split("</span>").next()) {
        if let Some((value, u)) = cell.split_once(" ± ") {
            // The report has the uncertainty of a time in percent, and a speedup with its interval.
            let shown = match u.split_once(' ') {
                Some((_, unit)) => format!("{value} {unit} ±"),
                None => format!("σ of S {u}"),
            };
            assert!(report.contains(&shown), "{shown} is not in\n{report}");
            seen += 1;
        }
    }
    // Two times and one speedup.
    assert_eq!(seen, 3);
}

#[test]
fn the_page_of_a_comparison_answers_before_its_rows() {
    let page = page_of("pages_answer", &long_names());
    let (head, rest) = page.split_once("<div class=\"rows\"").unwrap();
    let text = |part: &str| part.replace("<wbr>", "");
    let head = text(head);
    for said in [
        "<h1>sssp: main (0123456789ab) → work tree (fedcba987654)</h1>",
        "3 of 67 slower (worst <code>parse_document_nocopy::of_a_module_with_a_name/rpm_primary_2.xml/utf_8</code> +6.0",
        "55 faster",
        "A Processor, 2 processors, linux 6.1",
        "2026-01-31 12:34:56 UTC",
        "time limit reached",
        "failing failed in new: ",
        // The five questions: what became slower and by how much at least, can it be trusted, what changed, how to run it again.
        "<dt>slower by at least</dt><dd><code>parse_document_nocopy::of_a_module_with_a_name/rpm_primary_2.xml/utf_8</code> 5.",
        "<dt>trust</dt><dd>",
        "<dt>code that changed</dt><dd>parse::entity&lt;T&gt; (src/parse.rs:12), parse::cold_path; <code>git diff 0123456789abcdef",
        "<dt>to run it again</dt><dd><code>cargo plusminus compare main</code>",
        "<dt>base</dt><dd>main (0123456789ab): Release 1.2</dd>",
        "<dt>new</dt><dd>work tree (fedcba987654): Keep &lt;entities&gt; in one table</dd>",
        "property=\"og:description\" content=\"1 failed, 3 of 67 slower",
    ] {
        assert!(head.contains(said), "{said} is not in\n{head}");
    }
    // Groups in their order: what changed is open and the worst of it first.
    let groups: Vec<(bool, String)> = rest
        .split("<details class=\"group\"")
        .skip(1)
        .map(|group| {
            let name = group.split("<b>").nth(1).unwrap().split("</b>").next().unwrap();
            (group.starts_with(" open"), name.to_owned())
        })
        .collect();
    insta::assert_debug_snapshot!(groups);
    assert!(text(rest).contains("skipped is skipped in base: nothing to measure"), "{rest}");
    let slower = text(rest.split("<b>slower</b>").nth(1).unwrap());
    let places = [2, 1, 0].map(|number| slower.find(&format!("rpm_primary_{number}.xml")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    for said in [
        "To reproduce:",
        "git diff 0123456789abcdef",
        "Samples of both versions of parse_document…",
        "changed: parse::entity&lt;T&gt; (src/parse.rs:12); new: parse::cold_path; and 7 more",
    ] {
        assert!(slower.contains(said), "{said}");
    }
}

#[test]
fn a_page_of_one_benchmark_has_one_row() {
    let mut record = nothing_compared();
    record.cases.push(compared("only", |_, _| 1.0));
    let page = page_of("pages_one", &record);
    assert_eq!(page.matches("<li><details><summary><b>only</b>").count(), 1);
    assert!(page.contains("1 benchmark: 1 within ±2 %"));
    let script = page.split_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    assert!(script.len() <= 10_000, "{} bytes", script.len());
    assert!(!script.contains("innerHTML") && !script.contains("eval"));
    assert!(
        page.contains("<dt>interval</dt>") && !page.contains("<dd></dd>"),
        "words have meanings"
    );
    let page = page_of("pages_none", &nothing_compared());
    assert!(page.contains("nothing to compare") && !page.contains("<script>"));
}

#[test]
fn a_page_of_thousands_of_benchmarks_is_small() {
    let page = page_of("pages_thousands", &very_many(3_000));
    assert!(page.len() <= 1_100_000, "{} bytes", page.len());
    assert!(page.contains("30 of 3000 slower (worst "), "all are counted");
    let rows = page.matches("<li><d").count() + page.matches("<li class=\"worse\"><d").count();
    assert_eq!(rows, 3_000, "and all have a row");
    assert!(page.contains("Of 3000 rows the first 12 have figures here."));
}

#[test]
fn the_page_of_three_explained_benchmarks_has_both_sides_and_is_small() {
    let mut record = nothing_compared();
    for name in ["one", "two", "three"] {
        record.cases.push(compared(name, |_, _| 1.1));
        record.explanations.push(explanation(name, "parse::number", "qword ptr [rsp+rax*8+0x40]"));
    }
    record.cases.push(compared("four", |_, _| 1.1));
    record.explanations.push(Explanation { listings: Vec::new(), ..explanation("four", "", "") });
    let page = page_of("pages_listings", &record);
    assert!(page.len() <= 1_000_000, "{} bytes", page.len());
    let row = "<tr data-mark=\"2\"><td>2</td><td><pre>mov rax, qword ptr [rsp+rax*8+0x40]</pre></td><td><pre>mov rax, qword ptr";
    assert_eq!(page.matches(row).count(), 3);
    // Instructions of one side alone, rows that the record lacks, and places in the source.
    for (row, count) in [
        ("<tr data-mark=\"− 1\"><td>− 1</td><td><pre>mov ", 3),
        ("<tr data-mark=\"+ 5\"><td>+ 5</td><td><pre></pre></td><td><pre>mov ", 3),
        ("<tr data-mark=\"…\">", 9),
        ("<td><pre>src/lib.rs:3 qword ", 3),
    ] {
        assert_eq!(page.matches(row).count(), count, "{row}");
    }
    assert!(page.contains(">two, 1: "));
    assert!(page.contains("(src/parse.rs:12): 900 of 1000 rows differ, the first 160 are here"));
    assert_eq!(page.matches("No machine code is listed").count(), 1);
}

#[test]
fn hostile_names_are_text() {
    let name = "<script>alert(1)</script><img src=x onerror=\"alert(1)\">\u{202e}`'{x}";
    let mut compared_record = nothing_compared();
    let code = Some(changed_code(name));
    compared_record.cases.push(ComparedCase { code, ..compared(name, |_, _| 1.1) });
    compared_record.explanations.push(explanation(name, name, name));
    compared_record.identical_code.push(name.to_owned());
    for side in [&mut compared_record.base, &mut compared_record.new] {
        side.name = name.to_owned();
        side.manifest.subject = Some(name.to_owned());
    }
    has_no_markup(&page_of("pages_hostile_comparison", &compared_record));
    has_no_markup(&page_of("pages_hostile", &hostile()));
    let folder = folder("pages_hostile");
    let mut record = hostile();
    record.cases[0].name = "../../etc/passwd".to_owned();
    record::write(&record, &folder.join("record.json")).unwrap();
    plusminus(&folder, &["report", "record.json", "--figures", "f"]).exits(0);
    let files = std::fs::read_dir(folder.join("f")).unwrap().flatten();
    let names: Vec<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
    assert!(names.iter().any(|name| name.ends_with("of-etc-passwd.svg")), "{names:?}");
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
    assert!(names.iter().all(|name| name.chars().all(is_plain) && name.len() < 70), "{names:?}");
}

/// Asserts that nothing from outside is markup, or is fetched.
fn has_no_markup(page: &str) {
    assert!(page.contains("&lt;script&gt;"), "the name is shown");
    assert_eq!(page.matches("<script").count(), 1, "our own alone");
    for markup in ["<img", "<iframe", "onerror=\"", "\u{202e}"] {
        assert!(!page.contains(markup), "{markup}");
    }
    // Nothing is fetched, whatever names say: the only addresses are those of the page itself.
    for (at, _) in page.match_indices("href=") {
        let own = ["href=\"#", "href=\"data:image/svg+xml,"];
        assert!(own.iter().any(|own| page[at..].starts_with(own)), "{}", &page[at..at + 60]);
    }
    assert_eq!(page.matches("src=\"").count(), 0);
}

#[test]
fn both_modes_of_a_bimodal_benchmark_are_drawn_and_its_instances_are_no_modes() {
    let one = bimodal();
    let mut two = bimodal();
    let case = &mut two.cases[0];
    case.instances.push(InstanceRecord { name: "larger".to_owned(), ..case.instances[0].clone() });
    for mut cell in case.measurements.clone() {
        cell.instance = 1;
        cell.wall_ns.iter_mut().for_each(|wall| *wall *= 10);
        case.measurements.push(cell);
    }
    // Two of three samples take 100 ns, the third 150 ns; those of the larger instance ten times as long.
    for (record, [all, lower, upper]) in [(one, [63, 42, 21]), (two, [100, 67, 33])] {
        let folder = folder("pages_bimodal");
        record::write(&record, &folder.join("r.json")).unwrap();
        plusminus(&folder, &["report", "r.json", "--figures", "."]).exits(0);
        let name = "figure-002-distribution-of-the-samples-of-bimodal-kernel.csv";
        let csv = std::fs::read_to_string(folder.join(name)).unwrap();
        let dots: Vec<[f64; 2]> = csv
            .lines()
            .filter(|line| line.starts_with("quantile,"))
            .map(|line| [1, 2].map(|column| line.split(',').nth(column).unwrap().parse().unwrap()))
            .collect();
        let near =
            |ratio: f64| dots.iter().filter(|dot| (dot[0] / ratio).ln().abs() < 0.05).count();
        assert_eq!([dots.len(), near(1.0), near(1.5)], [all, lower, upper], "{csv}");
        // Equal samples stand above each other.
        assert_eq!(dots.iter().map(|dot| dot[1]).fold(0.0, f64::max), lower as f64, "{csv}");
    }
}

#[test]
fn a_million_samples_become_a_small_page_that_says_what_it_leaves_out() {
    let mut record = million();
    record.cases[0].measurements[3].wall_ns[50_001] = 3_000_000;
    let page = page_of("pages_million", &record);
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert!(page.contains("dots are drawn"), "what is left out is said");
    let circles = page.matches("<circle").count();
    assert!((1_000..30_000).contains(&circles), "{circles}");
    // The outermost sample is three times as long as the others: its dot is near the upper end, and stays.
    assert!(page.contains("cy=\"40.1\""), "the longest sample is drawn");
}

#[test]
fn a_page_of_many_benchmarks_has_their_first_figures_and_says_so() {
    let mut record = empty();
    record.cases = (0..360)
        .map(|i| case(&format!("many::b{i}"), 2, 1, |run, _| 100 + u64::from(run)))
        .collect();
    let page = page_of("pages_many", &record);
    assert_eq!(page.matches("-title\">Every sample of many::").count(), 60);
    assert!(page.contains("Of 360 benchmarks the first 60 have figures here"));
    assert_eq!(page.matches("<summary><b>many::<wbr>b").count(), 360, "all have a row");
}

#[test]
fn mistakes_are_named() {
    let folder = folder("pages_mistakes");
    plusminus(&folder, &["report", "missing.json"]).exits(2).complains("missing.json");
    std::fs::write(folder.join("not.json"), "{}").unwrap();
    plusminus(&folder, &["report", "not.json"]).exits(2).complains("not.json");
    assert!(!folder.join("not.html").exists(), "nothing half-written");
    std::fs::create_dir_all(folder.join("a")).unwrap();
    for place in ["a/r.json", "r.json"] {
        record::write(&bimodal(), &folder.join(place)).unwrap();
    }
    plusminus(&folder, &["report", "r.json", "a/r.json", "-o", "."])
        .exits(2)
        .complains("same page");
    std::fs::create_dir_all(folder.join("t/plusminus")).unwrap();
    let output = std::process::Command::new(plusminus_tests::program())
        .current_dir(&folder)
        .arg("report")
        .env("PLUSMINUS_OUTPUT", folder.join("t/plusminus"))
        .output();
    Outcome::of(&output.unwrap()).exits(2).complains("holds no record");
}

#[test]
fn the_newest_record_is_found() {
    let folder = folder("pages_newest");
    for (bench, name) in [("a", "2026-01-31T000000Z.json"), ("b", "2026-01-30T000000Z.json")] {
        record::write(&bimodal(), &folder.join(bench).join("records").join(name)).unwrap();
    }
    let output = std::process::Command::new(plusminus_tests::program())
        .current_dir(&folder)
        .arg("report")
        .env("PLUSMINUS_OUTPUT", &folder)
        .output();
    Outcome::of(&output.unwrap()).exits(0).says("a/pages/2026-01-31T000000Z.html");
    assert!(folder.join("a/pages/2026-01-31T000000Z.html").is_file());
}

#[test]
fn a_bench_binary_has_its_page_made_by_the_subcommand() {
    let fixture = Fixture::new("contract", "pages_bench");
    let binary = fixture.bench_binary("small");
    let run = |path: std::ffi::OsString, home: &str, value: &str| {
        let output = fixture
            .command(binary.to_str().unwrap())
            .args(["--bench", "--exact", "bare", "--runs", "2", "--samples", "3"])
            .env("PLUSMINUS_REPORT", value)
            .env("CARGO_HOME", fixture.output.join(home))
            .env("PATH", path)
            .output();
        Outcome::of(&output.unwrap())
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = plusminus_tests::program().parent().unwrap().to_owned();
    let with = std::iter::once(own).chain(std::env::split_paths(&path));
    let without =
        std::env::split_paths(&path).filter(|folder| !folder.join("cargo-plusminus").exists());
    run(std::env::join_paths(without).unwrap(), "none", "html")
        .exits(2)
        .complains("needs the subcommand");
    assert!(fixture.records("small").is_empty(), "known before anything is measured");
    run(path.clone(), "none", "pdf")
        .exits(2)
        .complains("PLUSMINUS_REPORT takes html or none, not `pdf`");
    run(std::env::join_paths(with).unwrap(), "none", "html").exits(0).says("page: ").says(".html");
    let record = &fixture.records("small")[0];
    let page = record
        .parent()
        .unwrap()
        .with_file_name("pages")
        .join(record.with_extension("html").file_name().unwrap());
    assert!(std::fs::read_to_string(page).unwrap().contains("Every sample of bare"));
}

#[test]
fn the_picture_of_the_documents_is_made_from_a_record_of_the_repository() {
    let folder = folder("pages_readme");
    let record = workspace().join("tests/records/comparison-1.json");
    let more = ["report", record.to_str().unwrap(), "-o", ".", "--figures", "f"];
    plusminus(&folder, &more).exits(0);
    kept_picture(&folder.join("f/summary.svg"), "verdicts.svg");
}

#[test]
fn the_page_of_a_study() {
    let folder = folder("pages_study");
    record::write(&knee(), &folder.join("record.json")).unwrap();
    plusminus(&folder, &["report", "--study", "record.json"])
        .exits(0)
        .says("page: record-study.html");
    let page = std::fs::read_to_string(folder.join("record-study.html")).unwrap();
    insta::assert_snapshot!(without_style(&page));
    // Two variants of seven configurations, each with its time and three runs.
    assert!(page.contains("data-points=\"56\""), "times");
}
