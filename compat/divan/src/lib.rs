//! The API of divan 0.1 over plusminus: existing benches run in fresh processes, with checked uncertainty and verdicts
//! that hold, when one line of Cargo.toml is changed.
//!
//! ```toml
//! [dev-dependencies]
//! divan = { package = "plusminus-divan", version = "0.1" }
//! ```
//!
//! ```
//! fn main() {
//!     divan::main();
//! }
//!
//! #[divan::bench(args = [10, 20], sample_count = 50)]
//! fn sum(n: u64) -> u64 {
//!     (0..divan::black_box(n)).sum()
//! }
//! ```
//!
//! # Differences from divan
//!
//! - Kernels see all processors of the machine, as under divan, and begin on one of them, where kernels of one thread
//!   stay. `PLUSMINUS_PROCESSORS=1` leaves them no other. In a comparison, a kernel of one thread whose calls take 5 ms or more
//!   sees one while it is timed, as both sides share it.
//! - `sample_count` has no meaning: time decides.
//!   `sample_size` is the number of calls of each sample. `min_time` and `max_time` are budgets of all runs together, of
//!   which there are 60 at most.
//! - `skip_ext_time` has no meaning: making inputs is never part of a sample. `bytes_format` has none either.
//! - An input counter looks at one input, so all inputs of a benchmark need the same amount of work.
//! - `bench_local` and its relatives are for one thread: with `threads`, hand the kernel to `bench`.
//! - The names of benchmarks are `module::function::argument`; filters are regular expressions on them. Types have the names
//!   that the attribute has for them, with their paths if these alone tell them apart. The second of equal names ends with ` #2`.
//! - Benchmarks are in the order of the source: `--sort` and `--sortr` have no meaning.
#![forbid(unsafe_code)]

mod bencher;
pub mod counter;
mod options;
mod program;

#[doc(hidden)]
pub mod __private {
    pub use crate::{
        bencher::bencher,
        counter::{BytesCount, CharsCount, Counters, CyclesCount, ItemsCount},
        options::{BenchOptions, IntoThreads},
    };
    pub use plusminus::__private::{
        Argument, ENTRY_MARK, Entry, FunctionSubject, GROUP_MARK, Group, IntoArgument,
        IntoDuration, NameByDebug, NameByDisplay, Options, PassClone, PassCopy, Subject, Work,
        bench_by_reference, inventory, package_name,
    };
}

/// Commonly used names.
pub mod prelude {
    pub use crate::{
        AllocProfiler, Bencher, Divan, bench, bench_group, black_box, black_box_drop,
        counter::{BytesCount, CharsCount, CyclesCount, ItemsCount},
    };
}

pub use bencher::{Bencher, BencherConfig};
pub use plusminus_macros::{divan_bench as bench, divan_bench_group as bench_group};
pub use program::{Divan, main};
pub use std::hint::black_box;

/// A global allocator that counts the allocations of kernels: in calls of their own, which are not timed.
///
/// ```
/// #[global_allocator]
/// static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();
/// # fn main() {}
/// ```
pub type AllocProfiler<A = std::alloc::System> = plusminus::CountingAllocator<A>;

/// Drops a value without the optimiser knowing of it.
pub fn black_box_drop<T>(value: T) {
    drop(black_box(value));
}
