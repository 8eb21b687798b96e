//! Puts the bench targets of both sides together, with copies of their programs where nothing overwrites them.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use plusminus::engine::{Program, Versions};
use plusminus_same_code::{Code, compare_whole};

use super::{
    beside,
    build::{Bench, Built},
    generated::{self, Side},
    inputs::Inputs,
    looking::Looked,
    work::BuiltSide,
};
use crate::{
    error::{Result, at},
    report,
};

/// A bench target of either side.
pub(super) struct Target {
    pub(super) name: String,
    /// The package and the bench target; `None` for two programs as they are.
    pub(super) key: Option<Key>,
    pub(super) programs: Programs,
}

/// The programs of a bench target.
pub(super) enum Programs {
    Both(Box<Both>),
    Base(Program),
    New(Program),
}

/// A bench target that both sides have.
pub(super) struct Both {
    pub(super) versions: Versions,
    /// The folder in which cargo has put the programs, with the recipe of their linking; `None` if they were built
    /// already.
    pub(super) linked: Option<[PathBuf; 2]>,
    /// A difference between the sides besides their code.
    pub(super) changed: Option<Changed>,
}

/// A file, program, variable or runner that differs between the sides, and a benchmark may notice while it runs.
pub(super) struct Changed {
    what: String,
    /// Why identical code may not take the same time.
    pub(super) why: String,
}

impl Changed {
    fn of(inputs: &Inputs<'_>, sides: [Side<'_>; 2]) -> Result<Option<Self>> {
        let (what, why) = if let Some(file) = read_by(inputs, sides)? {
            let why = format!("{file} changed, which a benchmark may read while it runs");
            (file, why)
        } else if let Some(name) = beside::changed_program(sides)? {
            let of_package = format!("the program `{name}` of the package");
            (name, format!("{of_package} changed, which a benchmark may start"))
        } else if let Some(file) = generated::changed(sides)? {
            let writes = format!("a build script writes another {file}");
            (file, format!("{writes}, which a benchmark may read while it runs"))
        } else if let Some(what) = beside::changed_setting(sides)? {
            let why = format!("cargo sets another {what}, with which benchmarks run");
            (what, why)
        } else {
            return Ok(None);
        };
        Ok(Some(Self { what, why }))
    }
}

/// Compares the bench targets of other harnesses that new has, each as a whole.
pub(super) fn others(
    base: &BuiltSide,
    new: &BuiltSide,
    inputs: &Inputs<'_>,
) -> Result<Vec<Looked>> {
    let folders = [base.folders(), new.folders()];
    let program = |bench: &Bench| fs::read(&bench.binary).map_err(at("read", &bench.binary));
    let mut others = Vec::new();
    for bench in &new.built.others {
        let old = base.built.others.iter().find(|old| key(old) == key(bench));
        let code = match old {
            None => None,
            Some(old) => {
                let code = compare_whole(&program(old)?, &program(bench)?, &folders);
                let built = [(old, &base.built, &folders[0]), (bench, &new.built, &folders[1])];
                Some(match Changed::of(inputs, built)? {
                    Some(Changed { what, .. }) if code == Code::Identical => Code::Unknown(
                        format!("{what} changed, which a benchmark may read or start"),
                    ),
                    _ => code,
                })
            }
        };
        let (package, target) = key(bench);
        others.push(Looked { package, target, benchmark: None, code });
    }
    Ok(others)
}

/// The name of a bench target, for people and for finding it on the other side.
pub(super) type Key = (String, String);

pub(super) fn key(bench: &Bench) -> Key {
    (bench.package.clone(), bench.target.clone())
}

pub(super) fn find<'a>(side: &'a BuiltSide, wanted: &Key) -> Option<&'a Bench> {
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

pub(super) fn places(base: &BuiltSide, new: &BuiltSide) -> Vec<report::Program> {
    let place = |side: &BuiltSide, key: &Key| {
        find(side, key).map(|bench| bench.binary.display().to_string())
    };
    names(base, new)
        .into_iter()
        .map(|(key, target)| report::Program {
            base: place(base, &key),
            new: place(new, &key),
            package: key.0,
            target,
        })
        .collect()
}

/// Copies of all programs in the folder `copies`, by bench target.
pub(super) fn targets(
    base: &BuiltSide,
    new: &BuiltSide,
    inputs: &Inputs<'_>,
    copies: &Path,
) -> Result<Vec<Target>> {
    let folders = [base.folders(), new.folders()];
    let mut targets = Vec::new();
    for (index, (key, name)) in names(base, new).into_iter().enumerate() {
        // Names of one length, as a program finds its path in its memory.
        let side = |bench: &Bench, side: &BuiltSide, role: &str| {
            copied(bench, &side.built, &copies.join(format!("{index}{role}")))
        };
        let programs = match (find(base, &key), find(new, &key)) {
            (Some(of_base), Some(of_new)) => {
                let built =
                    [(of_base, &base.built, &folders[0]), (of_new, &new.built, &folders[1])];
                Programs::Both(Box::new(Both {
                    versions: Versions {
                        base: side(of_base, base, "b")?,
                        new: side(of_new, new, "n")?,
                        control: Some(side(of_base, base, "c")?),
                    },
                    linked: Some([of_base.binary.clone(), of_new.binary.clone()]),
                    changed: Changed::of(inputs, built)?,
                }))
            }
            (Some(of_base), None) => Programs::Base(side(of_base, base, "b")?),
            (None, Some(of_new)) => Programs::New(side(of_new, new, "n")?),
            (None, None) => continue,
        };
        targets.push(Target { name, key: Some(key), programs });
    }
    Ok(targets)
}

/// Returns a file in which the versions differ and which a bench program of either side may read, or one that it starts.
fn read_by(inputs: &Inputs<'_>, sides: [Side<'_>; 2]) -> Result<Option<String>> {
    let (mut programs, mut variables): (Vec<&Path>, Vec<(String, String)>) = Default::default();
    for (bench, built, _) in sides {
        programs.push(&bench.binary);
        programs.extend(beside::own(bench, built).map(|program| program.path.as_path()));
        let own = built.scripts.iter().filter(|script| script.package == bench.package);
        variables.extend(own.flat_map(|script| {
            let output = script.output.to_string_lossy();
            let apart = |(_, value): &&(String, String)| !value.contains(&*output);
            script.variables.iter().filter(apart).cloned().collect::<Vec<_>>()
        }));
        let text = |value: &std::ffi::OsString| value.to_string_lossy().into_owned();
        variables.extend(built.variables.iter().map(|(name, value)| (name.clone(), text(value))));
        // A runner reads files whether or not the program asks for them.
        variables.extend(built.runner.iter().map(|word| (String::new(), text(word))));
    }
    inputs.read_by(&programs, &variables)
}

/// Returns a copy of a program of a bench target, with the surroundings that cargo gives to benchmarks. It lies in a
/// folder `deps` like cargo's, so that it finds the programs of its package.
fn copied(bench: &Bench, built: &Built, folder: &Path) -> Result<Program> {
    let to = folder.join("deps").join(format!("bench{}", env::consts::EXE_SUFFIX));
    fs::create_dir_all(folder.join("deps")).map_err(at("create", folder))?;
    fs::copy(&bench.binary, &to).map_err(at("copy", &bench.binary))?;
    beside::place(bench, built, folder)?;
    let mut program = Program {
        folder: Some(bench.folder.clone()),
        runner: built.runner.clone(),
        ..Program::of(&to).with_launcher_of_environment()
    };
    for (name, value) in beside::variables(bench, built, folder)? {
        program = program.with_variable(&name, value);
    }
    let manifest = bench.folder.join("Cargo.toml");
    Ok(program
        .with_variable("CARGO_MANIFEST_DIR", bench.folder.as_os_str())
        .with_variable("CARGO_MANIFEST_PATH", manifest.as_os_str()))
}
