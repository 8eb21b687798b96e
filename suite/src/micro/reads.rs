//! Random reads, independent of each other or each waiting for the last, over working sets that grow.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use plusminus::{Problem, Work};
use plusminus_macros::bench;

use crate::Bytes;
use crate::apex_map::Drand48;
use crate::apex_map::drand48::scramble;

/// Bytes of a line: the unit that a read brings in.
const LINE: u64 = 64;

/// Reads in one call.
const READS: u64 = 4096;

/// The time of a random read by working set: steps of the curve are the caches, its end is the memory.
///
/// Points go from 16 KiB in steps of four to 256 MiB, and 512 MiB as in Apex-MAP's sweep.
pub struct RandomReads;

impl Problem for RandomReads {
    type Point = Bytes;
    type Input = ReadCycle;
    type Instance = ReadOrder;
    type Output = Reads;

    fn sweep() -> impl IntoIterator<Item = Bytes> {
        (0..8).map(|step| Bytes(16 << (10 + 2 * step))).chain([Bytes(512 << 20)])
    }

    /// # Panics
    /// When the size is no power of two, less than two lines, or 2³² lines and more.
    fn input(size: &Bytes) -> ReadCycle {
        ReadCycle::new(*size)
    }

    fn instances(_: &ReadCycle) -> Vec<ReadOrder> {
        [Order::Independent, Order::Dependent].map(ReadOrder::new).into()
    }

    fn check(cycle: &ReadCycle, order: &ReadOrder, reads: &Reads) -> Result<(), String> {
        cycle.check(order.order, *reads)
    }

    fn work(_: &ReadCycle, _: &ReadOrder) -> Work {
        Work::of("reads", READS as f64)
    }
}

/// Whether a read has to wait for the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Addresses are computed, so that the processor may have many reads under way: the throughput of random reads.
    Independent,
    /// Each address is what the read before has found: the latency of one read.
    Dependent,
}

/// Reads of one order; it remembers where the last call ended.
#[derive(Debug)]
pub struct ReadOrder {
    order: Order,
    done: AtomicU64,
}

impl ReadOrder {
    fn new(order: Order) -> Self {
        Self { order, done: AtomicU64::new(0) }
    }

    /// Independent or dependent.
    pub fn order(&self) -> Order {
        self.order
    }
}

impl fmt::Display for ReadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.order {
            Order::Independent => "independent",
            Order::Dependent => "dependent",
        })
    }
}

/// Lines of memory that form one cycle in random order: each holds the number of the next.
#[derive(Debug)]
pub struct ReadCycle {
    lines: Vec<[u64; 8]>,
    /// The lines in the order of the cycle, for starts and checks.
    sequence: Vec<u32>,
}

impl ReadCycle {
    fn new(size: Bytes) -> Self {
        let count = size.0 / LINE;
        assert!(
            size.0.is_power_of_two() && (2..1 << 32).contains(&count),
            "a working set must be a power of two of at least 128 bytes, not {size}"
        );
        let mut sequence: Vec<u32> = (0..count as u32).collect();
        let mut random = Drand48::new(1);
        for last in (1..sequence.len()).rev() {
            sequence.swap(last, (random.uniform() * (last + 1) as f64) as usize);
        }
        let mut lines = vec![[0; 8]; count as usize];
        for (place, line) in sequence.iter().enumerate() {
            let next = sequence[(place + 1) % sequence.len()];
            lines[*line as usize][0] = u64::from(next);
        }
        Self { lines, sequence }
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The line at a place of the cycle.
    fn at(&self, place: u64) -> u64 {
        u64::from(self.sequence[(place % self.sequence.len() as u64) as usize])
    }

    fn check(&self, order: Order, reads: Reads) -> Result<(), String> {
        let expected = match order {
            Order::Dependent => self.at(reads.first + READS),
            // The content of a line, from the sequence instead of from the lines.
            Order::Independent => {
                let mut next = vec![0; self.sequence.len()];
                for (place, line) in self.sequence.iter().enumerate() {
                    next[*line as usize] = self.at(place as u64 + 1);
                }
                let lines = self.lines.len() as u64;
                (reads.first..reads.first + READS)
                    .map(|read| next[(scramble(read) % lines) as usize])
                    .sum()
            }
        };
        if reads.found == expected {
            Ok(())
        } else {
            Err(format!(
                "reads from number {} found {}, but must find {expected}",
                reads.first, reads.found
            ))
        }
    }
}

/// The words that a call has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reads {
    /// The number of its first read, counted over all calls.
    pub first: u64,
    /// Independent: the sum of what was found. Dependent: the line that the last read has found.
    pub found: u64,
}

/// Makes 4096 reads of one word, each in a different line.
#[bench(problem = RandomReads, baseline)]
pub fn random_reads(cycle: &ReadCycle, order: &ReadOrder) -> Reads {
    let first = order.done.fetch_add(READS, Ordering::Relaxed);
    let lines = cycle.lines.as_slice();
    let found = match order.order {
        Order::Independent => {
            let mask = lines.len() - 1;
            (first..first + READS).map(|read| lines[scramble(read) as usize & mask][0]).sum()
        }
        Order::Dependent => {
            let mut line = cycle.at(first);
            for _ in 0..READS {
                line = lines[line as usize][0];
            }
            line
        }
    };
    Reads { first, found }
}
