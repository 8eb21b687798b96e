//! What phases cost on machines that are not here: the LogGP model (Alexandrov, Ionescu, Schauser, Scheiman, 1995), with the
//! announcement of long messages that LogGPS adds (Ino, Fujimoto, Hagihara, 2001), of a meeting of all ranks, fitted to measured phases, and a simulation of meetings in turn. Pure functions; `src/bin/scaling.rs`
//! measures, and prints what they say.
//!
//! A meeting is an all-gather in ⌈log₂ P⌉ steps, each of which takes L + 2o, and, where any words are sent, P − 1 messages from each
//! rank, g apart, each word of which takes its sender and its receiver half of 4G.
//!
//! ```
//! use plusminus_mpi::loggp::{Network, end_of_meeting};
//!
//! let network = Network { step: 1.0, message: 0.5, long: 0.0, word: 0.25 };
//! // Two ranks, of which the second comes three seconds late and is sent four words.
//! let ends = end_of_meeting(&network, &[0.0, 3.0], &|from, to| if (from, to) == (0, 1) { 4 } else { 0 });
//! assert_eq!(ends, [5.0, 5.0]);
//! ```

/// The costs of a network, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Network {
    /// A step of a collective: latency and both overheads, L + 2o.
    pub step: f64,
    /// Each message of an exchange, g.
    pub message: f64,
    /// What a message of more than [`EAGER_WORDS`] takes more: it is announced first.
    pub long: f64,
    /// Each word of 32 bits in one, 4G.
    pub word: f64,
}

/// Words that are sent without being announced, 4 KiB: what Open MPI does between processes of one machine.
pub const EAGER_WORDS: u64 = 1024;

/// A measured phase: every rank sends so many words to each other one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Words from each rank to each other.
    pub words: u32,
    /// Seconds of one phase.
    pub seconds: f64,
}

/// Steps of an all-gather.
pub fn steps(ranks: usize) -> f64 {
    f64::from(ranks.max(1).next_power_of_two().ilog2())
}

/// When each rank is done with a meeting to which it has come at a time, and at which some words are sent.
pub fn end_of_meeting(
    network: &Network,
    come: &[f64],
    words: &dyn Fn(usize, usize) -> u64,
) -> Vec<f64> {
    let ranks = come.len();
    let told = come.iter().copied().fold(0.0, f64::max) + steps(ranks) * network.step;
    let pairs = || (0..ranks).flat_map(|from| (0..ranks).map(move |to| (from, to)));
    if pairs().all(|(from, to)| from == to || words(from, to) == 0) {
        return vec![told; ranks];
    }
    let messages = network.message * (ranks - 1) as f64;
    let is_long = |from: usize, to: usize| from != to && words(from, to) > EAGER_WORDS;
    let cost = |of: &dyn Fn(usize) -> u64| (0..ranks).map(of).sum::<u64>() as f64 * network.word;
    (0..ranks)
        .map(|rank| {
            let sent = cost(&|to| if to == rank { 0 } else { words(rank, to) });
            let received = cost(&|from| if from == rank { 0 } else { words(from, rank) });
            let long = (0..ranks).map(|other| {
                f64::from(u8::from(is_long(rank, other)))
                    + f64::from(u8::from(is_long(other, rank)))
            });
            told + messages + (sent + received + network.long * long.sum::<f64>()) / 2.0
        })
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
    let gather = steps(ranks) * network.step;
    if words_of_a_rank == 0.0 {
        return gather;
    }
    let others = (ranks.max(1) - 1) as f64;
    let long = words_of_a_rank > EAGER_WORDS as f64 * others;
    let message = network.message + if long { network.long } else { 0.0 };
    gather + message * others + network.word * words_of_a_rank
}

/// The costs that phases on so many ranks show, and the standard uncertainty of each: least squares in which every phase weighs
/// by the reciprocal of its time. With them, the root mean square of what the model leaves of each phase, as a share. `None` with fewer than five phases, or if they do not tell the costs apart.
pub fn fit(measured: &[Measured], ranks: usize) -> Option<(Network, Network, f64)> {
    let row = |phase: &Measured| {
        let others = (ranks.max(1) - 1) as f64;
        let sends = f64::from(u8::from(phase.words > 0));
        let long = f64::from(u8::from(u64::from(phase.words) > EAGER_WORDS));
        [steps(ranks), sends * others, long * others, others * f64::from(phase.words)]
            .map(|term| term / phase.seconds)
    };
    if measured.len() < COSTS + 1 {
        return None;
    }
    let mut normal = [[0.0; COSTS]; COSTS];
    let mut right = [0.0; COSTS];
    for phase in measured {
        let terms = row(phase);
        for i in 0..COSTS {
            right[i] += terms[i];
            for j in 0..COSTS {
                normal[i][j] += terms[i] * terms[j];
            }
        }
    }
    let inverse = inverse(normal)?;
    let sum = |a: &[f64; COSTS], b: &[f64; COSTS]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let found: [f64; COSTS] = std::array::from_fn(|i| sum(&inverse[i], &right));
    let squares: f64 = measured.iter().map(|phase| (1.0 - sum(&row(phase), &found)).powi(2)).sum();
    let variance = squares / (measured.len() - COSTS) as f64;
    let u: [f64; COSTS] = std::array::from_fn(|i| (variance * inverse[i][i]).sqrt());
    let network = |[step, message, long, word]: [f64; COSTS]| Network { step, message, long, word };
    let rms = (squares / measured.len() as f64).sqrt();
    Some((network(found.map(|cost| cost.max(0.0))), network(u), rms))
}

/// How many costs a network has.
const COSTS: usize = 4;

/// The inverse of a symmetric matrix without negative eigenvalues, by elimination.
fn inverse(mut m: [[f64; COSTS]; COSTS]) -> Option<[[f64; COSTS]; COSTS]> {
    let mut inverse: [[f64; COSTS]; COSTS] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for pivot in 0..COSTS {
        let before = m[pivot][pivot];
        if before.is_nan() || before <= 0.0 {
            return None;
        }
        let (row, side) = (m[pivot].map(|x| x / before), inverse[pivot].map(|x| x / before));
        (m[pivot], inverse[pivot]) = (row, side);
        for i in (0..COSTS).filter(|&i| i != pivot) {
            let factor = m[i][pivot];
            let diagonal = m[i][i];
            for j in 0..COSTS {
                m[i][j] -= factor * row[j];
                inverse[i][j] -= factor * side[j];
            }
            if i > pivot && m[i][i] < 1e-12 * diagonal {
                return None;
            }
        }
    }
    Some(inverse)
}

/// The standard uncertainty of a prediction by that of each cost, which are varied in turn.
pub fn uncertainty(network: &Network, u: &Network, predict: &dyn Fn(&Network) -> f64) -> f64 {
    let middle = predict(network);
    let varied = [
        Network { step: network.step + u.step, ..*network },
        Network { message: network.message + u.message, ..*network },
        Network { long: network.long + u.long, ..*network },
        Network { word: network.word + u.word, ..*network },
    ];
    varied.iter().map(|network| (predict(network) - middle).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETWORK: Network = Network { step: 2e-6, message: 0.5e-6, long: 1e-6, word: 1e-9 };

    #[test]
    fn costs_are_found_again() {
        for ranks in [2, 4, 7] {
            let phases = [0, 1, 10, 100, 1000, 4000, 10_000].map(|words| {
                let even = |from: usize, to: usize| u64::from(words) * u64::from(from != to);
                let ends = end_of_meeting(&NETWORK, &vec![0.0; ranks], &even);
                Measured { words, seconds: ends[0] }
            });
            let (found, u, rms) = fit(&phases, ranks).unwrap();
            for (found, expected) in [
                (found.step, NETWORK.step),
                (found.message, NETWORK.message),
                (found.long, NETWORK.long),
                (found.word, NETWORK.word),
            ] {
                assert!((found / expected - 1.0).abs() < 1e-6, "{found} for {expected}, {ranks}");
            }
            assert!(u.step < 1e-9 && rms < 1e-6);
        }
        assert_eq!(fit(&[Measured { words: 0, seconds: 1.0 }; 5], 2), None, "nothing was sent");
    }

    #[test]
    fn a_simulation_of_even_ranks_is_the_sum_of_their_phases() {
        for ranks in [1, 2, 16, 256] {
            let each = 30;
            let total = simulate(&NETWORK, ranks, 12, &|_, _| 1e-3, &|_, from, to| {
                each * u64::from(from != to)
            });
            let words = (each * (ranks as u64 - 1)) as f64;
            let expected = 12.0 * (1e-3 + even_meeting(&NETWORK, ranks, words));
            assert!((total / expected - 1.0).abs() < 1e-9, "{total} {expected} {ranks}");
        }
    }

    #[test]
    fn the_slowest_rank_of_each_phase_decides() {
        let compute = |meeting: usize, rank: usize| if meeting % 2 == rank { 1.0 } else { 0.0 };
        let network = Network { step: 0.0, message: 0.0, long: 0.0, word: 0.0 };
        assert_eq!(simulate(&network, 2, 10, &compute, &|_, _, _| 0), 10.0);
    }
}
