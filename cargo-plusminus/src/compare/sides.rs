//! Makes two sets of programs from the user's versions, and the folders that they need while they are measured.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fs::{self, File},
    io::ErrorKind::NotFound,
    path::{Path, PathBuf},
    time::SystemTime,
};

use plusminus::{
    engine::{Program, Versions},
    record::{AcceptedSlowdown, Built, Dependency, LockFiles, SkippedTarget},
};
use plusminus_same_code::BuildFolders;
use tempfile::TempDir;

use super::{
    accepted,
    arguments::Build,
    build::Package,
    folders::Folders,
    git::{Commit, Repository, Tree},
    harness,
    inputs::Inputs,
    lacking,
    lockfile::Lock,
    looking::Looked,
    other_benches::{foreign, needing, without_benches},
    outside,
    place::{Placed, Standing},
    programs::{self, Both, Programs, Target},
    range::Range,
    targets,
    toolchain::Toolchain,
    work::{BuiltSide, Work},
};
use crate::{
    cargo,
    error::{Result, at, error},
    progress::Progress,
    report::{Identity, Program as BuiltProgram},
    wrapper,
};

/// Everything that is needed for measuring. Dropping it removes worktrees and copies.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) base: Identity,
    pub(super) new: Identity,
    pub(super) targets: Vec<Target>,
    /// Bench targets of other harnesses, if they are wanted.
    pub(super) others: Vec<Looked>,
    /// A file or folder that base lacks, because git ignores it, and that a benchmark may read.
    pub(super) lacks: Option<PathBuf>,
    pub(super) folders: [BuildFolders; 2],
    /// Where in the repository the workspace lies: benchmarks tell their files from there.
    pub(super) workspace: PathBuf,
    pub(super) accepted: Vec<AcceptedSlowdown>,
    /// The sources of the programs; `None` if they were given.
    pub(super) built: Option<Built>,
    pub(super) programs: Vec<BuiltProgram>,
    /// Where the report with all details goes.
    pub(super) full: Option<PathBuf>,
    // Worktrees go before the lock does: fields are dropped in this order.
    _trees: Vec<Tree>,
    _standing: Option<Standing>,
    _copies: Option<TempDir>,
    _lock: Option<File>,
}

impl Prepared {
    /// The bench targets that both sides have, with their names.
    pub(super) fn both(&self) -> impl Iterator<Item = (&String, &Both)> {
        self.targets.iter().filter_map(|target| match &target.programs {
            Programs::Both(both) => Some((&target.name, &**both)),
            Programs::Base(_) | Programs::New(_) => None,
        })
    }
}

pub(super) fn of_binaries(binaries: &[PathBuf]) -> Result<Prepared> {
    let copies = tempfile::tempdir().map_err(at("write to", &env::temp_dir()))?;
    let mut sides = Vec::new();
    for binary in binaries {
        let path = fs::canonicalize(binary).map_err(at("find", binary))?;
        wrapper::must_speak(binary, "")?;
        sides.push(Program::of(&path).with_launcher_of_environment());
    }
    let [base, new] = &sides[..] else { return error("--binaries takes two programs") };
    // The system keeps what a linker has written in other pieces than a copy: code that needs many of them differs by a percent.
    let copied = |side: &Program, role: &str| -> Result<Program> {
        let folder = copies.path().join(role);
        fs::create_dir(&folder).map_err(at("create", &folder))?;
        // Messages name the file as the user does.
        let binary = folder.join(side.binary.file_name().unwrap_or_default());
        fs::copy(&side.binary, &binary).map_err(at("copy", &side.binary))?;
        Ok(Program { binary, ..side.clone() })
    };
    let identity =
        |side: &Program| Identity::of(side.binary.display().to_string(), String::new(), false);
    Ok(Prepared {
        base: identity(base),
        new: identity(new),
        targets: vec![Target {
            name: String::new(),
            key: None,
            programs: Programs::Both(Box::new(Both {
                versions: Versions {
                    base: copied(base, "base")?,
                    new: copied(new, "head")?,
                    control: Some(copied(base, "copy")?),
                },
                linked: None,
                changed: None,
            })),
        }],
        _copies: Some(copies),
        ..Prepared::default()
    })
}

/// Two versions of the repository around the current folder, built as `options` say.
pub(super) fn of_versions(
    range: &Range,
    options: &Build,
    progress: &mut Progress,
) -> Result<Prepared> {
    let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
    let manifest = manifest(options, &here)?;
    let folder = manifest.parent().unwrap_or(&here).to_owned();
    let repository = Repository::around(&folder)?;
    let (base, head) = resolve(range, &repository)?;
    let accepted = accepted::accepted(&repository, &base, head.as_ref())?;
    let toolchain = Toolchain::here(&repository.top)?;
    let metadata = toolchain.metadata(&repository.top, &manifest)?;
    let target_directory = metadata.target_directory.as_path();
    let folders = Folders::below(target_directory)?;
    let lock = folders.lock(progress)?;
    repository.clean(&folders.trees())?;
    folders.sweep()?;
    let standing = Standing(folders.trees());
    let copies = folders.temporary()?;
    let work = Work {
        options,
        quiet: progress.is_quiet(),
        repository: &repository,
        toolchain: &toolchain,
        folders: &folders,
        manifest: &manifest,
        metadata: &metadata,
    };

    let ([base_side, new_side], locks) = work.place(&base, head.as_ref(), progress)?;
    if !options.any_harness {
        check_harness(&new_side, &locks[1], options)?;
    }
    let began = SystemTime::now();
    let base_side = work.build(base_side, &locks[0], progress)?;
    work.lend(&base_side, &new_side)?;
    let new_side = work.build(new_side, &locks[1], progress)?;
    let [base_side, new_side] = work.renewed([base_side, new_side], &locks, progress)?;
    let inputs = Inputs::of(&repository, &base, head.as_ref())?;
    let [base, new] = identities(&repository, base, head)?;
    let mut built = built(&repository.top, &base_side, &new_side, began)?;
    built.toolchain_file = inputs.toolchain_file();
    built.profile_file = inputs.profile_file()?;
    built.harness_of_new =
        base_side.placed.followed.iter().map(|path| path.display().to_string()).collect();
    let mut ignored = repository.ignored()?;
    ignored.retain(|path| {
        let path = repository.top.join(path);
        // `--lock` decides about lock files.
        !path.ends_with("Cargo.lock")
            && !target_directory.starts_with(&path)
            && !path.starts_with(target_directory)
    });
    let lacks = lacking::lacking(&ignored, &base_side, &new_side)?;
    built.ignored = ignored.iter().map(|path| path.display().to_string()).collect();
    // Base has none before the change that adds the first benchmarks: they are new, and that change is not refused.
    let others = options.any_harness && !new_side.built.others.is_empty();
    if new_side.built.benches.is_empty() && !others {
        let BuiltSide { placed, built: of_new, .. } = &new_side;
        return error(without_benches(placed, &of_new.elsewhere, &built.left_out, options)?);
    }
    let programs = programs::places(&base_side, &new_side);
    let targets = programs::targets(&base_side, &new_side, &inputs, copies.path())?;
    let others = match options.any_harness {
        true => programs::others(&base_side, &new_side, &inputs)?,
        false => Vec::new(),
    };
    progress.end();
    let build_folders = [&base_side, &new_side].map(BuiltSide::folders);
    let workspace = new_side.placed.metadata.workspace_root.strip_prefix(&new_side.placed.top);
    let workspace = workspace.unwrap_or(Path::new("")).to_owned();
    let trees = [base_side.placed.tree, new_side.placed.tree].into_iter().flatten().collect();
    Ok(Prepared {
        base,
        new,
        targets,
        others,
        lacks,
        folders: build_folders,
        workspace,
        accepted,
        built: Some(built),
        programs,
        full: Some(folders.report()),
        _trees: trees,
        _standing: Some(standing),
        _copies: Some(copies),
        _lock: Some(lock),
    })
}

/// The versions as people know them.
pub(super) fn identities(
    repository: &Repository,
    base: Commit,
    head: Option<Commit>,
) -> Result<[Identity; 2]> {
    let new = match head {
        Some(commit) => Identity::of(commit.name, commit.hash, false),
        None => {
            let hash = repository.head()?.unwrap_or_default();
            Identity::of("working tree".to_owned(), hash, repository.is_dirty()?)
        }
    };
    let mut both = [Identity::of(base.name, base.hash, false), new];
    for side in &mut both {
        side.subject = repository.subject(side.commit.as_deref().unwrap_or_default())?;
    }
    Ok(both)
}

/// Rejects a version none of whose bench targets can be ours, before it is built: no package of them depends on plusminus.
fn check_harness(placed: &Placed, lock: &Lock, options: &Build) -> Result<()> {
    let Placed { metadata, manifest, .. } = placed;
    let packages = targets::packages(metadata, manifest, options);
    let Some(lock) = lock.text.as_ref().filter(|_| !packages.is_empty()) else { return Ok(()) };
    if harness::may_be_used(&packages, metadata, lock)? {
        return Ok(());
    }
    let off = targets::wanted(metadata, manifest, options).off;
    let is_off = |target: &&cargo::Target| off.iter().any(|(name, _)| *name == target.name);
    let all = packages.iter().flat_map(|package| targets::wanted_of(package, options));
    let others = all.filter(|target| !is_off(target)).map(|target| foreign(&target.name));
    let left_out: BTreeSet<SkippedTarget> = others.chain(off.iter().map(needing)).collect();
    let left_out: Vec<SkippedTarget> = left_out.into_iter().collect();
    error(without_benches(placed, &BTreeSet::new(), &left_out, options)?)
}

/// The manifest that the user means.
pub(super) fn manifest(options: &Build, here: &Path) -> Result<PathBuf> {
    let found = match &options.manifest_path {
        Some(path) => Some(here.join(path)),
        None => here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|file| {
            // One that cannot be read is not missing: the next one above belongs to a different project.
            fs::metadata(file).map_or_else(|error| error.kind() != NotFound, |file| file.is_file())
        }),
    };
    let Some(found) = found else {
        return error(format!("there is no Cargo.toml in {} or above", here.display()));
    };
    fs::canonicalize(&found).map_err(at("find", &found))
}

/// The two commits; `None` is the working tree.
pub(super) fn resolve(range: &Range, repository: &Repository) -> Result<(Commit, Option<Commit>)> {
    let base = repository.resolve(&range.base)?;
    let head = range.head.as_deref().map(|name| repository.resolve(name)).transpose()?;
    if !range.merge_base {
        return Ok((base, head));
    }
    let other = head.clone().map_or_else(|| repository.resolve("HEAD"), Ok)?;
    Ok((repository.merge_base(&base, &other)?, head))
}

/// Returns the facts about both builds, which began at `began`, for the report.
fn built(top: &Path, base: &BuiltSide, new: &BuiltSide, began: SystemTime) -> Result<Built> {
    let mut outside = BTreeSet::new();
    let mut left_out = BTreeSet::new();
    for side in [base, new] {
        let by_path = side.built.packages.iter().filter(|package| package.source.is_none());
        outside.extend(by_path.filter_map(|package| {
            Some((package.name.clone(), side.placed.outside(&package.folder)?))
        }));
        left_out.extend(side.built.off.iter().map(needing));
        left_out.extend(side.built.others.iter().map(|bench| foreign(&bench.target)));
    }
    Ok(Built {
        locks: Some(LockFiles { base: base.lock.clone(), new: new.lock.clone() }),
        dependencies: differences(&base.built.packages, &new.built.packages),
        outside: outside::states(top, &outside, began)?,
        left_out: left_out.into_iter().collect(),
        ..Built::default()
    })
}

/// Published packages of which the sides have different versions.
fn differences(base: &BTreeSet<Package>, new: &BTreeSet<Package>) -> Vec<Dependency> {
    let published = |packages: &BTreeSet<Package>| {
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for package in packages {
            let Some(source) = &package.source else { continue };
            let commit = source.rsplit_once('#').map_or("", |(_, commit)| commit);
            let version = match (source.starts_with("git+"), commit.get(..12)) {
                (true, Some(commit)) => format!("{} ({commit})", package.version),
                (true, None) => format!("{} ({source})", package.version),
                (false, _) => package.version.clone(),
            };
            versions.entry(package.name.clone()).or_default().insert(version);
        }
        versions
    };
    let (base, new) = (published(base), published(new));
    let names: BTreeSet<&String> = base.keys().chain(new.keys()).collect();
    let of = |side: &BTreeMap<String, BTreeSet<String>>, name: &String| -> Vec<String> {
        side.get(name).into_iter().flatten().cloned().collect()
    };
    names
        .into_iter()
        .filter(|name| base.get(*name) != new.get(*name))
        .map(|name| Dependency { name: name.clone(), base: of(&base, name), new: of(&new, name) })
        .collect()
}

#[cfg(test)]
mod tests;
