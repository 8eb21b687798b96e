//! Where nothing is known about the system: measurements work, with less to tell about them.

use std::{
    fs::File,
    io,
    process::{Child, Command, ExitStatus},
};

pub fn thread_cpu_ns() -> Option<u64> {
    None
}

pub fn process_cpu_ns() -> Option<u64> {
    None
}

pub fn cpu_ns_of(_process: u32) -> Option<u64> {
    None
}

pub fn family_cpu_ns() -> Option<u64> {
    None
}

pub fn waits() -> Option<u64> {
    None
}

pub fn peak_rss_bytes() -> Option<u64> {
    None
}

pub fn resident_bytes() -> Option<u64> {
    None
}

/// Without a way to move descriptors, the standard streams themselves carry the protocol.
#[cfg(windows)]
pub fn take_private_channel() -> io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;
    let requests = io::stdin().as_handle().try_clone_to_owned()?;
    let answers = io::stdout().as_handle().try_clone_to_owned()?;
    Ok((requests.into(), answers.into()))
}

#[cfg(not(windows))]
pub fn take_private_channel() -> io::Result<(File, File)> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "no worker processes on this system, so nothing can be measured",
    ))
}

pub fn die_with(_runner: u32) {}

pub fn parent() -> u32 {
    0
}

/// Runs the program of a command, and ends as it does. Returns why it cannot run.
pub fn become_program(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(crate::exit::FAILED)),
        Err(error) => error,
    }
}

pub fn start_with_channel(_command: Command) -> io::Result<(Child, File, File)> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "not on this system"))
}

pub fn channel_of_parent() -> io::Result<(File, File)> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "not on this system"))
}

/// Gives what a command starts a group of its own: not here, where there are none.
pub fn own_group(_command: &mut Command) {}

pub fn name(_command: &mut Command, _name: &str) {}

pub fn interrupt_group(_leader: u32) {}

pub fn stop(_child: u32) {}

pub fn go_on(_child: u32) {}

/// Ends the group of a process: not here, where there are none.
pub fn kill_group(_leader: u32) {}

pub fn await_exit(_child: u32, _allowed: std::time::Duration) {}

pub fn has_exited(_child: u32) -> bool {
    false
}

pub fn leave_gap(_pages: usize) {}

pub fn limit_memory(_bytes: u64) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot limit memory"))
}

pub fn survive_file_limits(_survive: bool) {}

pub fn go_last() {}

pub fn watch_forks() {}

pub fn leave_if_forked(_original: u32) {}

pub fn forked_and_returned() -> bool {
    false
}

pub fn describe_exit(status: ExitStatus) -> String {
    format!("the process ended: {status}")
}

/// Notes interrupts instead of dying of them: not here, where they end the program.
pub fn catch_interrupts() {}

/// The signal that was caught: none here.
pub fn interrupt() -> Option<i32> {
    None
}
