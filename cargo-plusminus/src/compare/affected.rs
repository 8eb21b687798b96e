//! Narrows a comparison to packages that a change can have an effect on, before anything is built. In doubt, a package is
//! built: data that a benchmark may read, manifests, lock files and configurations affect every package.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use memchr::memmem;
use toml::{Table, Value};

use super::{arguments::Build, git::Repository, kinds_of_files, range::Range, sides, targets};
use crate::{
    cargo::{
        Metadata, Package,
        configuration::{self, Settings},
        metadata,
    },
    error::Result,
    report::Identity,
};

/// Files of cargo and rustup, by name: each can change the build of every package.
const OF_BUILDS: [&str; 4] = ["Cargo.toml", "Cargo.lock", "rust-toolchain", "rust-toolchain.toml"];

#[derive(Debug, Clone)]
struct Member {
    name: String,
    folder: PathBuf,
    /// The folders of packages of the repository that it depends on, in whatever way.
    dependencies: Vec<PathBuf>,
    /// A build script, or a source that includes files from elsewhere, may read whatever changes.
    reads_others: bool,
}

/// The part of a comparison that is left.
pub(super) enum Narrowed {
    /// These options build the affected packages only.
    To(Build),
    /// No package with benchmarks is affected by what these versions differ in.
    ToNothing([Identity; 2]),
}

/// Narrows what options build to the packages that are affected.
pub(super) fn narrowed(range: &Range, options: &Build) -> Result<Narrowed> {
    let all = Build { affected: false, ..options.clone() };
    let here = std::env::current_dir().unwrap_or_default();
    let manifest = sides::manifest(options, &here)?;
    let repository = Repository::around(manifest.parent().unwrap_or(&here))?;
    let (base, head) = sides::resolve(range, &repository)?;
    let mut files = repository.changed(&base, head.as_ref())?;
    match &head {
        // The packages are known of the working tree alone.
        Some(head) => {
            if repository.head()?.as_ref() != Some(&head.hash) || repository.is_dirty()? {
                return Ok(Narrowed::To(all));
            }
        }
        None => {
            files.extend(repository.untracked()?);
            files.extend(repository.silenced()?);
        }
    }
    let metadata = metadata(Some(&manifest))?;
    let members: Vec<Member> = metadata.packages.iter().map(Member::of).collect();
    let affected = affected(&members, &files, &repository.top);
    let exchanged = exchanged(&metadata.workspace_root);
    let Some(affected) =
        affected.filter(|names| exchanged.is_some_and(|all| all.is_disjoint(names)))
    else {
        return Ok(Narrowed::To(all));
    };
    Ok(match with_packages(all, &metadata, &manifest, &affected) {
        Some(build) => Narrowed::To(build),
        None => Narrowed::ToNothing(sides::identities(&repository, base, head)?),
    })
}

fn with_packages(
    options: Build,
    metadata: &Metadata,
    manifest: &Path,
    affected: &BTreeSet<String>,
) -> Option<Build> {
    let selected = targets::selected(metadata, manifest, &options).into_iter();
    let has_benches = |package: &&Package| package.targets.iter().any(|one| one.is("bench"));
    let names = selected.filter(has_benches).map(|package| &package.name);
    let package = names.filter(|name| affected.contains(*name)).cloned().collect();
    let build = Build { package, workspace: false, exclude: Vec::new(), ..options };
    (!build.package.is_empty()).then_some(build)
}

impl Member {
    fn of(package: &Package) -> Self {
        let folder = package.manifest_path.parent().unwrap_or(Path::new("")).to_owned();
        let has_script = package.targets.iter().any(|target| target.is("custom-build"));
        let dependencies = package.dependencies.iter().filter_map(|one| one.path.clone());
        Self {
            name: package.name.clone(),
            dependencies: dependencies.collect(),
            reads_others: has_script || includes(&folder),
            folder,
        }
    }
}

/// Whether a source below a folder names a folder above its own, as `include!` and `#[path]` of a file of another package do. A
/// folder that cannot be read may.
fn includes(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return true };
    entries.flatten().any(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                let is_built = path.join("CACHEDIR.TAG").is_file();
                !is_built && !path.ends_with(".git") && includes(&path)
            }
            // A link may lead anywhere.
            Ok(kind) if kind.is_symlink() => true,
            _ if path.extension().is_some_and(|ending| ending == "rs") => {
                let marks = ["\"../", "\"..\"", "/../", "CARGO_MANIFEST_DIR", "r\"..", "#\"../"];
                fs::read(&path).map_or(true, |text| {
                    let has = |mark: &str| memmem::find(&text, mark.as_bytes()).is_some();
                    has("..") && marks.into_iter().any(has)
                })
            }
            _ => false,
        }
    })
}

/// The names of packages that a manifest or a configuration of cargo exchanges for others: what depends on these is not known, as
/// crates of a registry may. Nothing where a file cannot be read, or exchanges packages by folders.
fn exchanged(workspace: &Path) -> Option<BTreeSet<String>> {
    let manifest = fs::read_to_string(workspace.join("Cargo.toml")).ok()?.parse::<Table>().ok()?;
    let settings = Settings::read(&configuration::files(workspace)).ok()?;
    let mut names = BTreeSet::new();
    for table in settings.tables().map(|(_, table)| table).chain([&manifest]) {
        if table.contains_key("paths") {
            return None;
        }
        let entries = |key: &str| table.get(key).and_then(Value::as_table).into_iter().flatten();
        for (name, entry) in entries("patch").filter_map(|(_, of)| of.as_table()).flatten() {
            let other = entry.get("package").and_then(Value::as_str);
            names.insert(other.unwrap_or(name).to_owned());
        }
        for (name, _) in entries("replace") {
            names.insert(name.split([':', '@']).next().unwrap_or(name).to_owned());
        }
    }
    Some(names)
}

/// Returns the names of packages that changed files can have an effect on; nothing if that is all of them. Files are paths below
/// `top`.
fn affected(members: &[Member], files: &[String], top: &Path) -> Option<BTreeSet<String>> {
    let mut changed: BTreeSet<usize> = BTreeSet::new();
    for file in files {
        let name = file.rsplit('/').next().unwrap_or(file);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if OF_BUILDS.contains(&name) || file.split('/').any(|part| part == ".cargo") {
            return None;
        }
        let is_source = kinds_of_files::is_source(extension);
        if !is_source && kinds_of_files::may_be_read(file) {
            return None;
        }
        // A page can still be part of a program, by `include_str!`.
        changed.extend((0..members.len()).filter(|at| members[*at].reads_others));
        match owner(members, &top.join(file)) {
            None if is_source => return None,
            owner => changed.extend(owner),
        }
    }
    loop {
        let is_of = |folder: &PathBuf| changed.iter().any(|at| members[*at].folder == *folder);
        let more: Vec<usize> = (0..members.len())
            .filter(|at| !changed.contains(at) && members[*at].dependencies.iter().any(is_of))
            .collect();
        if more.is_empty() {
            break;
        }
        changed.extend(more);
    }
    Some(changed.into_iter().map(|at| members[at].name.clone()).collect())
}

/// The package that a file belongs to: the innermost one around it. None where that is not a member, although members may depend on
/// it.
fn owner(members: &[Member], file: &Path) -> Option<usize> {
    let around = (0..members.len()).filter(|at| file.starts_with(&members[*at].folder));
    let owner = around.max_by_key(|at| members[*at].folder.components().count())?;
    let mut within = file.ancestors().skip(1).take_while(|folder| *folder != members[owner].folder);
    (!within.any(|folder| folder.join("Cargo.toml").is_file())).then_some(owner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Packages `p0`, `p1`, … each with these dependencies.
    fn members(dependencies: &[Vec<usize>]) -> Vec<Member> {
        let folder = |at: usize| PathBuf::from(format!("/r/p{at}"));
        let member = |(at, of): (usize, &Vec<usize>)| Member {
            name: format!("p{at}"),
            folder: folder(at),
            dependencies: of.iter().map(|at| folder(*at)).collect(),
            reads_others: false,
        };
        dependencies.iter().enumerate().map(member).collect()
    }

    fn of(members: &[Member], files: &[&str]) -> Option<Vec<String>> {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        Some(affected(members, &files, Path::new("/r"))?.into_iter().collect())
    }

    #[test]
    fn a_source_affects_its_package_and_all_that_depend_on_it() {
        let chain = members(&[vec![], vec![0], vec![1], vec![]]);
        assert_eq!(of(&chain, &["p0/src/lib.rs"]).unwrap(), ["p0", "p1", "p2"]);
        assert_eq!(of(&chain, &["p3/benches/x.rs"]).unwrap(), ["p3"]);
        assert!(of(&chain, &[]).unwrap().is_empty());
        assert!(of(&chain, &["CHANGELOG.md", ".github/workflows/x.yml"]).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_decided_affects_all() {
        let two = members(&[vec![], vec![]]);
        for file in [
            "p0/Cargo.toml",
            "Cargo.lock",
            "rust-toolchain.toml",
            ".cargo/config.toml",
            "p0/data/words.json",
            "common.rs",
            "p0/benches/input.txt.gz",
        ] {
            assert_eq!(of(&two, &[file]), None, "{file}");
        }
        let mut reads = members(&[vec![], vec![]]);
        reads[1].reads_others = true;
        assert_eq!(of(&reads, &["p0/src/lib.rs"]).unwrap(), ["p0", "p1"]);
    }

    #[test]
    fn a_package_within_a_package_owns_its_files() {
        let mut nested = members(&[vec![], vec![]]);
        nested[1].folder = PathBuf::from("/r/p0/inner");
        assert_eq!(of(&nested, &["p0/inner/src/lib.rs"]).unwrap(), ["p1"]);
    }

    #[test]
    fn a_package_that_is_no_member_is_in_doubt() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        fs::create_dir_all(top.join("vendored/src")).unwrap();
        let mut members = members(&[vec![]]);
        members[0].folder = top.to_owned();
        let all = |members: &[Member]| {
            affected(members, &["vendored/src/lib.rs".to_owned()], top).is_none()
        };
        assert!(!all(&members));
        fs::write(top.join("vendored/Cargo.toml"), "").unwrap();
        assert!(all(&members));
    }

    #[test]
    fn exchanged_packages_are_found_by_their_own_names() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let found = || exchanged(folder.path()).map(|names| names.into_iter().collect::<Vec<_>>());
        write("Cargo.toml", "[workspace]");
        assert_eq!(found().unwrap(), [""; 0]);
        let manifest = "[patch.crates-io]\na = { path = 'x' }\nb = { package = 'c', path = 'y' }\n\
                        [replace]\n'd:1.0.0' = { path = 'z' }";
        write("Cargo.toml", manifest);
        assert_eq!(found().unwrap(), ["a", "c", "d"]);
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        write(".cargo/config.toml", "[patch.'https://example.org']\ne = { path = 'x' }");
        assert_eq!(found().unwrap(), ["a", "c", "d", "e"]);
        write(".cargo/config.toml", "paths = ['own']");
        assert_eq!(found(), None);
    }

    #[test]
    fn sources_that_name_other_folders_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| fs::write(folder.path().join("lib.rs"), text).unwrap();
        write("let range = 0..3; // ..");
        assert!(!includes(folder.path()));
        for text in [
            "#[path = \"../other/mod.rs\"] mod a;",
            "include_str!(\"../../x\")",
            "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/..\"))",
        ] {
            write(text);
            assert!(includes(folder.path()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_reached_is_left_out(
            edges in proptest::collection::vec((0_usize..12, 0_usize..12), 0..40),
            changed in proptest::collection::vec(0_usize..12, 0..4),
        ) {
            let mut dependencies = vec![Vec::new(); 12];
            for (from, to) in edges {
                dependencies[from].push(to);
            }
            let files: Vec<String> = changed.iter().map(|at| format!("p{at}/src/lib.rs")).collect();
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let found = of(&members(&dependencies), &files).unwrap();
            // By another way: all that can be reached from each package.
            for from in 0..12 {
                let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
                while let Some(at) = left.pop() {
                    if reached.insert(at) {
                        left.extend(&dependencies[at]);
                    }
                }
                let is_affected = changed.iter().any(|at| reached.contains(at));
                prop_assert_eq!(found.contains(&format!("p{from}")), is_affected);
            }
        }
    }
}
