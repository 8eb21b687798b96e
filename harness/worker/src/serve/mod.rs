//! The process that runs kernels on request and returns raw samples: read a request, run foreign code, answer.
//! While an input is loaded, the loop that reads the requests about it runs inside the foreign code that owns it. The
//! two loops are nested, and share one session.

mod answers;
mod loaded;
mod lookup;
mod panics;
pub mod ranks;
mod registered;

use std::io::{self, BufRead, BufReader, Read, Write};

pub use lookup::listed;
use lookup::{Found, find};
use panics::note_panics;
use ranks::{Answers, Requests};

use crate::{
    Work, exit,
    metric::Metrics,
    processor_request,
    protocol::{
        Answer, Build, CLOCK_VARIABLE, Extras, HEAP_VARIABLE, MEMORY_VARIABLE, PLACE_VARIABLE,
        PROCESSORS_VARIABLES, PROTOCOL, Processors, Request, SEED_VARIABLE, WORKER_FLAG,
    },
    registry,
    sys::{self, StartingPlace, complain},
    window::{Calibration, TimeSource, Windows, calibrate},
};

/// Room for requests about benchmarks with names of usual lengths.
const LINE_BYTES: usize = 1024;

struct Session {
    requests: BufReader<Box<dyn Read + Send>>,
    /// The last request: memory for all of them, so that their lengths do not decide how much is allocated.
    line: String,
    answers: Box<dyn Write + Send>,
    /// Whether the process has more to do than this session, so that a failure must not end it.
    shared: bool,
    /// The processor's counter, if that is the clock.
    counter: Option<Calibration>,
    windows: Windows,
    /// Whether a bencher has taken requests for the loaded function.
    served: bool,
    /// Whether the loaded function may return without measuring anything.
    optional: bool,
    /// Whether the runner has let go of the input to load another one of the same function.
    paused: bool,
    /// A request that was read while paused, and is for the outer loop; the end of all requests as well.
    unread: Option<Option<Request>>,
    /// Where it waits for requests, and runs what they ask for; `None` where the system chooses.
    place: Option<StartingPlace>,
    /// The number of this process: a kernel that forks brings back another one.
    process: u32,
    metrics: Vec<Metrics>,
    phases: Vec<Vec<&'static str>>,
    /// The work of one call of the loaded function, where it does not state it itself.
    work: Work,
    extras: Extras,
}

/// Runs this process as a worker if its command line asks for it, until the runner closes the channel. Returns the
/// exit code, or `None` for any other command line.
///
/// `own` and `paths` are the crates and modules whose benchmarks belong to the program.
pub fn if_asked(own: &str, paths: &[&str]) -> Option<i32> {
    registry::choose(own, paths);
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().filter(|first| first == WORKER_FLAG)?;
    let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
    Some(match number {
        Some(runner) => serve_alone(runner),
        None => refused(&format!("{WORKER_FLAG} is for plusminus itself")),
    })
}

fn serve_alone(runner: u32) -> i32 {
    if ranks::launched() {
        return refused(
            "a launcher has started this program, whose benchmarks run in one process: make its `main` with \
             `plusminus_mpi::main!()`, or take the launcher away",
        );
    }
    serve(runner, |channel| channel)
}

/// The same by a channel that is made of the process's own.
pub(super) fn serve(
    runner: u32,
    connect: impl FnOnce((Requests, Answers)) -> (Requests, Answers),
) -> i32 {
    sys::die_with(runner);
    let (requests, answers) = match sys::take_private_channel() {
        Ok((requests, answers)) => connect((Box::new(requests), Box::new(answers))),
        Err(error) => {
            return refused(&format!("cannot set up the worker's channel: {error}"));
        }
    };
    sys::survive_file_limits(false);
    sys::watch_forks();
    if let Err(message) = limit_memory() {
        return refused(&message);
    }
    sys::random_for_children();
    if let Some(seed) = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok()) {
        sys::share_random(seed);
    }
    age_allocator();
    move_heap();
    let place = std::env::var(PLACE_VARIABLE).ok().and_then(|place| place.parse().ok());
    let place = place.and_then(StartingPlace::on);
    let counter = std::env::var(CLOCK_VARIABLE).is_ok_and(|clock| clock == "tsc");
    let mut session = match Session::new(requests, answers, false, counter) {
        Ok(session) => Session { place, ..session },
        Err(message) => return refused(&message),
    };
    match session.run() {
        Ok(()) => exit::FINE,
        // The runner is gone, and no reader is left; or it is there, and the kernel has closed the channel.
        Err(error) => {
            refused(&format!("the channel to the runner is lost: {error}"));
            exit::CHANNEL_LOST
        }
    }
}

/// Frees a large block, after which glibc keeps what is freed, as in a program that has run for a while. Otherwise the sizes and the
/// order of a few early blocks decide whether each call gets new pages from the system, and with them whether one version of a
/// kernel looks slower than another. The block is never touched, so that it takes no memory.
fn age_allocator() {
    /// Almost the largest block after which glibc raises its thresholds: it is rounded up to pages, with its header.
    const BYTES: usize = 32 * 1024 * 1024 - 8192;
    drop(untouched(BYTES));
}

/// Returns a block of this size. Without room for it, the block is empty, and the allocator stays as it is.
fn untouched(bytes: usize) -> Vec<u8> {
    let mut block = Vec::new();
    let _ = block.try_reserve_exact(bytes);
    std::hint::black_box(block)
}

/// Keeps blocks for good, and addresses of a random size free, so that the kernel's allocations lie elsewhere in every run. Their
/// place must not depend on the few blocks that happen to have been allocated before.
fn move_heap() {
    let asked = std::env::var(HEAP_VARIABLE).unwrap_or_default();
    let (bytes, pages) = asked.split_once('+').unwrap_or_default();
    let number = |text: &str| text.parse().unwrap_or(0);
    use_up_small_blocks();
    place_heap(number(bytes));
    sys::leave_gap(number(pages));
}

/// Keeps a block of each small size that glibc sets aside when it is freed. At its start, a process reads the list of its
/// mappings and frees the longest line, which has the program's path. The size of that block would differ between both
/// sides, and a later allocation would find it on one of them only.
fn use_up_small_blocks() {
    /// The largest of these sizes, and the distance between two.
    const MOST_BYTES: usize = 1032;
    const STEP_BYTES: usize = 16;
    for bytes in (STEP_BYTES / 2..=MOST_BYTES).step_by(STEP_BYTES) {
        std::mem::forget(untouched(bytes));
    }
}

/// Keeps two blocks, after which glibc's heap goes on at this offset within a page, and has the same memory left however many
/// pages `bytes` are. How much is left decides when glibc joins what is free, and so where all later blocks lie.
fn place_heap(bytes: usize) {
    const PAGE_BYTES: usize = 4096;
    /// More than an allocator has left at the start, so that it gets memory from the system.
    const BLOCK_BYTES: usize = 64 * PAGE_BYTES;
    /// Before each block lies its size.
    const HEADER_BYTES: usize = 8;
    let keep = |bytes: usize| {
        let block = std::mem::ManuallyDrop::new(untouched(bytes));
        block.as_ptr().addr() + bytes + HEADER_BYTES
    };
    let next = keep(BLOCK_BYTES + HEADER_BYTES);
    let wanted = bytes - bytes % 16;
    keep(BLOCK_BYTES + wanted + PAGE_BYTES - (next + HEADER_BYTES) % PAGE_BYTES);
}

/// Runs a session on this thread of a process that has started the runner, until the runner closes the channel or a kernel
/// fails.
pub(crate) fn serve_here(requests: Box<dyn Read + Send>, answers: Box<dyn Write + Send>) {
    sys::watch_forks();
    match Session::new(requests, answers, true, false) {
        // No message is needed: the runner knows of a failure, or has closed the channel itself.
        Ok(mut session) => drop(session.run()),
        Err(message) => {
            refused(&message);
        }
    }
}

fn take_processors(processors: &Processors) -> Result<(), String> {
    let Processors { count, asked } = processors;
    if !asked.is_empty() {
        processor_request::request(processor_request::read(asked)?);
    }
    let wanted = count.to_string();
    let there = |name: &&str| std::env::var(name).is_ok_and(|value| value == wanted);
    // A process without settings has one processor.
    let done = sys::set_variables(&PROCESSORS_VARIABLES, &wanted)
        || PROCESSORS_VARIABLES.iter().all(there)
        || *count == 1;
    if done {
        return Ok(());
    }
    let settings = PROCESSORS_VARIABLES.map(|name| format!("{name}={count}"));
    Err(format!(
        "--in-process cannot give this process its {count} processors any more: start it with {}",
        settings.join(" ")
    ))
}

fn refused(message: &str) -> i32 {
    complain(&format!("plusminus: {message}\n"));
    exit::FAILED
}

/// Keeps to the memory that the runner allows.
fn limit_memory() -> Result<(), String> {
    let Ok(limit) = std::env::var(MEMORY_VARIABLE) else { return Ok(()) };
    let bytes =
        limit.parse().map_err(|_| format!("{MEMORY_VARIABLE} is `{limit}`, not a number"))?;
    sys::limit_memory(bytes)
        .map_err(|error| format!("cannot limit memory to {bytes} bytes: {error}"))
}

impl Session {
    fn new(
        requests: Box<dyn Read + Send>,
        answers: Box<dyn Write + Send>,
        shared: bool,
        counter: bool,
    ) -> Result<Self, String> {
        let counter = counter.then(Calibration::begin).transpose().map_err(|reason| {
            format!("the processor's counter is not proven to be a clock here: {reason}")
        })?;
        let source = counter.as_ref().map_or(TimeSource::System, Calibration::source);
        note_panics();
        Ok(Self {
            windows: Windows::timed_by(source),
            requests: BufReader::new(requests),
            line: String::with_capacity(LINE_BYTES),
            answers,
            shared,
            counter,
            ..Self::hollow()
        })
    }

    fn run(&mut self) -> io::Result<()> {
        let clock = calibrate(&mut self.windows);
        self.answer(&Answer::Ready { protocol: PROTOCOL, clock })?;
        while let Some(request) = self.next_request()? {
            self.windows.held = Default::default();
            let answer = match request {
                Request::Load(load) => {
                    match find(&load) {
                        Ok(Found::Cases(found)) => self.run_loaded(&found)?,
                        Ok(Found::Registered(wanted)) => registered::run(self, wanted)?,
                        Err(message) => return self.misuse(&message),
                    }
                    // Paused, it has answered already.
                    if std::mem::take(&mut self.paused) {
                        continue;
                    }
                    Ok(Answer::Finished)
                }
                Request::Processors(processors) => {
                    take_processors(&processors).map(|()| Answer::Finished)
                }
                Request::Build => {
                    Ok(Answer::Built(Build { loaded: sys::loaded_files(), ..Build::own() }))
                }
                Request::List => listed().map(|cases| Answer::Listed { cases }),
                // After a pause: the rest of the function has run.
                Request::Finish => Ok(Answer::Finished),
                Request::Sample(_)
                | Request::Count(_)
                | Request::Tally(_)
                | Request::Phases(_)
                | Request::Usage
                | Request::Extras
                | Request::Pause => Err("nothing is loaded".to_owned()),
            };
            match answer {
                Ok(answer) => self.answer(&answer)?,
                Err(message) => return self.misuse(&message),
            }
        }
        Ok(())
    }

    fn next_request(&mut self) -> io::Result<Option<Request>> {
        if let Some(unread) = self.unread.take() {
            return Ok(unread);
        }
        self.line.clear();
        self.place.iter().for_each(StartingPlace::wait);
        let read = self.requests.read_line(&mut self.line);
        // From here on, code of the user may run.
        self.place.iter().for_each(StartingPlace::go);
        if read? == 0 {
            return Ok(None);
        }
        Request::decode(&self.line).map(Some).map_err(io::Error::other)
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.answers.write_all(&answer.line())
    }
}
