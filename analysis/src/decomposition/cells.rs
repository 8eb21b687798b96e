//! The table that a decomposition starts from.

use crate::error::{Result, check_count, check_finite, check_positive, check_shape};
use crate::sums;

/// Measurements of R runs × I instances × K repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cells<'a> {
    values: &'a [f64],
    runs: usize,
    instances: usize,
    repeats: usize,
}

/// On which scale effects add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Effects are in the unit of the values. Also for values that are log-ratios already.
    Raw,
    /// Effects are factors: the default for times.
    Log,
}

impl<'a> Cells<'a> {
    /// A complete table: the value of repeat k of instance i in run r stands at `(r·instances + i)·repeats + k`.
    ///
    /// # Errors
    /// When a count is 0, the number of values is not their product, or a value is not finite.
    pub fn new(values: &'a [f64], runs: usize, instances: usize, repeats: usize) -> Result<Self> {
        check_count("runs", runs, 1)?;
        check_count("instances", instances, 1)?;
        check_count("repeats", repeats, 1)?;
        let cells = runs.checked_mul(instances).and_then(|c| c.checked_mul(repeats));
        check_shape("values", cells.unwrap_or(usize::MAX), values.len())?;
        check_finite(values)?;
        Ok(Self { values, runs, instances, repeats })
    }

    /// All values, run by run.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Number of runs R.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Number of instances I.
    pub fn instances(&self) -> usize {
        self.instances
    }

    /// Number of repeats K of an instance within a run.
    pub fn repeats(&self) -> usize {
        self.repeats
    }

    pub(super) fn on(&self, scale: Scale) -> Result<Vec<f64>> {
        match scale {
            Scale::Raw => Ok(self.values.to_vec()),
            Scale::Log => {
                check_positive(self.values)?;
                Ok(self.values.iter().map(|x| libm::log(*x)).collect())
            }
        }
    }

    /// Mean of each cell on a scale, run by run.
    pub(super) fn cell_means(&self, scale: Scale) -> Result<Vec<f64>> {
        let values = self.on(scale)?;
        Ok(values.chunks_exact(self.repeats).map(|cell| sums::mean_and_spread(cell).0).collect())
    }
}

/// Robust z of each value, (x − median)/(1.4826·MAD): how far out it lies, whatever the others do.
///
/// `None` when more than half of the values are equal, so that the median absolute deviation is 0.
///
/// # Errors
/// When there are fewer than 3 values, or one is not finite.
pub fn robust_z(values: &[f64]) -> Result<Option<Vec<f64>>> {
    check_count("values", values.len(), 3)?;
    check_finite(values)?;
    let center = sums::median(values);
    let distances: Vec<f64> = values.iter().map(|x| (x - center).abs()).collect();
    let deviation = sums::median(&distances);
    let z: Vec<f64> = values.iter().map(|x| (x - center) / deviation / 1.4826).collect();
    Ok((deviation > 0.0 && z.iter().all(|x| x.is_finite())).then_some(z))
}
