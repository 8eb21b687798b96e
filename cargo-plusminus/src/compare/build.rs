//! Builds the bench targets of one side with cargo: same toolchain, profile and flags for both.

use std::{
    env,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus::engine::WORKER_FLAG;
use serde::{Deserialize, Serialize};

use super::{
    arguments::Build,
    command,
    messages::{self, Metadata},
};
use crate::{
    error::{Error, Result, at, error},
    same_code,
};

/// A built bench target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Bench {
    /// The package.
    pub(super) package: String,
    /// The bench target.
    pub(super) target: String,
    /// The program.
    pub(super) binary: PathBuf,
    /// The folder of the package, which is where cargo runs benches.
    pub(super) folder: PathBuf,
}

/// The compiler and cargo that build both sides: those of the folder that the user is in.
#[derive(Debug, Clone)]
pub(super) struct Toolchain {
    cargo: PathBuf,
    rustc: Option<PathBuf>,
    /// What the compiler says of itself.
    pub(super) version: String,
}

impl Toolchain {
    /// Finds it once, so that a `rust-toolchain.toml` of either side changes nothing for the other.
    pub(super) fn here() -> Result<Self> {
        let rustc = env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
        let ask = |arguments: &[&str]| {
            let mut command = Command::new(&rustc);
            command.args(arguments);
            command::run(command, false)
        };
        let sysroot = ask(&["--print", "sysroot"])?;
        let folder = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim()).join("bin");
        let there = |name: &str| {
            let file = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            file.is_file().then_some(file)
        };
        let version = ask(&["-vV"])?;
        let cargo = env::var_os("CARGO").map(PathBuf::from).or_else(|| there("cargo"));
        Ok(Self {
            cargo: cargo.unwrap_or_else(|| PathBuf::from("cargo")),
            rustc: if env::var_os("RUSTC").is_some() { None } else { there("rustc") },
            version: String::from_utf8_lossy(&version.stdout).into_owned(),
        })
    }

    /// Cargo for one side. `top` is the top of its tree, `root` that of the user's repository.
    ///
    /// Cargo reads configuration from the folders above the one it runs in, and a tree of base lies within the
    /// user's: it would get the configuration of both. So it runs above the repository, and is handed the tree's own
    /// files.
    fn cargo(&self, subcommand: &str, root: &Path, top: &Path, manifest: &Path) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(root.parent().unwrap_or(root)).arg(subcommand);
        if let Some(rustc) = &self.rustc {
            command.env("RUSTC", rustc);
        }
        for file in configurations(top, manifest) {
            command.arg("--config").arg(file);
        }
        command.arg("--manifest-path").arg(manifest);
        command
    }

    /// What cargo knows of the workspace of a manifest.
    pub(super) fn metadata(&self, root: &Path, top: &Path, manifest: &Path) -> Result<Metadata> {
        let mut command = self.cargo("metadata", root, top, manifest);
        command.args(["--format-version=1", "--no-deps"]);
        let output = command::run(command, false)?;
        if !output.status.success() {
            return error(format!(
                "cargo cannot read {}:\n{}",
                manifest.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            ));
        }
        serde_json::from_slice(&output.stdout).map_err(|reason| {
            Error::Message(format!("cargo's metadata is not understood: {reason}"))
        })
    }
}

/// The configuration files of a tree that count for a manifest, those of outer folders first.
fn configurations(top: &Path, manifest: &Path) -> Vec<PathBuf> {
    let folders = manifest.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
    let mut files: Vec<PathBuf> = folders
        .filter_map(|folder| {
            let folder = folder.join(".cargo");
            ["config.toml", "config"].iter().map(|name| folder.join(name)).find(|f| f.is_file())
        })
        .collect();
    files.reverse();
    files
}

/// One side to be built.
pub(super) struct Source<'a> {
    /// How it is called in messages.
    pub(super) name: &'a str,
    /// The top of the user's work tree.
    pub(super) root: &'a Path,
    /// The top of this side's tree.
    pub(super) top: &'a Path,
    /// The manifest in it.
    pub(super) manifest: &'a Path,
    /// Where cargo builds; `None` for the user's own target directory.
    pub(super) target: Option<&'a Path>,
}

/// Builds the bench targets of a side; those without our harness are left out.
pub(super) fn build(
    source: &Source<'_>,
    toolchain: &Toolchain,
    options: &Build,
    quiet: bool,
) -> Result<Vec<Bench>> {
    if !source.manifest.is_file() {
        return error(format!(
            "{} has no {}",
            source.name,
            source.manifest.strip_prefix(source.top).unwrap_or(source.manifest).display()
        ));
    }
    let wanted = existing(source, toolchain, options)?;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = toolchain.cargo("bench", source.root, source.top, source.manifest);
    keep_code(&mut command, source, options)?;
    command.args(["--no-run", "--message-format=json-render-diagnostics"]);
    select(&mut command, source, options, quiet);
    for name in wanted {
        command.arg("--bench").arg(name);
    }
    let output = command::run(command, true)?;
    if !output.status.success() {
        return error(format!("{} does not build; cargo's message is above", source.name));
    }
    let mut found = Vec::new();
    for bench in benches(&output.stdout)? {
        if speaks(&bench.binary).map_err(at("read", &bench.binary))? {
            found.push(bench);
        }
    }
    Ok(found)
}

/// Has programs built in the wanted layout, and what the linker was given kept in them.
fn keep_code(command: &mut Command, source: &Source<'_>, options: &Build) -> Result<()> {
    let folder = source.target.map_or_else(env::temp_dir, Path::to_owned).join("linkers");
    same_code::wrap(command, options.layout.flags(), &folder)
        .map_err(at("find", Path::new("this program")))
}

/// Links one bench target of a side once more, with its sections shuffled by a seed.
pub(super) fn relink(
    source: &Source<'_>,
    toolchain: &Toolchain,
    options: &Build,
    bench: &Bench,
    seed: u32,
) -> Result<Bench> {
    let mut command = toolchain.cargo("rustc", source.root, source.top, source.manifest);
    keep_code(&mut command, source, options)?;
    command.arg("--message-format=json-render-diagnostics");
    let own = Build { package: Vec::new(), workspace: false, exclude: Vec::new(), ..copy(options) };
    select(&mut command, source, &own, true);
    if options.profile.is_none() {
        command.args(["--profile", "bench"]);
    }
    command.arg("--package").arg(&bench.package).arg("--bench").arg(&bench.target);
    command.arg("--").args(["-C", &format!("link-arg=-Wl,--shuffle-sections=*={seed}")]);
    let output = command::run(command, true)?;
    let again = benches(&output.stdout)?.into_iter().find(|again| again.target == bench.target);
    match again {
        Some(again) if output.status.success() => Ok(again),
        _ => error(format!(
            "{} cannot be linked with shuffled sections; cargo's message is above. `--layout shuffle` needs lld or \
             mold and an ELF system; without it the comparison is one of two binaries",
            source.name
        )),
    }
}

fn copy(options: &Build) -> Build {
    Build {
        features: options.features.clone(),
        profile: options.profile.clone(),
        all_features: options.all_features,
        no_default_features: options.no_default_features,
        locked: options.locked,
        offline: options.offline,
        layout: options.layout,
        ..Build::default()
    }
}

/// Hands the user's selection on to cargo. Every value is a separate argument after its option with `=`, so that
/// none can become an option.
fn select(command: &mut Command, source: &Source<'_>, options: &Build, quiet: bool) {
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
    ];
    command.args(flags.iter().filter(|(_, on)| *on).map(|(flag, _)| flag));
    if let Some(target) = source.target {
        command.arg("--target-dir").arg(target);
    }
}

/// The bench targets to build: all, or those of the wanted ones that this side has.
fn existing(source: &Source<'_>, toolchain: &Toolchain, options: &Build) -> Result<Vec<OsString>> {
    let metadata = toolchain.metadata(source.root, source.top, source.manifest)?;
    let names: Vec<String> = metadata
        .packages
        .iter()
        .flat_map(|package| &package.targets)
        .filter(|target| target.is_bench())
        .map(|target| target.name.clone())
        .collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    if options.bench.is_empty() {
        // Every bench target, but not the library, which cargo would build as a bench of its own.
        return Ok(vec![OsString::from("*")]);
    }
    let there = options.bench.iter().filter(|wanted| names.contains(wanted));
    Ok(there.map(OsString::from).collect())
}

/// The bench programs that cargo's messages name.
fn benches(lines: &[u8]) -> Result<Vec<Bench>> {
    let mut found = Vec::new();
    for message in messages::parse(lines) {
        let message = message.map_err(|reason| {
            Error::Message(format!("cargo's messages are not understood: {reason}"))
        })?;
        let Some(program) = message.program().filter(|program| program.target.is_bench()) else {
            continue;
        };
        found.push(Bench {
            package: package_name(&program.package_id),
            target: program.target.name,
            binary: program.binary,
            folder: program.manifest.parent().map(Path::to_owned).unwrap_or_default(),
        });
    }
    Ok(found)
}

/// The name in a package id such as `path+file:///a/b#name@0.1.0` or `path+file:///a/name#0.1.0`.
fn package_name(id: &str) -> String {
    let (location, fragment) = id.rsplit_once('#').unwrap_or(("", id));
    match fragment.rsplit_once('@') {
        Some((name, _)) => name.to_owned(),
        None => location.rsplit('/').next().unwrap_or(location).to_owned(),
    }
}

/// Whether a program contains our harness: its private flag stands in it.
///
/// Other programs are not started to find out, as nobody knows what they would do.
pub(super) fn speaks(binary: &Path) -> io::Result<bool> {
    let bytes = fs::read(binary)?;
    let flag = WORKER_FLAG.as_bytes();
    Ok(bytes.windows(flag.len()).any(|window| window == flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_ids_name_their_package() {
        assert_eq!(package_name("path+file:///a/b#name@0.1.0"), "name");
        assert_eq!(package_name("path+file:///a/name#0.1.0"), "name");
        assert_eq!(package_name("path+file:///a%20b/name#0.1.0-alpha"), "name");
    }

    #[test]
    fn only_programs_with_the_harness_are_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        fs::write(&file, b"\x7fELF something else").unwrap();
        assert!(!speaks(&file).unwrap());
        fs::write(&file, format!("\0\0{WORKER_FLAG}\0")).unwrap();
        assert!(speaks(&file).unwrap());
    }

    #[test]
    fn configuration_of_a_tree_comes_from_the_tree_alone() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("outer/tree");
        fs::create_dir_all(tree.join("inner/.cargo")).unwrap();
        fs::create_dir_all(tree.join(".cargo")).unwrap();
        fs::create_dir_all(folder.path().join("outer/.cargo")).unwrap();
        for file in ["inner/.cargo/config.toml", ".cargo/config", "../.cargo/config.toml"] {
            fs::write(tree.join(file), "").unwrap();
        }
        assert_eq!(
            configurations(&tree, &tree.join("inner/Cargo.toml")),
            [tree.join(".cargo/config"), tree.join("inner/.cargo/config.toml")]
        );
    }
}
