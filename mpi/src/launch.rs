//! Bench binaries whose workers are several ranks: `PLUSMINUS_LAUNCHER='mpirun -n {places}' cargo bench`.
//!
//! All ranks run the same worker of plusminus and hear the same requests, so that they load the same inputs and call the
//! same kernels as often. Only rank 0 speaks with the runner: for all of them.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Duration;

use plusminus::engine::{Answer, Failed, RawSample, WORKER_FLAG};
use plusminus::ranks::{Answers, Requests};

use crate::Ranks;
use crate::ranks::{broadcast, end_all, gather_bytes, meet_all};

/// How long ranks that have failed stay, so that the runner hears of it before the launcher ends.
const TO_BE_HEARD: Duration = Duration::from_secs(2);

thread_local! {
    /// The ranks that kernels of this process run over.
    static RANKS: RefCell<Option<Ranks>> = const { RefCell::new(None) };
}

/// Makes the `main` of a bench binary whose kernels run over ranks; takes what [`plusminus::main!`] takes.
#[macro_export]
macro_rules! main {
    ($($path:path),* $(,)?) => {
        $(use $path as _;)*

        fn main() -> ::std::process::ExitCode {
            $crate::run(
                ::core::option_env!("CARGO_PKG_NAME").unwrap_or_default(),
                ::core::module_path!(),
                &[$(::core::stringify!($path)),*],
            )
        }
    };
}

/// Runs a bench binary by its command line, or a worker of it as one of several ranks. [`main!`] calls this.
pub fn run(package: &str, own: &str, paths: &[&str]) -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let worker = arguments.next().is_some_and(|first| first == WORKER_FLAG);
    if !worker || !plusminus::ranks::launched() {
        return plusminus::run(package, own, paths);
    }
    let rank = over_ranks(|ranks| {
        let share = (plusminus::processors() / ranks.ranks()).max(1);
        // The pool of this rank has its share of the processors. Who has made one already keeps it.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(share).build_global();
        ranks.rank()
    });
    crate::watch::start(rank);
    let code = plusminus::ranks::serve(own, paths, |channel| connect(rank, channel), meet_all);
    RANKS.take();
    ExitCode::from(code as u8)
}

/// Calls a function with the ranks of this process; begins MPI if nothing has. A kernel that panics on one rank would
/// leave the others waiting: it ends all of them.
///
/// # Panics
/// If a kernel asks for the ranks within another one's call.
pub fn over_ranks<T>(kernel: impl FnOnce(&mut Ranks) -> T) -> T {
    RANKS.with_borrow_mut(|ranks| {
        let ranks =
            ranks.get_or_insert_with(|| Ranks::begin().unwrap_or_else(|error| panic!("{error}")));
        if ranks.ranks() == 1 {
            return kernel(ranks);
        }
        std::panic::catch_unwind(AssertUnwindSafe(|| kernel(ranks)))
            .unwrap_or_else(|_| end_all("has panicked"))
    })
}

/// Threads that a kernel has on each rank: its processors shared out among ranks.
pub fn threads(ranks: &Ranks) -> usize {
    (plusminus::processors() / ranks.ranks()).max(1)
}

/// The channel of one rank, made from that of its process.
fn connect(rank: usize, (requests, answers): (Requests, Answers)) -> (Requests, Answers) {
    let source = (rank == 0).then(|| BufReader::new(requests));
    let sink = (rank == 0).then_some(answers);
    let heard = Box::new(Heard { source, line: Vec::new(), read: 0 });
    (heard, Box::new(Told { rank, sink, line: Vec::new(), ranks_ns: Vec::new() }))
}

/// Requests: rank 0 reads them, and all others hear them.
struct Heard {
    source: Option<BufReader<Requests>>,
    line: Vec<u8>,
    read: usize,
}

impl Read for Heard {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.read == self.line.len() {
            self.line.clear();
            self.read = 0;
            let got = match &mut self.source {
                Some(source) => source.read_until(b'\n', &mut self.line).map(drop),
                None => Ok(()),
            };
            // Where nothing can be read, all end.
            broadcast(&mut self.line);
            got?;
        }
        let count = (&self.line[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

/// Answers: those of all ranks become one, and rank 0 tells it.
struct Told {
    rank: usize,
    sink: Option<Answers>,
    line: Vec<u8>,
    /// The time of each rank in the samples taken last.
    ranks_ns: Vec<Vec<u64>>,
}

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if bytes.last() == Some(&b'\n') {
            let line = std::mem::take(&mut self.line);
            self.tell(&line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Told {
    fn tell(&mut self, line: &[u8]) -> std::io::Result<()> {
        let answers: Result<Vec<Answer>, String> = gather_bytes(line)
            .iter()
            .map(|line| Answer::decode(&String::from_utf8_lossy(line)))
            .collect();
        let answer = self.merged(answers.map_err(std::io::Error::other)?);
        let fatal = matches!(&answer, Answer::Failed(failed) if !matches!(failed, Failed::WrongAnswer { .. }));
        if let Some(sink) = &mut self.sink {
            sink.write_all(&answer.line())?;
        }
        // Nobody goes on, or ends, before the runner has been told.
        meet_all();
        if fatal && self.rank > 0 {
            std::thread::sleep(TO_BE_HEARD);
        }
        Ok(())
    }

    /// One answer for all ranks: the first failure with the number of its rank, or the time of the slowest.
    fn merged(&mut self, answers: Vec<Answer>) -> Answer {
        let failed = answers.iter().enumerate().find_map(|(rank, answer)| match answer {
            Answer::Failed(failed) => Some(Answer::Failed(of_rank(rank, failed.clone()))),
            _ => None,
        });
        if let Some(failed) = failed {
            return failed;
        }
        let all: Option<Vec<&[RawSample]>> = answers
            .iter()
            .map(|answer| match answer {
                Answer::Sampled { samples } => Some(&samples[..]),
                _ => None,
            })
            .collect();
        if let Some(all) = all {
            let slowest = |sample: usize| {
                all.iter().map(|samples| samples[sample]).max_by_key(|one| one.wall_ns)
            };
            let count = all.iter().map(|samples| samples.len()).min().unwrap_or(0);
            self.ranks_ns = (0..count)
                .map(|sample| all.iter().map(|samples| samples[sample].wall_ns).collect())
                .collect();
            return Answer::Sampled { samples: (0..count).filter_map(slowest).collect() };
        }
        let most = |answer: &Answer| match answer {
            Answer::Usage { peak_rss_bytes, .. } => *peak_rss_bytes,
            _ => None,
        };
        let peak = answers.iter().filter_map(most).max();
        match answers.into_iter().next() {
            Some(Answer::Extras(mut extras)) => {
                extras.threads_ns = std::mem::take(&mut self.ranks_ns);
                Answer::Extras(extras)
            }
            Some(Answer::Usage { counting, unchecked, .. }) => {
                Answer::Usage { peak_rss_bytes: peak, counting, unchecked }
            }
            Some(first) => first,
            None => Answer::Finished,
        }
    }
}

/// A failure with the number of its rank.
fn of_rank(rank: usize, failed: Failed) -> Failed {
    let named = |message: String| format!("rank {rank}: {message}");
    match failed {
        Failed::Panicked { message } => Failed::Panicked { message: named(message) },
        Failed::WrongAnswer { message } => Failed::WrongAnswer { message: named(message) },
        Failed::Misuse { message } => Failed::Misuse { message: named(message) },
        Failed::Nothing => Failed::Nothing,
    }
}
