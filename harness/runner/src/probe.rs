//! Small kernels of our own, whose code never changes: a change of their times is a change of the machine. Touches
//! the clock and its own memory only.

use std::{hint::black_box, time::Instant};

use plusminus_worker::order::sorted;

/// The name of a probe, and how long its work took now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probed {
    /// The part of the machine that it exercises.
    pub name: &'static str,
    /// The time of its work, in nanoseconds.
    pub ns: f64,
}

/// Times that each probe takes in a row: the median of them counts.
const REPEATS: usize = 5;

/// Steps of the dependent chain of arithmetic.
const CHAIN: u64 = 60_000;

/// Rounds of arithmetic whose lanes do not depend on each other.
const ROUNDS: u64 = 40_000;

/// Branches that are not predictable.
const BRANCHES: u64 = 20_000;

/// Bytes of the memory that the second level of a cache holds, and of one that it does not.
const CACHED_BYTES: usize = 256 << 10;
const MEMORY_BYTES: usize = 16 << 20;

/// Reads of each, every one at a place that the previous one contains.
const CACHED_READS: usize = 30_000;
const MEMORY_READS: usize = 3_000;

/// Bytes of a line of the cache: each place to read stands in one of its own.
const LINE_BYTES: usize = 64;

/// The probes with their memory, made once: making it takes longer than a probe.
#[derive(Debug)]
pub(crate) struct Probes {
    cached: Ring,
    memory: Ring,
}

impl Default for Probes {
    fn default() -> Self {
        Self { cached: Ring::new(CACHED_BYTES), memory: Ring::new(MEMORY_BYTES) }
    }
}

impl Probes {
    /// Takes all probes, in a few milliseconds.
    pub(crate) fn take(&mut self) -> Vec<Probed> {
        let seed = black_box(0x9e37_79b9_7f4a_7c15);
        let mut found = vec![
            Probed { name: "latency", ns: median(&mut || chain(seed)) },
            Probed { name: "arithmetic", ns: median(&mut || lanes(seed)) },
            Probed { name: "branches", ns: median(&mut || branches(seed)) },
        ];
        found.push(Probed { name: "cache", ns: median(&mut || self.cached.walk(CACHED_READS)) });
        found.push(Probed { name: "memory", ns: median(&mut || self.memory.walk(MEMORY_READS)) });
        found
    }
}

/// The median time of some work, in nanoseconds.
fn median(work: &mut dyn FnMut() -> u64) -> f64 {
    black_box(work());
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        let begin = Instant::now();
        black_box(work());
        *time = begin.elapsed().as_nanos() as f64;
    }
    sorted(&times, &f64::total_cmp)[REPEATS / 2].max(1.0)
}

/// Multiplications and additions, each of which needs the result of the one before.
fn chain(seed: u64) -> u64 {
    (0..CHAIN).fold(seed, |value, step| value.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ step)
}

/// Multiplications and additions in eight lanes, which keep all units of a processor busy: they show a neighbor on the
/// same core, whom a dependent chain does not notice.
fn lanes(seed: u64) -> u64 {
    let mut lanes: [u64; 8] = std::array::from_fn(|lane| seed.wrapping_add(lane as u64));
    for round in 0..ROUNDS {
        for lane in &mut lanes {
            *lane = (lane.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ round).rotate_left(17);
        }
    }
    lanes.into_iter().fold(0, u64::wrapping_add)
}

/// Decisions by bits that look random, with different work on both sides.
fn branches(seed: u64) -> u64 {
    let (mut state, mut sum) = (seed, 0_u64);
    for _ in 0..BRANCHES {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Hidden from the optimiser, which would compute both sides and choose.
        sum = if state & 1 == 0 { black_box(sum.wrapping_add(state)) } else { black_box(sum ^ 3) };
    }
    sum
}

/// Places in memory that lead through all of it in random order.
struct Ring {
    next: Vec<[u32; LINE_BYTES / 4]>,
    at: u32,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ring of {} lines", self.next.len())
    }
}

impl Ring {
    /// Makes one cycle through this number of bytes (Sattolo 1986), the same in every process.
    fn new(bytes: usize) -> Self {
        let lines = bytes / LINE_BYTES;
        let mut order: Vec<u32> = (0..lines as u32).collect();
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        for index in (1..lines).rev() {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            order.swap(index, (state >> 33) as usize % index);
        }
        let mut next = vec![[0; LINE_BYTES / 4]; lines];
        for (line, place) in next.iter_mut().zip(order) {
            line[0] = place;
        }
        Self { next, at: 0 }
    }

    /// Reads on from the last position.
    fn walk(&mut self, reads: usize) -> u64 {
        for _ in 0..reads {
            self.at = self.next[self.at as usize][0];
        }
        u64::from(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_probe_takes_time_and_has_a_name_of_its_own() {
        let found = Probes::default().take();
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|probed| probed.ns >= 1.0), "{found:?}");
        assert!(
            found.iter().enumerate().all(|(at, a)| found[..at].iter().all(|b| a.name != b.name))
        );
    }

    #[test]
    fn a_ring_leads_through_all_of_its_memory() {
        let mut ring = Ring::new(4096);
        let mut seen = vec![false; 4096 / LINE_BYTES];
        for _ in 0..seen.len() {
            ring.walk(1);
            seen[ring.at as usize] = true;
        }
        assert!(seen.into_iter().all(|seen| seen));
        assert_eq!(ring.at, 0, "the last step closes the cycle");
    }
}
