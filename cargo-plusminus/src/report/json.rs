//! The report for programs. The schema has a number, which grows when a field changes its meaning.

use plusminus::{
    report::{case_failure, row_remarks},
    results::{Block, CaseResult, RowResult, Time, WorkChange},
    text::json_escaped,
};
use serde::Serialize;

use super::{Built, Comparison, Identity, code, sentences};

/// The version of the format.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    /// The version that wrote it, by which the file is recognized.
    plusminus: &'static str,
    base: Side<'a>,
    new: Side<'a>,
    exit_code: i32,
    headline: String,
    scope: String,
    margin: f64,
    alpha: f64,
    seed: u64,
    layouts: u32,
    /// What was done about layouts; null if the programs were there.
    layout: Option<&'static str>,
    /// Benchmarks that run identical machine code.
    unchanged: usize,
    /// Those of them whose measured time contradicts it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    contradicted: &'a [String],
    verdicts: usize,
    out_of_time: bool,
    measuring_seconds: f64,
    pilot_seconds: f64,
    window_seconds: f64,
    preparing_seconds: f64,
    control: Option<Case<'a>>,
    benchmarks: Vec<Case<'a>>,
    added: &'a [String],
    removed: &'a [String],
    renamed: &'a [(String, String)],
    built: &'a Built,
    /// The signal that ended measuring early.
    interrupted: Option<i32>,
}

#[derive(Serialize)]
struct Side<'a> {
    name: &'a str,
    commit: Option<&'a str>,
    dirty: bool,
}

#[derive(Serialize)]
struct Case<'a> {
    name: &'a str,
    failure: Option<String>,
    /// Null for the control.
    code: Option<code::CodeForm<'a>>,
    /// None where identical code was not measured.
    rows: Vec<Row<'a>>,
}

/// The work of one call on both sides.
#[derive(Serialize)]
struct Work<'a> {
    unit: &'a str,
    base: f64,
    new: f64,
}

/// Changes are new/base − 1, S is base/new, times are nanoseconds per call.
#[derive(Serialize)]
struct Row<'a> {
    /// Null where there is only one, and for all of them together.
    instance: Option<&'a str>,
    verdict: &'static str,
    reliable: bool,
    change: Option<f64>,
    change_low: Option<f64>,
    change_high: Option<f64>,
    /// The interval without allowing for the other rows, which decides nothing.
    change_low_alone: Option<f64>,
    change_high_alone: Option<f64>,
    speedup: Option<f64>,
    speedup_sigma: Option<f64>,
    at_least: Option<f64>,
    beyond_margin: bool,
    real_but_within_margin: bool,
    minimum_detectable_effect: Option<f64>,
    /// Work of a call, where base and new do not do the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<Work<'a>>,
    p_value: Option<f64>,
    blocks_needed: Option<usize>,
    margin: f64,
    base_ns: Option<f64>,
    new_ns: Option<f64>,
    base: Option<TimeOf>,
    new: Option<TimeOf>,
    remarks: Vec<String>,
    sentence: String,
    blocks: Vec<BlockForm>,
}

/// The time of a call of one side, with its standard uncertainty and 95 % interval.
#[derive(Serialize)]
struct TimeOf {
    mean_ns: f64,
    u_ns: Option<f64>,
    degrees_of_freedom: Option<f64>,
    low_95_ns: Option<f64>,
    high_95_ns: Option<f64>,
}

fn of_time(time: &Time) -> TimeOf {
    let (low_95_ns, high_95_ns) =
        time.interval().map(|interval| (interval.low, interval.high)).unzip();
    TimeOf {
        mean_ns: time.estimate.value,
        u_ns: time.estimate.u,
        degrees_of_freedom: time.estimate.degrees_of_freedom,
        low_95_ns,
        high_95_ns,
    }
}

/// What one block has found: log-ratios are ln(new/base), times nanoseconds per call.
#[derive(Serialize)]
struct BlockForm {
    round: u32,
    layout: u32,
    log_ratio: f64,
    cpu_log_ratio: Option<f64>,
    mean_log_ratio: f64,
    clean: Option<f64>,
    clean_only: bool,
    base_ns: f64,
    new_ns: f64,
    /// How the times of base and of new changed while their processes ran: ln of the last third over the first.
    ageing: Option<[f64; 2]>,
}

fn of_block(block: &Block) -> BlockForm {
    BlockForm {
        round: block.round,
        layout: block.layout,
        log_ratio: block.log_ratio,
        cpu_log_ratio: block.cpu_log_ratio,
        mean_log_ratio: block.mean_log_ratio,
        clean: block.clean,
        clean_only: block.clean_only,
        base_ns: block.base_ns,
        new_ns: block.new_ns,
        ageing: block.ageing,
    }
}

/// The report as JSON.
pub(crate) fn render(comparison: &Comparison) -> String {
    let outcome = &comparison.outcome;
    let report = Report {
        schema: SCHEMA,
        plusminus: env!("CARGO_PKG_VERSION"),
        base: of_side(&comparison.base),
        new: of_side(&comparison.new),
        exit_code: comparison.summary.exit_code,
        headline: sentences::headline(comparison),
        scope: sentences::scope(comparison),
        margin: comparison.summary.margin,
        alpha: comparison.summary.alpha,
        seed: comparison.summary.seed,
        layouts: comparison.summary.layouts,
        layout: comparison.summary.layout,
        contradicted: &comparison.contradicted,
        unchanged: comparison.codes.unchanged().count(),
        verdicts: outcome.rows,
        out_of_time: outcome.out_of_time,
        measuring_seconds: outcome.seconds,
        pilot_seconds: outcome.pilot_seconds,
        window_seconds: outcome.window_seconds,
        preparing_seconds: comparison.summary.preparing_seconds,
        control: outcome
            .control
            .as_ref()
            .map(|case| Case { code: None, ..of_case(case, comparison) }),
        benchmarks: benchmarks(comparison),
        added: &comparison.names.added,
        removed: &comparison.names.removed,
        renamed: &comparison.names.renamed,
        built: &comparison.built,
        interrupted: outcome.interrupted,
    };
    // Plain structs of numbers and texts always have a JSON form.
    json_escaped(&serde_json::to_string_pretty(&report).unwrap_or_default()) + "\n"
}

/// Those that were measured, and then those that need not be.
fn benchmarks(comparison: &Comparison) -> Vec<Case<'_>> {
    let measured = &comparison.outcome.cases;
    let is_measured = |name: &str| measured.iter().any(|case| case.name == name);
    let others = comparison.codes.cases.iter().filter(|case| !is_measured(&case.name));
    let others = others.map(|case| Case {
        name: &case.name,
        failure: None,
        code: Some(code::form(&case.code)),
        rows: Vec::new(),
    });
    measured.iter().map(|case| of_case(case, comparison)).chain(others).collect()
}

fn of_side(identity: &Identity) -> Side<'_> {
    Side { name: &identity.name, commit: identity.commit.as_deref(), dirty: identity.dirty }
}

fn of_case<'a>(case: &'a CaseResult, comparison: &'a Comparison) -> Case<'a> {
    Case {
        name: &case.name,
        failure: case_failure(case),
        code: comparison.codes.of(&case.name).map(code::form),
        rows: case.rows.iter().map(|row| of_row(case, row, comparison)).collect(),
    }
}

fn of_work(work: &WorkChange) -> Work<'_> {
    Work { unit: &work.unit, base: work.base, new: work.new }
}

fn of_row<'a>(case: &CaseResult, row: &'a RowResult, comparison: &Comparison) -> Row<'a> {
    let interval = row.change_interval();
    let alone = row.change_interval_alone();
    Row {
        instance: row.instance.as_deref(),
        verdict: match comparison.codes.is_unchanged(&case.name) {
            true => "unchanged",
            false => row.judgement.verdict.label(),
        },
        reliable: row.doubts.is_empty(),
        change: row.change(),
        change_low: interval.map(|(low, _)| low),
        change_high: interval.map(|(_, high)| high),
        change_low_alone: alone.map(|(low, _)| low),
        change_high_alone: alone.map(|(_, high)| high),
        speedup: row.speedup,
        speedup_sigma: row.sigma,
        at_least: row.judgement.at_least,
        beyond_margin: row.judgement.beyond_margin,
        real_but_within_margin: row.judgement.real_but_within_margin,
        minimum_detectable_effect: row.judgement.minimum_detectable_effect,
        work: row.work.as_ref().map(of_work),
        p_value: row.p_value,
        blocks_needed: row.blocks_needed,
        margin: row.margin,
        base_ns: row.times.as_ref().map(|[base, _]| base.estimate.value),
        new_ns: row.times.as_ref().map(|[_, new]| new.estimate.value),
        base: row.times.as_ref().map(|[base, _]| of_time(base)),
        new: row.times.as_ref().map(|[_, new]| of_time(new)),
        remarks: row_remarks(row),
        sentence: sentences::sentence(case, row, comparison),
        blocks: row.blocks.iter().map(of_block).collect(),
    }
}
