//! Processes that a kernel has started and left, in whatever session they live. This process adopts them, and ends
//! them when their worker has ended.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Our children that were started on purpose and have not been waited for.
static KNOWN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Nothing that can panic is done under the lock.
fn known() -> MutexGuard<'static, Vec<u32>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the system hands orphans among our descendants to this process, where it can.
pub fn adopt() {
    #[cfg(target_os = "linux")]
    // SAFETY: PR_SET_CHILD_SUBREAPER takes a number and touches no memory of ours.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1)
    };
}

/// Notes a child that was started on purpose.
pub fn began(child: u32) {
    known().push(child);
}

/// Notes that a child was waited for, and ends the processes that it left behind: every adopted process with this
/// variable. Processes that we start ourselves, and builds, do not have it.
pub fn ended(child: u32, variable: &str) {
    known().retain(|known| *known != child);
    // An orphan that is ended may leave orphans of its own.
    for _ in 0..8 {
        let strays = adopted(variable);
        if strays.is_empty() {
            return;
        }
        strays.into_iter().for_each(end);
    }
}

/// Children that this process has not started.
#[cfg(target_os = "linux")]
fn adopted(variable: &str) -> Vec<u32> {
    let mark = format!("{variable}=").into_bytes();
    let mut children: Vec<u32> = Vec::new();
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return children };
    for task in tasks {
        let list = task.and_then(|task| std::fs::read_to_string(task.path().join("children")));
        for child in list.unwrap_or_default().split_whitespace() {
            children.extend(child.parse::<u32>());
        }
    }
    let known = known();
    children.retain(|child| !known.contains(child));
    children.retain(|child| {
        let variables = std::fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
        variables.split(|&byte| byte == 0).any(|one| one.starts_with(&mark))
    });
    children
}

#[cfg(not(target_os = "linux"))]
fn adopted(_: &str) -> Vec<u32> {
    Vec::new()
}

#[cfg(target_os = "linux")]
fn end(stray: u32) {
    // SAFETY: kill and waitpid take integers and an optional pointer, here none; the process is a child of ours that
    // has not been waited for, so that its number is still its own.
    unsafe {
        libc::kill(stray as i32, libc::SIGKILL);
        libc::waitpid(stray as i32, std::ptr::null_mut(), 0);
    }
}

#[cfg(not(target_os = "linux"))]
fn end(_: u32) {}
