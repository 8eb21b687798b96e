//! The circumstances in a record: enough to judge a number, and to measure it again.

use std::{
    env, fs,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant, SystemTime},
};

use super::{
    Home,
    beside::{FileBeside, beside},
    utc_timestamp,
};
use crate::text::without_secrets;
use plusminus_worker::{
    json::{FromJson, json_object},
    protocol::Build,
    sys,
    text::fnv1a,
};

/// The program of the subcommand, under the name that a bench target would have.
pub(crate) const SUBCOMMAND: &str = "cargo-plusminus";

json_object! {
    /// The subject, place and time of a measurement. Facts that the system does not report are `None`.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Manifest {
        /// The version of plusminus.
        pub plusminus: String,
        /// When measuring began, in UTC.
        pub started: String,
        /// The package of the bench target; `None` if it is not known, and in records from before it was kept.
        pub package: Option<String> [unless_none],
        /// The name of the bench target.
        pub bench: String,
        /// The arguments of the command line.
        pub arguments: Vec<String>,
        /// The checked out commit.
        pub commit: Option<String>,
        /// The first line of its message; `None` if it is not known, and in records from before it was kept.
        pub subject: Option<String> [unless_none],
        /// Whether the work tree differed from it.
        pub dirty: Option<bool>,
        /// The compiler.
        pub rustc: String,
        /// The platform that was compiled for.
        pub target: String,
        /// The optimization level.
        pub opt_level: String,
        /// Whether debug assertions were on.
        pub debug_assertions: bool,
        /// Further flags of the compiler.
        pub flags: String,
        /// FNV-1a hash of the binary.
        pub binary_hash: Option<String>,
        /// Files of the build that the program uses while it runs. Empty in records from before they were kept.
        pub beside: Vec<FileBeside> [unless_empty],
        /// FNV-1a hash of `Cargo.lock`.
        pub lock_hash: Option<String>,
        /// The operating system and its version.
        pub system: String,
        /// The user's name for the machine, by `PLUSMINUS_SYSTEM`: studies compare systems by it.
        pub label: Option<String> [unless_none],
        /// The processor.
        pub cpu: Option<String>,
        /// The processors that the process may use.
        pub cores: usize,
        /// The frequency governor.
        pub governor: Option<String>,
        /// Address space randomisation, as the system numbers it.
        pub address_randomisation: Option<String>,
        /// Load average before measuring.
        pub load_before: Option<f64>,
        /// Load average after measuring; `None` while it goes on.
        pub load_after: Option<f64>,
        /// Processor time that the hypervisor gave to others while measuring, in clock ticks.
        pub steal_ticks: Option<u64>,
        /// Processor time that other programs used while measuring, in seconds; `None` in records from before it was kept.
        pub others_seconds: Option<f64> [unless_none],
        /// Pages of memory that the system swapped in or out while measuring.
        pub swapped_pages: Option<u64>,
        /// How long measuring took.
        pub seconds: Option<f64>,
        /// The source of the system's clock.
        pub clock_source: Option<String>,
        /// The clock of the windows: `os` or `tsc`; `None` in records from before there was a choice, which is `os`.
        pub clock: Option<String>,
        /// Another measurement in the same target directory at the same time, as it calls itself.
        pub other_run: Option<String>,
        /// Times of small kernels whose code never changes, taken during the measurement: how fast the machine was. Empty
        /// in records from before there were any.
        pub probes: Vec<ProbeRecord> [unless_empty],
    }
}

json_object! {
    /// The times of one probe, in order of time.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ProbeRecord {
        /// The part of the machine that it exercises.
        pub name: String,
        /// Its times, in nanoseconds for the same work.
        pub ns: Vec<f64>,
    }
}

impl Manifest {
    /// Reads the circumstances of this machine, now. Facts about the measured program are left blank, for programs
    /// that measure others.
    pub fn of_machine() -> Self {
        let system = sys::system_version().unwrap_or_default();
        Self {
            plusminus: env!("CARGO_PKG_VERSION").to_owned(),
            started: utc_timestamp(SystemTime::now()),
            system: format!("{} {system}", env::consts::OS).trim().to_owned(),
            label: env::var("PLUSMINUS_SYSTEM").ok().filter(|label| !label.is_empty()),
            cpu: sys::cpu_model(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            governor: sys::governor(),
            address_randomisation: sys::address_randomisation(),
            load_before: sys::load_average(),
            clock_source: sys::clock_source(),
            ..Self::blank()
        }
    }

    pub(crate) fn note_probes<'a>(&mut self, times: impl IntoIterator<Item = (&'a str, f64)>) {
        for (name, ns) in times {
            match self.probes.iter_mut().find(|probe| probe.name == name) {
                Some(probe) => probe.ns.push(ns),
                None => self.probes.push(ProbeRecord { name: name.to_owned(), ns: vec![ns] }),
            }
        }
    }

    pub(crate) fn of_now(binary: &Path, build: &Build, home: &Home) -> Self {
        // Both questions are put before the program is read, so that all three take their time at once.
        let commit = git(&["log", "-1", "--no-show-signature", "--format=%H %s", "HEAD", "--"]);
        // Without the lock that git would take to remember what it has seen: a measurement may be killed at any moment,
        // and must leave nothing behind in the user's repository.
        // A history is of what was measured before: an entry that was added to it changes no code.
        let history = ":(exclude,top,glob)**/plusminus-history/**";
        let status = ["--no-optional-locks", "status", "--porcelain", "--", ":/", history];
        let changes = git(&status);
        let binary_hash = program_hash(binary);
        let answer = |question: Option<Question>| question?.answer(GIT_ALLOWED);
        let (commit, subject) = answer(commit)
            .map(|told| match told.split_once(' ') {
                Some((hash, subject)) => (hash.to_owned(), Some(subject.to_owned())),
                None => (told, None),
            })
            .unzip();
        // The subcommand times whole programs. Its own build does not matter.
        let is_subcommand = home.target == SUBCOMMAND;
        let of_build = |text: &str| if is_subcommand { String::new() } else { text.to_owned() };
        Self {
            package: Some(home.package.clone()).filter(|package| !package.is_empty()),
            bench: home.target.clone(),
            arguments: arguments(),
            commit,
            subject: subject.flatten(),
            dirty: answer(changes).map(|changes| !changes.is_empty()),
            rustc: of_build(&build.rustc),
            target: of_build(&build.target),
            opt_level: of_build(&build.opt_level),
            debug_assertions: build.debug_assertions && !is_subcommand,
            flags: of_build(&build.flags),
            binary_hash,
            beside: beside(binary, &build.loaded),
            lock_hash: env::current_dir().ok().and_then(|folder| lock_hash(&folder)),
            ..Self::of_machine()
        }
    }
}

/// Counters of the system at the start of measuring, to find the changes since.
pub(crate) struct Before {
    begin: Instant,
    steal_ticks: Option<u64>,
    swapped_pages: Option<u64>,
    busy_ticks: Option<u64>,
    own_ns: Option<u64>,
}

impl Before {
    pub(crate) fn now() -> Self {
        Self {
            begin: Instant::now(),
            steal_ticks: sys::steal_ticks(),
            swapped_pages: sys::swapped_pages(),
            busy_ticks: sys::busy_ticks(),
            own_ns: sys::family_cpu_ns(),
        }
    }

    pub(crate) fn until_now(&self, manifest: &mut Manifest) {
        let since = |before: Option<u64>, now: Option<u64>| {
            before.zip(now).map(|(before, now)| now.saturating_sub(before))
        };
        manifest.load_after = sys::load_average();
        manifest.steal_ticks = since(self.steal_ticks, sys::steal_ticks());
        let busy = since(self.busy_ticks, sys::busy_ticks());
        let own = since(self.own_ns, sys::family_cpu_ns());
        // The system counts 100 ticks a second on each processor.
        let others = |(busy, own): (u64, u64)| (busy as f64 / 100.0 - own as f64 / 1e9).max(0.0);
        manifest.others_seconds = busy.zip(own).map(others);
        manifest.swapped_pages = since(self.swapped_pages, sys::swapped_pages());
        manifest.seconds = Some(self.begin.elapsed().as_secs_f64());
    }
}

/// Returns the arguments of this program, without possible secrets: records are shown to others.
fn arguments() -> Vec<String> {
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    without_secrets(&arguments)
}

/// How long git may take. A repository on a network that is gone must not keep a benchmark from being measured.
const GIT_ALLOWED: Duration = Duration::from_secs(5);

fn git(arguments: &[&str]) -> Option<Question> {
    Question::put(Command::new("git").args(arguments))
}

struct Question {
    child: Child,
    printed: Option<mpsc::Receiver<Vec<u8>>>,
}

impl Question {
    fn put(command: &mut Command) -> Option<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let (sender, printed) = mpsc::channel();
        let read = child.stdout.take().map(|mut pipe| {
            thread::Builder::new().spawn(move || {
                let mut text = Vec::new();
                if pipe.read_to_end(&mut text).is_ok() {
                    let _ = sender.send(text);
                }
            })
        });
        Some(Self { child, printed: matches!(read, Some(Ok(_))).then_some(printed) })
    }

    /// Returns its output, if it ends well and in time.
    fn answer(mut self, allowed: Duration) -> Option<String> {
        let text = self.printed.and_then(|printed| printed.recv_timeout(allowed).ok());
        if text.is_none() {
            let _ = self.child.kill();
        }
        let status = self.child.wait().ok()?;
        let text = text.filter(|_| status.success())?;
        Some(String::from_utf8_lossy(&text).trim().to_owned())
    }
}

fn lock_hash(folder: &Path) -> Option<String> {
    folder.ancestors().find_map(|folder| program_hash(&folder.join("Cargo.lock")))
}

/// The hash of a file, as [`Manifest::binary_hash`] has it.
pub(crate) fn program_hash(path: &Path) -> Option<String> {
    Some(format!("{:016x}", fnv1a(&fs::read(path).ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_question_that_hangs_is_given_up() {
        let ask = |script: &str| {
            let allowed = Duration::from_millis(if script.contains("sleep") { 50 } else { 60_000 });
            Question::put(Command::new("sh").args(["-c", script]))?.answer(allowed)
        };
        assert_eq!(ask("echo answer").as_deref(), Some("answer"));
        assert_eq!(ask("exec sleep 1000"), None);
        assert_eq!(ask("echo no; exit 1"), None);
        assert!(Question::put(&mut Command::new("/no/such/git")).is_none());
    }
}
