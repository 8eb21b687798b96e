//! A whole comparison: the result of every benchmark and instance, from its record.

use std::collections::BTreeMap;

use super::{
    Block, Decided, Outlook, Row, RowResult, WorkChange, block_of, block_of_processes,
    effect_of_order, least_blocks, measures, together,
    verdict::{of_control, reported},
};
use crate::{
    analysis::{summary::quantile, verdict::Doubt},
    record::{
        BlockRecord, Cause, ComparedCase, ComparisonRecord, Measurement, Side, SideFailure,
        WorkerRecord,
    },
    results::{self, Time},
};
use plusminus_worker::{
    exit,
    order::{order, sorted},
};

/// Why a benchmark has no verdict.
#[derive(Debug, Clone)]
pub struct CaseFailure {
    /// The side; `None` if it lies between them.
    pub side: Option<Side>,
    /// The description of the failure.
    pub message: String,
    /// Whether nothing is wrong: the function measures nothing.
    pub is_nothing: bool,
}

impl CaseResult {
    /// Returns whether it failed. A benchmark with nothing to measure is skipped and has not failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| !failure.is_nothing)
    }
}

/// A benchmark with its verdicts: one for each instance, and then one for all if there are several.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// Its name, with the target in front if there are several.
    pub name: String,
    /// Its file and line on the new side, if they are known.
    pub place: Option<(String, u32)>,
    /// Its verdicts.
    pub rows: Vec<RowResult>,
    /// Why it has none, or not all.
    pub failure: Option<CaseFailure>,
    /// Time that its blocks took, on average.
    pub block_seconds: Option<f64>,
}

/// Everything that was found.
#[derive(Debug)]
pub struct Outcome {
    /// The benchmarks that were compared.
    pub cases: Vec<CaseResult>,
    /// The A/A control.
    pub control: Option<CaseResult>,
    /// M: rows that could have raised an alarm.
    pub rows: usize,
    /// The signal that ended measuring early.
    pub interrupted: Option<i32>,
    /// The time budget ended measuring.
    pub out_of_time: bool,
    /// That budget in seconds, if there was one.
    pub max_seconds: Option<f64>,
    /// The blocks that a benchmark could have.
    pub maximum_blocks: u32,
    /// Wall time of all of it.
    pub seconds: f64,
    /// Of this, the pilots.
    pub pilot_seconds: f64,
    /// Of this, inside the windows of samples that count.
    pub window_seconds: f64,
}

impl Outcome {
    /// Returns the exit code: 2 if a benchmark failed; 3 if the control found a difference, so that no verdict can be
    /// trusted; 1 if a row `fails`, whatever else is inconclusive or unreliable; and else 0. The last three look only
    /// at benchmarks that `count`.
    pub fn exit_code(
        &self,
        count: impl Fn(&CaseResult) -> bool,
        fails: impl Fn(&CaseResult, &RowResult) -> bool,
    ) -> i32 {
        if self.cases.iter().any(CaseResult::has_failed) {
            return exit::FAILED;
        }
        let cases = self.cases.iter().filter(|case| count(case));
        let rows: Vec<(&CaseResult, &RowResult)> =
            cases.flat_map(|case| case.rows.iter().map(move |row| (case, row))).collect();
        let by_control = |row: &RowResult| {
            row.doubts.iter().any(|doubt| matches!(doubt, Doubt::ControlDiffers { .. }))
        };
        match () {
            () if rows.iter().any(|(_, row)| by_control(row)) => exit::UNRELIABLE,
            () if rows.iter().any(|(case, row)| fails(case, row)) => exit::REGRESSION,
            () => exit::FINE,
        }
    }
}

/// Returns the number of rows of a benchmark: one for each instance, and one for all of them if there are several.
fn rows_of(instances: usize) -> usize {
    instances + usize::from(instances > 1)
}

/// Returns the outcome of a comparison by its record.
pub fn outcome(record: &ComparisonRecord) -> Outcome {
    let rows = record.cases.iter().map(|case| rows_of(case.instances.len())).sum();
    let by = |margin| Decided::of_suite(&record.settings, margin, rows);
    let mut cases: Vec<CaseResult> =
        record.cases.iter().map(|case| of_case(case, record, &by(case.margin))).collect();
    let shared = shared_workers(record);
    for (case, result) in record.cases.iter().zip(&mut cases) {
        for (index, row) in result.rows.iter_mut().enumerate() {
            let is_alone = |worker: usize| shared.binary_search(&worker).is_err();
            row.measures =
                measures((case, index), row, &record.workers, is_alone, &by(case.margin));
        }
    }
    give_times(&mut cases, record);
    let judged = |case: &ComparedCase| of_case(case, record, &by(case.margin).of_control());
    let control = record.control.first().map(judged);
    let doubt = control.as_ref().and_then(|case| of_control(case.rows.last()?));
    for row in cases.iter_mut().flat_map(|case| &mut case.rows) {
        row.doubts.splice(0..0, doubt);
    }
    let samples = |case: &ComparedCase| -> u64 {
        let of = |measured: &Measurement| measured.wall_ns.iter().sum::<u64>();
        case.blocks.iter().map(|block| of(&block.base) + of(&block.new)).sum()
    };
    let window_ns: u64 = record.cases.iter().chain(&record.control).map(samples).sum();
    Outcome {
        cases,
        control,
        rows,
        interrupted: record.interrupted,
        out_of_time: record.out_of_time,
        max_seconds: record.settings.max_seconds,
        maximum_blocks: record.settings.maximum_blocks,
        seconds: record.seconds,
        pilot_seconds: record.pilot_seconds,
        window_seconds: window_ns as f64 / 1e9,
    }
}

/// Workers that measured several benchmarks, in order: their memory is that of no single one.
fn shared_workers(record: &ComparisonRecord) -> Vec<usize> {
    let mut users: Vec<(usize, usize)> = Vec::new();
    for (index, case) in record.cases.iter().enumerate() {
        let sides = case.blocks.iter().flat_map(|block| [block.base.worker, block.new.worker]);
        users.extend(sides.flatten().map(|worker| (worker, index)));
    }
    let users = sorted(&users, &Ord::cmp);
    let several = |pair: &&[(usize, usize)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
    users.windows(2).filter(several).map(|pair| pair[0].0).collect()
}

/// One benchmark. Its rows take blocks in the order of time until they are decided, as they did while it was measured.
fn of_case(case: &ComparedCase, record: &ComparisonRecord, by: &Decided) -> CaseResult {
    let mut rows = CaseRows::new(case);
    rows.take_rounds(case, &record.workers, by);
    let concluded = rows.rows.iter().enumerate().map(|(index, row)| RowResult {
        work: work_change(case, index),
        ..reported(row.conclude(by), record.least_margin)
    });
    CaseResult {
        name: case.name.clone(),
        place: case.file.clone().zip(case.line),
        rows: concluded.collect(),
        failure: case.failures.first().map(failure),
        block_seconds: case.block_seconds,
    }
}

/// The first kind of work of which a call does another amount than before, on one instance, or on all together where the
/// row is that of all.
fn work_change(case: &ComparedCase, row: usize) -> Option<WorkChange> {
    let all: Vec<_> =
        case.instances.iter().map(|instance| &instance.work).zip(&case.base_work).collect();
    let of_row = match all.get(row) {
        Some(one) => std::slice::from_ref(one),
        None => &all[..],
    };
    let total = |unit: &str, work: &mut dyn Iterator<Item = &Vec<(String, f64)>>| -> f64 {
        work.flatten().filter(|(other, _)| other == unit).map(|(_, amount)| amount).sum()
    };
    let units = of_row.first()?.0.iter().map(|(unit, _)| unit);
    let mut changes = units.map(|unit| WorkChange {
        unit: unit.clone(),
        base: total(unit, &mut of_row.iter().map(|(_, base)| *base)),
        new: total(unit, &mut of_row.iter().map(|(new, _)| *new)),
    });
    changes.find(|change| change.base != change.new && change.base > 0.0 && change.new > 0.0)
}

fn failure(failed: &SideFailure) -> CaseFailure {
    let cause = failed.failure.cause.to_string();
    let last = failed.failure.output.lines().rev().find(|line| !line.trim().is_empty());
    let message = match last {
        Some(last) => format!("{cause}; it last printed: {last}"),
        None => cause,
    };
    CaseFailure { side: failed.side, message, is_nothing: failed.failure.cause == Cause::Nothing }
}

pub(crate) struct CaseRows {
    rows: Vec<Row>,
    instances: usize,
    parallel: bool,
    taken: usize,
    /// The effects of the order on their pairs, for each instance.
    effects: Vec<Vec<f64>>,
}

impl CaseRows {
    pub(crate) fn new(case: &ComparedCase) -> Self {
        let instances = case.instances.len();
        let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
        let mut rows: Vec<Row> =
            case.instances.iter().map(|instance| Row::new(name(&instance.name), 0.0)).collect();
        if instances > 1 {
            rows.push(Row::new(None, 0.0));
        }
        let parallel = case.processors.max(case.threads) > 1;
        Self { rows, instances, parallel, taken: 0, effects: vec![Vec::new(); instances] }
    }

    /// Takes the blocks that are new in the record, round by round, and closes the rows that they decide.
    pub(crate) fn take_rounds(
        &mut self,
        case: &ComparedCase,
        workers: &[WorkerRecord],
        by: &Decided,
    ) {
        // By round and then by block, whose number is that of its run.
        let new = case.blocks.get(self.taken..).unwrap_or_default();
        let place =
            |measured: &BlockRecord| (measured.round, measured.base.run, measured.base.instance);
        let mut cells: Vec<Cell> = Vec::with_capacity(new.len());
        for index in order(new.len(), &|a, b| place(&new[a]).cmp(&place(&new[b]))) {
            let longer = self.effect_of_order(&new[index]);
            if let Some(block) = block_of(&new[index], workers, self.parallel, longer) {
                cells.push(Cell { place: place(&new[index]), block });
            }
        }
        self.taken = case.blocks.len();
        for round in cells.chunk_by(|a, b| a.place.0 == b.place.0) {
            // Each pair of processes is a block, or all that measured one layout.
            let is_one = |a: &Cell, b: &Cell| a.place.1 == b.place.1 || a.block.layout > 0;
            for block in round.chunk_by(is_one) {
                take(&mut self.rows, self.instances, block);
            }
            // Later blocks of the record were not known when this round ended.
            let last = round[0].place.0;
            let so_far = case.blocks.partition_point(|block| block.round <= last);
            let so_far = &case.blocks[..so_far];
            let least = least_blocks(so_far, self.instances, workers, by.least_blocks);
            let of_one_call = case.blocks.first().is_some_and(|block| block.base.calls == 1);
            for (index, row) in self.rows.iter_mut().enumerate().filter(|(_, row)| row.open) {
                let samples: usize = row.blocks.iter().map(|block| block.pairs).sum();
                let has_more = of_one_call && index < self.instances;
                let is_short = has_more && samples < by.least_samples || row.blocks.len() < least;
                row.open = is_short || !row.is_decided(by);
            }
        }
    }

    /// The effect of the order on pairs of an instance, by its blocks up to this one; 0 while it is not known.
    fn effect_of_order(&mut self, measured: &BlockRecord) -> f64 {
        let Some(of_instance) = self.effects.get_mut(measured.base.instance) else { return 0.0 };
        of_instance.extend(effect_of_order(measured));
        quantile(of_instance, 0.5).unwrap_or(0.0)
    }

    /// Returns the remaining proof of each row, and its forecast cost.
    pub(crate) fn outlook(&self, by: &Decided) -> Vec<Outlook> {
        self.rows.iter().map(|row| row.outlook(by)).collect()
    }
}

struct Cell {
    place: (u32, u32, usize),
    block: Block,
}

/// Gives processes, as one block, to the rows that are open: to those of their instances, and to that of all if a process
/// measured all.
fn take(rows: &mut [Row], instances: usize, block: &[Cell]) {
    let whole = |cells: &[Cell]| {
        let is_whole = instances > 1 && cells.len() == instances;
        is_whole.then(|| together(&cells.iter().map(|cell| &cell.block).collect::<Vec<_>>()))
    };
    let wholes =
        block.chunk_by(|a, b| a.place.1 == b.place.1).filter_map(whole).collect::<Vec<_>>();
    for (index, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.open) {
        let own = block.iter().filter(|cell| cell.place.2 == index).map(|cell| &cell.block);
        let processes =
            if index < instances { own.collect() } else { wholes.iter().collect::<Vec<_>>() };
        if !processes.is_empty() {
            let block = block_of_processes(&processes);
            row.resolution = row.resolution.max(block.resolution);
            row.blocks.push(block);
        }
    }
}

/// Gives every row the times that reports of either side alone print, as far as they agree with its change.
fn give_times(cases: &mut [CaseResult], record: &ComparisonRecord) {
    // One after the other: a side by itself is a copy of all its samples.
    let sides = [Side::Base, Side::New].map(|side| times_of(record, side));
    for case in cases {
        for (index, row) in case.rows.iter_mut().enumerate() {
            let [base, new] =
                sides.each_ref().map(|side| side.get(&case.name)?.get(index)?.clone());
            let times = base.zip(new).map(Into::into).or(row.times.take());
            row.times = times.map(|times| agreeing(times, row.speedup));
        }
    }
}

/// The times of one side by itself, by the names of its benchmarks.
fn times_of(record: &ComparisonRecord, side: Side) -> BTreeMap<String, Vec<Option<Time>>> {
    let record = record.side(side);
    let tables = results::tables(&record);
    let rows = results::rows(&tables).into_iter();
    rows.map(|row| (row.case.name.clone(), times(row))).collect()
}

/// Two times moved to the ratio that the pairs of samples found: their geometric mean stays, each gives half of the way. Each by itself
/// has the machine's good and bad minutes in it, which the pairs do not: `2.04 µs → 1.96 µs, −0.2 %` would be two answers.
fn agreeing([base, new]: [Time; 2], speedup: Option<f64>) -> [Time; 2] {
    let apart = speedup.map(|s| (s * new.estimate.value / base.estimate.value).sqrt());
    match apart.filter(|apart| apart.is_finite() && *apart > 0.0) {
        Some(apart) => [base.scaled(apart), new.scaled(1.0 / apart)],
        None => [base, new],
    }
}

/// The times of a row: those of its instances, and then that of all if there are several.
fn times(row: &results::Row<'_>) -> Vec<Option<Time>> {
    let instances = 0..row.case.instances.len();
    let mut times: Vec<Option<Time>> =
        instances.clone().map(|instance| row.instance_time(instance)).collect();
    if instances.len() > 1 {
        times.push(row.time.clone());
    }
    times
}

#[cfg(test)]
mod tests {
    use plusminus_worker::json::FromJson;

    use super::*;
    use crate::analysis::verdict::{Judgement, Verdict};

    /// The exit code of a benchmark with this row, and of one that failed, if any did.
    fn exit_code(verdict: Verdict, doubts: Vec<Doubt>, is_nothing: Option<bool>) -> i32 {
        let judgement = Judgement { verdict, ..Judgement::default() };
        let row = RowResult { judgement, doubts, ..RowResult::default() };
        let (side, message) = (None, String::new());
        let failure =
            is_nothing.map(|is_nothing| CaseFailure { side, message: message.clone(), is_nothing });
        let case = |rows, failure| {
            let (name, place, block_seconds) = (String::new(), None, None);
            CaseResult { name, place, rows, failure, block_seconds }
        };
        let cases = vec![case(vec![row], None), case(Vec::new(), failure)];
        let outcome = Outcome { cases, ..outcome(&ComparisonRecord::blank()) };
        outcome.exit_code(|_| true, |_, row| row.judgement.verdict == Verdict::Slower)
    }

    #[test]
    fn a_failure_counts_before_the_control_and_that_before_what_is_slower() {
        let control = || vec![Doubt::ControlDiffers { verdict: Verdict::Slower }];
        assert_eq!(exit_code(Verdict::Slower, control(), Some(false)), exit::FAILED);
        assert_eq!(exit_code(Verdict::Slower, control(), None), exit::UNRELIABLE);
        assert_eq!(exit_code(Verdict::Slower, Vec::new(), None), exit::REGRESSION);
        // A case with nothing to measure has not failed.
        assert_eq!(exit_code(Verdict::Slower, Vec::new(), Some(true)), exit::REGRESSION);
        let contradiction = vec![Doubt::Contradiction];
        assert_eq!(exit_code(Verdict::Inconclusive, contradiction, None), exit::FINE);
        assert_eq!(exit_code(Verdict::WithinMargin, Vec::new(), None), exit::FINE);
    }
}
