//! The four labels, the margin, and how intervals turn into a label.

use crate::error::{Error, Result};
use crate::interval::Interval;

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    /// New is faster than base, and it is not proven that the change is within the margin.
    Faster,
    /// New is slower than base, and it is not proven that the change is within the margin.
    Slower,
    /// The change is proven to be within the margin.
    WithinMargin,
    /// The data allow neither; the minimum detectable effect is the change that would have shown.
    #[default]
    Inconclusive,
}

impl Verdict {
    /// Returns the identifier in JSON and CSV. Reports print `within ±2 %`, with the margin, for `within_margin`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::WithinMargin => "within_margin",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// The largest relative change of time that is ignored: 0.02 is 2 %, up or down.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Margin(f64);

impl Default for Margin {
    /// 2 %: below that, the layout of the binary decides as much as the code does.
    fn default() -> Self {
        Self(0.02)
    }
}

impl Margin {
    /// Your own margin.
    ///
    /// # Errors
    /// When it is negative or not finite.
    pub fn new(relative: f64) -> Result<Self> {
        if relative >= 0.0 && relative.is_finite() {
            Ok(Self(relative))
        } else {
            let reason = "it must not be negative, such as 0.02 for 2 %";
            Err(Error::Parameter { name: "margin", value: relative, reason })
        }
    }

    /// The margin as a relative change.
    pub fn relative(self) -> f64 {
        self.0
    }

    /// The margin on the log scale, ln(1 + m).
    pub fn log(self) -> f64 {
        libm::log1p(self.0)
    }
}

/// A verdict with the numbers that its sentence needs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Judgement {
    /// The label.
    pub verdict: Verdict,
    /// Interval of the speedup S = base/new, at the confidence at which the verdict is given; `None` while the data give no
    /// finite one.
    pub interval: Option<Interval>,
    /// The same at the confidence of a benchmark alone, without allowing for the others of its suite: for analyses that look at
    /// one benchmark only. It decides nothing.
    pub interval_alone: Option<Interval>,
    /// For `Faster` and `Slower`: the time changed by at least this fraction of that of base (new/base − 1 when slower,
    /// 1 − new/base when faster), at the confidence of [`Self::interval`]: its end that is nearer to no change.
    pub at_least: Option<f64>,
    /// For `Faster` and `Slower`: the change is proven to be larger than the margin.
    pub beyond_margin: bool,
    /// For `WithinMargin`: the interval excludes "no change at all", so a change is real but below the margin.
    pub real_but_within_margin: bool,
    /// Relative change that this much data would have found in 4 of 5 cases; `None` while unknown.
    pub minimum_detectable_effect: Option<f64>,
}

/// Intervals of ln(t_new/t_base) for one benchmark, at several confidences.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Intervals {
    /// Proves "within the margin", and is reported.
    pub(super) shared: Option<Interval>,
    /// May raise an alarm: the same, or a wider one.
    pub(super) alarm: Option<Interval>,
    /// That of the benchmark alone.
    pub(super) alone: Option<Interval>,
}

impl Intervals {
    /// One interval for everything.
    pub(super) fn all(interval: Option<Interval>) -> Self {
        Self { shared: interval, alarm: interval, alone: interval }
    }
}

/// Labels from intervals.
pub(super) fn judge(
    intervals: Intervals,
    margin: Margin,
    minimum_detectable_effect: Option<f64>,
) -> Judgement {
    let Intervals { shared, alarm, .. } = intervals;
    let limit = margin.log();
    let mut judgement = Judgement {
        interval: of_speedup(shared),
        interval_alone: of_speedup(intervals.alone),
        minimum_detectable_effect,
        ..Judgement::default()
    };
    if let Some(d) = shared
        && d.low > -limit
        && d.high < limit
    {
        judgement.verdict = Verdict::WithinMargin;
        judgement.real_but_within_margin = !d.contains(0.0);
    } else if let Some(d) = alarm
        && !d.contains(0.0)
    {
        let distance = if d.low > 0.0 { d.low } else { -d.high };
        judgement.verdict = if d.low > 0.0 { Verdict::Slower } else { Verdict::Faster };
        let shown = shared.unwrap_or(d);
        let least = if d.low > 0.0 { libm::expm1(shown.low) } else { -libm::expm1(shown.high) };
        judgement.at_least = Some(least).filter(|x| x.is_finite());
        judgement.beyond_margin = distance > limit;
    }
    judgement
}

/// From ln(t_new/t_base) to S = t_base/t_new: the ends change places.
fn of_speedup(log_ratio: Option<Interval>) -> Option<Interval> {
    log_ratio
        .and_then(|d| Interval::checked(libm::exp(-d.high), libm::exp(-d.low)))
        .filter(|s| s.low > 0.0)
}
