//! Looks at the code of all benchmarks of two versions, whatever their harness, for `cargo plusminus changed`.

use plusminus::engine::RealMachine;
use plusminus_same_code::Code;

use super::{
    Selection,
    affected::{self, Narrowed},
    arguments::{Build, Which},
    code,
    programs::Target,
    range::Range,
    sides, subjects, why_nothing,
};
use crate::{
    error::{Result, error},
    progress::Progress,
    report::{Identity, Names},
};

/// A benchmark of the new version, or a bench target whose harness is not ours.
#[derive(Debug)]
pub(crate) struct Looked {
    /// The package and the bench target.
    pub(crate) package: String,
    pub(crate) target: String,
    /// None for the target as a whole.
    pub(crate) benchmark: Option<String>,
    /// None if base does not have it.
    pub(crate) code: Option<Code>,
}

/// Looks at the code of all benchmarks, whatever their harness. Measures nothing.
pub(crate) fn look(
    range: &Range,
    mut build: Build,
    quiet: bool,
) -> Result<([Identity; 2], Vec<Looked>)> {
    if build.affected {
        match affected::narrowed(range, &build)? {
            Narrowed::To(narrowed) => build = narrowed,
            Narrowed::ToNothing(both) => return Ok((both, Vec::new())),
        }
    }
    build.any_harness = true;
    let mut progress = Progress::new(quiet);
    let prepared = sides::of_versions(range, &build, &mut progress)?;
    let machine = RealMachine::new();
    let mut names = Names::default();
    let (mut subjects, failed) = subjects(&machine, &prepared, &Selection::of_all(), &mut names)?;
    if !failed.is_empty() {
        return error(why_nothing(&failed));
    }
    let codes = code::look(&mut subjects, &prepared, Which::None)?;
    let several = prepared.targets.len() > 1;
    let mut found = Vec::new();
    let new = names.added.iter().chain(names.renamed.iter().map(|(_, new)| new));
    let new = new.map(|name| (name, None));
    for (name, code) in codes.cases.iter().map(|case| (&case.name, Some(&case.code))).chain(new) {
        let (target, benchmark) = match name.split_once(": ").filter(|_| several) {
            Some((target, benchmark)) => (Some(target), benchmark),
            None => (None, name.as_str()),
        };
        let is_it = |one: &&Target| target.is_none_or(|target| one.name == target);
        let key = prepared.targets.iter().find(is_it).and_then(|target| target.key.clone());
        let (package, target) = key.unwrap_or_default();
        let benchmark = Some(benchmark.to_owned());
        found.push(Looked { package, target, benchmark, code: code.cloned() });
    }
    found.extend(prepared.others);
    progress.end();
    Ok(([prepared.base, prepared.new], found))
}
