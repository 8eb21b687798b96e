//! Puts both versions where they are built, and has them built there.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use plusminus::record::LockFile;
use plusminus_same_code::{BuildFolders, same_system};

use super::{
    arguments::Build,
    build::{self, Bench, Package},
    folders::Folders,
    git::{Commit, Repository},
    lend::lend,
    lockfile::{self, Lock},
    place::{Placed, Places},
    programs,
    slot::Slot,
    surroundings::folder_of,
    toolchain::Toolchain,
};
use crate::{
    cargo::Metadata,
    error::{Result, at},
    progress::Progress,
};

pub(super) struct BuiltSide {
    pub(super) placed: Placed,
    pub(super) built: build::Built,
    pub(super) target: PathBuf,
    pub(super) lock: LockFile,
}

impl BuiltSide {
    pub(super) fn folders(&self) -> BuildFolders {
        BuildFolders { top: self.placed.top.clone(), target: self.target.clone() }
    }
}

pub(super) struct Work<'a> {
    pub(super) options: &'a Build,
    /// Whether cargo prints nothing but errors.
    pub(super) quiet: bool,
    pub(super) repository: &'a Repository,
    pub(super) toolchain: &'a Toolchain,
    pub(super) folders: &'a Folders,
    /// The user's own manifest, and cargo's metadata of it.
    pub(super) manifest: &'a Path,
    pub(super) metadata: &'a Metadata,
}

impl Work<'_> {
    /// Puts both sides where they are built, each with its lock file.
    pub(super) fn place(
        &self,
        base: &Commit,
        head: Option<&Commit>,
        progress: &mut Progress,
    ) -> Result<([Placed; 2], [Lock; 2])> {
        let places = Places::of(self);
        let named = |role: &str, commit: &Commit| match commit.hash.starts_with(&commit.name) {
            true => format!("{role} ({})", commit.short()),
            false => format!("{role} ({}, {})", commit.name.escape_debug(), commit.short()),
        };
        let base = places.base(base, head, &named("base", base), progress)?;
        let working = lockfile::read(&self.metadata.workspace_root)?;
        let of_commit = |commit: &Commit| {
            let name = named("head", commit);
            places.checked_out(commit, &name, "head", progress, |_| Ok(Vec::new()))
        };
        let head = head.map(of_commit).transpose()?;
        let of_base = base.lock()?;
        let of_head = match &head {
            Some(head) => head.lock()?,
            None => working.clone(),
        };
        let rule = self.options.lock;
        let [mut for_base, mut for_head] =
            lockfile::choose(rule, of_base.as_ref(), of_head.as_ref(), working.as_ref());
        let head = match head {
            Some(head) => head,
            None => places.working_tree(progress)?,
        };
        head.give(for_head.text.as_ref())?;
        if for_head.text.is_none() {
            self.toolchain.lock(&head, self.options.offline, self.quiet)?;
            for_head.text = head.lock()?;
            for_base = Lock { text: for_head.text.clone(), ..for_base };
        }
        base.give(for_base.text.as_ref())?;
        Ok(([base, head], [for_base, for_head]))
    }

    /// The folder into which cargo builds a side: apart from the user's own builds, which have another layout and do not keep what the
    /// linker was given.
    fn target(&self, placed: &Placed) -> PathBuf {
        let unstable = env::var_os("RUSTC_BOOTSTRAP");
        let types = if self.options.with_types { "types-" } else { "" };
        let role = folder_of(&format!("{types}{}", placed.role));
        self.folders.build(&self.options.layout().folder(unstable.as_deref(), &role))
    }

    /// Has the new side take over what is compiled for base, and not for it.
    pub(super) fn lend(&self, base: &BuiltSide, new: &Placed) -> Result<()> {
        // Others may have the same name.
        let is_own = |package: &&Package| {
            let outside = base.placed.outside(&package.folder);
            package.source.is_none() && outside.as_ref() != Some(&package.folder)
        };
        let packages = &base.built.packages;
        let own: BTreeSet<&str> =
            packages.iter().filter(is_own).map(|package| &*package.name).collect();
        let names = packages.iter().map(|package| &*package.name);
        let others = names.filter(|name| !own.contains(name)).collect();
        let target = self.target(new);
        lend(&base.target, &target, &others).map_err(at("copy to", &target))
    }

    /// Builds a side: one that stands in a tree in a target folder that is kept for it.
    pub(super) fn build(
        &self,
        placed: Placed,
        lock: &Lock,
        progress: &mut Progress,
    ) -> Result<BuiltSide> {
        progress.show(&format!("building {}", placed.name));
        progress.end();
        let target = self.target(&placed);
        let mut slot = Slot::take(&target, &self.repository.top, &placed.top)?;
        slot.restore_times()?;
        let built = build::build(&placed, self.toolchain, self.options, &slot, self.quiet)?;
        let programs: Vec<&Path> =
            built.benches.iter().map(|bench| bench.binary.as_path()).collect();
        slot.keep(&programs)?;
        let adjusted = placed.lock()? != lock.text;
        let own = lock.origin == lockfile::OWN;
        let lock = LockFile { origin: lock.origin.to_owned(), adjusted, own };
        Ok(BuiltSide { placed, built, target, lock })
    }

    /// Links programs again that were linked before the system changed, where those of the other side were linked after
    /// it.
    pub(super) fn renewed(
        &self,
        sides: [BuiltSide; 2],
        locks: &[Lock; 2],
        progress: &mut Progress,
    ) -> Result<[BuiltSide; 2]> {
        let [base, new] = &sides;
        let mut stale = [false; 2];
        for bench in &base.built.benches {
            let Some(other) = programs::find(new, &programs::key(bench)) else { continue };
            if !(bench.fresh || other.fresh) {
                continue;
            }
            let read = |bench: &Bench| fs::read(&bench.binary).map_err(at("read", &bench.binary));
            if same_system(&read(bench)?, &read(other)?) {
                continue;
            }
            for (stale, bench) in stale.iter_mut().zip([bench, other]) {
                if bench.fresh {
                    fs::remove_file(&bench.binary).map_err(at("remove", &bench.binary))?;
                    *stale = true;
                }
            }
        }
        let [base, new] = sides;
        let mut again = |side: BuiltSide, lock, stale| match stale {
            true => self.build(side.placed, lock, progress),
            false => Ok(side),
        };
        Ok([again(base, &locks[0], stale[0])?, again(new, &locks[1], stale[1])?])
    }
}
