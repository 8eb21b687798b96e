//! How an algorithm becomes the variants of a problem: what all of them are given, and the functions that are timed
//! and counted. Runs them on the executors of [`places`](crate::places).

use std::fmt;
use std::sync::OnceLock;

use super::placement::of_environment as placement_of_environment;
use super::tally::{places, tallies};
use crate::places::{
    Counted, Execution, Grain, NodeProgram, Placement, Style, Uncounted, Workload, execute,
};

/// Which of two algorithms, where the original has a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// The algorithm of the literature. All benchmarks run this one.
    #[default]
    Repaired,
    /// The original's procedure, to reproduce the counts of the paper. Its answer may be wrong.
    Faithful,
}

/// The whole input is the one instance to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Whole;

impl fmt::Display for Whole {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("whole")
    }
}

/// The seed of a randomized algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "seed-{}", self.0)
    }
}

/// Runs a program as the benchmarks do, on the processors that the worker was given: at one place and with nothing counted,
/// or at the places that the variables ask for.
pub(super) fn run<P: NodeProgram>(program: &P, style: Style) -> P::Output {
    run_at(program, style, placement_of_environment())
}

/// The same at places between which shifts cost time.
pub(super) fn run_at<P: NodeProgram>(
    program: &P,
    style: Style,
    placement: Option<&Placement>,
) -> P::Output {
    let processors = match style {
        Style::Serial => 1,
        Style::ForkJoin => rayon::current_num_threads(),
        Style::Clocked => plusminus::processors(),
    };
    let mut how = Execution::new(style, processors).with_workload(workload());
    how.grain = grain();
    match placement {
        Some(placement) => {
            let places = placement.places.unwrap_or_else(|| program.nodes());
            let how = how.on_places(places).with_shift_cost(placement.cost);
            execute::<P, Counted>(program, &how).0
        }
        None => {
            let (output, Uncounted) = execute(program, &how);
            output
        }
    }
}

/// The variable that decides how many nodes a task of the iterative kernels has.
pub const GRAIN_VARIABLE: &str = "PLUSMINUS_SUITE_GRAIN";

/// The grain that `PLUSMINUS_SUITE_GRAIN` asks for: `node` (a task per node, as the paper's kernels have it), `block` or
/// `processor`. Without it, the fork/join style has blocks and the clocked one a block per processor.
///
/// # Panics
/// When the variable cannot be understood.
pub fn grain() -> Option<Grain> {
    static GRAIN: OnceLock<Option<Grain>> = OnceLock::new();
    *GRAIN.get_or_init(|| {
        let wanted = std::env::var(GRAIN_VARIABLE).ok()?;
        Some(wanted.parse().unwrap_or_else(|error| panic!("{GRAIN_VARIABLE}: {error}")))
    })
}

/// The variable that decides the workload of all kernels.
pub const WORKLOAD_VARIABLE: &str = "PLUSMINUS_IMSUITE_WORKLOAD";

/// The workload that `PLUSMINUS_IMSUITE_WORKLOAD` asks for in every task of every kernel: `arithmetic:1000` (additions),
/// `cache:65536` (bytes) or `messages:3` (packets); none without it.
///
/// # Panics
/// When the variable cannot be understood.
pub fn workload() -> Workload {
    static WORKLOAD: OnceLock<Workload> = OnceLock::new();
    *WORKLOAD.get_or_init(|| {
        let Ok(wanted) = std::env::var(WORKLOAD_VARIABLE) else { return Workload::None };
        wanted.parse().unwrap_or_else(|error| panic!("{WORKLOAD_VARIABLE}: {error}"))
    })
}

/// Returns the counts of a variant for `cargo bench -- --tallies`.
pub(super) fn tally(nodes: usize, count: impl FnOnce(usize) -> Counted) -> Vec<plusminus::Tally> {
    let places = places(nodes);
    tallies(&count(places), places)
}

/// One variant of a kernel: the function that is timed, and the one that counts.
macro_rules! variant {
    (
        $(#[$doc:meta])* $name:ident, $style:ident, $tally:ident, $problem:ident, $input:ty, $instance:ty => $output:ty,
        |$a:ident, $b:ident| $program:expr $(, $($option:tt)+)?
    ) => {
        $(#[$doc])*
        #[plusminus_macros::bench(problem = crate::imsuite::problems::$problem, tally = $tally $(, $($option)+)?)]
        pub fn $name($a: &$input, $b: &$instance) -> $output {
            super::run(&$program, crate::places::Style::$style)
        }

        fn $tally(input: &$input, instance: &$instance) -> Vec<plusminus::Tally> {
            let nodes = {
                let ($a, $b) = (input, instance);
                crate::places::NodeProgram::nodes(&$program)
            };
            super::tally(nodes, |places| {
                counted(input, instance, crate::places::Style::$style, places)
            })
        }
    };
}
pub(super) use variant;

/// The variants of a kernel as functions of its input and instance, each with what it counts.
macro_rules! variants {
    ($problem:ident, $input:ty, $instance:ty => $output:ty, |$a:ident, $b:ident| $program:expr) => {
        /// Returns the counts of a solution in a style, with the nodes at this number of places.
        pub fn counted(
            $a: &$input,
            $b: &$instance,
            style: crate::places::Style,
            places: usize,
        ) -> crate::places::Counted {
            super::tally::count(&$program, style, places)
        }

        /// The answer in a style with the nodes at places between which shifts cost time: on the processors of the
        /// running benchmark, by tasks of the variable's size.
        pub fn at_places(
            $a: &$input,
            $b: &$instance,
            style: crate::places::Style,
            placement: &crate::places::Placement,
        ) -> $output {
            super::run_at(&$program, style, Some(placement))
        }

        /// A solution by several processes, each of which makes this call: the whole output, and what all have counted.
        pub fn over<C: crate::places::Tally, X: crate::places::Exchange>(
            $a: &$input,
            $b: &$instance,
            how: &crate::places::Execution,
            exchange: &mut X,
        ) -> ($output, C) {
            crate::places::execute_over(&$program, how, exchange)
        }

        super::variant! {
            /// One node after the other, without tasks: the variant that real speedups refer to.
            serial, Serial, tally_serial, $problem, $input, $instance => $output, |$a, $b| $program, reference
        }

        super::variant! {
            /// FA: tasks are forked and joined for every phase.
            fork_join, ForkJoin, tally_fork_join, $problem, $input, $instance => $output, |$a, $b| $program,
            baseline, processors = plusminus::processor_counts()
        }
    };
    ($problem:ident, $input:ty, $instance:ty => $output:ty, |$a:ident, $b:ident| $program:expr, clocked) => {
        super::variants!($problem, $input, $instance => $output, |$a, $b| $program);

        super::variant! {
            /// FAC: persistent threads with one barrier per phase.
            clocked, Clocked, tally_clocked, $problem, $input, $instance => $output, |$a, $b| $program,
            processors = plusminus::processor_counts()
        }
    };
}
pub(super) use variants;

/// Checks that an answer has as many entries as there are nodes.
pub(super) fn one_per_node(what: &str, found: usize, nodes: usize) -> Result<(), String> {
    if found == nodes { Ok(()) } else { Err(format!("{found} {what} for {nodes} nodes")) }
}
