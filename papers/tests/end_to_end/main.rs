//! The pages of papers in a real browser; [`browser_support`](plusminus_tests::browser_support) lists the
//! requirements.

use std::process::Command;

use plusminus::record::{self, Record};
use plusminus_tests::browser_support::{figures, number, seen, sound};
use plusminus_tests::pages_support::{kernels, shortest_paths, textbook};
use plusminus_tests::study_support::folder;
use plusminus_tests::{Outcome, workspace};
use serde_json::Value;

#[test]
fn the_pages_of_papers_are_whole_in_a_browser() {
    let folder = folder("papers_browser");
    let page = |name: &str, record: &Record| {
        let kept = format!("of-{name}.json");
        record::write(record, &folder.join(&kept)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_plusminus-papers"));
        command.current_dir(&folder).args([name, "--from", &kept, "-o", "."]);
        Outcome::of(&command.output().unwrap()).exits(0);
        folder.join(format!("{name}.html"))
    };
    let apex_map = record::read(&workspace().join("tests/records/apex_map.json")).unwrap();
    let papers = [
        page("vov", &shortest_paths(&[(14, 6.0), (15, 5.0)])),
        page("pc", &apex_map),
        page("imsuite", &kernels()),
        page("mpp", &textbook(8)),
        page("dbpp", &textbook(8)),
    ];
    let Some(seen) = seen(&[], &papers, &folder) else { return };
    assert_eq!(seen.len(), papers.len());
    seen.iter().for_each(sound);
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
