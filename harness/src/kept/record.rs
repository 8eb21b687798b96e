//! Records that are kept under a name, to compare later ones with.

use std::path::{Path, PathBuf};

use crate::{
    listed::Listed,
    order::{order, sorted},
    output::{complain, try_file},
    record::{self, AnyRecord, Record, Side, StoreError},
    text::visible,
};

fn path(folder: &Path, name: &str) -> PathBuf {
    super::path(folder, name, "json")
}

/// Whether there is a record of this name.
pub(crate) fn exists(folder: &Path, name: &str) -> bool {
    path(folder, name).symlink_metadata().is_ok()
}

/// Reads a baseline.
///
/// # Errors
/// Says which file is missing or damaged, and what to do.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Record, String> {
    let mut path = path(folder, name);
    if name == LAST && !path.exists() {
        path = newest(folder).ok_or_else(|| {
            format!("nothing has been measured yet: there is no record in {}", folder.display())
        })?;
    }
    let name = visible(name);
    match record::read_any(&path) {
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
            let known = names(folder);
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
///
/// # Errors
/// Says what could not be written.
pub(crate) fn try_to_save(folder: &Path, name: &str) -> Result<(), String> {
    let path = path(folder, name);
    try_file(&path).map_err(|error| {
        let name = visible(name);
        format!("the baseline `{name}` cannot be kept: cannot write {}: {error}", path.display())
    })
}

/// Keeps a record as a baseline. Answers the benchmarks of the baseline before it that it does not have.
///
/// # Errors
/// Says what could not be written. The baseline before it is then still there.
pub(crate) fn save(folder: &Path, name: &str, record: &Record) -> Result<Vec<String>, String> {
    let path = path(folder, name);
    let before = record::read(&path).ok();
    record::write(record, &path).map_err(|error| error.to_string())?;
    let kept: Vec<&str> = record.cases.iter().map(|case| case.name.as_str()).listed();
    let kept = sorted(&kept, &Ord::cmp);
    let mut gone = Vec::new();
    for case in before.map_or(Vec::new(), |before| before.cases) {
        if kept.binary_search(&case.name.as_str()).is_err() {
            gone.push(case.name);
        }
    }
    Ok(gone)
}

/// The baselines that there are, as their files are called.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for file in std::fs::read_dir(folder.join("baselines")).into_iter().flatten() {
        let file = file.map(|file| file.file_name()).unwrap_or_default();
        let name = file.to_str().and_then(|file| file.strip_suffix(".json"));
        // What a killed process has begun to write begins with a dot.
        names.extend(name.filter(|name| !name.starts_with('.')).map(visible));
    }
    let sorted = order(names.len(), &|a, b| names[a].cmp(&names[b]));
    sorted.into_iter().map(|index| names[index].clone()).collect()
}
