//! Does the speedup depend on the instance?

use super::cells::{Cells, Scale};
use super::variance::{Decomposition, decompose};
use crate::error::{Result, check_shape};
use crate::sums;

/// Speedups of each instance, and where their variance comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeedupByInstance {
    /// Decomposition of the log-ratios ln(base/new): its [`Decomposition::f_instance`] tests whether the
    /// speedup depends on the instance, its mean is the log of the geometric mean speedup.
    pub decomposition: Decomposition,
    /// Speedup of each instance: the geometric mean of its runs' ratios.
    pub speedups: Vec<f64>,
}

impl SpeedupByInstance {
    /// Smallest and largest speedup of an instance.
    pub fn range(&self) -> (f64, f64) {
        let ends = |(low, high): (f64, f64), s: &f64| (low.min(*s), high.max(*s));
        self.speedups.iter().fold((f64::INFINITY, 0.0), ends)
    }
}

/// Decomposes the speedup of two variants that were measured in the same runs on the same instances.
///
/// Repeats are averaged on the log scale first; their numbers may differ between the sides.
///
/// # Errors
/// When the sides differ in runs or instances, have fewer than two of either, or a time is not positive.
pub fn speedup_by_instance(base: &Cells<'_>, new: &Cells<'_>) -> Result<SpeedupByInstance> {
    check_shape("runs of new", base.runs(), new.runs())?;
    check_shape("instances of new", base.instances(), new.instances())?;
    let (runs, instances) = (base.runs(), base.instances());
    let (a, b) = (base.cell_means(Scale::Log)?, new.cell_means(Scale::Log)?);
    let ratios: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let decomposition = decompose(&Cells::new(&ratios, runs, instances, 1)?, Scale::Raw)?;
    let mean = |i| sums::sum(ratios.iter().skip(i).step_by(instances).copied()) / runs as f64;
    let speedups = (0..instances).map(|i| libm::exp(mean(i))).collect();
    Ok(SpeedupByInstance { decomposition, speedups })
}
