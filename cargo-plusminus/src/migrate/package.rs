//! The bench targets of packages, and what their manifests need.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::{
    cargo,
    error::{Result, at, error},
};

/// A bench target.
pub(super) struct Target {
    pub(super) package: String,
    pub(super) manifest: PathBuf,
    pub(super) name: String,
    pub(super) file: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<CargoTarget>,
}

#[derive(Deserialize)]
struct CargoTarget {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

/// All bench targets of the workspace, and the folder into which cargo builds.
///
/// # Errors
/// Cargo's own.
pub(super) fn targets(manifest: Option<&Path>) -> Result<(Vec<Target>, PathBuf)> {
    let metadata: Metadata = cargo::metadata(manifest)?;
    let mut all = Vec::new();
    for package in metadata.packages {
        for target in package.targets {
            if target.kind.iter().any(|kind| kind == "bench") {
                all.push(Target {
                    package: package.name.clone(),
                    manifest: package.manifest_path.clone(),
                    name: target.name,
                    file: target.src_path,
                });
            }
        }
    }
    Ok((all, metadata.target_directory))
}

/// A manifest in which these targets do without libtest, and plusminus is a dependency. All else stays as it is written.
///
/// # Errors
/// It cannot be read, or is written in a form that is not known.
pub(super) fn manifest(path: &Path, targets: &[&Target], harness: Option<&Path>) -> Result<String> {
    let text = std::fs::read_to_string(path).map_err(at("read", path))?;
    let strange = |what: &str| format!("{}: {what}; change it by hand", path.display());
    let mut document: DocumentMut =
        text.parse().or_else(|reason| error(strange(&format!("it cannot be read ({reason})"))))?;
    let benches = document.entry("bench").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(benches) = benches.as_array_of_tables_mut() else {
        return error(strange("`bench` is no `[[bench]]`"));
    };
    for target in targets {
        let own =
            |table: &&mut Table| table.get("name").and_then(Item::as_str) == Some(&target.name);
        if let Some(table) = benches.iter_mut().find(own) {
            table["harness"] = value(false);
        } else {
            let mut table = Table::new();
            table["name"] = value(&target.name);
            table["harness"] = value(false);
            benches.push(table);
        }
    }
    let dependencies = document.entry("dev-dependencies").or_insert(toml_edit::table());
    let Some(dependencies) = dependencies.as_table_like_mut() else {
        return error(strange("`dev-dependencies` is no table"));
    };
    if !dependencies.contains_key("plusminus") {
        let mut source = toml_edit::InlineTable::new();
        match harness {
            Some(folder) => source.insert("path", folder.display().to_string().into()),
            None => source.insert("version", env!("CARGO_PKG_VERSION").into()),
        };
        dependencies.insert("plusminus", value(source));
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_keeps_what_its_author_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Cargo.toml");
        std::fs::write(
            &path,
            "[package] # mine\nname = \"a\"\n\n[[bench]]\nname = \"one\" # first\n",
        )
        .unwrap();
        let target = |name: &str| Target {
            package: "a".to_owned(),
            manifest: path.clone(),
            name: name.to_owned(),
            file: PathBuf::new(),
        };
        let changed = manifest(&path, &[&target("one"), &target("two")], None).unwrap();
        assert!(
            changed.contains("[package] # mine") && changed.contains("\"one\" # first"),
            "{changed}"
        );
        assert_eq!(changed.matches("harness = false").count(), 2, "{changed}");
        assert!(changed.contains("[dev-dependencies]\nplusminus = { version = "), "{changed}");
        std::fs::write(&path, "bench = 3").unwrap();
        assert!(manifest(&path, &[], None).unwrap_err().to_string().contains("by hand"));
    }
}
