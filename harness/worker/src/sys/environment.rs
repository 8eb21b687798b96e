//! Changes of this process's own environment, which only a process of a single thread may make.

use std::{env, fs};

/// Gives all variables this value, if the system reports that this process has no other thread. True if it did.
pub fn set_variables(names: &[&str], value: &str) -> bool {
    if threads() != Some(1) {
        return false;
    }
    for name in names {
        // SAFETY: no other thread may use the environment meanwhile. The system has just counted the threads of this
        // process, there is none but this one, and it starts none here.
        unsafe { env::set_var(name, value) };
    }
    true
}

fn threads() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("Threads:"))?.trim().parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_changed_beside_another_thread() {
        // The test itself runs in a second thread.
        assert!(threads().is_some_and(|threads| threads > 1));
        assert!(!set_variables(&["PLUSMINUS_TEST_OF_VARIABLES"], "1"));
        assert_eq!(env::var_os("PLUSMINUS_TEST_OF_VARIABLES"), None);
    }
}
