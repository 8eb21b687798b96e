//! The pages of papers from records whose contents are known.

use std::{path::Path, process::Command};

use plusminus::record;
use plusminus_tests::pages_support::{
    in_words, kept_picture, kernels, knee, shortest_paths, textbook,
};
use plusminus_tests::study_support::folder;
use plusminus_tests::{Outcome, workspace};

/// Runs the program in a folder.
fn papers(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plusminus-papers"));
    Outcome::of(&command.current_dir(folder).args(arguments).output().unwrap())
}

#[test]
fn the_page_of_a_paper_from_records() {
    let folder = folder("pages_paper");
    let paper = |name: &str, record: &str| {
        let record = workspace().join(record);
        let arguments = [name, "--from", record.to_str().unwrap(), "-o", "."];
        papers(&folder, &arguments).exits(0).says(&format!("page: ./{name}.html"));
        std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap()
    };
    let vov = paper("vov", "tests/records/schema-1.json");
    for said in ["around 6", "Table 1 as heat maps", "instance 7", ">Words<"] {
        assert!(vov.contains(said), "{said}");
    }
    let pc = paper("pc", "tests/records/apex_map.json");
    for said in [
        "PC_a of model 2 over model 1",
        "5 orders of magnitude",
        "Cannot be tested here",
        "T(α, L)",
    ] {
        assert!(pc.contains(said), "{said}");
    }
    let imsuite = paper("imsuite", "tests/records/imsuite-study.json");
    // BF: Figure 8 of the paper, and the record's own count.
    for said in [
        "1009 | ",
        "communication by round",
        "Speedup over the serial program",
        "communication by places",
    ] {
        assert!(imsuite.contains(said), "{said}");
    }
    papers(&folder, &["pc", "--from", "none.json"]).exits(2).complains("none.json");
}

#[test]
fn every_figure_of_apex_map_is_drawn() {
    let folder = folder("pages_apex_map");
    let path = workspace().join("tests/records/apex_map.json");
    let arguments = ["pc", "--from", path.to_str().unwrap(), "-o", ".", "--figures", "f"];
    papers(&folder, &arguments).exits(0);
    let page = std::fs::read_to_string(folder.join("pc.html")).unwrap();
    for title in
        ["T(α, L): ", "Residuals of model 3", "Fitted latencies", "Performance Complexity, model"]
    {
        assert!(page.contains(title), "{title}");
    }
    // Each configuration of the three variants is a cell of a surface: 10 α and 17 L.
    let files = std::fs::read_dir(folder.join("f")).unwrap().flatten().map(|file| file.path());
    let text: String = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let cells = text.lines().filter(|line| line.starts_with("time of an access,")).count();
    assert_eq!(cells, 3 * 170);
    let picture = "figure-001-t-l-apex-map-serial-nested-scalar-64mib.svg";
    kept_picture(&folder.join("f").join(picture), "apex-map.svg");
}

#[test]
fn the_pages_of_papers_are_the_same_on_every_machine() {
    let folder = folder("pages_papers");
    let page = |name: &str, record: &plusminus::record::Record| {
        record::write(record, &folder.join("record.json")).unwrap();
        papers(&folder, &[name, "--from", "record.json", "-o", "."]).exits(0);
        in_words(&std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap())
    };
    let apex = record::read(&workspace().join("tests/records/apex_map.json")).unwrap();
    insta::assert_snapshot!("paper_vov", page("vov", &shortest_paths(&[(14, 6.0)])));
    insta::assert_snapshot!("paper_pc", page("pc", &apex));
    insta::assert_snapshot!("paper_imsuite", page("imsuite", &kernels()));
    insta::assert_snapshot!("paper_mpp", page("mpp", &textbook(4)));
    insta::assert_snapshot!("paper_dbpp", page("dbpp", &textbook(4)));
}

#[test]
fn the_pages_of_documents_on_parallel_performance() {
    let folder = folder("pages_textbook");
    let page = |name: &str, record: &plusminus::record::Record| {
        record::write(record, &folder.join("textbook.json")).unwrap();
        let arguments = [name, "--from", "textbook.json", "-o", "."];
        papers(&folder, &arguments).exits(0).says(&format!("page: ./{name}.html"));
        std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap()
    };
    let dbpp = page("dbpp", &textbook(8));
    // The page has the coefficients that the times were made from, and the printed ones.
    for said in ["0.0120 ms", "0.0112 ms", "t_c is 1.20"] {
        assert!(dbpp.contains(said), "{said}");
    }
    let mpp = page("mpp", &textbook(8));
    for said in [
        "S is 3.57 on 5 processors",
        "work has to grow 2.2 times",
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
    assert!(nothing.contains("these records have no scaled t_c over simple t_c"));
}
