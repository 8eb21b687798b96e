//! Tables of strong scaling (one size) and weak scaling (size grows with p).

use super::metrics::{ParallelMetrics, parallel_metrics};
use crate::error::{Error, Result, check_count, check_positive, finite};
use crate::estimate::Estimate;
use crate::speedup::{Kind, Speedup};
use crate::summary::summarize;

/// Times of runs on p processors, one per run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured<'a> {
    /// Processors p.
    pub processors: usize,
    /// One time per run.
    pub times: &'a [f64],
}

impl<'a> Measured<'a> {
    /// Times on some processors.
    pub fn new(processors: usize, times: &'a [f64]) -> Self {
        Self { processors, times }
    }
}

/// One row of strong scaling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrongRow {
    /// Processors p.
    pub processors: usize,
    /// T(n, p) with its uncertainty.
    pub time: Estimate,
    /// Speedup against the best sequential program; `None` without one.
    pub real: Option<Speedup>,
    /// Speedup against T(n, 1); `None` when p = 1 was not measured, and for the row of p = 1 itself.
    pub relative: Option<Speedup>,
    /// Efficiency, overhead, Karp–Flatt and isoefficiency, from the real speedup if there is one, else from the
    /// relative one; [`Speedup::kind`] tells. `None` when neither is known.
    pub metrics: Option<ParallelMetrics>,
}

/// Strong scaling from times per processor count and, if known, times of the best sequential program.
///
/// # Errors
/// When there is no row, a processor count is 0 or occurs twice, or a time is not positive.
pub fn strong_scaling(
    measured: &[Measured<'_>],
    sequential: Option<&[f64]>,
) -> Result<Vec<StrongRow>> {
    check_count("processor counts", measured.len(), 1)?;
    let mut seen = std::collections::BTreeSet::new();
    for (index, m) in measured.iter().enumerate() {
        check_count("processors", m.processors, 1)?;
        if !seen.insert(m.processors) {
            let (value, reason) = (m.processors as f64, "this processor count occurs twice");
            return Err(Error::Invalid { index, value, reason });
        }
    }
    let best = sequential.map(time_of).transpose()?;
    let one = measured.iter().find(|m| m.processors == 1).map(|m| time_of(m.times)).transpose()?;
    let mut rows = Vec::with_capacity(measured.len());
    for m in measured {
        let time = time_of(m.times)?;
        let against = |reference: Option<Estimate>, kind| {
            reference.map(|r| parallel_metrics(r, time, m.processors, kind)).transpose()
        };
        let real = against(best, Kind::Real)?;
        // T(n,1)/T(n,1) is 1 by definition, without an uncertainty to speak of.
        let relative = against(one.filter(|_| m.processors > 1), Kind::Relative)?;
        rows.push(StrongRow {
            processors: m.processors,
            time,
            real: real.map(|r| r.speedup),
            relative: relative.map(|r| r.speedup),
            metrics: real.or(relative),
        });
    }
    Ok(rows)
}

/// Times of a size on p processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeakMeasured<'a> {
    /// Size n: part of the row's name, because each row solves another problem.
    pub size: f64,
    /// Processors p.
    pub processors: usize,
    /// Work of this size in any unit, such as edges: what the scaled speedup compares.
    pub work: f64,
    /// One time per run.
    pub times: &'a [f64],
}

/// One row of weak scaling, named by the pair (n, p).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeakRow {
    /// Size n.
    pub size: f64,
    /// Processors p.
    pub processors: usize,
    /// T(n, p) with its uncertainty.
    pub time: Estimate,
    /// Work per time relative to that of the first row: (W/T)/(W₁/T₁).
    pub scaled_speedup: Estimate,
    /// Scaled speedup over p/p₁: 1 when time stays flat while work grows with p.
    pub efficiency: Estimate,
    /// Work of this row over that of the first, divided by p/p₁: 1 for weak scaling as it is meant.
    pub work_per_processor: f64,
}

/// Weak scaling; the first row is what the others are compared with.
///
/// # Errors
/// When there is no row, or a size, a processor count, work or time is not positive.
pub fn weak_scaling(measured: &[WeakMeasured<'_>]) -> Result<Vec<WeakRow>> {
    check_count("pairs of size and processors", measured.len(), 1)?;
    let first = &measured[0];
    let first_time = time_of(first.times)?;
    let mut rows = Vec::with_capacity(measured.len());
    for (index, m) in measured.iter().enumerate() {
        check_positive(&[m.size, m.work])?;
        check_count("processors", m.processors, 1)?;
        let time = time_of(m.times)?;
        let work = finite(m.work / first.work, "the growth of work is too large for a number")?;
        let scaled = if index == 0 {
            Estimate::exact(1.0)
        } else {
            Speedup::from_estimates(first_time, time, Kind::Relative)?.estimate()
        };
        let times =
            |x: Estimate, f: f64| Estimate { value: x.value * f, u: x.u.map(|u| u * f), ..x };
        let growth = m.processors as f64 / first.processors as f64;
        let scaled_speedup = times(scaled, work);
        rows.push(WeakRow {
            size: m.size,
            processors: m.processors,
            time,
            scaled_speedup,
            efficiency: times(scaled_speedup, 1.0 / growth),
            work_per_processor: work / growth,
        });
    }
    Ok(rows)
}

fn time_of(times: &[f64]) -> Result<Estimate> {
    check_positive(times)?;
    Ok(summarize(times)?.estimate())
}
