//! Which mean is right depends on the kind of metric: arithmetic for costs, harmonic for rates,
//! geometric for ratios (Hoefler & Belli 2015, rules 3 and 4).

use crate::error::{Result, check_count, check_finite, check_positive, finite};
use crate::estimate::Estimate;
use crate::sums;

/// What kind of number a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// Seconds, bytes, joules: adds up, so the arithmetic mean.
    Cost,
    /// Something per second at equal work: the harmonic mean.
    Rate,
    /// A quotient of two measured numbers: the geometric mean.
    Ratio,
}

/// The mean that belongs to the kind of metric, with its standard uncertainty.
///
/// The uncertainties of the harmonic and geometric mean follow from (VoV 5) on 1/x and ln x by (VoV 6).
///
/// ```
/// use plusminus_analysis::summary::{average, MetricKind};
///
/// // The same distance at 30 and at 60 km/h takes as long as at 40 km/h throughout.
/// assert!((average(&[30.0, 60.0], MetricKind::Rate).unwrap().value - 40.0).abs() < 1e-12);
/// ```
///
/// # Errors
/// When there is no value, a value is not finite, or a rate or ratio is not positive.
pub fn average(samples: &[f64], kind: MetricKind) -> Result<Estimate> {
    check_count("samples", samples.len(), 1)?;
    let (value, u) = match kind {
        MetricKind::Cost => {
            check_finite(samples)?;
            sums::mean_and_spread(samples)
        }
        MetricKind::Rate => {
            let value = harmonic_mean(samples)?;
            let relative: Vec<f64> = samples.iter().map(|x| value / x).collect();
            (value, sums::mean_and_spread(&relative).1 * value)
        }
        MetricKind::Ratio => {
            let value = geometric_mean(samples)?;
            let logs: Vec<f64> = samples.iter().map(|x| libm::log(*x)).collect();
            (value, sums::mean_and_spread(&logs).1 * value)
        }
    };
    let n = samples.len() as f64;
    let several = samples.len() >= 2;
    Ok(Estimate {
        value: finite(value, "the mean is too large for a number")?,
        u: Some(u / n.sqrt()).filter(|u| several && u.is_finite()),
        degrees_of_freedom: several.then_some(n - 1.0),
    })
}

/// exp(mean ln x).
///
/// # Errors
/// When there is no value, or one that is not positive and finite.
pub fn geometric_mean(samples: &[f64]) -> Result<f64> {
    check_count("samples", samples.len(), 1)?;
    check_positive(samples)?;
    let mean = sums::sum(samples.iter().map(|x| libm::log(*x))) / samples.len() as f64;
    finite(libm::exp(mean), "the geometric mean is too large for a number")
}

/// n / Σ 1/x.
///
/// # Errors
/// As [`geometric_mean`].
pub fn harmonic_mean(samples: &[f64]) -> Result<f64> {
    check_count("samples", samples.len(), 1)?;
    check_positive(samples)?;
    // In units of the smallest value no reciprocal overflows.
    let smallest = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let total = sums::sum(samples.iter().map(|x| smallest / x));
    Ok(samples.len() as f64 / total * smallest)
}
