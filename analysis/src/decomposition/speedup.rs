//! Does the speedup depend on the instance?

use super::cells::{Cells, Scale};
use super::variance::{Decomposition, decompose};
use crate::error::{Result, check_shape};
use crate::speedup::{Kind, Speedup, paired_log};

/// Speedups of each instance, and where their variance comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeedupByInstance {
    /// Decomposition of the log-ratios ln(base/new): its [`Decomposition::f_instance`] tests whether the
    /// speedup depends on the instance, its mean is the log of the geometric mean speedup.
    pub decomposition: Decomposition,
    /// Speedup of each instance over its runs, with σ from these runs alone.
    pub speedups: Vec<Speedup>,
}

impl SpeedupByInstance {
    /// Smallest and largest speedup of an instance.
    pub fn range(&self) -> (f64, f64) {
        self.speedups
            .iter()
            .fold((f64::INFINITY, 0.0), |(low, high), s| (low.min(s.speedup), high.max(s.speedup)))
    }
}

/// Decomposes the speedup of two variants that were measured in the same runs on the same instances.
///
/// Repeats are averaged on the log scale first; their numbers may differ between the sides.
///
/// # Errors
/// When the sides differ in runs or instances, have fewer than two of either, or a time is not positive.
pub fn speedup_by_instance(
    base: &Cells<'_>,
    new: &Cells<'_>,
    kind: Kind,
) -> Result<SpeedupByInstance> {
    check_shape("runs of new", base.runs(), new.runs())?;
    check_shape("instances of new", base.instances(), new.instances())?;
    let (runs, instances) = (base.runs(), base.instances());
    let (a, b) = (base.cell_means(Scale::Log)?, new.cell_means(Scale::Log)?);
    let ratios: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let decomposition = decompose(&Cells::new(&ratios, runs, instances, 1)?, Scale::Raw)?;
    let times = |logs: &[f64], i: usize| -> Vec<f64> {
        logs.iter().skip(i).step_by(instances).map(|y| libm::exp(*y)).collect()
    };
    let speedups = (0..instances)
        .map(|i| paired_log(&times(&a, i), &times(&b, i), kind))
        .collect::<Result<Vec<_>>>()?;
    Ok(SpeedupByInstance { decomposition, speedups })
}
