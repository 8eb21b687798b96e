//! Finds the newest record that was written.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{
    cargo,
    error::{Result, error},
};

/// The newest record below the folder of records: `PLUSMINUS_OUTPUT`, or `target/plusminus` here or in a folder above.
pub(crate) fn record() -> Result<PathBuf> {
    let Some(root) = root() else {
        return error(
            "there is no target/plusminus here or in a folder above: run `cargo bench` first, or name a record",
        );
    };
    // A shared folder has records of other projects.
    let packages = cargo::metadata(None).map_or_else(|_| Vec::new(), |metadata| metadata.packages);
    let is_own = |folder: &Path| packages.iter().any(|package| folder.ends_with(&package.name));
    let Some(record) = newest(&root, is_own).or_else(|| record_below(&root)) else {
        let root = root.display();
        return error(format!("{root} holds no record: run `cargo bench` first, or name one"));
    };
    Ok(record)
}

/// The newest record of all bench targets in a folder: the names of records begin with the time.
pub(crate) fn record_below(root: &Path) -> Option<PathBuf> {
    newest(root, |_| true)
}

/// The newest record in folders of packages that are wanted.
fn newest(root: &Path, is_wanted: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    // The folder of a bench target lies in that of its package, or in the same folder if the package is not known.
    let folders: Vec<PathBuf> = entries(root).filter(|folder| is_wanted(folder)).collect();
    let inner = folders.iter().flat_map(|folder| entries(folder));
    let targets = folders.iter().cloned().chain(inner);
    let records = targets
        .flat_map(|target| entries(&target.join("records")))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    records.max_by(|a, b| (a.file_name(), a).cmp(&(b.file_name(), b)))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn root() -> Option<PathBuf> {
    if let Some(root) = env::var_os("PLUSMINUS_OUTPUT") {
        return Some(PathBuf::from(root));
    }
    if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
        return Some(PathBuf::from(target).join("plusminus")).filter(|root| root.is_dir());
    }
    let here = env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("target/plusminus")).find(|root| root.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_other_projects_are_passed_over() {
        let root = tempfile::tempdir().unwrap();
        for (package, time) in [("own", 1), ("other", 2)] {
            let folder = root.path().join(package).join("speed/records");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(format!("2026-01-0{time}.json")), "{}").unwrap();
        }
        let of = |name: &'static str| newest(root.path(), move |folder| folder.ends_with(name));
        assert!(of("own").unwrap().ends_with("own/speed/records/2026-01-01.json"));
        assert_eq!(of("none"), None);
        let newest = record_below(root.path()).unwrap();
        assert!(newest.ends_with("other/speed/records/2026-01-02.json"));
    }
}
