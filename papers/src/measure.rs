//! The benches of the suite, built and run by cargo: nothing of them is linked into this program.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use cargo_plusminus::{
    cargo,
    error::{Result, at, error},
};

/// The package with the benches, in the repository of plusminus.
const PACKAGE: &str = "plusminus-benches";

/// Benches with the arguments that all of them get.
#[derive(Debug)]
pub(super) struct Benches {
    pub(super) names: &'static [&'static str],
    pub(super) arguments: &'static [&'static str],
    /// Environment variables.
    pub(super) variables: &'static [(&'static str, &'static str)],
}

/// Measures, and answers the record of each bench. Records go below a folder.
pub(super) fn measure(benches: &Benches, folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).map_err(at("create", folder))?;
    let folder = fs::canonicalize(folder).map_err(at("read", folder))?;
    let mut command = Command::new(cargo::program());
    command.args(["bench", "--package", PACKAGE]);
    command.args(benches.names.iter().flat_map(|name| ["--bench", name]));
    command.arg("--").args(benches.arguments).env("PLUSMINUS_OUTPUT", &folder);
    command.envs(benches.variables.iter().copied());
    let before: Vec<Option<PathBuf>> =
        benches.names.iter().map(|name| newest(&folder, name)).collect();
    let status = match command.status() {
        Ok(status) => status,
        Err(reason) => return error(format!("cannot run cargo: {reason}")),
    };
    if !status.success() {
        return error(format!(
            "`cargo bench --package {PACKAGE}` ended with {status}: it measures in the repository of plusminus alone; elsewhere \
             give records of its benches {} with --from",
            benches.names.join(" and ")
        ));
    }
    let found =
        benches.names.iter().zip(before).map(|(name, before)| match newest(&folder, name) {
            Some(record) if before.as_ref() != Some(&record) => Ok(record),
            _ => error(format!("the bench {name} has left no record in {}", folder.display())),
        });
    found.collect()
}

/// The newest record of a bench: names begin with the time.
fn newest(folder: &Path, bench: &str) -> Option<PathBuf> {
    let files = fs::read_dir(folder.join(PACKAGE).join(bench).join("records")).ok()?.flatten();
    files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "json")).max()
}
