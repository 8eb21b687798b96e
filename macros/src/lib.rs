//! The attributes of plusminus: they read a function's signature and append its registration.
//! Bodies are never parsed, and the function itself is returned untouched, so that a mistake in an option never
//! hides the function from the rest of the crate.
#![forbid(unsafe_code)]

mod expand;
mod options;
mod signature;

use proc_macro::TokenStream;

/// Registers a function as a benchmark, or as a variant of a problem.
///
/// | option | meaning |
/// |---|---|
/// | `args = [1, 10]` | one benchmark for each argument; the function takes it by value or by reference |
/// | `problem = Path` | the function is a variant of this `Problem`: `fn(&Input, &Instance) -> Output` |
/// | `baseline` | the other variants of the problem are compared with this one |
/// | `reference` | the best sequential variant: speedups against it are *real* speedups |
/// | `processors = [1, 2]` | one benchmark for each number of processors, T(n, p) |
/// | `name = "…"` | another name than the function's |
/// | `runs = 5` | fresh processes to measure in |
/// | `samples = 32` | samples of each instance in each run |
/// | `max_time = 0.1` | time for these samples, in seconds or as a `Duration` |
/// | `timeout = 120` | longest time for one call, in seconds or as a `Duration` |
/// | `ignore`, `ignore = "why"` | only run when asked for with `--ignored` or `--include-ignored` |
/// | `crate = path` | where plusminus is found, if not at `::plusminus` |
///
/// A function that has something to set up takes a `Bencher` first. A variant that changes its instance takes it
/// as `&mut Instance` or by value, and gets a fresh clone for every call.
#[proc_macro_attribute]
pub fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::bench(options.into(), item.into()).into()
}
