//! Where pages and figures go.

use std::path::{Path, PathBuf};

/// Where the page of a record goes.
pub(super) fn page(record: &Path, output: Option<&Path>) -> PathBuf {
    let name = format!("{}.html", stem(record));
    if let Some(folder) = output {
        return folder.join(name);
    }
    let folder = record.parent().unwrap_or(Path::new(""));
    match folder.file_name() {
        Some(records) if records == "records" => folder.with_file_name("pages").join(name),
        _ => folder.join(name),
    }
}

/// Where the page of a study goes whose first record is this one.
pub(super) fn study(record: &Path, output: Option<&Path>) -> PathBuf {
    page(record, output).with_file_name(format!("{}-study.html", stem(record)))
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "record".into(), |stem| stem.to_string_lossy().into_owned())
}

/// Returns the part of a file's name that describes its content: letters, digits and dashes only.
pub(crate) fn slug(title: &str) -> String {
    let mut slug = String::new();
    for letter in title.chars() {
        match letter {
            letter if letter.is_ascii_alphanumeric() => slug.push(letter.to_ascii_lowercase()),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let short: String = slug.chars().take(48).collect();
    short.trim_end_matches('-').to_owned()
}
