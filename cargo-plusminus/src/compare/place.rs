//! Puts the sources of both sides where cargo can build them: trees of commits, and a copy of the user's work tree, with
//! the outside folders that they need. Their paths differ in four letters alone, so that code with a path in it is the same.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{
    copy,
    git::{Commit, Tree},
    harness,
    lockfile::{self, Text},
    outside::Needs,
    surroundings::{Surroundings, give},
    work::Work,
};
use crate::{
    cargo::Metadata,
    error::{Result, at, error},
    progress::Progress,
};

/// The sources of a side.
pub(super) struct Placed {
    /// The side in messages.
    pub(super) name: String,
    /// The name of its tree and of the folder of its builds.
    pub(super) role: &'static str,
    /// The top of the tree, and the manifest in it.
    pub(super) top: PathBuf,
    pub(super) manifest: PathBuf,
    pub(super) metadata: Metadata,
    around: Surroundings,
    /// Manifests that got the harness of head.
    pub(super) followed: Vec<PathBuf>,
    /// A checked-out commit; `None` for a copy of the work tree.
    pub(super) tree: Option<Tree>,
}

impl Placed {
    /// The real folder of a crate that does not belong to this side's tree; `None` if it does.
    pub(super) fn outside(&self, folder: &Path) -> Option<PathBuf> {
        let real = || self.around.real(folder).unwrap_or_else(|| folder.to_owned());
        (!folder.starts_with(&self.top)).then(real)
    }

    /// Returns the lock file of the workspace.
    pub(super) fn lock(&self) -> Result<Option<Text>> {
        lockfile::read(&self.metadata.workspace_root)
    }

    /// Gives the workspace a lock file, unless it has this one.
    pub(super) fn give(&self, lock: Option<&Text>) -> Result<()> {
        match lock {
            Some(text) if self.lock()?.as_ref() != Some(text) => {
                lockfile::give(&self.metadata.workspace_root, text)
            }
            _ => Ok(()),
        }
    }
}

pub(super) struct Places<'a> {
    work: &'a Work<'a>,
    /// Trees need the name of the user's repository.
    own_name: bool,
    /// The files outside the repository that the user's own manifests need.
    needs: Needs,
}

impl<'a> Places<'a> {
    /// Looks at where the user's repository stands.
    pub(super) fn of(work: &'a Work<'a>) -> Self {
        let top = &work.repository.top;
        let needs = Needs::of_repository(top, work.metadata);
        let own_name = needs.lead_back || !work.metadata.workspace_root.starts_with(top);
        Self { work, own_name, needs }
    }

    /// The surroundings of the tree with this role.
    fn around(&self, role: &str) -> Surroundings {
        let trees = self.work.folders.trees();
        Surroundings::of(&trees, &self.work.repository.top, role, self.own_name)
    }

    /// Links the shared files into the tree of a commit, and settings of cargo that git ignores.
    fn give_shared(&self, tree: &Path) -> Result<()> {
        let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
        for path in &self.work.options.share {
            let from = fs::canonicalize(here.join(path)).map_err(at("find", path))?;
            let Ok(inner) = from.strip_prefix(&self.work.repository.top) else {
                return error(format!("--share: {} is not in the repository", path.display()));
            };
            // A version that has it itself keeps its own.
            give(&from, &tree.join(inner))?;
        }
        copy::settings(self.work.repository, tree)
    }

    /// Checks a commit out, and gives it the harness of head: a commit, or the work tree.
    pub(super) fn base(
        &self,
        commit: &Commit,
        head: Option<&Commit>,
        name: &str,
        progress: &mut Progress,
    ) -> Result<Placed> {
        let repository = self.work.repository;
        let content = |path: &Path| match head {
            Some(head) => repository.content(head, &path.to_string_lossy()),
            None => Ok(fs::read(repository.top.join(path)).ok()),
        };
        let follow = |tree: &Path| harness::follow(tree, &content);
        self.checked_out(commit, name, "base", progress, follow)
    }

    /// Checks a commit out. `follow` changes its tree, and returns the manifests that got the harness of head.
    pub(super) fn checked_out(
        &self,
        commit: &Commit,
        name: &str,
        role: &'static str,
        progress: &mut Progress,
        follow: impl FnOnce(&Path) -> Result<Vec<PathBuf>>,
    ) -> Result<Placed> {
        progress.show(&format!("checking out {name}"));
        let around = self.around(role);
        let repository = self.work.repository;
        let tree = Some(repository.check_out(commit, around.tree.clone())?);
        let followed = follow(&around.tree)?;
        self.give_shared(&around.tree)?;
        let needs = Needs::of_tree(&repository.top, &around)?;
        Ok(Placed { tree, followed, ..self.surround(around, &needs, name, role)? })
    }

    /// Copies the user's work tree, as both sides have to be built and run alike, and cargo must not write to it.
    pub(super) fn working_tree(&self, progress: &mut Progress) -> Result<Placed> {
        progress.show("copying the working tree");
        let around = self.around("work");
        let target = &self.work.metadata.target_directory;
        copy::work_tree(self.work.repository, &around.tree, target)?;
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
        let Work { repository, toolchain, manifest: own, metadata, .. } = self.work;
        let top = &repository.top;
        let inner = own.strip_prefix(top).unwrap_or(own);
        let manifest = around.tree.join(inner);
        if !manifest.is_file() {
            return error(format!("{name} has no {}", inner.display()));
        }
        // A workspace around the repository, and all that lies between them.
        let between =
            top.ancestors().skip(1).take_while(|f| f.starts_with(&metadata.workspace_root));
        for folder in between.chain(needs.folders.iter().map(PathBuf::as_path)) {
            around.link(folder)?;
        }
        let metadata = toolchain.metadata(&around.tree, &manifest)?;
        Ok(Placed {
            name: name.to_owned(),
            role,
            top: around.tree.clone(),
            manifest,
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
