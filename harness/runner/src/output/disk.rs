//! The calls to the system by which files of results are written, so that tests can have them fail.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// A writer of files: the system, or a disk that is simulated.
pub(crate) trait Disk {
    /// Finds where the content of a file belongs.
    fn place(&self, path: &Path) -> io::Result<Place>;

    /// Makes a folder ready for files: makes it if it is missing, and removes what killed processes have left.
    fn prepare(&self, folder: &Path) -> io::Result<()>;

    fn create(&self, path: &Path) -> io::Result<()>;

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()>;

    /// Gives a file the permissions of another one, if that is there.
    fn permit(&self, path: &Path, as_of: &Path) -> io::Result<()>;

    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Gives a file a new name, and replaces a file that has this name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name, which must be free.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    fn remove(&self, path: &Path) -> io::Result<()>;

    fn exists(&self, path: &Path) -> bool;
}

#[derive(Debug)]
pub(crate) struct System;

impl Disk for System {
    fn place(&self, path: &Path) -> io::Result<Place> {
        Place::of(path)
    }

    fn prepare(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        sweep(folder);
        Ok(())
    }

    fn create(&self, path: &Path) -> io::Result<()> {
        OpenOptions::new().write(true).create_new(true).open(path).map(drop)
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        fs::write(path, content)
    }

    fn permit(&self, path: &Path, as_of: &Path) -> io::Result<()> {
        match fs::metadata(as_of) {
            Ok(old) => fs::set_permissions(path, old.permissions()),
            Err(_) => Ok(()),
        }
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }
}

/// Symbolic links that are followed until a chain of them counts as endless.
const LINKS: usize = 40;

/// Where the content of a file belongs.
pub(crate) enum Place {
    /// A regular file, or one that is not there yet, behind all symbolic links.
    File(PathBuf),
    Stream,
}

impl Place {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        // The file behind /dev/stdout is open already: another one under its name would not be it.
        let of_system = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(meta) if !meta.is_file() || of_system => Ok(Self::Stream),
            Ok(_) => fs::canonicalize(path).map(Self::File),
            Err(error) if error.kind() == io::ErrorKind::NotFound => target(path).map(Self::File),
            Err(error) => Err(error),
        }
    }
}

/// Returns the file that a missing path stands for: itself, or the missing file that symbolic links point to.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) if path.file_name().is_none() => return Err(io::ErrorKind::InvalidInput.into()),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
pub(super) fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_: &Path) -> bool {
    false
}

/// The prefix of the names of temporary files; the number of the process follows.
pub(super) const TEMPORARY: &str = ".plusminus-";

/// Older than this, a temporary file is that of a process that was killed.
pub(super) const ABANDONED: Duration = Duration::from_secs(3600);

/// Removes temporary files of processes that were killed while they wrote.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY)?.split('-').next());
        // Where the system tells of its processes, none of this number must be there.
        let lives =
            |owner: &str| owner.parse::<u32>().is_err() || Path::new("/proc").join(owner).exists();
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if owner.is_some_and(|owner| !lives(owner)) && age().is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
