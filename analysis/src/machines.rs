//! Joins what several machines have found about the same change. A machine is a random draw: its processor, its system and the
//! layouts on it move a change in a way that no more samples on another machine can show.

use crate::{special::student_t_two_sided_quantile, verdict::Verdict};

/// A change over machines, as logarithms of new/base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    /// The mean over machines, each of which counts the same.
    pub mean: f64,
    /// The standard deviation between machines, which includes the uncertainty of each.
    pub spread: f64,
    /// The lower end of the interval for machines of this population.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Joins one change per machine. The interval is Student's over machines. Its coverage is at least `1 − alpha` whatever the
/// uncertainty of each machine is, for alpha up to 0.083 (Ibragimov and Müller, 2010, after Bakirov and Székely). Machines with
/// different noise make it wider than necessary, never too narrow.
///
/// Returns nothing for fewer than two machines, a number that is not finite, and an alpha outside of (0, 0.083].
pub fn join(changes: &[f64], alpha: f64) -> Option<Joined> {
    let n = changes.len() as f64;
    let is_usable = changes.len() >= 2 && changes.iter().all(|change| change.is_finite());
    let is_covered = alpha > 0.0 && alpha <= 0.083;
    if !(is_usable && is_covered) {
        return None;
    }
    let mean = changes.iter().sum::<f64>() / n;
    let squares: f64 = changes.iter().map(|change| (change - mean).powi(2)).sum();
    let spread = (squares / (n - 1.0)).sqrt();
    let half = student_t_two_sided_quantile(alpha, n - 1.0) * spread / n.sqrt();
    Some(Joined { mean, spread, low: mean - half, high: mean + half })
}

/// Decides over machines. `each` has the verdict of each machine, at error probabilities that together leave room for that of the
/// interval. A slowdown that is proven on one machine is a slowdown, even if another one is faster.
pub fn decide(each: &[Verdict], over: Option<Joined>, margin: f64) -> Verdict {
    let margin = margin.ln_1p();
    let all =
        |allowed: &[Verdict]| !each.is_empty() && each.iter().all(|one| allowed.contains(one));
    let over_machines = match over {
        Some(over) if over.low >= -margin && over.high <= margin => Verdict::WithinMargin,
        Some(over) if over.low > 0.0 => Verdict::Slower,
        Some(over) if over.high < 0.0 => Verdict::Faster,
        _ => Verdict::Inconclusive,
    };
    match () {
        () if each.contains(&Verdict::Slower) => Verdict::Slower,
        () if all(&[Verdict::WithinMargin]) => Verdict::WithinMargin,
        () if over_machines == Verdict::Slower => Verdict::Slower,
        () if all(&[Verdict::Faster, Verdict::WithinMargin]) => Verdict::Faster,
        () => over_machines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A fleet: how far machines differ, how noisy each is, and whether one is special.
    #[derive(Debug, Clone, Copy)]
    struct Fleet {
        machines: usize,
        /// Standard deviation of the change between machines: machine × layout.
        between: f64,
        /// The last machine is this much noisier.
        noisier: f64,
    }

    const BLOCKS: usize = 12;
    const NOISE: f64 = 0.01;

    impl Fleet {
        fn measured(&self, change: f64, special: f64, random: &mut Random) -> Vec<Vec<f64>> {
            let mut machine = |index: usize| {
                let is_last = index + 1 == self.machines;
                let own =
                    change + self.between * random.normal() + if is_last { special } else { 0.0 };
                let noise = if is_last { NOISE * self.noisier } else { NOISE };
                (0..BLOCKS).map(|_| own + noise * random.normal()).collect()
            };
            (0..self.machines).map(&mut machine).collect()
        }
    }

    fn means(machines: &[Vec<f64>]) -> Vec<f64> {
        machines.iter().map(|blocks| blocks.iter().sum::<f64>() / BLOCKS as f64).collect()
    }

    /// The verdict of one machine by Student's interval.
    fn alone(blocks: &[f64], alpha: f64, margin: f64) -> Verdict {
        decide(&[], join(blocks, alpha), margin)
    }

    fn fleets() -> Vec<Fleet> {
        let mut fleets = Vec::new();
        for machines in [2, 3, 4, 8] {
            for between in [0.0, 0.005, 0.03] {
                for noisier in [1.0, 10.0] {
                    fleets.push(Fleet { machines, between, noisier });
                }
            }
        }
        fleets
    }

    #[test]
    fn intervals_over_machines_cover_the_change() {
        let trials = 2000;
        for (seed, fleet) in fleets().into_iter().enumerate() {
            let mut random = Random::new(seed as u64);
            let mut covered = 0;
            for _ in 0..trials {
                let found = means(&fleet.measured(0.04, 0.0, &mut random));
                let over = join(&found, 0.05).unwrap();
                covered += usize::from(over.low <= 0.04 && 0.04 <= over.high);
            }
            // 95 %, less three standard errors of 2,000 trials.
            assert!(covered as f64 / trials as f64 >= 0.935, "{fleet:?}: {covered} of {trials}");
        }
    }

    #[test]
    fn verdicts_over_machines_are_rarely_wrong() {
        let (trials, alpha, margin) = (2000, 0.05, 0.02);
        for (seed, fleet) in fleets().into_iter().enumerate().filter(|(_, one)| one.between == 0.0)
        {
            let mut random = Random::new(100 + seed as u64);
            let each_alpha = alpha / 2.0 / fleet.machines as f64;
            let mut wrong = 0;
            for _ in 0..trials {
                let machines = fleet.measured(0.0, 0.0, &mut random);
                let each: Vec<Verdict> =
                    machines.iter().map(|blocks| alone(blocks, each_alpha, margin)).collect();
                let over = join(&means(&machines), alpha / 2.0);
                let told = decide(&each, over, margin);
                wrong += usize::from(matches!(told, Verdict::Slower | Verdict::Faster));
            }
            assert!(wrong as f64 / trials as f64 <= 0.065, "{fleet:?}: {wrong} of {trials}");
        }
    }

    #[test]
    fn one_machine_that_is_slower_is_enough() {
        let mut random = Random::new(7);
        let fleet = Fleet { machines: 3, between: 0.0, noisier: 1.0 };
        let mut found = 0;
        for _ in 0..500 {
            let machines = fleet.measured(0.0, 0.06, &mut random);
            let each: Vec<Verdict> =
                machines.iter().map(|blocks| alone(blocks, 0.05 / 6.0, 0.02)).collect();
            let told = decide(&each, join(&means(&machines), 0.025), 0.02);
            found += usize::from(told == Verdict::Slower);
        }
        assert!(found >= 490, "{found} of 500");
    }

    #[test]
    fn verdicts_combine() {
        use Verdict::{Faster, Inconclusive, Slower, WithinMargin};
        let over = |low: f64, high: f64| {
            Some(Joined { mean: f64::midpoint(low, high), spread: 0.01, low, high })
        };
        for (each, over, expected) in [
            (&[Slower, Faster][..], over(-0.3, 0.3), Slower),
            (&[WithinMargin, WithinMargin], over(-0.3, 0.3), WithinMargin),
            (&[Inconclusive, Inconclusive], over(0.01, 0.03), Slower),
            (&[Inconclusive, Inconclusive], over(0.001, 0.01), WithinMargin),
            (&[Inconclusive, Faster], over(-0.04, -0.01), Faster),
            (&[WithinMargin, Faster], over(-0.2, 0.1), Faster),
            (&[Inconclusive, Faster], over(-0.2, 0.1), Inconclusive),
            (&[], None, Inconclusive),
        ] {
            assert_eq!(decide(each, over, 0.02), expected, "{each:?} {over:?}");
        }
    }

    #[test]
    fn what_cannot_be_joined_is_not() {
        assert_eq!(join(&[0.1], 0.05), None);
        assert_eq!(join(&[0.1, f64::NAN], 0.05), None);
        assert_eq!(join(&[0.1, 0.2], 0.2), None);
        let same = join(&[0.1, 0.1], 0.05).unwrap();
        assert_eq!((same.low, same.high, same.spread), (0.1, 0.1, 0.0));
    }
}
