//! Quantiles of samples that come in groups, such as those of processes, with an interval by order statistics.

use super::{quantile, sorted};
use crate::{error::Result, interval::Interval};

/// A quantile of all samples, and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupedQuantile {
    /// The sample quantile.
    pub value: f64,
    /// The interval that contains the true quantile with probability 1 − α; `None` with too few samples or groups.
    pub interval: Option<Interval>,
}

/// Estimates a quantile from groups of samples.
///
/// The ends of the interval are order statistics, whatever the distribution is. Samples of a group may resemble each other:
/// then they count as fewer, by how much the groups differ in their share of samples above the quantile (Woodruff 1952).
///
/// # Errors
/// When there is no sample, one is not finite, or a probability is not strictly between 0 and 1.
pub fn grouped_quantile(
    groups: &[Vec<f64>],
    probability: f64,
    alpha: f64,
) -> Result<GroupedQuantile> {
    crate::error::check_probability("alpha", alpha)?;
    let all = groups.concat();
    let value = quantile(&all, probability)?;
    let sorted = sorted(&all, probability)?;
    let effective = all.len() as f64 / design_effect(groups, value, all.len());
    let ends = (groups.len() > 1).then(|| ranks(effective as usize, probability, alpha)).flatten();
    let interval = ends.map(|[low, high]| {
        // Ranks among as many samples as they count for, from 1.
        let scale = all.len() as f64 / (effective as usize) as f64;
        let low = ((low as f64 * scale).floor() as usize).clamp(1, all.len());
        let high = ((high as f64 * scale).ceil() as usize).clamp(1, all.len());
        Interval { low: sorted[low - 1], high: sorted[high - 1] }
    });
    Ok(GroupedQuantile { value, interval })
}

/// How many times more the share of samples above a value varies than if all were independent; at least 1.
fn design_effect(groups: &[Vec<f64>], value: f64, samples: usize) -> f64 {
    let above = |group: &Vec<f64>| group.iter().filter(|sample| **sample > value).count() as f64;
    let samples = samples as f64;
    let share = groups.iter().map(above).sum::<f64>() / samples;
    let number = groups.len() as f64;
    let squares = groups.iter().map(|group| (above(group) - share * group.len() as f64).powi(2));
    let of_groups = number / (number - 1.0) * squares.sum::<f64>() / (samples * samples);
    let if_independent = share * (1.0 - share) / samples;
    let effect = of_groups / if_independent;
    if effect.is_finite() { effect.max(1.0) } else { 1.0 }
}

/// The ranks, from 1, of the order statistics that enclose a quantile with probability 1 − α; `None` if there are too few
/// values.
fn ranks(values: usize, probability: f64, alpha: f64) -> Option<[usize; 2]> {
    let tail = alpha / 2.0;
    // The quantile lies below the value of rank r if fewer than r values lie below it.
    let (mut below, mut low, mut high) = (0.0, 0, None);
    let odds = libm::log(probability / (1.0 - probability));
    let mut log = values as f64 * libm::log1p(-probability);
    for count in 0..values {
        below += libm::exp(log);
        if below <= tail {
            low = count + 1;
        }
        if high.is_none() && below >= 1.0 - tail {
            high = Some(count + 1);
        }
        log += libm::log((values - count) as f64 / (count + 1) as f64) + odds;
    }
    high.filter(|_| low > 0).map(|high| [low, high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn ranks_are_those_of_the_tables() {
        // Conover, Practical Nonparametric Statistics: the median of 20 values at 95 % lies between the 6th and the 15th.
        assert_eq!(ranks(20, 0.5, 0.05), Some([6, 15]));
        assert_eq!(ranks(5, 0.5, 0.05), None, "five values have no interval at 95 %");
        assert_eq!(ranks(300, 0.99, 0.05), None);
        // 1 − 0.99^n ≥ 0.975 from 368 on.
        assert_eq!(ranks(367, 0.99, 0.05), None);
        assert!(ranks(368, 0.99, 0.05).is_some_and(|[_, high]| high == 368));
        assert_eq!(ranks(0, 0.5, 0.05), None);
    }

    #[test]
    fn intervals_hold_whether_or_not_groups_differ() {
        // 95 % of 400 are 380. Groups that differ by three times their spread leave few for a quantile in the tail.
        let all = [(0.0, 40, 16, 368), (0.1, 40, 16, 366), (0.3, 60, 12, 356)];
        for (between, groups, each, least) in all {
            let mut random = Random::new(17);
            for probability in [0.5, 0.95] {
                let mut sample = |groups: usize, each: usize| -> Vec<Vec<f64>> {
                    let group = |_| {
                        let shift = between * random.normal();
                        (0..each).map(|_| 1.0 + shift + 0.1 * random.normal()).collect()
                    };
                    (0..groups).map(group).collect()
                };
                let true_value =
                    grouped_quantile(&sample(200_000, 1), probability, 0.05).unwrap().value;
                let holds = |_: &i32| {
                    let found = grouped_quantile(&sample(groups, each), probability, 0.05).unwrap();
                    found.interval.is_some_and(|interval| interval.contains(true_value))
                };
                let held = (0..400).filter(holds).count();
                assert!(held >= least, "{between}, {probability}: {held} of 400");
            }
        }
    }

    #[test]
    fn one_group_has_no_interval_and_wrong_input_is_an_error() {
        let one = grouped_quantile(&[vec![1.0; 100]], 0.5, 0.05).unwrap();
        assert_eq!((one.value, one.interval), (1.0, None));
        assert!(grouped_quantile(&[], 0.5, 0.05).is_err());
        assert!(grouped_quantile(&[vec![f64::NAN]], 0.5, 0.05).is_err());
    }
}
