//! A benchmark harness that says how sure it is: every speedup as S ± σ.
//!
//! # The first benchmark
//!
//! ```toml
//! # Cargo.toml
//! [dev-dependencies]
//! plusminus = "0.1"
//!
//! [[bench]]
//! name = "parse"          # benches/parse.rs
//! harness = false
//! ```
//!
//! ```
//! use plusminus::bench;
//!
//! #[bench(args = ["12345", "4000000000"])]
//! fn parse(text: &str) -> u64 {
//!     text.parse().unwrap()
//! }
//!
//! plusminus::main!();
//! ```
//!
//! `cargo bench` measures everything in fresh processes, and prints what it found with the uncertainty of each number.
//! `cargo test --benches` calls everything once, to see that it still works. What a function returns is kept from the
//! optimiser, and dropped outside of the timed window.
//!
//! # Arguments, types and constants
//!
//! One benchmark for each argument; of a generic function, one for each type and constant, and for all combinations.
//! Several parameters take tuples. An argument is named by its `Display`, or else by its `Debug`; a text in front of it,
//! `args = [("sorted", numbers())]`, or a function, `name = |numbers| …`, gives it another name. `items`, `bytes` and `bits` say what a call is worth, and may use the parameters.
//!
//! ```
//! use std::collections::{BTreeSet, HashSet};
//! use plusminus::bench;
//!
//! #[bench(args = [10, 1000], items = n)]
//! fn push(n: u32) -> Vec<u32> {
//!     (0..n).collect()
//! }
//!
//! #[bench(args = [("short", 2), ("a longer text", 3)], bytes = text.len() * times)]
//! fn repeat(text: &str, times: usize) -> String {
//!     text.repeat(times)
//! }
//!
//! #[bench(types = [HashSet<u32>, BTreeSet<u32>], consts = [1, 3], args = [100])]
//! fn collect<S: FromIterator<u32>, const STEP: u32>(n: u32) -> S {
//!     (0..n).map(|i| i * STEP).collect()
//! }
//!
//! plusminus::main!();
//! ```
//!
//! # Set-up, inputs, tear-down
//!
//! A function that takes a [`Bencher`] sets up what it needs, hands over the kernel, and tidies up, outside of every
//! window. Inputs for each call are made before the window opens; inputs and outputs are dropped after it has closed.
//! An argument that is passed by value is cloned for each call, unless it is `Copy`. Making inputs counts for the time
//! that a benchmark may take: a slow generator gets fewer samples, and is never waited for longer than `timeout`.
//!
//! ```
//! use plusminus::{Bencher, bench};
//!
//! #[bench(args = [100])]
//! fn sort(bencher: Bencher<'_>, n: u32) {
//!     let numbers: Vec<u32> = (0..n).rev().collect();
//!     bencher.with_inputs(|| numbers.clone()).bench_refs(|numbers| numbers.sort());
//! }
//!
//! plusminus::main!();
//! ```
//!
//! # Problems and variants
//!
//! Implement [`Problem`] for what several functions solve, and enter each of them with `problem = …`: all get the same
//! input and instances, all outputs are checked, and each is compared with the one that says `baseline`. A variant may
//! live in another crate. `reference` marks the best sequential one, for real speedups.
//!
//! # Processors and threads
//!
//! `processors = [1, 2]` starts a worker process for each number p (`RAYON_NUM_THREADS` and its kin are set, and
//! [`processors()`] tells), for T(n, p). On Linux every sample begins on the processor on which the harness itself runs. A
//! kernel that says nothing of processors may start threads, which its first windows show; `processors = [1]` leaves it no
//! other processor. [`processors = processor_counts()`](processor_counts) measures 1, 2, 4 … up to
//! the machine; `--processors 1,2,4` on a command line takes the place of every list of processors, also of more than there
//! are, and leaves out points of problems that belong to other numbers. `threads = [1, 2]` is something else: so many callers of the same kernel at
//! once, released together, for contention; the time is that from the first one's begin to the last one's end, and how
//! far apart they begin and end is reported and recorded. Of a kernel with `processors` the harness sees one call: when
//! the threads of its own pool begin and end is the kernel's affair, and only the CPU time is that of all of them.
//!
//! ```
//! use std::sync::Mutex;
//! use plusminus::{Bencher, bench};
//!
//! #[bench(threads = [1, 2])]
//! fn contended(bencher: Bencher<'_>) {
//!     let counter = Mutex::new(0_u64);
//!     bencher.bench_shared(|| *counter.lock().unwrap() += 1);
//! }
//!
//! plusminus::main!();
//! ```
//!
//! # Groups
//!
//! The options that say how to measure hold for a whole module under [`bench_group`], where neither an inner group nor
//! the function says otherwise. `name` stands for the module in the names of its benchmarks.
//!
//! ```
//! use plusminus::bench_group;
//!
//! #[bench_group(runs = 10, warm_up = 0.01, min_time = 0.005, sample_time = "20ms", timeout = "5s", margin = "3%")]
//! mod slow {
//!     use plusminus::bench;
//!
//!     #[bench]
//!     fn steady() {}
//!
//!     #[bench(runs = 2, samples = 5, iterations = 100)]
//!     fn quick() {}
//!
//!     #[bench(ignore = "takes an hour")]
//!     fn thorough() {}
//! }
//!
//! plusminus::main!();
//! ```
//!
//! # Benchmarks that are known at run time only
//!
//! A function that is handed a [`Registry`] registers one benchmark for each file of a folder, or whatever else the
//! program finds; [`register!`] makes it known. Benches written for criterion or divan need not be rewritten: the crates
//! `plusminus-criterion` and `plusminus-divan` have their API.
//!
//! # `async` kernels, and metrics of one's own
//!
//! An `async` function names its `executor`: any value with a method `block_on`, such as a tokio runtime, or an
//! [`Executor`]. A [`Metric`] is a counter that is read before and after each window and shown beside the time.
//!
//! # Phases
//!
//! A kernel that names its parts, `phases = ["sort", "search"]`, and runs each in a [`phase`], has them timed as well, in
//! samples of their own that take turns with those of the whole. The report sets the sum of the parts against the whole, with
//! σ of both, and says whether they agree within the margin. Two measurements of the same thing that agree can both be believed;
//! where the sum is less, some of the kernel is in no phase, and where it is more, phases overlap, or are slower while they are
//! timed. What reading the clock costs a call is measured, and told. `cargo bench -- -v` has all of it, and so has
//! `cargo plusminus study`.
//!
//! # Modules
//!
//! The standard library has an attribute `bench` of its own, so that `use super::*` alone leaves the compiler in doubt
//! which one is meant. Write `use super::{*, bench}` in the module, or use the same attribute as [`benchmark`].
//!
//! # Names
//!
//! `module::function::point`, with the types, constants and arguments as the point, and `p2` or `t4` at the end where
//! processors or threads are swept. The crate is not part of a name, but may be written in front of it. Names are the
//! same in every process; what cannot be seen in them is escaped. Two benchmarks of one name are an error.
//!
//! # The command line
//!
//! `cargo bench -- --help` shows every option. All of libtest's are understood, so that cargo, nextest and
//! rust-analyzer can call a bench binary like any other test. For rust-analyzer's ▶, write `use plusminus::bench;` and a
//! bare `#[bench]`. Most options are variables too, which a project sets once:
//!
//! ```toml
//! # .cargo/config.toml
//! [env]
//! PLUSMINUS_MARGIN = "3"
//! PLUSMINUS_TIMEOUT = "10"
//! ```
//!
//! A flag counts more than a variable, a variable more than an attribute, and an attribute more than the default. As
//! cargo passes options to the tests of a library too, a library without benchmarks of libtest's needs
//! `[lib] bench = false`, or the command `cargo bench --bench NAME`.
//!
//! `--save-baseline NAME` keeps the record and a copy of the program, `--baseline NAME` measures that program and this one
//! in turns, both together do both, and `--load NAME` reports the record again. `PLUSMINUS_BASELINE=previous` compares
//! with the run before. Exit codes and verdicts are those of `cargo plusminus compare`, which builds both sides. `--format json` prints one object a line, described at
//! [`report::json_results`]; `--format bencher` prints libtest's lines.
//!
//! # What it costs to build
//!
//! A library that only has benchmarks needs no runner: `plusminus = { version = "0.1", default-features = false, features =
//! ["macros"] }`. In a bench target that leaves the runner out too, `cargo bench` hands the program to an installed
//! `cargo plusminus run`, which measures and reports as usual. With the runner, two lines in Cargo.toml build it faster. They
//! change nothing that is timed:
//!
//! ```toml
//! [profile.bench.package.plusminus-runner]
//! opt-level = 0
//! ```
//!
//! # When measuring ends
//!
//! After five runs, a benchmark gets as many more as make its time known to `--precision`, by a rule under which the
//! printed interval keeps its coverage. With `--until decided`, the variants of a problem that has a `baseline` get runs
//! until each of them is proven to be faster or slower by more than the margin, or the same within it. As this is decided
//! after each run, their intervals and verdicts are those of a confidence sequence
//! ([`analysis::verdict::ConfidenceSequence`]), which hold however often one looks. Either way `--max-time` limits the
//! whole, and what is open then, or after 60 runs, is called undecided.
//!
//! # The clock
//!
//! Windows are timed with the clock of the operating system. `--clock tsc` reads the processor's counter instead, which
//! is finer and cheaper, where it is proven to be a clock: on x86_64 under Linux, where all processors have
//! `constant_tsc` and `nonstop_tsc` and the system itself keeps time by it. Every worker sets it against the system's
//! clock for 10 ms before it measures, and checks it again at the end; the frequency, its standard uncertainty and the
//! deviation at the end are printed and recorded, and the uncertainty is part of that of every time.
//!
//! # Instructions
//!
//! `--instructions` has the instructions of a call counted under [valgrind](https://valgrind.org), after all that is
//! timed: those of the kernel and the loop around its calls, and nothing of inputs, drops, checks and clocks. They are a
//! second opinion that no busy machine disturbs, and no time: caches, branches and the order of instructions do not show
//! in them. Where they cannot be counted, the report says why: no valgrind, several threads, or a profile with `strip`.
//!
//! # Debuggers and profilers
//!
//! `--profile-time 10` runs kernels for a while without measuring them. `--in-process` calls the kernels on the main
//! thread of the bench binary itself, without workers, so that a debugger or profiler can start it. You can combine both:
//!
//! ```console
//! $ cargo bench --no-run                                              # prints the path of the binary
//! $ gdb --args target/release/deps/parse-1234 --bench --in-process --exact parse
//! $ perf record target/release/deps/parse-1234 --bench --in-process --profile-time 5 --exact parse
//! ```
//!
//! One process is one run. It does not show how much runs differ, so its numbers are labeled as not comparable,
//! no record or baseline is kept, and options that speak of runs or baselines are errors. There is no time-out: a
//! kernel may stand still in a debugger for as long as it takes. What a kernel does to its process, it does to all of it, and a
//! panic ends the measurement.
//!
//! The exit codes are those of [`exit`].

#[cfg(feature = "runner")]
pub use plusminus_analysis as analysis;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub use plusminus_runner::fuzzing;
#[cfg(feature = "runner")]
#[doc(hidden)]
pub use plusminus_runner::{
    Dialect, check_variables, engine, help, output, package, run_dialect, run_other, takes_value,
    text,
};
#[cfg(feature = "runner")]
#[doc(inline)]
pub use plusminus_runner::{record, report, results, run};
#[cfg(not(feature = "runner"))]
pub use plusminus_worker::hand_over::run;

/// The attribute [`bench`](macro@bench) under a name that the standard library does not have: `use super::*` in a module
/// finds this one, where the compiler calls the other ambiguous.
///
/// ```
/// use plusminus::benchmark;
///
/// mod inner {
///     use super::*;
///
///     #[benchmark]
///     fn parse() -> u64 {
///         std::hint::black_box("12345").parse().unwrap()
///     }
/// }
///
/// # fn main() {}
/// ```
#[cfg(feature = "macros")]
pub use plusminus_macros::bench as benchmark;
#[cfg(feature = "macros")]
pub use plusminus_macros::{bench, bench_group};
#[doc(inline)]
pub use plusminus_worker::{
    Bencher, BencherWithInputs, CountingAllocator, Executor, Ignore, Metric, MetricKind, Metrics,
    Options, Phase, Problem, Registry, Tally, Window, Work, asked_processor_counts, exit, libtest,
    phase, processor_counts, processors, register,
};
#[doc(hidden)]
#[doc(inline)]
pub use plusminus_worker::{
    IntoCounts, IntoDuration, IntoIgnore, ranks, registry::private as __private, system,
};

/// Writes the `main` function of a bench target.
///
/// Name the crates whose benchmarks are to be found too, such as the package's own library, or single modules of
/// them: naming a crate is what makes the linker include it. A named crate or module without any benchmark is an
/// error. Variants of a problem that is found this way are found wherever they are registered.
///
/// ```
/// plusminus::main!();
/// ```
///
/// ```ignore
/// plusminus::main!(my_library, plusminus_suite::sssp);
/// ```
#[macro_export]
macro_rules! main {
    ($($path:path),* $(,)?) => {
        $(use $path as _;)*

        fn main() -> ::std::process::ExitCode {
            $crate::run(
                ::core::option_env!("CARGO_PKG_NAME").unwrap_or_default(),
                ::core::module_path!(),
                &[$(::core::stringify!($path)),*],
            )
        }
    };
}
