//! The attributes of plusminus: they read a function's signature and append its registration.
//! Bodies are never parsed, and the function itself is returned untouched, so that a mistake in an option never
//! hides the function from the rest of the crate.
#![forbid(unsafe_code)]

mod arguments;
mod divan;
mod expand;
mod function;
mod generic;
mod options;
mod settings;
mod signature;
mod spelling;
mod variant;

use proc_macro::TokenStream;

/// Registers a function as a benchmark, or as a variant of a problem.
///
/// **Benchmarks**
///
/// | option | meaning |
/// |---|---|
/// | `args = [1, 10]` | one benchmark for each argument; tuples for functions with several parameters |
/// | `args = [("short", a), ("long", b)]` | arguments with names: a text in front of the arguments |
/// | `types = [A, B]`, `consts = [4, 8]` | one benchmark for each type and constant of a generic function, and for their product; tuples for several parameters |
/// | `problem = Path` | the function is a variant of this `Problem`: `fn(&Input, &Instance) -> Output` |
/// | `baseline` | the other variants of the problem are compared with this one |
/// | `reference` | the best sequential variant: speedups against it are *real* speedups |
/// | `phases = ["build", "search"]` | parts of the kernel, which it marks by `plusminus::phase`: each is also timed by itself, and their sum compared with the whole |
/// | `tally = path` | counts one solution of this variant, untimed, when `cargo bench -- --tallies` asks: `fn(&Input, &Instance) -> Vec<Tally>` |
/// | `processors = [1, 2]` | one benchmark for each number of processors, T(n, p): the worker is started for it |
/// | `launcher = "mpirun -n {places}"` | starts workers as several processes; `{places}` is replaced by `processors`; for programs with `plusminus_mpi::main!` |
/// | `threads = [1, 4]` | one benchmark for each number of callers at once, for contention; 0, or just `threads`, stands for the number of processors |
/// | `executor = expression` | runs an `async` function: a value with a method `block_on`, made once in each process |
///
/// **Measurement** (a module with [`macro@bench_group`] may set these for all its benchmarks)
///
/// | option | meaning |
/// |---|---|
/// | `runs = 5` | fresh processes to measure in |
/// | `samples = 32` | samples of each instance in each run |
/// | `iterations = 1000` | calls in each sample |
/// | `sample_time = 0.1` | time for these samples, set-up included |
/// | `min_time = 0.01` | time that they last at least |
/// | `warm_up = 0.003` | time to warm up before them; comparisons shorten it where they can |
/// | `timeout = 120` | longest time for one call |
/// | `margin = 5` | changes up to this percentage are ignored; also `"5%"` |
/// | `ignore`, `ignore = "why"`, `ignore = bool` | only run when asked for with `--ignored` or `--include-ignored` |
/// | `metrics = [Allocations]` | values of type `Metric`, read before and after each window |
///
/// Times are numbers of seconds, values of type `Duration`, or texts as flags have them: `"200ms"`, `"1.5s"`, `"10m"`.
///
/// **Output**
///
/// | option | meaning |
/// |---|---|
/// | `items = n`, `bytes = n`, `bits = n` | work of one call, shown as a rate; may use the parameters |
/// | `work = Work::of("pixels", 1e6)` | the same with your own unit |
/// | `name = "…"` | replaces the function's name |
/// | `name = \|argument\| …` | returns the name of an argument, which it gets by reference; the default is its `Display`, or its `Debug` |
/// | `crate = path` | the path of plusminus, if not `::plusminus` |
///
/// A function that has something to set up takes a `Bencher` first. An argument that is passed by value is cloned
/// for each call, outside the window, unless it is `Copy`. A variant that changes its instance takes it as
/// `&mut Instance` or by value, and gets a fresh clone for every call.
#[proc_macro_attribute]
pub fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::bench(options.into(), item.into()).into()
}

/// Options for all benchmarks of a module: the function and an inner group override them.
///
/// It takes the options of [`macro@bench`] that say how to measure, and `name`, which stands for the module in the
/// names of its benchmarks.
///
#[proc_macro_attribute]
pub fn bench_group(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::group(options.into(), item.into()).into()
}

/// The attribute `bench` of divan, for the crate `plusminus-divan`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn divan_bench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::divan_bench(options.into(), item.into()).into()
}

/// The attribute `bench_group` of divan, for the crate `plusminus-divan`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn divan_bench_group(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::divan_group(options.into(), item.into()).into()
}
