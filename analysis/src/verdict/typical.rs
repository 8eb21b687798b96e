//! The typical change: the location of blocks, with an interval that may be looked at after every block and that outliers
//! cannot stop from narrowing.
//!
//! # The rule, and what is proven of it
//! Two sequences share α. The t sequence at α/2 ([`super::ConfidenceSequence`]) is narrow for blocks that are nearly normal; the sign
//! sequence at α/2 ([`super::sign_rank`]) is about the median and assumes nothing of the distribution.
//!
//! * While mean and median differ by no more than chance makes them, and the t interval contains the median, the interval is the
//!   intersection of both.
//! * Else it is that of the signs alone, still at α/2: mean and median are then about different things.
//!
//! The difference of median and mean has the variance u²(median) − u²(mean) if the mean is the better estimate of both. For normal
//! blocks its square root is 0.755 u(mean). If blocks lie in two equal heaps, the median falls anywhere between them, by chance.
//!
//! **Coverage.** The interval misses θ only if one of the two sequences does: in either case it is an intersection of some of them.
//! Each misses ever with probability at most α/2, so that the rule misses with probability at most α, after any number of looks
//! and whichever case the data choose at each of them. The signs alone at α would not be covered: "t at α/2 misses, or signs at α
//! miss" has a bound of 3α/2 only. This proof needs both sequences to be about one θ: blocks that are symmetric about θ, and
//! normal enough for the t sequence. Heavy symmetric tails make it cover more often (by simulation).
//!
//! **Outliers on one side** move the mean away from the median. The t sequence never excludes the median of the
//! blocks that were seen: where it would, it does not count. It may still shift an end by less than that. No theorem
//! bounds that effect, so the tests simulate it.
//!
//! **The estimate** is the median of the blocks. It lies within the interval always: between the order statistics by their
//! definition, and within the t interval as that counts only where it contains it.

use super::{
    POWER_80,
    sequence::{ConfidenceSequence, least_enough, sequence_factor},
    sign::{ln_sign_e, sign_rank},
    size::spread,
};
use crate::{
    error::{Result, check_probability},
    interval::Interval,
    special::{normal_cdf, normal_quantile},
};

/// The t sequence counts if mean and median are this many standard uncertainties of the mean apart, or fewer …
const APART: f64 = 2.0;

/// … or this many standard uncertainties of their difference, which is the same for normal blocks: 2/0.755.
const APART_BY_CHANCE: f64 = 2.65;

/// The blocks of one benchmark, and what they say about its typical change.
///
/// ```
/// use plusminus_analysis::verdict::TypicalChange;
///
/// let mut change = TypicalChange::new(0.05, 0.0).unwrap();
/// for d in [0.030, 0.031, 0.029, 0.030, 0.9, 0.031, 0.029, 0.030, 0.032, 0.028] {
///     change.push(d).unwrap();
/// }
/// let interval = change.interval().unwrap();
/// assert!(interval.low > 0.02 && change.estimate().unwrap() == 0.030);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TypicalChange {
    alpha: f64,
    resolution: f64,
    t: ConfidenceSequence,
    /// In ascending order.
    sorted: Vec<f64>,
    /// The intersection of all intervals so far: infinite at first.
    low: f64,
    high: f64,
    largest_ln_e: f64,
}

impl TypicalChange {
    /// Starts without blocks. The probability that the interval ever misses is at most `alpha`; `resolution` is the standard
    /// uncertainty that the clock alone gives to one block, 0 if it is unknown.
    ///
    /// # Errors
    /// When alpha is no probability, or the resolution is negative or not finite.
    pub fn new(alpha: f64, resolution: f64) -> Result<Self> {
        check_probability("alpha", alpha)?;
        Ok(Self {
            alpha,
            resolution,
            t: ConfidenceSequence::new(alpha / 2.0)?.with_resolution(resolution)?,
            sorted: Vec::new(),
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            largest_ln_e: 0.0,
        })
    }

    /// Adds the log-ratio of the next block.
    ///
    /// # Errors
    /// When it is not finite; nothing changes then.
    pub fn push(&mut self, d: f64) -> Result<()> {
        self.t.push(d)?;
        let at = self.sorted.partition_point(|other| *other < d);
        self.sorted.insert(at, d);
        if let Some(now) = self.interval() {
            self.low = self.low.max(now.low);
            self.high = self.high.min(now.high);
        }
        self.largest_ln_e = self.largest_ln_e.max(self.ln_e_value(0.0));
        Ok(())
    }

    /// Number of blocks.
    pub fn n(&self) -> usize {
        self.sorted.len()
    }

    /// The median of the blocks; `None` before the first.
    pub fn estimate(&self) -> Option<f64> {
        let n = self.n();
        (n > 0).then(|| self.sorted[(n - 1) / 2] / 2.0 + self.sorted[n / 2] / 2.0)
    }

    /// Standard uncertainty of the estimate, by the blocks √n/2 ranks to either side of it: half of what lies between. Not below what
    /// the clock gives. `None` before the second block, and while all blocks are equal and no resolution is known.
    pub fn u(&self) -> Option<f64> {
        self.t.spread()?;
        let n = self.n() as f64;
        let beside = 0.5 / n.sqrt();
        let u = (self.quantile(0.5 + beside) - self.quantile(0.5 - beside)) / 2.0;
        Some(u.max(self.resolution / n.sqrt()))
    }

    /// The block of a probability: between neighbors in proportion, the outermost ones beyond them.
    fn quantile(&self, probability: f64) -> f64 {
        let last = (self.n() - 1) as f64;
        let position = (self.n() as f64 * probability - 0.5).clamp(0.0, last);
        let below = position.floor() as usize;
        let above = (below + 1).min(self.n() - 1);
        let share = position - below as f64;
        self.sorted[below] * (1.0 - share) + self.sorted[above] * share
    }

    /// Whether the signs alone decide, because the mean lies elsewhere than the median: outliers on one side, or skew.
    pub fn is_by_signs_alone(&self) -> bool {
        self.is_apart_at(self.alpha / 2.0)
    }

    /// Whether mean and median differ by more than chance makes them, or the t interval at an α excludes the median.
    fn is_apart_at(&self, alpha: f64) -> bool {
        let (Some(median), Some(mean)) = (self.estimate(), self.t.mean()) else { return false };
        let (Some(u), Some(of_median)) = (self.t.u(), self.u()) else { return false };
        let by_chance = (of_median * of_median - u * u).max(0.0).sqrt();
        (mean - median).abs() > (APART * u).max(APART_BY_CHANCE * by_chance)
            || self.t.current_interval_at(alpha).is_some_and(|t| !t.contains(median))
    }

    /// The t interval at an α, unless the signs alone decide.
    fn t_interval(&self, alpha: f64) -> Option<Interval> {
        self.t.current_interval_at(alpha).filter(|_| !self.is_apart_at(alpha))
    }

    /// The interval of the typical change.
    pub fn interval(&self) -> Option<Interval> {
        self.interval_at(self.alpha)
    }

    /// The same at another α.
    pub fn interval_at(&self, alpha: f64) -> Option<Interval> {
        match (self.t_interval(alpha / 2.0), self.sign_interval(alpha / 2.0)) {
            (Some(t), Some(signs)) => {
                Interval::checked(t.low.max(signs.low), t.high.min(signs.high))
            }
            (t, signs) => t.or(signs),
        }
    }

    /// The interval of the signs, which reaches at least as far as the clock makes the t interval reach.
    fn sign_interval(&self, alpha: f64) -> Option<Interval> {
        self.t.spread()?;
        let (n, rank) = (self.n(), sign_rank(self.n(), alpha)?);
        let middle = self.estimate()?;
        let least = sequence_factor(n, alpha, 1.0)? * self.resolution / (n as f64).sqrt();
        let (low, high) = (self.sorted[rank], self.sorted[n - 1 - rank]);
        Interval::checked(low.min(middle - least), high.max(middle + least))
    }

    /// Whether earlier and later intervals exclude each other: the machine or the program changed while measuring, or blocks
    /// depend on each other.
    pub fn is_contradictory(&self) -> bool {
        self.low > self.high
    }

    /// ln of the evidence against a typical change of `d`: the mean of both bets' winnings, or half of the signs' where they
    /// decide alone. Neither exceeds the mean of both, which a bettor on both would have.
    fn ln_e_value(&self, d: f64) -> f64 {
        let Some(t) = self.t.ln_e_value(d) else { return 0.0 };
        let below = self.sorted.partition_point(|other| *other <= d);
        // A block that equals the value supports neither side, so it is added to the weaker one.
        let under = self.sorted.partition_point(|other| *other < d);
        let half = self.n() / 2;
        let signs = ln_sign_e(self.n(), half.clamp(under, below));
        let both = if self.is_by_signs_alone() {
            signs
        } else {
            let larger = t.max(signs);
            larger + libm::log(libm::exp(t - larger) + libm::exp(signs - larger))
        };
        both - core::f64::consts::LN_2
    }

    /// Anytime-valid p-value of "no change": 1 over the largest evidence so far, at most 1.
    pub fn p_value(&self) -> f64 {
        libm::exp(-self.largest_ln_e)
    }

    /// The relative change that this much data would have found in 4 of 5 cases, at an α: how far the interval reaches, and
    /// 0.84 standard uncertainties.
    pub fn minimum_detectable_effect_at(&self, alpha: f64) -> Option<f64> {
        let (interval, middle) = (self.interval_at(alpha)?, self.estimate()?);
        let reach = (interval.high - middle).max(middle - interval.low);
        Some(libm::expm1(reach + POWER_80 * self.u()?)).filter(|x| x.is_finite())
    }

    /// Returns how far the interval will reach to either side of the estimate after `n` blocks, if they continue to
    /// scatter alike. The t interval uses their standard deviation. That of the signs uses their quantiles, or a
    /// normal distribution with their median distance from the median. The lower of the two is taken, because the
    /// outer quantiles of a dozen blocks depend on one or two of them. `None` if it will be infinite, or nothing is
    /// known. `spread` is that of all blocks.
    fn reach_after(&self, n: usize, spread: f64) -> Option<f64> {
        let (alpha, size) = (self.alpha / 2.0, n as f64);
        let factor = sequence_factor(n, alpha, 1.0)?;
        let t = factor * self.t.spread()? / size.sqrt();
        let signs = sign_rank(n, alpha).map(|rank| {
            let beyond = (rank as f64 + 0.625) / (size + 0.25);
            let (low, high) = (self.quantile(beyond), self.quantile(1.0 - beyond));
            let normal = spread * normal_quantile(1.0 - beyond);
            ((high - low) / 2.0).min(normal).max(factor * self.resolution / size.sqrt())
        });
        match signs {
            Some(signs) if self.is_by_signs_alone() => Some(signs),
            Some(signs) => Some(signs.min(t)),
            None => (!self.is_by_signs_alone()).then_some(t),
        }
    }

    /// Returns the least number of blocks after which `enough` accepts the reach of the interval. `None` when that is
    /// unknown or more than 100 000.
    fn first(&self, enough: impl Fn(f64) -> bool) -> Option<usize> {
        self.t.spread()?;
        let spread = spread(&self.sorted);
        // The reach shrinks with n.
        least_enough(|n| self.reach_after(n, spread).is_some_and(&enough))
    }

    /// How many blocks in all it takes until the interval reaches no farther than `distance` (on the log scale), if blocks
    /// go on to scatter as they do.
    pub fn blocks_needed(&self, distance: f64) -> Option<usize> {
        self.first(|reach| reach <= distance)
    }

    /// Returns how many blocks in all it takes until the probability is at least `chance` that the interval lies
    /// within ±`limit`, or wholly beyond ±`beyond`. The true change is taken as normal around the mean or the median,
    /// whichever is more certain, with its standard uncertainty. Blocks are taken to scatter `scale` times as much as these.
    pub fn blocks_until(&self, chance: f64, limit: f64, beyond: f64, scale: f64) -> Option<usize> {
        let (middle, u) = match (self.t.mean(), self.t.u(), self.u()?) {
            (Some(mean), Some(of_mean), u) if of_mean < u && !self.is_by_signs_alone() => {
                (mean, of_mean)
            }
            (_, _, u) => (self.estimate()?, u),
        };
        let (middle, u) = (middle.abs(), u.max(f64::MIN_POSITIVE));
        let below = |d: f64| normal_cdf((d - middle) / u);
        self.first(|reach| {
            let reach = scale * reach;
            let within = (below(limit - reach) - below(reach - limit)).max(0.0);
            let outside = 1.0 - below(beyond + reach) + below(-beyond - reach);
            within + outside >= chance
        })
    }
}
