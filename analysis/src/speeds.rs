//! Two speeds: times that fall into two groups, as those of a program do whose speed depends on where it lies in memory, or on
//! what the processor has learnt, and not on its input alone.
//!
//! ```
//! use plusminus_analysis::speeds::two_speeds;
//!
//! let times = [38.1, 76.2, 38.0, 75.9, 76.0, 38.2, 38.1, 76.1, 38.1, 38.2, 76.0, 76.1];
//! let speeds = two_speeds(&times).unwrap();
//! assert!((speeds.fast - 38.1).abs() < 0.1 && (speeds.slow - 76.05).abs() < 0.1);
//! assert_eq!(speeds.slow_share, 0.5);
//! assert!(two_speeds(&times[..8]).is_none(), "too few to tell");
//! ```

/// Fewer times than this are not looked at.
const LEAST: usize = 12;

/// How far apart the groups have to be at least: a ratio of times.
const RATIO: f64 = 1.05;

/// How many times wider than either group the gap between them has to be.
const GAP: f64 = 2.0;

/// Two groups of times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoSpeeds {
    /// Geometric mean of the shorter times.
    pub fast: f64,
    /// Geometric mean of the longer ones.
    pub slow: f64,
    /// The part of the times that belongs to the longer ones, from 0 to 1.
    pub slow_share: f64,
    /// How many times were looked at.
    pub count: usize,
    /// The time between the groups.
    limit: f64,
}

impl TwoSpeeds {
    /// Whether a time belongs to the longer ones.
    pub fn is_slow(&self, time: f64) -> bool {
        time > self.limit
    }

    /// Whether the shares of the longer ones on two sides are so near to each other that chance explains the difference: within 1.64
    /// standard uncertainties, which is exceeded in 1 of 10 cases.
    pub fn has_share_of(&self, other: &Self) -> bool {
        let (n, m) = (self.count as f64, other.count as f64);
        let share = (n * self.slow_share + m * other.slow_share) / (n + m);
        let uncertainty = libm::sqrt(share * (1.0 - share) * (1.0 / n + 1.0 / m));
        (self.slow_share - other.slow_share).abs() <= 1.645 * uncertainty
    }
}

/// Finds two speeds, if there are any: times have them if they fall into two groups, each of at least two of them and a tenth of all,
/// between which the gap is more than twice as wide as each group is, and whose means differ by at least 5 %; all on the logarithmic scale.
/// `None` for fewer than twelve times, and where one is not a positive number.
///
/// Twelve times of one log-normal speed come out as two in about 1 of 5,000 cases, twenty hardly ever; twenty times with a long tail
/// in about 1 of 300.
pub fn two_speeds(times: &[f64]) -> Option<TwoSpeeds> {
    if times.len() < LEAST || !times.iter().all(|time| time.is_finite() && *time > 0.0) {
        return None;
    }
    let mut logs: Vec<f64> = times.iter().map(|&time| libm::log(time)).collect();
    logs.sort_unstable_by(f64::total_cmp);
    let least = logs.len().div_ceil(10).max(2);
    let gap = |at: usize| logs[at] - logs[at - 1];
    let at = (least..=logs.len() - least).max_by(|&a, &b| gap(a).total_cmp(&gap(b)))?;
    let (fast, slow) = logs.split_at(at);
    let width = |group: &[f64]| group[group.len() - 1] - group[0];
    let mean = |group: &[f64]| crate::sums::sum(group.iter().copied()) / group.len() as f64;
    let apart = mean(slow) - mean(fast) >= libm::log(RATIO);
    let widest = width(fast).max(width(slow));
    (apart && gap(at) > GAP * widest).then(|| TwoSpeeds {
        fast: libm::exp(mean(fast)),
        slow: libm::exp(mean(slow)),
        slow_share: slow.len() as f64 / logs.len() as f64,
        count: logs.len(),
        limit: libm::exp(f64::midpoint(logs[at], logs[at - 1])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The share of sets of times that come out as two speeds.
    fn found(count: usize, sets: usize, mut draw: impl FnMut(&mut Random) -> f64) -> f64 {
        let mut random = Random::new(count as u64);
        let mut sets_found = 0;
        for _ in 0..sets {
            let times: Vec<f64> = (0..count).map(|_| draw(&mut random)).collect();
            sets_found += usize::from(two_speeds(&times).is_some());
        }
        f64::from(sets_found as u32) / sets as f64
    }

    #[test]
    fn one_speed_is_hardly_ever_taken_for_two() {
        // A spread of 10 %, as the rule of 5 % hides nearly all of smaller ones.
        for (count, most) in [(12, 0.001), (16, 0.0002), (20, 0.0001), (60, 0.0)] {
            let normal = found(count, 20_000, |random| (0.1 * random.normal()).exp());
            assert!(normal <= most, "{count}: {normal}");
        }
        // Long tails, as disturbances make them, have no second group.
        let tails = found(20, 20_000, |random| 1.0 + 0.3 * (random.normal() * 1.2).exp());
        assert!(tails < 0.006, "{tails}");
    }

    #[test]
    fn two_speeds_are_found_whatever_their_shares() {
        for share in [0.2, 0.5, 0.8] {
            let two = found(20, 2_000, |random| {
                let speed = if random.uniform() < share { 1.3 } else { 1.0 };
                speed * (1.0 + 0.01 * random.normal())
            });
            // One time alone is no group.
            assert!(two > 0.92, "{share}: {two}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_not() {
        let two = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
        assert!(two_speeds(&two).is_none(), "eleven");
        assert!(two_speeds(&[&two[..], &[f64::NAN]].concat()).is_none());
        assert!(two_speeds(&[&two[..], &[0.0]].concat()).is_none());
        assert!(two_speeds(&[1.0; 30]).is_none() && two_speeds(&[]).is_none());
        let speeds = two_speeds(&[&two[..], &[2.0]].concat()).unwrap();
        assert!(!speeds.is_slow(1.0) && speeds.is_slow(2.0) && speeds.has_share_of(&speeds));
        let other = TwoSpeeds { slow_share: 0.99, count: 40, ..speeds };
        assert!(!speeds.has_share_of(&other));
    }
}
