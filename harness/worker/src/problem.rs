//! The task that several variants solve: the trait that users implement, and the work of one instance. Types only:
//! nothing here registers, measures or prints.

use std::{
    fmt::Display,
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether an output was handed to the default of [`Problem::check`], which looks at nothing.
static UNCHECKED: AtomicBool = AtomicBool::new(false);

/// Returns whether an output was not looked at.
pub(crate) fn is_unchecked() -> bool {
    UNCHECKED.load(Ordering::Relaxed)
}

/// Returns whether an output was not looked at since this was asked last.
pub(crate) fn take_unchecked() -> bool {
    UNCHECKED.swap(false, Ordering::Relaxed)
}

/// A problem that several variants solve, so that the compiler checks that they all solve the same thing.
///
/// Implement it for a unit struct; enter a variant with `#[bench(problem = TheStruct)]` on a function
/// `fn(&Input, &Instance) -> Output`. A variant may live in any crate that can name the problem.
///
/// A variant that can tell what a solution does (messages, tasks, relaxed edges) names a function for that with
/// `tally = path`: `fn(&Input, &Instance) -> Vec<`[`Tally`](crate::Tally)`>`. It solves the instance once more, and counts.
/// `cargo bench -- --tallies` calls it once for each instance, after all that is timed; otherwise it is not called.
///
/// ```
/// use plusminus::{Problem, Work};
///
/// /// Is a number in a sorted list?
/// pub struct Membership;
///
/// impl Problem for Membership {
///     type Point = usize;
///     type Input = Vec<u64>;
///     type Instance = u64;
///     type Output = bool;
///
///     fn sweep() -> impl IntoIterator<Item = usize> {
///         [1_000, 100_000]
///     }
///     fn input(n: &usize) -> Vec<u64> {
///         (0..*n as u64).map(|i| 2 * i).collect()
///     }
///     fn instances(list: &Vec<u64>) -> Vec<u64> {
///         vec![0, 1, list.len() as u64]
///     }
///     fn check(list: &Vec<u64>, wanted: &u64, found: &bool) -> Result<(), String> {
///         let expected = wanted % 2 == 0 && *wanted < 2 * list.len() as u64;
///         if *found == expected { Ok(()) } else { Err(format!("{wanted}: found {found}")) }
///     }
///     fn work(list: &Vec<u64>, _: &u64) -> Work {
///         Work::items(list.len() as u64)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a problem",
    label = "implement `plusminus::Problem` for this type: it defines what the variants solve"
)]
pub trait Problem: 'static {
    /// One setting of the problem's parameters (n, scale, weights …). Its `Display` becomes part of the
    /// benchmark's name, so it has to be the same in every process.
    type Point: Display;
    /// The data built for a point, once per process and never timed.
    type Input;
    /// One thing to solve on the input, such as the source of a search. Its `Display` names it.
    type Instance: Display;
    /// The solution that a variant returns.
    type Output;

    /// The points to measure, from small to large: test runs take the first one only.
    ///
    /// Called when benchmarks are listed, so it must be cheap and build no input.
    fn sweep() -> impl IntoIterator<Item = Self::Point>;

    /// Builds the data of a point. The same point must give the same data in every process.
    fn input(point: &Self::Point) -> Self::Input;

    /// The instances to solve on an input, the same in every process. Each is measured by itself.
    fn instances(input: &Self::Input) -> Vec<Self::Instance>;

    /// Returns why an output is wrong, if it is. Never timed, and run on an output of every variant in every run.
    ///
    /// Without it, the outputs of variants are compared with each other if [`Output`](Self::Output) has `PartialEq`.
    /// The report warns if they differ. That is not an error: either variant may be wrong, and sums of floating-point
    /// numbers may differ in their last digits. If the type has no `PartialEq`, or nothing in it, or `threads` are set,
    /// the report prints that answers were not compared.
    ///
    /// # Errors
    /// A sentence that names the first offending part of the output; the variant is then reported as failed.
    fn check(
        input: &Self::Input,
        instance: &Self::Instance,
        output: &Self::Output,
    ) -> Result<(), String> {
        let _ = (input, instance, output);
        UNCHECKED.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The work that one instance is worth, for throughput such as edges per second.
    fn work(input: &Self::Input, instance: &Self::Instance) -> Work {
        let _ = (input, instance);
        Work::none()
    }

    /// The size n of a point, which models of the time as a function of n need.
    fn size(point: &Self::Point) -> Option<f64> {
        let _ = point;
        None
    }

    /// Models of the time that a study compares for this problem, by the names that `cargo plusminus study` lists,
    /// such as `"n log n"` and `"amdahl"`. Without any, a study tries all that the data allow.
    fn models() -> &'static [&'static str] {
        &[]
    }

    /// Processor counts that belong to a point, as in weak scaling, where n and p grow together.
    ///
    /// Where this is not empty it decides, and the `processors` option of a variant is not used.
    fn processors(point: &Self::Point) -> Vec<usize> {
        let _ = point;
        Vec::new()
    }
}

/// Work of one kernel call: an amount and its unit, shown as a rate after the time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Work {
    counts: Vec<(String, f64)>,
}

impl Work {
    /// No throughput is shown.
    pub fn none() -> Self {
        Self::default()
    }

    /// Work of `count` items.
    pub fn items(count: u64) -> Self {
        Self::of("items", count as f64)
    }

    /// Work of `count` bits.
    pub fn bits(count: u64) -> Self {
        Self::of("bits", count as f64)
    }

    /// Work of `count` bytes.
    pub fn bytes(count: u64) -> Self {
        Self::of("bytes", count as f64)
    }

    /// Work of `count` edges of a graph.
    pub fn edges(count: u64) -> Self {
        Self::of("edges", count as f64)
    }

    /// Work of `count` of your own unit, a plural such as "accesses".
    pub fn of(unit: impl Into<String>, count: f64) -> Self {
        Self { counts: vec![(unit.into(), count)] }
    }

    /// Adds another kind of work; the first one is the one shown in tables.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.counts.extend(other.counts);
        self
    }

    /// Unit and count of each kind of work.
    pub fn counts(&self) -> &[(String, f64)] {
        &self.counts
    }
}
