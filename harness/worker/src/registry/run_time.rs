//! Benchmarks that a program registers while it runs, by calling a [`Registry`], instead of by an attribute.
//! The registering function is run to list them, and run again in a worker up to the one that is to be measured.

use std::{
    cell::{Cell, RefCell},
    panic::Location,
    rc::Rc,
};

use super::{
    Entry, RegisteredSubject,
    called::{Called, RUN_MARK, SECTION_MARK, Sections},
    case::counts,
    name,
};
use crate::{Bencher, Options, asked_processor_counts};

/// Registers benchmarks whose names are known only when the program runs: one for each file of a folder, for each
/// entry of a table, for each combination of two lists.
///
/// [`register!`](crate::register) announces the function that takes it. The harness calls it to list benchmarks,
/// without running a kernel, and once in each worker process, where it runs up to the benchmark to be measured. So
/// the code around its calls of [`bench`](Self::bench) is set-up that every worker repeats. It must give the same
/// names in the same order in every process. Kernels may borrow from it. Put set-up that only some benchmarks need
/// into a [`section`](Self::section) with them, and the others skip it.
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
    prefix: String,
    /// The benchmarks so far, while they are listed.
    found: RefCell<Vec<Registered>>,
    wanted: RefCell<Option<Wanted>>,
    /// How it is measured; `None` while benchmarks are listed.
    serve: Option<Box<Serve>>,
    /// The benchmarks that have come in this pass, while they are measured.
    passed: RefCell<Vec<String>>,
    /// Sections that have come so far within the innermost one that is running.
    sections: Cell<u32>,
    /// The sections that are running, from the outermost to the innermost, with their code.
    running: RefCell<Vec<(u32, usize)>>,
    /// Whether that one has been measured.
    served: Cell<bool>,
}

#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    /// The sections that have it, from the outermost to the innermost, where no other one is needed.
    pub(crate) sections: Option<Vec<u32>>,
}

/// Measures a benchmark: what its options say, the callers of its kernel, and the function that takes the bencher. Returns the
/// one that is wanted after it.
pub(crate) type Serve = dyn Fn(&Options, usize, &mut dyn FnMut(Bencher<'_>)) -> Option<Wanted>;

pub(super) struct Registered {
    pub(super) name: String,
    pub(super) options: Options,
    pub(super) place: &'static Location<'static>,
    pub(super) sections: Option<Vec<u32>>,
    pub(super) code: RegisteredCode,
}

/// Addresses of the code of a benchmark that was registered at run time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RegisteredCode {
    /// The function to call when it is measured.
    pub(crate) run: Option<usize>,
    /// The sections that are enough to reach it.
    pub(crate) sections: Vec<usize>,
}

struct Run<F>(F);

impl<F: FnOnce(Bencher<'_>)> Run<F> {
    const CALLED: Called = Called::new(RUN_MARK, Self::call as *const ());

    /// Is never part of another function, so that the code of one benchmark is separate from that of all others.
    #[inline(never)]
    fn call(run: F, bencher: Bencher<'_>) {
        // The mark is used here, too, so that no two of these functions are equal and become one.
        Called::address(&Self::CALLED);
        run(bencher);
    }
}

struct Section<F>(F);

impl<F: FnOnce()> Section<F> {
    const CALLED: Called = Called::new(SECTION_MARK, Self::call as *const ());

    /// See [`Run::call`].
    #[inline(never)]
    fn call(run: F) {
        Called::address(&Self::CALLED);
        run();
    }
}

impl Registry {
    fn new(
        entry: &Entry,
        subject: &RegisteredSubject,
        (wanted, serve): (Option<Wanted>, Option<Box<Serve>>),
    ) -> Self {
        let prefix = if subject.prefixed { format!("{}::", entry.path()) } else { String::new() };
        Self(Rc::new(Pass {
            prefix,
            found: RefCell::default(),
            wanted: RefCell::new(wanted),
            serve,
            passed: RefCell::default(),
            sections: Cell::new(0),
            running: RefCell::default(),
            served: Cell::new(false),
        }))
    }

    /// Registers a benchmark; `run` is called where it is measured, and nowhere else. See [`Bencher`] for what it does.
    ///
    /// The name has to be unique, and may have parts divided by `::`.
    #[track_caller]
    pub fn bench(&self, name: &str, run: impl FnOnce(Bencher<'_>)) {
        self.bench_with(name, Options::default(), run);
    }

    /// Registers a benchmark with its own measurement options.
    #[track_caller]
    pub fn bench_with(&self, name: &str, options: Options, run: impl FnOnce(Bencher<'_>)) {
        let within = self.0.running.borrow().clone();
        self.bench_within(&within, name, options, run);
    }

    /// Registers a benchmark whose name depends on what other sections have registered, so that they all are needed.
    #[doc(hidden)]
    #[track_caller]
    pub fn bench_beyond_section(
        &self,
        name: &str,
        options: Options,
        run: impl FnOnce(Bencher<'_>),
    ) {
        self.bench_within(&[], name, options, run);
    }

    #[track_caller]
    fn bench_within<F: FnOnce(Bencher<'_>)>(
        &self,
        within: &[(u32, usize)],
        name: &str,
        options: Options,
        run: F,
    ) {
        let place = Location::caller();
        let name = format!("{}{}", self.0.prefix, name::part(name));
        let Some(serve) = &self.0.serve else {
            let (path, sections): (Vec<u32>, Vec<usize>) = within.iter().copied().unzip();
            let run = Some(Called::address(&Run::<F>::CALLED));
            let code = RegisteredCode { run, sections };
            let sections = Some(path).filter(|path| !path.is_empty());
            self.0.found.borrow_mut().push(Registered { name, options, place, sections, code });
            return;
        };
        if self.is_done() {
            return;
        }
        self.0.passed.borrow_mut().push(name.clone());
        let wanted = self.0.wanted.borrow().clone();
        let Some(wanted) = wanted.filter(|wanted| wanted.name.starts_with(&name)) else { return };
        let named =
            |suffix: &[String]| suffix.iter().fold(name.clone(), |all, part| all + "::" + part);
        let counts = counts(&[], &options, asked_processor_counts())
            .into_iter()
            .find(|(_, _, suffix)| named(suffix) == wanted.name);
        if let Some((_, threads, _)) = counts {
            self.0.served.set(true);
            let mut run = Some(run);
            let next = serve(&options, threads, &mut |bencher| {
                if let Some(run) = run.take() {
                    Run::call(run, bencher);
                }
            });
            if let Some(next) = next.filter(|next| self.may_come(next)) {
                self.0.wanted.replace(Some(next));
                self.0.served.set(false);
            }
        }
    }

    /// Whether a benchmark may come later in this pass.
    fn may_come(&self, next: &Wanted) -> bool {
        let is_of = |name: &String| {
            let rest = next.name.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let running = self.running();
        let mut pairs = running.iter().zip(next.sections.iter().flatten());
        let is_gone = pairs.find(|(present, next)| present != next).is_some_and(|(a, b)| b < a);
        !is_gone && !self.0.passed.borrow().iter().any(is_of)
    }

    /// Runs a part of the registering function whose set-up only its own benchmarks need. A worker runs the section
    /// of the benchmark to be measured, and skips the others, so that expensive set-up costs other benchmarks
    /// nothing. Code outside of sections always runs. Sections may have sections within them, to which the same applies.
    ///
    /// ```
    /// use plusminus::Registry;
    ///
    /// fn parsers(registry: &Registry) {
    ///     for file in ["small.json", "large.json"] {
    ///         registry.section(|| {
    ///             let text = std::iter::repeat_n('7', file.len()).collect::<String>();   // heavy, in earnest
    ///             registry.bench(file, |bencher| bencher.bench(|| text.parse::<u64>()));
    ///         });
    ///     }
    /// }
    ///
    /// plusminus::register!(parsers);
    /// plusminus::main!();
    /// ```
    pub fn section(&self, run: impl FnOnce()) {
        self.section_marked(run);
    }

    fn section_marked<F: FnOnce()>(&self, run: F) {
        self.enter(Called::address(&Section::<F>::CALLED), || Section::call(run));
    }

    /// Runs each of some functions in a section of its own, and hands all of them the same value.
    #[doc(hidden)]
    pub fn sections<T>(&self, list: &'static Sections<T>, value: &mut T) {
        for run in list.functions() {
            self.enter(run as usize, || run(value));
        }
    }

    /// Runs a section, whose code is at an address, unless the benchmark to be measured is not in it.
    fn enter(&self, code: usize, run: impl FnOnce()) {
        let pass = &*self.0;
        let own = pass.sections.replace(pass.sections.get() + 1);
        let here = [self.running(), vec![own]].concat();
        let is_outside = |wanted: &Wanted| {
            wanted.sections.as_ref().is_some_and(|sections| !sections.starts_with(&here))
        };
        if self.is_done() || pass.wanted.borrow().as_ref().is_some_and(is_outside) {
            return;
        }
        pass.running.borrow_mut().push((own, code));
        pass.sections.set(0);
        run();
        pass.sections.set(own + 1);
        pass.running.borrow_mut().pop();
    }

    /// The sections that are running, from the outermost to the innermost, by their numbers within each other.
    #[doc(hidden)]
    pub fn running(&self) -> Vec<u32> {
        self.0.running.borrow().iter().map(|(number, _)| *number).collect()
    }

    /// Whether the benchmark to be measured has been, so that a function that has more to set up may return.
    pub fn is_done(&self) -> bool {
        self.0.served.get()
    }

    /// Whether benchmarks are only being listed.
    pub fn is_listing(&self) -> bool {
        self.0.serve.is_none()
    }
}

pub(super) fn registered(entry: &Entry, subject: &RegisteredSubject) -> Vec<Registered> {
    let registry = Registry::new(entry, subject, (None, None));
    (subject.register)(&registry);
    registry.0.found.take()
}

/// Runs an entry's registering function, and serves the wanted benchmark where it comes, and all that are wanted after it.
pub(crate) fn serve(entry: &Entry, subject: &RegisteredSubject, wanted: Wanted, serve: Box<Serve>) {
    let registry = Registry::new(entry, subject, (Some(wanted), Some(serve)));
    (subject.register)(&registry);
}
