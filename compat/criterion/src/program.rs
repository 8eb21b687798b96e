//! The connection between criterion's functions, which are handed no registry, and the registry that has called them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    hint::black_box,
    process::ExitCode,
};

use plusminus::{__private::Sections, Bencher, Options, Registry, complain};

use crate::{Criterion, command_line, measurement::Measurement};

/// One pass through the bench functions.
struct Pass {
    registry: Registry,
    /// The sections in which each id has come.
    ids: BTreeMap<String, Vec<Vec<u32>>>,
    /// Settings that were used and have no effect.
    idle: BTreeSet<&'static str>,
}

thread_local! {
    /// The pass that is going on, on the thread on which the registry has called us.
    static PASS: RefCell<Option<Pass>> = const { RefCell::new(None) };
}

/// Runs the bench binary by its command line.
#[must_use]
pub fn run(package: &str, own: &str) -> ExitCode {
    let code = plusminus::run_translated(package, own, &[], &command_line::translated);
    ExitCode::from(code as u8)
}

/// Keeps the functions of two sections different: each refers to a variable of its own.
pub struct Called;

impl Called {
    /// Refers to the variable.
    pub fn by(&self, own: &'static u8) {
        black_box(own);
    }
}

/// Calls groups, so that what they register reaches the registry.
pub fn register(registry: &Registry, groups: &'static Sections<Called>) {
    let pass = Pass { registry: registry.clone(), ids: BTreeMap::new(), idle: BTreeSet::new() };
    PASS.set(Some(pass));
    let _ends = EndsPass;
    registry.sections(groups, &mut Called);
    if registry.is_listing() {
        PASS.with_borrow(|pass| tell_idle(&pass.as_ref().expect("the pass goes on").idle));
    }
}

/// Ends the pass, even if a bench function panics.
struct EndsPass;

impl Drop for EndsPass {
    fn drop(&mut self) {
        PASS.set(None);
    }
}

fn tell_idle(idle: &BTreeSet<&'static str>) {
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().copied().collect();
        complain(&format!(
            "plusminus: without effect here, and accepted: {} (the documents of plusminus-criterion say why)\n",
            names.join(", ")
        ));
    }
}

/// A group of bench functions, which share what the first one of them to run has made.
pub struct Group<M: Measurement> {
    config: fn() -> Criterion<M>,
    made: Option<Criterion<M>>,
}

impl<M: Measurement> Group<M> {
    /// The value for its bench functions. Each caller has a variable of its own.
    #[inline]
    pub fn criterion(&mut self, own: &'static u8) -> &mut Criterion<M> {
        black_box(own);
        self.criterion_of_all()
    }

    #[inline(never)]
    fn criterion_of_all(&mut self) -> &mut Criterion<M> {
        self.made.get_or_insert_with(self.config)
    }
}

/// Calls bench functions, unless this process is to measure a benchmark of another one.
#[inline]
pub fn group<M: Measurement>(config: fn() -> Criterion<M>, targets: &'static Sections<Group<M>>) {
    // By its address: the compiler fits a function with one caller to that, and a second group would change the first.
    let call: fn(fn() -> Criterion<M>, _) = group_of_all;
    black_box(call)(config, targets);
}

fn group_of_all<M: Measurement>(
    config: fn() -> Criterion<M>,
    targets: &'static Sections<Group<M>>,
) {
    // Only the registry calls them, so that their code is separate from that of others.
    match PASS.with_borrow(|pass| Some(pass.as_ref()?.registry.clone())) {
        Some(registry) => registry.sections(targets, &mut Group { config, made: None }),
        None => no_pass(),
    }
}

/// Notes a setting that has no effect.
pub(crate) fn note_idle(setting: &'static str) {
    PASS.with_borrow_mut(|pass| {
        if let Some(pass) = pass {
            pass.idle.insert(setting);
        }
    });
}

/// Registers a benchmark. The second one of an id gets ` #2` behind it, as all processes see them in the same order.
#[track_caller]
pub(crate) fn bench(id: &str, options: Options, run: impl FnOnce(Bencher<'_>)) {
    let registered = PASS.with_borrow_mut(|pass| {
        let pass = pass.as_mut()?;
        let running = pass.registry.running();
        let came = pass.ids.entry(id.to_owned()).or_default();
        // A process that runs this section runs all of them.
        let all_come = came.iter().all(|sections| running.starts_with(sections));
        came.push(running);
        let name = match came.len() {
            1 => id.to_owned(),
            count => format!("{id} #{count}"),
        };
        Some((pass.registry.clone(), name, all_come))
    });
    // The closure may take long, and may call anything of this crate: the pass is not borrowed meanwhile.
    match registered {
        Some((registry, name, true)) => registry.bench_with(&name, options, run),
        Some((registry, name, false)) => registry.bench_beyond_section(&name, options, run),
        None => no_pass(),
    }
}

/// Ends a program that runs benchmarks where they cannot be found.
pub(crate) fn no_pass() -> ! {
    complain(
        "plusminus: this bench calls criterion outside of `criterion_main!`, or on another thread than its own: worker \
         processes could not find its benchmarks. Replace the `main` function by `criterion_main!(benches);`, and move \
         what it does before into the bench functions\n",
    );
    std::process::exit(plusminus::exit::FAILED);
}
