//! Files that a program finds around itself when cargo starts it: folders of shared libraries, and the programs of
//! its package.

use std::{
    cell::LazyCell,
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{
    build::{Bench, Built},
    generated::{OUTPUT, Side, placeless},
    outside::lexical,
    texts::{Texts, loaded},
};
use crate::error::{Error, Result, at};

/// The variable that lists the folders in which the system looks for shared libraries.
const LIBRARIES: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// How variables begin that name a program of the package.
const PROGRAM: &str = "CARGO_BIN_EXE_";

#[derive(Debug, Clone, PartialEq)]
pub(super) struct OwnProgram {
    pub(super) package: String,
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// The variables with which cargo would start a bench program of a side, once its package's programs lie in `folder`.
pub(super) fn variables(
    bench: &Bench,
    built: &Built,
    folder: &Path,
) -> Result<Vec<(String, OsString)>> {
    let inherited = env::var_os(LIBRARIES).unwrap_or_default();
    let inherited: Vec<PathBuf> = env::split_paths(&inherited).collect();
    let folders = libraries(&built.linked, &bench.binary, &built.toolchain, &inherited);
    let joined = env::join_paths(folders)
        .map_err(|reason| Error::Message(format!("{LIBRARIES} cannot be set: {reason}")))?;
    let mut variables = vec![(LIBRARIES.to_owned(), joined)];
    variables.extend(bench.variables.iter().map(|(name, value)| (name.clone(), value.into())));
    for program in own(bench, built) {
        let path = folder.join(file_name(&program.name));
        variables.push((format!("{PROGRAM}{}", program.name), path.into_os_string()));
    }
    for script in built.scripts.iter().filter(|script| script.package == bench.package) {
        variables.push((OUTPUT.to_owned(), script.output.clone().into_os_string()));
        let set = script.variables.iter();
        variables.extend(set.map(|(name, value)| (name.clone(), OsString::from(value))));
    }
    variables.extend(built.variables.clone());
    Ok(variables)
}

/// Returns what cargo sets otherwise for a bench program of the other side: its runner, or a variable of its configuration. The
/// working folder counts if a program may leave it, and a variable about the package if a program has its name.
pub(super) fn changed_setting(sides: [Side<'_>; 2]) -> Result<Option<String>> {
    let texts = texts(sides);
    let [base, new] = sides.map(|(bench, built, folders)| {
        let here = |text: &OsString| placeless(text.as_encoded_bytes(), folders);
        let configured = built.variables.iter().map(|(name, value)| (name, here(value)));
        let about = bench.variables.iter().map(|(name, value)| (name, value.clone().into_bytes()));
        let runner: Vec<_> = built.runner.iter().map(here).collect();
        let folder = within(&bench.folder, &folders.top);
        (runner, configured.collect::<BTreeMap<_, _>>(), about.collect::<BTreeMap<_, _>>(), folder)
    });
    if base.0 != new.0 {
        return Ok(Some("runner".to_owned()));
    }
    if base.3 != new.3 && texts.as_ref().map_err(Error::clone)?.iter().any(|one| one.has("../")) {
        return Ok(Some("working folder".to_owned()));
    }
    let mut configured = base.1.keys().chain(new.1.keys());
    if let Some(name) = configured.find(|name| base.1.get(*name) != new.1.get(*name)) {
        return Ok(Some(format!("variable {name}")));
    }
    let about = base.2.keys().chain(new.2.keys());
    for name in about.filter(|name| base.2.get(*name) != new.2.get(*name)) {
        if texts.as_ref().map_err(Error::clone)?.iter().any(|one| one.has(name)) {
            return Ok(Some(format!("variable {name}")));
        }
    }
    Ok(None)
}

/// The folder of a package as seen from the top of its side, however both are spelled.
fn within(folder: &Path, top: &Path) -> PathBuf {
    let plain = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| lexical(path));
    let folder = plain(folder);
    folder.strip_prefix(plain(top)).map(Path::to_owned).unwrap_or(folder)
}

/// The texts of both bench programs, which are read when they are asked for.
fn texts(
    sides: [Side<'_>; 2],
) -> LazyCell<Result<Vec<Texts>>, impl FnOnce() -> Result<Vec<Texts>>> {
    LazyCell::new(move || sides.iter().map(|(bench, ..)| Texts::of(&bench.binary)).collect())
}

/// Puts the programs of a bench target's package into a folder, as links where the system has them.
pub(super) fn place(bench: &Bench, built: &Built, folder: &Path) -> Result<()> {
    for program in own(bench, built) {
        let to = folder.join(file_name(&program.name));
        #[cfg(unix)]
        let placed = std::os::unix::fs::symlink(&program.path, &to);
        #[cfg(not(unix))]
        let placed = fs::copy(&program.path, &to).map(drop);
        placed.map_err(at("create", &to))?;
    }
    Ok(())
}

fn file_name(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}

/// The programs of the package of a bench target.
pub(super) fn own<'a>(bench: &'a Bench, built: &'a Built) -> impl Iterator<Item = &'a OwnProgram> {
    built.programs.iter().filter(|program| program.package == bench.package)
}

/// Returns the folders of libraries in cargo's order: folders of build scripts within the target folder, the two in
/// which cargo puts its products, that of the toolchain, and the previous ones.
fn libraries(
    linked: &BTreeSet<PathBuf>,
    binary: &Path,
    toolchain: &Path,
    inherited: &[PathBuf],
) -> Vec<PathBuf> {
    let dependencies = binary.parent().unwrap_or(binary);
    let root = dependencies.parent().unwrap_or(dependencies);
    let plain = |path: &PathBuf| {
        let kinds = ["native=", "crate=", "dependency=", "framework=", "all="];
        let text = path.to_str();
        let rest = text.and_then(|text| kinds.iter().find_map(|kind| text.strip_prefix(kind)));
        rest.map_or_else(|| path.clone(), PathBuf::from)
    };
    let mut folders: Vec<PathBuf> =
        linked.iter().map(plain).filter(|folder| folder.starts_with(root)).collect();
    folders.extend([dependencies.to_owned(), root.to_owned(), toolchain.to_owned()]);
    if !inherited.starts_with(&folders) {
        folders.extend(inherited.iter().filter(|folder| !folder.as_os_str().is_empty()).cloned());
    }
    folders
}

/// Returns a program of the package that differs between the sides and that a bench program mentions: its name, or the
/// variables that name programs, occur in the file of either side. Without a name, a benchmark cannot start it.
pub(super) fn changed_program(sides: [Side<'_>; 2]) -> Result<Option<String>> {
    let [base, new] = sides;
    let names: BTreeSet<&String> =
        own(base.0, base.1).chain(own(new.0, new.1)).map(|program| &program.name).collect();
    let texts = texts(sides);
    for name in names {
        let file = |(bench, built, _): Side<'_>| {
            let program = own(bench, built).find(|program| program.name == *name);
            let path = program.map(|program| &program.path);
            path.map(|path| fs::read(path).map_err(at("read", path))).transpose()
        };
        let same = match (file(base)?, file(new)?) {
            (Some(base), Some(new)) => {
                base == new || loaded(&base).is_some_and(|base| loaded(&new) == Some(base))
            }
            _ => false,
        };
        if same {
            continue;
        }
        let mentioned = |texts: &Texts| texts.has(PROGRAM) || texts.has_program(name);
        if texts.as_ref().map_err(Error::clone)?.iter().any(mentioned) {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use plusminus_same_code::BuildFolders;

    use super::*;

    #[test]
    fn folders_of_libraries_are_in_the_order_of_cargo() {
        let linked =
            ["native=/t/release/build/b-1/out", "/t/release/build/a-1/out", "native=/usr/lib"];
        let linked: BTreeSet<PathBuf> = linked.iter().map(PathBuf::from).collect();
        let folders = |inherited: &[PathBuf]| {
            let binary = Path::new("/t/release/deps/speed-1");
            libraries(&linked, binary, Path::new("/toolchain/lib"), inherited)
        };
        let own = [
            "/t/release/build/a-1/out",
            "/t/release/build/b-1/out",
            "/t/release/deps",
            "/t/release",
            "/toolchain/lib",
        ];
        let own = own.map(PathBuf::from);
        assert_eq!(folders(&[]), own);
        assert_eq!(folders(&["/mine".into()])[5..], [PathBuf::from("/mine")]);
        // An outer cargo has set the same ones already.
        assert_eq!(folders(&own), own);
    }

    #[test]
    fn a_package_has_the_same_folder_however_that_is_spelled() {
        let within = |folder: &str, top: &str| within(Path::new(folder), Path::new(top));
        assert_eq!(within("/no/base/own", "/no/base"), Path::new("own"));
        assert_eq!(within("/no/new/own", "/no/other/../new"), Path::new("own"));
        assert_eq!(within("/elsewhere", "/no/new"), Path::new("/elsewhere"));
    }

    #[test]
    fn a_changed_program_counts_for_benches_that_mention_it() {
        let folder = tempfile::tempdir().unwrap();
        let side = |role: &str, program: &str, bench: &str| {
            let file = |name: &str, text: &str| {
                let path = folder.path().join(format!("{role}-{name}"));
                fs::write(&path, text).unwrap();
                path
            };
            let bench = Bench::for_test("own", file("bench", bench));
            let path = file("tool", program);
            let program = OwnProgram { package: "own".to_owned(), name: "tool".to_owned(), path };
            (bench, Built { programs: vec![program], ..Built::default() })
        };
        let found = |programs: [&str; 2], benches: [&str; 2]| {
            let base = side("base", programs[0], benches[0]);
            let new = side("new", programs[1], benches[1]);
            let folders = BuildFolders::default();
            changed_program([(&base.0, &base.1, &folders), (&new.0, &new.1, &folders)]).unwrap()
        };
        assert_eq!(found(["1", "1"], ["starts tool", "starts tool"]), None);
        assert_eq!(found(["1", "2"], ["starts nothing", "starts nothing"]), None);
        assert_eq!(found(["1", "2"], ["starts nothing", "starts tool"]), Some("tool".to_owned()));
        let by_variable = found(["1", "2"], ["CARGO_BIN_EXE_", "starts nothing"]);
        assert_eq!(by_variable, Some("tool".to_owned()));
    }
}
