//! `--format json`: one JSON object a line, for programs.
//! See [`json_results`] for what they are.

use std::collections::BTreeMap;

use super::sentences::failures;
use crate::{
    analysis::{Confidence, speedup::Speedup, summary::Summary},
    record::{MetricRecord, Record},
    results::{
        Agreement, BaselineComparison, Compared, Part, Parts, RealSpeedup, RecordRow, Row,
        RowResult, Time, rows, tables,
    },
    text::json_escaped,
};
use plusminus_worker::{
    exit,
    json::{Entry, ToJson, Writer, encode_object},
};

/// The version of the lines.
pub const JSON_SCHEMA: u32 = 2;

/// Returns the first line, for this number of benchmarks.
pub(crate) fn json_started(count: usize) -> String {
    line(&[
        ("type", Some(&"suite")),
        ("event", Some(&"started")),
        ("test_count", Some(&count)),
        ("schema", Some(&JSON_SCHEMA)),
        ("plusminus", Some(&env!("CARGO_PKG_VERSION"))),
    ])
}

struct Rate<'a> {
    unit: &'a str,
    per_second: f64,
}

#[doc(hidden)]
impl ToJson for Rate<'_> {
    fn write(&self, to: &mut Writer) {
        to.object(&[("unit", Some(&self.unit)), ("per_second", Some(&self.per_second))]);
    }
}

struct Metric<'a> {
    recorded: &'a MetricRecord,
    summary: &'a Summary,
}

#[doc(hidden)]
impl ToJson for Metric<'_> {
    fn write(&self, to: &mut Writer) {
        to.object(&[
            ("name", Some(&self.recorded.name)),
            ("unit", Some(&self.recorded.unit)),
            ("kind", Some(&self.recorded.kind)),
            ("mean", Some(&self.summary.mean)),
            ("u", Some(&self.summary.u)),
        ]);
    }
}

#[doc(hidden)]
impl ToJson for Part {
    fn write(&self, to: &mut Writer) {
        to.object(&[
            ("name", Some(&self.name)),
            ("mean_ns", Some(&self.time.estimate.value)),
            ("u_ns", Some(&self.time.estimate.u)),
            ("entries", Some(&self.entries)),
        ]);
    }
}

/// The phases of a kernel, their sum, and the sum over the whole.
#[doc(hidden)]
impl ToJson for Parts {
    fn write(&self, to: &mut Writer) {
        let over = self.over_whole.as_ref();
        let agreement = match self.agreement {
            Agreement::Agree => "agree",
            Agreement::More => "more",
            Agreement::Less => "less",
            Agreement::Inconclusive => "inconclusive",
        };
        to.object(&[
            ("phases", Some(&self.parts)),
            ("sum_ns", Some(&self.sum.estimate.value)),
            ("sum_u_ns", Some(&self.sum.estimate.u)),
            ("over_whole", Some(&over.map(|over| over.speedup))),
            ("over_whole_sigma", Some(&over.and_then(|over| over.sigma))),
            ("agreement", Some(&agreement)),
            ("cost_ns", Some(&self.cost_ns.map(|cost| cost.value))),
            ("subtracted_ns", Some(&self.subtracted_ns)),
            ("at_once", Some(&self.at_once)),
        ]);
    }
}

/// S ± σ over the baseline variant, or over the stored baseline.
#[doc(hidden)]
impl ToJson for Compared {
    fn write(&self, to: &mut Writer) {
        to.object(&[
            ("value", Some(&self.speedup.speedup)),
            ("sigma", Some(&self.speedup.sigma)),
            ("low_95", Some(&self.interval.map(|interval| interval.low))),
            ("high_95", Some(&self.interval.map(|interval| interval.high))),
            ("verdict", Some(&self.judgement.verdict.id())),
            ("beyond_margin", Some(&self.judgement.beyond_margin)),
        ]);
    }
}

/// A row of a comparison with a program that was kept: S and the change of time, with their interval.
#[doc(hidden)]
impl ToJson for RowResult {
    fn write(&self, to: &mut Writer) {
        let interval = self.judgement.interval;
        let alone = self.judgement.interval_alone;
        let change = self.change_interval();
        to.object(&[
            ("value", Some(&self.speedup)),
            ("sigma", Some(&self.sigma)),
            ("low", Some(&interval.map(|interval| interval.low))),
            ("high", Some(&interval.map(|interval| interval.high))),
            ("low_alone", Some(&alone.map(|interval| interval.low))),
            ("high_alone", Some(&alone.map(|interval| interval.high))),
            ("change", Some(&self.change())),
            ("change_low", Some(&change.map(|(low, _)| low))),
            ("change_high", Some(&change.map(|(_, high)| high))),
            ("verdict", Some(&self.judgement.verdict.id())),
            ("reliable", Some(&self.doubts.is_empty())),
            ("beyond_margin", Some(&self.judgement.beyond_margin)),
            ("margin", Some(&self.margin)),
            ("blocks", Some(&self.blocks.len())),
        ]);
    }
}

/// A speedup without a verdict.
struct Ratio<'a> {
    speedup: &'a Speedup,
    reference: Option<&'a str>,
}

#[doc(hidden)]
impl ToJson for Ratio<'_> {
    fn write(&self, to: &mut Writer) {
        let interval = self.speedup.log_interval(Confidence::P95);
        to.object(&[
            ("value", Some(&self.speedup.speedup)),
            ("sigma", Some(&self.speedup.sigma)),
            ("low_95", Some(&interval.map(|interval| interval.low))),
            ("high_95", Some(&interval.map(|interval| interval.high))),
            ("reference", self.reference.as_ref().map(|reference| reference as &dyn ToJson)),
        ]);
    }
}

/// How measuring or a test ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Finished<'a> {
    /// Benchmarks that were tested, and gave right answers.
    pub(crate) passed: usize,
    /// Benchmarks that failed.
    pub(crate) failed: usize,
    /// Benchmarks that have nothing to run.
    pub(crate) ignored: usize,
    /// Benchmarks that were measured.
    pub(crate) measured: usize,
    /// Benchmarks that the filters have excluded.
    pub(crate) filtered_out: usize,
    /// How long it took.
    pub(crate) seconds: f64,
    /// Where the record is.
    pub(crate) record: Option<&'a str>,
    /// Whether something is slower than its baseline.
    pub(crate) regression: bool,
    /// The signal that ended it early.
    pub(crate) interrupted: Option<i32>,
}

impl Finished<'_> {
    /// The last line.
    pub(crate) fn line(&self) -> String {
        let whole = self.failed == 0 && self.interrupted.is_none();
        line(&[
            ("type", Some(&"suite")),
            ("event", Some(&if whole { "ok" } else { "failed" })),
            ("passed", Some(&self.passed)),
            ("failed", Some(&self.failed)),
            ("allowed_fail", Some(&0_usize)),
            ("ignored", Some(&self.ignored)),
            ("measured", Some(&self.measured)),
            ("filtered_out", Some(&self.filtered_out)),
            ("exec_time", Some(&self.seconds)),
            ("record", Some(&self.record)),
            ("regression", Some(&self.regression)),
            ("interrupted", self.interrupted.as_ref().map(|signal| signal as &dyn ToJson)),
        ])
    }
}

/// Returns the lines of all benchmarks of a record, and the last one, which follow the first line.
///
/// Each line is one JSON object. The lines are those of libtest's own JSON format, with further fields. `schema` in the
/// first line is their version, [`JSON_SCHEMA`]. Fields may be added without a new version. It grows when a field changes
/// its meaning or disappears. Times are in nanoseconds for one call. Unknown values are `null`.
///
/// | line | fields |
/// |---|---|
/// | first | `type` = `suite`, `event` = `started`, `test_count`, `schema`, `plusminus` |
/// | benchmark | `type` = `bench`, `name`, `median` (the time of a call), `deviation` (half of its 95 % interval), `problem`, `point`, `function`, `processors`, `threads`, `runs`, and the fields below |
/// | failed | the same with `type` = `test`, `event` = `failed`, and the reasons in `stdout`; `event` = `ignored` if there is nothing to measure |
/// | last | `type` = `suite`, `event` = `ok` or `failed`, `measured`, `failed`, `filtered_out`, `exec_time`, `record` (its path), `regression`, `interrupted` (the signal that ended it early) |
///
/// | fields of a benchmark | meaning |
/// |---|---|
/// | `mean_ns`, `u_ns`, `degrees_of_freedom` | the time and its standard uncertainty |
/// | `low_95_ns`, `high_95_ns` | the 95 % interval of the time |
/// | `widened` | the factor in `u_ns` for runs that resemble their neighbors |
/// | `spread_ns` | the standard deviation between samples |
/// | `rate` | `unit`, `per_second` |
/// | `metrics` | `name`, `unit`, `kind`, `mean`, `u` |
/// | `parts` | `phases` (`name`, `mean_ns`, `u_ns`, `entries` per call), `sum_ns`, `sum_u_ns`, `over_whole`, `over_whole_sigma`, `agreement` (`agree`, `more`, `less`, `inconclusive`), `cost_ns` (how much longer timing makes a call), `subtracted_ns`, `at_once` |
/// | `speedup`, `stored` | over the baseline variant, over a stored record: `value`, `sigma`, `low_95`, `high_95`, `verdict`, `beyond_margin` |
/// | `paired` | over the program of a baseline, measured in turns: `value`, `sigma`, `low`, `high`, `low_alone`, `high_alone` (without the correction for several benchmarks), `change` (new/base − 1), `change_low`, `change_high`, `verdict`, `reliable`, `beyond_margin`, `margin`, `blocks` |
/// | `real` | over the fastest sequential variant at the point: `value`, `sigma`, `low_95`, `high_95`, `reference` (its name) |
/// | `relative` | over the same variant on one processor: `value`, `sigma`, `low_95`, `high_95` |
pub fn json_results(
    record: &Record,
    filtered_out: usize,
    path: Option<&str>,
    baseline: Option<&BaselineComparison>,
) -> String {
    let tables = tables(record);
    let mut text = String::new();
    let (mut failed, mut nothing) = (0, 0);
    let stored: &[RecordRow] = match baseline {
        Some(BaselineComparison::Record(found)) => &found.rows,
        _ => &[],
    };
    let stored: BTreeMap<&str, &Compared> =
        stored.iter().map(|row| (row.name.as_str(), &row.compared)).collect();
    for row in rows(&tables) {
        failed += usize::from(row.case.has_failed());
        nothing += usize::from(row.case.has_nothing());
        let stored = stored.get(row.case.name.as_str()).copied();
        let program = baseline.and_then(|baseline| baseline.program_row(&row.case.name));
        text.push_str(&bench_line(row, stored, program));
    }
    let measured = record.cases.len() - failed - nothing;
    let finished = Finished {
        failed,
        ignored: nothing,
        measured,
        filtered_out,
        seconds: record.manifest.seconds.unwrap_or(0.0),
        record: path,
        regression: baseline.is_some_and(|baseline| baseline.exit_code() == exit::REGRESSION),
        interrupted: record.interrupted.or(baseline.and_then(BaselineComparison::interrupted)),
        ..Finished::default()
    };
    text.push_str(&finished.line());
    text
}

fn bench_line(row: &Row<'_>, record: Option<&Compared>, program: Option<&RowResult>) -> String {
    let case = row.case;
    let event = match (case.failures.is_empty(), case.has_failed()) {
        (true, _) => None,
        (false, true) => Some("failed"),
        (false, false) => Some("ignored"),
    };
    let time = row.time.as_ref();
    let median = time.map(|time| time.estimate.value);
    let deviation = time.map(|time| time.half_width().unwrap_or(0.0));
    let interval = time.and_then(Time::interval);
    let reasons = event.map(|_| failures(case).join("\n"));
    let rate = row.rate.as_ref().map(|(unit, per_second)| Rate { unit, per_second: *per_second });
    let metrics: Vec<Metric<'_>> = case
        .metrics
        .iter()
        .zip(&row.metrics)
        .map(|(recorded, summary)| Metric { recorded, summary })
        .collect();
    let real = row.real.as_ref().map(|RealSpeedup { speedup, reference, .. }| Ratio {
        speedup,
        reference: Some(reference),
    });
    let relative = row.relative.as_ref().map(|speedup| Ratio { speedup, reference: None });
    line(&[
        // A failure is an event of a test for libtest, which has no failing benchmarks.
        ("type", Some(&if event.is_some() { "test" } else { "bench" })),
        ("name", Some(&case.name)),
        // libtest's names for the time of a call, and for the half width of what it believes: here of the 95 % interval.
        ("median", median.as_ref().map(|time| time as &dyn ToJson)),
        ("deviation", deviation.as_ref().map(|time| time as &dyn ToJson)),
        ("event", event.as_ref().map(|event| event as &dyn ToJson)),
        ("stdout", reasons.as_ref().map(|reasons| reasons as &dyn ToJson)),
        ("problem", Some(&case.problem)),
        ("point", Some(&case.point)),
        ("function", Some(&case.function)),
        ("processors", Some(&case.processors)),
        ("threads", Some(&case.threads)),
        ("runs", Some(&row.runs.len())),
        ("mean_ns", Some(&median)),
        ("u_ns", Some(&time.and_then(|time| time.estimate.u))),
        ("degrees_of_freedom", Some(&time.and_then(|time| time.estimate.degrees_of_freedom))),
        ("low_95_ns", Some(&interval.map(|interval| interval.low))),
        ("high_95_ns", Some(&interval.map(|interval| interval.high))),
        ("widened", Some(&row.widened)),
        ("spread_ns", Some(&row.spread)),
        ("rate", Some(&rate)),
        ("metrics", Some(&metrics)),
        ("parts", Some(&row.parts.as_ref())),
        ("speedup", Some(&row.speedup.as_ref())),
        ("real", Some(&real)),
        ("relative", Some(&relative)),
        ("stored", Some(&record)),
        ("paired", Some(&program)),
    ])
}

/// Returns libtest's line about one benchmark, for a test or a listing.
pub(crate) fn json_test(kind: &str, event: &str, name: &str, stdout: Option<&str>) -> String {
    line(&[
        ("type", Some(&kind)),
        ("event", Some(&event)),
        ("name", Some(&name)),
        ("stdout", stdout.as_ref().map(|stdout| stdout as &dyn ToJson)),
    ])
}

fn line(fields: &[Entry<'_>]) -> String {
    let mut line = json_escaped(&String::from_utf8_lossy(&encode_object(fields)));
    line.push('\n');
    line
}
