//! Puts the bench targets of both sides together, with copies of their programs where nothing overwrites them.

use std::{collections::BTreeSet, env, fs, path::Path};

use plusminus::engine::{Pair, Program};

use super::{
    arguments::{Build, Layout},
    build::Bench,
    sides::{BuiltSide, Target},
};
use crate::{
    error::{Result, at, error},
    report,
    same_code::layout_of,
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
    options: &Build,
    base: &BuiltSide,
    new: &BuiltSide,
    copies: &Path,
) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for (index, (key, name)) in names(base, new).into_iter().enumerate() {
        let side = |bench: &Bench, role: &str| {
            let name = format!("{index}-{role}{}", env::consts::EXE_SUFFIX);
            copied(bench, &bench.binary, &copies.join(name))
        };
        let mut target =
            Target { name, versions: Vec::new(), control: None, base_only: None, new_only: None };
        match (find(base, &key), find(new, &key)) {
            (Some(old), Some(new_bench)) => {
                target.control = Some(side(old, "copy")?);
                target.versions =
                    vec![Pair { base: side(old, "base")?, new: side(new_bench, "new")? }];
                if options.layout == Layout::Shuffle {
                    target.versions = layouts(options, old, new_bench, &index.to_string(), copies)?;
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

/// Both sides in all layouts in which their sections were shuffled.
fn layouts(
    options: &Build,
    base: &Bench,
    new: &Bench,
    name: &str,
    copies: &Path,
) -> Result<Vec<Pair>> {
    let seeds = options.seeds(true).into_iter().zip(options.seeds(false));
    let layout = |(layout, (of_base, of_new)): (usize, (u32, u32))| {
        let side = |bench: &Bench, role: &str, seed: u32| {
            let linked = layout_of(&bench.binary, seed);
            if !linked.is_file() {
                return error(format!(
                    "{} cannot be linked with shuffled sections. `--layout shuffle` needs lld or mold and an ELF system; \
                     without it the comparison is one of two binaries",
                    bench.target
                ));
            }
            copied(bench, &linked, &copies.join(format!("{name}-{role}-{layout}")))
        };
        Ok(Pair { base: side(base, "base", of_base)?, new: side(new, "new", of_new)? })
    };
    seeds.enumerate().map(layout).collect()
}

/// A copy of a program of a bench target, with the surroundings that cargo gives to benches.
fn copied(bench: &Bench, program: &Path, to: &Path) -> Result<Program> {
    fs::copy(program, to).map_err(at("copy", program))?;
    let program = Program {
        folder: Some(bench.folder.clone()),
        ..Program::of(to).with_launcher_of_environment()
    };
    Ok(program.with_variable("CARGO_MANIFEST_DIR", bench.folder.as_os_str()))
}
