//! The regularized incomplete beta function, and the F distribution through it.

use std::f64::consts::PI;

/// I_x(a, b), the regularized incomplete beta function, for a, b > 0.
///
/// `y` is 1 − x, which the caller often knows to more digits than the subtraction would leave.
///
/// # Panics
/// When a or b is not positive and finite, or x or y lies outside of \[0, 1\].
pub fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    assert!(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite(), "I_x({a}, {b})");
    assert!((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y), "x = {x}, 1 − x = {y}");
    if x == 0.0 || y == 0.0 {
        return if x == 0.0 { 0.0 } else { 1.0 };
    }
    let front = power_term(a, b, x, y);
    let lambda = if a > b { (a + b) * y - b } else { a - (a + b) * x };
    // Left of the mean the continued fraction converges fast; right of it the mirrored one does.
    if lambda >= 0.0 {
        front / continued_fraction(a, b, x, y, lambda)
    } else {
        1.0 - front / continued_fraction(b, a, y, x, -lambda)
    }
}

/// P(F > `statistic`) with `numerator` and `denominator` degrees of freedom.
///
/// # Panics
/// When the degrees of freedom are not positive, or the statistic is negative or NaN.
pub fn f_upper_tail(statistic: f64, numerator: f64, denominator: f64) -> f64 {
    assert!(statistic >= 0.0, "F = {statistic}");
    let scaled = statistic * numerator / denominator;
    let x = 1.0 / (1.0 + scaled);
    let y = 1.0 / (1.0 + 1.0 / scaled);
    incomplete_beta(denominator / 2.0, numerator / 2.0, x, y)
}

/// x^a y^b / B(a, b), written as deviances from the mean so that large a and b lose no digits (Loader 2000).
pub(crate) fn power_term(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    libm::sqrt(a * b / (2.0 * PI * n)) * libm::exp(exponent)
}

/// ln Γ(z+1) − (z+½) ln z + z − ½ ln 2π: what Stirling's formula leaves over.
fn stirling_error(z: f64) -> f64 {
    if z < 15.0 {
        return libm::lgamma(z + 1.0) - (z + 0.5) * libm::log(z) + z - 0.5 * libm::log(2.0 * PI);
    }
    let w = 1.0 / (z * z);
    (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0)))) / z
}

/// x ln(x/m) + m − x ≥ 0, without cancellation when x is close to m.
fn deviance(x: f64, m: f64) -> f64 {
    let relative = (x - m) / (x + m);
    if relative.abs() >= 0.1 {
        return x * libm::log(x / m) + m - x;
    }
    // ln(x/m) = 2 artanh(relative) as a series.
    let squared = relative * relative;
    let mut term = 2.0 * x * relative;
    let mut total = (x - m) * relative;
    let mut odd = 1.0;
    loop {
        term *= squared;
        odd += 2.0;
        let next = total + term / odd;
        if next == total {
            return total;
        }
        total = next;
    }
}

/// The continued fraction b₁ + a₂/(b₂ + a₃/(b₃ + …)) of DiDonato and Morris (1992, Eq. 9), evaluated from the front.
///
/// `lambda` is a − (a+b)x ≥ 0, computed without cancellation; with it the terms keep their digits for large a.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64, lambda: f64) -> f64 {
    let denominator = |m: f64| {
        m + m * (b - m) * x / (a + 2.0 * m - 1.0)
            + (a + m) * (lambda + 1.0 + m * (1.0 + y)) / (a + 2.0 * m + 1.0)
    };
    // m = 0 apart: its middle term is 0/(a−1).
    let mut result = a * (lambda + 1.0) / (a + 1.0);
    let mut c = result;
    let mut d = 0.0;
    // Needs at most about √max(a, b) steps.
    for step in 1..200_000 {
        let m = f64::from(step);
        let odd = a + 2.0 * m - 1.0;
        let numerator = (a + m - 1.0) / odd * ((a + b + m - 1.0) / odd) * m * (b - m) * x * x;
        let plain = denominator(m);
        d = 1.0 / (plain + numerator * d);
        c = plain + numerator / c;
        let factor = c * d;
        result *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        // I_x(1, b) = 1 − (1−x)^b and I_x(a, 1) = x^a.
        for x in [1e-12, 0.01, 0.3, 0.5, 0.9, 0.999] {
            for b in [0.5_f64, 1.0, 3.0, 20.0] {
                let y: f64 = 1.0 - x;
                let upper = -libm::expm1(b * libm::log1p(-x));
                let first = incomplete_beta(1.0, b, x, y) / upper;
                assert!((first - 1.0).abs() < 1e-13, "I_{x}(1, {b}): {first}");
                let second = incomplete_beta(b, 1.0, x, y) / x.powf(b);
                assert!((second - 1.0).abs() < 1e-13, "I_{x}({b}, 1): {second}");
            }
        }
    }

    #[test]
    fn f_with_two_numerator_degrees_is_a_power() {
        // P(F > f) = (1 + 2f/d)^(−d/2) for numerator 2.
        for (f, d) in [(0.1, 3.0), (1.0, 7.0), (4.0, 20.0), (60.0, 5.0)] {
            let expected = libm::pow(1.0 + 2.0 * f / d, -d / 2.0);
            assert!((f_upper_tail(f, 2.0, d) / expected - 1.0).abs() < 1e-13);
        }
        assert_eq!(f_upper_tail(0.0, 3.0, 4.0), 1.0);
    }
}
