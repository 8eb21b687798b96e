//! The place of the trees of commits. A folder stands for the root of the file system. In it, each tree has the same
//! depth as the user's repository, and links lead to the outside folders of their relative paths.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use crate::error::{Result, at};

/// The name of a folder of the side with this role. The compiler copies a constant path with instructions that have its last
/// bytes in them, fewer than the 32 of a vector: these are the same for all roles.
pub(super) fn folder_of(role: &str) -> String {
    format!("{role}-side-of-cargo-plusminus-compare")
}

/// The surroundings of one side's tree.
///
/// The trees of both sides are siblings as far as possible. A crate outside of the repository then has one path for
/// both. Cargo gives it one identity, and the same code becomes the same program.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    /// The folder that stands for the root of the file system.
    mirror: PathBuf,
    /// The top of the user's repository.
    top: PathBuf,
    /// The top of this side's tree.
    pub(super) tree: PathBuf,
}

impl Surroundings {
    /// The place of the side with this role. With `own_name`, its tree has the name of the user's repository, which
    /// outside folders may refer to, and no surroundings in common with the other side.
    pub(super) fn of(trees: &Path, top: &Path, role: &str, own_name: bool) -> Self {
        let mirror = if own_name { trees.join(role) } else { trees.to_owned() };
        let inner = inner(top);
        let tree = match inner.parent() {
            Some(parent) if !own_name => mirror.join(parent).join(folder_of(role)),
            _ => mirror.join(&inner),
        };
        Self { mirror, top: top.to_owned(), tree }
    }

    /// The real path of something in these surroundings but outside of the tree; `None` for any other path.
    pub(super) fn real(&self, path: &Path) -> Option<PathBuf> {
        let inner =
            path.strip_prefix(&self.mirror).ok().filter(|_| !path.starts_with(&self.tree))?;
        let root: PathBuf = self
            .top
            .components()
            .take_while(|part| !matches!(part, Component::Normal(_)))
            .collect();
        Some(root.join(inner))
    }

    /// The place in these surroundings of something outside of the repository.
    pub(super) fn place(&self, real: &Path) -> PathBuf {
        self.mirror.join(inner(real))
    }

    /// Links an outside folder to where relative paths from the tree look for it.
    pub(super) fn link(&self, real: &Path) -> Result<()> {
        if let Ok(way) = self.top.strip_prefix(real) {
            // A folder above the repository: everything in it but the way down to the tree.
            let next = way.components().next().map(Component::as_os_str);
            for entry in fs::read_dir(real).map_err(at("read", real))?.flatten() {
                // Cargo writes its lock file, and must not do so through a link.
                if Some(entry.file_name().as_os_str()) != next && entry.file_name() != "Cargo.lock"
                {
                    give(&entry.path(), &self.place(&entry.path()))?;
                }
            }
            return Ok(());
        }
        let common = real
            .components()
            .zip(self.top.components())
            .take_while(|(one, other)| one == other)
            .count();
        let outside: PathBuf = real.components().take(common + 1).collect();
        give(&outside, &self.place(&outside))
    }
}

/// Links the user's file or folder into a tree, unless something stands there.
pub(super) fn give(from: &Path, to: &Path) -> Result<()> {
    if fs::symlink_metadata(to).is_ok() {
        return Ok(());
    }
    make_parent(to)?;
    link(from, to).map_err(at("make a link at", to))
}

pub(super) fn make_parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(at("create", parent))
}

/// A path without the root that it begins with.
fn inner(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

#[cfg(unix)]
pub(super) fn link(real: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(real, place)
}

#[cfg(windows)]
pub(super) fn link(real: &Path, place: &Path) -> io::Result<()> {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    if real.is_dir() { symlink_dir(real, place) } else { symlink_file(real, place) }
}

#[cfg(not(any(unix, windows)))]
pub(super) fn link(_real: &Path, _place: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn folders_of_both_sides_have_names_of_one_length_and_one_end() {
        let [base, head, work] = ["base", "head", "work"].map(folder_of);
        let end = |name: &str| name[name.len() - 32..].to_owned();
        assert!(base != head && end(&base) == end(&head) && end(&base) == end(&work));
        assert!(base.len() == head.len() && base.len() == work.len());
    }

    #[test]
    fn relative_paths_lead_from_a_tree_to_where_they_lead_from_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(folder.path()).unwrap();
        for path in ["a/b/repository/inner", "a/sibling/crate", "a/b/near", "trees"] {
            fs::create_dir_all(home.join(path)).unwrap();
            fs::write(home.join(path).join("file"), path).unwrap();
        }
        let top = home.join("a/b/repository");
        for (role, own_name) in [("base", false), ("head", true)] {
            let around = Surroundings::of(&home.join("trees"), &top, role, own_name);
            fs::create_dir_all(around.tree.join("inner")).unwrap();
            for outside in ["a/sibling/crate", "a/b/near"] {
                around.link(&home.join(outside)).unwrap();
            }
            let read = |path: &str| fs::read_to_string(around.tree.join("..").join(path)).unwrap();
            assert_eq!(read("near/file"), "a/b/near");
            assert_eq!(read("../sibling/crate/file"), "a/sibling/crate");
            let lexical = around.tree.parent().unwrap().join("near");
            assert_eq!(around.real(&lexical), Some(home.join("a/b/near")));
            assert_eq!(around.real(&around.tree.join("inner")), None);
            assert_eq!(around.real(&home.join("a/b/near")), None, "an absolute path is what it is");
        }
    }
}
