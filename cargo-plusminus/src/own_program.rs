//! The program of this process, which starts itself again for many purposes.

use std::{
    env,
    path::{Path, PathBuf},
    process::{self, Command},
};

use crate::error::{Result, at, error};

/// Returns a path by which this program can be started while this process lives.
///
/// Installing a new version replaces the file, and the path is that of nothing then. Linux has a name for the program of
/// a process, whatever happened to its file.
///
/// # Errors
/// That the program cannot be found.
pub fn this_program() -> Result<PathBuf> {
    let path = env::current_exe().map_err(at("find", Path::new("this program")))?;
    if path.exists() {
        return Ok(path);
    }
    let running = PathBuf::from(format!("/proc/{}/exe", process::id()));
    if running.exists() {
        return Ok(running);
    }
    error(format!("cannot find this program: {} is gone: install it again", path.display()))
}

/// Runs a command in our place: it gets the signals that are meant for this process. Returns its exit code, if the system
/// cannot exchange programs.
pub(crate) fn become_it(mut command: Command) -> Result<i32> {
    #[cfg(unix)]
    let failed = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let failed = match command.status() {
        Ok(status) => return Ok(status.code().unwrap_or(plusminus::exit::FAILED)),
        Err(failed) => failed,
    };
    Err(at("run", Path::new(command.get_program()))(failed))
}
