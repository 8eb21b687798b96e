//! Crates outside of the repository that are depended on by path: where they are, so that trees can be given them, and
//! in which state they are, so that the report can say it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, FileType},
    path::{Component, Path, PathBuf},
    time::SystemTime,
};

use plusminus::record::OutsideCrates;
use toml::{Table, Value};

use super::{git::Repository, surroundings::Surroundings};
use crate::{
    cargo::Metadata,
    error::{Result, at},
};

/// The folders that a tree needs around itself, as real paths.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Crates, and their workspaces where those are above the repository.
    pub(super) folders: BTreeSet<PathBuf>,
    /// One of them depends on something in the repository.
    pub(super) lead_back: bool,
}

impl Needs {
    /// Returns the targets of relative paths in the user's own repository. Cargo has read it and knows its packages.
    pub(super) fn of_repository(top: &Path, metadata: &Metadata) -> Self {
        let packages = metadata.packages.iter();
        let mut manifests: Vec<PathBuf> =
            packages.map(|package| package.manifest_path.clone()).collect();
        let root = &metadata.workspace_root;
        manifests.extend(FILES.map(|file| root.join(file)));
        Self::closure(leading_out(manifests, top), top)
    }

    /// Returns the targets of relative paths in a checked-out tree. Cargo reads no manifest whose dependencies are
    /// missing, so all manifests are read, even if some are not used.
    pub(super) fn of_tree(top: &Path, around: &Surroundings) -> Result<Self> {
        let all = walk(&around.tree)?.into_iter().filter(|(_, kind)| kind.is_dir());
        let folders = all.map(|(folder, _)| folder).chain([around.tree.clone()]);
        let manifests = folders.flat_map(|folder| FILES.map(|file| folder.join(file))).collect();
        let outside = leading_out(manifests, &around.tree);
        let real = outside.iter().filter_map(|path| around.real(path));
        // The paths of an unused manifest may not exist. Cargo reports missing paths of a used one.
        let there = real.filter(|path| path.join("Cargo.toml").is_file()).collect();
        Ok(Self::closure(there, top))
    }

    fn closure(mut left: Vec<PathBuf>, top: &Path) -> Self {
        let mut needs = Self::default();
        while let Some(folder) = left.pop() {
            if folder.starts_with(top) {
                needs.lead_back = true;
                continue;
            }
            if !needs.folders.insert(folder.clone()) {
                continue;
            }
            let manifest = folder.join("Cargo.toml");
            left.extend(paths_in(&manifest));
            if let Some(workspace) = workspace_of(&manifest) {
                left.extend(paths_in(&workspace.join("Cargo.toml")));
                if top.starts_with(&workspace) {
                    needs.folders.insert(workspace);
                }
            }
        }
        needs
    }
}

/// Where paths to crates are written.
const FILES: [&str; 3] = ["Cargo.toml", ".cargo/config.toml", ".cargo/config"];

/// Returns everything in a tree with its kind, but for git's own. Links are not followed.
pub(super) fn walk(tree: &Path) -> Result<Vec<(PathBuf, FileType)>> {
    let mut found = Vec::new();
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(at("read", &folder))? {
            let entry = entry.map_err(at("read", &folder))?;
            let kind = entry.file_type().map_err(at("read", &folder))?;
            if entry.file_name() == ".git" {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            }
            found.push((entry.path(), kind));
        }
    }
    Ok(found)
}

/// The paths that lead out of a folder, from manifests in it and those to which their paths lead within it.
fn leading_out(mut manifests: Vec<PathBuf>, inside: &Path) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    while let Some(manifest) = manifests.pop() {
        if !seen.insert(manifest.clone()) {
            continue;
        }
        for path in paths_in(&manifest) {
            if path.starts_with(inside) {
                manifests.push(path.join("Cargo.toml"));
            } else {
                out.push(path);
            }
        }
    }
    out
}

/// Returns the workspace that a crate belongs to and inherits from.
fn workspace_of(manifest: &Path) -> Option<PathBuf> {
    let own = document(manifest);
    let named = own.get("package").and_then(|package| package.get("workspace")?.as_str());
    if let Some(named) = named {
        return Some(lexical(&manifest.parent()?.join(named)));
    }
    let has_one = |folder: &&Path| document(&folder.join("Cargo.toml")).contains_key("workspace");
    manifest.ancestors().skip(1).find(has_one).map(Path::to_owned)
}

/// The document of a file. An invalid one is treated as empty: cargo reports the fault.
pub(super) fn document(file: &Path) -> Table {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.parse().unwrap_or_default()
}

/// The folders that relative paths of a manifest, or of a file of configuration, lead to.
fn paths_in(file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(file);
    let configuration = folder.file_name().is_some_and(|name| name == ".cargo");
    let folder = if configuration { folder.parent().unwrap_or(folder) } else { folder };
    let paths = relative_paths(&document(file));
    paths.iter().map(|path| lexical(&folder.join(path))).collect()
}

/// Returns the relative paths of all dependencies of a document, and of its replacements for published crates.
fn relative_paths(document: &Table) -> Vec<String> {
    fn sub<'a>(table: &'a Table, key: &str) -> Option<&'a Table> {
        table.get(key)?.as_table()
    }
    let tables = |key| sub(document, key).into_iter().flat_map(Table::values);
    let owners = tables("target").filter_map(Value::as_table).chain([document]);
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let lists = owners
        .chain(sub(document, "workspace"))
        .flat_map(|owner| kinds.into_iter().filter_map(|kind| sub(owner, kind)))
        .chain(tables("patch").filter_map(Value::as_table))
        .chain(sub(document, "replace"));
    let paths = lists.flat_map(Table::values).filter_map(|value| value.get("path")?.as_str());
    paths.filter(|path| Path::new(path).is_relative()).map(str::to_owned).collect()
}

/// A path without `.` and `..`, found by its text alone, as cargo does it.
pub(super) fn lexical(path: &Path) -> PathBuf {
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

/// A path from a folder on, both absolute and without `..`: itself if none leads there, as between drives.
pub(super) fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

/// The states of outside crates, by the repository that they are in; `crates` are names and real folders, and builds began
/// at `began`. Paths begin at `top`, as a record may be published.
pub(super) fn states(
    top: &Path,
    crates: &BTreeSet<(String, PathBuf)>,
    began: SystemTime,
) -> Result<Vec<OutsideCrates>> {
    let mut found: BTreeMap<PathBuf, OutsideCrates> = BTreeMap::new();
    for (name, folder) in crates {
        let repository = Repository::of(folder)?;
        let place = repository.as_ref().map_or(folder, |repository| &repository.top);
        let edited = edited_since(folder, began);
        let edited = edited.map(|file| relative(top, &file).display().to_string());
        if let Some(known) = found.get_mut(place) {
            known.crates.push(name.clone());
            known.edited = known.edited.take().or(edited);
            continue;
        }
        let (commit, dirty) = match &repository {
            Some(repository) => (repository.head()?, repository.is_dirty()?),
            None => (None, false),
        };
        let outside = OutsideCrates {
            folder: relative(top, place).display().to_string(),
            crates: vec![name.clone()],
            in_git: repository.is_some(),
            commit,
            dirty,
            edited,
        };
        found.insert(place.clone(), outside);
    }
    Ok(found.into_values().collect())
}

/// A source or manifest of a crate that was written after a moment. A file that cannot be read counts as old.
fn edited_since(folder: &Path, began: SystemTime) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Ok(found) = entry.metadata() else { continue };
            // Cargo marks its target folders so.
            let is_kept =
                !name.as_encoded_bytes().starts_with(b".") && !path.join("CACHEDIR.TAG").exists();
            if found.is_dir() && is_kept {
                folders.push(path);
            } else if found.is_file()
                && (path.extension().is_some_and(|it| it == "rs") || name == "Cargo.toml")
                && found.modified().is_ok_and(|written| written > began)
            {
                return Some(path);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_source_that_is_written_while_building_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            plusminus::output::write_file(&path, b"").unwrap();
            path
        };
        let began = SystemTime::now() - Duration::from_secs(100);
        for other in ["target/CACHEDIR.TAG", "target/x.rs", ".git/x.rs", "notes.md"] {
            file(other);
        }
        assert_eq!(edited_since(folder.path(), began), None);
        let source = file("src/deep/lib.rs");
        assert_eq!(edited_since(folder.path(), began), Some(source));
        assert_eq!(edited_since(folder.path(), SystemTime::now() + Duration::from_secs(100)), None);
    }

    #[test]
    fn a_path_leads_from_a_folder_to_a_file() {
        for (from, to, path) in [
            ("/w/project", "/w/other/src", "../other/src"),
            ("/w/project", "/w/project/in/it", "in/it"),
            ("/w/project", "/w/project", "."),
            ("/w/project", "/w", ".."),
            ("/w/project", "/opt", "../../opt"),
        ] {
            assert_eq!(relative(from.as_ref(), to.as_ref()), Path::new(path), "{to}");
        }
    }

    #[test]
    fn every_place_of_a_relative_path_is_known() {
        let text = "[package]\nname = \"x\"\n[dependencies]\na = { path = \"../a\", version = \"1\" }\nz = \"1\"\n\
                    y = { path = \"/absolute\" }\n[target.'cfg(unix)'.dev-dependencies.b]\npath = \"../b\"\n\
                    [build-dependencies]\nc.path = \"c\"\n[workspace.dependencies]\nd = { path = \"../d\" }\n\
                    [patch.crates-io]\ne = { path = \"../e\" }\n[replace]\n\"f:1.0.0\" = { path = \"../f\" }\n";
        let mut paths = relative_paths(&text.parse().unwrap());
        paths.sort();
        assert_eq!(paths, ["../a", "../b", "../d", "../e", "../f", "c"]);
        assert_eq!(lexical(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
    }

    #[test]
    fn what_outside_crates_need_is_found_with_their_workspaces() {
        let folder = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(folder.path()).unwrap();
        let write = |path: &str, text: &str| {
            plusminus::output::write_file(&home.join(path).join("Cargo.toml"), text.as_bytes())
                .unwrap();
        };
        write(
            "",
            "[workspace]\nexclude = [\"project\"]\n[workspace.dependencies]\nw = { path = \"w\" }\n",
        );
        write("project", "[dependencies]\ninner = { path = \"inner\" }\n[workspace]\n");
        write("project/inner", "[dependencies]\na = { path = \"../../a\" }\n");
        write("a", "[dependencies]\nback = { path = \"../project/inner\" }\nw.workspace = true\n");
        let top = home.join("project");
        let needs = Needs::closure(leading_out(vec![top.join("Cargo.toml")], &top), &top);
        let wanted: BTreeSet<PathBuf> = ["a", "w"].map(|name| home.join(name)).into();
        assert!(needs.folders.is_superset(&wanted) && needs.folders.contains(&home), "{needs:?}");
        assert!(needs.lead_back);
    }
}
