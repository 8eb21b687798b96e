//! `--format json`: one JSON object a line, for programs.
//! See [`json_results`] for what they are.

use serde::Serialize;

use super::{Compared, Row, StoredComparison, results::tables, sentences::failures};
use crate::{
    analysis::{Confidence, verdict::sequence_factor},
    record::Record,
};

/// The version of the lines.
pub const JSON_SCHEMA: u32 = 1;

/// The first line.
#[derive(Serialize)]
struct Started {
    #[serde(rename = "type")]
    kind: &'static str,
    event: &'static str,
    test_count: usize,
    schema: u32,
    plusminus: &'static str,
}

/// The first line, for so many benchmarks.
pub fn json_started(count: usize) -> String {
    line(&Started {
        kind: "suite",
        event: "started",
        test_count: count,
        schema: JSON_SCHEMA,
        plusminus: env!("CARGO_PKG_VERSION"),
    })
}

/// A benchmark that was measured, or that failed.
#[derive(Serialize)]
struct Bench<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    /// libtest's name for the time of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    median: Option<f64>,
    /// libtest's name for the half width of what it believes; here of the 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<String>,
    problem: Option<&'a str>,
    point: &'a str,
    function: &'a str,
    processors: usize,
    threads: usize,
    runs: usize,
    mean_ns: Option<f64>,
    u_ns: Option<f64>,
    spread_ns: Option<f64>,
    rate: Option<Rate<'a>>,
    metrics: Vec<Metric<'a>>,
    speedup: Option<Speedup>,
    stored: Option<Speedup>,
}

#[derive(Serialize)]
struct Rate<'a> {
    unit: &'a str,
    per_second: f64,
}

#[derive(Serialize)]
struct Metric<'a> {
    name: &'a str,
    unit: &'a str,
    kind: crate::MetricKind,
    mean: f64,
    u: Option<f64>,
}

/// S ± σ over the baseline variant, or over the stored baseline.
#[derive(Serialize)]
struct Speedup {
    value: f64,
    sigma: Option<f64>,
    low_95: Option<f64>,
    high_95: Option<f64>,
    verdict: &'static str,
    beyond_margin: bool,
}

impl Speedup {
    fn of(compared: &Compared) -> Self {
        Self {
            value: compared.speedup.speedup,
            sigma: compared.speedup.sigma,
            low_95: compared.interval.map(|interval| interval.low),
            high_95: compared.interval.map(|interval| interval.high),
            verdict: compared.judgement.verdict.label(),
            beyond_margin: compared.judgement.beyond_margin,
        }
    }
}

/// The last line.
#[derive(Serialize)]
struct Finished<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    event: &'static str,
    passed: usize,
    failed: usize,
    allowed_fail: usize,
    ignored: usize,
    measured: usize,
    filtered_out: usize,
    exec_time: f64,
    record: Option<&'a str>,
    regression: bool,
}

/// Half the width of the 95 % interval of a row's time.
pub(super) fn half_width(row: &Row<'_>) -> Option<f64> {
    let estimate = row.estimate?;
    if row.case.until_decided {
        // How many runs there are was decided by what they showed.
        return Some(estimate.u? * sequence_factor(row.runs.len(), 0.05, 1.0)?);
    }
    Some(estimate.u? * Confidence::P95.factor(estimate.degrees_of_freedom))
}

/// The lines of all benchmarks of a record, and the last one: what `--format json` prints after [`json_started`].
///
/// One JSON object a line. They are those of libtest's own JSON format, so that what reads that reads this, with fields
/// of ours. `schema` in the first line is their version, [`JSON_SCHEMA`]: fields may be added to it; when one changes its
/// meaning or disappears, the number goes up. Times are in nanoseconds for one call; what is not known is `null`.
///
/// | line | fields |
/// |---|---|
/// | first | `type` = `suite`, `event` = `started`, `test_count`, `schema`, `plusminus` |
/// | a benchmark | `type` = `bench`, `name`, `median` (the time of a call), `deviation` (half of its 95 % interval), `problem`, `point`, `function`, `processors`, `threads`, `runs`, `mean_ns`, `u_ns`, `spread_ns`, `rate` {`unit`, `per_second`}, `metrics` [{`name`, `unit`, `kind`, `mean`, `u`}], `speedup` over the baseline variant and `stored` over the stored baseline {`value`, `sigma`, `low_95`, `high_95`, `verdict`, `beyond_margin`} |
/// | a failed one | the same with `type` = `test`, `event` = `failed`, and the reasons in `stdout` |
/// | last | `type` = `suite`, `event` = `ok` or `failed`, `measured`, `failed`, `filtered_out`, `exec_time`, `record` (its path), `regression` |
pub fn json_results(
    record: &Record,
    filtered_out: usize,
    path: Option<&str>,
    stored: Option<&StoredComparison>,
) -> String {
    let tables = tables(record);
    let mut text = String::new();
    let mut failed = 0;
    for row in tables.iter().flat_map(|table| &table.rows) {
        let has_failed = !row.case.failures.is_empty();
        failed += usize::from(has_failed);
        let then =
            stored.and_then(|stored| stored.rows.iter().find(|then| then.name == row.case.name));
        text.push_str(&line(&Bench {
            // A failure is an event of a test for libtest, which has no failing benchmarks.
            kind: if has_failed { "test" } else { "bench" },
            name: &row.case.name,
            median: row.time.as_ref().map(|time| time.mean),
            deviation: row.time.as_ref().map(|_| half_width(row).unwrap_or(0.0)),
            event: has_failed.then_some("failed"),
            stdout: has_failed.then(|| failures(row.case).join("\n")),
            problem: row.case.problem.as_deref(),
            point: &row.case.point,
            function: &row.case.function,
            processors: row.case.processors,
            threads: row.case.threads,
            runs: row.runs.len(),
            mean_ns: row.time.as_ref().map(|time| time.mean),
            u_ns: row.time.as_ref().and_then(|time| time.u),
            spread_ns: row.spread,
            rate: row
                .rate
                .as_ref()
                .map(|(unit, per_second)| Rate { unit, per_second: *per_second }),
            metrics: row
                .case
                .metrics
                .iter()
                .zip(&row.metrics)
                .map(|(metric, summary)| Metric {
                    name: &metric.name,
                    unit: &metric.unit,
                    kind: metric.kind,
                    mean: summary.mean,
                    u: summary.u,
                })
                .collect(),
            speedup: row.speedup.as_ref().map(Speedup::of),
            stored: then.map(|then| Speedup::of(&then.compared)),
        }));
    }
    let measured = record.cases.len() - failed;
    text.push_str(&line(&Finished {
        kind: "suite",
        event: if failed == 0 { "ok" } else { "failed" },
        passed: 0,
        failed,
        allowed_fail: 0,
        ignored: 0,
        measured,
        filtered_out,
        exec_time: record.manifest.seconds.unwrap_or(0.0),
        record: path,
        regression: stored.is_some_and(StoredComparison::has_regression),
    }));
    text
}

/// What a test, or a listing, says of one benchmark: libtest's line.
pub fn json_test(kind: &str, event: &str, name: &str, stdout: Option<&str>) -> String {
    #[derive(Serialize)]
    struct Test<'a> {
        #[serde(rename = "type")]
        kind: &'a str,
        event: &'a str,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        stdout: Option<&'a str>,
    }
    line(&Test { kind, event, name, stdout })
}

/// The last line of a test run.
pub fn json_tested(passed: usize, failed: usize, filtered_out: usize, seconds: f64) -> String {
    line(&Finished {
        kind: "suite",
        event: if failed == 0 { "ok" } else { "failed" },
        passed,
        failed,
        allowed_fail: 0,
        ignored: 0,
        measured: 0,
        filtered_out,
        exec_time: seconds,
        record: None,
        regression: false,
    })
}

fn line(value: &impl Serialize) -> String {
    // Only maps with keys that are no texts, and numbers that JSON has not, could fail; there are none.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
