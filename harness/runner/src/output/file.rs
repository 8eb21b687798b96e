//! Files of results: written whole or not at all, if possible.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use super::disk::{Disk, Place, System, TEMPORARY, folder, is_pipe};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced.
    Replaced,
    /// It stays, and writing is an error of the kind [`io::ErrorKind::AlreadyExists`].
    Kept,
}

/// Writes a file of results, and replaces an existing one.
///
/// A reader sees the old file or the new one, never a part: the content goes to a temporary file in the same folder,
/// which then takes its name. The user's umask decides about permissions, or those of the replaced file. A symbolic
/// link stays, and its target is replaced. Devices, pipes and all else that is no regular file are written to as they
/// are.
///
/// # Errors
/// Errors of the system. An existing file then remains.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    // The content of a device, or of the file behind /dev/stdout, stays.
    let append = |path: &Path| OpenOptions::new().append(true).open(path)?.write_all(content);
    write_file_with(path, Existing::Replaced, append)
}

/// Writes a file as [`write_file`] does, by a function that gets the path to write to, whose ending is the same.
///
/// # Errors
/// Those of the system and of the function, and [`io::ErrorKind::AlreadyExists`] as `existing` says.
pub fn write_file_with(
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    write_on(&System, path, existing, write)
}

/// Writes a file as [`write_file_with`] does, by the calls of a disk.
pub(crate) fn write_on(
    disk: &dyn Disk,
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let place = match disk.place(path)? {
        Place::Stream if existing == Existing::Kept => {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Place::Stream => return write(path),
        Place::File(place) => place,
    };
    let temporary = Temporary::beside(disk, &place)?;
    write(&temporary.path)?;
    disk.permit(&temporary.path, &place)?;
    disk.sync(&temporary.path)?;
    match existing {
        Existing::Replaced => disk.rename(&temporary.path, &place),
        // Another name for the file: unlike a renaming, it does not replace a file that is there.
        Existing::Kept => match disk.link(&temporary.path, &place) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                // Some file systems know no second names.
                if disk.exists(&place) {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                disk.rename(&temporary.path, &place)
            }
            linked => linked,
        },
    }
}

/// Checks before the measurement that a file of results can be written after it. Folders that are missing are made,
/// as [`write_file`] does.
pub fn try_file(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::File(place) => Temporary::beside(&System, &place).map(drop),
        // Opening a pipe would wait for its reader.
        Place::Stream if is_pipe(path) => Ok(()),
        Place::Stream => OpenOptions::new().write(true).open(path).map(drop),
    }
}

/// A file under a name that is not announced yet; removed unless it was renamed.
struct Temporary<'d> {
    disk: &'d dyn Disk,
    path: PathBuf,
}

impl<'d> Temporary<'d> {
    /// Makes one in the folder of a file, with its ending.
    fn beside(disk: &'d dyn Disk, path: &Path) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        disk.prepare(folder(path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // The prefix must not make a long name too long for the file system, and the ending contains the format.
        let name: String = name.chars().skip(name.chars().count().saturating_sub(50)).collect();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = format!("{TEMPORARY}{}-{number}-{name}", std::process::id());
        let path = folder(path).join(temporary);
        disk.create(&path)?;
        Ok(Self { disk, path })
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // After a renaming there is nothing left under this name.
        let _ = self.disk.remove(&self.path);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{self, File},
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;
    use crate::output::{Scratch, disk::ABANDONED};

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_replaced_whole_with_their_permissions() {
        let folder = Scratch::new("replaced");
        let file = folder.join("new/result.json");
        try_file(&file).unwrap();
        assert!(names(&folder.join("new")).is_empty(), "trying leaves nothing");
        write_file(&file, b"one").unwrap();
        let plain = folder.join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain), "the umask decides, as for any file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        write_file(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(mode(&file) & 0o777, 0o640);
        let failed = write_file_with(&file, Existing::Replaced, |path| {
            fs::write(path, "half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(names(&folder.join("new")), ["result.json"]);
    }

    #[test]
    fn links_stay_and_their_targets_are_replaced() {
        let folder = Scratch::new("links");
        fs::create_dir(folder.join("data")).unwrap();
        fs::write(folder.join("data/real"), "old").unwrap();
        symlink("data/real", folder.join("link")).unwrap();
        symlink("data/missing", folder.join("dangling")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        write_file(&folder.join("link"), b"new").unwrap();
        write_file(&folder.join("dangling"), b"made").unwrap();
        assert!(write_file(&folder.join("loop"), b"x").is_err());
        assert_eq!(fs::read(folder.join("data/real")).unwrap(), b"new");
        assert_eq!(fs::read(folder.join("data/missing")).unwrap(), b"made");
        assert!(folder.join("link").is_symlink() && folder.join("dangling").is_symlink());
        assert_eq!(names(&folder.join("data")), ["missing", "real"]);
    }

    #[test]
    fn devices_and_pipes_stay_what_they_are() {
        let folder = Scratch::new("devices");
        try_file(Path::new("/dev/null")).unwrap();
        symlink("/dev/null", folder.join("null")).unwrap();
        write_file(&folder.join("null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let full = write_file(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        try_file(&pipe).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write_file(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
    }

    #[test]
    fn what_a_killed_process_has_begun_is_removed_later() {
        let folder = Scratch::new("swept");
        let long_ago = std::time::SystemTime::now() - 2 * ABANDONED;
        let own = std::process::id();
        // No process has the last number.
        let abandoned = format!("{TEMPORARY}{}-0-result", u32::MAX);
        for (name, old) in [
            (&*abandoned, true),
            (&format!("{TEMPORARY}{}-1-result", u32::MAX), false),
            (&format!("{TEMPORARY}{own}-0-result"), true),
            (".plusminus-user", true),
            ("result", true),
        ] {
            let file = File::create(folder.join(name)).unwrap();
            file.set_modified(if old { long_ago } else { std::time::SystemTime::now() }).unwrap();
        }
        write_file(&folder.join("new"), b"x").unwrap();
        let left = names(&folder);
        assert_eq!(left.len(), 5, "{left:?}");
        assert!(!left.contains(&abandoned) && left.contains(&"new".to_owned()), "{left:?}");
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = Scratch::new("refused");
        assert!(try_file(&folder).is_err(), "a folder");
        fs::write(folder.join("file"), "").unwrap();
        assert!(try_file(&folder.join("file/below")).is_err());
        let kept =
            write_file_with(&folder.join("file"), Existing::Kept, |path| fs::write(path, "x"));
        assert_eq!(kept.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(folder.join("file")).unwrap(), b"");
        assert_eq!(names(&folder), ["file"]);
    }
}
