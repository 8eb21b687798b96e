//! Axes: ranges that hide nothing, and ticks at round values.

use plusminus::text::number::{TimeUnit, digits, significant};

/// How values become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Log,
}

/// One axis.
#[derive(Debug, Clone)]
pub struct Axis {
    pub title: String,
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    /// Values with their labels.
    pub ticks: Vec<(f64, String)>,
}

/// Ticks of an axis at most, near enough.
const TICKS: f64 = 6.0;

/// Letters that fit below an axis.
const LETTERS: usize = 42;

/// Half of the least range of a ratio: a narrower one would show noise as if it mattered.
const LEAST_RATIO: f64 = 0.01;

impl Axis {
    /// From 0 to the largest value, which is what makes lengths comparable.
    pub fn from_zero(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let high = largest(values);
        let ticks = linear_ticks(0.0, high).into_iter().map(|at| (at, plain(at))).collect();
        Self { title: title.into(), scale: Scale::Linear, low: 0.0, high: high * 1.04, ticks }
    }

    /// Times in nanoseconds from 0; in a logarithmic scale, which has no 0, where they differ by more than a factor of 20.
    pub fn times(title: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> =
            values.into_iter().filter(|ns| ns.is_finite() && *ns > 0.0).collect();
        let high = largest(values.iter().copied());
        let low = values.iter().copied().fold(high, f64::min);
        let unit = TimeUnit::of(high);
        if high / low > 20.0 {
            let mut axis = Self::log(format!("{title}, logarithmic scale"), [low, high]);
            for (at, label) in &mut axis.ticks {
                let own = TimeUnit::of(*at * 1.000_001);
                *label = format!("{} {}", plain(*at / own.ns), own.name);
            }
            return axis;
        }
        let ticks = linear_ticks(0.0, high / unit.ns);
        let ticks = ticks.into_iter().map(|at| (at * unit.ns, plain(at))).collect();
        let title = format!("{title} in {}", unit.name);
        Self { title, scale: Scale::Linear, low: 0.0, high: high * 1.04, ticks }
    }

    /// Ratios on a logarithmic scale with 1 in the middle: half as much is as far from it as twice as much.
    pub fn ratios(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let reach = values
            .into_iter()
            .map(|ratio| ratio.ln().abs())
            .filter(|reach| reach.is_finite())
            .fold(LEAST_RATIO.ln_1p(), f64::max)
            * 1.06;
        let high = reach.exp();
        let ticks = ratio_ticks(high);
        Self { title: title.into(), scale: Scale::Log, low: 1.0 / high, high, ticks }
    }

    /// Positive values on a logarithmic scale.
    pub fn log(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|v| v.is_finite() && *v > 0.0).collect();
        let high = largest(values.iter().copied());
        let low = values.iter().copied().fold(high, f64::min);
        let (low, high) = if low < high { (low, high) } else { (low / 2.0, high * 2.0) };
        let room = (high / low).powf(0.05);
        let ticks = log_ticks(low, high).into_iter().map(|at| (at, plain(at))).collect();
        Self { title: title.into(), scale: Scale::Log, low: low / room, high: high * room, ticks }
    }

    /// Positive values on a logarithmic scale whose ticks are powers of 2, such as numbers of processors.
    pub fn doubling(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let mut axis = Self::log(title, values);
        let (from, to) = (axis.low.log2().ceil() as i32, axis.high.log2().floor() as i32);
        let every = (to - from) / TICKS as i32 + 1;
        let ticks = (from..=to).step_by(every.max(1) as usize).map(|power| 2_f64.powi(power));
        let ticks: Vec<(f64, String)> = ticks.map(|at| (at, plain(at))).collect();
        // A range within two powers of 2 has the ticks of other ranges.
        if ticks.len() > 1 {
            axis.ticks = ticks;
        }
        axis
    }

    /// Counts of processors from 1 on, with ticks at whole numbers alone.
    pub fn processors(most: f64) -> Self {
        let mut axis = Self::between("processors p", 0.5, most + 0.5);
        axis.ticks.retain(|(at, _)| (at - at.round()).abs() < 1e-9);
        axis
    }

    /// Counts or other values between which the plot begins and ends as they do.
    pub fn between(title: impl Into<String>, low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let ticks = linear_ticks(low, high).into_iter().map(|at| (at, plain(at))).collect();
        Self { title: title.into(), scale: Scale::Linear, low, high, ticks }
    }

    /// Things side by side, each with its label: the first at 0, the next at 1, and so on.
    pub fn named(title: impl Into<String>, labels: &[String]) -> Self {
        let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let fit = (LETTERS / (longest + 1)).clamp(1, 12);
        let every = labels.len().div_ceil(fit).max(1);
        let ticks = labels.iter().enumerate().step_by(every);
        let ticks = ticks.map(|(index, label)| (index as f64, label.clone())).collect();
        let high = labels.len().max(1) as f64 - 0.5;
        Self { title: title.into(), scale: Scale::Linear, low: -0.5, high, ticks }
    }

    /// Makes rows from top to bottom: the first at 0, the next at −1, and so on. Texts in the plot label them.
    pub fn rows(count: usize) -> Self {
        let low = 0.45 - count.max(1) as f64;
        Self { title: String::new(), scale: Scale::Linear, low, high: 0.7, ticks: Vec::new() }
    }

    /// The place of a value, between those of `low` and `high`.
    pub(crate) fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Log => value.max(f64::MIN_POSITIVE).ln(),
        }
    }
}

/// A number of a tick, without zeros that say nothing.
fn plain(value: f64) -> String {
    let text = if value == 0.0 { "0".to_owned() } else { significant(value, 3) };
    if !text.contains('.') || text.contains('e') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    let high = values.into_iter().filter(|v| v.is_finite()).fold(0.0, f64::max);
    if high > 0.0 { high } else { 1.0 }
}

/// 1, 2 or 5 times a power of ten: about a [`TICKS`]-th of a range.
fn step(range: f64) -> f64 {
    let raw = range / TICKS;
    let power = 10_f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|s| *s >= raw).unwrap_or(10.0 * power)
}

fn linear_ticks(low: f64, high: f64) -> Vec<f64> {
    let step = step(high - low);
    let first = (low / step).ceil() as i64;
    let last = (high / step * (1.0 + 1e-12)).floor() as i64;
    (first..=last.min(first + 50)).map(|index| index as f64 * step).collect()
}

fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (from, to) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = to - from;
    let (factors, every): (&[f64], usize) = match decades {
        0..=1 => (&[1.0, 2.0, 3.0, 5.0, 7.0], 1),
        2..=3 => (&[1.0, 3.0], 1),
        4..=8 => (&[1.0], 1),
        _ => (&[1.0], decades as usize / 6),
    };
    let all = (from..=to).step_by(every.max(1));
    all.flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)))
        .filter(|at| *at >= low * 0.999 && *at <= high * 1.001)
        .collect()
}

/// Ticks of a ratio's axis, as many below 1 as above.
fn ratio_ticks(high: f64) -> Vec<(f64, String)> {
    let mut ticks = vec![(1.0, "1".to_owned())];
    if high < 1.6 {
        let step = step(2.0 * (high - 1.0));
        for index in 1..=(((high - 1.0) / step * (1.0 + 1e-9)) as usize) {
            let away = index as f64 * step;
            for at in [1.0 - away, 1.0 + away].into_iter().filter(|at| *at >= 1.0 / high) {
                ticks.push((at, digits(at).trim_end_matches('0').trim_end_matches('.').to_owned()));
            }
        }
        return ticks;
    }
    let decades = high.log10();
    let factors: &[f64] = match decades {
        d if d < 0.5 => &[1.25, 1.5, 2.0, 3.0],
        d if d < 1.0 => &[1.5, 2.0, 3.0, 5.0, 10.0],
        d if d < 2.2 => &[2.0, 5.0, 10.0, 20.0, 50.0, 100.0],
        _ => &[],
    };
    let powers: Vec<f64> = (1..=decades as i32)
        .step_by((decades as usize / 3).max(1))
        .map(|power| 10_f64.powi(power))
        .collect();
    let factors = if factors.is_empty() { &powers } else { factors };
    for factor in factors.iter().copied().filter(|factor| *factor <= high) {
        ticks.extend([(1.0 / factor, plain(1.0 / factor)), (factor, plain(factor))]);
    }
    ticks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_begin_at_zero_or_say_that_they_do_not() {
        let near = Axis::times("time", [1.0e6, 3.0e6]);
        assert_eq!((near.low, near.scale, near.title.as_str()), (0.0, Scale::Linear, "time in ms"));
        let far = Axis::times("time", [100.0, 3.0e6]);
        assert_eq!((far.scale, far.title.as_str()), (Scale::Log, "time, logarithmic scale"));
        assert_eq!(far.ticks[0].1, "100 ns");
    }

    #[test]
    fn a_ratio_has_one_in_the_middle() {
        for values in
            [vec![1.001], vec![0.7, 1.1], vec![40.0], vec![], vec![1e9], vec![f64::NAN, 0.0]]
        {
            let axis = Axis::ratios("S", values.clone());
            assert!((axis.low * axis.high - 1.0).abs() < 1e-9, "{values:?}");
            let labels: Vec<&String> = axis.ticks.iter().map(|(_, label)| label).collect();
            assert!(axis.ticks.len() >= 3 && axis.ticks.len() < 14, "{values:?} {labels:?}");
        }
    }

    #[test]
    fn processors_are_whole_and_sizes_double() {
        let labels =
            |axis: Axis| axis.ticks.into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(Axis::processors(2.0)), ["1", "2"]);
        assert_eq!(labels(Axis::doubling("p", [2.0, 64.0])), ["2", "4", "8", "16", "32", "64"]);
        assert_eq!(labels(Axis::doubling("p", [1.0, 512.0])), ["1", "4", "16", "64", "256"]);
        assert!(labels(Axis::doubling("p", [5.0, 7.0])).len() > 1);
    }

    proptest! {
        #[test]
        fn every_axis_holds_its_values_and_has_ticks(low in 1e-9_f64..1e9, factor in 1.0_f64..1e6) {
            let values = [low, low * factor];
            for axis in [Axis::from_zero("", values), Axis::times("", values), Axis::log("", values)] {
                prop_assert!(axis.low <= low && axis.high >= low * factor, "{axis:?}");
                prop_assert!(!axis.ticks.is_empty() && axis.ticks.len() < 16, "{axis:?}");
                prop_assert!(axis.ticks.iter().all(|(at, _)| *at >= axis.low * 0.999 && *at <= axis.high * 1.001), "{axis:?}");
            }
        }
    }
}
