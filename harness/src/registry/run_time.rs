//! Benchmarks that a program registers while it runs, by calling a [`Registry`], instead of by an attribute.
//! The registering function is run to list them, and run again in a worker up to the one that is to be measured.

use std::{
    cell::{Cell, RefCell},
    panic::Location,
    rc::Rc,
};

use super::{Entry, RegisteredSubject, case::counts, name};
use crate::{Bencher, Options};

/// Registers benchmarks whose names are known only when the program runs: one for each file of a folder, for each
/// entry of a table, for each combination of two lists.
///
/// The function that takes it is made known by [`register!`](crate::register). It is called when benchmarks are listed,
/// where no kernel runs, and once in each worker process, where it runs up to the benchmark to be measured. So what it
/// does around its calls of [`bench`](Self::bench) is set-up that every worker repeats, and has to give the same names
/// in the same order in every process. Kernels may borrow from it.
///
/// ```
/// use plusminus::{Bencher, Registry, Work};
///
/// fn sorts(registry: &Registry) {
///     for (name, sort) in [("stable", <[u32]>::sort as fn(&mut [u32])), ("unstable", <[u32]>::sort_unstable)] {
///         for n in [10, 1_000] {
///             let numbers: Vec<u32> = (0..n).rev().collect();
///             registry.bench(&format!("{name}::{n}"), |bencher: Bencher<'_>| {
///                 bencher.work(Work::items(n.into())).with_inputs(|| numbers.clone()).bench_refs(|v| sort(v));
///             });
///         }
///     }
/// }
///
/// plusminus::register!(sorts);
/// plusminus::main!();
/// ```
///
/// These are listed as `sorts::stable::10` and so on, below the name of the module.
#[derive(Clone)]
pub struct Registry(Rc<Pass>);

/// One run of the registering function.
struct Pass {
    /// Stands in front of every name.
    prefix: String,
    /// The benchmarks so far, while they are listed.
    found: RefCell<Vec<Registered>>,
    /// The benchmark to measure, and how.
    wanted: Option<(String, Box<Serve>)>,
    /// Whether that one has been measured.
    served: Cell<bool>,
}

/// Measures a benchmark: what its options say, the callers of its kernel, and the function that takes the bencher.
pub(crate) type Serve = dyn Fn(&Options, usize, &mut dyn FnMut(Bencher<'_>));

/// A benchmark as it was registered.
pub(super) struct Registered {
    pub(super) name: String,
    pub(super) options: Options,
    pub(super) place: &'static Location<'static>,
}

impl Registry {
    fn new(
        entry: &Entry,
        subject: &RegisteredSubject,
        wanted: Option<(String, Box<Serve>)>,
    ) -> Self {
        let prefix = if subject.prefixed { format!("{}::", entry.path()) } else { String::new() };
        Self(Rc::new(Pass { prefix, found: RefCell::default(), wanted, served: Cell::new(false) }))
    }

    /// Registers a benchmark; `run` is called where it is measured, and nowhere else. See [`Bencher`] for what it does.
    ///
    /// The name has to be unique, and may have parts divided by `::`.
    #[track_caller]
    pub fn bench(&self, name: &str, run: impl FnOnce(Bencher<'_>)) {
        self.bench_with(name, Options::default(), run);
    }

    /// Registers a benchmark that says how it is to be measured.
    #[track_caller]
    pub fn bench_with(&self, name: &str, options: Options, run: impl FnOnce(Bencher<'_>)) {
        let place = Location::caller();
        let name = format!("{}{}", self.0.prefix, name::part(name));
        let Some((wanted, serve)) = &self.0.wanted else {
            self.0.found.borrow_mut().push(Registered { name, options, place });
            return;
        };
        if self.is_done() || !wanted.starts_with(&name) {
            return;
        }
        let named =
            |suffix: &[String]| suffix.iter().fold(name.clone(), |all, part| all + "::" + part);
        let counts =
            counts(&[], &options).into_iter().find(|(_, _, suffix)| named(suffix) == *wanted);
        if let Some((_, threads, _)) = counts {
            self.0.served.set(true);
            let mut run = Some(run);
            serve(&options, threads, &mut |bencher| {
                if let Some(run) = run.take() {
                    run(bencher);
                }
            });
        }
    }

    /// Whether the benchmark to be measured has been, so that a function that has more to set up may return.
    pub fn is_done(&self) -> bool {
        self.0.served.get()
    }

    /// Whether benchmarks are only being listed.
    pub fn is_listing(&self) -> bool {
        self.0.wanted.is_none()
    }
}

/// The benchmarks that an entry registers, in its order.
pub(super) fn registered(entry: &Entry, subject: &RegisteredSubject) -> Vec<Registered> {
    let registry = Registry::new(entry, subject, None);
    (subject.register)(&registry);
    registry.0.found.take()
}

/// Runs an entry's registering function, and serves the benchmark of this name where it comes. Answers whether it came.
pub(crate) fn serve(
    entry: &Entry,
    subject: &RegisteredSubject,
    wanted: &str,
    serve: Box<Serve>,
) -> bool {
    let registry = Registry::new(entry, subject, Some((wanted.to_owned(), serve)));
    (subject.register)(&registry);
    registry.is_done()
}
