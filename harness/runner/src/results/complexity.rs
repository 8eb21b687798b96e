//! How well a power law explains the times of a variant over the sizes of its sweep.

use std::collections::BTreeMap;

use super::tables;
use crate::{
    analysis::power_law::{PowerLaw, power_law},
    record::Record,
};

/// A variant over the sizes of a sweep, on one number of processors.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepComplexity {
    /// `module::function`.
    pub function: String,
    /// Processors given to the kernel.
    pub processors: usize,
    /// How many sizes were measured.
    pub sizes: usize,
    /// The law, with its Performance Complexity.
    pub law: PowerLaw,
}

/// The size of a point: arguments of functions are sizes if they are whole numbers.
fn size_of(size: Option<f64>, point: &str) -> Option<f64> {
    size.or_else(|| point.parse::<u32>().ok().map(f64::from))
}

/// Whether a point has a size, so that its benchmark may be part of a sweep.
#[doc(hidden)]
pub fn is_of_sweep(size: Option<f64>, point: &str) -> bool {
    size_of(size, point).is_some()
}

/// The variants of a record that were measured at four or more sizes, in the order of their names. Sweeps with several
/// points of one size, which `cargo plusminus study` takes apart, are skipped.
pub fn complexities(record: &Record) -> Vec<SweepComplexity> {
    let mut sweeps: BTreeMap<(String, usize, usize), Vec<(f64, f64)>> = BTreeMap::new();
    for row in tables(record).iter().flat_map(|table| &table.rows) {
        let case = row.case;
        if let (Some(size), Some(time)) = (size_of(case.size, &case.point), &row.time) {
            let key = (case.function.clone(), case.processors, case.threads);
            sweeps.entry(key).or_default().push((size, time.estimate.value));
        }
    }
    let law = |((function, processors, _), mut points): (_, Vec<(f64, f64)>)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if points.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        let (sizes, times): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
        let law = power_law(&sizes, &times).ok()?;
        Some(SweepComplexity { function, processors, sizes: sizes.len(), law })
    };
    sweeps.into_iter().filter_map(law).collect()
}
