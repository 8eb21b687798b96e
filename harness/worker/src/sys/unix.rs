//! The Unix side, by libc calls.

use std::{
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd, FromRawFd, OwnedFd},
        unix::net::UnixStream,
    },
    process::{Child, Command},
    sync::atomic::{AtomicI32, AtomicPtr, Ordering},
    time::{Duration, Instant},
};

/// CPU time of the calling thread in nanoseconds.
pub fn thread_cpu_ns() -> Option<u64> {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// CPU time of all threads of this process in nanoseconds.
pub fn process_cpu_ns() -> Option<u64> {
    clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

pub(super) fn clock_ns(clock: libc::clockid_t) -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call.
    let result = unsafe { libc::clock_gettime(clock, &mut time) };
    (result == 0).then(|| time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// Returns the system's counts for a thread or for processes.
fn usage(who: libc::c_int) -> Option<libc::rusage> {
    // SAFETY: an all-zero rusage is a valid value of a plain C struct of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a valid, writable rusage for the whole call.
    let result = unsafe { libc::getrusage(who, &mut usage) };
    (result == 0).then_some(usage)
}

/// How often this thread gave its processor up to wait for something; elsewhere than on Linux, all threads of the process.
pub fn waits() -> Option<u64> {
    #[cfg(target_os = "linux")]
    const WHO: libc::c_int = libc::RUSAGE_THREAD;
    #[cfg(not(target_os = "linux"))]
    const WHO: libc::c_int = libc::RUSAGE_SELF;
    Some(usage(WHO)?.ru_nvcsw as u64)
}

/// CPU time of this process, and of all that it has started and that have ended, in nanoseconds.
pub fn family_cpu_ns() -> Option<u64> {
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
    let of = |usage: libc::rusage| ns(usage.ru_utime) + ns(usage.ru_stime);
    Some(of(usage(libc::RUSAGE_SELF)?) + of(usage(libc::RUSAGE_CHILDREN)?))
}

/// The most memory that this process had in use at once, or the largest one that it started and waited for.
pub fn peak_rss_bytes() -> Option<u64> {
    // Linux and most others count in units of 1024 bytes, Apple's systems in bytes.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let of = |who| Some(usage(who)?.ru_maxrss as u64 * unit);
    // On Linux, `getrusage` also counts what a process had in use before it became its program: of this one the runner's
    // memory, of another one that of this process.
    let own = if cfg!(target_os = "linux") { peak_of_status() } else { of(libc::RUSAGE_SELF) };
    Some(own?.max(of(libc::RUSAGE_CHILDREN)?))
}

/// The peak that Linux keeps for a program.
fn peak_of_status() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The memory that this process has in use now.
pub fn resident_bytes() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return peak_rss_bytes();
    }
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: sysconf takes a number and touches no memory of ours.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.checked_mul(u64::try_from(page_bytes).ok()?)
}

/// Moves standard input and output of this process to private file descriptors, and leaves `/dev/null` as
/// standard input and a copy of standard error as standard output.
///
/// A kernel that prints, or reads, can then neither write into the protocol nor take requests out of it.
pub fn take_private_channel() -> io::Result<(File, File)> {
    let requests = duplicate_away(libc::STDIN_FILENO)?;
    let answers = duplicate_away(libc::STDOUT_FILENO)?;
    let null = File::open("/dev/null")?;
    replace(null.as_raw_fd(), libc::STDIN_FILENO)?;
    replace(libc::STDERR_FILENO, libc::STDOUT_FILENO)?;
    Ok((requests, answers))
}

/// A duplicate of `descriptor` far from the numbers that programs guess, closed on exec so that processes
/// started by a kernel do not inherit it.
fn duplicate_away(descriptor: i32) -> io::Result<File> {
    // SAFETY: fcntl with F_DUPFD_CLOEXEC takes an integer and touches no memory of ours.
    let copy = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 200) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `copy` was just created, is open, and nothing else owns it.
    Ok(unsafe { File::from_raw_fd(copy) })
}

fn replace(source: i32, target: i32) -> io::Result<()> {
    // SAFETY: dup2 takes two integers and touches no memory of ours; `target` is a standard stream, which no
    // Rust object owns.
    if unsafe { libc::dup2(source, target) } < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Asks the kernel to kill this process when the runner dies, so that no worker is ever left behind.
///
/// `runner` is the process that started this one, or 0 if that is not known; if it is gone already, the process exits.
pub fn die_with(runner: u32) {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: PR_SET_PDEATHSIG takes a signal number and touches no memory of ours.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        // The runner may have died before the call above; then no signal would ever come.
        // SAFETY: getppid has no arguments and cannot fail.
        if runner != 0 && unsafe { libc::getppid() } as u32 != runner {
            std::process::exit(crate::exit::FAILED);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = runner;
}

/// The process that has started this one.
pub fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Becomes the program of a command. Returns why it cannot.
pub fn become_program(command: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt;
    command.exec()
}

/// Starts a process whose standard input is one end of a channel ([`channel_of_parent`]). Its group is its own: an
/// interrupt in a debugger is meant for this process. Returns it with the two directions of the other end.
pub fn start_with_channel(mut command: Command) -> io::Result<(Child, File, File)> {
    let (here, there) = UnixStream::pair()?;
    super::own_group(&mut command);
    let child = command.stdin(OwnedFd::from(there)).spawn()?;
    // The command had the other end, which would stay open.
    drop(command);
    let here = OwnedFd::from(here);
    Ok((child, here.try_clone()?.into(), here.into()))
}

/// The channel that [`start_with_channel`] has given to this process: where it writes, and where it reads.
pub fn channel_of_parent() -> io::Result<(File, File)> {
    let end = io::stdin().as_fd().try_clone_to_owned()?;
    Ok((end.try_clone()?.into(), end.into()))
}

/// Keeps this number of pages of addresses free for good, so that later mappings lie elsewhere.
pub fn leave_gap(pages: usize) {
    // SAFETY: sysconf takes a number and touches no memory of ours.
    let page_bytes = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
    // SAFETY: a fresh mapping that nobody may read or write touches no memory that exists; where there are no pages, or
    // none can be had, nothing happens.
    unsafe {
        libc::mmap(std::ptr::null_mut(), pages * page_bytes, libc::PROT_NONE, flags, -1, 0);
    }
}

/// Limits the memory that this process and what it starts may use.
pub fn limit_memory(bytes: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: bytes as libc::rlim_t, rlim_max: bytes as libc::rlim_t };
    // Linux counts what a process has asked for as its own data; others can only limit its addresses.
    #[cfg(target_os = "linux")]
    let what = libc::RLIMIT_DATA;
    #[cfg(not(target_os = "linux"))]
    let what = libc::RLIMIT_AS;
    // SAFETY: `limit` is a valid rlimit for the whole call.
    if unsafe { libc::setrlimit(what, &limit) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Makes a file that grows beyond its limit an error of writing instead of the end of this process, or the reverse.
pub fn survive_file_limits(survive: bool) {
    let action = if survive { libc::SIG_IGN } else { libc::SIG_DFL };
    // SAFETY: both are dispositions without code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, action) };
}

/// A page that forked processes share, in which they say that they came back from a kernel.
static RETURNED: AtomicPtr<AtomicI32> = AtomicPtr::new(std::ptr::null_mut());

static FORKS: AtomicI32 = AtomicI32::new(0);

extern "C" fn note_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Has the calling thread, and the processes that it starts, go behind all others, where each thread has a priority of its own.
pub fn go_last() {
    #[cfg(target_os = "linux")]
    // SAFETY: setpriority takes three integers and touches no memory of ours; 0 stands for the calling thread.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
    }
}

/// From now on forks are counted, and forked processes that call [`leave_if_forked`] are known to this one.
pub fn watch_forks() {
    // SAFETY: a fresh anonymous mapping touches no memory that exists.
    let page = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size_of::<AtomicI32>(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANON,
            -1,
            0,
        )
    };
    if page != libc::MAP_FAILED {
        RETURNED.store(page.cast(), Ordering::Relaxed);
    }
    // SAFETY: the handler only touches an atomic.
    unsafe { libc::pthread_atfork(None, Some(note_fork), None) };
}

fn returned() -> Option<&'static AtomicI32> {
    // SAFETY: the pointer is null, or that of a mapping of this size, aligned to a page, zeroed by the system, which
    // is never taken down.
    unsafe { RETURNED.load(Ordering::Relaxed).as_ref() }
}

/// Ends this process, without running anything at its exit, unless it is the one with this number.
pub fn leave_if_forked(original: u32) {
    if std::process::id() != original {
        if let Some(returned) = returned() {
            returned.store(1, Ordering::Relaxed);
        }
        // SAFETY: _exit takes an integer and does not return.
        unsafe { libc::_exit(crate::exit::FORKED) };
    }
}

/// Whether a process that was forked since the last question came back from a kernel, as far as that shows soon.
pub fn forked_and_returned() -> bool {
    if FORKS.swap(0, Ordering::Relaxed) == 0 {
        return false;
    }
    // The forked process may not have come so far yet.
    let deadline = Instant::now() + Duration::from_millis(100);
    loop {
        if returned().is_some_and(|returned| returned.load(Ordering::Relaxed) != 0) {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The signal that asked this process to stop, 0 while there is none.
static INTERRUPT: AtomicI32 = AtomicI32::new(0);

extern "C" fn note_interrupt(signal: i32) {
    // A second signal means that the orderly end takes too long for the user.
    if INTERRUPT.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: _exit is async-signal-safe and does not return.
        unsafe { libc::_exit(128 + signal) };
    }
}

/// From now on SIGINT, SIGTERM and SIGHUP are noted instead of killing this process; see [`interrupt`]. After `nohup`, SIGHUP
/// stays ignored.
pub fn catch_interrupts() {
    survive_file_limits(true);
    let handler: extern "C" fn(i32) = note_interrupt;
    // SAFETY: an all-zero sigaction is a valid value: no flags, no mask, default handler.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: an all-zero sigaction is a valid value, here one to be written to.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: without a new action the call only writes the present one into `before`, which is valid.
        let known = unsafe { libc::sigaction(signal, std::ptr::null(), &mut before) } == 0;
        if signal == libc::SIGHUP && known && before.sa_sigaction == libc::SIG_IGN {
            continue;
        }
        // SAFETY: `action` is valid, and the handler only touches an atomic and calls _exit, both of which are
        // async-signal-safe.
        unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) };
    }
}

/// The signal that asked to stop, if any.
pub fn interrupt() -> Option<i32> {
    Some(INTERRUPT.load(Ordering::Relaxed)).filter(|&signal| signal != 0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_peak_is_that_of_the_largest_process() {
        let own = super::peak_rss_bytes().unwrap();
        // `tail` keeps all that it is to print.
        let command = "head -c 134217728 /dev/zero | tail -c 134217728 | wc -c";
        let done = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
        assert!(done.status.success());
        assert!(super::peak_rss_bytes().unwrap() >= own.max(1 << 27));
    }
}
