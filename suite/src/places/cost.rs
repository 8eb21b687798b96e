//! The cost of a shift between two places: time that is spent on purpose, as a network would take it.
//!
//! The model is that of X10's `at`, with the parameters of LogGP. Each shift keeps the processor of its task busy
//! for the *gap*. Its task then waits for the *latency*, while shifts of other nodes are under way; a node's own
//! shifts of a phase follow one another. So a phase ends later by the latency times the most shifts that one node
//! has made in it. A serial program has one task: it goes to each node of a phase, and all of its shifts follow
//! one another. Every fork, join and barrier over several places takes a latency, and every read of the driver a
//! latency and a gap.

use std::fmt;
use std::hint::spin_loop;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The cost of a shift between two places; within a place nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ShiftCost {
    /// Time from the beginning of a shift to its end, which others of other nodes may share.
    pub latency: Duration,
    /// Time for which each shift keeps a processor busy.
    pub gap: Duration,
}

impl ShiftCost {
    /// No time at all.
    pub const NONE: Self = Self { latency: Duration::ZERO, gap: Duration::ZERO };

    /// Whether shifts take no time.
    pub fn is_free(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the time of this number of gaps, and of latencies one after the other.
    pub(crate) fn of(&self, gaps: u64, latencies: u64) -> Duration {
        let times = |time: Duration, count: u64| {
            time.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX))
        };
        times(self.gap, gaps).saturating_add(times(self.latency, latencies))
    }
}

/// Keeps the processor busy for a time: sleeping would take longer than most latencies.
pub(crate) fn spend(time: Duration) {
    if time.is_zero() {
        return;
    }
    let begin = Instant::now();
    while begin.elapsed() < time {
        spin_loop();
    }
}

/// At how many places the nodes are, and what a shift between them costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// Places; one per node without a number (the paper's UP).
    pub places: Option<usize>,
    /// The cost of a shift.
    pub cost: ShiftCost,
}

impl fmt::Display for Placement {
    /// Writes what the names of points have: `8-places-latency-2us-gap-100ns`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.places {
            None => out.write_str("place-per-node")?,
            Some(1) => out.write_str("1-place")?,
            Some(places) => write!(out, "{places}-places")?,
        }
        for (name, time) in [("latency", self.cost.latency), ("gap", self.cost.gap)] {
            if !time.is_zero() {
                write!(out, "-{name}-{}", Written(time))?;
            }
        }
        Ok(())
    }
}

/// A time in the largest unit that keeps it whole.
struct Written(Duration);

impl fmt::Display for Written {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ns = self.0.as_nanos();
        let (unit, name) =
            UNITS.into_iter().find(|(unit, _)| ns.is_multiple_of(*unit)).unwrap_or((1, "ns"));
        write!(out, "{}{name}", ns / unit)
    }
}

/// Units in nanoseconds, the largest first.
const UNITS: [(u128, &str); 4] =
    [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns")];

/// The longest time that a shift may be said to take: a second, so that a slip is no endless benchmark.
const LONGEST: Duration = Duration::from_secs(1);

/// Reads `2us`, `100ns` or `1ms`, up to a second.
///
/// # Errors
/// A description of valid times.
pub fn read_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no time up to 1s such as 100ns, 2us or 1ms");
    let trimmed = text.trim();
    let digits = trimmed.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = UNITS.into_iter().find(|(_, name)| *name == &trimmed[digits.len()..]);
    let (Ok(count), Some((unit, _))) = (digits.parse::<u64>(), unit) else { return Err(wrong()) };
    let ns = u128::from(count) * unit;
    let time = u64::try_from(ns).map(Duration::from_nanos).map_err(|_| wrong())?;
    if time <= LONGEST { Ok(time) } else { Err(wrong()) }
}

/// Reads how many places: a number, or `node` for a place per node.
impl FromStr for Placement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let places = match text.trim() {
            "node" => None,
            number => match number.parse() {
                Ok(places) if places > 0 => Some(places),
                _ => {
                    return Err(format!(
                        "{text:?} is neither a number of places above 0 nor `node`"
                    ));
                }
            },
        };
        Ok(Self { places, cost: ShiftCost::NONE })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, ns) in [
            ("100ns", 100),
            ("2us", 2_000),
            ("1ms", 1_000_000),
            ("0ns", 0),
            (" 1s ", 1_000_000_000),
        ] {
            assert_eq!(read_time(text), Ok(Duration::from_nanos(ns)), "{text}");
        }
        for wrong in ["", "5", "us", "-1us", "1.5us", "2s", "1h", "1µs", "99999999999999999999ns"]
        {
            assert!(read_time(wrong).unwrap_err().contains("such as 100ns"), "{wrong}");
        }
        let named = |places: &str, latency: &str, gap: &str| {
            let mut placement: Placement = places.parse().unwrap();
            let time = |text| read_time(text).unwrap();
            placement.cost = ShiftCost { latency: time(latency), gap: time(gap) };
            placement.to_string()
        };
        assert_eq!(named("8", "2000ns", "100ns"), "8-places-latency-2us-gap-100ns");
        assert_eq!(named("1", "1500ns", "0ns"), "1-place-latency-1500ns");
        assert_eq!(named("node", "0ns", "0ns"), "place-per-node");
        assert!("0".parse::<Placement>().unwrap_err().contains("above 0"));
    }

    #[test]
    fn gaps_add_up_and_latencies_follow_one_another() {
        let cost = ShiftCost { latency: Duration::from_micros(2), gap: Duration::from_nanos(100) };
        assert_eq!(cost.of(30, 2), Duration::from_micros(7));
        assert!(ShiftCost::NONE.is_free() && ShiftCost::NONE.of(u64::MAX, u64::MAX).is_zero());
        assert!(!cost.of(u64::MAX, 0).is_zero());
    }
}
