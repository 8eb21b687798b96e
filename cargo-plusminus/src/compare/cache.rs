//! Bench programs of commits that were built before, so that comparing with the same base costs no build.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::{
    arguments::Build,
    build::{Bench, Toolchain},
    git::Commit,
};
use crate::error::{Error, Result, at};

/// Builds that are kept.
const KEPT: usize = 8;

/// The folder of one build.
#[derive(Debug)]
pub(super) struct Cached {
    folder: PathBuf,
}

/// What was built, as it is written into the folder.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    benches: Vec<Bench>,
}

impl Cached {
    /// The place for a build of a commit with this toolchain and these options.
    pub(super) fn of(
        builds: &Path,
        commit: &Commit,
        toolchain: &Toolchain,
        options: &Build,
        manifest: &Path,
    ) -> Self {
        let mut hasher = DefaultHasher::new();
        // Where the tree is checked out is part of what is compiled; the manifest's path tells it.
        (&commit.hash, &toolchain.version, format!("{options:?}"), manifest).hash(&mut hasher);
        let mut variables: Vec<(String, String)> = env::vars_os()
            .map(|(n, v)| (n.to_string_lossy().into_owned(), v.to_string_lossy().into_owned()))
            .filter(|(name, _)| shapes_builds(name))
            .collect();
        variables.sort();
        variables.hash(&mut hasher);
        for file in outer_configurations(manifest) {
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
        Self { folder: builds.join(format!("{}-{:016x}", commit.short(), hasher.finish())) }
    }

    /// The programs, if they are all there.
    pub(super) fn find(&self) -> Option<Vec<Bench>> {
        let text = fs::read(self.folder.join("build.json")).ok()?;
        let contents: Contents = serde_json::from_slice(&text).ok()?;
        contents.benches.iter().all(|bench| bench.binary.is_file()).then_some(contents.benches)
    }

    /// Keeps programs: copied, because cargo overwrites its own.
    pub(super) fn keep(&self, benches: &[Bench]) -> Result<Vec<Bench>> {
        let parent = self.folder.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent).map_err(at("create", parent))?;
        // Whole or not at all: an interrupted copy must not look like a build.
        let begun = tempfile::tempdir_in(parent).map_err(at("write to", parent))?;
        let mut kept = Vec::new();
        for (index, bench) in benches.iter().enumerate() {
            let name = format!("{index}{}", env::consts::EXE_SUFFIX);
            fs::copy(&bench.binary, begun.path().join(&name)).map_err(at("copy", &bench.binary))?;
            kept.push(Bench { binary: self.folder.join(name), ..bench.clone() });
        }
        let contents = serde_json::to_vec(&Contents { benches: kept.clone() })
            .map_err(|reason| Error::Message(reason.to_string()))?;
        let list = begun.path().join("build.json");
        let mut file = fs::File::create(&list).map_err(at("write", &list))?;
        file.write_all(&contents).map_err(at("write", &list))?;
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).map_err(at("replace", &self.folder))?;
        }
        let begun = begun.keep();
        fs::rename(&begun, &self.folder).map_err(at("write", &self.folder))?;
        forget_oldest(parent);
        Ok(kept)
    }
}

/// Whether a variable may change what cargo builds. Those that cargo sets for its subcommands do not.
fn shapes_builds(name: &str) -> bool {
    let told_by_cargo = ["CARGO", "CARGO_HOME", "CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR"];
    let shaping = ["CARGO", "RUST", "CC", "CXX", "CFLAGS", "CXXFLAGS", "AR", "LD"];
    !told_by_cargo.contains(&name)
        && !name.starts_with("CARGO_PKG_")
        && !name.starts_with("CARGO_BIN_")
        && !["RUST_BACKTRACE", "RUST_LOG", "RUST_RECURSION_COUNT", "RUSTUP_HOME"].contains(&name)
        && shaping.iter().any(|start| name.starts_with(start))
}

/// Configuration above all trees and in cargo's home, which may change without a commit.
fn outer_configurations(manifest: &Path) -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let above = manifest.ancestors().map(|folder| folder.join(".cargo"));
    above
        .chain(home)
        .flat_map(|folder| [folder.join("config.toml"), folder.join("config")])
        .filter(|file| file.is_file())
        .collect()
}

fn forget_oldest(builds: &Path) {
    let mut all: Vec<(SystemTime, PathBuf)> = fs::read_dir(builds)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    all.sort();
    let surplus = all.len().saturating_sub(KEPT);
    for (_, folder) in all.into_iter().take(surplus) {
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_shape_builds_are_known() {
        for name in ["RUSTFLAGS", "CARGO_PROFILE_BENCH_LTO", "CARGO_ENCODED_RUSTFLAGS", "CC"] {
            assert!(shapes_builds(name), "{name}");
        }
        for name in ["CARGO_PKG_NAME", "HOME", "CARGO", "CARGO_HOME", "RUST_BACKTRACE"] {
            assert!(!shapes_builds(name), "{name}");
        }
    }

    #[test]
    fn the_oldest_builds_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..KEPT + 3 {
            fs::create_dir(folder.path().join(format!("{index:02}"))).unwrap();
        }
        forget_oldest(folder.path());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), KEPT);
    }
}
