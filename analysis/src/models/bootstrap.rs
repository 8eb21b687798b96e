//! Intervals for coefficients from resampled configurations, which do not assume that residuals are normal.

use super::fit::{Fit, coefficients};
use super::model::{Model, Observation};
use super::search::FitOptions;
use crate::error::{Error, Result, check_count};
use crate::interval::{Confidence, Interval};
use crate::random::Random;

/// Percentile interval of a coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BootstrapInterval {
    /// Name of the coefficient.
    pub name: &'static str,
    /// Where the middle of the resampled values lies.
    pub interval: Interval,
}

/// Below this number of configurations percentile intervals are too short to be told.
const MINIMUM_CONFIGURATIONS: usize = 12;
/// Resamples.
const RESAMPLES: usize = 1_000;

/// Refits the model to 1000 seeded resamples of whole configurations.
///
/// # Errors
/// When there are fewer than 12 configurations, or more than a tenth of the resamples cannot be fitted.
pub fn bootstrap(
    fit: &Fit,
    observed: &[Observation],
    options: &FitOptions,
    confidence: Confidence,
    seed: u64,
) -> Result<Vec<BootstrapInterval>> {
    check_count("configurations", observed.len(), MINIMUM_CONFIGURATIONS)?;
    let mut random = Random::new(seed);
    let names = fit.model.coefficient_names();
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); names.len()];
    let start = fit.search_start();
    for _ in 0..RESAMPLES {
        let picks: Vec<usize> = (0..observed.len()).map(|_| random.below(observed.len())).collect();
        let sample: Vec<Observation> = picks.iter().map(|i| observed[*i]).collect();
        let mut options = options.clone();
        if !options.rsu.is_empty() {
            options.rsu = picks.iter().map(|i| options.rsu[*i]).collect();
        }
        if let Ok(found) = coefficients(fit.model, &sample, &options, Some(&start)) {
            for (k, draw) in draws.iter_mut().enumerate() {
                let value = found.coefficients[k];
                let is_exponent = fit.model == Model::PowerLaw && k == 1;
                draw.push(if is_exponent { libm::log(value) } else { value });
            }
        }
    }
    let fitted = draws[0].len();
    if 10 * fitted < 9 * RESAMPLES {
        let what = "too many resamples do not determine the coefficients";
        return Err(Error::Undefined { what });
    }
    let tail = (1.0 - confidence.level()) / 2.0;
    Ok(names
        .iter()
        .zip(&mut draws)
        .map(|(name, draw)| {
            draw.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| draw[((fitted - 1) as f64 * share).round() as usize];
            BootstrapInterval { name, interval: Interval { low: at(tail), high: at(1.0 - tail) } }
        })
        .collect())
}
