//! Axes: ranges that hide nothing, and ticks at round values.

use plusminus::text::number::{TimeUnit, significant};

/// How values become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Log,
}

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

/// Things side by side that have labels, near enough.
const NAMED: usize = 12;

/// Half of the least range of a ratio: a narrower one would show noise as if it mattered.
const LEAST_RATIO: f64 = 0.01;

impl Axis {
    fn new(
        title: impl Into<String>,
        scale: Scale,
        [low, high]: [f64; 2],
        ticks: impl IntoIterator<Item = f64>,
    ) -> Self {
        let ticks = ticks.into_iter().map(|at| (at, plain(at, 3))).collect();
        Self { title: title.into(), scale, low, high, ticks }
    }

    /// From 0 to the largest value, which is what makes lengths comparable.
    pub fn from_zero(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (_, high) = range(values);
        Self::new(title, Scale::Linear, [0.0, high * 1.04], linear_ticks(0.0, high, 0.0))
    }

    /// Times in nanoseconds from 0; in a logarithmic scale, which has no 0, where they differ by more than a factor of 20.
    pub fn times(title: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        if high / low > 20.0 {
            let mut axis = Self::log(format!("{title}, logarithmic scale"), [low, high]);
            for (at, label) in &mut axis.ticks {
                let own = TimeUnit::of(*at * 1.000_001);
                *label = format!("{} {}", plain(*at / own.ns, 3), own.name);
            }
            return axis;
        }
        let unit = TimeUnit::of(high);
        let mut axis = Self::from_zero(format!("{title} in {}", unit.name), [high / unit.ns]);
        axis.high = high * 1.04;
        axis.ticks.iter_mut().for_each(|(at, _)| *at *= unit.ns);
        axis
    }

    /// Ratios on a logarithmic scale with 1 in the middle: half as much is as far from it as twice as much.
    pub fn ratios(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let reaches = values.into_iter().map(|ratio| ratio.ln().abs());
        let reach = reaches.filter(|reach| reach.is_finite()).fold(LEAST_RATIO.ln_1p(), f64::max);
        let high = (1.06 * reach).exp();
        let digits = if high < 1.6 { 4 } else { 3 };
        let ticks = ratio_ticks(high).into_iter().map(|at| (at, plain(at, digits))).collect();
        Self { ticks, ..Self::new(title, Scale::Log, [1.0 / high, high], []) }
    }

    /// Positive values on a logarithmic scale.
    pub fn log(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        let (low, high) = if low < high { (low, high) } else { (low / 2.0, high * 2.0) };
        let room = (high / low).powf(0.05);
        Self::new(title, Scale::Log, [low / room, high * room], log_ticks(low, high))
    }

    /// Counts or other values between which the plot begins and ends as they do. Ticks are whole numbers from a range of 1.
    pub fn between(title: impl Into<String>, low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let least = if high - low >= 1.0 { 1.0 } else { 0.0 };
        Self::new(title, Scale::Linear, [low, high], linear_ticks(low, high, least))
    }

    /// Things side by side, each with its label: the first at 0, the next at 1, and so on.
    pub fn named(title: impl Into<String>, labels: &[String]) -> Self {
        let ticks = labels.iter().enumerate().step_by(labels.len().div_ceil(NAMED).max(1));
        let ticks = ticks.map(|(index, label)| (index as f64, label.clone())).collect();
        let high = labels.len().max(1) as f64 - 0.5;
        Self { ticks, ..Self::new(title, Scale::Linear, [-0.5, high], []) }
    }

    /// Makes rows from top to bottom: the first at 0, the next at −1, and so on. Texts in the plot label them.
    pub fn rows(count: usize) -> Self {
        Self::new("", Scale::Linear, [0.45 - count.max(1) as f64, 0.7], [])
    }

    /// Keeps the outermost ticks, and 1 where it is in the middle.
    pub(crate) fn sparse(mut self) -> Self {
        let ends = self.ticks.iter().map(|tick| tick.0);
        let [low, high] = [ends.clone().fold(f64::MAX, f64::min), ends.fold(f64::MIN, f64::max)];
        self.ticks.retain(|(at, _)| [low, 1.0, high].contains(at));
        self
    }

    /// Labels the ticks differently.
    pub(crate) fn labeled(mut self, label: impl Fn(f64) -> String) -> Self {
        self.ticks.iter_mut().for_each(|(at, text)| *text = label(*at));
        self
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
fn plain(value: f64, digits: i32) -> String {
    let text = if value == 0.0 { "0".to_owned() } else { significant(value, digits) };
    if !text.contains('.') || text.contains('e') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The smallest and the largest positive value; 1 where there is none.
fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let values = values.into_iter().filter(|value| value.is_finite() && *value > 0.0);
    let (low, high) = values.fold((f64::MAX, 0.0), |(low, high), v| (v.min(low), v.max(high)));
    if high > 0.0 { (low, high) } else { (1.0, 1.0) }
}

/// 1, 2 or 5 times a power of ten: about a [`TICKS`]-th of a range.
fn step(range: f64) -> f64 {
    let raw = range / TICKS;
    let power = 10_f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|s| *s >= raw).unwrap_or(10.0 * power)
}

fn linear_ticks(low: f64, high: f64, least: f64) -> Vec<f64> {
    let step = step(high - low).max(least);
    let first = (low / step).ceil() as i64;
    let last = (high / step * (1.0 + 1e-12)).floor() as i64;
    (first..=last.min(first + 50)).map(|index| index as f64 * step).collect()
}

fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (from, to) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let (factors, every): (&[f64], usize) = match to - from {
        0..=1 => (&[1.0, 2.0, 3.0, 5.0, 7.0], 1),
        2..=3 => (&[1.0, 3.0], 1),
        decades => (&[1.0], (decades as usize / 6).max(1)),
    };
    let all = (from..=to).step_by(every);
    all.flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)))
        .filter(|at| *at >= low * 0.999 && *at <= high * 1.001)
        .collect()
}

/// Ticks of a ratio's axis: 1, and then as many below 1 as above.
fn ratio_ticks(high: f64) -> Vec<f64> {
    let decades = high.log10();
    let pairs: Vec<[f64; 2]> = if high < 1.6 {
        let step = step(2.0 * (high - 1.0));
        let count = ((high - 1.0) / step * (1.0 + 1e-9)) as usize;
        (1..=count).map(|index| index as f64 * step).map(|away| [1.0 - away, 1.0 + away]).collect()
    } else {
        let factors = match decades {
            d if d < 0.5 => vec![1.25, 1.5, 2.0, 3.0],
            d if d < 1.0 => vec![1.5, 2.0, 3.0, 5.0, 10.0],
            d if d < 2.2 => vec![2.0, 5.0, 10.0, 20.0, 50.0, 100.0],
            d => (1..=d as i32).step_by((d as usize / 3).max(1)).map(|p| 10_f64.powi(p)).collect(),
        };
        factors.into_iter().map(|factor| [1.0 / factor, factor]).collect()
    };
    let inside = |at: &f64| *at >= 1.0 / high && *at <= high;
    std::iter::once(1.0).chain(pairs.into_iter().flatten()).filter(inside).collect()
}
