//! Student's t distribution with any positive number of degrees of freedom, whole or not.

use super::beta::{incomplete_beta, power_term};
use super::normal::{normal_cdf, normal_quantile};

/// From here on the expansion in 1/ν is exact to the last digit.
const NEARLY_NORMAL: f64 = 1e6;

/// P(|T| > |t|) with ν degrees of freedom.
///
/// # Panics
/// When ν is not positive, or t is NaN.
pub fn student_t_two_sided_tail(t: f64, degrees_of_freedom: f64) -> f64 {
    assert!(degrees_of_freedom > 0.0 && !t.is_nan(), "t = {t}, ν = {degrees_of_freedom}");
    if degrees_of_freedom > 1e10 {
        return 2.0 * normal_cdf(-t.abs());
    }
    let (x, y) = coordinates(t, degrees_of_freedom);
    incomplete_beta(degrees_of_freedom / 2.0, 0.5, x, y)
}

/// The t > 0 with P(|T| > t) = `tail`: the factor of a two-sided interval of confidence 1 − tail.
///
/// # Panics
/// When the probability does not lie strictly between 0 and 1, or ν is not positive.
pub fn student_t_two_sided_quantile(tail: f64, degrees_of_freedom: f64) -> f64 {
    let nu = degrees_of_freedom;
    assert!(tail > 0.0 && tail < 1.0, "tail probability {tail} outside of (0, 1)");
    assert!(nu > 0.0, "degrees of freedom {nu}");
    let expanded = expansion(-normal_quantile(tail / 2.0), nu);
    if nu > NEARLY_NORMAL {
        return expanded;
    }
    // Newton on ln P against ln t. That curve falls and is concave, so the steps come in from one side.
    let mut log_t = libm::log(if nu >= 3.0 { expanded } else { 1.0 });
    for _ in 0..200 {
        let t = libm::exp(log_t);
        let (x, y) = coordinates(t, nu);
        let probability = incomplete_beta(nu / 2.0, 0.5, x, y);
        let slope = -2.0 * power_term(nu / 2.0, 0.5, x, y) / probability;
        let step = ((libm::log(tail) - libm::log(probability)) / slope).clamp(-2.0, 2.0);
        log_t += step;
        if step.abs() < 1e-15 {
            break;
        }
    }
    libm::exp(log_t)
}

/// ν/(ν+t²) and t²/(ν+t²), the arguments of the incomplete beta function.
fn coordinates(t: f64, nu: f64) -> (f64, f64) {
    let ratio = t * t / nu;
    (1.0 / (1.0 + ratio), 1.0 / (1.0 + 1.0 / ratio))
}

/// The t quantile as the normal one plus terms in 1/ν (Abramowitz and Stegun 26.7.5).
fn expansion(z: f64, nu: f64) -> f64 {
    let w = z * z;
    let first = (w + 1.0) / 4.0;
    let second = ((5.0 * w + 16.0) * w + 3.0) / 96.0;
    let third = (((3.0 * w + 19.0) * w + 17.0) * w - 15.0) / 384.0;
    z * (1.0 + (first + (second + third / nu) / nu) / nu)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(a: f64, b: f64) -> f64 {
        ((a - b) / b).abs()
    }

    #[test]
    fn closed_forms_for_one_two_and_four_degrees() {
        for p in [1e-12, 1e-6, 0.001, 0.025, 0.2, 0.4] {
            let one = 1.0 / libm::tan(std::f64::consts::PI * p);
            assert!(relative(student_t_two_sided_quantile(2.0 * p, 1.0), one) < 1e-12, "{p}");
            let a = 4.0 * p * (1.0 - p);
            let two = 2.0 * (0.5 - p) * libm::sqrt(2.0 / a);
            assert!(relative(student_t_two_sided_quantile(2.0 * p, 2.0), two) < 1e-12, "{p}");
            let q = libm::cos(libm::acos(libm::sqrt(a)) / 3.0) / libm::sqrt(a);
            let four = 2.0 * libm::sqrt(q - 1.0);
            // The closed form cancels for p close to ½ and in the far tail: a looser bound.
            assert!(relative(student_t_two_sided_quantile(2.0 * p, 4.0), four) < 1e-9, "{p}");
        }
    }

    #[test]
    fn quantile_inverts_the_tail() {
        for nu in [0.3, 1.0, 1.5, 2.0, 3.0, 10.667, 99.0, 5e3, 9.9e5, 2e6, 1e9] {
            for tail in [1e-15, 1e-9, 1e-4, 0.05, 0.317, 0.8, 0.999] {
                let t = student_t_two_sided_quantile(tail, nu);
                let back = student_t_two_sided_tail(t, nu);
                // A tail probability is up to t² times as sensitive as t itself.
                let bound = 1e-13 * (10.0 + t.min(30.0).powi(2));
                assert!(relative(back, tail) < bound, "ν {nu} tail {tail}: {back}");
            }
        }
    }

    #[test]
    fn extremes_are_finite_and_ordered() {
        assert_eq!(student_t_two_sided_tail(f64::INFINITY, 3.0), 0.0);
        assert_eq!(student_t_two_sided_tail(0.0, 3.0), 1.0);
        assert!(student_t_two_sided_tail(-1e200, 3.0) >= 0.0);
    }
}
