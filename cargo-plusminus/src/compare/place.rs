//! Puts the sources of both sides where cargo can build them: trees of commits, and a copy of the user's work tree, with
//! the outside folders that they need. Their paths differ in four letters alone, so that code with a path in it is the same.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{
    copy,
    folders::Folders,
    git::{Commit, Repository, Tree},
    harness,
    lockfile::{self, Text},
    messages::Metadata,
    outside::Needs,
    surroundings::{Surroundings, give},
    toolchain::{Source, Toolchain},
};
use crate::{
    error::{Result, at, error},
    progress::Progress,
};

/// The sources of a side.
pub(super) struct Placed {
    /// The side in messages.
    pub(super) name: String,
    /// The name of its tree and of the folder of its builds.
    pub(super) role: &'static str,
    /// The top of the tree, the manifest in it, the workspace.
    pub(super) top: PathBuf,
    pub(super) manifest: PathBuf,
    pub(super) workspace: PathBuf,
    pub(super) metadata: Metadata,
    around: Surroundings,
    /// Manifests that got the harness of head.
    pub(super) followed: Vec<PathBuf>,
    /// A checked-out commit; `None` for a copy of the work tree.
    pub(super) tree: Option<Tree>,
}

impl Placed {
    /// Returns the arguments with which cargo builds it in a target folder.
    pub(super) fn source<'a>(&'a self, root: &'a Path, target: &'a Path) -> Source<'a> {
        Source {
            name: &self.name,
            root,
            top: &self.top,
            manifest: &self.manifest,
            metadata: &self.metadata,
            target,
        }
    }

    /// The real folder of a crate that does not belong to this side's tree; `None` if it does.
    pub(super) fn outside(&self, folder: &Path) -> Option<PathBuf> {
        let real = || self.around.real(folder).unwrap_or_else(|| folder.to_owned());
        (!folder.starts_with(&self.top)).then(real)
    }

    /// Gives the workspace a lock file, unless it has this one.
    pub(super) fn give(&self, lock: Option<&Text>) -> Result<()> {
        match lock {
            Some(text) if lockfile::read(&self.workspace)?.as_ref() != Some(text) => {
                lockfile::give(&self.workspace, text)
            }
            _ => Ok(()),
        }
    }
}

pub(super) struct Places<'a> {
    repository: &'a Repository,
    toolchain: &'a Toolchain,
    trees: PathBuf,
    target_directory: PathBuf,
    manifest: &'a Path,
    /// The workspace in the user's repository, or around it.
    pub(super) workspace: PathBuf,
    /// Trees need the name of the user's repository.
    own_name: bool,
    /// The files outside the repository that the user's own manifests need.
    needs: Needs,
    /// The files that both sides get from the user's work tree.
    share: &'a [PathBuf],
}

impl<'a> Places<'a> {
    /// Looks at where the user's repository stands; `metadata` is that of its manifest.
    pub(super) fn of(
        repository: &'a Repository,
        toolchain: &'a Toolchain,
        folders: &Folders,
        manifest: &'a Path,
        metadata: &Metadata,
        share: &'a [PathBuf],
    ) -> Self {
        let needs = Needs::of_repository(&repository.top, metadata);
        let workspace = metadata.workspace_root.clone();
        Self {
            repository,
            toolchain,
            trees: folders.trees(),
            target_directory: metadata.target_directory.clone(),
            manifest,
            own_name: needs.lead_back || !workspace.starts_with(&repository.top),
            workspace,
            needs,
            share,
        }
    }

    /// Links the shared files into the tree of a commit, and settings of cargo that git ignores.
    fn give_shared(&self, tree: &Path) -> Result<()> {
        let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
        for path in self.share {
            let from = fs::canonicalize(here.join(path)).map_err(at("find", path))?;
            let Ok(inner) = from.strip_prefix(&self.repository.top) else {
                return error(format!("--share: {} is not in the repository", path.display()));
            };
            // A version that has it itself keeps its own.
            give(&from, &tree.join(inner))?;
        }
        copy::settings(self.repository, tree)
    }

    /// Checks a commit out, and gives it the harness of head: a commit, or the work tree.
    pub(super) fn base(
        &self,
        commit: &Commit,
        head: Option<&Commit>,
        name: &str,
        progress: &mut Progress,
    ) -> Result<Placed> {
        let content = |path: &Path| match head {
            Some(head) => self.repository.content(head, &path.to_string_lossy()),
            None => Ok(fs::read(self.repository.top.join(path)).ok()),
        };
        let mut followed = Vec::new();
        let placed = self.checked_out(commit, name, "base", progress, |tree| {
            followed = harness::follow(tree, &content)?;
            Ok(())
        })?;
        Ok(Placed { followed, ..placed })
    }

    /// Checks a commit out, and changes its tree.
    pub(super) fn checked_out(
        &self,
        commit: &Commit,
        name: &str,
        role: &'static str,
        progress: &mut Progress,
        change: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<Placed> {
        progress.show(&format!("checking out {name}"));
        let around = Surroundings::of(&self.trees, &self.repository.top, role, self.own_name);
        let tree = self.repository.check_out(commit, around.tree.clone())?;
        change(&around.tree)?;
        self.give_shared(&around.tree)?;
        let needs = Needs::of_tree(&self.repository.top, &around)?;
        Ok(Placed { tree: Some(tree), ..self.surround(around, &needs, name, role)? })
    }

    /// Copies the user's work tree, as both sides have to be built and run alike, and cargo must not write to it.
    pub(super) fn working_tree(&self, progress: &mut Progress) -> Result<Placed> {
        progress.show("copying the working tree");
        let around = Surroundings::of(&self.trees, &self.repository.top, "work", self.own_name);
        copy::work_tree(self.repository, &around.tree, &self.target_directory)?;
        self.surround(around, &self.needs, "the working tree", "work")
    }

    /// Gives a tree that stands the outside folders that it needs.
    fn surround(
        &self,
        around: Surroundings,
        needs: &Needs,
        name: &str,
        role: &'static str,
    ) -> Result<Placed> {
        let top = &self.repository.top;
        let inner = self.manifest.strip_prefix(top).unwrap_or(self.manifest);
        let manifest = around.tree.join(inner);
        if !manifest.is_file() {
            return error(format!("{name} has no {}", inner.display()));
        }
        // A workspace around the repository, and all that lies between them.
        let between = top.ancestors().skip(1).take_while(|f| f.starts_with(&self.workspace));
        for folder in between.chain(needs.folders.iter().map(PathBuf::as_path)) {
            around.link(folder)?;
        }
        let metadata = self.toolchain.metadata(top, &around.tree, &manifest)?;
        Ok(Placed {
            name: name.to_owned(),
            role,
            top: around.tree.clone(),
            manifest,
            workspace: metadata.workspace_root.clone(),
            metadata,
            around,
            followed: Vec::new(),
            tree: None,
        })
    }
}

/// Removes the folder in which trees stood, with its links; the trees themselves are git's to remove, before.
pub(super) struct Standing(pub(super) PathBuf);

impl Drop for Standing {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
