//! Tables of weak scaling, where the size grows with p.

use crate::error::{Result, check_count, check_positive, finite};
use crate::estimate::Estimate;
use crate::speedup::{Kind, Speedup};

/// The time of a size on p processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeakMeasured {
    /// Size n: part of the row's name, because each row solves another problem.
    pub size: f64,
    /// Processors p.
    pub processors: usize,
    /// Work of this size in any unit, such as edges, for the scaled speedup.
    pub work: f64,
    /// T(n, p) with its uncertainty.
    pub time: Estimate,
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

/// Weak scaling; the first row is the reference of the others.
///
/// # Errors
/// When there is no row, or a size, a processor count, work or time is not positive.
pub fn weak_scaling(measured: &[WeakMeasured]) -> Result<Vec<WeakRow>> {
    check_count("pairs of size and processors", measured.len(), 1)?;
    let first = &measured[0];
    let mut rows = Vec::with_capacity(measured.len());
    for (index, m) in measured.iter().enumerate() {
        check_positive(&[m.size, m.work])?;
        check_count("processors", m.processors, 1)?;
        let time = m.time;
        check_positive(&[time.value])?;
        let work = finite(m.work / first.work, "the growth of work is too large for a number")?;
        let scaled = if index == 0 {
            Estimate::exact(1.0)
        } else {
            Speedup::from_estimates(first.time, time, Kind::Relative)?.estimate()
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
