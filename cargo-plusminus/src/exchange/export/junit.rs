//! Verdicts and failures as the results of tests, which build servers show.

use plusminus::{
    record::{ComparisonRecord, Record},
    report::case_failure,
    results::{CaseResult, RowResult, tables},
    text::{sentence, visible},
};
use plusminus_analysis::verdict::Verdict;

use crate::report;

/// One test.
struct Test {
    class: String,
    name: String,
    seconds: Option<f64>,
    outcome: Outcome,
}

enum Outcome {
    Passed,
    /// Slower, and why.
    Failed(String),
    /// Nothing could be measured.
    Broken(String),
    /// Not decided.
    Skipped(String),
}

/// Of a measurement: what failed is an error, and what is slower than its baseline variant is not.
pub(super) fn of_record(record: &Record) -> String {
    let mut tests = Vec::new();
    for table in &tables(record) {
        for row in &table.rows {
            let outcome = match (row.case.failures.first(), &row.time) {
                (Some(failure), _) if row.case.has_nothing() => {
                    Outcome::Skipped(failure.cause.to_string())
                }
                (Some(failure), _) => Outcome::Broken(failure.cause.to_string()),
                (None, None) => {
                    Outcome::Skipped("not measured, or too short for the clock".to_owned())
                }
                (None, Some(_)) => Outcome::Passed,
            };
            tests.push(Test {
                class: row.case.problem.clone().unwrap_or_else(|| row.case.function.clone()),
                name: row.case.name.clone(),
                seconds: row.estimate().map(|estimate| estimate.value / 1e9),
                outcome,
            });
        }
    }
    suite(&record.manifest.bench, &tests)
}

/// Of a comparison: slower is a failure, undecided is skipped.
pub(super) fn of_comparison(record: &ComparisonRecord) -> String {
    let comparison = report::of_record(record);
    let mut tests = Vec::new();
    for case in &comparison.outcome.cases {
        if let Some(failure) = case_failure(case) {
            tests.push(Test {
                class: case.name.clone(),
                name: case.name.clone(),
                seconds: None,
                outcome: if case.has_failed() {
                    Outcome::Broken(failure)
                } else {
                    Outcome::Skipped(failure)
                },
            });
        }
        tests.extend(case.rows.iter().map(|row| test(case, row, &comparison)));
    }
    suite(&format!("{} → {}", record.base.name, record.new.name), &tests)
}

fn test(case: &CaseResult, row: &RowResult, comparison: &report::Comparison) -> Test {
    let cells = report::table::cells(case, row, comparison);
    let said = format!("{}: change {}, interval {}", cells[7], cells[3], cells[4]);
    Test {
        class: case.name.clone(),
        name: cells[0].clone(),
        seconds: row.times.as_ref().map(|[_, new]| new.estimate.value / 1e9),
        outcome: match row.judgement.verdict {
            Verdict::Slower => Outcome::Failed(said),
            Verdict::Undecided => Outcome::Skipped(said),
            Verdict::Faster | Verdict::Same => Outcome::Passed,
        },
    }
}

fn suite(name: &str, tests: &[Test]) -> String {
    let count = |wanted: fn(&Outcome) -> bool| tests.iter().filter(|t| wanted(&t.outcome)).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" \
         skipped=\"{}\">\n",
        in_xml(&visible(name)),
        tests.len(),
        count(|outcome| matches!(outcome, Outcome::Failed(_))),
        count(|outcome| matches!(outcome, Outcome::Broken(_))),
        count(|outcome| matches!(outcome, Outcome::Skipped(_))),
    );
    for test in tests {
        let time = test.seconds.map_or(String::new(), |seconds| format!(" time=\"{seconds}\""));
        text.push_str(&format!(
            "<testcase classname=\"{}\" name=\"{}\"{time}>",
            in_xml(&visible(&test.class)),
            in_xml(&visible(&test.name))
        ));
        let element =
            |name: &str, said: &str| format!("<{name} message=\"{}\"/>", in_xml(&sentence(said)));
        match &test.outcome {
            Outcome::Passed => {}
            Outcome::Failed(said) => text.push_str(&element("failure", said)),
            Outcome::Broken(said) => text.push_str(&element("error", said)),
            Outcome::Skipped(said) => text.push_str(&element("skipped", said)),
        }
        text.push_str("</testcase>\n");
    }
    text.push_str("</testsuite>\n</testsuites>\n");
    text
}

/// Text of an attribute. What XML does not allow at all was escaped before.
fn in_xml(text: &str) -> String {
    let replaced =
        [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match replaced.iter().find(|(special, _)| *special == letter) {
            Some((_, entity)) => escaped.push_str(entity),
            None if matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            None => escaped.push(letter),
        }
    }
    escaped
}
