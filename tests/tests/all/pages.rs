//! `cargo plusminus report`: pages and figures from records whose contents are known.

use plusminus::{
    record::{self, AnyRecord},
    report::{View, render},
};
use plusminus_tests::pages_support::{
    FIGURES, bimodal, case, hostile, in_words, kernels, knee, million, page_of, published,
    shortest_paths, textbook, without_style,
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
        .says("figures: 9 in figures");
    let text = |name: &str| std::fs::read_to_string(folder.join("figures").join(name)).unwrap();
    insta::assert_snapshot!(text("figure-001-times-sssp-shortestpaths-rmat-14-p-2.csv"));
    insta::assert_snapshot!(text("figure-001-times-sssp-shortestpaths-rmat-14-p-2.svg"));
    // 2 runs × 8 instances × 1 sample, and as many typical times.
    let samples = text("figure-004-every-sample-of-kla.csv");
    assert_eq!(samples.lines().filter(|line| line.starts_with("sample,")).count(), 16);
    assert_eq!(samples.lines().filter(|line| line.starts_with("typical time")).count(), 16);
    // 2 runs × 8 instances.
    let cells = text("figure-006-instances-and-runs-of-kla.csv");
    assert_eq!(cells.lines().count(), 1 + 16);
}

#[test]
fn a_page_has_the_numbers_of_the_report() {
    let path = workspace().join("tests/records/schema-1.json");
    let AnyRecord::Measurement(record) = record::read_any(&path).unwrap() else { panic!() };
    let report = render(&record, None, None, &View::unlimited());
    let page = page_of("pages_numbers", &published("schema-1.json"));
    let mut seen = 0;
    let tables: String =
        page.split("<figure").map(|part| part.rsplit("</figure>").next().unwrap()).collect();
    for cell in tables.split("<td>").skip(1).filter_map(|rest| rest.split("</td>").next()) {
        if cell.contains(" ± ") {
            assert!(report.contains(cell), "{cell} is not in\n{report}");
            seen += 1;
        }
    }
    // Two times and one speedup.
    assert_eq!(seen, 3);
}

#[test]
fn hostile_names_are_text() {
    let page = page_of("pages_hostile", &hostile());
    assert!(page.contains("&lt;script&gt;"), "the name is shown");
    for markup in ["<script", "<img", "<iframe", "onerror=\"", "\u{202e}"] {
        assert!(!page.contains(markup), "{markup}");
    }
    // Nothing is fetched, whatever names say: the only addresses are those of the page itself.
    for (at, _) in page.match_indices("href=") {
        assert!(page[at..].starts_with("href=\"#"), "{}", &page[at..at + 60]);
    }
    assert_eq!(page.matches("src=\"").count(), 0);
}

#[test]
fn both_modes_of_a_bimodal_benchmark_are_drawn() {
    let folder = folder("pages_bimodal");
    record::write(&bimodal(), &folder.join("r.json")).unwrap();
    plusminus(&folder, &["report", "r.json", "--figures", "."]).exits(0);
    let name = "figure-003-distribution-of-the-samples-of-bimodal-kernel.csv";
    let csv = std::fs::read_to_string(folder.join(name)).unwrap();
    let dots: Vec<f64> = csv
        .lines()
        .filter(|line| line.starts_with("quantile,"))
        .map(|line| line.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    let near = |ratio: f64| dots.iter().filter(|dot| (*dot / ratio).ln().abs() < 0.05).count();
    // Two of three samples take 100 ns, the third 150 ns; the time of each run is the median, 100 ns.
    assert_eq!(dots.len(), 63);
    assert_eq!((near(1.0), near(1.5)), (42, 21), "{csv}");
}

#[test]
fn a_million_samples_become_a_small_page_that_says_what_it_leaves_out() {
    let page = page_of("pages_million", &million());
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert!(page.contains("dots are drawn"), "what is left out is said");
    let circles = page.matches("<circle").count();
    assert!((1_000..30_000).contains(&circles), "{circles}");
}

#[test]
fn a_page_of_many_benchmarks_has_their_first_figures_and_says_so() {
    let mut record = empty();
    record.cases = (0..360)
        .map(|i| case(&format!("many::b{i}"), 2, 1, |run, _| 100 + u64::from(run)))
        .collect();
    let page = page_of("pages_many", &record);
    // Ten of twelve figures of times and of relative uncertainties, and those of 60 benchmarks.
    assert_eq!(page.matches(">Times: Functions (").count(), 10);
    assert_eq!(page.matches(">Relative uncertainties: Functions (").count(), 10);
    assert!(page.contains("4 more figures of many benchmarks together are left out here"));
    assert_eq!(page.matches("<th scope=\"row\">many::b").count(), 360, "the table has all");
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
fn the_pictures_of_the_readme_are_made_from_records_of_the_repository() {
    let folder = folder("pages_readme");
    let comparison = workspace().join("tests/records/comparison-1.json");
    let apex = workspace().join("suite/tests/fixtures/apex_map.json");
    for (arguments, made, kept) in [
        (vec!["report"], "figure-001-speedups-of-the-new-version.svg", "verdicts.svg"),
        (
            vec!["report", "--study"],
            "figure-007-t-l-apex-map-serial-nested-scalar-64mib.svg",
            "apex-map.svg",
        ),
    ] {
        let record = if arguments.len() == 1 { &comparison } else { &apex };
        let more = [record.to_str().unwrap(), "-o", ".", "--figures", "f"];
        plusminus(&folder, &[&arguments[..], &more].concat()).exits(0);
        let made = std::fs::read(folder.join("f").join(made)).unwrap();
        let kept = workspace().join("docs/pictures").join(kept);
        if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
            std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
            std::fs::write(&kept, &made).unwrap();
        }
        assert!(
            std::fs::read(&kept).is_ok_and(|kept| kept == made),
            "{} is made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --test all pages`",
            kept.display()
        );
    }
}

#[test]
fn the_page_of_a_paper_from_records() {
    let folder = folder("pages_paper");
    let paper = |name: &str, record: &str| {
        let record = workspace().join(record);
        let arguments = ["paper", name, "--from", record.to_str().unwrap(), "-o", "."];
        plusminus(&folder, &arguments).exits(0).says(&format!("page: ./{name}.html"));
        std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap()
    };
    let vov = paper("vov", "tests/records/schema-1.json");
    for said in ["around 6, ± 3", "Table 1 as heat maps", "× 2.23 in run 2", "What the words mean"]
    {
        assert!(vov.contains(said), "{said}");
    }
    let pc = paper("pc", "suite/tests/fixtures/apex_map.json");
    for said in
        ["Figs. 2, 3: PC_a of models", "5 orders of magnitude", "not in these records", "T(α, L)"]
    {
        assert!(pc.contains(said), "{said}");
    }
    let imsuite = paper("imsuite", "tests/records/imsuite-study.json");
    // BF: Figure 8 of the paper beside the record's own count.
    for said in [
        "1009 | ",
        "communication by round",
        "Speedup over the serial kernel",
        "communication by places",
    ] {
        assert!(imsuite.contains(said), "{said}");
    }
    plusminus(&folder, &["paper", "pc", "--from", "none.json"]).exits(2).complains("none.json");
}

#[test]
fn the_pages_of_papers_are_the_same_on_every_machine() {
    let folder = folder("pages_papers");
    let page = |name: &str, record: &plusminus::record::Record| {
        record::write(record, &folder.join("record.json")).unwrap();
        plusminus(&folder, &["paper", name, "--from", "record.json", "-o", "."]).exits(0);
        in_words(&std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap())
    };
    let apex = record::read(&workspace().join("suite/tests/fixtures/apex_map.json")).unwrap();
    insta::assert_snapshot!("paper_vov", page("vov", &shortest_paths(&[(14, 6.0)])));
    insta::assert_snapshot!("paper_pc", page("pc", &apex));
    insta::assert_snapshot!("paper_imsuite", page("imsuite", &kernels()));
    insta::assert_snapshot!("paper_mpp", page("mpp", &textbook(4)));
    insta::assert_snapshot!("paper_dbpp", page("dbpp", &textbook(4)));
}

/// The page of a paper from a record, with its entities resolved as far as these tests need.
fn paper(test: &str, name: &str, record: &plusminus::record::Record) -> String {
    let folder = folder(test);
    record::write(record, &folder.join("record.json")).unwrap();
    plusminus(&folder, &["paper", name, "--from", "record.json", "-o", "."]).exits(0);
    let page = std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap();
    page.replace("&#x27;", "'").replace("&#39;", "'")
}

#[test]
fn what_differs_from_a_paper_is_computed_from_the_record() {
    // KLA takes six times as long on tasks and twice as long on messages, as the paper says, at both scales.
    let same = paper("pages_vov", "vov", &shortest_paths(&[(14, 6.0), (15, 6.0)]));
    for said in [
        "Agrees: 2 of 2 points lie within 6 ± 3.",
        "Agrees: 2 of 2 points lie within 2 ± 1.",
        "It stays, as in the paper, from 6.00 at scale 14 on p = 2 to 6.00 at scale 15 on p = 2",
        "In the geometric mean it is 3.00 here, and 3 in the paper.",
        "Agrees: 8 of 8 times (of KLA and of Δ-stepping) are shorter on messages.",
        "it is the slowest instance in 5 of 5 runs, so that the source makes it slow",
    ] {
        assert!(same.contains(said), "{said}");
    }
    // Three times as much at the larger scale: one point is out of the paper's range, and the scale is why.
    let grown = paper("pages_vov_grown", "vov", &shortest_paths(&[(14, 6.0), (17, 18.0)]));
    for said in [
        "Agrees in part: 1 of 2 points lie within 6 ± 3.",
        "It grows from 6.00 at scale 14 on p = 2 to 18.0 at scale 17 on p = 2",
        "The scale accounts for a factor of 3.0",
        "× 1.0 to 3.0",
    ] {
        assert!(grown.contains(said), "{said}");
    }
    // One scale alone, off by more than the paper's range: the record shows no reason.
    let alone = paper("pages_vov_alone", "vov", &shortest_paths(&[(14, 18.0)]));
    assert!(alone.contains("Differs: 0 of 1 points lie within 6 ± 3."));
    assert!(alone.contains("Not explained: nothing that these records vary accounts for it."));
}

#[test]
fn the_counts_of_imsuite_are_held_against_those_of_the_paper() {
    let page = paper("pages_imsuite", "imsuite", &kernels());
    for said in [
        // The order of DR's inputs is that of the original's procedure, which the suite repairs.
        "Other ones: DR (8127 and 8127), of which the original's procedure has 20587 and 16204, the order of the paper",
        "20587 | 20587 | 8127",
        "they differ by what the suite repairs (DR)",
        "Agrees in part: 1 of 2 kernels have the order of the paper.",
        "What is counted of HS is what the paper prints of LCR",
    ] {
        assert!(page.contains(said), "{said}");
    }
}

#[test]
fn the_pages_of_documents_on_parallel_performance() {
    let folder = folder("pages_textbook");
    let page = |name: &str, record: &plusminus::record::Record| {
        record::write(record, &folder.join("textbook.json")).unwrap();
        let arguments = ["paper", name, "--from", "textbook.json", "-o", "."];
        plusminus(&folder, &arguments).exits(0).says(&format!("page: ./{name}.html"));
        std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap()
    };
    let dbpp = page("dbpp", &textbook(8));
    // The coefficients that the times were made from come out, beside those that are printed.
    for said in [
        "0.0120 ms",
        "0.0112 ms",
        "1.20",
        "t_s = 15.0 µs, t_w = 0.800 ns",
        "12 points, off by a factor of 1.0",
    ] {
        assert!(dbpp.contains(said), "{said}");
    }
    let mpp = page("mpp", &textbook(8));
    for said in [
        "here says 3.57 and 5.26",
        "here says 3 and 2.22",
        "b = 9.0",
        "amdahl: ω_s = ",
        "Sizes that keep an efficiency",
    ] {
        assert!(mpp.contains(said), "{said}");
    }
    // Two processors are too few for a fit, and determine a share.
    let two = page("mpp", &textbook(2));
    for said in [
        "by p = 2 alone",
        "usl is not fitted, 2 measured configurations are too few",
        "gustafson: serial share",
    ] {
        assert!(two.contains(said), "{said}");
    }
    let nothing = page("dbpp", &knee());
    assert!(nothing.contains("not in these records"));
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

#[test]
fn every_figure_of_apex_map_is_drawn() {
    let folder = folder("pages_apex_map");
    let path = workspace().join("suite/tests/fixtures/apex_map.json");
    plusminus(&folder, &["report", "--study", path.to_str().unwrap(), "-o", ".", "--figures", "f"])
        .exits(0);
    let page = std::fs::read_to_string(folder.join("apex_map-study.html")).unwrap();
    for title in [
        "T(α, L): ",
        "T(α, L) as lines",
        "Residuals of model 3",
        "Fitted latencies",
        "Performance Complexity, model",
    ] {
        assert!(page.contains(title), "{title}");
    }
    // Each configuration is a cell of the surface, and a ring on its line.
    let files = std::fs::read_dir(folder.join("f")).unwrap().flatten().map(|file| file.path());
    let text: String = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let cells = text.lines().filter(|line| line.starts_with("time of an access,")).count();
    let rings = text.lines().filter(|line| line.contains(", measured")).count();
    assert!(cells > 10 && cells == rings, "{cells} {rings}");
}
