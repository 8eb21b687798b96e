//! A target folder that is kept for a role, so that cargo builds only changed code. It comes with a state: the
//! contents of the tree that was built, and checksums of the programs.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use plusminus::output::write_file;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::{
    folders::remove,
    kinds_of_files::is_read_by_builds,
    outside::{document, walk},
    vendored,
};
use crate::error::{Error, Result, at};

/// A target folder for the trees of one role.
///
/// Cargo takes a file for unchanged if it is not newer than what was built of it. A tree is checked out or copied anew for
/// each comparison, so all of its files are newer. Files that have the contents which were built last get the time back
/// that they had then; all others keep the new one.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) target: PathBuf,
    /// The list of its contents, kept while nothing builds in it.
    list: PathBuf,
    state: State,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// The repository and the tree.
    of: (PathBuf, PathBuf),
    /// Files by their path within the tree.
    files: Files,
    /// The targets of links by the path of the link within the tree.
    links: BTreeMap<String, String>,
    /// Checksums by the path of the program.
    programs: BTreeMap<PathBuf, u64>,
}

type Files = BTreeMap<String, Content>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Content {
    bytes: u64,
    checksum: u64,
    /// Since the epoch: seconds and nanoseconds.
    modified: (u64, u32),
}

impl Slot {
    /// Takes a slot for a tree of a repository. The state on disk is removed until [`Self::keep`]: an interrupted
    /// build leaves nothing to rely on.
    pub(super) fn take(target: &Path, repository: &Path, tree: &Path) -> Result<Self> {
        let list = target.with_extension("json");
        let of = (repository.to_owned(), tree.to_owned());
        let known = fs::read(&list).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let known = known.filter(|state: &State| state.of == of);
        let state = known.unwrap_or_else(|| State { of, ..State::default() });
        remove(&list)?;
        Ok(Self { target: target.to_owned(), list, state })
    }

    /// Restores the modification times of files that are unchanged since the last build.
    ///
    /// Cargo does not know of every file that building reads: a header that a build script does not name, a page that a macro opens,
    /// an `.incbin`. So no times are restored after such a file changed, and none of procedural macros after a source did.
    pub(super) fn restore_times(&mut self) -> Result<()> {
        let (repository, tree) = self.state.of.clone();
        let (mut now, links) = contents(&tree, &repository)?;
        // Cargo looks at the time of the file that a link leads to, which may be an old one: everything is built again.
        if links != self.state.links {
            self.state.files.clear();
        }
        self.state.links = links;
        let checksums: Vec<(&str, u64)> =
            now.iter().map(|(name, content)| (&**name, content.checksum)).collect();
        vendored::renew(&self.target, &checksums)?;
        let differs =
            |is_one: fn(&str) -> bool| changed(&self.state.files, &now).any(|name| is_one(name));
        let is_any_read = differs(is_read_by_builds);
        // A procedural macro that is built anew has all packages built again that use it.
        let is_any_source = differs(|name| name.ends_with(".rs"));
        let renewed = if is_any_source { macros(&tree, &now) } else { Vec::new() };
        let is_renewed = |name: &str| {
            name.ends_with(".rs") && renewed.iter().any(|folder| name.starts_with(folder))
        };
        if is_any_read {
            self.state.files.clear();
        }
        for (name, content) in &mut now {
            let path = tree.join(name);
            if let Some(before) = self.state.files.get(name)
                && before.is_same(content)
                && !is_renewed(name)
            {
                let (seconds, nanoseconds) = before.modified;
                let time = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
                let file = File::options().write(true).open(&path);
                // A file that may not be written to keeps its new time, and what depends on it is built again.
                if file.is_ok_and(|file| file.set_modified(time).is_ok()) {
                    content.modified = before.modified;
                }
            }
        }
        self.state.files = now;
        Ok(())
    }

    /// Returns whether a program that cargo has not built anew equals the previous build, as far as that is known.
    pub(super) fn is_whole(&self, program: &Path) -> Result<bool> {
        let Some(before) = self.state.programs.get(program) else { return Ok(true) };
        Ok(checksum(program).map_err(at("read", program))?.1 == *before)
    }

    /// Remembers the builds for the next comparison.
    pub(super) fn keep(mut self, programs: &[&Path]) -> Result<()> {
        let tree = self.state.of.1.clone();
        // Files that building has changed differ from their state before it.
        self.state.files.retain(|name, content| {
            metadata(&tree.join(name)).is_ok_and(|now| now == (content.bytes, content.modified))
        });
        for program in programs {
            let (_, checksum) = checksum(program).map_err(at("read", program))?;
            self.state.programs.insert((*program).to_owned(), checksum);
        }
        self.state.programs.retain(|program, _| program.is_file());
        let text =
            serde_json::to_vec(&self.state).map_err(|reason| Error::Message(reason.to_string()))?;
        write_file(&self.list, &text).map_err(at("write", &self.list))
    }
}

impl Content {
    fn is_same(&self, other: &Self) -> bool {
        (self.bytes, self.checksum) == (other.bytes, other.checksum)
    }
}

/// The names of files in which two states of a tree differ.
fn changed<'a>(before: &'a Files, now: &'a Files) -> impl Iterator<Item = &'a String> {
    before.keys().chain(now.keys()).filter(|name| match (before.get(*name), now.get(*name)) {
        (Some(before), Some(now)) => !before.is_same(now),
        (before, now) => before.is_some() != now.is_some(),
    })
}

/// The folders of procedural macros of a tree, with a slash at the end if they are not the top.
fn macros(tree: &Path, now: &Files) -> Vec<String> {
    let is_macro = |folder: &&str| {
        let is_folder = folder.is_empty() || folder.ends_with('/');
        is_folder && makes_macros(&document(&tree.join(folder).join("Cargo.toml")))
    };
    let folders = now.keys().filter_map(|name| name.strip_suffix("Cargo.toml"));
    folders.filter(is_macro).map(str::to_owned).collect()
}

/// Returns whether the library of a manifest is a procedural macro.
fn makes_macros(manifest: &Table) -> bool {
    let Some(library) = manifest.get("lib") else { return false };
    let says = |key: &str| library.get(key).and_then(Value::as_bool).unwrap_or(false);
    let kinds = ["crate-type", "crate_type"].iter().filter_map(|key| library.get(key)?.as_array());
    let mut kinds = kinds.flatten().filter_map(Value::as_str);
    says("proc-macro") || says("proc_macro") || kinds.any(|kind| kind == "proc-macro")
}

/// The files of a tree, and the targets of its links, but for those to what git ignores: they come and go with it. Names that are
/// not Unicode are skipped.
fn contents(tree: &Path, repository: &Path) -> Result<(Files, BTreeMap<String, String>)> {
    let (mut found, mut links) = (Files::new(), BTreeMap::new());
    for (path, kind) in walk(tree)? {
        let Some(name) = path.strip_prefix(tree).ok().and_then(Path::to_str) else { continue };
        let name = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
        if kind.is_file() {
            found.insert(name, content(&path).map_err(at("read", &path))?);
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(at("read", &path))?;
            if target != repository.join(&name) {
                links.insert(name, target.to_string_lossy().into_owned());
            }
        }
    }
    Ok((found, links))
}

fn content(path: &Path) -> io::Result<Content> {
    let (bytes, checksum) = checksum(path)?;
    let (_, modified) = metadata(path)?;
    Ok(Content { bytes, checksum, modified })
}

/// Size and time of a file.
fn metadata(path: &Path) -> io::Result<(u64, (u64, u32))> {
    let metadata = fs::symlink_metadata(path)?;
    let since = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Ok((metadata.len(), (since.as_secs(), since.subsec_nanos())))
}

/// The size of a file and a checksum of its contents: against accidents, not against attackers.
fn checksum(path: &Path) -> io::Result<(u64, u64)> {
    let bytes = fs::read(path)?;
    Ok((bytes.len() as u64, plusminus_same_code::checksum(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_built_gets_its_time_back() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        let repository = folder.path().join("repository");
        let target = folder.path().join("build").join("base");
        // Without the folder of the build, which cargo makes only when it has something to build.
        fs::create_dir_all(&tree).unwrap();
        let time = |name: &str| fs::metadata(tree.join(name)).unwrap().modified().unwrap();
        let check_out = |texts: [&str; 2]| {
            for (name, text) in ["same.rs", "changed.rs"].iter().zip(texts) {
                let _ = fs::remove_file(tree.join(name));
                fs::write(tree.join(name), text).unwrap();
                let at = SystemTime::now() + Duration::from_secs(texts[1].len() as u64);
                let file = File::options().write(true).open(tree.join(name));
                file.unwrap().set_modified(at).unwrap();
            }
        };
        let program = folder.path().join("program");
        fs::write(&program, "whole").unwrap();
        check_out(["a", "b"]);
        let mut slot = Slot::take(&target, &repository, &tree).unwrap();
        slot.restore_times().unwrap();
        let built = (time("same.rs"), time("changed.rs"));
        slot.keep(&[&program]).unwrap();

        check_out(["a", "bbb"]);
        let mut slot = Slot::take(&target, &repository, &tree).unwrap();
        slot.restore_times().unwrap();
        assert_eq!(time("same.rs"), built.0);
        assert!(time("changed.rs") > built.1);
        assert!(slot.is_whole(&program).unwrap());
        fs::write(&program, "who").unwrap();
        assert!(!slot.is_whole(&program).unwrap(), "a truncated program is noticed");
        drop(slot);

        // That build did not come to its end, so nothing is known.
        check_out(["a", "bbb"]);
        let mut slot = Slot::take(&target, &repository, &tree).unwrap();
        slot.restore_times().unwrap();
        assert!(time("same.rs") > built.0);
        slot.keep(&[]).unwrap();
        // Neither does what was built of one repository tell of another.
        check_out(["a", "bbbbb"]);
        let before = time("same.rs");
        let mut slot = Slot::take(&target, &folder.path().join("other"), &tree).unwrap();
        slot.restore_times().unwrap();
        assert_eq!(time("same.rs"), before);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_elsewhere_leaves_nothing_as_it_was_built() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (tree, repository) = (folder.path().join("tree"), folder.path().join("repository"));
        fs::create_dir_all(&tree).unwrap();
        // Returns whether the file has got its old time back.
        let mut new = SystemTime::now();
        let mut is_known = |links: &[(&str, &Path)]| {
            let _ = fs::remove_dir_all(&tree);
            fs::create_dir_all(&tree).unwrap();
            fs::write(tree.join("file"), "same").unwrap();
            links.iter().for_each(|(name, target)| symlink(target, tree.join(name)).unwrap());
            new += Duration::from_secs(1);
            let file = File::options().write(true).open(tree.join("file")).unwrap();
            file.set_modified(new).unwrap();
            let mut slot = Slot::take(&folder.path().join("slot"), &repository, &tree).unwrap();
            slot.restore_times().unwrap();
            slot.keep(&[]).unwrap();
            file.metadata().unwrap().modified().unwrap() != new
        };
        let (one, other) = (Path::new("slow.rs"), Path::new("fast.rs"));
        let ignored = repository.join("log");
        is_known(&[("imp.rs", one)]);
        assert!(is_known(&[("imp.rs", one)]));
        assert!(is_known(&[("imp.rs", one), ("log", &ignored)]), "what git ignores");
        assert!(!is_known(&[("imp.rs", other)]));
        assert!(is_known(&[("imp.rs", other)]));
        assert!(!is_known(&[]));
    }

    #[test]
    fn what_may_read_a_changed_file_is_built_again() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        let mut time = SystemTime::now();
        // The sources that do not get their old times back after these files were written.
        let mut built = |kernel: &str, page: &str, library: &str| {
            time += Duration::from_secs(1);
            let files = [
                ("a/src/lib.rs", kernel),
                ("a/docs/page.md", page),
                ("b/src/lib.rs", ""),
                ("macros/Cargo.toml", library),
                ("macros/src/lib.rs", ""),
            ];
            for (name, text) in files {
                let path = tree.join(name);
                write_file(&path, text.as_bytes()).unwrap();
                File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
            }
            let mut slot = Slot::take(&folder.path().join("slot"), folder.path(), &tree).unwrap();
            slot.restore_times().unwrap();
            slot.keep(&[]).unwrap();
            let is_new =
                |name: &&str| fs::metadata(tree.join(name)).unwrap().modified().unwrap() == time;
            files.map(|(name, _)| name).into_iter().filter(is_new).collect::<Vec<_>>()
        };
        assert_eq!(built("1", "1", "").len(), 5, "nothing was built yet");
        assert_eq!(built("1", "1", ""), [""; 0]);
        assert_eq!(built("2", "1", ""), ["a/src/lib.rs"]);
        assert_eq!(built("2", "2", "").len(), 5, "a page");
        let library = "[lib]\nproc-macro = true";
        // Cargo reads manifests itself.
        assert_eq!(built("2", "2", library), ["macros/Cargo.toml"]);
        assert_eq!(built("2", "2", library), [""; 0]);
        assert_eq!(built("3", "2", library), ["a/src/lib.rs", "macros/src/lib.rs"]);
        let library = "[lib]\ncrate-type = ['proc-macro']";
        built("3", "2", library);
        assert_eq!(built("4", "2", library), ["a/src/lib.rs", "macros/src/lib.rs"]);
    }
}
