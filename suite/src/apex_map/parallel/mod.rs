//! Apex-MAP on p processors, in three programming styles of one access pattern. Threads run and share memory here;
//! nothing measures.
//!
//! The memory is distributed in equal parts, one owned by each rank; the blocks that a rank visits lie wherever its
//! addresses fall. The three variants differ in how a block that another rank owns is reached, as the languages of
//! the paper's Figs. 6 and 7 do:
//!
//! * [`shared_array`]: every element by itself through the distributed array (UPC, element by element);
//! * [`block_copy`]: the block is copied into a local buffer, then read there (UPC, block transfer);
//! * [`message`]: the owner is asked for the block and answers through queues (two-sided messages, as with MPI).
//!
//! **Rank-centred addressing is our reading.** The published sources contain no parallel version. With the serial law
//! alone, all ranks would crowd into the first part as α → 0, and a local memory would matter to rank 0 only. So each
//! rank's addresses are moved to its own part here: `(X + rank·M/p) mod M`. A small α then means "mostly my own
//! part", which is what the paper's c, the size of a local memory, presupposes.
//!
//! Memory grows with the processors (weak scaling, as in the paper's 512 MB for each process), and so does the work.
//! The time of one access as one processor sees it is the time of the call divided by the accesses of *one* rank.

mod desk;
mod memory;

pub use super::PerProcessor;
pub use memory::{DistributedMemory, Visited};

use plusminus::{Problem, Work, processor_counts};
use plusminus_macros::bench;

use super::access::Access;
use super::parameters::SEED;
use super::serial::{points, usual_seed};
use desk::Desk;
use memory::Message;

/// Accesses to a distributed memory with given temporal and spatial locality.
///
/// Points are a memory for each processor and a number of processors: by default 64 MiB and 512 MiB on 1, 2, 4 … up
/// to the machine, or on the counts of `--processors`. The variable `PLUSMINUS_APEX_MAP_PARALLEL` replaces them by a
/// list, separated by semicolons, as in `PLUSMINUS_APEX_MAP_PARALLEL="64MiB,p=1;64MiB,p=4"`; `seed=7` in a point, or
/// `PLUSMINUS_SUITE_SEED=7`, draws different addresses.
///
/// ```
/// use plusminus::Problem;
/// use plusminus_suite::apex_map::parallel::{ParallelApexMap, block_copy, message, shared_array};
///
/// let memory = ParallelApexMap::input(&"512KiB,p=2,I=64".parse().unwrap());
/// let instances = ParallelApexMap::instances(&memory);
/// for variant in [shared_array, block_copy, message] {
///     let visited = variant(&memory, &instances[0]);
///     ParallelApexMap::check(&memory, &instances[0], &visited).unwrap();
/// }
/// ```
pub struct ParallelApexMap;

impl Problem for ParallelApexMap {
    type Point = PerProcessor;
    type Input = DistributedMemory;
    type Instance = Access;
    type Output = Visited;

    /// # Panics
    /// When `PLUSMINUS_APEX_MAP_PARALLEL` is set to something that is no list of points.
    fn sweep() -> impl IntoIterator<Item = PerProcessor> {
        let mut defaults = Vec::new();
        for mebibytes in [64, 512] {
            // Points with more memory than allowed are skipped, as on 128 processors.
            let possible = |&p: &usize| PerProcessor::new(mebibytes, p).is_ok();
            let counts = processor_counts().into_iter().filter(possible);
            defaults.extend(counts.map(|p| format!("{mebibytes}MiB,p={p}")));
        }
        let seed = usual_seed();
        let seeded = move |point: PerProcessor| match point.seed() {
            SEED => point.with_seed(seed),
            _ => point,
        };
        points("PLUSMINUS_APEX_MAP_PARALLEL", &defaults).into_iter().map(seeded)
    }

    /// The memory in words.
    fn size(point: &PerProcessor) -> Option<f64> {
        Some((point.part_words() * point.processors()) as f64)
    }

    fn models() -> &'static [&'static str] {
        &[super::MODEL]
    }

    fn input(point: &PerProcessor) -> DistributedMemory {
        DistributedMemory::new(*point)
    }

    fn instances(_: &DistributedMemory) -> Vec<Access> {
        Access::sweep()
    }

    fn check(memory: &DistributedMemory, access: &Access, visited: &Visited) -> Result<(), String> {
        memory.check(access, visited)
    }

    fn work(memory: &DistributedMemory, access: &Access) -> Work {
        let point = memory.point();
        let block_words = access.locality().block_words;
        let accesses = point.processors() * point.blocks(block_words) * block_words;
        Work::of("accesses", accesses as f64)
    }

    fn processors(point: &PerProcessor) -> Vec<usize> {
        vec![point.processors()]
    }
}

/// Every element through the distributed array: owner and place are computed for each of them.
#[bench(problem = ParallelApexMap, baseline)]
pub fn shared_array(memory: &DistributedMemory, access: &Access) -> Visited {
    let call = access.next_call();
    let block_words = access.locality().block_words;
    let sums = memory.on_all_ranks(|rank| {
        let mut sum = 0.0;
        for start in memory.starts(access, call, rank) {
            for word in start..start + block_words {
                sum += memory.part(memory.owner(word))[memory.within_part(word)];
            }
        }
        sum
    });
    Visited { call, sums }
}

/// Each block is copied into a buffer of the rank, whichever rank owns it, and read there.
///
/// # Panics
/// When two threads call it at once on the same memory.
#[bench(problem = ParallelApexMap)]
pub fn block_copy(memory: &DistributedMemory, access: &Access) -> Visited {
    let call = access.next_call();
    let block_words = access.locality().block_words;
    let sums = memory.on_all_ranks(|rank| {
        let mut private = memory.private(rank);
        private.buffer.resize(block_words, 0.0);
        let buffer = private.buffer.as_mut_slice();
        let mut sum = 0.0;
        for start in memory.starts(access, call, rank) {
            let first = memory.within_part(start);
            buffer.copy_from_slice(&memory.part(memory.owner(start))[first..first + block_words]);
            for value in &*buffer {
                sum += value;
            }
        }
        sum
    });
    Visited { call, sums }
}

/// A rank reads its own part directly and asks the owner for every other block, one at a time. The buffer travels
/// with the question. While a rank waits for its answer, it answers others.
///
/// # Panics
/// When two threads call it at once on the same memory.
#[bench(problem = ParallelApexMap)]
pub fn message(memory: &DistributedMemory, access: &Access) -> Visited {
    let call = access.next_call();
    let block_words = access.locality().block_words;
    let sums = memory.on_all_ranks(|rank| {
        let mut private = memory.private(rank);
        let mut buffer = std::mem::take(&mut private.buffer);
        let mut desk = Desk::new(memory, rank, &private.inbox);
        let mut sum = 0.0;
        for start in memory.starts(access, call, rank) {
            let (owner, first) = (memory.owner(start), memory.within_part(start));
            if owner == rank {
                desk.answer_what_waits();
                for value in &memory.part(rank)[first..first + block_words] {
                    sum += value;
                }
            } else {
                let question = Message::Ask { from: rank, first, words: block_words, buffer };
                memory.send(owner, question);
                buffer = desk.wait_for_answer();
                for value in &buffer {
                    sum += value;
                }
            }
        }
        desk.finish();
        private.buffer = buffer;
        sum
    });
    Visited { call, sums }
}
