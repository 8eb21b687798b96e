//! Where records are found, and where pages and figures go.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::error::{Result, error};

/// The newest record below the folder of records: `PLUSMINUS_OUTPUT`, or `target/plusminus` here or in a folder above.
pub(crate) fn newest() -> Result<PathBuf> {
    let Some(root) = root() else {
        return error(
            "there is no target/plusminus here or in a folder above: run `cargo bench` first, or name a record",
        );
    };
    // The folder of a bench target lies in that of its package, or beside it if the package is not known.
    let folders: Vec<PathBuf> = entries(&root).collect();
    let inner = folders.iter().flat_map(|folder| entries(folder));
    let targets = folders.iter().cloned().chain(inner);
    let records = targets
        .flat_map(|target| entries(&target.join("records")))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    // The names begin with the time of the measurement.
    match records.max_by(|a, b| (a.file_name(), a).cmp(&(b.file_name(), b))) {
        Some(record) => Ok(record),
        None => error(format!(
            "{} holds no record: run `cargo bench` first, or name one",
            root.display()
        )),
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn root() -> Option<PathBuf> {
    if let Some(root) = std::env::var_os("PLUSMINUS_OUTPUT") {
        return Some(PathBuf::from(root));
    }
    if let Some(target) = std::env::var_os("CARGO_TARGET_DIR") {
        return Some(PathBuf::from(target).join("plusminus")).filter(|root| root.is_dir());
    }
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("target/plusminus")).find(|root| root.is_dir())
}

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

/// The name of a file without its ending.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "record".into(), |stem| stem.to_string_lossy().into_owned())
}

/// A page that several records would become.
pub(super) fn twice(pages: &[PathBuf]) -> Option<&PathBuf> {
    let mut sorted: Vec<&PathBuf> = pages.iter().collect();
    sorted.sort();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_stand_beside_the_records() {
        let page = |path: &str, output| page(Path::new(path), output);
        let in_target = "target/plusminus/sort/records/2026-01-31T123456Z.json";
        assert_eq!(
            page(in_target, None),
            Path::new("target/plusminus/sort/pages/2026-01-31T123456Z.html")
        );
        assert_eq!(page("change.json", None), Path::new("change.html"));
        assert_eq!(page("a/change.json", Some(Path::new("out"))), Path::new("out/change.html"));
    }

    #[test]
    fn titles_become_harmless_names() {
        assert_eq!(slug("Times: sort::by_key, p = 2"), "times-sort-by-key-p-2");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert!(slug(&"x".repeat(500)).len() <= 48);
    }
}
