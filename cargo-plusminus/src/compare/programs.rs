//! Puts the bench targets of both sides together, with copies of their programs where nothing overwrites them.

use std::{collections::BTreeSet, env, fs, path::Path};

use plusminus::engine::{Pair, Program};

use super::{
    arguments::Layout,
    build::{self, Bench},
    sides::{BuiltSide, Target, Work},
};
use crate::{
    error::{Result, at},
    progress::Progress,
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
pub(super) fn targets(
    work: &Work<'_>,
    base: &BuiltSide,
    new: &BuiltSide,
    copies: &Path,
    progress: &mut Progress,
) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for (index, (key, name)) in names(base, new).into_iter().enumerate() {
        let side = |bench: &Bench, role: &str| {
            copied(bench, &copies.join(format!("{index}-{role}{}", env::consts::EXE_SUFFIX)))
        };
        let mut target =
            Target { name, versions: Vec::new(), control: None, base_only: None, new_only: None };
        match (find(base, &key), find(new, &key)) {
            (Some(old), Some(new_bench)) => {
                target.control = Some(side(old, "copy")?);
                target.versions =
                    vec![Pair { base: side(old, "base")?, new: side(new_bench, "new")? }];
                if work.arguments.build.layout == Layout::Shuffle {
                    let index = &index.to_string();
                    target.versions =
                        layouts(work, (base, old), (new, new_bench), index, copies, progress)?;
                }
            }
            (Some(old), None) => target.base_only = Some(side(old, "base")?),
            (None, Some(new)) => target.new_only = Some(side(new, "new")?),
            (None, None) => {}
        }
        targets.push(target);
    }
    Ok(targets)
}

/// Both sides, linked again and again with their sections in another order.
fn layouts(
    work: &Work<'_>,
    base: (&BuiltSide, &Bench),
    new: (&BuiltSide, &Bench),
    name: &str,
    copies: &Path,
    progress: &mut Progress,
) -> Result<Vec<Pair>> {
    let mut versions = Vec::new();
    for layout in 0..u32::from(work.arguments.build.layouts) {
        progress.show(&format!("linking layout {} of both sides", layout + 1));
        let side = |(side, bench): (&BuiltSide, &Bench), role: &str, seed: u32| {
            let source = side.placed.source(&work.repository.top, &side.relinked);
            let options = &work.arguments.build;
            let linked = build::relink(&source, work.toolchain, options, bench, seed)?;
            copied(&linked, &copies.join(format!("{name}-{role}-{layout}")))
        };
        // Seeds differ between the sides: one order for both would be one layout, not two.
        let version = Pair {
            base: side(base, "base", 2 * layout + 1)?,
            new: side(new, "new", 2 * layout + 2)?,
        };
        versions.push(version);
    }
    Ok(versions)
}

/// A copy of a program, with the surroundings that cargo gives to benches.
fn copied(bench: &Bench, to: &Path) -> Result<Program> {
    fs::copy(&bench.binary, to).map_err(at("copy", &bench.binary))?;
    let program = Program { folder: Some(bench.folder.clone()), ..Program::of(to) };
    Ok(program.with_variable("CARGO_MANIFEST_DIR", bench.folder.as_os_str()))
}
