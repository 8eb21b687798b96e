//! Numbers that certain models are fitted for: serial fractions, contention, coherency and the peak.

use super::fit::Fit;
use super::model::Model;
use crate::estimate::Estimate;
use crate::sums::dot;

/// The properties of a program by the Universal Scalability Law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UslShape {
    /// T(1) by the model.
    pub time_on_one: Estimate,
    /// Contention σ.
    pub contention: Estimate,
    /// Coherency κ.
    pub coherency: Estimate,
    /// Processors at the peak, p* = √((1−σ)/κ). `None` without one, or when it lies beyond twice the measured
    /// p: the data do not show it.
    pub peak: Option<Estimate>,
}

/// A sequential share; its base depends on the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SerialFraction {
    /// Of the sequential time (Amdahl's f).
    OfSequentialTime(Estimate),
    /// Of the time on p processors (Gustafson's s').
    OfParallelTime(Estimate),
}

impl Fit {
    /// Contention, coherency and peak; `None` for other models than [`Model::Usl`].
    pub fn usl(&self) -> Option<UslShape> {
        if self.model != Model::Usl {
            return None;
        }
        let [a, b, c] = *self.values() else { return None };
        let (sigma, kappa) = (b / a, c / a);
        let peak = ((1.0 - sigma) / kappa).sqrt();
        let shown = peak.is_finite() && peak > 1.0 && peak <= 2.0 * self.processors.1;
        Some(UslShape {
            time_on_one: self.derived(a, &[a, 0.0, 0.0]),
            contention: self.derived(sigma, &[-sigma, sigma, 0.0]),
            coherency: self.derived(kappa, &[-kappa, 0.0, kappa]),
            // ∂p*/∂ln b: p*² = (a − b)/c.
            peak: shown.then(|| {
                let half = 1.0 / (2.0 * peak * c);
                self.derived(peak, &[a * half, -b * half, -peak / 2.0])
            }),
        })
    }

    /// The sequential share; `None` for models other than [`Model::Amdahl`], its extensions and
    /// [`Model::Gustafson`].
    pub fn serial_fraction(&self) -> Option<SerialFraction> {
        let v = self.values();
        match self.model {
            Model::Amdahl | Model::AmdahlPlusLog | Model::AmdahlPlusLinear => {
                // f = a/(a+b): ∂f/∂ln a = f(1−f) = −∂f/∂ln b.
                let f = v[0] / (v[0] + v[1]);
                let slope = f * (1.0 - f);
                let mut slopes = vec![0.0; v.len()];
                (slopes[0], slopes[1]) = (slope, -slope);
                Some(SerialFraction::OfSequentialTime(self.derived(f, &slopes)))
            }
            Model::Gustafson => {
                let s = v[0] / (v[0] + v[1]);
                let slope = s * (1.0 - s);
                Some(SerialFraction::OfParallelTime(self.derived(s, &[slope, -slope])))
            }
            _ => None,
        }
    }

    /// A function of the coefficients with u from the covariance of their logarithms (VoV 6).
    fn derived(&self, value: f64, slopes: &[f64]) -> Estimate {
        let degrees = self.residuals.len() as f64 - self.values().len() as f64;
        let u = self.covariance.as_ref().map(|c| {
            let variance: f64 = slopes.iter().zip(c).map(|(s, row)| s * dot(slopes, row)).sum();
            variance.max(0.0).sqrt()
        });
        // At its bound a share of 0 has no first-order uncertainty.
        let u = u.filter(|u| *u > 0.0 && u.is_finite());
        Estimate { value, u, degrees_of_freedom: u.map(|_| degrees) }
    }
}
