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

use crate::error::{Error, Result, at, error};

/// The cargo that has started this program, or the one that the system finds.
pub fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A workspace as cargo sees it.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// The members.
    pub(crate) packages: Vec<Package>,
    /// The folder of the workspace, which has the lock file.
    pub(crate) workspace_root: PathBuf,
    /// The folder into which cargo builds.
    pub(crate) target_directory: PathBuf,
    /// The ids of the packages that cargo builds by default.
    #[serde(default)]
    pub(crate) workspace_default_members: Vec<String>,
}

/// A package.
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
}

/// A target of a package.
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
    /// Its folder, if it is depended on by path.
    pub(crate) path: Option<PathBuf>,
}

impl Metadata {
    /// The packages of the workspace that cargo builds by default.
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
