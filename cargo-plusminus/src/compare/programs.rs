//! Puts the bench targets of both sides together, with copies of their programs where nothing overwrites them.

use std::{collections::BTreeSet, env, fs, path::Path};

use plusminus::engine::{Program, Versions};

use super::{
    build::Bench,
    sides::{BuiltSide, Target},
};
use crate::{
    error::{Result, at},
    report,
};

/// The name of a bench target, for people and for finding it on the other side.
type Key = (String, String);

fn key(bench: &Bench) -> Key {
    (bench.package.clone(), bench.target.clone())
}

fn find<'a>(side: &'a BuiltSide, wanted: &Key) -> Option<&'a Bench> {
    side.built.benches.iter().find(|bench| key(bench) == *wanted)
}

/// All bench targets of both sides, with names that tell them apart.
fn names(base: &BuiltSide, new: &BuiltSide) -> Vec<(Key, String)> {
    let keys: BTreeSet<Key> =
        base.built.benches.iter().chain(&new.built.benches).map(key).collect();
    let several = keys.iter().map(|(package, _)| package).collect::<BTreeSet<_>>().len() > 1;
    let name = |(package, target): &Key| match several {
        true => format!("{package}/{target}"),
        false => target.clone(),
    };
    keys.iter().map(|key| (key.clone(), name(key))).collect()
}

/// Where cargo has put the programs.
pub(super) fn places(base: &BuiltSide, new: &BuiltSide) -> Vec<report::Program> {
    let place = |side: &BuiltSide, key: &Key| {
        find(side, key).map(|bench| bench.binary.display().to_string())
    };
    names(base, new)
        .into_iter()
        .map(|(key, target)| report::Program {
            base: place(base, &key),
            new: place(new, &key),
            target,
        })
        .collect()
}

/// Copies of all programs in the folder `copies`, by bench target.
pub(super) fn targets(base: &BuiltSide, new: &BuiltSide, copies: &Path) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for (index, (key, name)) in names(base, new).into_iter().enumerate() {
        let side = |bench: &Bench, role: &str| {
            let name = format!("{index}-{role}{}", env::consts::EXE_SUFFIX);
            copied(bench, &copies.join(name))
        };
        let mut target = Target {
            name,
            key: Some(key.clone()),
            versions: None,
            linked: None,
            base_only: None,
            new_only: None,
        };
        match (find(base, &key), find(new, &key)) {
            (Some(old), Some(new)) => {
                target.versions = Some(Versions {
                    base: side(old, "base")?,
                    new: side(new, "new")?,
                    control: Some(side(old, "copy")?),
                });
                target.linked = Some([old.binary.clone(), new.binary.clone()]);
            }
            (Some(old), None) => target.base_only = Some(side(old, "base")?),
            (None, Some(new)) => target.new_only = Some(side(new, "new")?),
            (None, None) => {}
        }
        targets.push(target);
    }
    Ok(targets)
}

/// A copy of a program of a bench target, with the surroundings that cargo gives to benches.
fn copied(bench: &Bench, to: &Path) -> Result<Program> {
    fs::copy(&bench.binary, to).map_err(at("copy", &bench.binary))?;
    let program = Program {
        folder: Some(bench.folder.clone()),
        ..Program::of(to).with_launcher_of_environment()
    };
    Ok(program.with_variable("CARGO_MANIFEST_DIR", bench.folder.as_os_str()))
}
