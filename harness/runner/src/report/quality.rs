//! Notes on the quality of a measurement: the clock, dropped samples, and resources besides time.

use std::collections::BTreeSet;

use super::notes::{Kind, Note};
use crate::{
    analysis::{Confidence, ageing::shared},
    record::{Clock, Counting, MUCH_BESIDE, Record, Resources, Role},
    results::{ENOUGH_CLEAN, LONE_RUN, MOST_RUNS, Row, Support, TableResults, Typical, mean, rows},
    text::{
        number::{TimeUnit, counted, digits, percent, with_prefix, with_uncertainty},
        visible,
    },
};

/// The report mentions dropped samples if they are more than this part.
const DROPPED: f64 = 0.25;

/// The report mentions the loop around the calls if it may be more than this part of a call.
const LOOP_SHARE: f64 = 0.01;

/// The report mentions shared cores if more than this part of the runs had one.
const SHARED_RUNS: f64 = 0.1;

/// The report mentions a widened uncertainty if the factor is at least this.
const WORTH_NAMING: f64 = 1.05;

pub(super) fn notes(row: &Row<'_>, record: &Record) -> Vec<Note> {
    if row.quality.is_empty() || !row.case.failures.is_empty() {
        return Vec::new();
    }
    let name = visible(row.label);
    let found = [
        unsupported(row, &name).map(|said| (Kind::TooFast, said)),
        overhead(row, record, &name).map(|said| (Kind::Information, said)),
        clean(row, &name).map(|said| (Kind::InterruptedSamples, said)),
        shared_core(row, record, &name).map(|said| (Kind::SharedCore, said)),
        steadiness(row, &name),
        once(row, &name).map(|said| (Kind::Information, said)),
        crowded(row, record, &name).map(|said| (Kind::SharedCpu, said)),
        callers(row, &name).map(|said| (Kind::Information, said)),
        resources(row).map(|said| (Kind::Information, format!("a call of {name}: {said}"))),
    ];
    found.into_iter().flatten().map(|(kind, said)| Note::of(kind, row, said)).collect()
}

fn unsupported(row: &Row<'_>, name: &str) -> Option<String> {
    row.quality.iter().find_map(|cell| match cell.support {
        Support::Full => None,
        Support::TooFewTicks { ticks } => Some(format!(
            "{name} is too fast to measure: a sample lasts {ticks:.0} ticks of the clock, and 100 are needed. Do more per \
             call, or make its input cheaper, so that a sample can contain more calls"
        )),
        Support::Indistinguishable { loop_ns } => Some(format!(
            "{name} is too fast to measure: a call with the loop around it takes {} ns, and the loop alone {} ns. The \
             compiler has probably computed the result at build time: take the input as an argument or through \
             `std::hint::black_box`, and return the result. Otherwise do more per call",
            digits(cell.call_ns),
            digits(loop_ns),
        )),
    })
}

fn overhead(row: &Row<'_>, record: &Record, name: &str) -> Option<String> {
    let mean_ns = row.estimate()?.value;
    let subtracted = row.quality.iter().map(|cell| cell.subtracted_ns).fold(0.0, f64::max);
    let clocks =
        row.case.measurements.iter().filter_map(|cell| record.workers.get(cell.worker?)?.clock);
    let loop_ns = clocks.map(|clock: Clock| clock.loop_ns).fold(0.0, f64::max);
    let mut parts = Vec::new();
    if subtracted > 0.0 {
        parts.push(format!(
            "{subtracted:.0} ns for reading the clock are subtracted from each sample"
        ));
    }
    if loop_ns > LOOP_SHARE * mean_ns {
        parts.push(format!(
            "up to {} ns of a call may be the loop around it, which is not subtracted, as it overlaps with the kernel",
            digits(loop_ns)
        ));
    }
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join("; ")))
}

/// Describes how many samples were interrupted, and the consequence.
fn clean(row: &Row<'_>, name: &str) -> Option<String> {
    let fraction = mean(row.quality.iter().filter_map(|cell| cell.clean))?;
    let alone = row.quality.iter().filter(|cell| cell.only_clean).count();
    if alone == 0 && fraction >= ENOUGH_CLEAN {
        return None;
    }
    let done = match alone {
        0 => "too few clean samples; all samples were used".to_owned(),
        n if n == row.quality.len() => "only these were used".to_owned(),
        n => format!("only these were used in {n} of {} measurements", row.quality.len()),
    };
    Some(format!("{} of the samples of {name} were not interrupted: {done}", percent(fraction)))
}

fn shared_core(row: &Row<'_>, record: &Record, name: &str) -> Option<String> {
    let workers = row.case.measurements.iter().filter_map(|cell| cell.worker);
    let cores = workers.filter_map(|worker| record.workers.get(worker)?.core).collect::<Vec<_>>();
    let least = record.least_load()?;
    let shared = cores.iter().filter(|core| core.is_shared(least)).count();
    let fraction = shared as f64 / cores.len().max(1) as f64;
    (fraction > SHARED_RUNS).then(|| {
        format!("something else worked on the core in {} of the runs of {name}", percent(fraction))
    })
}

pub(super) fn repeats(record: &Record) -> Option<String> {
    let least = record.least_load()?;
    let measurements = record.cases.iter().flat_map(|case| &case.measurements);
    let used: BTreeSet<usize> = measurements.filter_map(|one| one.worker).collect();
    let unused = record.workers.iter().enumerate().filter(|(index, _)| !used.contains(index));
    let cores = unused.filter_map(|(_, worker)| worker.core);
    let repeated = cores.filter(|core| core.is_shared(least)).count();
    (repeated > 0).then(|| {
        format!("{}, as something else worked on the core.", counted(repeated, "repeated run"))
    })
}

/// Describes whether times change while processes run, alike in all of them. Instances of one process share its
/// changes, so they count once.
fn steadiness(row: &Row<'_>, name: &str) -> Option<(Kind, String)> {
    let of_run = |cells: &[Typical]| {
        let changes: Option<Vec<f64>> = cells.iter().map(|cell| cell.ageing).collect();
        mean(changes?)
    };
    let runs = row.quality.chunks(row.case.instances.len().max(1));
    if let Some(by) = shared(&runs.filter_map(of_run).collect::<Vec<_>>()).map(f64::exp_m1) {
        let size = percent(by.abs());
        return Some(if by > 0.0 {
            let said = format!(
                "{name} gets slower by {size} or more within a process. Check whether it uses up or fills something."
            );
            (Kind::Slowing, said)
        } else {
            let said = format!(
                "{name} gets faster by {size} or more within a process. Warm up longer: --warm-up 100ms"
            );
            (Kind::NoSteadyState, said)
        });
    }
    let dropped: usize = row.quality.iter().map(|cell| cell.unsettled).sum();
    let samples: usize = row.quality.iter().map(|cell| cell.samples).sum();
    (dropped as f64 > DROPPED * samples as f64).then(|| {
        let said = format!(
            "{dropped} of {samples} samples of {name} came before the steady state and were not used"
        );
        (Kind::Information, said)
    })
}

fn once(row: &Row<'_>, name: &str) -> Option<String> {
    let once = row.case.measurements.iter().all(|cell| cell.calls == 1 && cell.wall_ns.len() == 1);
    once.then(|| format!("{name} was called once in each run: σ is that between runs"))
}

/// Kernels that start threads, which had to share one processor.
fn crowded(row: &Row<'_>, record: &Record, name: &str) -> Option<String> {
    let workers = row.case.measurements.iter().filter_map(|cell| record.workers.get(cell.worker?));
    let beside = mean(workers.filter(|w| w.processor.is_some()).filter_map(|w| w.beside))?;
    (beside > MUCH_BESIDE).then(|| {
        format!(
            "{name} starts threads, which took {} of its process's time on one CPU. Set `processors = [2]`, or let it use \
             any: --any-processor",
            percent(beside)
        )
    })
}

/// How the number of runs of a table came about, where looking at its comparisons decided it.
pub(super) fn looks(table: &TableResults<'_>) -> Option<String> {
    table.rows.iter().any(|row| row.case.until_decided).then(|| {
        "measured until the comparisons were decided: intervals and verdicts come from a confidence sequence, which \
         stays valid although it was checked after every run"
            .to_owned()
    })
}

fn callers(row: &Row<'_>, name: &str) -> Option<String> {
    let (starts, ends): (Vec<f64>, Vec<f64>) =
        row.case.measurements.iter().filter_map(|cell| cell.skew_ns()).unzip();
    let start_ns = mean(starts)?;
    let end_ns = mean(ends)?;
    let windows =
        row.case.measurements.iter().flat_map(|cell| {
            cell.wall_ns.iter().map(|&wall| wall as f64 / cell.windows.max(1) as f64)
        });
    let part = |ns: f64| {
        let unit = TimeUnit::of(ns);
        format!("{} {}", digits(ns / unit.ns), unit.name)
    };
    Some(format!(
        "{name}: its {} callers begin within {} of each other and end within {}, of {} for all of them",
        row.case.threads,
        part(start_ns),
        part(end_ns),
        part(mean(windows)?),
    ))
}

/// Describes the allowance in σ of a time for effects that an invocation is too short to see.
pub(super) fn unseen(tables: &[TableResults<'_>], record: &Record) -> Option<String> {
    let adaptive = timed(tables).any(|row| row.case.pilot_runs.is_some());
    let glance = record.settings.glance;
    let precision = record.settings.precision.filter(|_| adaptive || glance)?;
    let part = percent(precision / 3_f64.sqrt());
    if !glance {
        return Some(format!(
            "σ of a time includes a type B part of {part}, rectangular within the target precision, for changes of the \
             machine that one invocation does not see."
        ));
    }
    let lone: Vec<String> =
        timed(tables).filter(|row| row.runs.len() == 1).map(|row| visible(row.label)).collect();
    let assumed = match lone.as_slice() {
        [] => String::new(),
        lone => format!(
            "; and one of {} for benchmarks with a single run, which take long to prepare ({})",
            percent(LONE_RUN),
            lone.join(", ")
        ),
    };
    Some(format!(
        "σ of a time includes a type B part of {part} for changes of the machine, which quick mode does not see{assumed}."
    ))
}

/// Describes the allowance in σ of a time for runs that resemble their neighbors.
pub(super) fn drift(tables: &[TableResults<'_>]) -> Option<Note> {
    let largest = timed(tables).map(|row| row.widened).fold(1.0, f64::max);
    (largest >= WORTH_NAMING).then(|| {
        let said = format!(
            "drift: neighboring runs resemble each other, as the machine's speed changes slowly. σ of a time is therefore \
             {largest:.1} times that of independent runs."
        );
        Note::general(Kind::Drift, said)
    })
}

fn timed<'t, 'a>(tables: &'t [TableResults<'a>]) -> impl Iterator<Item = &'t Row<'a>> {
    rows(tables).into_iter().filter(|row| row.time.is_some())
}

pub(super) fn repeatability(table: &TableResults<'_>) -> Vec<Note> {
    let poor = |row: &Row<'_>| {
        let cv = row.time.as_ref()?.poor_repeatability()?;
        let said = format!(
            "runs of {} differ by more than 3 % (standard deviation over mean): {}",
            visible(row.label),
            percent(cv)
        );
        Some(Note::of(Kind::PoorRepeatability, row, said))
    };
    table.rows.iter().filter_map(poor).collect()
}

pub(super) fn reference(table: &TableResults<'_>) -> Option<String> {
    let real = table.rows.iter().find_map(|row| row.real.as_ref())?;
    Some(format!(
        "real S is against {}, the fastest variant measured on one processor here",
        visible(&real.reference)
    ))
}

/// Which rows are marked as the best sequential variant though one without a mark is faster.
pub(super) fn beaten_references(table: &TableResults<'_>) -> Vec<Note> {
    let beaten = |row: &Row<'_>| {
        let real = row.real.as_ref()?;
        (row.case.role == Role::Reference && real.beats_a_reference()).then(|| {
            let said = format!(
                "{}, marked as the sequential reference, is slower than {}: S = {}",
                visible(row.label),
                visible(&real.reference),
                with_uncertainty(real.speedup.speedup, real.speedup.sigma)
            );
            Note::of(Kind::ReferenceBeaten, row, said)
        })
    };
    table.rows.iter().filter_map(beaten).collect()
}

/// Which rows of a table have not reached the precision that runs are added for.
pub(super) fn precision(table: &TableResults<'_>, record: &Record) -> Vec<Note> {
    // In quick mode, the target precision does not apply.
    let wanted = record.settings.precision.filter(|_| !record.settings.glance);
    let Some(wanted) = wanted else { return Vec::new() };
    let short = |row: &Row<'_>| {
        row.case.pilot_runs?;
        let estimate = row.time.as_ref()?.by_runs;
        let reach = estimate.rsu()? * Confidence::P95.factor(estimate.degrees_of_freedom);
        (reach > wanted).then(|| {
            // More time changes nothing where the number of runs is what ended it.
            let (what, cure) = match row.runs.len() < MOST_RUNS as usize {
                true => ("within the time limit", "allow more: --max-time 2m".to_owned()),
                false => {
                    ("within the limit of runs", format!("allow more: --runs {}", 2 * MOST_RUNS))
                }
            };
            let said = format!(
                "the runs of {} determine its time to ± {:.2} % (95 %) and not to ± {} {what}; {cure}",
                visible(row.label),
                100.0 * reach,
                percent(wanted),
            );
            Note::of(Kind::BelowPrecision, row, said)
        })
    };
    table.rows.iter().filter_map(short).collect()
}

pub(super) fn clock(record: &Record) -> Option<String> {
    let clock = record.manifest.clock.as_ref()?;
    let known: Vec<Counting> = record.workers.iter().filter_map(|worker| worker.counting).collect();
    let Some(first) = known.first() else {
        return Some(match clock.as_str() {
            "os" => "clock: that of the operating system.".to_owned(),
            "tsc" => "clock: the processor's counter (TSC), which no worker reported.".to_owned(),
            other => format!("clock: {}.", visible(other)),
        });
    };
    let largest = |value: fn(&Counting) -> f64| known.iter().map(value).fold(0.0, f64::max);
    Some(format!(
        "clock: the processor's counter (TSC), {} GHz, known to ± {} ppm (standard uncertainty, type B); at the end of a \
         worker it was up to {} ppm from that.",
        digits(first.hertz * 1e-9),
        digits(1e6 * largest(|counting| counting.u_relative)),
        digits(1e6 * largest(|counting| counting.drift.unwrap_or(0.0).abs())),
    ))
}

pub(super) fn resources(row: &Row<'_>) -> Option<String> {
    let known: Vec<&Resources> =
        row.case.measurements.iter().filter_map(|cell| cell.resources.as_ref()).collect();
    let mut parts = Vec::new();
    if let Some(memory) = known.iter().find_map(|found| found.memory) {
        parts.push(format!(
            "{}, {}, peak {}",
            counted(memory.allocations as usize, "allocation"),
            bytes(memory.bytes),
            bytes(memory.peak_bytes),
        ));
    }
    if let Some(found) = known.first() {
        for counter in &found.counters {
            // As the time is, so are events those of a call on average over the instances.
            let (mut per_call, mut whole) = (Vec::new(), true);
            for found in &known {
                for other in found.counters.iter().filter(|other| other.name == counter.name) {
                    per_call.push(other.per_call);
                    whole &= other.counted_share >= 0.99;
                }
            }
            let doubt = if whole { "" } else { " (extrapolated)" };
            let per_call = with_prefix(mean(per_call).unwrap_or(0.0));
            parts.push(format!("{per_call} {}{doubt}", visible(&counter.name)));
        }
        parts.extend(found.absent.iter().map(|reason| visible(reason)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A number of bytes: whole ones while they are few.
fn bytes(count: u64) -> String {
    if count < 1000 { format!("{count} B") } else { format!("{}B", with_prefix(count as f64)) }
}
