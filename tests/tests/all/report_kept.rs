//! Properties of reports at every width, for every record in this repository and for random ones.

use std::{fs, path::Path};

use plusminus::{
    analysis::random::Random,
    record::{AnyRecord, Record, read_any},
    report::{View, render},
};

use plusminus_tests::workspace;

use super::report_shapes::{assert_narrow, problem};

const WIDTHS: [usize; 5] = [40, 60, 80, 100, 140];

const PATH: &str = "target/plusminus/a_bench_target/records/2026-01-31T123456Z-0123456789.json";

/// Adds the records of measurements below a folder.
fn collect(folder: &Path, found: &mut Vec<(String, Record)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "json")
            && let Ok(AnyRecord::Measurement(record)) = read_any(&path)
        {
            found.push((path.display().to_string(), *record));
        }
    }
}

/// Returns a text without its line breaks and indentation.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Recomputes the verdict of a line from its printed interval, if both are there. Returns the words of the verdict.
fn checked_verdict(line: &str, margin: f64) -> Option<String> {
    let (before, after) = line.split_once(']')?;
    let (low, high) = before.rsplit_once('[')?.1.split_once(", ")?;
    let (low, high): (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
    let words = after.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let verdict = words.split("  ").next()?.trim_end();
    let below = 1.0 / (1.0 + margin);
    let recomputed = match () {
        () if low > below && high < 1.0 + margin => "within",
        () if high < below => "slower",
        () if high < 1.0 => "slower, may be",
        () if low > 1.0 + margin => "faster",
        () if low > 1.0 => "faster, may be",
        () => "inconclusive",
    };
    // A failed check of the samples withholds a verdict, and marks the row.
    let is_withheld = verdict == "inconclusive" && before.contains(" ! ");
    let is_same = verdict.starts_with(recomputed)
        && verdict.contains("may be") == recomputed.contains("may be");
    assert!(is_same || is_withheld, "{recomputed}: {line}");
    Some(recomputed.to_owned())
}

/// Checks the report of a record at every width.
fn check(name: &str, record: &Record) {
    for columns in WIDTHS {
        for verbose in [false, true] {
            let view = View { width: columns, verbose, ..View::default() };
            let report = render(record, None, Some(PATH), &view);
            assert_narrow(&report, columns);
            assert!(report.contains(PATH), "{name} at {columns}: a path is whole");
            for failure in record.cases.iter().flat_map(|case| &case.failures) {
                let cause = joined(&failure.cause.to_string());
                assert!(joined(&report).contains(&cause), "{name} at {columns}: {cause}");
            }
            if verbose {
                continue;
            }
            report.lines().for_each(|line| {
                checked_verdict(line, record.settings.margin);
            });
            let (all, counts) = counted(&report);
            assert_eq!(all, record.cases.len(), "{name} at {columns}: {report}");
            assert!(counts.is_none_or(|counts| counts == all), "{name} at {columns}: {report}");
            let mut names = names(&report);
            names.sort();
            names.dedup();
            assert_eq!(names.len(), record.cases.len(), "{name} at {columns}: {report}");
        }
    }
}

/// Returns the names of the rows of a report, after the heading of their group. A heading may need several lines.
fn names(report: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut heading = String::new();
    for line in report.lines() {
        let is_end = line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" benchmark");
        if is_end || line.starts_with("warning: ") || line.starts_with("error: ") {
            break;
        }
        let words = line.trim();
        let is_row = line.starts_with("  ") && !line.starts_with("   ");
        // A drawing also has such dots, but its row has columns.
        if words.contains(" · ") && is_row && !words.contains("  ") {
            heading += words;
        } else if is_row {
            names.push(format!("{heading} {}", words.split("  ").next().unwrap()));
        } else if !line.starts_with(' ') && !words.is_empty() {
            heading = words.to_owned();
        }
    }
    names
}

/// Returns the number of benchmarks in the summary, and the sum of its counts.
fn counted(report: &str) -> (usize, Option<usize>) {
    let text = joined(report);
    let text = text.split(" Details:").next().unwrap();
    let at = text.rfind(" benchmark").unwrap();
    let number = |text: &str| text.split_whitespace().next().unwrap().parse::<usize>().unwrap();
    let all = text[..at].split_whitespace().next_back().unwrap().parse().unwrap();
    let counts = text[at..].split_once(": ").map(|(_, counts)| {
        // `slower, may be < 2 %` has a comma of its own.
        let parts =
            counts.split(", ").filter(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        parts.map(number).sum()
    });
    (all, counts)
}

#[test]
fn every_kept_record_has_a_sound_report() {
    let mut records = Vec::new();
    for folder in ["tests", "fuzz/seeds", "docs", "lab", "suite", "papers"] {
        collect(&workspace().join(folder), &mut records);
    }
    assert!(records.len() >= 8, "{}", records.len());
    for (name, record) in &records {
        check(name, record);
    }
}

#[test]
fn the_printed_speedup_and_margin_give_the_printed_verdict() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let spread = [0.001, 0.004, 0.06][seed as usize % 3];
        let mut record = problem();
        for case in &mut record.cases {
            let change = 0.94 + 0.12 * random.uniform();
            for (run, cell) in case.measurements.iter_mut().enumerate() {
                let factor = change * (1.0 + spread * (random.uniform() - 0.5));
                let ns = (1e6 * factor) as u64;
                cell.wall_ns = (0..10).map(|sample| ns + sample + run as u64).collect();
            }
        }
        check(&format!("seed {seed}"), &record);
        let wide = View { width: 140, ..View::default() };
        let report = render(&record, None, None, &wide);
        seen.extend(report.lines().filter_map(|line| checked_verdict(line, 0.02)));
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}
