//! The costs of a benchmark besides its time, from the blocks of its record to a verdict on each: the only place that
//! decides about them.

use super::{Decided, RowResult};
use crate::{
    analysis::{
        Interval,
        summary::{grouped_quantile, quantile},
        verdict::{CostJudgement, CostVerdict, Margin, Rule, Verdict, cost, dependence},
    },
    record::{BlockRecord, CodeSize, ComparedCase, Counter, Measurement, MemoryUse, WorkerRecord},
    results::metrics,
};
use plusminus_worker::MetricKind;

/// A cost besides time on both sides, with the verdict on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Its name, by which a gate selects it: `allocations`.
    pub name: String,
    /// The words behind its value: `allocations per call`.
    pub unit: String,
    /// Whether more of it is better.
    pub more_is_better: bool,
    /// The verdict and its numbers.
    pub judgement: CostJudgement,
}

impl Measure {
    /// Returns whether it has changed for certain.
    pub fn has_changed(&self) -> bool {
        matches!(self.judgement.verdict, CostVerdict::More | CostVerdict::Less)
    }

    /// Returns the words behind its value if that is a time in nanoseconds.
    pub fn time_unit(&self) -> Option<&str> {
        self.unit.strip_prefix(NANOSECONDS)
    }

    /// Returns whether it is the size of a part of the program, which nearly every change of code changes.
    pub fn is_size(&self) -> bool {
        SIZES.iter().any(|(_, unit)| *unit == self.unit)
    }

    /// Returns whether it has changed in a way that the verdict on the time of its row does not show. Sizes are not about calls.
    pub fn is_news(&self, of_time: Verdict) -> bool {
        let as_time = match of_time {
            Verdict::Slower => self.judgement.verdict == CostVerdict::More,
            Verdict::Faster => self.judgement.verdict == CostVerdict::Less,
            Verdict::WithinMargin | Verdict::Inconclusive => false,
        };
        let is_known = self.time_unit().is_some() && as_time;
        self.has_changed() && !self.is_size() && !is_known
    }

    /// Returns whether it has changed for the worse.
    pub fn is_worse(&self) -> bool {
        let worse = if self.more_is_better { CostVerdict::Less } else { CostVerdict::More };
        self.judgement.verdict == worse
    }

    /// Returns the relative change that is certain, if it is worse: of an exact count all of it, else the end of the interval
    /// that is nearer to no change.
    pub fn worse_by(&self) -> Option<f64> {
        let least = |ratio: Interval| match self.more_is_better {
            true => ratio.high - 1.0,
            false => ratio.low - 1.0,
        };
        let change = self.judgement.ratio.map_or(self.judgement.change(), least);
        self.is_worse().then_some(change.abs())
    }
}

type Value<'a> = dyn Fn(&Measurement) -> Option<f64> + 'a;

struct Source<'a> {
    name: &'a str,
    unit: String,
    more_is_better: bool,
    may_be_exact: bool,
    /// Single processes count it, each for itself: the layout does not change it.
    is_counted: bool,
    value: Box<Value<'a>>,
}

impl<'a> Source<'a> {
    fn new(
        name: &'a str,
        unit: &str,
        may_be_exact: bool,
        value: impl Fn(&Measurement) -> Option<f64> + 'a,
    ) -> Self {
        let (unit, value) = (unit.to_owned(), Box::new(value));
        Self { name, unit, more_is_better: false, may_be_exact, is_counted: may_be_exact, value }
    }
}

/// The measures of a row: of an instance, or the mean of all where `instance` is none of them. `is_alone` are workers that
/// measured this benchmark only.
pub(super) fn measures(
    (case, instance): (&ComparedCase, usize),
    row: &RowResult,
    workers: &[WorkerRecord],
    is_alone: impl Fn(usize) -> bool,
    by: &Decided,
) -> Vec<Measure> {
    // One process measures all instances.
    let is_whole = case.instances.len() == 1 || instance >= case.instances.len();
    let sources = sources(case, workers, move |worker| is_whole && is_alone(worker));
    let mut found: Vec<(Vec<[f64; 2]>, Source<'_>)> = sources
        .into_iter()
        .map(|source| {
            let found = if source.is_counted { values } else { of_blocks };
            (found(&case.blocks, case.instances.len(), instance, &*source.value), source)
        })
        .collect();
    found.retain(|(values, _)| !values.is_empty());
    let tails = if is_of_one_call(case, instance) { &TAILS[..] } else { &[] };
    let rule = Rule {
        margin: Margin::new(by.margin).unwrap_or_default(),
        alpha: by.alpha,
        benchmarks: by.rows.max(1) * (found.len() + tails.len()).max(1),
        rarer_alarms: 1.0,
        minimum_blocks: 6,
        resolution: RESOLUTION,
    };
    let judged = |(values, source): (Vec<[f64; 2]>, Source<'_>)| {
        Some(Measure {
            judgement: cost(&values, source.may_be_exact, rule)?,
            name: source.name.to_owned(),
            unit: source.unit,
            more_is_better: source.more_is_better,
        })
    };
    let tails = quantiles((case, instance), row, tails, rule);
    let measured = found.into_iter().filter_map(judged).chain(tails);
    measured.chain(case.code.iter().flat_map(|code| &code.sizes).map(of_size)).collect()
}

const TAILS: [(&str, f64); 3] = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)];

fn is_of_one_call(case: &ComparedCase, instance: usize) -> bool {
    let mut own = case.blocks.iter().filter(|block| block.base.instance == instance);
    own.all(|block| block.base.calls == 1 && block.new.calls == 1)
}

/// Quantiles of the time of a call of an instance: those of calls over the typical time of their block, and its change, which is
/// that of the row. Among all times, a process or a minute in which everything takes longer would be a tail.
fn quantiles(
    (case, instance): (&ComparedCase, usize),
    row: &RowResult,
    tails: &[(&str, f64)],
    rule: Rule,
) -> Vec<Measure> {
    let own = || case.blocks.iter().filter(|block| block.base.instance == instance);
    let relative = |side: fn(&BlockRecord) -> &Measurement| -> Option<(Vec<Vec<f64>>, f64)> {
        let times: Vec<Vec<f64>> = own().map(|block| side(block).call_ns().collect()).collect();
        let medians = times.iter().map(|of| quantile(of, 0.5).ok());
        let medians: Vec<f64> = medians.collect::<Option<_>>()?;
        let of_block = |(of, median): (Vec<f64>, &f64)| of.iter().map(|t| t / median).collect();
        let typical = quantile(&medians, 0.5).ok()?;
        Some((times.into_iter().zip(&medians).map(of_block).collect(), typical))
    };
    let sides = relative(|block| &block.base).zip(relative(|block| &block.new)).zip(row.speedup);
    let Some((((base, typical), (new, _)), speedup)) = sides else { return Vec::new() };
    let of_times = |s: Interval| Interval { low: 1.0 / s.high, high: 1.0 / s.low };
    let change = row.judgement.interval.filter(|_| row.doubts.is_empty()).map(of_times);
    let alpha = rule.alpha / rule.benchmarks as f64 / 2.0;
    let judged = |&(name, probability): &(&str, f64)| {
        let of = |groups: &[Vec<f64>]| grouped_quantile(groups, probability, alpha).ok();
        let (tails, typical) = ([of(&base)?, of(&new)?], [typical, typical / speedup]);
        Some(Measure {
            name: name.to_owned(),
            unit: format!("{NANOSECONDS}at {name}"),
            more_is_better: false,
            judgement: CostJudgement::of_quantiles(tails, typical, change, rule.margin),
        })
    };
    tails.iter().filter_map(judged).collect()
}

/// The measure of a size of a program, which is exact.
fn of_size(size: &CodeSize) -> Measure {
    let known = SIZES.iter().find(|(part, _)| *part == size.part);
    let (_, unit) = known.unwrap_or(&SIZES[1]);
    Measure {
        name: size.part.clone(),
        unit: (*unit).to_owned(),
        more_is_better: false,
        judgement: CostJudgement::exact([size.base as f64, size.new as f64]),
    }
}

/// The parts of a program, of which the last tells nothing about a single benchmark, with the words behind their sizes.
const SIZES: [(&str, &str); 3] = [
    ("code", "bytes of machine code"),
    ("data", "bytes of data"),
    ("program", "bytes of the program"),
];

/// The relative step of noisy values: memory comes in pages.
const RESOLUTION: f64 = 5e-4;

/// The beginning of the unit of times.
const NANOSECONDS: &str = "ns ";

/// The first word of the event that is a measure, counted by the system or by valgrind. Other events depend on caches and on
/// other programs.
const INSTRUCTIONS: &str = "instructions";

fn sources<'a>(
    case: &'a ComparedCase,
    workers: &'a [WorkerRecord],
    is_alone: impl Fn(usize) -> bool + 'a,
) -> Vec<Source<'a>> {
    let memory = |value: fn(MemoryUse) -> Option<u64>| {
        move |side: &Measurement| Some(value(side.resources.as_ref()?.memory?)? as f64)
    };
    let is_counted = |counter: &&Counter| counter.name.starts_with(INSTRUCTIONS);
    let instructions = move |side: &Measurement| {
        let counters = &side.resources.as_ref()?.counters;
        counters.iter().find(is_counted).map(|counter| counter.per_call)
    };
    let resident = move |side: &Measurement| {
        side.worker.filter(|worker| is_alone(*worker))?;
        peak_of_process(side, workers)
    };
    let mut sources = vec![
        Source::new("allocations", "allocations per call", true, memory(|of| Some(of.allocations))),
        Source::new("bytes", "bytes allocated per call", true, memory(|of| Some(of.bytes))),
        Source::new("peak", "bytes at most in use", true, memory(|of| Some(of.peak_bytes))),
        Source::new("kept", "bytes in use after a call", true, memory(|of| of.kept_bytes)),
        Source::new(INSTRUCTIONS, "instructions per call", true, instructions),
        Source::new("memory", "bytes of peak memory", false, resident),
    ];
    for (index, metric) in case.metrics.iter().enumerate() {
        let values =
            move |side: &Measurement| metrics::of_samples(side, index, metric.kind, case.threads);
        let is_steady = |side: &Measurement| {
            values(side).is_some_and(|values| values.windows(2).all(|pair| pair[0] == pair[1]))
        };
        let is_rate = metric.kind == MetricKind::Rate;
        let per = if is_rate { "second" } else { "call" };
        let mut sides = case.blocks.iter().flat_map(|block| [&block.base, &block.new]);
        let may_be_exact = !is_rate && sides.all(is_steady);
        let median = move |side: &Measurement| quantile(&values(side)?, 0.5).ok();
        let unit = format!("{} per {per}", metric.unit);
        let source = Source::new(&metric.name, &unit, may_be_exact, median);
        sources.push(Source { more_is_better: is_rate, is_counted: false, ..source });
    }
    sources
}

/// The most memory that the process of a measurement had in use, in bytes.
fn peak_of_process(side: &Measurement, workers: &[WorkerRecord]) -> Option<f64> {
    Some(workers.get(side.worker?)?.peak_rss_bytes? as f64)
}

/// How many blocks a gate on the memory of a benchmark needs, by those so far: `least` if they are independent. If they depend on each
/// other, averages of neighbors are judged, and it needs twice as many.
pub(super) fn least_blocks(
    blocks: &[BlockRecord],
    instances: usize,
    workers: &[WorkerRecord],
    least: usize,
) -> usize {
    if least == 0 {
        return 0;
    }
    let whole = if instances == 1 { 0 } else { instances };
    let peaks = of_blocks(blocks, instances, whole, &|side| peak_of_process(side, workers));
    let ratios: Vec<f64> = peaks.iter().map(|[base, new]| (new / base).ln()).collect();
    if dependence(&ratios).is_some() { 2 * least } else { least }
}

/// The values of base and new in the blocks that have them, in the order in which they were measured: medians of the processes that
/// have a layout in common.
fn of_blocks(
    blocks: &[BlockRecord],
    instances: usize,
    instance: usize,
    value: &Value<'_>,
) -> Vec<[f64; 2]> {
    let is_one = |a: &BlockRecord, b: &BlockRecord| {
        a.base.run == b.base.run || a.layout > 0 && a.layout == b.layout
    };
    let median = |block: &[BlockRecord]| {
        let all = values(block, instances, instance, value);
        let of =
            |side: usize| quantile(&all.iter().map(|one| one[side]).collect::<Vec<_>>(), 0.5).ok();
        Some([of(0)?, of(1)?])
    };
    blocks.chunk_by(is_one).filter_map(median).collect()
}

/// The values of base and new of all pairs of processes that have them, in the order in which they measured.
fn values(
    blocks: &[BlockRecord],
    instances: usize,
    instance: usize,
    value: &Value<'_>,
) -> Vec<[f64; 2]> {
    let both = |block: &BlockRecord| Some([value(&block.base)?, value(&block.new)?]);
    if instance < instances {
        let own = blocks.iter().filter(|block| block.base.instance == instance);
        return own.filter_map(both).collect();
    }
    // The blocks of a run follow each other.
    let whole = |run: &[BlockRecord]| {
        let values: Vec<[f64; 2]> = run.iter().filter_map(both).collect();
        let mean =
            |side: usize| values.iter().map(|one| one[side]).sum::<f64>() / values.len() as f64;
        (values.len() == instances).then(|| [mean(0), mean(1)])
    };
    let runs = blocks.chunk_by(|a, b| a.base.run == b.base.run);
    runs.filter_map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_one_layout_are_one_block_of_a_rate() {
        let measured = |run: u32, layout: u32, base: u64| {
            let side = |ns: u64| Measurement {
                run,
                calls: 1,
                wall_ns: vec![ns],
                ..Measurement::default()
            };
            let (order, new) = ("b".to_owned(), side(base + 1));
            let round = layout.saturating_sub(1);
            BlockRecord { round, layout, order, time_shared: false, base: side(base), new }
        };
        let blocks = |layouts: [u32; 5]| -> Vec<BlockRecord> {
            let one = |(run, layout)| measured(run, layout, [10, 30, 20, 40, 60][run as usize]);
            (0..).zip(layouts).map(one).collect()
        };
        let time = |side: &Measurement| Some(side.wall_ns[0] as f64);
        let of = |layouts| of_blocks(&blocks(layouts), 1, 0, &time);
        assert_eq!(of([1, 1, 1, 2, 2]), [[20.0, 21.0], [50.0, 51.0]]);
        // As they were built, each pair of processes is a block.
        assert_eq!(of([0; 5]), values(&blocks([0; 5]), 1, 0, &time));
        assert_eq!(values(&blocks([1; 5]), 1, 0, &time).len(), 5);
    }
}
