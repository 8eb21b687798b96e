//! Records that are kept under a name, to compare later ones with.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use crate::{
    output::{complain, try_file},
    record::{self, AnyRecord, Home, Record, Side, StoreError},
    text::visible,
};

fn path(folder: &Path, name: &str) -> PathBuf {
    super::path(folder, name, "json")
}

/// A record that was found, and the folder of the bench target in which it is.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) record: Record,
    pub(crate) folder: PathBuf,
}

/// The folders in which a bench target may have something: its own, and the one from before packages had folders.
fn places(home: &Home) -> impl Iterator<Item = PathBuf> {
    [home.folder()].into_iter().chain(home.older())
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Whether there is a record of this name.
pub(crate) fn exists(home: &Home, name: &str) -> bool {
    places(home)
        .any(|folder| is_there(&path(&folder, name)) || name == LAST && newest(&folder).is_some())
}

pub(crate) fn read(home: &Home, name: &str) -> Result<Found, String> {
    let kept = places(home).find(|folder| is_there(&path(folder, name)));
    let last = || places(home).find_map(|folder| newest(&folder).map(|path| (path, folder)));
    let (path, folder) = match kept {
        Some(folder) => (path(&folder, name), folder),
        None if name == LAST => last().ok_or_else(|| {
            let folder = home.folder();
            format!("nothing has been measured yet: there is no record in {}", folder.display())
        })?,
        None => (path(&home.folder(), name), home.folder()),
    };
    let record = of_file(home, &path, name)?;
    if let Some(package) = home.stranger(&record.manifest) {
        return Err(refusal(home, &path, name, package));
    }
    if home.older().as_ref() == Some(&folder) && record.manifest.package.is_none() {
        complain(&format!(
            "plusminus: {} does not say which package it is of: it is taken to be of `{}`, because nothing newer is kept \
             in {}\n",
            path.display(),
            visible(&home.package),
            home.folder().display()
        ));
    }
    Ok(Found { record, folder })
}

fn of_file(home: &Home, path: &Path, name: &str) -> Result<Record, String> {
    let name = visible(name);
    match record::read_any(path) {
        Ok(AnyRecord::Measurement(record)) => Ok(*record),
        Ok(AnyRecord::Comparison(record)) => {
            complain(&format!(
                "plusminus: `{name}` is the record of a comparison: its new side, {}, is used; `cargo plusminus compare \
                 --from` reports both\n",
                visible(&record.new.name)
            ));
            Ok(record.side(Side::New))
        }
        Err(StoreError::File { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
            let known = names(home);
            let known = if known.is_empty() {
                "there is none yet".to_owned()
            } else {
                format!("there are {}", known.join(", "))
            };
            Err(format!(
                "there is no baseline `{name}` ({}); {known}; `--save-baseline {name}` keeps one",
                path.display()
            ))
        }
        Err(error) => Err(format!("the baseline `{name}` cannot be used: {error}")),
    }
}

fn refusal(home: &Home, path: &Path, name: &str, package: &str) -> String {
    let (own, target) = (visible(&home.package), visible(&home.target));
    let save = match name {
        LAST => String::new(),
        name => format!(" -- --save-baseline {}", visible(name)),
    };
    format!(
        "{} is a record of package `{}`, and this program is of package `{own}`; `cargo bench --package {own} --bench \
         {target}{save}` makes one of this package",
        path.display(),
        visible(package)
    )
}

/// The name that stands for the record that was written last, unless a baseline is called so.
const LAST: &str = "last";

/// The record that was written last: their names begin with the time.
fn newest(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder.join("records")).ok()?.flatten().map(|file| file.path());
    let written = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let modified = path.metadata().and_then(|meta| meta.modified()).ok();
        (modified, name)
    };
    let is_record = |path: &PathBuf| {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_some_and(|ending| ending == "json")
    };
    files.filter(is_record).max_by_key(written)
}

/// Tries whether a baseline can be kept later.
pub(crate) fn try_to_save(folder: &Path, name: &str) -> Result<(), String> {
    let path = path(folder, name);
    try_file(&path).map_err(|error| {
        let name = visible(name);
        format!("the baseline `{name}` cannot be kept: cannot write {}: {error}", path.display())
    })
}

/// Keeps a record as a baseline, or else the previous one. Returns the benchmarks of the previous one that it does not have.
pub(crate) fn save(folder: &Path, name: &str, record: &Record) -> Result<Vec<String>, String> {
    let path = path(folder, name);
    let before = record::read(&path).ok();
    record::write(record, &path).map_err(|error| error.to_string())?;
    let kept: BTreeSet<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
    let before = before.into_iter().flat_map(|before| before.cases).map(|case| case.name);
    Ok(before.filter(|name| !kept.contains(name.as_str())).collect())
}

/// The baselines that there are, as their files are called.
fn names(home: &Home) -> Vec<String> {
    let mut names = Vec::new();
    let files = places(home).map(|folder| std::fs::read_dir(folder.join("baselines")));
    for file in files.flatten().flatten() {
        let file = file.map(|file| file.file_name()).unwrap_or_default();
        let name = file.to_str().and_then(|file| file.strip_suffix(".json"));
        // Unfinished files of a killed process begin with a dot.
        names.extend(name.filter(|name| !name.starts_with('.')).map(visible));
    }
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Scratch;

    fn home(root: &Scratch, package: &str) -> Home {
        let (package, target) = (package.to_owned(), "bench".to_owned());
        Home { package, target, root: root.to_path_buf() }
    }

    fn of(package: Option<&str>) -> Record {
        let text = include_str!("../../../../tests/records/schema-1.json");
        let mut record = record::parse(text.as_bytes(), Path::new("schema-1.json")).unwrap();
        record.manifest.package = package.map(str::to_owned);
        record
    }

    #[test]
    fn packages_with_a_target_of_one_name_keep_their_baselines_apart() {
        let root = Scratch::new("kept-packages");
        let (a, b) = (home(&root, "a"), home(&root, "b"));
        save(&a.folder(), "main", &of(Some("a"))).unwrap();
        assert!(exists(&a, "main") && !exists(&b, "main"));
        assert!(read(&b, "main").unwrap_err().contains("there is no baseline `main`"));
        save(&b.folder(), "main", &of(Some("b"))).unwrap();
        assert_eq!(read(&a, "main").unwrap().record.manifest.package.as_deref(), Some("a"));
    }

    #[test]
    fn a_baseline_from_before_packages_had_folders_is_read_until_there_is_a_newer_one() {
        let root = Scratch::new("kept-older");
        let home = home(&root, "a");
        let older = home.older().unwrap();
        save(&older, "main", &of(None)).unwrap();
        assert_eq!(read(&home, "main").unwrap().folder, older);
        save(&home.folder(), "main", &of(Some("a"))).unwrap();
        assert_eq!(read(&home, "main").unwrap().folder, home.folder());
    }

    #[test]
    fn a_baseline_of_another_package_is_refused_with_a_command() {
        let root = Scratch::new("kept-stranger");
        let home = home(&root, "a");
        save(&home.older().unwrap(), "main", &of(Some("b"))).unwrap();
        let said = read(&home, "main").unwrap_err();
        assert!(said.contains("is a record of package `b`, and this program is of package `a`"));
        assert!(said.contains("cargo bench --package a --bench bench -- --save-baseline main"));
    }
}
