//! Small kernels of our own, whose machine code never changes, whatever the optimization: a change of their times is a change of
//! the machine. Touches the clock and its own memory only.

use std::{hint::black_box, time::Instant};

use crate::order::sorted;

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

const FACTOR: u64 = 0x5851_f42d_4c95_7f2d;

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
pub struct Probes {
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
    pub fn take(&mut self) -> Vec<Probed> {
        let seed = black_box(0x9e37_79b9_7f4a_7c15);
        let mut found = vec![
            Probed { name: "latency", ns: median(&mut || chain(seed)) },
            Probed { name: "lanes", ns: median(&mut || lanes(seed)) },
            Probed { name: "decisions", ns: median(&mut || branches(seed)) },
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
#[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
fn chain(seed: u64) -> u64 {
    let mut value = seed;
    // SAFETY: changes registers that are declared, and the flags; touches neither memory nor stack.
    unsafe {
        std::arch::asm!(
            ".p2align 6",
            "2:",
            "imul {value}, {factor}",
            "xor {value}, {steps}",
            "sub {steps}, 1",
            "jnz 2b",
            value = inout(reg) value,
            steps = inout(reg) CHAIN => _,
            factor = in(reg) FACTOR,
            options(nomem, nostack),
        );
    }
    value
}

#[cfg(not(all(target_arch = "x86_64", not(plusminus_fallback))))]
fn chain(seed: u64) -> u64 {
    (0..CHAIN).fold(seed, |value, step| value.wrapping_mul(FACTOR) ^ step)
}

/// Multiplications and additions in eight lanes, which keep all units of a processor busy: they show a neighbor on the
/// same core, whom a dependent chain does not notice.
#[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
fn lanes(seed: u64) -> u64 {
    let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|lane| seed.wrapping_add(lane));
    let [mut e, mut f, mut g, mut h] = [4, 5, 6, 7].map(|lane| seed.wrapping_add(lane));
    // SAFETY: changes registers that are declared, and the flags; touches neither memory nor stack.
    unsafe {
        std::arch::asm!(
            ".p2align 6",
            "2:",
            "imul {a}, {factor}", "imul {b}, {factor}", "imul {c}, {factor}", "imul {d}, {factor}",
            "imul {e}, {factor}", "imul {f}, {factor}", "imul {g}, {factor}", "imul {h}, {factor}",
            "xor {a}, {rounds}", "xor {b}, {rounds}", "xor {c}, {rounds}", "xor {d}, {rounds}",
            "xor {e}, {rounds}", "xor {f}, {rounds}", "xor {g}, {rounds}", "xor {h}, {rounds}",
            "rol {a}, 17", "rol {b}, 17", "rol {c}, 17", "rol {d}, 17",
            "rol {e}, 17", "rol {f}, 17", "rol {g}, 17", "rol {h}, 17",
            "sub {rounds}, 1",
            "jnz 2b",
            a = inout(reg) a, b = inout(reg) b, c = inout(reg) c, d = inout(reg) d,
            e = inout(reg) e, f = inout(reg) f, g = inout(reg) g, h = inout(reg) h,
            rounds = inout(reg) ROUNDS => _,
            factor = in(reg) FACTOR,
            options(nomem, nostack),
        );
    }
    a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}

#[cfg(not(all(target_arch = "x86_64", not(plusminus_fallback))))]
fn lanes(seed: u64) -> u64 {
    let mut lanes: [u64; 8] = std::array::from_fn(|lane| seed.wrapping_add(lane as u64));
    for round in 0..ROUNDS {
        for lane in &mut lanes {
            *lane = (lane.wrapping_mul(FACTOR) ^ round).rotate_left(17);
        }
    }
    lanes.into_iter().fold(0, u64::wrapping_add)
}

/// Decisions by bits that look random, with different work on both sides.
#[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
fn branches(seed: u64) -> u64 {
    let mut sum = 0_u64;
    // SAFETY: changes registers that are declared, and the flags; touches neither memory nor stack.
    unsafe {
        std::arch::asm!(
            ".p2align 6",
            "2:",
            "mov {copy}, {state}", "shl {copy}, 13", "xor {state}, {copy}",
            "mov {copy}, {state}", "shr {copy}, 7", "xor {state}, {copy}",
            "mov {copy}, {state}", "shl {copy}, 17", "xor {state}, {copy}",
            "test {state:l}, 1",
            "jz 3f",
            "xor {sum}, 3",
            "jmp 4f",
            "3:",
            "add {sum}, {state}",
            "4:",
            "sub {left}, 1",
            "jnz 2b",
            state = inout(reg) seed => _,
            copy = out(reg) _,
            sum = inout(reg) sum,
            left = inout(reg) BRANCHES => _,
            options(nomem, nostack),
        );
    }
    sum
}

#[cfg(not(all(target_arch = "x86_64", not(plusminus_fallback))))]
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

    /// Reads on from the last position, `reads` times, which are more than none.
    #[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
    fn walk(&mut self, reads: usize) -> u64 {
        let mut at = u64::from(self.at);
        // SAFETY: reads four bytes at the beginning of lines of `next`, and writes nothing. `at` is less than their number,
        // and so is each number that stands there, as `new` has put nothing else into them.
        unsafe {
            std::arch::asm!(
                ".p2align 6",
                "2:",
                "shl {at}, 6",
                "mov {at:e}, dword ptr [{lines} + {at}]",
                "sub {left}, 1",
                "jnz 2b",
                at = inout(reg) at,
                lines = in(reg) self.next.as_ptr(),
                left = inout(reg) reads => _,
                options(readonly, nostack),
            );
        }
        self.at = at as u32;
        at
    }

    #[cfg(not(all(target_arch = "x86_64", not(plusminus_fallback))))]
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
