//! Processes that this one has started: their groups, their signals and their ends.

use std::{
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

/// Puts the process to be started into a group of its own: an interrupt typed at the terminal then reaches the
/// runner alone, which ends its workers in order.
pub fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Gives the process to be started another name for itself than its path, as the first of its arguments.
pub fn name(command: &mut Command, name: &str) {
    use std::os::unix::process::CommandExt;
    command.arg0(name);
}

/// Asks a group that was created with [`own_group`], whose leader has not been waited for yet, to end.
pub fn interrupt_group(leader: u32) {
    // SAFETY: kill takes two integers and touches no memory of ours.
    unsafe { libc::kill(-(leader as i32), libc::SIGINT) };
}

/// The time that all threads of a process may take to stop: one may be in the middle of a call of the system.
const TO_STOP: Duration = Duration::from_millis(20);

/// Stops a child that has not been waited for yet, until it may [go on](go_on). It returns when all of its threads have stopped:
/// the one that waits for requests passes the signal on, once it gets a processor.
pub fn stop(child: u32) {
    // SAFETY: kill takes two integers and touches no memory of ours; the number is still that of the child.
    unsafe { libc::kill(child as libc::pid_t, libc::SIGSTOP) };
    let deadline = Instant::now() + TO_STOP;
    while !has_come_to(child, libc::WSTOPPED | libc::WEXITED) && Instant::now() < deadline {
        std::thread::yield_now();
    }
}

/// Has a child that was [stopped](stop) go on.
pub fn go_on(child: u32) {
    // SAFETY: as in `stop`.
    unsafe { libc::kill(child as libc::pid_t, libc::SIGCONT) };
}

/// Kills a worker and whatever it has started in its group.
pub fn kill_group(leader: u32) {
    // SAFETY: kill takes two integers; the group was created by us with `own_group`, and its leader has not been
    // waited for yet, so that the number cannot have been given to anybody else.
    unsafe { libc::kill(-(leader as i32), libc::SIGKILL) };
}

/// Waits until a child has ended, without taking note of it: its number stays its own until it is waited for.
pub fn await_exit(child: u32, allowed: Duration) {
    let deadline = Instant::now() + allowed;
    while !has_exited(child) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Whether a child has ended; it still has to be waited for.
pub fn has_exited(child: u32) -> bool {
    has_come_to(child, libc::WEXITED)
}

/// Whether a child has come to one of these states, which stays to be waited for, or is no child any more.
fn has_come_to(child: u32, states: libc::c_int) -> bool {
    loop {
        // SAFETY: an all-zero siginfo is a valid value of a plain C struct.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let options = states | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: `info` is valid and writable for the whole call.
        if unsafe { libc::waitid(libc::P_PID, child, &mut info, options) } == 0 {
            // SAFETY: waitid has filled in the fields of a child's state, or left them zero.
            return unsafe { info.si_pid() } != 0;
        }
        // An interrupted call has not looked: its child may be alive.
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return true;
        }
    }
}

/// CPU time of all threads of another process in nanoseconds.
#[cfg(target_os = "linux")]
pub fn cpu_ns_of(process: u32) -> Option<u64> {
    let mut clock = libc::CLOCK_PROCESS_CPUTIME_ID;
    // SAFETY: `clock` is valid and writable for the whole call.
    let result = unsafe { libc::clock_getcpuclockid(process as libc::pid_t, &mut clock) };
    if result == 0 { super::unix::clock_ns(clock) } else { None }
}

#[cfg(not(target_os = "linux"))]
pub fn cpu_ns_of(_process: u32) -> Option<u64> {
    None
}

/// How a process ended, for people: `exited with code 3`, `killed by signal 6 (SIGABRT)`.
pub fn describe_exit(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("the process exited with code {code}"),
        (None, Some(signal)) => {
            format!("the process was killed by signal {signal} ({})", signal_name(signal))
        }
        (None, None) => "the process ended in an unknown way".to_owned(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGABRT => "SIGABRT, abort",
        libc::SIGSEGV => "SIGSEGV, invalid memory reference",
        libc::SIGBUS => "SIGBUS, bus error",
        libc::SIGILL => "SIGILL, illegal instruction",
        libc::SIGFPE => "SIGFPE, arithmetic error",
        libc::SIGKILL => "SIGKILL, perhaps out of memory",
        libc::SIGTERM => "SIGTERM",
        libc::SIGINT => "SIGINT",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGXCPU => "SIGXCPU, CPU time limit",
        _ => "see signal(7)",
    }
}
