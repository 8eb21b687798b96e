//! On which processor a runner and its worker run, where the system lets that be chosen; elsewhere nothing happens.

/// While this lives, the thread that made it, and the processes that it starts, stay on the one processor on which it
/// was made. Dropping it gives the thread back all the processors that it had; the processes keep theirs.
///
/// A worker that starts on an idle processor of a virtual machine gets whatever core its host has free just then, often
/// one whose other half is busy, and keeps it for a whole run. A processor that works all the time is moved to
/// a better one soon. The runner therefore takes its workers to where it runs itself: it waits while they measure.
#[derive(Debug)]
pub struct Placement {
    #[cfg(target_os = "linux")]
    before: Option<libc::cpu_set_t>,
    processor: Option<u32>,
}

impl Placement {
    /// No thread is confined.
    pub fn anywhere() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            before: None,
            processor: None,
        }
    }

    /// The processor that it confines to, if it does.
    pub fn processor(&self) -> Option<u32> {
        self.processor
    }

    /// Confines the calling thread to the processor that it runs on. Where the system refuses, no thread is confined.
    #[cfg(target_os = "linux")]
    pub fn here() -> Self {
        let Some(before) = processors_of_thread() else { return Self::anywhere() };
        // SAFETY: sched_getcpu has no arguments and touches no memory of ours.
        let current = unsafe { libc::sched_getcpu() };
        let Ok(processor) = u32::try_from(current) else { return Self::anywhere() };
        if processor >= libc::CPU_SETSIZE as u32 {
            return Self::anywhere();
        }
        // SAFETY: an all-zero set is a valid value of a plain C struct of bits: the empty one.
        let mut one: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the number is less than CPU_SETSIZE, so that its bit lies inside the set.
        unsafe { libc::CPU_SET(processor as usize, &mut one) };
        if set_processors_of_thread(&one) {
            Self { before: Some(before), processor: Some(processor) }
        } else {
            Self::anywhere()
        }
    }

    /// No thread is confined: this system is not known.
    #[cfg(not(target_os = "linux"))]
    pub fn here() -> Self {
        Self::anywhere()
    }
}

impl Drop for Placement {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(before) = &self.before {
            // Where the processors of this program have been changed from outside meanwhile, there is nothing to be done.
            set_processors_of_thread(before);
        }
    }
}

/// The processors that the calling thread may use.
#[cfg(target_os = "linux")]
fn processors_of_thread() -> Option<libc::cpu_set_t> {
    // SAFETY: an all-zero set is a valid value of a plain C struct of bits.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: `set` is valid and writable, and of the size that is given.
    let result = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) };
    (result == 0).then_some(set)
}

/// Confines the calling thread to these processors; true if the system did.
#[cfg(target_os = "linux")]
fn set_processors_of_thread(set: &libc::cpu_set_t) -> bool {
    // SAFETY: `set` is valid and readable, and of the size that is given.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set) == 0 }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn count() -> i32 {
        // SAFETY: the set is a valid one.
        unsafe { libc::CPU_COUNT(&processors_of_thread().unwrap()) }
    }

    #[test]
    fn a_thread_is_confined_while_the_placement_lives_and_free_again_after_it() {
        let all = count();
        let placement = Placement::here();
        assert_eq!(count(), 1);
        assert!(placement.processor().is_some());
        // What is started meanwhile inherits it.
        assert_eq!(std::thread::spawn(count).join().unwrap(), 1);
        drop(placement);
        assert_eq!(count(), all);
        let nowhere = Placement::anywhere();
        assert_eq!((nowhere.processor(), count()), (None, all));
    }
}
