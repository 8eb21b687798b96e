//! Times of configurations that were not measured, with intervals that count noise, the uncertainty of coefficients, and
//! the choice of a model.

use super::fit::{Fit, evaluate};
use super::model::Observation;
use crate::error::{Error, Result, check_count};
use crate::interval::Confidence;
use crate::special::student_t_two_sided_tail;

/// A predicted time, in the unit of the measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The median of the predictive distribution.
    pub time: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The predictive distribution of ln T by one model: Student's t, moved and scaled.
struct Part {
    weight: f64,
    center: f64,
    scale: f64,
    degrees_of_freedom: f64,
}

/// Halvings that find a quantile: more than a number has bits.
const HALVINGS: usize = 200;
/// Below this residual standard deviation of ln T a fit is exact but for rounding.
const ROUNDING: f64 = 1e-12;

/// Returns the weight of each fit by BIC, m·ln(SSE/m) + q·ln m, which is defined for fewer points than AICc.
///
/// All fits are of the same m measurements; q is the number of coefficients.
pub fn bic_weights(fits: &[Fit]) -> Vec<f64> {
    let costs: Vec<f64> = fits.iter().map(bic).collect();
    let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let likelihoods: Vec<f64> = costs.iter().map(|cost| libm::exp((best - cost) / 2.0)).collect();
    let total: f64 = likelihoods.iter().sum();
    likelihoods.iter().map(|likelihood| likelihood / total).collect()
}

fn bic(fit: &Fit) -> f64 {
    let m = fit.residuals.len() as f64;
    let mean_square = fit.complexity.sse.max(ROUNDING * ROUNDING);
    m * libm::log(mean_square) + fit.values().len() as f64 * libm::log(m)
}

/// Predicts the time of one more measurement at n and p, from several models that were fitted to the same measurements.
///
/// The distribution of ln T is the mixture of the models' own, by [`bic_weights`]. Each is Student's t with the
/// variance of the residuals plus that of the fitted curve at this place. Unlike [`Fit::predict`], it has no limit: the
/// interval widens with the distance instead, as far as the models know.
///
/// ```
/// use plusminus_analysis::models::{FitOptions, Model, Observation, fit, predict};
/// use plusminus_analysis::Confidence;
///
/// let times = [(64.0, 6.5), (128.0, 12.7), (256.0, 25.9), (512.0, 50.8)];
/// let observed: Vec<Observation> = times.map(|(n, time)| Observation::of_size(n, time)).to_vec();
/// let options = FitOptions::default();
/// let fits = [Model::Linear, Model::PowerLaw].map(|model| fit(model, &observed, &options).unwrap());
/// let predicted = predict(&fits, 2048.0, 1.0, Confidence::P95).unwrap();
/// assert!(predicted.low < 204.0 && predicted.high > 204.0);
/// ```
///
/// # Errors
/// Without a fit that leaves degrees of freedom, and when no model has a positive time there.
pub fn predict(fits: &[Fit], n: f64, p: f64, confidence: Confidence) -> Result<Prediction> {
    check_count("models", fits.len(), 1)?;
    let parts: Vec<Part> = fits
        .iter()
        .zip(bic_weights(fits))
        .filter_map(|(fit, weight)| part(fit, weight, &Observation { n, p, time: 1.0 }))
        .collect();
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    // This rejects NaN as well.
    let has_weight = total > 0.0;
    if !has_weight {
        return Err(Error::Undefined { what: "the models have no positive time with an interval" });
    }
    let tail = (1.0 - confidence.level()) / 2.0;
    let at = |share: f64| libm::exp(quantile(&parts, share * total));
    Ok(Prediction { time: at(0.5), low: at(tail), high: at(1.0 - tail) })
}

/// The distribution by one model; `None` without degrees of freedom or a positive time.
fn part(fit: &Fit, weight: f64, at: &Observation) -> Option<Part> {
    let coefficients = fit.search_start();
    let degrees = fit.residuals.len().checked_sub(coefficients.len()).filter(|left| *left > 0)?;
    let log = |coefficients: &[f64]| libm::log(evaluate(fit.model, coefficients, at));
    let center = log(&coefficients);
    let covariance = fit.covariance.as_ref()?;
    // The covariance is that of ln b, so slopes are by ln b as well; a coefficient at 0 has neither.
    let slopes: Vec<f64> = (0..coefficients.len())
        .map(|k| {
            let moved = |by: f64| {
                let mut moved = coefficients.clone();
                moved[k] *= libm::exp(by);
                log(&moved)
            };
            (moved(1e-5) - moved(-1e-5)) / 2e-5
        })
        .collect();
    let of_curve: f64 = covariance
        .iter()
        .zip(&slopes)
        .map(|(row, a)| row.iter().zip(&slopes).map(|(c, b)| a * c * b).sum::<f64>())
        .sum();
    let degrees_of_freedom = degrees as f64;
    let squares: f64 = fit.residuals.iter().map(|r| r * r).sum();
    let scale = (squares / degrees_of_freedom + of_curve.max(0.0)).sqrt().max(ROUNDING);
    (center.is_finite() && scale.is_finite()).then_some(Part {
        weight,
        center,
        scale,
        degrees_of_freedom,
    })
}

/// Where the weights of a mixture below it reach this much.
fn quantile(parts: &[Part], wanted: f64) -> f64 {
    let below = |y: f64| -> f64 {
        let of = |part: &Part| {
            let t = (y - part.center) / part.scale;
            let tail = student_t_two_sided_tail(t, part.degrees_of_freedom) / 2.0;
            part.weight * if t > 0.0 { 1.0 - tail } else { tail }
        };
        parts.iter().map(of).sum()
    };
    // One degree of freedom has 2.5 % beyond 13 scales.
    let reach = |part: &Part, sign: f64| part.center + sign * 1e4 * part.scale;
    let mut low = parts.iter().map(|part| reach(part, -1.0)).fold(f64::INFINITY, f64::min);
    let mut high = parts.iter().map(|part| reach(part, 1.0)).fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if below(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{FitOptions, Model, fit};
    use crate::random::Random;

    fn fits(models: &[Model], observed: &[Observation]) -> Vec<Fit> {
        let options = FitOptions::default();
        models.iter().filter_map(|model| fit(*model, observed, &options).ok()).collect()
    }

    /// A straight line through the origin: the interval is the textbook's for a new observation.
    #[test]
    fn one_model_has_the_interval_of_a_regression() {
        let errors = [0.02, -0.01, 0.03, -0.04];
        let observed: Vec<Observation> = errors
            .iter()
            .zip([64.0, 128.0, 256.0, 512.0])
            .map(|(error, n)| Observation::of_size(n, 0.1 * n * libm::exp(*error)))
            .collect();
        let found = predict(&fits(&[Model::Linear], &observed), 4096.0, 1.0, Confidence::P95);
        let found = found.unwrap();
        // ln c is the mean of four, so that s²(1 + 1/4) is the variance; t with 3 degrees of freedom is 3.182.
        let spread = crate::summary::summarize(&errors).unwrap().spread.unwrap();
        let reach = 3.182_446 * spread * 1.25_f64.sqrt();
        assert!((libm::log(found.high / found.time) / reach - 1.0).abs() < 1e-5);
        assert!((libm::log(found.time / found.low) / reach - 1.0).abs() < 1e-5);
        assert!((found.time / 409.6 - 1.0).abs() < 1e-9);
        assert!(predict(&[], 1.0, 1.0, Confidence::P95).is_err());
    }

    /// Laws that are among the models, with noise of 3 %: 95 % intervals hold about as often.
    #[test]
    fn intervals_hold_as_often_as_they_say() {
        let laws: [fn(f64) -> f64; 3] =
            [|n| 2.0 * n, |n| 500.0 + 3.0 * n, |n| 0.5 * n * libm::log2(n)];
        let models = [Model::Constant, Model::Linear, Model::Affine, Model::NLogN, Model::PowerLaw];
        let mut random = Random::new(7);
        let (mut inside, mut all) = (0, 0);
        for round in 0..300 {
            let law = laws[round % laws.len()];
            let mut time = |n: f64| law(n) * libm::exp(0.03 * random.normal());
            let sizes = (0..6).map(|k| f64::from(64 << k));
            let observed: Vec<Observation> =
                sizes.map(|n| Observation::of_size(n, time(n))).collect();
            let measured = time(8192.0);
            let found = predict(&fits(&models, &observed), 8192.0, 1.0, Confidence::P95).unwrap();
            all += 1;
            inside += usize::from((found.low..=found.high).contains(&measured));
        }
        let share = inside as f64 / f64::from(all);
        assert!((0.90..=0.995).contains(&share), "{share}");
    }
}
