//! A benchmark harness that reports its own uncertainty: every speedup is S ± σ.
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
//! `cargo bench` measures everything in fresh processes and prints each number with its uncertainty. `cargo test
//! --benches` calls everything once, to see that it still works. The return value of a function is hidden from the
//! optimizer, and dropped outside the timed window.
//!
//! # Arguments, types and constants
//!
//! `args` makes one benchmark per argument. A generic function has one per type and constant, and per combination
//! of them. Several parameters take tuples.
//!
//! An argument gets its name from its `Display`, or else from its `Debug`. To choose the name yourself, write a
//! text in front of it, `args = [("sorted", numbers())]`, or a function, `name = |numbers| …`.
//!
//! `items`, `bytes` and `bits` state the work of one call. They may use the parameters.
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
//! A function that takes a [`Bencher`] sets up what it needs, hands over the kernel, and tidies up, outside of
//! every window. Inputs for each call are made before the window opens. Inputs and outputs are dropped after it has
//! closed. An argument that is passed by value is cloned for each call, unless it is `Copy`.
//!
//! Making inputs is part of the time that a benchmark may take. A slow generator gets fewer samples, and `timeout`
//! limits how long the harness waits for it.
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
//! Implement [`Problem`] for the task that several functions solve, and enter each of them with `problem = …`. All
//! get the same input and instances, and all outputs are checked. Each variant is compared with the one marked
//! `baseline`. A variant may live in a different crate. `reference` marks the best sequential variant, for real
//! speedups.
//!
//! # Processors and threads
//!
//! `processors = [1, 2]` measures T(n, p). It starts a worker process for each number p, sets `RAYON_NUM_THREADS`
//! and similar variables, and makes [`processors()`] return p. On Linux, every sample begins on the processor on
//! which the harness itself runs. A kernel without `processors` may start threads, which its first windows show.
//! `processors = [1]` restricts it to one processor.
//!
//! [`processors = processor_counts()`](processor_counts) measures 1, 2, 4 … up to the machine. On a command line,
//! `--processors 1,2,4` replaces every list of processors, and may exceed the number of processors. Points of
//! problems that belong to other numbers are then skipped.
//!
//! `threads = [1, 2]` measures contention: that number of callers run the same kernel at once, released together.
//! The time lasts from the first caller's start to the last caller's end. The report also shows how far apart
//! callers start and end.
//!
//! A kernel with `processors` is one call to the harness. The harness cannot see when the threads of the kernel's
//! own pool start and end. Only the CPU time includes all of them.
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
//! [`bench_group`] sets measurement options for a whole module. An inner group and the function itself override
//! them. `name` replaces the name of the module in the names of its benchmarks.
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
//! A function that takes a [`Registry`] can register one benchmark for each file of a folder, or for each entry of
//! any list. [`register!`] announces that function. Benchmarks written for criterion or divan need no rewriting:
//! the crates `plusminus-criterion` and `plusminus-divan` have their API.
//!
//! # `async` kernels, and your own metrics
//!
//! An `async` function sets its `executor`: any value with a method `block_on`, such as a tokio runtime, or an
//! [`Executor`]. A [`Metric`] is a counter that is read before and after each window, and printed with the time.
//!
//! # Phases
//!
//! A kernel can list its parts, `phases = ["sort", "search"]`, and run each in a [`phase`]. The parts are timed in
//! samples of their own, in turns with samples of the whole. The report compares the sum of the parts with the
//! whole, with σ of both, and checks that they agree within the margin:
//!
//! - If they agree, you can trust both.
//! - If the sum is less, some of the kernel is in no phase.
//! - If the sum is more, phases overlap, or timing slows them down.
//!
//! The report also shows how much of a call goes into reading the clock. `cargo bench -- -v` and `cargo plusminus
//! study` print all of it.
//!
//! # Modules
//!
//! The standard library has an attribute `bench` of its own, so `use super::*` alone is ambiguous. Write `use
//! super::{*, bench}` in the module, or use the same attribute as [`benchmark`].
//!
//! # Names
//!
//! A name is `module::function::point`. The types, constants and arguments are the point. `p2` or `t4` follows when
//! processors or threads are swept. The crate is not part of a name, but you may write it in front. Names are the
//! same in every process, and invisible characters are escaped. Two benchmarks with one name are an error.
//!
//! # The command line
//!
//! `cargo bench -- --help` lists the options that most users need, and `--help all` every option. A bench binary
//! understands all options of libtest, so cargo, nextest and rust-analyzer can call it like any other test. For
//! rust-analyzer's ▶, write `use plusminus::bench;` and a bare `#[bench]`. Most options are also environment
//! variables, which a project sets once:
//!
//! ```toml
//! # .cargo/config.toml
//! [env]
//! PLUSMINUS_MARGIN = "3"
//! PLUSMINUS_TIMEOUT = "10"
//! ```
//!
//! A flag overrides a variable, a variable overrides an attribute, and an attribute overrides the default. Cargo
//! also passes options to the built-in benchmarks of a library, which reject them. Add `[lib] bench = false`, or
//! run `cargo bench --bench NAME`.
//!
//! `--save-baseline NAME` keeps the record and a copy of the program. `--baseline NAME` measures that program and
//! this one in turns. You can combine both. `--load NAME` reports the record again. `PLUSMINUS_BASELINE=previous`
//! compares with the previous run. Exit codes and verdicts are those of `cargo plusminus compare`, which builds
//! both sides.
//!
//! `--format json` prints one object per line, described at `report::json_results` (feature `linked`). `--format bencher` prints
//! libtest's lines.
//!
//! # The runner
//!
//! The runner plans and reports. It is a program of its own that cargo builds with the bench program, and without
//! optimization, which changes nothing that is timed. The bench program starts it.
//!
//! To run a bench program on a machine that has not built it, make the runner a part of it: `plusminus = { version =
//! "0.1", default-features = false, features = ["macros", "linked"] }`. The feature `linked` also adds the types of
//! records and results, for programs that read them.
//!
//! A library that only has benchmarks needs no runner: `plusminus = { version = "0.1", default-features = false,
//! features = ["macros"] }`. If a bench target has no runner either, `cargo bench` hands the program to an
//! installed `cargo plusminus run`.
//!
//! # When measuring ends
//!
//! After five runs, a benchmark gets more runs until its time is known to `--precision`. The rule for adding runs
//! keeps the coverage of the printed interval.
//!
//! With `--until decided`, the variants of a problem with a `baseline` get runs until each has a verdict: faster or
//! slower by more than the margin, or within it. Because the runner decides after each run, these intervals and
//! verdicts are those of a confidence sequence (`plusminus_analysis::verdict::ConfidenceSequence`), which remain valid
//! however often one looks.
//!
//! `--max-time` limits the whole. A variant without a verdict by then, or after 60 runs, is inconclusive.
//!
//! # The clock
//!
//! Windows are timed with the clock of the operating system. `--clock tsc` reads the processor's counter instead,
//! which is finer and cheaper. It requires proof that the counter is a clock: on x86_64 under Linux, all processors
//! have `constant_tsc` and `nonstop_tsc`, and the system itself keeps time by it.
//!
//! Every worker calibrates the counter against the system's clock for 10 ms before it measures, and checks it again
//! at the end. The report and the record contain the frequency, its standard uncertainty, and the deviation at the
//! end. The uncertainty is part of that of every time.
//!
//! # Instructions
//!
//! `--instructions` counts the instructions of a call under [valgrind](https://valgrind.org), after everything that
//! is timed. The count includes the kernel and the loop around its calls, but no inputs, drops, checks and clocks.
//! Other programs on the machine do not change it. It is not a time: caches, branches and the order of instructions
//! do not show in it. If instructions cannot be counted, the report prints the reason: no valgrind, several
//! threads, or a profile with `strip`.
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
//! One process is one run. It does not show how much runs differ, so its numbers are labeled as not comparable. The
//! harness keeps no record or baseline, and rejects options about runs or baselines. There is no timeout, so a
//! kernel may stop in a debugger for as long as needed. A kernel that changes or ends its process changes or ends
//! the measurement.
//!
//! The exit codes are those of [`exit`].

#[cfg(feature = "linked")]
pub use plusminus_analysis as analysis;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub use plusminus_runner::fuzzing;
#[cfg(feature = "linked")]
#[doc(hidden)]
pub use plusminus_runner::{check_variables, engine, help, output, run as run_other, text};
#[cfg(feature = "linked")]
#[doc(inline)]
pub use plusminus_runner::{record, report, results};
use plusminus_worker::hand_over::{self, Runner, Translate};

/// Who runs bench programs.
#[cfg(feature = "linked")]
const RUNNER: Runner = Runner::Linked(plusminus_runner::run);
/// Who runs bench programs.
#[cfg(not(feature = "linked"))]
const RUNNER: Runner = Runner::Program(env!("PLUSMINUS_RUNNER_PROGRAM"));

/// Runs a bench binary by its command line. [`main!`] calls it with the name of the package, which is part of the folder of
/// records, and that of the binary's own crate. `paths` are the crates and modules whose benchmarks belong to it. An empty
/// package stands for an unknown one.
///
/// On Unix, this process becomes the runner: nothing behind this call runs, unless it serves as a worker.
pub fn run(package: &str, own: &str, paths: &[&str]) -> std::process::ExitCode {
    hand_over::run(package, own, paths, RUNNER)
}

/// The same for a program that speaks another harness's language; answers the exit code. An empty `own` stands for all
/// crates.
#[doc(hidden)]
pub fn run_translated(package: &str, own: &str, paths: &[&str], translate: Translate<'_>) -> i32 {
    hand_over::run_translated(package, own, paths, translate, RUNNER)
}

/// The attribute [`bench`](macro@bench) under a name that the standard library does not have. In a module with
/// `use super::*`, this name is not ambiguous.
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
#[doc(hidden)]
pub use plusminus_worker::{
    __private, IntoCounts, IntoDuration, IntoIgnore, hand_over::package, ranks, sys::complain,
    system,
};
#[doc(inline)]
pub use plusminus_worker::{
    Bencher, BencherWithInputs, CountingAllocator, Executor, Ignore, Metric, MetricKind, Metrics,
    Options, Phase, Problem, Registry, Tally, Window, Work, asked_processor_counts, exit, libtest,
    phase, processor_counts, processors, register,
};

/// Writes the `main` function of a bench target.
///
/// List the crates or modules whose benchmarks the program also runs, such as the package's own library. The linker
/// includes a crate only if it is listed. A listed crate or module without any benchmark is an error. If a problem is
/// found this way, so are its variants in all crates.
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
                &$crate::__private::package_name!().text(),
                ::core::module_path!(),
                &[$(::core::stringify!($path)),*],
            )
        }
    };
}
