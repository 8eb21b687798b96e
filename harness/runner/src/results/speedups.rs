//! Ratios of times: against the baseline variant of a table, against the best sequential variant, and against one
//! processor.

use super::{Row, Time, decided};
use crate::{
    analysis::{
        Confidence, Estimate, Interval,
        speedup::{Kind, Speedup},
        verdict::{self, Judgement, Margin},
    },
    record::{CaseRecord, Record, Role},
};
use plusminus_worker::order::{order, sorted};

/// How two times belong together, which decides how the uncertainty of their ratio is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// The same processes measured both: runs are pairs, and what they share cancels.
    Paired,
    /// Different processes measured them.
    Apart,
}

/// A speedup with its interval and verdict.
#[derive(Debug)]
pub struct Compared {
    /// S ± σ.
    pub speedup: Speedup,
    /// The interval that decides, on the log scale. The intervals of a table hold together at 1 − α.
    pub interval: Option<Interval>,
    /// The proven outcome.
    pub judgement: Judgement,
}

/// A real speedup, and what it is against.
#[derive(Debug, Clone, PartialEq)]
pub struct RealSpeedup {
    /// S ± σ.
    pub speedup: Speedup,
    /// The full name of the fastest sequential variant that was measured at the point.
    pub reference: String,
    /// The time of that variant, in nanoseconds.
    pub reference_ns: Estimate,
    /// Whether it is marked as the sequential reference.
    pub marked: bool,
}

impl RealSpeedup {
    /// Whether it proves (95 %) that the program it is of, marked as the best sequential one, is not: what is faster has no
    /// such mark.
    pub fn beats_a_reference(&self) -> bool {
        let interval = self.speedup.log_interval(Confidence::P95);
        !self.marked && interval.is_some_and(|interval| interval.high < 1.0)
    }
}

/// A case and its time, with the identity of its processes, which it may share with other cases.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The recorded case.
    pub case: &'a CaseRecord,
    /// Its time, if it has one.
    pub time: Option<&'a Time>,
    /// Which record it is from, where there are several.
    pub record: usize,
    /// Which table of the record it stands in.
    pub table: usize,
}

/// The real and the relative speedup of one case.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Against {
    /// Against the fastest sequential variant at the same point.
    pub real: Option<RealSpeedup>,
    /// T(n, 1) over T(n, p) of the same variant.
    pub relative: Option<Speedup>,
}

/// The speedups of the rows of a table over its baseline variant, one entry for each row.
pub(super) fn with_baseline(rows: &[Row<'_>], record: &Record) -> Vec<Option<Compared>> {
    let base = rows.iter().find(|row| row.case.role == Role::Baseline);
    let comparisons = rows.len().saturating_sub(1).max(1);
    let compared = |row: &Row<'_>| {
        let base = base.filter(|base| !std::ptr::eq(*base, row))?;
        let margin = Margin::new(record.settings.margin).ok()?;
        // One wrong claim anywhere in the table is what alpha limits.
        let confidence = Confidence::new(1.0 - record.settings.alpha / comparisons as f64).ok()?;
        let (old, new) = (base.time.as_ref()?, row.time.as_ref()?);
        let speedup = new.speedup_over(old, Kind::BetweenVariants, Pairing::Paired)?;
        if row.case.until_decided {
            // A look after each run needs intervals that hold after each of them.
            let seen = decided::from_times(record, old, new, comparisons)?;
            let conclusion = seen.conclude();
            let judgement = conclusion.judgement;
            // The typical ratio of the runs, which lies in this interval: that of the means may not.
            let typical = conclusion.speedup.unwrap_or(speedup.speedup);
            let speedup = Speedup { speedup: typical, sigma: conclusion.sigma, ..speedup };
            return Some(Compared { speedup, interval: judgement.interval, judgement });
        }
        let judgement = verdict::fixed(&speedup, margin, confidence);
        let interval = speedup.log_interval(confidence);
        Some(Compared { speedup, interval, judgement })
    };
    rows.iter().map(compared).collect()
}

/// The real and relative speedups of all cases, one entry for each.
///
/// A real speedup is relative to the fastest sequential variant that was measured at the same point, whatever its
/// role: a speedup over a slow sequential program means little (Eq. 1 of "Measuring parallel performance").
/// Sequential variants are those measured on one processor, and those marked `reference`, which use no other
/// processors. There is one where the problem has a reference, or where some variants were measured on several
/// processors and others on one only: a parallel program alone, on one processor, is no sequential program.
pub fn across(all: &[Placed<'_>]) -> Vec<Against> {
    let mut found: Vec<Against> = all.iter().map(|_| Against::default()).collect();
    let places = super::places::places(all);
    // Stable: of equally fast ones the first in the order of the source counts.
    let order = order(all.len(), &|a, b| places[a].cmp(&places[b]));
    for group in order.chunk_by(|&a, &b| places[a] == places[b]) {
        let members: Vec<&Placed<'_>> = group.iter().map(|&index| &all[index]).collect();
        let best = reference(&members);
        // One entry for each function on one processor, to be found by name.
        let on_one: Vec<&Placed<'_>> =
            members.iter().copied().filter(|placed| placed.case.processors == 1).collect();
        let on_one = sorted(&on_one, &|a, b| a.case.function.cmp(&b.case.function));
        for (&index, placed) in group.iter().zip(&members) {
            let Some(time) = placed.time else { continue };
            found[index].real =
                best.filter(|best| !std::ptr::eq(*best, *placed)).and_then(|best| {
                    let same = (best.record, best.table) == (placed.record, placed.table);
                    let pairing = if same { Pairing::Paired } else { Pairing::Apart };
                    let speedup = time.speedup_over(best.time?, Kind::Real, pairing)?;
                    let reference_ns = best.time?.estimate;
                    let marked = best.case.role == Role::Reference;
                    let reference = best.case.name.clone();
                    Some(RealSpeedup { speedup, reference, reference_ns, marked })
                });
            if placed.case.processors > 1 {
                let function = &placed.case.function;
                let at = on_one.binary_search_by(|other| other.case.function.cmp(function)).ok();
                found[index].relative = at.and_then(|at| {
                    time.speedup_over(on_one[at].time?, Kind::Relative, Pairing::Apart)
                });
            }
        }
    }
    found
}

/// Returns the reference of real speedups at a point: the fastest sequential variant.
fn reference<'p, 'a>(members: &[&'p Placed<'a>]) -> Option<&'p Placed<'a>> {
    let on_several: Vec<&str> = members
        .iter()
        .filter(|placed| placed.case.processors > 1)
        .map(|placed| placed.case.function.as_str())
        .collect();
    let on_several = sorted(&on_several, &Ord::cmp);
    let is_sequential = |placed: &&Placed<'_>| {
        let case = placed.case;
        case.role == Role::Reference
            || case.processors == 1
                && !on_several.is_empty()
                && on_several.binary_search(&case.function.as_str()).is_err()
    };
    members.iter().copied().find(is_sequential)?;
    let on_one = members.iter().filter(|placed| placed.case.runs_on_one());
    let timed = on_one.filter_map(|placed| Some((placed.time?.estimate.value, *placed)));
    timed.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, placed)| placed)
}
