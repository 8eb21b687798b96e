//! The compiler and cargo that build both sides, and how cargo is started for either.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    command::{self, CHECK_OUT},
    git::complaint,
    place::Placed,
    runner,
};
use crate::{
    cargo::{
        Metadata,
        configuration::{self, Settings},
    },
    error::{Error, Result, error},
};

/// The compiler and cargo: those of the folder that the user is in.
#[derive(Debug, Clone)]
pub(super) struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    /// The top of the user's work tree.
    root: PathBuf,
}

/// Variables that both sides share, unless the user sets them: the seed of const-random, mostly for hash functions, and the time for
/// `__DATE__` of C. Otherwise the code of each side has another one.
const SAME: [(&str, &str); 2] =
    [("CONST_RANDOM_SEED", "plusminus"), ("SOURCE_DATE_EPOCH", "1500000000")];

impl Toolchain {
    /// Finds it once, so that a `rust-toolchain.toml` of either side changes nothing for the other.
    pub(super) fn here(root: &Path) -> Result<Self> {
        let folder = env::current_dir().unwrap_or_default();
        let settings = Settings::read(&configuration::files(&folder))?;
        let own = configuration::compiler(&settings).map(PathBuf::from);
        let rustc = own.clone().unwrap_or_else(|| PathBuf::from("rustc"));
        let folder = PathBuf::from(told(&rustc, &["--print", "sysroot"])?).join("bin");
        let there = |name: &str| {
            let file = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            file.is_file().then_some(file)
        };
        let cargo = env::var_os("CARGO").map(PathBuf::from).or_else(|| there("cargo"));
        Ok(Self {
            cargo: cargo.unwrap_or_else(|| PathBuf::from("cargo")),
            rustc: own.or_else(|| there("rustc")).unwrap_or(rustc),
            root: root.to_owned(),
        })
    }

    /// Cargo for one side. `top` is the top of its tree.
    ///
    /// Cargo reads configuration from the folders above the one it runs in, and a tree of base lies within the
    /// user's: it would get the configuration of both. So it runs above the repository, and is handed the tree's own
    /// files.
    pub(super) fn cargo(&self, subcommand: &str, top: &Path, manifest: &Path) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(self.above()).arg(subcommand);
        command.env("RUSTC", &self.rustc).envs(configuration::with_whole_paths());
        for (name, value) in SAME {
            command.env(name, env::var_os(name).unwrap_or_else(|| value.into()));
        }
        // Cargo would look for it in the folder that it runs in.
        let workspace_wrapper = "RUSTC_WORKSPACE_WRAPPER";
        let named = configuration::of_variable(workspace_wrapper);
        command.envs(named.map(|wrapper| (workspace_wrapper, wrapper)));
        let files = configuration::within(top, manifest.parent().unwrap_or(manifest));
        // Cargo's own message about a file that it cannot read is the better one.
        let settings = Settings::read(&files).unwrap_or_default();
        for file in files {
            command.arg("--config").arg(file);
        }
        for setting in settings.outranked(|name| env::var(name).ok()) {
            command.arg("--config").arg(setting);
        }
        command.arg("--manifest-path").arg(manifest);
        command
    }

    /// The folder above the user's repository.
    fn above(&self) -> &Path {
        self.root.parent().unwrap_or(&self.root)
    }

    /// The settings of cargo that count for a side: those above the user's repository, and then the tree's own.
    pub(super) fn settings(&self, side: &Placed) -> Result<Settings> {
        let mut files = configuration::files(self.above());
        let folder = side.manifest.parent().unwrap_or(&side.manifest);
        files.extend(configuration::within(&side.top, folder));
        Settings::read(&files)
    }

    /// Returns cargo's metadata of the workspace of a manifest, without its dependencies.
    pub(super) fn metadata(&self, top: &Path, manifest: &Path) -> Result<Metadata> {
        let mut command = self.cargo("metadata", top, manifest);
        command.args(["--format-version=1", "--no-deps"]);
        let output = command::ask(command, CHECK_OUT)?;
        if !output.status.success() {
            let (file, said) = (manifest.display(), complaint(&output));
            return error(format!("cargo cannot read {file}:\n{said}"));
        }
        serde_json::from_slice(&output.stdout).map_err(|reason| {
            Error::Message(format!("cargo's metadata is not understood: {reason}"))
        })
    }

    /// Asks the compiler about a target; `None` is the system's own.
    fn ask(&self, what: &[&str], target: Option<&str>) -> Result<String> {
        let target = target.iter().flat_map(|target| ["--target", target]);
        told(&self.rustc, &what.iter().copied().chain(target).collect::<Vec<_>>())
    }

    /// Returns the folder of the toolchain's shared libraries for a target.
    pub(super) fn libraries(&self, target: Option<&str>) -> Result<PathBuf> {
        self.ask(&["--print", "target-libdir"], target).map(PathBuf::from)
    }

    /// Returns the runner that cargo's configuration names for a target, with its arguments; empty if there is none.
    pub(super) fn runner(
        &self,
        target: Option<&str>,
        settings: &Settings,
    ) -> Result<Vec<OsString>> {
        let triple = match target {
            Some(target) => target.to_owned(),
            None => {
                let version = self.ask(&["-vV"], None)?;
                let host = version.lines().find_map(|line| line.strip_prefix("host: "));
                host.unwrap_or_default().to_owned()
            }
        };
        let cfg = self.ask(&["--print", "cfg"], target)?;
        runner::of(&triple, &cfg.lines().collect::<Vec<_>>(), settings)
    }

    /// Resolves the dependencies of a workspace without a lock file, and writes one.
    pub(super) fn lock(&self, side: &Placed, offline: bool, quiet: bool) -> Result<()> {
        let mut command = self.cargo("generate-lockfile", &side.top, &side.manifest);
        command.args(offline.then_some("--offline")).args(quiet.then_some("--quiet"));
        command.args(quiet.then_some("--color=never"));
        let output = command::guarded(&command, !quiet, None)?;
        if output.status.success() {
            return Ok(());
        }
        error(format!(
            "the dependencies of {} cannot be resolved{}",
            side.name,
            command::said(&output)
        ))
    }
}

/// Returns what the compiler prints about itself or a target.
fn told(rustc: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(rustc);
    command.args(arguments);
    let output = command::ask(command, CHECK_OUT)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        // Below an empty line, rustup lists its own functions.
        let reason = said.trim().split("\n\n").next().unwrap_or_default();
        let asked = arguments.join(" ");
        return error(format!("`{} {asked}` failed: {reason}", rustc.display()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_dates_of_compilers_are_the_same_on_both_sides() {
        let toolchain =
            Toolchain { cargo: "cargo".into(), rustc: "rustc".into(), root: "/".into() };
        let folder = Path::new("/");
        for (same, _) in SAME {
            let values = ["base", "new"].map(|side| {
                let command = toolchain.cargo("bench", folder, &folder.join(side));
                let set = command.get_envs().find(|(name, _)| *name == same);
                set.unwrap().1.unwrap().to_owned()
            });
            assert_eq!(values[0], values[1]);
        }
    }

    #[test]
    fn a_compiler_that_fails_is_an_error_with_its_first_reason() {
        let failed = told(Path::new("rustc"), &["--print", "cfg", "--target", "no-such"]);
        let reason = failed.unwrap_err().to_string();
        assert!(reason.starts_with("`rustc --print cfg --target no-such` failed: "), "{reason}");
        assert!(reason.contains("no-such") && !reason.contains("\n\n"), "{reason}");
    }
}
