//! The kernels that the paper also has as recursive task-parallel programs: BF, DST, BY, DR and MST.
//! Tasks here run when they can, not in rounds; what they share is atomic. Answers are right whatever the order, but for
//! BF, BY and DR on general networks the amount of work depends on it.
//!
//! `async` is a rayon task, `finish` waits for tasks. A `finish` with nothing after it is left to the one around it, so
//! that recursion needs no stack. Clocked variants (FAC) replace a `finish` between two steps by a clock: the last task
//! that is done with the first step starts the second one.
//!
//! Clocked DST and MST need all threads of their pool: run one of them at a time in a pool.
//!
//! Work that is injected into tasks is a matter of the ledger too: [`Loaded`] does it at every task that fork/join counts.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, bf, recursive};
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! let root = bf::Root::new(&path, 2);
//! assert_eq!(recursive::bf::fork_join(&path, &root), [2, 1, 0]);
//! ```

pub mod bf;
pub mod by;
pub mod dr;
pub mod dst;
mod loaded;
pub mod mst;
mod paying;

use std::sync::{Mutex, PoisonError};

use crate::places::{Counted, Counts, Places, SpinBarrier, Style, Tally};
use crate::tasks::{in_stretches, on_pool};

pub use loaded::Loaded;
pub use paying::Paying;

/// Where tasks that run at the same time count, or do not: `()` counts nothing.
pub trait Ledger: Sync {
    /// Whether anything is counted, for counts that cost something to find out.
    const COUNTS: bool;
    /// Whether tasks have [work](Self::work) besides their own. Then each fork of the original is a task, also one
    /// with so little to do that it is otherwise skipped, or shares a task with others.
    const LOADED: bool = false;
    /// Any counts at once.
    fn add(&self, counts: Counts);
    /// A shift from a node's place to another's.
    fn shift(&self, from: u32, to: u32);
    /// A shift between the driver and a node.
    fn control(&self, node: u32);
    /// From here on another round is counted.
    fn round(&self);

    /// Notes that a task is at a node. Each task calls it once, in every style. A task that lives through several
    /// steps calls it once in each of them. So it is called as often as fork/join counts tasks.
    fn work(&self, _node: u32) {}

    /// Tasks, unless the style has none.
    fn tasks(&self, style: Style, tasks: usize) {
        if style != Style::Serial {
            self.add(Counts { tasks: tasks as u64, ..Counts::default() });
        }
    }

    /// A join of tasks, unless the style has none.
    fn join(&self, style: Style) {
        if style != Style::Serial {
            self.add(Counts { joins: 1, ..Counts::default() });
        }
    }

    /// An atomic operation.
    fn mutex(&self) {
        self.add(Counts { mutex: 1, ..Counts::default() });
    }
}

impl Ledger for () {
    const COUNTS: bool = false;
    fn add(&self, _: Counts) {}
    fn shift(&self, _: u32, _: u32) {}
    fn control(&self, _: u32) {}
    fn round(&self) {}
}

impl Ledger for Mutex<Counted> {
    const COUNTS: bool = true;
    fn add(&self, counts: Counts) {
        self.lock().unwrap_or_else(PoisonError::into_inner).add(counts);
    }
    fn shift(&self, from: u32, to: u32) {
        self.lock().unwrap_or_else(PoisonError::into_inner).shift(from, to, 0);
    }
    fn control(&self, node: u32) {
        self.lock().unwrap_or_else(PoisonError::into_inner).control(node..node + 1);
    }
    fn round(&self) {
        self.lock().unwrap_or_else(PoisonError::into_inner).round();
    }
}

/// Runs a kernel with a ledger for nodes at this number of places, and returns the counts.
pub fn counted<T>(
    nodes: usize,
    places: usize,
    kernel: impl FnOnce(&Mutex<Counted>) -> T,
) -> (T, Counted) {
    let ledger = Mutex::new(Counted::new(Places::new(nodes, places)));
    let output = kernel(&ledger);
    (output, ledger.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Steps over all nodes: in each, every node is a task.
struct Nodes<'a, L> {
    count: u32,
    style: Style,
    ledger: &'a L,
}

impl<L: Ledger> Nodes<'_, L> {
    /// Does the steps one after the other at all nodes, each with its number. Fork/join forks for every step. Clocked
    /// threads are forked once and meet at a barrier before each step. They are all threads of the pool, which can have
    /// only one such run at a time (two could wait for each other's threads).
    fn steps(&self, steps: u32, body: impl Fn(u32, u32) + Sync) {
        let task = |step, node| {
            self.ledger.work(node);
            body(step, node);
        };
        match self.style {
            Style::Serial => {
                for step in 0..steps {
                    (0..self.count).for_each(|node| task(step, node));
                }
            }
            Style::ForkJoin => {
                for step in 0..steps {
                    self.fork();
                    in_stretches(self.count as usize, &|nodes| {
                        nodes.for_each(|node| task(step, node as u32));
                    });
                }
            }
            Style::Clocked => {
                self.fork();
                self.ledger.add(Counts { barriers: u64::from(steps) - 1, ..Counts::default() });
                let barrier = SpinBarrier::new(rayon::current_num_threads());
                on_pool(&|thread, threads| {
                    let _poison = barrier.poison_on_panic();
                    let share = self.count.div_ceil(threads as u32).max(1);
                    let first = (thread as u32 * share).min(self.count);
                    for step in 0..steps {
                        // Also before the first step: a thread that steals a task before it has its share would
                        // start its share inside the task, and wait in it for the thread that waits for the task.
                        barrier.wait();
                        (first..(first + share).min(self.count)).for_each(|node| task(step, node));
                    }
                });
            }
        }
    }

    /// Counts a task per node, called by the driver, and their join.
    fn fork(&self) {
        if L::COUNTS {
            self.ledger.join(self.style);
            self.ledger.tasks(self.style, self.count as usize);
            (0..self.count).for_each(|node| self.ledger.control(node));
        }
    }
}

/// Walks a tree from a node downwards, a task per child: `visit` is called with each node and gives its children.
fn walk<'a, T, I, F>(style: Style, root: T, visit: &F)
where
    T: Copy + Send + 'a,
    I: Iterator<Item = T>,
    F: Fn(T) -> I + Sync + 'a,
{
    if style == Style::Serial {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            stack.extend(visit(node));
        }
    } else {
        rayon::scope(move |scope| walk_on(scope, root, visit));
    }
}

/// Visits a node, and leaves its children to tasks of their own.
fn walk_on<'a, T, I, F>(scope: &rayon::Scope<'a>, node: T, visit: &'a F)
where
    T: Copy + Send + 'a,
    I: Iterator<Item = T>,
    F: Fn(T) -> I + Sync + 'a,
{
    for child in visit(node) {
        scope.spawn(move |scope| walk_on(scope, child, visit));
    }
}

/// One recursive variant of a kernel: the function that is timed, and the one that counts.
macro_rules! recursive_variant {
    (
        $(#[$doc:meta])* $name:ident, $style:ident, $tally:ident, $problem:ident, $input:ty, $instance:ty => $output:ty,
        |$of:ident| $topology:expr $(, $($option:tt)+)?
    ) => {
        $(#[$doc])*
        #[plusminus_macros::bench(problem = crate::imsuite::problems::$problem, tally = $tally $(, $($option)+)?)]
        pub fn $name(input: &$input, instance: &$instance) -> $output {
            with_workload(input, instance, crate::places::Style::$style, crate::imsuite::workload())
        }

        fn $tally($of: &$input, instance: &$instance) -> Vec<plusminus::Tally> {
            crate::imsuite::tally($topology.nodes(), |places| {
                counted($of, instance, crate::places::Style::$style, places)
            })
        }
    };
}
use recursive_variant;

/// The recursive variants of a kernel as functions of its input and instance, each with what it counts.
macro_rules! recursive_variants {
    ($problem:ident, $input:ty, $instance:ty => $output:ty, $function:ident, |$of:ident| $topology:expr) => {
        /// The answer in a style, with more work in every task. Without a workload this is compiled as if there were none.
        pub fn with_workload(
            $of: &$input,
            instance: &$instance,
            style: crate::places::Style,
            workload: crate::places::Workload,
        ) -> $output {
            let topology: &crate::imsuite::Topology = $topology;
            let none = workload == crate::places::Workload::None;
            match super::Paying::of_environment(topology.nodes()) {
                Some(paying) if none => $function($of, instance, style, &paying),
                Some(paying) => {
                    let loaded = super::Loaded::new(&paying, workload, topology);
                    $function($of, instance, style, &loaded)
                }
                None if none => $function($of, instance, style, &()),
                None => {
                    let loaded = super::Loaded::new(&(), workload, topology);
                    $function($of, instance, style, &loaded)
                }
            }
        }

        /// Returns the counts of a solution in a style with the nodes at this number of places, with the workload
        /// that is timed.
        pub fn counted(
            input: &$input,
            instance: &$instance,
            style: crate::places::Style,
            places: usize,
        ) -> crate::places::Counted {
            counted_with_workload(input, instance, style, places, crate::imsuite::workload())
        }

        /// Returns the counts of a solution in a style with more work in every task.
        pub fn counted_with_workload(
            $of: &$input,
            instance: &$instance,
            style: crate::places::Style,
            places: usize,
            workload: crate::places::Workload,
        ) -> crate::places::Counted {
            let topology: &crate::imsuite::Topology = $topology;
            let count = |ledger: &_| {
                if workload == crate::places::Workload::None {
                    return $function($of, instance, style, ledger);
                }
                $function($of, instance, style, &super::Loaded::new(ledger, workload, topology))
            };
            super::counted(topology.nodes(), places, count).1
        }

        super::recursive_variant! {
            /// Recursive, without tasks.
            serial, Serial, tally_serial, $problem, $input, $instance => $output, |$of| $topology
        }

        super::recursive_variant! {
            /// Recursive, FA: tasks are forked and joined.
            fork_join, ForkJoin, tally_fork_join, $problem, $input, $instance => $output, |$of| $topology,
            processors = plusminus::processor_counts()
        }
    };
    ($problem:ident, $input:ty, $instance:ty => $output:ty, $function:ident, |$of:ident| $topology:expr, clocked) => {
        super::recursive_variants!($problem, $input, $instance => $output, $function, |$of| $topology);

        super::recursive_variant! {
            /// Recursive, FAC: clocks take the place of joins between steps.
            clocked, Clocked, tally_clocked, $problem, $input, $instance => $output, |$of| $topology,
            processors = plusminus::processor_counts()
        }
    };
}
use recursive_variants;

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a barrier before the first step, this does not end in one of some 2,000 rounds.
    #[test]
    fn clocked_steps_that_fork_end() {
        fn forks(depth: u32) {
            if depth > 0 {
                rayon::join(|| forks(depth - 1), || forks(depth - 1));
            }
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("a pool");
        let all = Nodes { count: 4, style: Style::Clocked, ledger: &() };
        for _ in 0..2_000 {
            pool.install(|| all.steps(2, |_, _| forks(8)));
        }
    }
}
