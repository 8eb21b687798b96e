//! Crates outside of the repository that are depended on by path: where they are, so that trees can be given them, and
//! in which state they are, so that the report can say it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
};

use cargo_metadata::Metadata;

use super::{build::Toolchain, git::Repository, surroundings::Surroundings};
use crate::{error::Result, report::Outside};

/// Finds outside crates; what was found of them holds for both sides.
pub(super) struct Finder<'a> {
    toolchain: &'a Toolchain,
    /// The top of the user's repository.
    top: &'a Path,
    /// Of outside crates, by their folder.
    known: BTreeMap<PathBuf, Vec<PathBuf>>,
}

/// The folders that a tree needs beside itself.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Real paths of crates, and of their workspaces where those are above the repository.
    pub(super) folders: BTreeSet<PathBuf>,
    /// One of them depends on something in the repository.
    pub(super) lead_back: bool,
}

impl<'a> Finder<'a> {
    pub(super) fn new(toolchain: &'a Toolchain, top: &'a Path) -> Self {
        Self { toolchain, top, known: BTreeMap::new() }
    }

    /// The outside folders that a manifest in the user's own repository needs, by whatever path.
    pub(super) fn of_repository(&mut self, metadata: &Metadata) -> Needs {
        let inside = |path: &Path| path.starts_with(self.top);
        let first = paths_of(metadata).into_iter().filter(|path| !inside(path)).collect();
        self.closure(first)
    }

    /// The outside folders that a tree looks for in its surroundings. An absolute path is found without help.
    pub(super) fn of_tree(&mut self, around: &Surroundings, metadata: &Metadata) -> Result<Needs> {
        let mut first = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut left = paths_of(metadata);
        while let Some(path) = left.pop() {
            if !seen.insert(path.clone()) {
                continue;
            }
            if let Some(real) = around.real(&path) {
                first.insert(real);
            } else if path.starts_with(&around.tree) && path.join("Cargo.toml").is_file() {
                let manifest = path.join("Cargo.toml");
                let inner = self.toolchain.metadata(self.top, &around.tree, &manifest)?;
                left.extend(paths_of(&inner));
            }
        }
        Ok(self.closure(first.into_iter().collect()))
    }

    fn closure(&mut self, mut left: Vec<PathBuf>) -> Needs {
        let mut needs = Needs::default();
        while let Some(folder) = left.pop() {
            if folder.starts_with(self.top) {
                needs.lead_back = true;
            } else if needs.folders.insert(folder.clone()) {
                left.extend(self.needs_of(&folder));
            }
        }
        needs
    }

    /// What an outside crate depends on by path, and its workspace if that is above the repository. A crate that
    /// cannot be read is left to cargo, which says what is wrong with it.
    fn needs_of(&mut self, folder: &Path) -> Vec<PathBuf> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let manifest = folder.join("Cargo.toml");
        let mut needs = Vec::new();
        if let Ok(metadata) = self.toolchain.metadata(self.top, folder, &manifest) {
            let own = metadata.packages.iter().filter(|package| package.manifest_path == manifest);
            needs.extend(own.flat_map(|package| &package.dependencies).filter_map(path_of));
            let root = metadata.workspace_root.as_std_path();
            if self.top.starts_with(root) {
                needs.push(root.to_owned());
            }
        }
        self.known.insert(folder.to_owned(), needs.clone());
        needs
    }
}

fn path_of(dependency: &cargo_metadata::Dependency) -> Option<PathBuf> {
    dependency.path.as_ref().map(|path| path.clone().into_std_path_buf())
}

/// All paths that a workspace names: of dependencies, and of what it puts in place of published crates.
fn paths_of(metadata: &Metadata) -> Vec<PathBuf> {
    let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
    let mut paths: Vec<PathBuf> = dependencies.filter_map(path_of).collect();
    let root = metadata.workspace_root.as_std_path();
    for file in ["Cargo.toml", ".cargo/config.toml", ".cargo/config"] {
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        paths.extend(patches_of(&text).iter().map(|path| lexical(&root.join(path))));
    }
    paths
}

/// The paths under `[patch]` and `[replace]`. What is no TOML has none: cargo says what is wrong with it.
fn patches_of(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<toml::Table>() else { return Vec::new() };
    let tables = |key: &str| document.get(key).and_then(toml::Value::as_table);
    let sources = tables("patch").into_iter().flat_map(toml::Table::values);
    let patches = sources.filter_map(toml::Value::as_table).flat_map(toml::Table::values);
    let replaced = tables("replace").into_iter().flat_map(toml::Table::values);
    let paths = patches.chain(replaced).filter_map(|value| value.get("path")?.as_str());
    paths.map(str::to_owned).collect()
}

/// A path without `.` and `..`, found by its text alone, as cargo does it.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// The states of outside crates, by the repository that they are in; `crates` are names and real folders.
pub(super) fn states(crates: &BTreeSet<(String, PathBuf)>) -> Result<Vec<Outside>> {
    let mut found: BTreeMap<PathBuf, Outside> = BTreeMap::new();
    for (name, folder) in crates {
        let repository = Repository::of(folder)?;
        let place = repository.as_ref().map_or(folder, |repository| &repository.top);
        if let Some(known) = found.get_mut(place) {
            known.crates.push(name.clone());
            continue;
        }
        let (commit, dirty) = match &repository {
            Some(repository) => (repository.head()?, repository.is_dirty()?),
            None => (None, false),
        };
        let outside = Outside {
            folder: place.display().to_string(),
            crates: vec![name.clone()],
            in_git: repository.is_some(),
            commit,
            dirty,
        };
        found.insert(place.clone(), outside);
    }
    Ok(found.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patched_crates_have_paths_too() {
        let text = "[patch.crates-io]\na = { path = \"../a\" }\nb = \"1\"\n\
                    [patch.\"https://example.org/x\"]\nc.path = \"c\"\n[replace]\n\"d:1.0.0\" = { path = \"../d\" }\n";
        assert_eq!(patches_of(text), ["../a", "c", "../d"]);
        assert!(patches_of("not [toml").is_empty());
        assert_eq!(lexical(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
    }
}
