//! Asks cargo about the user's workspace. It may start cargo.

pub(crate) mod configuration;
pub(crate) mod variables;

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use serde_json::Value;

use crate::error::{Error, Result, at, error};

/// The cargo that has started this program, or the one that the system finds.
pub fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    /// The folder of the workspace, which has the lock file.
    pub(crate) workspace_root: PathBuf,
    pub(crate) target_directory: PathBuf,
    #[serde(default)]
    pub(crate) workspace_default_members: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    /// The features that each feature turns on.
    #[serde(default)]
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// Its library, programs, tests and benches.
    pub(crate) targets: Vec<Target>,
    pub(crate) dependencies: Vec<Dependency>,
    /// The rest of its manifest.
    #[serde(flatten)]
    about: BTreeMap<String, Value>,
}

impl Package {
    /// The variables about a package that cargo sets for the programs of it that it runs.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let about = |key: &str| self.about.get(key).and_then(Value::as_str).unwrap_or_default();
        let version = about("version");
        let plain = version.split('+').next().unwrap_or_default();
        let (numbers, pre) = plain.split_once('-').unwrap_or((plain, ""));
        let mut numbers = numbers.split('.');
        let mut number = || numbers.next().unwrap_or_default().to_owned();
        let authors = self.about.get("authors").and_then(Value::as_array).into_iter().flatten();
        let authors: Vec<&str> = authors.filter_map(Value::as_str).collect();
        let mut variables = vec![
            ("CARGO_PKG_NAME".to_owned(), self.name.clone()),
            ("CARGO_PKG_VERSION".to_owned(), version.to_owned()),
            ("CARGO_PKG_VERSION_MAJOR".to_owned(), number()),
            ("CARGO_PKG_VERSION_MINOR".to_owned(), number()),
            ("CARGO_PKG_VERSION_PATCH".to_owned(), number()),
            ("CARGO_PKG_VERSION_PRE".to_owned(), pre.to_owned()),
            ("CARGO_PKG_AUTHORS".to_owned(), authors.join(":")),
        ];
        let others = "description homepage repository license license_file rust_version readme";
        for key in others.split(' ') {
            variables.push((format!("CARGO_PKG_{}", key.to_uppercase()), about(key).to_owned()));
        }
        variables
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    kind: Vec<String>,
    #[serde(default)]
    pub(crate) src_path: PathBuf,
    /// Cargo builds it only with these.
    #[serde(default, rename = "required-features")]
    pub(crate) required_features: Vec<String>,
}

impl Target {
    /// Whether it is of a kind, such as `bench` or `lib`.
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|of| of == kind)
    }
}

/// A package that another one asks for.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) path: Option<PathBuf>,
}

impl Metadata {
    pub(crate) fn default_members(&self) -> Vec<&Package> {
        let chosen = &self.workspace_default_members;
        self.packages.iter().filter(|one| chosen.is_empty() || chosen.contains(&one.id)).collect()
    }
}

/// Asks cargo about the workspace of a manifest, or of the current folder.
///
/// # Errors
/// Cargo's own, or that its answer is not understood.
pub(crate) fn metadata(manifest: Option<&Path>) -> Result<Metadata> {
    let mut command = Command::new(program());
    command.args(["metadata", "--format-version=1", "--no-deps"]);
    if let Some(path) = manifest {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().map_err(at("run", Path::new("cargo metadata")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return error(format!("cargo metadata failed: {}", said.trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|reason| {
        Error::Message(format!("what cargo metadata printed is not understood: {reason}"))
    })
}

/// Where cargo builds the workspace of a manifest, or of the current folder.
///
/// # Errors
/// Those of [`metadata`].
pub(crate) fn target_directory(manifest: Option<&Path>) -> Result<PathBuf> {
    Ok(metadata(manifest)?.target_directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_package_are_those_of_cargo() {
        let package: Package = serde_json::from_str(
            r#"{"id": "x", "name": "own", "version": "1.2.3-alpha.1+build-7", "manifest_path": "/p/Cargo.toml", "targets": [],
                "dependencies": [], "authors": ["A", "B"], "license": null, "license_file": "L", "rust_version": "1.89"}"#,
        )
        .unwrap();
        let variables = package.variables();
        for (name, value) in [
            ("NAME", "own"),
            ("VERSION", "1.2.3-alpha.1+build-7"),
            ("VERSION_MAJOR", "1"),
            ("VERSION_MINOR", "2"),
            ("VERSION_PATCH", "3"),
            ("VERSION_PRE", "alpha.1"),
            ("AUTHORS", "A:B"),
            ("LICENSE", ""),
            ("LICENSE_FILE", "L"),
            ("RUST_VERSION", "1.89"),
        ] {
            let found = variables.iter().find(|(known, _)| *known == format!("CARGO_PKG_{name}"));
            assert_eq!(found.unwrap().1, value, "{name}");
        }
    }
}
