//! The folders of comparisons below the target directory: `compare/lock`, `compare/build` with the target folders that
//! are kept, `compare/target/package` with the trees of a running comparison, and copies of programs.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{ErrorKind, Read, Seek, Write},
    path::{Path, PathBuf},
    process, thread,
    time::Duration,
};

use plusminus::system::interrupt;
use tempfile::TempDir;

use crate::{
    error::{Error, Result, at, error},
    progress::Progress,
};

/// How names of folders that live as long as one comparison begin.
const TEMPORARY: &str = ".tmp";

/// How much is read of what the holder of the lock calls itself.
const NAME_BYTES: u64 = 100;

/// The root of all of them.
#[derive(Debug)]
pub(crate) struct Folders {
    root: PathBuf,
}

impl Folders {
    /// The folders below a target directory.
    ///
    /// # Errors
    /// For symbolic links: the folder is emptied, and a link could lead anywhere.
    pub(crate) fn below(target_directory: &Path) -> Result<Self> {
        let folders = Self::without_links(target_directory)?;
        fs::create_dir_all(&folders.root).map_err(at("create", &folders.root))?;
        Ok(folders)
    }

    /// The folders below a target directory, if a comparison has made them.
    ///
    /// # Errors
    /// For symbolic links.
    pub(crate) fn existing(target_directory: &Path) -> Result<Option<Self>> {
        let folders = Self::without_links(target_directory)?;
        // A bench target of the name has records here, but neither of these.
        let made = folders.lock_file().is_file() || folders.root.join("build").is_dir();
        Ok(made.then_some(folders))
    }

    fn without_links(target_directory: &Path) -> Result<Self> {
        let folders = Self { root: target_directory.join("plusminus").join("compare") };
        for path in [
            folders.root.clone(),
            folders.lock_file(),
            folders.root.join("target"),
            folders.trees(),
            folders.root.join("build"),
            folders.report(),
        ] {
            refuse_link(&path)?;
        }
        Ok(folders)
    }

    /// Returns the files that can be made again, and the remains of killed comparisons. Only the holder of the lock
    /// may remove them.
    pub(crate) fn rebuildable(&self) -> Result<Vec<PathBuf>> {
        let mut found = self.temporaries()?;
        found.extend([self.root.join("build"), self.root.join("target"), self.report()]);
        found.retain(|path| path.symlink_metadata().is_ok());
        Ok(found)
    }

    /// Folders of comparisons that were killed, as seen by the holder of the lock.
    fn temporaries(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.root).map_err(at("read", &self.root))?.flatten();
        let temporary =
            |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(TEMPORARY);
        Ok(entries.filter(temporary).map(|entry| entry.path()).collect())
    }

    /// The place of trees.
    ///
    /// Cargo looks for the workspace of a package in all folders above it, and would find that of the user above
    /// ours. It stops at a folder of this name, which is where `cargo package` unpacks what it verifies.
    pub(super) fn trees(&self) -> PathBuf {
        self.root.join("target").join("package")
    }

    /// The place of a target folder that is kept.
    pub(crate) fn build(&self, role: &str) -> PathBuf {
        self.root.join("build").join(role)
    }

    /// A folder that goes with this comparison.
    pub(super) fn temporary(&self) -> Result<TempDir> {
        tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempdir_in(&self.root)
            .map_err(at("write to", &self.root))
    }

    /// The report of the newest comparison, with all details.
    pub(super) fn report(&self) -> PathBuf {
        self.root.join("report.txt")
    }

    fn lock_file(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// One comparison at a time: the second would build into the folders of the first, and disturb its measuring.
    pub(crate) fn lock(&self, progress: &mut Progress) -> Result<File> {
        let path = self.lock_file();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut lock = options.open(&path).map_err(at("write", &path))?;
        let mut told = false;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    if !told {
                        progress.say(&waiting(&path));
                        told = true;
                    }
                    thread::sleep(Duration::from_millis(100));
                }
                // Some file systems have no locks, and cargo goes on there without one.
                Err(TryLockError::Error(reason)) if reason.kind() == ErrorKind::Unsupported => {
                    break;
                }
                Err(TryLockError::Error(reason)) => return Err(at("lock", &path)(reason)),
            }
            if let Some(signal) = interrupt() {
                return Err(Error::Interrupted(signal));
            }
        }
        // The name is only for people: without it, waiting works as well.
        let named = lock.set_len(0).and_then(|()| lock.rewind());
        let _ =
            named.and_then(|()| lock.write_all(format!("process {}", process::id()).as_bytes()));
        Ok(lock)
    }

    /// Removes the remains of a killed comparison; only for the holder of the lock.
    pub(super) fn sweep(&self) -> Result<()> {
        remove(&self.trees())?;
        self.temporaries()?.iter().try_for_each(|path| remove(path))
    }
}

fn waiting(lock: &Path) -> String {
    let mut owner = String::new();
    let read = File::open(lock).and_then(|file| file.take(NAME_BYTES).read_to_string(&mut owner));
    let plain = read.is_ok() && !owner.is_empty() && !owner.contains(|c: char| c.is_control());
    let owner = if plain { format!(" ({owner})") } else { String::new() };
    format!("waiting for another comparison in this target directory{owner}: {}", lock.display())
}

/// Fails if something is a symbolic link, or a pipe or device instead of a file.
fn refuse_link(path: &Path) -> Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() || found.is_file() => Ok(()),
        Ok(found) => error(format!(
            "{} is {}; comparisons create and empty folders here, so remove it first",
            path.display(),
            if found.is_symlink() { "a symbolic link" } else { "neither a file nor a folder" }
        )),
        Err(_) => Ok(()),
    }
}

/// Removes a file, a link or a folder with all that is in it, but nothing that a link leads to.
pub(crate) fn remove(path: &Path) -> Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    let removed = if found.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(reason) if reason.kind() != ErrorKind::NotFound => Err(at("remove", path)(reason)),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_in_place_of_folders_are_refused_and_what_they_lead_to_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("file"), "kept").unwrap();
        let root = folder.path().join("plusminus/compare");
        for inner in ["", "lock", "build", "target", "target/package"] {
            let place: PathBuf = root.join(inner).components().collect();
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            let _ = fs::remove_dir_all(&place);
            let of = if inner == "lock" { precious.join("file") } else { precious.clone() };
            symlink(of, &place).unwrap();
            let refused = Folders::below(folder.path());
            let Err(Error::Message(message)) = refused else { panic!("{inner}: {refused:?}") };
            assert!(message.contains("is a symbolic link"), "{message}");
            fs::remove_file(&place).unwrap();
        }
        assert_eq!(fs::read(precious.join("file")).unwrap(), b"kept");
    }

    #[test]
    fn what_a_killed_comparison_left_is_swept_and_builds_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "kept").unwrap();
        let folders = Folders::below(folder.path()).unwrap();
        for path in
            [folders.trees().join("home"), folders.root.join(".tmpAbc"), folders.build("base")]
        {
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join("file"), "").unwrap();
        }
        symlink(&outside, folders.trees().join("home/outside")).unwrap();
        folders.sweep().unwrap();
        assert!(!folders.trees().exists() && !folders.root.join(".tmpAbc").exists());
        assert!(folders.build("base").join("file").exists());
        assert_eq!(folders.rebuildable().unwrap().len(), 2, "builds, and the folder of the trees");
        assert!(Folders::existing(folder.path()).unwrap().is_some());
        assert!(
            Folders::existing(&outside).unwrap().is_none() && !outside.join("plusminus").exists()
        );
        assert!(outside.join("file").exists(), "links are removed, not followed");
    }
}
