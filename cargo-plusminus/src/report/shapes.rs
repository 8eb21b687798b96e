//! The shape of reports on comparisons: fixed records at every width, in colours or not, in Unicode or ASCII.

use std::path::Path;

use plusminus::{
    record::{AnyRecord, ComparisonRecord, read_any},
    report::explain,
    results::{CaseFailure, WorkChange},
    text::{Style, View, width},
};
use plusminus_analysis::verdict::{Doubt, Verdict};

use super::{
    Built, CodeOf, Codes, Comparison, Dependency, LeftOut, Lock, Locks, OneLayout, Outside,
    of_record, table::render,
};
use crate::same_code::Code;

fn stored() -> ComparisonRecord {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/records/comparison-1.json");
    let Ok(AnyRecord::Comparison(record)) = read_any(Path::new(path)) else {
        panic!("no comparison")
    };
    *record
}

/// A record without names that only one side has.
fn plain() -> ComparisonRecord {
    let mut record = stored();
    record.added.clear();
    record.removed.clear();
    record.renamed.clear();
    record.identical_code.clear();
    record
}

fn one() -> Comparison {
    let mut record = plain();
    record.cases.truncate(1);
    of_record(&record)
}

/// A benchmark with several instances, of which some differ.
fn instances() -> Comparison {
    of_record(&plain())
}

/// 55 benchmarks whose times changed by −20 to +34 %, with every kind of note.
fn many() -> Comparison {
    let mut record = stored();
    let measured = record.cases[0].clone();
    record.cases = (0..55_u64)
        .map(|n| {
            let mut case = measured.clone();
            case.name = format!("module::{n}::a_function_with_a_name::{}", 10 << (n % 20));
            for block in &mut case.blocks {
                block.new.wall_ns.iter_mut().for_each(|ns| *ns = *ns * (80 + n) / 100);
                block.new.cpu_ns = block.new.wall_ns.clone();
            }
            case
        })
        .collect();
    record.interrupted = Some(2);
    record.out_of_time = true;
    let mut comparison = of_record(&record);
    let cases = &mut comparison.outcome.cases;
    cases[3].failure = Some(CaseFailure {
        side: None,
        message: format!("panicked: index out of bounds{}", ": the len is 3".repeat(40)),
        is_nothing: false,
    });
    cases[4].failure =
        Some(CaseFailure { side: None, message: "measures nothing".to_owned(), is_nothing: true });
    cases[5].rows.clear();
    cases[6].rows[0].judgement.verdict = Verdict::Inconclusive;
    cases[6].rows[0].doubts.push(Doubt::Contradiction);
    cases[7].rows[0].doubts.push(Doubt::ControlDiffers { verdict: Verdict::Slower });
    cases[8].rows[0].work = Some(WorkChange { unit: "bytes".to_owned(), base: 1e3, new: 2e3 });
    cases[9].rows[0].repaired = true;
    cases[10].rows[0].notes.push("CPU times say another thing".to_owned());
    cases[11].rows[0].blocks[0].clean_only = true;
    let unknown = CodeOf { name: cases[12].name.clone(), code: Code::Unknown("no reason".into()) };
    let unchanged = CodeOf { name: cases[13].name.clone(), code: Code::Identical };
    let set_up = Code::Differs {
        first: "the bytes of parse".into(),
        changes: Vec::new(),
        only_set_up: true,
    };
    let set_up = CodeOf { name: cases[14].name.clone(), code: set_up };
    comparison.codes =
        Codes { all_measured: true, checked: 1, cases: vec![unknown, unchanged, set_up] };
    // Where the codes are known, they say it.
    comparison.names.identical_code.clear();
    let lock = |own| Lock { origin: "the working tree's", adjusted: false, own };
    comparison.built = Built {
        locks: Some(Locks { base: lock(false), new: lock(true) }),
        dependencies: vec![Dependency {
            name: "itoa".to_owned(),
            base: vec!["0.4.8".to_owned()],
            new: vec!["1.0.1".to_owned()],
        }],
        outside: vec![Outside {
            folder: "/w/other".to_owned(),
            crates: vec!["helper".to_owned()],
            in_git: false,
            commit: None,
            dirty: false,
        }],
        left_out: vec![LeftOut { target: "big".to_owned(), why: "needs a feature".to_owned() }],
        one_layout: vec![OneLayout { target: "small".to_owned(), why: "no lld".to_owned() }],
        programs: Vec::new(),
    };
    comparison
}

/// Everything runs the same machine code.
fn nothing() -> Comparison {
    let mut record = plain();
    let names: Vec<String> = record.cases.drain(..).map(|case| case.name).collect();
    let mut comparison = of_record(&record);
    let unchanged = |name| CodeOf { name, code: Code::Identical };
    comparison.codes.cases = names.into_iter().map(unchanged).collect();
    comparison
}

/// Shows a comparison in every way. Panics where a line is too wide, or colours change anything but colours.
fn shown(comparison: &Comparison) -> String {
    let mut all = String::new();
    for columns in [20, 33, 60, 80, 120, 200] {
        for (unicode, verbose) in [(true, false), (true, true), (false, false), (false, true)] {
            let view = View { width: columns, unicode, verbose, ..View::default() };
            // What a pipe gets is what a terminal without colours gets: the view is all that is known of either.
            let plain = render(comparison, Some("target/plusminus/compare/report.txt"), &view);
            for line in plain.lines() {
                assert!(width(line) <= columns, "{} of {columns}: {line}", width(line));
                assert!(unicode || line.is_ascii(), "{line}");
            }
            let view = View { style: Style::Coloured, ..view };
            let coloured = render(comparison, Some("target/plusminus/compare/report.txt"), &view);
            assert_eq!(without_colours(&coloured), plain, "colour is never the only sign");
            if !verbose {
                let most = comparison.outcome.cases.len() + 1 + 3;
                assert!(plain.lines().count() <= most, "{plain}");
            }
            let kept = columns >= 60 && !verbose && (unicode || columns == 80)
                || columns == 80 && verbose && unicode && comparison.outcome.cases.len() < 5;
            if kept {
                let letters = if unicode { "Unicode" } else { "ASCII" };
                let detail = if verbose { ", -v" } else { "" };
                all.push_str(&format!("--- {columns} columns, {letters}{detail}\n{plain}"));
            }
            if kept && columns == 80 && unicode && !verbose {
                let marked = coloured.replace('\u{1b}', "␛");
                all.push_str(&format!("--- 80 columns, in colours\n{marked}"));
            }
        }
    }
    all
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain + rest
}

#[test]
fn one_benchmark() {
    insta::assert_snapshot!(shown(&one()));
}

#[test]
fn benchmarks_with_several_instances() {
    insta::assert_snapshot!(shown(&instances()));
}

#[test]
fn fifty_five_benchmarks_with_every_kind_of_note() {
    let comparison = many();
    insta::assert_snapshot!(shown(&comparison));
    let short = render(&comparison, Some("report.txt"), &View::default());
    assert!(short.lines().count() <= 59, "{short}");
}

#[test]
fn identical_code() {
    insta::assert_snapshot!(shown(&nothing()));
}

#[test]
fn every_word_of_a_short_report_can_be_explained() {
    let wide = View { width: 10_000, ..View::default() };
    let mut asked = 0;
    for comparison in [one(), instances(), many(), nothing()] {
        let text = render(&comparison, Some("x"), &wide).replace("within ±2 %", "within");
        for note in text
            .lines()
            .filter_map(|line| line.strip_prefix("notes: "))
            .flat_map(|notes| notes.split(", "))
        {
            let label = note.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
            let label = label.strip_prefix("of ").unwrap_or(label);
            let label = label.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
            assert!(explain(label).is_ok(), "{label}");
            asked += 1;
        }
        for row in text.lines().filter(|line| line.starts_with("  ")) {
            let cells: Vec<&str> = row.trim().split("  ").filter(|cell| !cell.is_empty()).collect();
            let verdict = cells.last().unwrap();
            // What failed, and why there is no time, is told behind a word.
            for word in verdict.split(':').next().unwrap().split([',', '(', ')']) {
                let word = word.replace(" of ", " ");
                let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
                assert!(word.is_empty() || explain(word.trim()).is_ok(), "{word} of {row}");
                asked += 1;
            }
        }
        let summary = text.lines().last().unwrap();
        for part in summary.split([';', ':', ',']).filter(|part| !part.contains("explain")) {
            let word = part.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
            let plain = [
                "glossary",
                "of these with a failed check",
                "with identical code",
                "interrupted",
                "",
            ];
            let known =
                plain.contains(&word) || word.starts_with("benchmark") || explain(word).is_ok();
            assert!(known, "{word:?} of {summary}");
        }
    }
    assert!(asked > 70, "{asked}");
    for word in ["in full", "notes", "margin", "α", "seed", "change", "interval", "±"] {
        assert!(explain(word).is_ok(), "{word}");
    }
}
