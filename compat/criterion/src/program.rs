//! The connection between criterion's functions, which are handed no registry, and the registry that has called them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use plusminus::{Bencher, Options, Registry, complain};

use crate::command_line;

/// One pass through the bench functions.
struct Pass {
    registry: Registry,
    /// The number of the bench function that is running.
    section: usize,
    /// How often an id has come, and in which bench function at first.
    ids: BTreeMap<String, (usize, usize)>,
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

/// Calls groups, so that what they register reaches the registry.
pub fn register(registry: &Registry, groups: &[&dyn Fn()]) {
    let pass = Pass {
        registry: registry.clone(),
        section: 0,
        ids: BTreeMap::new(),
        idle: BTreeSet::new(),
    };
    PASS.set(Some(pass));
    let _ends = EndsPass;
    for group in groups {
        if !registry.is_done() {
            group();
        }
    }
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

/// Calls a bench function, unless this process is to measure a benchmark of another one.
pub fn section(bench_function: impl FnOnce()) {
    let registry = PASS.with_borrow_mut(|pass| {
        let pass = pass.as_mut()?;
        pass.section += 1;
        Some(pass.registry.clone())
    });
    // Only the registry calls it, so that its code is separate from that of other bench functions.
    match registry {
        Some(registry) => registry.section(bench_function),
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
        let (count, first) = pass.ids.entry(id.to_owned()).or_insert((0, pass.section));
        *count += 1;
        let name = if *count == 1 { id.to_owned() } else { format!("{id} #{count}") };
        Some((pass.registry.clone(), name, *first == pass.section))
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
