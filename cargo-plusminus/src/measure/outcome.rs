//! Results of a comparison: rows with their verdicts, computed from the record alone.

use plusminus::{
    engine::{self, ComparisonWatcher, Judge, Machine, Subject},
    record::{BlockRecord, ComparedCase, ComparisonRecord, SideFailure},
};
use plusminus_analysis::verdict::{Doubt, Verdict};

use super::{
    pairs::{summarise, was_steady},
    row::{Block, Decided, Row, RowResult},
};

/// A benchmark with its verdicts: one for each instance, and then one for all if there are several.
#[derive(Debug, Clone)]
pub(crate) struct CaseResult {
    /// Its name, with the target in front where there are several.
    pub(crate) name: String,
    /// Its source file, as the new side has it, and the line there.
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) rows: Vec<RowResult>,
    pub(crate) failure: Option<SideFailure>,
    /// Time that its blocks took, on average.
    pub(crate) block_seconds: Option<f64>,
}

/// Everything that was found.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) cases: Vec<CaseResult>,
    /// The control: base against a copy of itself.
    pub(crate) control: Option<CaseResult>,
    /// M: rows that could have raised an alarm.
    pub(crate) rows: usize,
    pub(crate) interrupted: Option<i32>,
    /// The time budget ended measuring.
    pub(crate) out_of_time: bool,
    /// Wall time of all of it.
    pub(crate) seconds: f64,
    /// Of this, the pilots.
    pub(crate) pilot_seconds: f64,
    /// Of this, inside the windows of samples that count.
    pub(crate) window_seconds: f64,
}

/// Measures until everything is decided, or nothing more may be spent. Returns the record, from which all else follows.
pub(crate) fn measure(
    machine: &dyn Machine,
    subjects: &[Subject],
    record: ComparisonRecord,
    watcher: &mut dyn ComparisonWatcher,
) -> ComparisonRecord {
    let mut judge = ByRows {
        alpha: record.settings.alpha,
        layouts: record.settings.layouts,
        rows: 0,
        ticks: Vec::new(),
    };
    engine::compare(machine, subjects, record, &mut judge, watcher)
}

/// Decides by the same rows that are reported.
struct ByRows {
    alpha: f64,
    layouts: usize,
    rows: usize,
    ticks: Vec<f64>,
}

impl Judge for ByRows {
    fn begin(&mut self, rows: usize) {
        self.rows = rows;
    }

    fn undecided(&mut self, case: &ComparedCase, is_control: bool) -> Vec<bool> {
        let layouts = if is_control { 1 } else { self.layouts };
        let by = Decided { margin: case.margin, alpha: self.alpha, rows: self.rows, layouts };
        let rows = rows_of(case, &self.ticks);
        let last = rows.len().saturating_sub(1);
        // Of the control, the verdict on the benchmark as a whole is all that is asked.
        let open =
            |(index, row): (usize, &Row)| !row.is_decided(&by) && (!is_control || index == last);
        rows.iter().enumerate().map(open).collect()
    }
}

/// The results that a record holds.
pub(crate) fn outcome(record: &ComparisonRecord) -> Outcome {
    let rows = record.cases.iter().map(|case| row_count(case)).sum();
    let ticks: Vec<f64> = record
        .workers
        .iter()
        .map(|worker| worker.clock.map_or(0.0, |clock| clock.tick_ns))
        .collect();
    let conclude = |case: &ComparedCase, layouts| {
        let by = Decided { margin: case.margin, alpha: record.settings.alpha, rows, layouts };
        CaseResult {
            name: case.name.clone(),
            file: case.file.clone(),
            line: case.line,
            rows: rows_of(case, &ticks).iter().map(|row| row.conclude(&by)).collect(),
            failure: case.failures.first().cloned(),
            block_seconds: case.block_seconds,
        }
    };
    let mut cases: Vec<CaseResult> =
        record.cases.iter().map(|case| conclude(case, record.settings.layouts)).collect();
    // The control is two copies of one binary: there is no layout to average over.
    let control = record.control.first().map(|case| conclude(case, 1));
    if let Some(verdict) = control.as_ref().and_then(alarm_of) {
        let all = cases.iter_mut().flat_map(|case| &mut case.rows);
        all.for_each(|row| row.doubts.insert(0, Doubt::ControlDiffers { verdict }));
    }
    Outcome {
        cases,
        control,
        rows,
        interrupted: record.interrupted,
        out_of_time: record.out_of_time,
        seconds: record.seconds,
        pilot_seconds: record.pilot_seconds,
        window_seconds: window_ns(record) as f64 / 1e9,
    }
}

/// Rows of a case: its instances, and all of them together where there are several. None before its pilot.
fn row_count(case: &ComparedCase) -> usize {
    case.instances.len() + usize::from(case.instances.len() > 1)
}

fn window_ns(record: &ComparisonRecord) -> u64 {
    let blocks = record.cases.iter().chain(&record.control).flat_map(|case| &case.blocks);
    blocks.flat_map(|block| block.base.wall_ns.iter().chain(&block.new.wall_ns)).sum()
}

/// Faster or slower, if the benchmark as a whole is said to be.
fn alarm_of(case: &CaseResult) -> Option<Verdict> {
    let verdict = case.rows.last()?.judgement.verdict;
    matches!(verdict, Verdict::Faster | Verdict::Slower).then_some(verdict)
}

/// The rows of a case with their blocks.
fn rows_of(case: &ComparedCase, ticks: &[f64]) -> Vec<Row> {
    let parallel = case.processors > 1 || case.threads > 1;
    let mut rows: Vec<Row> = case
        .instances
        .iter()
        .map(|instance| Row::new(Some(instance.name.clone()).filter(|name| !name.is_empty())))
        .collect();
    // Blocks of all instances that the same pair of processes measured.
    let mut whole: Vec<(u32, Vec<Block>)> = Vec::new();
    for record in &case.blocks {
        let Some(row) = rows.get_mut(record.new.instance) else { continue };
        let Some(block) = block_of(record, parallel) else { continue };
        row.resolution = row.resolution.max(resolution(record, ticks));
        match whole.last_mut().filter(|(run, _)| *run == record.base.run) {
            Some((_, blocks)) => blocks.push(block.clone()),
            None => whole.push((record.base.run, vec![block.clone()])),
        }
        row.blocks.push(block);
    }
    if rows.len() > 1 {
        let mut all = Row::new(None);
        all.resolution = rows.iter().map(|row| row.resolution).fold(0.0, f64::max);
        let complete = whole.iter().filter(|(_, blocks)| blocks.len() == rows.len());
        all.blocks = complete.map(|(_, blocks)| together(blocks)).collect();
        rows.push(all);
    }
    rows
}

/// The standard uncertainty that the clock alone gives to the log-ratio of a block.
fn resolution(block: &BlockRecord, ticks: &[f64]) -> f64 {
    let tick = |worker: Option<usize>| worker.and_then(|index| ticks.get(index)).copied();
    let tick_ns = tick(block.base.worker).into_iter().chain(tick(block.new.worker));
    let tick_ns = tick_ns.fold(1.0, f64::max);
    let shortest = |wall_ns: &[u64]| wall_ns.iter().copied().min().unwrap_or(1).max(1) as f64;
    let sample_ns = shortest(&block.base.wall_ns).min(shortest(&block.new.wall_ns));
    tick_ns / (sample_ns * 6.0_f64.sqrt())
}

fn block_of(record: &BlockRecord, parallel: bool) -> Option<Block> {
    let summary = summarise(&record.base, &record.new, parallel)?;
    let calls = |calls: u64| calls.max(1) as f64;
    let steady: Vec<bool> =
        [&record.base, &record.new].into_iter().filter_map(was_steady).collect();
    Some(Block {
        round: record.round,
        layout: record.layout,
        log_ratio: summary.log_ratio,
        cpu_log_ratio: summary.cpu_log_ratio,
        mean_log_ratio: summary.mean_log_ratio,
        clean: summary.clean,
        clean_only: summary.clean_only,
        base_ns: summary.base_ns / calls(record.base.calls),
        new_ns: summary.new_ns / calls(record.new.calls),
        told: steady.len() as u32,
        unsteady: steady.iter().filter(|steady| !**steady).count() as u32,
    })
}

/// All instances of a block as one: the mean of the log-ratios, which is the geometric mean of the speedups.
fn together(blocks: &[Block]) -> Block {
    let count = blocks.len() as f64;
    let mean = |value: fn(&Block) -> f64| blocks.iter().map(value).sum::<f64>() / count;
    let all = |value: fn(&Block) -> Option<f64>| {
        let values: Option<Vec<f64>> = blocks.iter().map(value).collect();
        values.map(|values| values.iter().sum::<f64>() / count)
    };
    Block {
        round: blocks[0].round,
        layout: blocks[0].layout,
        log_ratio: mean(|block| block.log_ratio),
        cpu_log_ratio: all(|block| block.cpu_log_ratio),
        mean_log_ratio: mean(|block| block.mean_log_ratio),
        clean: all(|block| block.clean),
        clean_only: blocks.iter().any(|block| block.clean_only),
        base_ns: mean(|block| block.base_ns),
        new_ns: mean(|block| block.new_ns),
        told: blocks.iter().map(|block| block.told).sum(),
        unsteady: blocks.iter().map(|block| block.unsteady).sum(),
    }
}
