//! On which processor a runner and its worker run, where the system lets that be chosen; elsewhere nothing happens.

#[cfg(target_os = "linux")]
use std::cell::Cell;

#[cfg(target_os = "linux")]
thread_local! {
    /// The processors that this thread had before a placement confined it.
    static WIDE: Cell<Option<libc::cpu_set_t>> = const { Cell::new(None) };
}

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

    /// Confines the calling thread to this processor. If the system does not permit that, no thread is confined.
    #[cfg(target_os = "linux")]
    pub fn on(processor: u32) -> Self {
        let Some(before) = processors_of(0) else { return Self::anywhere() };
        if processor >= libc::CPU_SETSIZE as u32 || !set_processors_of_thread(&only(processor)) {
            return Self::anywhere();
        }
        WIDE.set(WIDE.get().or(Some(before)));
        Self { before: Some(before), processor: Some(processor) }
    }

    /// No thread is confined: this system is not known.
    #[cfg(not(target_os = "linux"))]
    pub fn on(_processor: u32) -> Self {
        Self::anywhere()
    }

    /// The processors that the calling thread may use, that on which it runs first; none if the system does not tell.
    #[cfg(target_os = "linux")]
    pub fn choices() -> Vec<u32> {
        let Some(set) = processors_of(0) else { return Vec::new() };
        // SAFETY: sched_getcpu has no arguments and touches no memory of ours.
        let current = u32::try_from(unsafe { libc::sched_getcpu() }).ok();
        let others = (0..libc::CPU_SETSIZE as u32)
            // SAFETY: the set is valid, and the bit lies inside it.
            .filter(|&one| Some(one) != current && unsafe { libc::CPU_ISSET(one as usize, &set) });
        current.into_iter().chain(others).collect()
    }

    /// None: this system is not known.
    #[cfg(not(target_os = "linux"))]
    pub fn choices() -> Vec<u32> {
        Vec::new()
    }

    /// Confines the calling thread to the processor that it runs on. If the system does not permit that, no thread is
    /// confined.
    pub fn here() -> Self {
        Self::choices().first().map_or_else(Self::anywhere, |&current| Self::on(current))
    }
}

impl Drop for Placement {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(before) = &self.before {
            // Where the processors of this program have been changed from outside meanwhile, there is nothing to be done.
            set_processors_of_thread(before);
            // SAFETY: both are valid sets.
            WIDE.set(WIDE.get().filter(|wide| unsafe { !libc::CPU_EQUAL(wide, before) }));
        }
    }
}

/// While this lives, the calling thread, and the processes that it starts, have the processors that the thread had before a
/// placement confined it.
pub struct Lifted {
    #[cfg(target_os = "linux")]
    one: Option<libc::cpu_set_t>,
}

impl Lifted {
    /// Lifts it until this is dropped.
    pub fn begin() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            one: WIDE.get().and_then(|wide| {
                let one = processors_of(0)?;
                set_processors_of_thread(&wide).then_some(one)
            }),
        }
    }
}

impl Drop for Lifted {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(one) = &self.one {
            set_processors_of_thread(one);
        }
    }
}

/// Where a worker waits for requests, and where its windows therefore begin: on one processor, with leave to use all that the
/// process was started with while code of the user runs.
///
/// A kernel that is confined sees it: `available_parallelism` is 1, and threads that it starts inherit the one processor. A
/// thread that was woken on a processor stays there as long as nothing else wants it, so that waiting there is enough.
#[derive(Clone, Copy)]
pub struct StartingPlace {
    #[cfg(target_os = "linux")]
    all: libc::cpu_set_t,
    #[cfg(target_os = "linux")]
    processor: u32,
}

#[cfg(target_os = "linux")]
impl StartingPlace {
    /// Takes the calling thread to this processor. `None` if the system does not permit that.
    pub fn on(processor: u32) -> Option<Self> {
        if processor >= libc::CPU_SETSIZE as u32 {
            return None;
        }
        let all = processors_of(0)?;
        set_processors_of_thread(&only(processor)).then_some(Self { all, processor })
    }

    /// Keeps the thread on the processor until [`go`](Self::go).
    pub fn wait(&self) {
        set_processors_of_thread(&only(self.processor));
    }

    /// Gives the thread all processors back; it stays where it is.
    pub fn go(&self) {
        set_processors_of_thread(&self.all);
    }

    /// Takes a thread back that the system has moved meanwhile.
    pub fn take_back(&self) {
        // SAFETY: sched_getcpu has no arguments and touches no memory of ours.
        if u32::try_from(unsafe { libc::sched_getcpu() }) != Ok(self.processor) {
            self.wait();
            self.go();
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl StartingPlace {
    /// `None`: this system is not known.
    pub fn on(_processor: u32) -> Option<Self> {
        None
    }

    pub fn wait(&self) {}

    pub fn go(&self) {}

    pub fn take_back(&self) {}
}

/// Keeps the threads of a process off the processor to which a placement has confined the calling thread, if the machine has
/// others. The first thread of the process, and threads that it has confined itself, stay where they are.
#[cfg(target_os = "linux")]
pub fn keep_threads_off(process: u32) {
    let Some((wide, here)) = WIDE.get().zip(processors_of(0)) else { return };
    let mut others = wide;
    for processor in 0..libc::CPU_SETSIZE as usize {
        // SAFETY: both sets are valid, and the bit lies inside them.
        unsafe {
            if libc::CPU_ISSET(processor, &here) {
                libc::CPU_CLR(processor, &mut others);
            }
        }
    }
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    let numbers = threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok());
    for thread in numbers.filter(|&thread: &u32| thread != process) {
        let Some(own) = processors_of(thread) else { continue };
        // SAFETY: all sets are valid and readable, and of the size that is given. The system refuses an empty one.
        unsafe {
            if libc::CPU_EQUAL(&own, &wide) {
                libc::sched_setaffinity(thread as i32, size_of::<libc::cpu_set_t>(), &others);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub fn keep_threads_off(_process: u32) {}

/// The set of one processor, whose number is below `CPU_SETSIZE`.
#[cfg(target_os = "linux")]
fn only(processor: u32) -> libc::cpu_set_t {
    // SAFETY: an all-zero set is a valid value of a plain C struct of bits: the empty one.
    let mut one: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the callers have checked that the bit lies inside the set.
    unsafe { libc::CPU_SET(processor as usize, &mut one) };
    one
}

/// The processors that a thread may use; 0 stands for the calling one.
#[cfg(target_os = "linux")]
fn processors_of(thread: u32) -> Option<libc::cpu_set_t> {
    // SAFETY: an all-zero set is a valid value of a plain C struct of bits.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: `set` is valid and writable, and of the size that is given.
    let result =
        unsafe { libc::sched_getaffinity(thread as i32, size_of::<libc::cpu_set_t>(), &mut set) };
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
        unsafe { libc::CPU_COUNT(&processors_of(0).unwrap()) }
    }

    #[test]
    fn a_thread_is_confined_while_the_placement_lives_and_free_again_after_it() {
        let all = count();
        let placement = Placement::here();
        assert_eq!(count(), 1);
        assert!(placement.processor().is_some());
        // Threads started meanwhile inherit it.
        assert_eq!(std::thread::spawn(count).join().unwrap(), 1);
        drop(placement);
        assert_eq!(count(), all);
        let nowhere = Placement::anywhere();
        assert_eq!((nowhere.processor(), count()), (None, all));
    }

    #[test]
    fn what_is_started_while_a_placement_is_lifted_has_all_processors() {
        let all = count();
        let placement = Placement::here();
        let lifted = Lifted::begin();
        assert_eq!(std::thread::spawn(count).join().unwrap(), all);
        drop(lifted);
        assert_eq!(count(), 1);
        drop(placement);
        // Without a placement there is nothing to be lifted.
        drop(Lifted::begin());
        assert_eq!(count(), all);
    }

    #[test]
    fn a_thread_has_all_processors_wherever_it_waits() {
        let all = count();
        let here = Placement::here();
        let processor = here.processor().unwrap();
        drop(here);
        let place = StartingPlace::on(processor).unwrap();
        assert_eq!(count(), 1);
        place.go();
        assert_eq!(count(), all);
        place.wait();
        assert_eq!(count(), 1);
        place.go();
        place.take_back();
        assert_eq!(count(), all);
    }
}
