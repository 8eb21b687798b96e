//! The folder of a history: a folder for each machine, a file for each record. Files are never changed after they are
//! written, so that two branches of a repository, or two jobs, add to the same history without a conflict.

use std::{
    fmt::Display,
    fs,
    path::{Path, PathBuf},
};

use plusminus::{
    output::{Existing, write_file_with},
    text::{checksum, json_escaped},
};

use super::entry::{Entry, KIND, SCHEMA};
use crate::{
    error::{Error, Result, at, error},
    pages::slug,
};

/// The largest file that is read: beyond, it is something else.
const LARGEST: u64 = 64 << 20;

/// Where an entry is kept. Names from outside become letters, digits and dashes, with a number that keeps them
/// unique.
pub(super) fn place(folder: &Path, entry: &Entry, text: &str) -> PathBuf {
    let machine = format!("{}-{:08x}", slug(&entry.machine), checksum(&entry.machine));
    let time: String = entry.measured.chars().filter(|c| *c != ':').collect();
    let commit: String = entry.commit.name.chars().take(12).collect();
    let file = format!("{}-{}-{:08x}.json", slug(&time), slug(&commit), checksum(text));
    folder.join(machine.trim_start_matches('-')).join(file)
}

/// Writes an entry. Returns the file, and whether it is new.
pub(super) fn add(folder: &Path, entry: &Entry) -> Result<(PathBuf, bool)> {
    let text = serde_json::to_string_pretty(entry)
        .map_err(|reason| Error::Message(format!("cannot write an entry as JSON: {reason}")))?;
    let text = json_escaped(&text) + "\n";
    let path = place(folder, entry, &text);
    let written = write_file_with(&path, Existing::Kept, |path| fs::write(path, &text));
    match written {
        // The name has a hash of the content.
        Err(reason) if reason.kind() == std::io::ErrorKind::AlreadyExists => Ok((path, false)),
        written => written.map(|()| (path.clone(), true)).map_err(at("write", &path)),
    }
}

/// Reads all entries of a history, in the order of their measurement.
pub(super) fn read(folder: &Path) -> Result<Vec<Entry>> {
    if !folder.is_dir() {
        return error(format!(
            "there is no history in {}: `cargo plusminus history add RECORD` begins one, and --dir names another folder",
            folder.display()
        ));
    }
    let mut files = Vec::new();
    for machine in list(folder)? {
        if machine.is_dir() && !is_hidden(&machine) {
            let is_entry = |path: &PathBuf| {
                path.extension().is_some_and(|ending| ending == "json") && !is_hidden(path)
            };
            files.extend(list(&machine)?.into_iter().filter(is_entry));
        }
    }
    files.sort();
    let mut entries = files.iter().map(|path| of_file(path)).collect::<Result<Vec<Entry>>>()?;
    // The files are in order: what was measured in the same second stays so.
    entries.sort_by(|a, b| a.measured.cmp(&b.measured));
    if entries.is_empty() {
        return error(format!("the history in {} is empty", folder.display()));
    }
    Ok(entries)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(at("read", folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(at("read", folder))).collect()
}

/// Returns whether it is a temporary file, or a private one of git and other tools.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'))
}

fn of_file(path: &Path) -> Result<Entry> {
    let wrong = |reason: &dyn Display| {
        Error::Message(format!(
            "{} is no entry of a history: {reason}; remove it, or get it from where the history is kept",
            path.display()
        ))
    };
    let meta = fs::metadata(path).map_err(at("read", path))?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(wrong(&"it is no file of a size that one could have"));
    }
    let text = fs::read(path).map_err(at("read", path))?;
    let version: serde_json::Value =
        serde_json::from_slice(&text).map_err(|reason| wrong(&reason))?;
    if version["kind"] != KIND {
        return Err(wrong(&"it does not say that it is one"));
    }
    if version["schema"].as_u64().is_none_or(|schema| schema > u64::from(SCHEMA)) {
        return error(format!(
            "{} has schema {}, but this version of plusminus reads up to {SCHEMA}; update plusminus",
            path.display(),
            version["schema"]
        ));
    }
    let entry: Entry = serde_json::from_value(version).map_err(|reason| wrong(&reason))?;
    match entry.fault() {
        Some(fault) => Err(wrong(&fault)),
        None => Ok(entry),
    }
}
