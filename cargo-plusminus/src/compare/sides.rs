//! From what the user names to two sets of programs, and the folders that they need while they are measured.

use std::{
    collections::BTreeSet,
    env,
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use plusminus::{
    engine::{Pair, Program},
    system::interrupt,
};
use tempfile::TempDir;

use super::{
    arguments::{Arguments, Layout},
    build::{self, Bench, Source, Toolchain},
    cache::Cached,
    git::{Commit, Range, Repository, Tree},
};
use crate::{
    error::{Error, Result, at, error},
    progress::Progress,
    report::Identity,
};

/// Everything that is needed for measuring. Dropping it removes worktrees and copies.
pub(super) struct Prepared {
    pub(super) base: Identity,
    pub(super) new: Identity,
    pub(super) targets: Vec<Target>,
    /// Files in which the versions differ.
    pub(super) changed: Vec<String>,
    /// Time it took: checking out and building.
    pub(super) seconds: f64,
    // Worktrees go before the lock does: fields are dropped in this order.
    _trees: Vec<Tree>,
    _copies: Option<TempDir>,
    _lock: Option<File>,
}

/// A bench target of either side.
pub(super) struct Target {
    pub(super) name: String,
    /// Base and new, once for each layout; empty if a side lacks the target.
    pub(super) versions: Vec<Pair>,
    pub(super) control: Option<Program>,
    /// The side that has it, if it is only one.
    pub(super) base_only: Option<Program>,
    pub(super) new_only: Option<Program>,
}

/// Two programs as they are.
pub(super) fn of_binaries(binaries: &[PathBuf]) -> Result<Prepared> {
    let begin = Instant::now();
    let copies = tempfile::tempdir().map_err(at("write to", &env::temp_dir()))?;
    let mut sides = Vec::new();
    for binary in binaries {
        let path = fs::canonicalize(binary).map_err(at("find", binary))?;
        if !build::speaks(&path).map_err(at("read", binary))? {
            return error(format!(
                "{} is not a bench program of plusminus (or one of another version)",
                binary.display()
            ));
        }
        sides.push(Program::of(&path));
    }
    let [base, new] = &sides[..] else { return error("--binaries takes two programs") };
    let copy = copies.path().join("control");
    fs::copy(&base.binary, &copy).map_err(at("copy", &base.binary))?;
    let identity = |side: &Program| Identity {
        name: side.binary.display().to_string(),
        commit: None,
        dirty: false,
    };
    Ok(Prepared {
        base: identity(base),
        new: identity(new),
        targets: vec![Target {
            name: String::new(),
            control: Some(Program { binary: copy, ..base.clone() }),
            versions: vec![Pair { base: base.clone(), new: new.clone() }],
            base_only: None,
            new_only: None,
        }],
        changed: Vec::new(),
        seconds: begin.elapsed().as_secs_f64(),
        _trees: Vec::new(),
        _copies: Some(copies),
        _lock: None,
    })
}

/// The folders of comparisons below the target directory.
struct Folders {
    root: PathBuf,
}

impl Folders {
    fn sub(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// One comparison at a time: the second would build into the folders of the first, and disturb its measuring.
    fn lock(&self, progress: &mut Progress) -> Result<File> {
        fs::create_dir_all(&self.root).map_err(at("create", &self.root))?;
        let path = self.sub("lock");
        let lock = File::create(&path).map_err(at("write", &path))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) => {
                    progress.show("waiting for another comparison in this target directory");
                    thread::sleep(Duration::from_millis(100));
                }
                Err(TryLockError::Error(reason)) => return Err(at("lock", &path)(reason)),
            }
            if let Some(signal) = interrupt() {
                return Err(Error::Interrupted(signal));
            }
        }
    }
}

/// Two versions of the repository around the current folder.
pub(super) fn of_versions(arguments: &Arguments, progress: &mut Progress) -> Result<Prepared> {
    let begin = Instant::now();
    let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
    let manifest = manifest(arguments, &here)?;
    let folder = manifest.parent().unwrap_or(&here).to_owned();
    let repository = Repository::around(&folder)?;
    let (base, head) = resolve(arguments, &repository)?;
    let toolchain = Toolchain::here()?;
    let metadata = toolchain.metadata(&repository.top, &repository.top, &manifest)?;
    let folders = Folders { root: metadata.target_directory.join("plusminus").join("compare") };
    let lock = folders.lock(progress)?;
    repository.clean(&folders.sub("trees"));
    let work =
        Work { arguments, repository: &repository, toolchain: &toolchain, folders: &folders };
    let copies = tempfile::tempdir_in(&folders.root).map_err(at("write to", &folders.root))?;

    let base_name = format!("base ({}, {})", base.name.escape_debug(), base.short());
    let base_side = work.of_commit(&base, &base_name, "base", &manifest, progress)?;
    let (new_side, new_identity) = match &head {
        Some(commit) => {
            let name = format!("head ({}, {})", commit.name.escape_debug(), commit.short());
            let side = work.of_commit(commit, &name, "head", &manifest, progress)?;
            (side, Identity::of(commit.name.clone(), commit.hash.clone(), false))
        }
        None => {
            let side = work.of_working_tree(&manifest, progress)?;
            let hash = repository.resolve("HEAD").map(|commit| commit.hash).unwrap_or_default();
            let dirty = repository.is_dirty()?;
            (side, Identity::of("working tree".to_owned(), hash, dirty))
        }
    };
    for side in [&base_side, &new_side] {
        if side.benches.is_empty() {
            return error(format!(
                "{} has no bench target that uses plusminus{}; a bench target needs `harness = false` in Cargo.toml \
                 and `plusminus::main!()`",
                side.name,
                if arguments.build.bench.is_empty() { "" } else { " of these names" },
            ));
        }
    }
    let targets = work.targets(&base_side, &new_side, copies.path(), progress)?;
    let changed = repository.changed(&base, head.as_ref())?;
    progress.end();
    let trees = [base_side.tree, new_side.tree].into_iter().flatten().collect();
    Ok(Prepared {
        base: Identity::of(base.name, base.hash, false),
        new: new_identity,
        targets,
        changed,
        seconds: begin.elapsed().as_secs_f64(),
        _trees: trees,
        _copies: Some(copies),
        _lock: Some(lock),
    })
}

/// The manifest that the user means.
fn manifest(arguments: &Arguments, here: &Path) -> Result<PathBuf> {
    let found = match &arguments.build.manifest_path {
        Some(path) => Some(here.join(path)),
        None => here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|f| f.is_file()),
    };
    let Some(found) = found else {
        return error(format!("there is no Cargo.toml in {} or above", here.display()));
    };
    fs::canonicalize(&found).map_err(at("find", &found))
}

/// The two commits; `None` is the working tree.
fn resolve(arguments: &Arguments, repository: &Repository) -> Result<(Commit, Option<Commit>)> {
    let range = Range::parse(arguments.versions.as_deref().unwrap_or("HEAD"))?;
    let base = repository.resolve(&range.base)?;
    let head = range.head.as_deref().map(|name| repository.resolve(name)).transpose()?;
    if !(range.merge_base || arguments.merge_base) {
        return Ok((base, head));
    }
    let other = match &head {
        Some(head) => head.clone(),
        None => repository.resolve("HEAD")?,
    };
    Ok((repository.merge_base(&base, &other)?, head))
}

/// A side that is built.
struct BuiltSide {
    name: String,
    benches: Vec<Bench>,
    tree: Option<Tree>,
    /// Top of its tree, its manifest, where cargo builds it.
    top: PathBuf,
    manifest: PathBuf,
    target: PathBuf,
}

/// What building needs to know.
struct Work<'a> {
    arguments: &'a Arguments,
    repository: &'a Repository,
    toolchain: &'a Toolchain,
    folders: &'a Folders,
}

impl Work<'_> {
    /// Checks a commit out and builds it, unless that was done before.
    fn of_commit(
        &self,
        commit: &Commit,
        name: &str,
        role: &str,
        manifest: &Path,
        progress: &mut Progress,
    ) -> Result<BuiltSide> {
        progress.show(&format!("checking out {name}"));
        // The same commit on both sides needs a tree for each. The place is part of what is compiled.
        let folder = self.folders.sub("trees").join(format!("{role}-{}", commit.short()));
        let tree = self.repository.check_out(commit, folder)?;
        let inner = manifest.strip_prefix(&self.repository.top).unwrap_or(manifest);
        let manifest = tree.folder.join(inner);
        let cached = Cached::of(
            &self.folders.sub("builds"),
            commit,
            self.toolchain,
            &self.arguments.build,
            &manifest,
        );
        let target = self.build_folder(role);
        let benches = match cached.find() {
            Some(benches) => benches,
            None => {
                progress.show(&format!("building {name}"));
                progress.end();
                let source = Source {
                    name,
                    root: &self.repository.top,
                    top: &tree.folder,
                    manifest: &manifest,
                    target: Some(&target),
                };
                let quiet = self.arguments.output.quiet;
                let built = build::build(&source, self.toolchain, &self.arguments.build, quiet)?;
                if built.is_empty() { built } else { cached.keep(&built)? }
            }
        };
        Ok(BuiltSide {
            name: name.to_owned(),
            benches,
            top: tree.folder.clone(),
            tree: Some(tree),
            manifest,
            target,
        })
    }

    /// Where cargo builds a side: apart from the user's own builds, which have another layout and do not keep what the
    /// linker was given.
    fn build_folder(&self, role: &str) -> PathBuf {
        self.folders.sub("build").join(self.arguments.build.layout.folder()).join(role)
    }

    /// Builds what the user sees.
    fn of_working_tree(&self, manifest: &Path, progress: &mut Progress) -> Result<BuiltSide> {
        progress.show("building the working tree");
        progress.end();
        let target = self.build_folder("work");
        let source = Source {
            name: "the working tree",
            root: &self.repository.top,
            top: &self.repository.top,
            manifest,
            target: Some(&target),
        };
        let quiet = self.arguments.output.quiet;
        Ok(BuiltSide {
            name: "the working tree".to_owned(),
            benches: build::build(&source, self.toolchain, &self.arguments.build, quiet)?,
            tree: None,
            top: self.repository.top.clone(),
            manifest: manifest.to_owned(),
            target,
        })
    }

    /// Puts the bench targets of both sides together, and copies of their programs where nobody overwrites them.
    fn targets(
        &self,
        base: &BuiltSide,
        new: &BuiltSide,
        copies: &Path,
        progress: &mut Progress,
    ) -> Result<Vec<Target>> {
        let key = |bench: &Bench| (bench.package.clone(), bench.target.clone());
        let keys: BTreeSet<(String, String)> =
            base.benches.iter().chain(&new.benches).map(key).collect();
        let several = keys.iter().map(|(package, _)| package).collect::<BTreeSet<_>>().len() > 1;
        let mut targets = Vec::new();
        for (index, key) in keys.into_iter().enumerate() {
            let find = |side: &BuiltSide| {
                let same = |bench: &&Bench| (&bench.package, &bench.target) == (&key.0, &key.1);
                side.benches.iter().find(same).cloned()
            };
            let side = |bench: &Bench, role: &str| {
                copied(bench, &copies.join(format!("{index}-{role}{}", env::consts::EXE_SUFFIX)))
            };
            let name = if several { format!("{}/{}", key.0, key.1) } else { key.1.clone() };
            let mut target = Target {
                name,
                versions: Vec::new(),
                control: None,
                base_only: None,
                new_only: None,
            };
            match (find(base), find(new)) {
                (Some(old), Some(new_bench)) => {
                    target.control = Some(side(&old, "copy")?);
                    target.versions =
                        vec![Pair { base: side(&old, "base")?, new: side(&new_bench, "new")? }];
                    if self.arguments.build.layout == Layout::Shuffle {
                        target.versions =
                            self.layouts((base, &old), (new, &new_bench), index, copies, progress)?;
                    }
                }
                (Some(old), None) => target.base_only = Some(side(&old, "base")?),
                (None, Some(new)) => target.new_only = Some(side(&new, "new")?),
                (None, None) => {}
            }
            targets.push(target);
        }
        Ok(targets)
    }

    /// Both sides, linked again and again with their sections in another order.
    fn layouts(
        &self,
        base: (&BuiltSide, &Bench),
        new: (&BuiltSide, &Bench),
        index: usize,
        copies: &Path,
        progress: &mut Progress,
    ) -> Result<Vec<Pair>> {
        let mut versions = Vec::new();
        for layout in 0..u32::from(self.arguments.build.layouts) {
            progress.show(&format!("linking layout {} of both sides", layout + 1));
            let side = |(side, bench): (&BuiltSide, &Bench), role: &str, seed: u32| {
                let source = Source {
                    name: &side.name,
                    root: &self.repository.top,
                    top: &side.top,
                    manifest: &side.manifest,
                    target: Some(&side.target),
                };
                let options = &self.arguments.build;
                let linked = build::relink(&source, self.toolchain, options, bench, seed)?;
                copied(&linked, &copies.join(format!("{index}-{role}-{layout}")))
            };
            // Seeds differ between the sides: one order for both would be one layout, not two.
            let version = Pair {
                base: side(base, "base", 2 * layout + 1)?,
                new: side(new, "new", 2 * layout + 2)?,
            };
            versions.push(version);
        }
        Ok(versions)
    }
}

/// A copy of a program, with the surroundings that cargo gives to benches.
fn copied(bench: &Bench, to: &Path) -> Result<Program> {
    fs::copy(&bench.binary, to).map_err(at("copy", &bench.binary))?;
    let program = Program { folder: Some(bench.folder.clone()), ..Program::of(to) };
    Ok(program.with_variable("CARGO_MANIFEST_DIR", bench.folder.as_os_str()))
}
