//! The verdict on a fixed number of runs, decided once and not looked at before.

use super::POWER_80;
use super::judgement::{Intervals, Judgement, Margin, judge};
use crate::interval::{Confidence, Interval};
use crate::speedup::Speedup;

/// Judges a speedup whose number of runs was fixed in advance, by its log interval.
///
/// Within the margin if the interval is, else faster or slower if it excludes 1, else inconclusive, with the change
/// that this many runs would have found in 4 of 5 cases, (t + 0.84)·σ/S. Looking repeatedly and stopping when a
/// verdict pleases makes it wrong up to 30 % of the time; use [`SequentialVerdict`](super::SequentialVerdict) for
/// that.
///
/// ```
/// use plusminus_analysis::{speedup, verdict, Confidence};
///
/// let s = speedup::unpaired(
///     &[10.0, 10.2, 9.9], &[10.1, 10.0, 10.1], speedup::Kind::BetweenVariants,
/// ).unwrap();
/// let judgment = verdict::fixed(&s, verdict::Margin::default(), Confidence::P95);
/// assert_eq!(judgment.verdict, verdict::Verdict::Inconclusive);
/// assert!(judgment.minimum_detectable_effect.unwrap() > 0.03);
/// ```
pub fn fixed(speedup: &Speedup, margin: Margin, confidence: Confidence) -> Judgement {
    fixed_beside(speedup, margin, confidence, Interval { low: 0.0, high: 0.0 })
}

/// Judges as [`fixed`] does, if something else may have changed all times of the new side: the logarithm of its
/// factor lies within `systematic`, which has to contain 0.
///
/// Every value of the factor is allowed for, as none is more probable than another: the interval grows by
/// `systematic` at its ends, and a difference that the factor alone could explain is inconclusive.
///
/// ```
/// use plusminus_analysis::{Confidence, Interval, speedup, verdict};
///
/// let [old, new] = [[10.0, 10.01, 9.99], [11.0, 11.01, 10.99]];
/// let s = speedup::unpaired(&old, &new, speedup::Kind::BetweenVariants).unwrap();
/// let judge = |low, high| {
///     let systematic = Interval { low, high };
///     verdict::fixed_beside(&s, verdict::Margin::default(), Confidence::P95, systematic).verdict
/// };
/// assert_eq!(judge(0.0, 0.02), verdict::Verdict::Slower);
/// assert_eq!(judge(0.0, 0.2), verdict::Verdict::Inconclusive);
/// assert_eq!(judge(-0.2, 0.0), verdict::Verdict::Slower, "a machine that got faster explains no slowdown");
/// ```
pub fn fixed_beside(
    speedup: &Speedup,
    margin: Margin,
    confidence: Confidence,
    systematic: Interval,
) -> Judgement {
    let interval = speedup.log_interval(confidence).and_then(|s| {
        // From S to ln(new/base): the ends swap. The effect of the machine is subtracted.
        let (low, high) = (-libm::log(s.high), -libm::log(s.low));
        Interval::checked(low - systematic.high, high - systematic.low)
    });
    let effect = speedup.relative_sigma().map(|relative| match relative {
        0.0 => 0.0,
        r => (confidence.factor(speedup.degrees_of_freedom) + POWER_80) * r,
    });
    // A change has to stand out from all that the machine may have done, in either direction.
    let effect =
        effect.map(|effect| libm::expm1(effect + (systematic.high - systematic.low).max(0.0)));
    judge(Intervals::all(interval), margin, effect.filter(|e| e.is_finite()))
}
