//! `cargo plusminus clean`: removes kept files that can be made again: programs of baselines, and the build folders
//! of `compare`. Touches folders of records and the builds of comparisons only, and there nothing that plusminus has
//! not written.

use std::{
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use plusminus::{
    exit,
    output::print,
    text::{number::with_prefix, visible},
};

use crate::{
    cargo::target_directory,
    compare::{Folders, remove},
    error::{Error, Result, at},
    progress::Progress,
};

/// The arguments of the command.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Also remove records and baselines.
    #[arg(long)]
    all: bool,
    /// List the files, and remove nothing.
    #[arg(long)]
    dry_run: bool,
    /// Clean the target directory of this Cargo.toml, even if PLUSMINUS_OUTPUT is set.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let elsewhere = env::var_os("PLUSMINUS_OUTPUT").filter(|_| arguments.manifest_path.is_none());
    let target = match target_directory(arguments.manifest_path.as_deref()) {
        // Records elsewhere can be removed from anywhere; only builds of comparisons lie below a target directory.
        Err(Error::Message(_)) if elsewhere.is_some() => None,
        target => Some(target?),
    };
    let mut lock = None;
    let mut places = Vec::new();
    if let Some(folders) = target.as_deref().map(Folders::existing).transpose()?.flatten() {
        if !arguments.dry_run {
            lock = Some(folders.lock(&mut Progress::new(false))?);
        }
        places.extend(folders.rebuildable()?);
    }
    let inside = target.map(|target| target.join("plusminus"));
    let Some(root) = elsewhere.map(PathBuf::from).or(inside) else { return Ok(exit::FINE) };
    places.extend(kept_files(&root, arguments.all)?);
    places.sort();
    let all = places.iter().map(|place| size(place)).sum::<io::Result<u64>>();
    let all = all.map_err(at("read", &root))?;
    let mut text = String::new();
    for place in &places {
        let bytes = size(place).map_err(at("read", place))?;
        if !arguments.dry_run {
            remove(place)?;
        }
        let shown = visible(&place.display().to_string());
        text.push_str(&format!("{:>8}B  {shown}\n", with_prefix(bytes as f64)));
    }
    drop(lock);
    text.push_str(&format!(
        "{}B {} from {}; {}\n",
        with_prefix(all as f64),
        if arguments.dry_run { "would be removed" } else { "removed" },
        visible(&root.display().to_string()),
        if arguments.all { "records and baselines also" } else { "records stay (--all)" }
    ));
    print(&text).map_err(Error::Message)?;
    Ok(exit::FINE)
}

/// Returns the programs of the baselines of all bench targets, and with `all` also the records and baselines.
///
/// `PLUSMINUS_OUTPUT` may point to a folder that holds other things. Only files that are certainly ours are returned,
/// and links are not followed.
fn kept_files(root: &Path, all: bool) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut targets = folders(root)?;
    for package in targets.clone() {
        targets.extend(folders(&package)?);
    }
    for target in targets {
        for place in folders(&target)? {
            let is_baselines = place.file_name() == Some("baselines".as_ref());
            if !is_baselines && place.file_name() != Some("records".as_ref()) {
                continue;
            }
            for entry in entries(&place)? {
                let is_file = entry.file_type().map_err(at("read", &place))?.is_file();
                let path = entry.path();
                if is_file && (is_baselines && is_program(&path) || all && is_record(&path)?) {
                    found.push(path);
                }
            }
        }
    }
    Ok(found)
}

/// Returns the entries of a folder; none if it does not exist.
fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect::<io::Result<_>>().map_err(at("read", folder)),
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(reason) => Err(at("read", folder)(reason)),
    }
}

/// The folders in a folder, without links.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in entries(folder)? {
        if entry.file_type().map_err(at("read", folder))?.is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Whether a file has the name of a kept program, or of one that a benchmark left behind when it was killed.
fn is_program(path: &Path) -> bool {
    let ending = format!(".program{}", env::consts::EXE_SUFFIX);
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(&ending))
}

/// Whether a file begins as records do: an object whose first key is `schema`.
fn is_record(path: &Path) -> Result<bool> {
    if path.extension() != Some("json".as_ref()) {
        return Ok(false);
    }
    let mut head = Vec::new();
    let file = fs::File::open(path).map_err(at("read", path))?;
    file.take(64).read_to_end(&mut head).map_err(at("read", path))?;
    let rest = head.trim_ascii_start().strip_prefix(b"{").unwrap_or_default();
    Ok(rest.trim_ascii_start().starts_with(b"\"schema\""))
}

/// The bytes of a file, or of all files in a folder. Links count for nothing, and are not followed.
fn size(path: &Path) -> io::Result<u64> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_dir() {
        return Ok(if found.is_file() { found.len() } else { 0 });
    }
    fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes files with their folders, and answers the folder of all.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            plusminus::output::write_file(&folder.path().join(name), text.as_bytes()).unwrap();
        }
        folder
    }

    fn names(root: &Path, all: bool) -> Vec<String> {
        let mut names: Vec<String> = kept_files(root, all)
            .unwrap()
            .iter()
            .map(|path| path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_files_that_are_certainly_ours_are_named() {
        let program = format!("parse/baselines/main.program{}", env::consts::EXE_SUFFIX);
        let of_package = format!("package/{program}");
        let folder = tree(&[
            (&program, "machine code"),
            (&of_package, "machine code"),
            ("package/parse/records/2026.json", "{\"schema\":1}"),
            ("package/parse/records/inner/deep.json", "{\"schema\":1}"),
            ("parse/baselines/main.json", "{\"schema\":1}"),
            ("parse/records/2026.json", "{\n \"schema\": 1,"),
            ("parse/records/mine.json", "{\"name\":\"schema\"}"),
            ("parse/records/notes.txt", "{\"schema\":1}"),
            ("parse/records/inner/deep.json", "{\"schema\":1}"),
            ("photos/holiday.program", "kept"),
            ("records/2026.json", "{\"schema\":1}"),
            ("thesis.json", "{\"schema\":1}"),
            // A bench target may have the name of the folder of comparisons.
            ("compare/records/2026.json", "{\"schema\":1}"),
            ("compare/build/base/file", "kept here"),
        ]);
        assert_eq!(names(folder.path(), false), [of_package.as_str(), &program]);
        assert_eq!(
            names(folder.path(), true),
            [
                "compare/records/2026.json",
                &of_package,
                "package/parse/records/2026.json",
                "parse/baselines/main.json",
                &program,
                "parse/records/2026.json"
            ]
        );
        assert!(names(&folder.path().join("missing"), true).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_neither_followed_nor_removed() {
        use std::os::unix::fs::symlink;
        let precious = tree(&[("baselines/x.program", "kept"), ("file.program", "kept")]);
        let folder = tree(&[("bench/records/x.json", "{\"schema\":1}")]);
        symlink(precious.path(), folder.path().join("linked")).unwrap();
        symlink(precious.path().join("baselines"), folder.path().join("bench/baselines")).unwrap();
        symlink(precious.path().join("file.program"), folder.path().join("bench/records/y.json"))
            .unwrap();
        assert_eq!(names(folder.path(), true), ["bench/records/x.json"]);
    }

    #[test]
    fn sizes_are_of_all_files_below() {
        let folder = tree(&[("a/one", "123"), ("a/b/two", "4567")]);
        assert_eq!(size(&folder.path().join("a")).unwrap(), 7);
        assert!(size(&folder.path().join("missing")).is_err());
        remove(&folder.path().join("a")).unwrap();
        assert!(!folder.path().join("a").exists());
    }
}
