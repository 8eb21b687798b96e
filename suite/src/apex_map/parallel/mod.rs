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
//! **Rank-centred addressing is our reading.** The published sources contain no parallel version. With the serial
//! law alone, all ranks would crowd into the first part as α → 0, and a local memory would not matter to anybody
//! but rank 0; so each rank's addresses are moved to its own part here: `(X + rank·M/p) mod M`. A small α then
//! means "mostly my own part", which is what the paper's c, the size of a local memory, presupposes.
//!
//! Memory grows with the processors (weak scaling, as in the paper's 512 MB for each process), and so does the work:
//! the time of one access as one processor sees it is the time of the call divided by the accesses of *one* rank.

mod memory;
mod point;
mod styles;

pub use memory::{DistributedMemory, Visited};
pub use point::PerProcessor;
pub use styles::{block_copy, message, shared_array};

use plusminus::{Problem, Work};

use super::locality::Access;

/// Accesses to a distributed memory with given temporal and spatial locality.
///
/// Points are a memory for each processor and a number of processors: by default 64 MiB and 512 MiB on 1 and 2.
/// The variable `PLUSMINUS_APEX_MAP_PARALLEL` replaces them by others, separated by semicolons, as in
/// `PLUSMINUS_APEX_MAP_PARALLEL="64MiB,p=1;64MiB,p=4"`.
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
        super::problem::points(
            "PLUSMINUS_APEX_MAP_PARALLEL",
            &["64MiB,p=1", "64MiB,p=2", "512MiB,p=1", "512MiB,p=2"],
        )
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
