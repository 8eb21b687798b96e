//! Asks cargo about the user's workspace. It may start cargo.

pub(crate) mod configuration;

use std::{
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

/// Where cargo builds the workspace of a manifest, or of the current folder.
///
/// # Errors
/// Cargo's own, or that its answer is not understood.
pub(crate) fn target_directory(manifest: Option<&Path>) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
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
    let metadata: Metadata = serde_json::from_slice(&output.stdout).map_err(|reason| {
        Error::Message(format!("what cargo metadata printed is not understood: {reason}"))
    })?;
    Ok(metadata.target_directory)
}
