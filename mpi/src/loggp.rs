//! The cost of phases on machines that are not here. The model is LogGP (Alexandrov, Ionescu, Schauser, Scheiman,
//! 1995) for a meeting of all ranks. Its gap depends on the length of a message as in parameterized LogP (Kielmann,
//! Bal, Verstoep, 2000), and comes from measured phases. The module also simulates meetings in turn. Pure functions;
//! `src/bin/scaling.rs` measures, and prints their results.
//!
//! A meeting is an all-gather in ⌈log₂ P⌉ steps, each of which takes L + 2o. If any words are sent, an exchange with
//! each other rank in turn follows, the gap apart. Messages both ways at once take less than one after the other, and
//! a message one way takes more than half as much: its receiver waits for its sender. So there is a gap for each
//! case.
//!
//! ```
//! use plusminus_mpi::loggp::{Network, end_of_meeting};
//!
//! // A step of 1 s, a message of 0.5 s, and 0.25 s for a word.
//! let network = Network::of_costs(1.0, 0.5, 0.25);
//! // Two ranks, of which the second comes three seconds late and is sent four words.
//! let ends = end_of_meeting(&network, &[0.0, 3.0], &|from, to| if (from, to) == (0, 1) { 4 } else { 0 });
//! assert_eq!(ends, [5.5, 5.5]);
//! ```

/// The costs of a network, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// A step of a collective: latency and both overheads, L + 2o.
    pub step: f64,
    /// The additional cost of a meeting that is not like the previous one: a processor predicts phases that are all
    /// alike.
    pub change: f64,
    /// The cost of an exchange with a rank that sends and receives nothing.
    pub idle: f64,
    /// The cost with any other, by ascending length. Between two it is on the line through them, and below the first
    /// it is constant.
    pub gaps: Vec<Gap>,
}

/// The cost of an exchange with one other rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Words of 32 bits in the message.
    pub words: f64,
    /// The cost if a message of this number of words goes each way, g + 4G words.
    pub both: f64,
    /// Where one goes, and nothing comes back.
    pub alone: f64,
}

/// A time that was measured, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The time.
    pub seconds: f64,
    /// Its standard uncertainty.
    pub u: f64,
}

/// Measured phases without lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plain {
    /// Nothing is sent.
    pub empty: Timed,
    /// One rank sends one other a message of the shortest length.
    pub single: Timed,
}

/// Measured phases in which this number of words goes from each rank to each other one, and from one rank to each
/// other one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phases {
    /// Words in a message.
    pub words: u32,
    /// All send.
    pub both: Timed,
    /// One sends.
    pub alone: Timed,
}

impl Network {
    /// A network whose gap is a line: the seconds of a step, a message, and a word of 32 bits, which takes as much either way.
    pub fn of_costs(step: f64, message: f64, word: f64) -> Self {
        let far = f64::from(u32::MAX);
        let gap = |words: f64| {
            let all = message + word * words;
            Gap { words, both: all, alone: all }
        };
        Self { step, change: 0.0, idle: message, gaps: vec![gap(0.0), gap(far)] }
    }

    /// Returns the network that phases on this number of ranks show, with the uncertainty of each cost. It comes from
    /// the scatter of the phases, and from their distance to the line through those of the next shorter and longer
    /// messages. Two ranks are never idle in an exchange, which takes as much as with the shortest message. `None`
    /// without two lengths, or with one rank.
    pub fn of_phases(
        Plain { empty, single }: Plain,
        phases: &[Phases],
        ranks: usize,
    ) -> Option<(Self, Self)> {
        if ranks < 2 || phases.len() < 2 {
            return None;
        }
        let others = (ranks - 1) as f64;
        let gap = |time: Timed| ((time.seconds - empty.seconds) / others).max(0.0);
        let gaps: Vec<Gap> = phases
            .iter()
            .map(|phase| Gap {
                words: f64::from(phase.words),
                both: gap(phase.both),
                alone: gap(phase.alone),
            })
            .collect();
        let misfit = |at: usize, cost: fn(&Gap) -> f64| match (at.checked_sub(1), gaps.get(at + 1))
        {
            (Some(before), Some(after)) => {
                between(&gaps[before], after, gaps[at].words, cost) - cost(&gaps[at])
            }
            _ => 0.0,
        };
        let unsure = |at: usize, u: f64, cost: fn(&Gap) -> f64| {
            (u.hypot(empty.u) / others).hypot(misfit(at, cost))
        };
        let u = phases.iter().enumerate().map(|(at, phase)| Gap {
            words: f64::from(phase.words),
            both: unsure(at, phase.both.u, |gap| gap.both),
            alone: unsure(at, phase.alone.u, |gap| gap.alone),
        });
        let u: Vec<Gap> = u.collect();
        let (idle, u_idle) = if ranks == 2 {
            (gaps[0].both, u[0].both)
        } else {
            let rest = (ranks - 2) as f64;
            let of_one = single.seconds - empty.seconds - gaps[0].alone;
            (of_one.max(0.0) / rest, single.u.hypot(empty.u).hypot(u[0].alone) / rest)
        };
        let u = Self { step: empty.u / steps(ranks), change: 0.0, idle: u_idle, gaps: u };
        Some((Self { step: empty.seconds / steps(ranks), change: 0.0, idle, gaps }, u))
    }

    /// Returns the same with the cost of a change, by this number of meetings that are unlike each other. It is their
    /// time beyond `foreseen` by this network, which has that uncertainty.
    #[must_use]
    pub fn with_change(
        (mut network, mut u): (Self, Self),
        mixed: Timed,
        foreseen: Timed,
        meetings: usize,
    ) -> (Self, Self) {
        network.change = (mixed.seconds - foreseen.seconds).max(0.0) / meetings as f64;
        u.change = mixed.u.hypot(foreseen.u) / meetings as f64;
        (network, u)
    }

    /// Returns the cost of messages of this number of words both ways.
    pub fn both(&self, words: f64) -> f64 {
        self.gap(words, |gap| gap.both)
    }

    /// Returns the cost of a message of this number of words that goes one way.
    pub fn alone(&self, words: f64) -> f64 {
        self.gap(words, |gap| gap.alone)
    }

    fn gap(&self, words: f64, cost: fn(&Gap) -> f64) -> f64 {
        let longer = self.gaps.partition_point(|gap| gap.words <= words);
        if longer == 0 {
            return cost(&self.gaps[0]);
        }
        // Beyond the longest as between the two longest.
        let longer = longer.min(self.gaps.len() - 1);
        between(&self.gaps[longer - 1], &self.gaps[longer], words, cost)
    }

    /// Returns the cost of an exchange of one rank with another one, by the words that go each way.
    fn exchange(&self, there: u64, back: u64) -> f64 {
        if (there, back) == (0, 0) {
            return self.idle;
        }
        let (less, more) = (there.min(back) as f64, there.max(back) as f64);
        self.both(less) + (self.alone(more) - self.alone(less)).max(0.0)
    }
}

/// A cost on the line through those of two lengths.
fn between(a: &Gap, b: &Gap, words: f64, cost: fn(&Gap) -> f64) -> f64 {
    cost(a) + (cost(b) - cost(a)) * (words - a.words) / (b.words - a.words)
}

/// Steps of an all-gather.
pub fn steps(ranks: usize) -> f64 {
    f64::from(ranks.max(1).next_power_of_two().ilog2())
}

/// The all-gather with which a meeting begins.
fn gather(network: &Network, ranks: usize) -> f64 {
    steps(ranks) * network.step + network.change
}

/// When each rank is done with a meeting to which it has come at a time, and at which some words are sent.
pub fn end_of_meeting(
    network: &Network,
    come: &[f64],
    words: &dyn Fn(usize, usize) -> u64,
) -> Vec<f64> {
    let ranks = come.len();
    let told = come.iter().copied().fold(0.0, f64::max) + gather(network, ranks);
    let others = |rank: usize| (0..ranks).filter(move |&other| other != rank);
    if (0..ranks).all(|rank| others(rank).all(|other| words(rank, other) == 0)) {
        return vec![told; ranks];
    }
    let exchange =
        |rank: usize, other: usize| network.exchange(words(rank, other), words(other, rank));
    (0..ranks)
        .map(|rank| told + others(rank).map(|other| exchange(rank, other)).sum::<f64>())
        .collect()
}

/// The seconds of meetings in turn, between which each rank computes: `compute(meeting, rank)` seconds, and
/// `words(meeting, from, to)`.
pub fn simulate(
    network: &Network,
    ranks: usize,
    meetings: usize,
    compute: &dyn Fn(usize, usize) -> f64,
    words: &dyn Fn(usize, usize, usize) -> u64,
) -> f64 {
    let mut clocks = vec![0.0; ranks];
    for meeting in 0..meetings {
        for (rank, clock) in clocks.iter_mut().enumerate() {
            *clock += compute(meeting, rank);
        }
        clocks = end_of_meeting(network, &clocks, &|from, to| words(meeting, from, to));
    }
    clocks.into_iter().fold(0.0, f64::max)
}

/// The seconds of one meeting at which every rank sends as much to each other one: the simulation of many ranks in one line.
pub fn even_meeting(network: &Network, ranks: usize, words_of_a_rank: f64) -> f64 {
    let gather = gather(network, ranks);
    if words_of_a_rank == 0.0 {
        return gather;
    }
    gather + exchange_of_all(network, ranks, words_of_a_rank)
}

/// The same without the all-gather. Of less than a word for each rank, there is one for as many of them.
pub fn exchange_of_all(network: &Network, ranks: usize, words_of_a_rank: f64) -> f64 {
    let others = (ranks.max(2) - 1) as f64;
    let words = words_of_a_rank / others;
    let sent = words.min(1.0);
    others * (sent * network.both(words) + (1.0 - sent) * network.idle)
}

/// The standard uncertainty of a prediction by that of each cost, which are varied in turn.
pub fn uncertainty(network: &Network, u: &Network, predict: &dyn Fn(&Network) -> f64) -> f64 {
    let middle = predict(network);
    let mut varied = vec![
        Network { step: network.step + u.step, ..network.clone() },
        Network { change: network.change + u.change, ..network.clone() },
        Network { idle: network.idle + u.idle, ..network.clone() },
    ];
    for (at, gap) in u.gaps.iter().enumerate() {
        let mut both = network.clone();
        both.gaps[at].both += gap.both;
        let mut alone = network.clone();
        alone.gaps[at].alone += gap.alone;
        varied.extend([both, alone]);
    }
    varied.iter().map(|network| (predict(network) - middle).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURE: f64 = 0.0;

    /// Gaps of 1.5 s and 0.01 s a word both ways, and of half as much a word one way.
    fn phases(ranks: usize) -> (Plain, Vec<Phases>) {
        let others = (ranks - 1) as f64;
        let empty = 0.25 * steps(ranks);
        let time = |seconds: f64| Timed { seconds: empty + seconds * others, u: SURE };
        let phases = [8_u32, 64, 512, 4096].map(|words| Phases {
            words,
            both: time(1.5 + 0.01 * f64::from(words)),
            alone: time(1.5 + 0.005 * f64::from(words)),
        });
        // One message, and 0.125 s for each rank that there is nothing for.
        let single = empty + 1.54 + 0.125 * (others - 1.0);
        let sure = |seconds| Timed { seconds, u: SURE };
        (Plain { empty: sure(empty), single: sure(single) }, phases.to_vec())
    }

    #[test]
    fn the_costs_of_phases_are_found() {
        for ranks in [2, 4, 5] {
            let (plain, phases) = phases(ranks);
            let (network, u) = Network::of_phases(plain, &phases, ranks).unwrap();
            assert!((network.step - 0.25).abs() < 1e-9);
            let idle = if ranks == 2 { network.both(8.0) } else { 0.125 };
            assert!((network.idle - idle).abs() < 1e-9, "{}", network.idle);
            for words in [8.0, 100.0, 4096.0, 10_000.0] {
                assert!((network.both(words) - (1.5 + 0.01 * words)).abs() < 1e-6, "{words}");
                assert!((network.alone(words) - (1.5 + 0.005 * words)).abs() < 1e-6, "{words}");
            }
            assert_eq!(network.both(0.0), network.both(8.0));
            // The phases lie on a line.
            assert!(u.gaps.iter().all(|gap| gap.both < 1e-9 && gap.alone < 1e-9));
        }
        let (plain, phases) = phases(2);
        assert_eq!(Network::of_phases(plain, &phases[..1], 2), None);
        assert_eq!(Network::of_phases(plain, &phases, 1), None);
    }

    #[test]
    fn what_mixed_meetings_take_more_is_the_cost_of_a_change() {
        let (plain, phases) = phases(2);
        let found = Network::of_phases(plain, &phases, 2).unwrap();
        let timed = |seconds, u| Timed { seconds, u };
        let (network, u) = Network::with_change(found, timed(11.0, 0.3), timed(10.0, 0.4), 10);
        assert!((network.change - 0.1).abs() < 1e-9 && (u.change - 0.05).abs() < 1e-9);
        assert!((even_meeting(&network, 2, 0.0) - 0.35).abs() < 1e-9);
    }

    #[test]
    fn a_phase_off_the_line_makes_the_costs_unsure() {
        let (plain, mut phases) = phases(2);
        phases[2].both.seconds += 1.0;
        let (network, u) = Network::of_phases(plain, &phases, 2).unwrap();
        assert!((u.gaps[2].both - 1.0).abs() < 1e-9, "{u:?}");
        assert!(u.gaps[2].alone < 1e-9, "{u:?}");
        let one = |network: &Network| even_meeting(network, 2, 512.0);
        assert!((uncertainty(&network, &u, &one) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_goes_one_way_takes_what_one_way_takes() {
        let (plain, phases) = phases(2);
        let (network, _) = Network::of_phases(plain, &phases, 2).unwrap();
        let ends = |there, back| {
            let words = |from: usize, _: usize| if from == 0 { there } else { back };
            end_of_meeting(&network, &[0.0, 0.0], &words)[1]
        };
        assert!(
            (ends(512, 0) - (0.25 + network.alone(512.0) + network.both(8.0) - network.alone(8.0)))
                .abs()
                < 1e-9
        );
        assert!((ends(512, 512) - (0.25 + network.both(512.0))).abs() < 1e-9);
        assert!(ends(512, 100) > ends(512, 0) && ends(512, 100) < ends(512, 512));
        assert_eq!(ends(512, 100), ends(100, 512));
        assert_eq!(ends(0, 0), 0.25, "nothing is exchanged");
    }

    #[test]
    fn a_simulation_of_even_ranks_is_the_sum_of_their_phases() {
        let network = Network::of_costs(2e-6, 1e-6, 1e-9);
        for ranks in [1, 2, 16, 256] {
            let each = 30;
            let total = simulate(&network, ranks, 12, &|_, _| 1e-3, &|_, from, to| {
                each * u64::from(from != to)
            });
            let words = (each * (ranks as u64 - 1)) as f64;
            let expected = 12.0 * (1e-3 + even_meeting(&network, ranks, words));
            assert!((total / expected - 1.0).abs() < 1e-9, "{total} {expected} {ranks}");
        }
    }

    #[test]
    fn the_slowest_rank_of_each_phase_decides() {
        let compute = |meeting: usize, rank: usize| if meeting % 2 == rank { 1.0 } else { 0.0 };
        let network = Network::of_costs(0.0, 0.0, 0.0);
        assert_eq!(simulate(&network, 2, 10, &compute, &|_, _, _| 0), 10.0);
    }
}
