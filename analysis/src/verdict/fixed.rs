//! The verdict on a fixed number of runs, decided once and not looked at before.

use super::POWER_80;
use super::judgement::{Judgement, Margin, judge};
use crate::interval::{Confidence, Interval};
use crate::speedup::Speedup;

/// Judges a speedup whose number of runs was fixed in advance, by its log interval.
///
/// Same if the interval lies within the margin, else faster or slower if it excludes 1, else undecided with
/// the change that this many runs would have found in 4 of 5 cases, (t + 0.84)·σ/S. Looking repeatedly and
/// stopping when a verdict pleases makes it wrong up to 30 % of the time; use
/// [`SequentialVerdict`](super::SequentialVerdict) for that.
///
/// ```
/// use plusminus_analysis::{speedup, verdict, Confidence};
///
/// let s = speedup::unpaired(
///     &[10.0, 10.2, 9.9], &[10.1, 10.0, 10.1], speedup::Kind::BetweenVariants,
/// ).unwrap();
/// let judgement = verdict::fixed(&s, verdict::Margin::default(), Confidence::P95);
/// assert_eq!(judgement.verdict, verdict::Verdict::Undecided);
/// assert!(judgement.minimum_detectable_effect.unwrap() > 0.03);
/// ```
pub fn fixed(speedup: &Speedup, margin: Margin, confidence: Confidence) -> Judgement {
    let interval = speedup.log_interval(confidence).and_then(|s| {
        // From S to ln(new/base): the ends change places.
        Interval::checked(-libm::log(s.high), -libm::log(s.low))
    });
    let effect = speedup.relative_sigma().map(|relative| match relative {
        0.0 => 0.0,
        r => libm::expm1((confidence.factor(speedup.degrees_of_freedom) + POWER_80) * r),
    });
    judge(interval, interval, margin, effect.filter(|e| e.is_finite()))
}
