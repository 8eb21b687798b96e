//! The program of this process, which starts itself again for many purposes.

use std::{env, io, path::PathBuf, process};

/// Returns a path by which this program can be started while this process lives.
///
/// Installing a new version replaces the file, and the path is that of nothing then. Linux has a name for the program of
/// a process, whatever happened to its file.
///
/// # Errors
/// That the program cannot be found.
pub(crate) fn own_program() -> io::Result<PathBuf> {
    let path = env::current_exe()?;
    if path.exists() {
        return Ok(path);
    }
    let running = PathBuf::from(format!("/proc/{}/exe", process::id()));
    if running.exists() {
        return Ok(running);
    }
    let gone = format!("{} is gone: install it again", path.display());
    Err(io::Error::new(io::ErrorKind::NotFound, gone))
}
