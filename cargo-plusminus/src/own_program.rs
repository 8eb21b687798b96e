//! The program of this process, which starts itself again for many purposes.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::{self, Command, ExitCode},
};

use crate::error::{at, exit_code};

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

/// Runs a command in our place.
pub(crate) fn become_it(mut command: Command) -> ExitCode {
    #[cfg(unix)]
    let failed = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let failed = match command.status() {
        Ok(status) => return ExitCode::from(status.code().unwrap_or(2) as u8),
        Err(failed) => failed,
    };
    exit_code(Err(at("run", Path::new(command.get_program()))(failed)))
}
