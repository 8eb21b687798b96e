//! Kernels that fail on rank 1 of 2, for the test of the resulting messages: `mpi/run` runs each and looks for the
//! number. They are ignored unless asked for.

use plusminus::{Problem, bench};
use plusminus_mpi::over_ranks;

/// Whether this is the rank that fails; the others wait for it.
fn mine() -> bool {
    over_ranks(|ranks| ranks.rank() == 1)
}

/// Returns once all ranks have come.
fn wait() {
    over_ranks(|ranks| ranks.barrier());
}

#[bench(processors = [2], launcher = "mpirun -n {places}", ignore)]
fn panics() {
    over_ranks(|ranks| {
        assert!(ranks.rank() != 1, "asked to");
        ranks.barrier();
    });
}

#[bench(processors = [2], launcher = "mpirun -n {places}", ignore)]
fn dies() {
    if mine() {
        std::process::abort();
    }
    wait();
}

#[bench(processors = [2], launcher = "mpirun -n {places}", ignore)]
fn hangs() {
    while mine() {
        std::thread::park();
    }
    wait();
}

/// An answer that only one rank gets wrong.
struct Answers;

impl Problem for Answers {
    type Point = u32;
    type Input = ();
    type Instance = u32;
    type Output = bool;

    fn sweep() -> impl IntoIterator<Item = u32> {
        [0]
    }

    fn input(_: &u32) {}

    fn instances((): &()) -> Vec<u32> {
        vec![0]
    }

    fn check((): &(), _: &u32, right: &bool) -> Result<(), String> {
        if *right { Ok(()) } else { Err("asked to".to_owned()) }
    }
}

#[bench(problem = Answers, processors = [2], launcher = "mpirun -n {places}", ignore)]
fn wrong((): &(), _: &u32) -> bool {
    !mine()
}

plusminus_mpi::main!();
