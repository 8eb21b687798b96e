//! Builds the bench targets of a side with cargo. Both sides have the same toolchain, profile and flags.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    arguments::Build,
    beside::OwnProgram,
    command, lockfile,
    messages::{self, Message},
    place::Placed,
    slot::Slot,
    targets,
    toolchain::Toolchain,
};
use crate::{
    cargo::{
        self,
        configuration::{self, Settings},
        variables,
    },
    error::{Error, Result, at, error},
    relink::Recipe,
    wrapper,
};

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Bench {
    pub(super) package: String,
    pub(super) target: String,
    pub(super) binary: PathBuf,
    /// The folder of the package, in which cargo runs benches.
    pub(super) folder: PathBuf,
    /// The variables about its package.
    pub(super) variables: Vec<(String, String)>,
    pub(super) fresh: bool,
}

#[cfg(test)]
impl Bench {
    pub(super) fn for_test(package: &str, binary: PathBuf) -> Self {
        Self { package: package.to_owned(), target: "speed".to_owned(), binary, ..Self::default() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// Its registry or repository; `None` for a path dependency.
    pub(super) source: Option<String>,
    pub(super) folder: PathBuf,
}

/// A build script that has run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Script {
    pub(super) package: String,
    pub(super) output: PathBuf,
    /// The variables that it sets for the package, with their values.
    pub(super) variables: Vec<(String, String)>,
}

#[derive(Debug, Default)]
pub(super) struct Built {
    /// Programs with our harness.
    pub(super) benches: Vec<Bench>,
    /// Programs with a different harness.
    pub(super) others: Vec<Bench>,
    /// Bench targets whose required features are off, and those features.
    pub(super) off: Vec<(String, Vec<String>)>,
    /// The packages with bench targets, if cargo builds none of them for the options.
    pub(super) elsewhere: BTreeSet<String>,
    pub(super) packages: BTreeSet<Package>,
    /// The library folders that build scripts print, with their kind in front.
    pub(super) linked: BTreeSet<PathBuf>,
    pub(super) scripts: BTreeSet<Script>,
    pub(super) programs: Vec<OwnProgram>,
    pub(super) toolchain: PathBuf,
    /// Cargo's runner with its arguments; empty if none is configured.
    pub(super) runner: Vec<OsString>,
    /// The variables that cargo would set for benchmarks, but for those of the harness.
    pub(super) variables: BTreeMap<String, OsString>,
}

/// Builds the bench targets of a side. Cargo decides which are up to date. A program that was replaced since, or whose
/// link command is not known, is built again.
pub(super) fn build(
    side: &Placed,
    toolchain: &Toolchain,
    options: &Build,
    slot: &Slot,
    quiet: bool,
) -> Result<Built> {
    let metadata = &side.metadata;
    let wanted = targets::wanted(metadata, &side.manifest, options);
    let (off, elsewhere) = (wanted.off, wanted.elsewhere);
    if wanted.names.is_empty() {
        return Ok(Built { off, elsewhere, ..Built::default() });
    }
    let settings = toolchain.settings(side)?;
    let run = || -> Result<Built> {
        let mut command = toolchain.cargo("bench", &side.top, &side.manifest);
        keep_code(&mut command, &slot.target, &settings, options)?;
        command.args(["--no-run", "--message-format=json-render-diagnostics"]);
        select(&mut command, &slot.target, options, quiet);
        command.args(wanted.names.iter().map(|name| format!("--bench={name}")));
        let output = command::guarded(&command, !quiet, None)?;
        if !output.status.success() {
            let said = command::said(&output);
            return error(format!("{} does not build{said}", side.name));
        }
        read_messages(&output.stdout)
    };
    let mut said = run()?;
    let mut damaged = false;
    for bench in said.benches.iter().filter(|bench| bench.fresh) {
        let relinks = Recipe::is_kept(&bench.binary) || !wrapper::speaks(&bench.binary)?;
        if !relinks || !slot.is_whole(&bench.binary)? {
            fs::remove_file(&bench.binary).map_err(at("remove", &bench.binary))?;
            damaged = true;
        }
    }
    if damaged {
        said = run()?;
    }
    let lock = lockfile::read(&metadata.workspace_root)?.unwrap_or_default();
    let sources = lockfile::sources(&lock)?;
    let packages = said.packages.into_iter().map(|package| located(package, &sources)).collect();
    let benches = std::mem::take(&mut said.benches);
    let mut built = Built { off, elsewhere, packages, ..said };
    if let Some(bench) = benches.first() {
        let target = target_of(&bench.binary, &slot.target);
        built.toolchain = toolchain.libraries(target)?;
        built.runner = toolchain.runner(target, &settings)?;
        built.variables = variables::of(&settings);
        built.variables.retain(|name, _| !name.starts_with(variables::OWN));
    }
    for mut bench in benches {
        let is_own = |package: &&cargo::Package| {
            package.manifest_path.parent() == Some(bench.folder.as_path())
        };
        let package = metadata.packages.iter().find(is_own);
        bench.variables = package.map(cargo::Package::variables).unwrap_or_default();
        let is_ours = wrapper::speaks(&bench.binary)?;
        if is_ours { &mut built.benches } else { &mut built.others }.push(bench);
    }
    Ok(built)
}

/// Returns the target triple in a program's path; `None` if cargo built for the host.
fn target_of<'a>(program: &'a Path, folder: &Path) -> Option<&'a str> {
    let parts = program.strip_prefix(folder).ok()?.iter().map(|part| part.to_str());
    let parts: Vec<&str> = parts.collect::<Option<_>>()?;
    // TARGET/PROFILE/deps/PROGRAM
    if let [target, _, _, _] = parts[..] { Some(target) } else { None }
}

/// Returns a package with its source from the lock file, which contains the commit of a git dependency.
fn located(package: Package, sources: &BTreeMap<(String, String), String>) -> Package {
    let key = (package.name.clone(), package.version.clone());
    let locked = sources.get(&key).filter(|_| package.source.is_some());
    Package { source: locked.cloned().or(package.source), ..package }
}

/// Sets the layout of the programs, and makes the linker wrapper keep its input in them.
fn keep_code(
    command: &mut Command,
    target: &Path,
    settings: &Settings,
    options: &Build,
) -> Result<()> {
    let outer = configuration::wrapper(settings);
    if options.with_types {
        let profile = options.profile.as_deref().unwrap_or("bench");
        let profile = profile.to_uppercase().replace('-', "_");
        command.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "full");
        command.env(format!("CARGO_PROFILE_{profile}_STRIP"), "none");
    }
    wrapper::wrap(command, options.layout().flags(), &target.join("linkers"), outer.as_deref())
}

/// Passes the user's selection to cargo. Each value follows its option in the same argument (`--package=VALUE`), so
/// that no value can become an option.
fn select(command: &mut Command, target: &Path, options: &Build, quiet: bool) {
    let mut with = |option: &str, values: &[String]| {
        command.args(values.iter().map(|value| format!("{option}={value}")));
    };
    with("--package", &options.package);
    with("--exclude", &options.exclude);
    with("--features", &options.features);
    with("--profile", options.profile.as_slice());
    let flags = [
        ("--workspace", options.workspace),
        ("--all-features", options.all_features),
        ("--no-default-features", options.no_default_features),
        ("--locked", options.locked),
        ("--offline", options.offline),
        ("--quiet", quiet),
        // Our message has that of cargo in it then.
        ("--color=never", quiet),
    ];
    command.args(flags.iter().filter(|(_, on)| *on).map(|(flag, _)| flag));
    command.arg("--target-dir").arg(target);
}

/// The parts of cargo's messages that a build needs.
fn read_messages(lines: &[u8]) -> Result<Built> {
    let mut said = Built::default();
    for message in messages::parse(lines) {
        let message = message.map_err(|reason| {
            Error::Message(format!("cargo's messages are not understood: {reason}"))
        })?;
        match message {
            Message::Script { package_id, linked_paths, out_dir: output, env: variables } => {
                said.linked.extend(linked_paths);
                let package = package(&package_id, Path::new("")).name;
                said.scripts.insert(Script { package, output, variables });
            }
            Message::Artifact { package_id, target, manifest_path, executable, fresh } => {
                let folder = manifest_path.parent().unwrap_or(&manifest_path);
                let package = package(&package_id, folder);
                let (own, is_bench) = (package.name.clone(), target.is("bench"));
                match executable {
                    Some(binary) if is_bench => said.benches.push(Bench {
                        package: own,
                        target: target.name,
                        binary,
                        folder: folder.to_owned(),
                        variables: Vec::new(),
                        fresh,
                    }),
                    Some(path) if target.is("bin") => {
                        said.programs.push(OwnProgram { package: own, name: target.name, path });
                    }
                    _ => {}
                }
                said.packages.insert(package);
            }
            Message::Other => {}
        }
    }
    Ok(said)
}

/// Returns the package of an id such as `path+file:///a/b#name@0.1.0` or `path+file:///a/name#0.1.0`.
fn package(id: &str, folder: &Path) -> Package {
    let (location, fragment) = id.rsplit_once('#').unwrap_or(("", id));
    let address = location.split('?').next().unwrap_or(location).trim_end_matches('/');
    let last = || address.rsplit('/').next().unwrap_or(address);
    let (name, version) =
        fragment.rsplit_once('@').unwrap_or_else(|| (last().trim_end_matches(".git"), fragment));
    Package {
        name: name.to_owned(),
        version: version.to_owned(),
        source: (!location.starts_with("path+")).then(|| location.to_owned()),
        folder: folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_read_from_the_place_of_the_program() {
        let of = |path| target_of(Path::new(path), Path::new("/t"));
        assert_eq!(of("/t/release/deps/speed-1"), None);
        assert_eq!(
            of("/t/aarch64-unknown-linux-gnu/release/deps/speed-1"),
            Some("aarch64-unknown-linux-gnu")
        );
    }

    #[test]
    fn package_ids_name_their_package() {
        let of = |id: &str| {
            let package = package(id, Path::new("/x"));
            (package.name, package.version, package.source.is_some())
        };
        let own = ("name".to_owned(), "0.1.0".to_owned(), false);
        assert_eq!(of("path+file:///a/b#name@0.1.0"), own);
        assert_eq!(of("path+file:///a/name#0.1.0"), own);
        assert_eq!(of("path+file:///a%20b/name#0.1.0-alpha").1, "0.1.0-alpha");
        let published = ("name".to_owned(), "0.1.0".to_owned(), true);
        assert_eq!(of("registry+https://example.org/index#name@0.1.0"), published);
        assert_eq!(of("git+https://example.org/name.git?branch=main#0.1.0"), published);
    }
}
