//! Announces this measurement to others in the same target directory: they disturb each other.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
};

/// The most that is read of another one's name.
const NAME_BYTES: u64 = 200;

/// Takes the lock of a folder, or returns the name of its owner. The lock is held while the file is open: the system lets go
/// of it when the process ends, however that happens.
///
/// If the folder cannot be written to or the system has no locks, no other user is known, and measuring goes on.
/// Records have different names, so both remain separate.
pub(crate) fn lock(folder: &Path, name: &str) -> Result<Option<File>, String> {
    let open = || -> std::io::Result<File> {
        fs::create_dir_all(folder)?;
        let path = folder.join("measuring.lock");
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
    };
    let Ok(mut file) = open() else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => {
            let _ = file.set_len(0);
            let _ = file.rewind();
            let _ = file.write_all(name.as_bytes());
            Ok(Some(file))
        }
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            let _ = file.take(NAME_BYTES).read_to_string(&mut owner);
            Err(if owner.is_empty() { "its name is not known".to_owned() } else { owner })
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Scratch;

    #[test]
    fn the_second_one_is_told_who_was_first() {
        let folder = Scratch::new("lock");
        let first = lock(&folder, "process 1").unwrap();
        assert_eq!(lock(&folder, "process 2").unwrap_err(), "process 1");
        drop(first);
        // A process that another test starts right now holds the file until it is the other program.
        assert!((0..1_000_000).any(|_| {
            std::thread::yield_now();
            lock(&folder, "process 3").is_ok()
        }));
        let file = Path::new("/dev/null/folder");
        assert!(lock(file, "nobody").is_ok(), "no lock is no reason not to measure");
    }
}
