//! The kept records, by the commands that study them.

use std::{fmt::Write as _, path::PathBuf};

use cargo_plusminus::study::{self, document::Document};
use clap::Parser;
use plusminus::text::number::digits;
use plusminus_tests::{study_support::folder, workspace};

use super::documents::compare;
use crate::{Arguments, Paper, imsuite::FIGURE_8, kept};

/// The kept records of a paper, unpacked below a folder of a test.
pub(super) fn unpacked(paper: Paper, test: &str) -> (PathBuf, Vec<PathBuf>) {
    let folder = folder(&format!("papers_kept_{test}"));
    let records = [workspace().join("papers/records")];
    let paths = kept::records(&records, paper.described().0, &folder).unwrap();
    (folder, paths)
}

fn studied(options: &[&str], records: &[PathBuf]) -> Document {
    let options = options.iter().map(Into::into);
    study::of_line(options.chain(records.iter().map(Into::into))).unwrap()
}

/// The record has two shapes of input, and one size of the second.
#[test]
fn the_record_of_imsuite_is_studied_whole() {
    let (_, records) = unpacked(Paper::Imsuite, "whole");
    let document = studied(&[], &records);
    for (kernel, _) in FIGURE_8 {
        let problem =
            document.problems.iter().find(|one| one.problem.split("::").next() == Some(kernel));
        let problem = problem.unwrap_or_else(|| panic!("{kernel} is not studied"));
        let serial = format!("{kernel}::serial");
        let sizes = |variant: &str| {
            let own = problem.series.iter().filter(|series| series.variant == variant);
            own.map(|series| series.scaling.rows.len()).max().unwrap_or(0)
        };
        assert!(sizes(&serial) >= 5, "{kernel}: {} sizes", sizes(&serial));
        for series in &problem.series {
            assert!(!series.models.is_empty(), "{kernel} {}", series.variant);
        }
        let comparison = problem.comparisons.iter().max_by_key(|one| one.configurations);
        let comparison = comparison.unwrap_or_else(|| panic!("{kernel}: {:?}", problem.notes));
        assert!(comparison.configurations >= 5 && !comparison.models.is_empty(), "{kernel}");
        // A shape that was measured at one size has too few configurations for a ranking, and nothing else is skipped.
        let few = |note: &String| note.contains("share fewer than 3");
        assert!(problem.notes.iter().all(few), "{kernel}: {:?}", problem.notes);
    }
    assert!(document.set.is_some_and(|set| set.problems.len() >= 10));
}

/// The problem whose largest size leaves the cache.
const SUM: &str = "::Sum";

/// After this line of a page, and before the next heading, is the table of predictions.
const PREDICTIONS: &str = "<!-- predictions -->\n";
const NEXT: &str = "\n## ";

/// Models that are fitted to the smaller sizes predict the largest: at least nine of ten intervals of 95 % hold what was
/// measured. The largest sum alone leaves the cache, which no model of smaller ones tells. A page of the book has the table.
#[test]
fn intervals_of_predictions_hold_on_kept_records() {
    let mut table = "\n| problem | inside | predictions | PC_a | high over low end, median |\n|---|---|---|---|---|\n".to_owned();
    // Of all problems, and of all but the sum.
    let mut counts = [[0; 2]; 2];
    for (paper, of, count) in
        [(Paper::Mpp, SUM, 1), (Paper::Dbpp, "::FiniteDifference", 1), (Paper::Imsuite, "", 12)]
    {
        let (folder, records) = unpacked(paper, &format!("predict_{}", paper.described().0));
        let file = folder.join("predictions.json");
        let document = studied(&["--predict", file.to_str().unwrap()], &records);
        let predicted = document.predicted.unwrap();
        assert!(predicted.written && predicted.unmeasured == 0);
        let own = predicted.coverage.iter().filter(|one| one.problem.ends_with(of));
        let own: Vec<_> = own.filter(|one| one.problem != "all").collect();
        assert_eq!(own.len(), count, "{:?}", predicted.coverage);
        for one in own {
            let own = predicted.rows.iter().map(|row| &row.prediction);
            let own = own.filter(|prediction| prediction.problem == one.problem);
            let mut widths: Vec<f64> = own.map(|own| own.high_95_ns / own.low_95_ns).collect();
            widths.sort_by(f64::total_cmp);
            let (pc, width) = (digits(one.pc_a), digits(widths[widths.len() / 2]));
            let (problem, count) = (&one.problem, one.predictions);
            writeln!(table, "| {problem} | {} | {count} | {pc} | {width} |", one.inside).unwrap();
            let of_counts = if of == SUM { 1 } else { 2 };
            for [inside, predictions] in &mut counts[..of_counts] {
                (*inside, *predictions) = (*inside + one.inside, *predictions + one.predictions);
            }
        }
    }
    let [[inside, predictions], [in_cache, of_cache]] = counts;
    assert!(10 * in_cache >= 9 * of_cache, "{table}");
    writeln!(table, "| all but the sum | {in_cache} | {of_cache} | | |").unwrap();
    writeln!(table, "| all | {inside} | {predictions} | | |").unwrap();
    compare("study", |text| {
        let (before, rest) = text.split_once(PREDICTIONS).unwrap();
        let (_, after) = rest.split_once(NEXT).unwrap();
        format!("{before}{PREDICTIONS}{table}{NEXT}{after}")
    });
}

/// The command makes the page of a paper from kept records, which are compressed.
#[test]
fn a_page_is_made_from_kept_records() {
    let output = folder("papers_kept_page");
    let records = workspace().join("papers/records");
    let arguments = ["plusminus-papers", "vov", "--from", records.to_str().unwrap(), "--output"];
    let arguments = arguments.into_iter().chain([output.to_str().unwrap()]);
    assert_eq!(crate::run(&Arguments::parse_from(arguments)).unwrap(), 0);
    let page = std::fs::read_to_string(output.join("vov.html")).unwrap();
    for part in ["One factor at a time", "share of the filter", "Table 1 as heat maps"] {
        assert!(page.contains(part), "{part}");
    }
}
