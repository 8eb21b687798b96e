//! Apex-MAP's parallel form over ranks: each rank visits blocks that lie mostly in its own part of the memory where α is small,
//! and anywhere where it is 1. Two-sided, ranks ask owners for blocks, which answer, all at once in meetings; one-sided, blocks are
//! read through a window of MPI without the owner's help; element by element, every word is read so.
//!
//! Addresses and localities are those of the suite's parallel form on threads. `PLUSMINUS_APEX_MAP_PARALLEL` names other points,
//! as there. `cargo plusminus study` of a record fits the paper's models.

use std::cell::Cell;
use std::fmt;

use plusminus::{Problem, Work, bench};
use plusminus_mpi::window::Window;
use plusminus_mpi::{Mail, Ranks, over_ranks};
use plusminus_suite::apex_map::{
    ALPHAS, Drand48, IndexStream, Locality, MODEL, PerProcessor, element,
};

/// Addresses of each α on each rank.
const RING: usize = 1 << 17;
/// Blocks of a call that are asked for together.
const TOGETHER: usize = 1 << 10;
/// Words that are read by themselves, and are under way together.
const WORDS_TOGETHER: usize = 1 << 12;

/// Accesses to a memory in parts.
struct ApexMap;

/// The memory, and the addresses of this rank.
struct Memory {
    point: PerProcessor,
    rank: usize,
    window: Window,
    streams: Vec<Vec<IndexStream>>,
}

/// A locality, and how many calls it has had.
struct Access {
    locality: Locality,
    /// The stream of addresses of its α.
    stream: usize,
    calls: Cell<u64>,
}

impl fmt::Display for Access {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.locality.fmt(out)
    }
}

impl Memory {
    /// The blocks of a call of a rank: owners, and the first words within what they own.
    fn blocks(&self, access: &Access, call: u64, rank: usize) -> Vec<(usize, usize)> {
        let (part, ranks) = (self.point.part_words(), self.point.processors());
        let (stream, length) = (&self.streams[rank][access.stream], access.locality.block_words);
        let count = self.point.blocks(length).min(1 << 12);
        let starts = stream.blocks(call, count, length).starts();
        starts.map(|start| ((rank + start / part) % ranks, start % part)).collect()
    }
}

impl Problem for ApexMap {
    type Point = PerProcessor;
    type Input = Memory;
    type Instance = Access;
    /// The call, and the sum that this rank has found.
    type Output = (u64, f64);

    fn sweep() -> impl IntoIterator<Item = PerProcessor> {
        let points = std::env::var("PLUSMINUS_APEX_MAP_PARALLEL");
        let points = points.unwrap_or_else(|_| "16MiB,p=1;16MiB,p=2".to_owned());
        let read = |text: &str| text.trim().parse().unwrap_or_else(|error| panic!("{error}"));
        points.split(';').map(read).collect::<Vec<_>>()
    }

    /// The memory in words.
    fn size(point: &PerProcessor) -> Option<f64> {
        Some((point.part_words() * point.processors()) as f64)
    }

    fn models() -> &'static [&'static str] {
        &[MODEL]
    }

    fn input(point: &PerProcessor) -> Memory {
        over_ranks(|ranks| {
            let (rank, part) = (ranks.rank(), point.part_words());
            let window = Window::new(ranks, part, |word| f64::from(element(0, rank * part + word)));
            let mut random = Drand48::new(point.seed());
            let span = part * point.processors();
            let mut streams = || {
                ALPHAS
                    .iter()
                    .map(|&alpha| IndexStream::new(alpha, span, RING, &mut random))
                    .collect()
            };
            let streams = (0..point.processors()).map(|_| streams()).collect();
            Memory { point: *point, rank, window, streams }
        })
    }

    fn instances(_: &Memory) -> Vec<Access> {
        let access = |locality: Locality| {
            let stream = ALPHAS.iter().position(|alpha| *alpha == locality.alpha);
            let stream = stream.expect("the sweep uses ALPHAS");
            Access { locality, stream, calls: Cell::new(0) }
        };
        Locality::sweep().map(access).collect()
    }

    fn check(memory: &Memory, access: &Access, (call, sum): &(u64, f64)) -> Result<(), String> {
        let part = memory.point.part_words();
        let blocks = memory.blocks(access, *call, memory.rank);
        let words = blocks.into_iter().flat_map(|(owner, first)| {
            let first = owner * part + first;
            first..first + access.locality.block_words
        });
        let expected: u64 = words.map(|word| u64::from(element(0, word))).sum();
        if *sum == expected as f64 {
            Ok(())
        } else {
            Err(format!("call {call}: the sum {sum}, and not {expected}"))
        }
    }

    /// The accesses of all ranks.
    fn work(memory: &Memory, access: &Access) -> Work {
        let of_rank = memory.blocks(access, 0, 0).len() * access.locality.block_words;
        Work::of("accesses", (memory.point.processors() * of_rank) as f64)
    }

    fn processors(point: &PerProcessor) -> Vec<usize> {
        vec![point.processors()]
    }
}

/// Visits all blocks of a call: own ones where they are, others as a style gets them.
fn visit(
    memory: &Memory,
    access: &Access,
    mut get: impl FnMut(&[(usize, usize)], &mut Ranks) -> f64,
) -> (u64, f64) {
    let call = access.calls.replace(access.calls.get() + 1);
    let length = access.locality.block_words;
    let blocks = memory.blocks(access, call, memory.rank);
    over_ranks(|ranks| {
        let mut sum = 0.0;
        let mut others = Vec::new();
        for blocks in blocks.chunks(TOGETHER) {
            others.clear();
            for &(owner, first) in blocks {
                if owner == memory.rank {
                    sum += memory.window.own()[first..first + length].iter().sum::<f64>();
                } else {
                    others.push((owner, first));
                }
            }
            sum += get(&others, ranks);
        }
        (call, sum)
    })
}

/// Owners are asked for blocks, and answer, in two meetings for each group of blocks.
#[bench(problem = ApexMap, baseline, runs = 5, launcher = "mpirun -n {places}")]
fn two_sided(memory: &Memory, access: &Access) -> (u64, f64) {
    let length = access.locality.block_words;
    visit(memory, access, |blocks, ranks| {
        let (mut questions, mut answers) = (Mail::new(ranks), Mail::new(ranks));
        blocks.iter().for_each(|&(owner, first)| questions.push(owner, &[first as u32]));
        questions.meet(ranks, [0; 4]);
        for (rank, firsts) in questions.received().enumerate() {
            for &first in firsts {
                for word in &memory.window.own()[first as usize..first as usize + length] {
                    let bits = word.to_bits();
                    answers.push(rank, &[bits as u32, (bits >> 32) as u32]);
                }
            }
        }
        answers.meet(ranks, [0; 4]);
        let words = answers.received().flat_map(|words| words.as_chunks::<2>().0);
        words.map(|&[low, high]| f64::from_bits(u64::from(low) | u64::from(high) << 32)).sum()
    })
}

/// Blocks are read through a window, all of a group at once.
#[bench(problem = ApexMap, runs = 5, launcher = "mpirun -n {places}")]
fn one_sided(memory: &Memory, access: &Access) -> (u64, f64) {
    let mut buffer = Vec::new();
    visit(memory, access, |blocks, _| {
        memory.window.read(blocks, access.locality.block_words, &mut buffer);
        buffer.iter().sum()
    })
}

/// Every word is read by itself through the window.
#[bench(problem = ApexMap, runs = 5, launcher = "mpirun -n {places}")]
fn element_by_element(memory: &Memory, access: &Access) -> (u64, f64) {
    let (mut words, mut buffer) = (Vec::new(), Vec::new());
    visit(memory, access, |blocks, _| {
        let each = |&(owner, first): &(usize, usize)| {
            (first..first + access.locality.block_words).map(move |word| (owner, word))
        };
        words.clear();
        words.extend(blocks.iter().flat_map(each));
        let sums = words.chunks(WORDS_TOGETHER).map(|words| {
            memory.window.read(words, 1, &mut buffer);
            buffer.iter().sum::<f64>()
        });
        sums.sum()
    })
}

plusminus_mpi::main!();
