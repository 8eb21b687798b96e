//! A confidence sequence for the mean of blocks: an interval that may be looked at after every block.

use super::POWER_80;
use crate::error::{Error, Result, check_probability};
use crate::interval::Interval;

/// The factor c_n(α): after n blocks the interval is mean ± c_n·s/√n. `None` where it is infinite.
///
/// From the Gaussian mixture over standardised effects with prior scale g (Lai 1976; Wang & Ramdas 2023).
/// Fewer than two blocks give `None`.
pub fn sequence_factor(n: usize, alpha: f64, prior: f64) -> Option<f64> {
    if n < 2 {
        return None;
    }
    let size = n as f64;
    let inflation = 1.0 + size * prior;
    let r = libm::exp(2.0 / size * (0.5 * libm::log(inflation) - libm::log(alpha)));
    (r < inflation).then(|| ((size - 1.0) * (r - 1.0) / (1.0 - r / inflation)).sqrt())
}

/// Returns the least number of blocks that is enough, if more are enough as well; `None` if it is more than 100 000.
pub(super) fn least_enough(is_enough: impl Fn(usize) -> bool) -> Option<usize> {
    const MOST: usize = 100_000;
    // Doubling finds an upper limit, halving the number.
    let (mut too_few, mut enough) = (1, 2);
    while !is_enough(enough) {
        if enough == MOST {
            return None;
        }
        (too_few, enough) = (enough, (2 * enough).min(MOST));
    }
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        if is_enough(middle) { enough = middle } else { too_few = middle }
    }
    Some(enough)
}

/// The prior scale g of sequences: the compromise for 6 to 30 blocks. A smaller one is better for many, a larger one for few.
const PRIOR: f64 = 1.0;

/// An anytime-valid interval for the mean of independent, near-normal values that arrive one by one.
///
/// The probability that it *ever* excludes the true mean is at most α, so it is allowed to look after each
/// value and to stop for any reason. Keeps running sums only. Values are log-ratios d = ln(t_new/t_base),
/// one per block.
///
/// ```
/// use plusminus_analysis::verdict::ConfidenceSequence;
///
/// let mut sequence = ConfidenceSequence::new(0.05).unwrap();
/// for d in [0.0121, 0.0183, 0.0094, 0.0212, 0.0150, 0.0107, 0.0171, 0.0132] {
///     sequence.push(d).unwrap();
/// }
/// let interval = sequence.interval().unwrap();
/// assert!((interval.low - 0.0085568).abs() < 1e-7 && (interval.high - 0.0206932).abs() < 1e-7);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidenceSequence {
    alpha: f64,
    floor: f64,
    n: usize,
    mean: f64,
    squares: f64,
    // Infinite until the first finite interval; never shown in that state.
    low: f64,
    high: f64,
    largest_ln_e: f64,
}

impl ConfidenceSequence {
    /// A sequence that ever errs with probability at most `alpha`, with a prior scale that suits 6 to 30 blocks.
    ///
    /// # Errors
    /// When alpha does not lie strictly between 0 and 1.
    pub fn new(alpha: f64) -> Result<Self> {
        check_probability("alpha", alpha)?;
        Ok(Self {
            alpha,
            floor: 0.0,
            n: 0,
            mean: 0.0,
            squares: 0.0,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            largest_ln_e: 0.0,
        })
    }

    /// The standard uncertainty that the clock alone gives to one value, tick/(t·√6): s is never taken as less.
    ///
    /// # Errors
    /// When it is negative or not finite, or values have arrived already.
    pub fn with_resolution(mut self, uncertainty: f64) -> Result<Self> {
        if !(uncertainty >= 0.0 && uncertainty.is_finite()) || self.n > 0 {
            let reason = "it must be finite, not negative, and given before the first block";
            return Err(Error::Parameter { name: "resolution", value: uncertainty, reason });
        }
        self.floor = uncertainty;
        Ok(self)
    }

    /// Adds the next value.
    ///
    /// # Errors
    /// When it is not finite; the sequence stays as it was.
    pub fn push(&mut self, d: f64) -> Result<()> {
        // Squares of larger log-ratios would overflow; exp of them does long before.
        if d.is_nan() || d.abs() > 1e100 {
            let reason = "a block's log-ratio must be finite";
            return Err(Error::Invalid { index: self.n, value: d, reason });
        }
        self.n += 1;
        let delta = d - self.mean;
        self.mean += delta / self.n as f64;
        self.squares += delta * (d - self.mean);
        if let Some(now) = self.current_interval() {
            self.low = self.low.max(now.low);
            self.high = self.high.min(now.high);
        }
        if let Some(ln_e) = self.ln_e_value(0.0) {
            self.largest_ln_e = self.largest_ln_e.max(ln_e);
        }
        Ok(())
    }

    /// Number of values so far.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Mean of the values; `None` before the first.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// Sample standard deviation of the values, not below the clock's resolution; `None` before the second
    /// value, and while all values are equal and no resolution was given.
    pub fn spread(&self) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let s = (self.squares.max(0.0) / (self.n - 1) as f64).sqrt().max(self.floor);
        (s > 0.0).then_some(s)
    }

    /// Standard uncertainty of the mean, s/√n.
    pub fn u(&self) -> Option<f64> {
        self.spread().map(|s| s / (self.n as f64).sqrt())
    }

    /// The interval to report: mean ± c_n·s/√n of all values so far.
    ///
    /// The probability that it excludes the true mean at any moment is at most α, so it may be looked at after each value,
    /// and measuring may stop for any reason. The mean always lies in it.
    pub fn current_interval(&self) -> Option<Interval> {
        self.current_interval_at(self.alpha)
    }

    /// The same at another α.
    pub fn current_interval_at(&self, alpha: f64) -> Option<Interval> {
        let reach = sequence_factor(self.n, alpha, PRIOR)? * self.u()?;
        Interval::checked(self.mean - reach, self.mean + reach)
    }

    /// The intersection of all intervals so far, at the same α. `None` before the first finite one, and when they contradict
    /// each other ([`Self::is_empty`]).
    ///
    /// It is narrower than [`Self::current_interval`], but the mean may lie outside of it: it shows whether measuring
    /// changed on the way, and is not the interval to print with the mean.
    pub fn interval(&self) -> Option<Interval> {
        Interval::checked(self.low, self.high)
    }

    /// Do earlier and later intervals exclude each other? Then the machine or the program changed while
    /// measuring, or the values depend on each other: no verdict can be trusted.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// ln E_n(μ): evidence against the mean being μ, as the logarithm of a bet's winnings.
    pub fn ln_e_value(&self, mean: f64) -> Option<f64> {
        let u = self.u()?;
        let n = self.n as f64;
        let inflation = 1.0 + n * PRIOR;
        let t = (self.mean - mean) / u;
        // (1 + t²/ν)/(1 + t²/(ν·inflation)) tends to `inflation` for large t; divided by t² first it cannot overflow.
        let scaled = t * t / (n - 1.0);
        let gain = if scaled > 1.0 {
            libm::log((1.0 / scaled + 1.0) / (1.0 / scaled + 1.0 / inflation))
        } else {
            libm::log1p(scaled) - libm::log1p(scaled / inflation)
        };
        Some(-0.5 * libm::log(inflation) + n / 2.0 * gain)
    }

    /// Anytime-valid p-value of "no change": 1 over the largest E_m(0) so far, at most 1.
    pub fn p_value(&self) -> f64 {
        libm::exp(-self.largest_ln_e)
    }

    /// The relative change that this much data would have found in 4 of 5 cases,
    /// exp((c_n + 0.8416)·s/√n) − 1.
    pub fn minimum_detectable_effect(&self) -> Option<f64> {
        let factor = sequence_factor(self.n, self.alpha, PRIOR)? + POWER_80;
        Some(libm::expm1(factor * self.u()?)).filter(|x| x.is_finite())
    }

    /// How many blocks in all it takes until the interval reaches no farther than `distance` (on the log
    /// scale) to either side, if s stays as it is. `None` when unknown or more than 100 000.
    pub fn blocks_needed(&self, distance: f64) -> Option<usize> {
        let s = self.spread()?;
        // c_n/√n falls with n.
        least_enough(|n| {
            sequence_factor(n, self.alpha, PRIOR)
                .is_some_and(|c| c * s / (n as f64).sqrt() <= distance)
        })
    }
}
