//! Programs run on a system that fails single calls. This module has the calls that can fail, the ways to fail, and
//! the conditions that must hold afterwards for every program. The library in `tests/fixtures/refusing-system` does
//! the failing.

use std::{
    fs::{self, File},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, sleep},
    time::{Duration, Instant},
};

use plusminus_tests::{Fixture, Outcome};

/// As in the library.
const PROCESSES: usize = 64;
const FUNCTIONS: usize = 64;
const NAME_BYTES: usize = 32;
const ODD: i32 = 1000;
const INTERRUPT: i32 = 1001;

/// How many of the calls fail.
struct Extent {
    /// Calls of one function in one process that are all refused, one after the other; of more of them, some at growing
    /// distances.
    calls: u32,
    /// By which part of a number the next one of these is larger.
    distance: f64,
    /// Of these, calls that fail in every way; the others fail in one way after the other.
    in_every_way: usize,
    /// As for calls, the processes of one program: workers of a comparison are alike.
    workers: u32,
}

impl Extent {
    /// A part of them, which is what there is the time for each time that tests run, or all by `PLUSMINUS_TEST_REFUSALS=all`.
    fn wanted() -> Self {
        if std::env::var_os("PLUSMINUS_TEST_REFUSALS").is_some_and(|value| value == "all") {
            Self { calls: 24, distance: 0.5, in_every_way: 4, workers: 6 }
        } else {
            Self { calls: 2, distance: 3.0, in_every_way: 1, workers: 2 }
        }
    }

    /// Returns all of the first numbers, and then some at growing distances.
    fn some_of(&self, number: u32, first: u32) -> Vec<u32> {
        let mut some: Vec<u32> = (0..number.min(first)).collect();
        let mut next = first;
        while next < number {
            some.push(next);
            next += ((f64::from(next) * self.distance) as u32).max(1);
        }
        some
    }
}

/// A program that takes longer hangs: it takes less than a second, and none of its limits of time is longer than this.
const HANGS: Duration = Duration::from_secs(60);

/// The library, built once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let fixture = Fixture::new("refusing-system", "refusing_system");
        fixture.cargo(&["build"]).exits(0);
        super::workspace().join("target/fixtures/debug/librefusing_system.so")
    })
}

/// A call that fails.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The process, in the order of their beginning: 0 is the program itself.
    pub(crate) process: usize,
    /// The function, and its name.
    pub(crate) function: usize,
    pub(crate) name: String,
    /// The call, from 0.
    pub(crate) call: u32,
    /// Its error.
    pub(crate) error: i32,
    /// Whether all calls from there on fail.
    pub(crate) lasting: bool,
}

/// Returns the errors of a function, each with whether all later calls also fail.
fn errors(function: &str) -> &'static [(i32, bool)] {
    match function {
        "open64" => &[(libc::EMFILE, false), (libc::EACCES, false), (libc::ENOSPC, true)],
        "read" => &[(libc::EIO, false), (libc::EINTR, false), (ODD, false), (libc::EIO, true)],
        "write" => &[
            (libc::ENOSPC, false),
            (libc::EIO, false),
            (libc::EINTR, false),
            (ODD, false),
            (libc::EPIPE, false),
            (libc::ENOSPC, true),
        ],
        "rename" => &[(libc::EIO, false), (libc::ENOSPC, true)],
        "linkat" => &[(libc::EIO, false), (libc::EPERM, true)],
        "pipe2" => &[(libc::EMFILE, false), (libc::EMFILE, true)],
        "fork" | "posix_spawnp" | "posix_spawn" | "pidfd_spawnp" | "pthread_create" => {
            &[(libc::EAGAIN, false), (libc::ENOMEM, true)]
        }
        "waitpid" | "waitid" | "nanosleep" | "clock_nanosleep" => &[(libc::EINTR, false)],
        "poll" => &[(libc::EINTR, false), (libc::ENOMEM, false)],
        "clock_gettime" => &[(ODD, false), (ODD, true)],
        "mmap" => &[(libc::ENOMEM, false)],
        // The standard library ends a program that it cannot give a stack for signals.
        "mmap64" => &[],
        "kill" | "personality" | "sched_setaffinity" | "prctl" => &[(libc::EPERM, false)],
        "dup" | "dup2" | "fcntl" => &[(libc::EMFILE, false)],
        "getrandom" => &[(libc::ENOSYS, true)],
        "flock" => &[(libc::ENOLCK, false)],
        _ => &[(libc::EIO, false)],
    }
}

/// The calls that programs have made: by process and function.
pub(crate) struct Counts {
    bytes: Vec<u8>,
}

impl Counts {
    fn file_size() -> u64 {
        (NAME_BYTES * FUNCTIONS + 8 + 4 * PROCESSES * FUNCTIONS) as u64
    }

    fn number(&self, index: usize) -> u32 {
        let begin = NAME_BYTES * FUNCTIONS + 4 * index;
        u32::from_ne_bytes(self.bytes[begin..begin + 4].try_into().unwrap())
    }

    fn name(&self, function: usize) -> &str {
        let name = &self.bytes[NAME_BYTES * function..NAME_BYTES * (function + 1)];
        std::str::from_utf8(name).unwrap().trim_end_matches('\0')
    }

    fn refused(&self) -> u32 {
        self.number(1)
    }

    /// Every refusal that there is to try.
    pub(crate) fn refusals(&self) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let extent = Extent::wanted();
        for process in extent.some_of(self.number(0).min(PROCESSES as u32), extent.workers) {
            let process = process as usize;
            for function in 0..FUNCTIONS {
                let calls = self.number(2 + process * FUNCTIONS + function);
                let name = self.name(function);
                let errors = errors(name);
                for (index, call) in extent.some_of(calls, extent.calls).into_iter().enumerate() {
                    let all = index < extent.in_every_way;
                    let mine = errors.iter().enumerate();
                    let mut ways: Vec<(i32, bool)> = mine
                        .filter(|(way, _)| all || *way == index % errors.len())
                        .map(|(_, way)| *way)
                        .collect();
                    // At every other call Ctrl-C is pressed; in a worker, a signal ends it.
                    if index % 2 == 0 && process < 3 {
                        ways.push((INTERRUPT, false));
                    }
                    refusals.extend(ways.into_iter().map(|(error, lasting)| {
                        let name = name.to_owned();
                        Refusal { process, function, name, call, error, lasting }
                    }));
                }
            }
        }
        refusals
    }
}

/// A program in a folder of its own, so that its processes and files are known by where they are.
pub(crate) struct Stage {
    pub(crate) folder: PathBuf,
    /// The arguments, the program first; paths without a folder in front are in the stage's own.
    pub(crate) line: Vec<String>,
    /// Makes what is there before the program begins, in `work` below the folder.
    pub(crate) prepare: fn(&Path),
}

/// How a program ended on a system that fails calls.
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    /// The signal that killed it, if one did.
    pub(crate) signal: Option<i32>,
    pub(crate) counts: Counts,
    /// Where it worked.
    pub(crate) work: PathBuf,
    /// Complaints that do not depend on the program.
    pub(crate) complaints: Vec<String>,
}

impl Stage {
    /// The folder in which the program writes.
    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn command(&self, refusal: Option<&Refusal>) -> Command {
        // No variable of an outer cargo or harness gets through.
        let mut command = Command::new(self.folder.join(&self.line[0]));
        command.env_clear().args(&self.line[1..]).current_dir(self.work());
        command.envs(std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "HOME"));
        command
            .env("LD_PRELOAD", library())
            // Causes are looked for, and the report cuts what is wider than the terminal.
            .env("COLUMNS", "1000")
            .env("REFUSE_BELOW", &self.folder)
            .env("REFUSE_COUNTS", self.folder.join("counts"))
            .env("TMPDIR", self.work().join("temporary"))
            .env("PLUSMINUS_OUTPUT", self.work().join("output"))
            .env("GITHUB_OUTPUT", self.work().join("github-output"))
            // Programs that stand in for them, where a stage has any.
            .env("CARGO", self.folder.join("cargo"))
            .env("RUSTC", self.folder.join("rustc"))
            // Git is asked about the folder that the program runs in, and is not to look far.
            .env("GIT_CEILING_DIRECTORIES", &self.folder)
            .process_group(0)
            .stdin(Stdio::null());
        if let Some(Refusal { process, function, call, error, lasting, .. }) = refusal {
            let number = if *lasting { usize::MAX >> 1 } else { 1 };
            command.env("REFUSE_CALL", format!("{process} {function} {call} {error} {number}"));
        }
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, refusal: Option<&Refusal>) -> Ending {
        let work = self.work();
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(work.join("temporary")).unwrap();
        (self.prepare)(&work);
        let counts = self.folder.join("counts");
        File::create(&counts).unwrap().set_len(Counts::file_size()).unwrap();
        // Files, not pipes: what is left behind would keep those open.
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.folder.join(name));
        let mut command = self.command(refusal);
        command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        let mut child = command.spawn().unwrap();
        let mut complaints = Vec::new();
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begin.elapsed() > HANGS {
                complaints.push("it hangs".to_owned());
                child.kill().unwrap();
                break child.wait().unwrap();
            }
            sleep(Duration::from_millis(2));
        };
        // The system takes a moment to end the processes that die with it.
        let begin = Instant::now();
        while let Some(left) = process_below(&self.folder) {
            if begin.elapsed() > Duration::from_secs(10) {
                complaints.push(format!("process {left} is left behind"));
                let _ = Command::new("kill").args(["-KILL", &left.to_string()]).status();
                break;
            }
            sleep(Duration::from_millis(2));
        }
        let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        let outcome = Outcome { stdout: text(&stdout), stderr: text(&stderr), code: status.code() };
        let counts = Counts { bytes: fs::read(counts).unwrap() };
        let signal = status.signal();
        let mut ending = Ending { outcome, signal, counts, work, complaints };
        ending.look(refusal);
        ending
    }
}

/// A process that runs a program below a folder, if there is one.
fn process_below(folder: &Path) -> Option<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|one| {
            fs::read_link(one.path().join("exe")).is_ok_and(|exe| exe.starts_with(folder))
        })
        .find_map(|one| one.file_name().to_string_lossy().parse().ok())
}

/// All files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            _ => found.push(entry.path()),
        }
    }
    found
}

/// Whether a file is one that was to get another name, by the name that it has.
pub(crate) fn is_temporary(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(".plusminus-") || name.starts_with(".running-")
}

impl Ending {
    /// Whether the program ended as one that was interrupted, and was.
    pub(crate) fn is_interrupted(&self) -> bool {
        let by_itself = self.outcome.code == Some(128 + libc::SIGINT);
        self.counts.refused() > 0 && (by_itself || self.signal == Some(libc::SIGINT))
    }

    /// Notes what must never happen.
    fn look(&mut self, refusal: Option<&Refusal>) {
        let Outcome { stdout, stderr, code } = &self.outcome;
        let mut complain = |sentence: &str| self.complaints.push(sentence.to_owned());
        let interrupted = refusal.is_some_and(|refusal| refusal.error == INTERRUPT);
        match self.signal {
            None => {}
            // Before and after it measures, nothing keeps a signal from ending the program, at whatever it does.
            Some(libc::SIGINT) if interrupted => return,
            Some(_) => complain("it was killed by a signal"),
        }
        if stderr.contains("panicked at") && refusal.is_none_or(|refusal| refusal.process == 0) {
            complain("it panics");
        }
        // Nothing can be said where nothing can be written any more.
        let mute = refusal.is_some_and(|refusal| refusal.name == "write" && refusal.lasting);
        let said = ["plusminus: ", " failed in ", " failed: "]
            .iter()
            .any(|word| stderr.contains(word) || stdout.contains(word));
        if *code == Some(2) && !said && !mute {
            complain("it says nothing of why it failed");
        }
        // A file that cannot be removed stays.
        let removing =
            ["unlink", "unlinkat", "rmdir", "open64", "openat64", "opendir", "readdir64", "statx"];
        let stays = refusal.is_some_and(|refusal| removing.contains(&&*refusal.name));
        let temporary =
            |file: &PathBuf| is_temporary(file) || file.starts_with(self.work.join("temporary"));
        if let Some(left) = files(&self.work).into_iter().find(temporary).filter(|_| !stays) {
            complain(&format!("{} is left behind", left.display()));
        }
        if let Some(refusal) = refusal.filter(|refusal| refusal.process == 0) {
            let reason = std::io::Error::from_raw_os_error(refusal.error).to_string();
            let reason = reason.split(" (os error").next().unwrap_or_default();
            let named = stderr.contains(reason) || stdout.contains(reason);
            // The standard library does not report why an existing folder cannot be looked at, and it reports a
            // closed pipe by its meaning.
            let known = refusal.name == "statx" || refusal.error == libc::EPIPE;
            if *code == Some(2) && refusal.error < ODD && !named && !known && !mute {
                complain(&format!("it does not say {reason:?}"));
            }
        }
    }
}

/// Runs a program once to count its calls, and then once for each failing call. `judge` adds complaints about an
/// ending of this program. Panics with the first complaints, and prints the count of injected faults.
pub(crate) fn sweep(name: &str, stages: &[Stage], judge: impl Fn(&Ending) -> Vec<String> + Sync) {
    let quiet = stages[0].run(None);
    let complaints = [quiet.complaints.clone(), judge(&quiet)].concat();
    assert!(complaints.is_empty(), "{complaints:?}: {}", quiet.outcome.both());
    assert!(quiet.outcome.code != Some(2), "{}", quiet.outcome.both());
    let refusals = quiet.counts.refusals();
    assert!(refusals.len() > 50, "the library is not there: {}", refusals.len());
    let (next, faults) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let judge = &judge;
    thread::scope(|scope| {
        for stage in stages {
            let (refusals, next, faults, wrong) = (&refusals, &next, &faults, &wrong);
            scope.spawn(move || {
                while let Some(refusal) = refusals.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let ending = stage.run(Some(refusal));
                    // A call that depends on the moment may not have been made this time.
                    let happened = usize::from(ending.counts.refused() > 0);
                    faults.fetch_add(happened, Ordering::Relaxed);
                    let complaints = [ending.complaints.clone(), judge(&ending)].concat();
                    if !complaints.is_empty() {
                        let seen = ending.outcome.both();
                        let text = format!("{refusal:?}: {complaints:?}\n{seen}");
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let faults = faults.into_inner();
    println!("{name}: {faults} faults injected, {} complaints", wrong.len());
    assert!(wrong.is_empty(), "{} of {faults} faults:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(10 * faults > 9 * refusals.len(), "{faults} of {} happened", refusals.len());
}
