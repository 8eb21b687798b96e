//! The shape of reports on comparisons: fixed records at every width, in colors or not, in Unicode or ASCII.

use std::path::Path;

use plusminus::{
    exit,
    record::{
        AnyRecord, Built, ComparisonRecord, Dependency, LockFile, LockFiles, OutsideCrates,
        SkippedTarget, read_any,
    },
    report::explain,
    results::{CaseFailure, WorkChange},
    text::{Style, View, width},
};
use plusminus_analysis::verdict::{Doubt, Verdict};
use plusminus_same_code::Code;

use super::{CodeOf, Codes, Comparison, kept_record, of_record, table::render};

/// A record without names that only one side has.
fn plain() -> ComparisonRecord {
    let mut record = kept_record();
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
    let mut record = kept_record();
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
        unlisted: 0,
        only_set_up: true,
        sizes: Vec::new(),
    };
    let set_up = CodeOf { name: cases[14].name.clone(), code: set_up };
    comparison.checked = 1;
    comparison.codes = Codes { all_measured: true, cases: vec![unknown, unchanged, set_up] };
    // Where the codes are known, they say it.
    comparison.names.identical_code.clear();
    let lock = |own| LockFile { origin: "the working tree's".to_owned(), adjusted: false, own };
    comparison.built = Built {
        locks: Some(LockFiles { base: lock(false), new: lock(true) }),
        dependencies: vec![Dependency {
            name: "itoa".to_owned(),
            base: vec!["0.4.8".to_owned()],
            new: vec!["1.0.1".to_owned()],
        }],
        outside: vec![OutsideCrates {
            folder: "/w/other".to_owned(),
            crates: vec!["helper".to_owned()],
            in_git: false,
            commit: None,
            dirty: false,
            edited: None,
        }],
        left_out: vec![SkippedTarget {
            target: "big".to_owned(),
            why: "needs a feature".to_owned(),
        }],
        one_layout: vec![SkippedTarget { target: "small".to_owned(), why: "no lld".to_owned() }],
        profile_file: Some("Cargo.toml".to_owned()),
        ..Built::default()
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

/// Widths at which reports are looked at.
const WIDTHS: [usize; 7] = [20, 33, 40, 60, 80, 100, 140];

/// Whether a line is one of an entry for a file, which is not broken.
fn is_of_entry(line: &str) -> bool {
    ["benchmark = \"", "up_to = \"", "reason = \""]
        .iter()
        .any(|key| line.trim_start().starts_with(key))
}

/// Shows a comparison in every way. Panics where a line is too wide, or colors change anything but colors.
fn shown(comparison: &Comparison) -> String {
    let mut all = String::new();
    for columns in WIDTHS {
        for (unicode, verbose) in [(true, false), (true, true), (false, false), (false, true)] {
            let view = View { width: columns, unicode, verbose, ..View::default() };
            // A pipe gets the same as a terminal without colors: nothing but the view is known of either.
            let plain = render(comparison, Some(REPORT), &view);
            for line in plain.lines() {
                let is_word = line.split_whitespace().count() == 1
                    || line.ends_with(REPORT)
                    || line.trim_start().starts_with("`cargo ")
                    || is_of_entry(line);
                assert!(width(line) <= columns || is_word, "{} of {columns}: {line}", width(line));
                assert!(unicode || line.is_ascii(), "{line}");
            }
            let view = View { style: Style::Coloured, ..view };
            let coloured = render(comparison, Some(REPORT), &view);
            assert_eq!(without_colours(&coloured), plain, "color is never the only sign");
            let kept = columns >= 40 && !verbose && (unicode || columns == 80)
                || columns == 80 && verbose && unicode && comparison.outcome.cases.len() < 5;
            if kept {
                let letters = if unicode { "Unicode" } else { "ASCII" };
                let detail = if verbose { ", -v" } else { "" };
                all.push_str(&format!("--- {columns} columns, {letters}{detail}\n{plain}"));
            }
            if kept && columns == 80 && unicode && !verbose {
                let marked = coloured.replace('\u{1b}', "␛");
                all.push_str(&format!("--- 80 columns, in colors\n{marked}"));
            }
        }
    }
    all
}

const REPORT: &str = "target/plusminus/compare/report.txt";

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
    assert_eq!(short.matches("warning: ").count(), 3, "{short}");
    assert!(short.contains("and 16 more: "), "{short}");
    // The whole message of a failure, however long it is.
    assert_eq!(short.matches("len").count(), 40, "{short}");
}

#[test]
fn a_gate_that_failed() {
    let mut comparison = instances();
    comparison.summary.exit_code = exit::REGRESSION;
    insta::assert_snapshot!(shown(&comparison));
    let text = render(&comparison, None, &View::default());
    assert!(text.contains("To reproduce: `cargo plusminus compare main parse`\n"), "{text}");
    assert!(text.contains("  [[accept]]\n  benchmark = \"parse\"\n  up_to = \"6 %\"\n"), "{text}");
    comparison.base.name = "merge base of main and HEAD".to_owned();
    let text = render(&comparison, None, &View::default());
    assert!(text.contains("`cargo plusminus compare 0123456789ab parse`\n"), "{text}");
}

#[test]
fn an_exit_code_has_a_reason_and_is_that_of_the_process() {
    let mut comparison = one();
    for row in comparison.outcome.cases.iter_mut().flat_map(|case| &mut case.rows) {
        row.judgement.verdict = Verdict::Inconclusive;
    }
    comparison.summary.exit_code = 1;
    let said = crate::report::errors(&comparison).join("\n");
    assert!(said.contains("inconclusive, and `--fail-on` fails on that"), "{said}");
    let text = shown(&comparison);
    assert!(text.contains("exit code 1 (0 no regression, 1 inconclusive,"), "{text}");
    comparison.summary.exit_code = 3;
    comparison.summary.is_bisecting = true;
    let text = shown(&comparison);
    assert!(text.contains("exit code 125 (0 good, 1 bad, 125 unknown)"), "{text}");
}

#[test]
fn a_machine_that_is_too_noisy() {
    let mut comparison = instances();
    let noisy = Doubt::ControlDiffers { verdict: Verdict::Slower };
    for row in comparison.outcome.cases.iter_mut().flat_map(|case| &mut case.rows) {
        row.doubts.insert(0, noisy);
    }
    comparison.summary.exit_code = exit::UNRELIABLE;
    insta::assert_snapshot!(shown(&comparison));
}

#[test]
fn a_comment_begins_with_what_matters() {
    let mut comparison = instances();
    comparison.summary.exit_code = exit::REGRESSION;
    insta::assert_snapshot!(super::markdown::render(&comparison));
}

#[test]
fn identical_code() {
    insta::assert_snapshot!(shown(&nothing()));
}

/// The names of the rows of a report, and its last words.
fn names_and_verdicts(comparison: &Comparison, view: &View) -> Vec<(String, String)> {
    let wide = View { width: 10_000, ..*view };
    let text = render(comparison, Some("x"), &wide);
    let rows = text.lines().take_while(|line| !line.starts_with("error: ")).skip(1);
    let rows = rows.filter(|line| line.starts_with("  ") && !line.trim_start().starts_with("base"));
    let parts = rows.map(|row| {
        let mut cells = row.trim().split("  ").filter(|cell| !cell.is_empty());
        let name = cells.next().unwrap().to_owned();
        (name, cells.last().unwrap_or_default().trim().to_owned())
    });
    parts.collect()
}

#[test]
fn every_word_of_a_short_report_can_be_explained() {
    let mut asked = 0;
    for comparison in [one(), instances(), many(), nothing()] {
        let labels: Vec<String> =
            super::noticed::all(&comparison).iter().map(|one| one.warning(9, &[]).label).collect();
        let verdicts = names_and_verdicts(&comparison, &View::default());
        let words = verdicts.iter().map(|(_, verdict)| verdict.replace("may be < 2 %", ""));
        for label in labels.into_iter().chain(words) {
            for word in label.split([',', '(', ')', ':']).map(str::trim) {
                let known =
                    word.is_empty() || explain(word).is_ok() || word == "contradictory blocks";
                assert!(known, "{word} of {label}");
                asked += 1;
            }
        }
    }
    assert!(asked > 70, "{asked}");
}

/// The number of benchmarks that a summary names, and the sum of its counts.
fn counted(comparison: &Comparison) -> (usize, usize) {
    let text = render(comparison, None, &View { width: 10_000, ..View::default() });
    let summary = text.lines().rev().find(|line| line.contains(" (measured in ")).unwrap();
    let (all, counts) = summary.split_once(": ").unwrap();
    let count = super::sentences::benchmarks(comparison).to_string();
    let all = if all.starts_with("nothing decided") { &count } else { all };
    let counts = counts.split(" (measured").next().unwrap().replace("interrupted; ", "");
    let number = |text: &str| -> usize { text.split_whitespace().next().unwrap().parse().unwrap() };
    // Words may have a comma of their own.
    let parts = counts.split(", ").filter(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    (number(all), parts.map(number).sum())
}

#[test]
fn counts_add_up_to_the_benchmarks() {
    for comparison in [one(), instances(), many()] {
        let (all, sum) = counted(&comparison);
        assert_eq!(all, sum);
        assert!(all >= comparison.outcome.cases.len() - 1, "{all}");
    }
}

/// The stored comparison with every time of the new side changed by a seeded factor and noise.
fn changed(seed: u64) -> Comparison {
    let mut random = plusminus_analysis::random::Random::new(seed);
    let mut record = plain();
    let spread = [0.001, 0.004, 0.06][seed as usize % 3];
    for case in &mut record.cases {
        let change = 0.05 * random.uniform() - 0.02;
        for block in &mut case.blocks {
            let factor = 1.0 + change + spread * (random.uniform() - 0.5);
            block.new.wall_ns.iter_mut().for_each(|ns| *ns = (*ns as f64 * factor) as u64);
            block.new.cpu_ns = block.new.wall_ns.clone();
        }
    }
    of_record(&record)
}

/// Recomputes each printed verdict from its printed interval and a margin of 2 %. Returns the verdicts.
fn checked_verdicts(comparison: &Comparison) -> Vec<String> {
    let mut verdicts = Vec::new();
    let view = View { width: 140, ..View::default() };
    for line in render(comparison, None, &view).lines() {
        let Some((before, rest)) = line.split_once("] %") else { continue };
        let Some((_, ends)) = before.rsplit_once(" [") else { continue };
        let Some((low, high)) = ends.split_once(", ") else { continue };
        let number = |text: &str| text.replace('−', "-").parse::<f64>().unwrap() / 100.0;
        let (low, high) = (number(low), number(high));
        let letters = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let verdict = letters.split(", 1 of").next().unwrap();
        let margin = 0.02;
        let recomputed = match () {
            () if high < margin && low > 1.0 / (1.0 + margin) - 1.0 => "within ±2 %",
            () if low > margin => "slower",
            () if low > 0.0 => "slower, may be < 2 %",
            () if high < 1.0 / (1.0 + margin) - 1.0 => "faster",
            () if high < 0.0 => "faster, may be < 2 %",
            () => "inconclusive",
        };
        // A check that failed takes a verdict back, and the control limits all.
        if !verdict.contains("check failed") && !verdict.contains("too noisy") {
            assert_eq!(verdict, recomputed, "{line}");
        }
        verdicts.push(verdict.to_owned());
    }
    verdicts
}

#[test]
fn every_kept_comparison_has_a_sound_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = 0;
    for folder in ["tests/records", "tests/records/tutorial", "fuzz/seeds/comment"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(AnyRecord::Comparison(record)) = read_any(&path) else { continue };
            found += 1;
            let comparison = of_record(&record);
            shown(&comparison);
            checked_verdicts(&comparison);
            let (all, sum) = counted(&comparison);
            assert_eq!(all, sum, "{}", path.display());
            let rows = names_and_verdicts(&comparison, &View::default());
            let names: std::collections::BTreeSet<_> = rows.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), rows.len(), "{}: {rows:?}", path.display());
        }
    }
    assert!(found >= 4, "{found}");
}

#[test]
fn the_printed_interval_and_margin_give_the_printed_verdict() {
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..200 {
        let comparison = changed(seed);
        let (all, sum) = counted(&comparison);
        assert_eq!(all, sum, "seed {seed}");
        for verdict in checked_verdicts(&comparison) {
            *seen.entry(verdict).or_default() += 1;
        }
    }
    for word in ["slower", "faster", "within ±2 %", "slower, may be < 2 %", "inconclusive"] {
        assert!(seen.get(word).is_some_and(|count| *count > 3), "{word}: {seen:?}");
    }
}
