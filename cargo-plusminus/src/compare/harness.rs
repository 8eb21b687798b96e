//! Gives base the harness of head, so that a change that upgrades plusminus, or begins to use it, can be compared. Both versions
//! have to speak the same protocol, and a different harness is no change of the code under measurement.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use toml_edit::{DocumentMut, Item, TableLike};

use super::{
    lockfile::{self, Text},
    outside::walk,
};
use crate::{
    cargo::{Metadata, Package},
    error::{Result, at},
};

const TABLES: [&str; 3] = ["dev-dependencies", "dependencies", "build-dependencies"];

/// Makes the manifests of a tree ask for the harness that those of head ask for; `content` is a file of head by its path. Returns
/// the manifests that it has changed.
pub(super) fn follow(
    tree: &Path,
    content: &dyn Fn(&Path) -> Result<Option<Vec<u8>>>,
) -> Result<Vec<PathBuf>> {
    let mut changed = Vec::new();
    for path in manifests(tree)? {
        let inner = path.strip_prefix(tree).unwrap_or(&path);
        let text = fs::read_to_string(&path).map_err(at("read", &path))?;
        let new = content(inner)?.and_then(|bytes| String::from_utf8(bytes).ok());
        // Cargo's own message about a manifest that it cannot read is the better one.
        let (Ok(mut old), Some(Ok(new))) =
            (text.parse::<DocumentMut>(), new.map(|new| new.parse::<DocumentMut>()))
        else {
            continue;
        };
        let mut count = in_tables(old.as_table_mut(), new.as_table());
        for outer in ["workspace", "target"] {
            let pair = (old.get_mut(outer).and_then(Item::as_table_like_mut), new.get(outer));
            let (Some(old), Some(new)) = (pair.0, pair.1.and_then(Item::as_table_like)) else {
                continue;
            };
            count += in_tables(old, new);
            for (key, new) in new.iter() {
                let old = old.get_mut(key).and_then(Item::as_table_like_mut);
                if let (Some(old), Some(new)) = (old, new.as_table_like()) {
                    count += in_tables(old, new);
                }
            }
        }
        if count > 0 {
            fs::write(&path, old.to_string()).map_err(at("write", &path))?;
            changed.push(inner.to_owned());
        }
    }
    Ok(changed)
}

/// Replaces the dependencies on the harness in the tables of dependencies, and returns how many differed.
fn in_tables(old: &mut dyn TableLike, new: &dyn TableLike) -> usize {
    let mut count = 0;
    for name in TABLES {
        let table = old.get_mut(name).and_then(Item::as_table_like_mut);
        let Some((table, wanted)) = table.zip(new.get(name).and_then(Item::as_table_like)) else {
            continue;
        };
        for (key, dependency) in wanted.iter().filter(|(key, one)| is_ours(key, one)) {
            if let Some(there) = table.get_mut(key)
                && plain(there) != plain(dependency)
                && !is_at_one_path(there, dependency)
            {
                *there = dependency.clone();
                count += 1;
            }
        }
    }
    count
}

/// Whether both stand in the same folder: of a harness in the repository itself, each version has its own.
fn is_at_one_path(old: &Item, new: &Item) -> bool {
    let path = |item: &Item| item.get("path").and_then(Item::as_str).map(str::to_owned);
    path(old).is_some_and(|old| path(new) == Some(old))
}

/// A dependency without what stands around it.
fn plain(dependency: &Item) -> String {
    let mut dependency = dependency.clone();
    if let Some(value) = dependency.as_value_mut() {
        value.decor_mut().clear();
    }
    dependency.to_string().trim().to_owned()
}

/// Whether a dependency is plusminus or a drop-in of it.
fn is_ours(key: &str, dependency: &Item) -> bool {
    let package = dependency.get("package").and_then(Item::as_str).unwrap_or(key);
    ["plusminus", "plusminus-criterion", "plusminus-divan"].contains(&package)
}

/// Whether bench targets of these packages may use plusminus: a package depends on it, perhaps by way of others. A package of which
/// neither the workspace nor the lock file knows the dependencies may have any.
pub(super) fn may_be_used(packages: &[&Package], metadata: &Metadata, lock: &Text) -> Result<bool> {
    let published = lockfile::dependencies(lock)?;
    let mut left: Vec<&str> = packages.iter().map(|package| &*package.name).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = left.pop() {
        let members = metadata.packages.iter().filter(|package| package.name == name);
        let mut known = members.map(|one| &one.dependencies).peekable();
        let others = published.get(name);
        if name.starts_with("plusminus") || known.peek().is_none() && others.is_none() {
            return Ok(true);
        }
        if seen.insert(name) {
            left.extend(known.flatten().map(|one| &*one.name));
            left.extend(others.into_iter().flatten().map(String::as_str));
        }
    }
    Ok(false)
}

/// Returns the manifests in a tree.
pub(super) fn manifests(tree: &Path) -> Result<Vec<PathBuf>> {
    let files = walk(tree)?.into_iter().filter(|(_, kind)| kind.is_file());
    let files = files.map(|(path, _)| path).filter(|path| path.ends_with("Cargo.toml"));
    let mut found: Vec<PathBuf> = files.collect();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns base's manifest after it followed head's.
    fn followed(base: &str, head: &str) -> (String, usize) {
        let tree = tempfile::tempdir().unwrap();
        fs::create_dir_all(tree.path().join("inner")).unwrap();
        fs::write(tree.path().join("inner/Cargo.toml"), base).unwrap();
        let content = |path: &Path| {
            assert_eq!(path, Path::new("inner/Cargo.toml"));
            Ok(Some(head.as_bytes().to_vec()))
        };
        let changed = follow(tree.path(), &content).unwrap();
        (fs::read_to_string(tree.path().join("inner/Cargo.toml")).unwrap(), changed.len())
    }

    #[test]
    fn base_gets_the_harness_of_head_and_nothing_else() {
        let base = "[dependencies]\nserde = \"1.0\"\n[dev-dependencies]\nplusminus = \"0.1\" # old\ncriterion = \"0.5\"\n\
                    [workspace.dependencies]\ndivan = \"0.1\"\n";
        let head = "[dependencies]\nserde = \"1.1\"\n[dev-dependencies]\nplusminus = \"0.2\"\n\
                    criterion = { package = \"plusminus-criterion\", version = \"0.2\" }\nrand = \"1\"\n\
                    [workspace.dependencies]\ndivan = { package = \"plusminus-divan\", version = \"0.2\" }\n";
        let (text, changed) = followed(base, head);
        assert_eq!(changed, 1);
        let read: toml::Table = text.parse().unwrap();
        assert_eq!(read["dependencies"]["serde"].as_str(), Some("1.0"));
        assert_eq!(read["dev-dependencies"]["plusminus"].as_str(), Some("0.2"));
        assert_eq!(read["dev-dependencies"]["criterion"]["version"].as_str(), Some("0.2"));
        assert_eq!(read["workspace"]["dependencies"]["divan"]["version"].as_str(), Some("0.2"));
        assert!(read["dev-dependencies"].get("rand").is_none());
    }

    #[test]
    fn the_harness_is_found_by_way_of_other_packages_and_where_nothing_is_known() {
        let package = |name: &str, dependencies: &[&str]| {
            let dependencies: Vec<_> =
                dependencies.iter().map(|name| serde_json::json!({ "name": name })).collect();
            serde_json::json!({
                "id": name, "name": name, "manifest_path": "", "targets": [], "dependencies": dependencies,
            })
        };
        let metadata: Metadata = serde_json::from_value(serde_json::json!({
            "packages": [
                package("own", &["plusminus-criterion"]),
                package("by-facade", &["facade"]),
                package("by-published", &["wraps"]),
                package("facade", &["other", "plusminus"]),
                package("other", &["criterion"]),
                package("by-path", &["outside"]),
                package("not-locked", &["added-since"]),
            ],
            "workspace_root": "", "target_directory": "",
        }))
        .unwrap();
        let of = |name: &str, dependencies: &str| {
            let from = "source = \"registry+https://example.org/index\"";
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{from}\ndependencies = [{dependencies}]\n"
            )
        };
        let lock = [
            of("criterion", "\"serde 1.0.0\", \"criterion\""),
            of("serde", ""),
            of("wraps", "\"serde\", \"plusminus-divan\""),
            "[[package]]\nname = \"outside\"\nversion = \"0.1.0\"\n".to_owned(),
        ];
        let lock = lock.concat().into_bytes();
        for package in &metadata.packages {
            let found = may_be_used(&[package], &metadata, &lock).unwrap();
            assert_eq!(found, package.name != "other", "{}", package.name);
        }
    }

    #[test]
    fn the_same_harness_changes_nothing() {
        let base = "[dev-dependencies]\nplusminus = \"0.1\" # a\n";
        assert_eq!(followed(base, "[dev-dependencies]\nplusminus = \"0.1\"\n").1, 0);
        let at_path = |version: &str| {
            format!(
                "[dependencies]\nplusminus = {{ path = \"harness\", version = \"{version}\" }}\n"
            )
        };
        assert_eq!(followed(&at_path("0.1"), &at_path("0.2")).1, 0);
        for head in ["not toml [", "", "[dev-dependencies]\nrand = \"1\"\n"] {
            assert_eq!(followed(base, head), (base.to_owned(), 0), "{head}");
        }
    }
}
