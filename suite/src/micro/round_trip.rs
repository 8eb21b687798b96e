//! A question and its answer between two threads: what Apex-MAP's message style pays for each remote block.

use std::fmt;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crossbeam_utils::Backoff;
use plusminus::{Problem, Work};
use plusminus_macros::bench;

use crate::Bytes;
use crate::apex_map::element;

/// Questions in one call.
const TRIPS: usize = 32;

/// Bytes of the longest answer.
const LONGEST: u64 = 512 << 10;

/// The time from a question to its answer: a second thread copies words into a buffer that travels both ways.
pub struct RoundTrip;

impl Problem for RoundTrip {
    type Point = Pair;
    type Input = Server;
    type Instance = Bytes;
    type Output = Answered;

    fn sweep() -> impl IntoIterator<Item = Pair> {
        [Pair]
    }

    fn input(_: &Pair) -> Server {
        Server::start()
    }

    /// Answers of 8 B to 512 KiB, in steps of 16.
    fn instances(_: &Server) -> Vec<Bytes> {
        (0..5).map(|step| Bytes(8 << (4 * step))).collect()
    }

    fn check(_: &Server, size: &Bytes, answered: &Answered) -> Result<(), String> {
        let words = (size.0 / 8) as usize;
        let expected: f64 = (0..TRIPS).map(|trip| f64::from(element(0, trip + words - 1))).sum();
        if answered.last_words == expected {
            Ok(())
        } else {
            Err(format!("the last words sum to {}, but must to {expected}", answered.last_words))
        }
    }

    fn work(_: &Server, size: &Bytes) -> Work {
        let bytes = TRIPS as f64 * size.0 as f64;
        Work::of("round trips", TRIPS as f64).and(Work::of("bytes", bytes))
    }

    fn processors(_: &Pair) -> Vec<usize> {
        vec![2]
    }
}

/// The only point: two threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair;

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pair")
    }
}

/// How both threads wait during a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Polling,
    Blocking,
}

/// Copy the words from `first` into the buffer.
struct Question {
    first: usize,
    words: usize,
    buffer: Vec<f64>,
    /// How the server shall wait for the next question, and so on until this many more have come.
    then: (Waiting, usize),
}

/// The asking side of the queues.
#[derive(Debug)]
struct Client {
    questions: Sender<Question>,
    answers: Receiver<Vec<f64>>,
    buffer: Vec<f64>,
}

/// A thread that answers until this is dropped.
#[derive(Debug)]
pub struct Server {
    client: Mutex<Option<Client>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start() -> Self {
        let (questions, asked) = channel();
        let (answer, answers) = channel();
        let thread = std::thread::spawn(move || serve(&asked, &answer));
        let buffer = Vec::with_capacity((LONGEST / 8) as usize);
        let client = Client { questions, answers, buffer };
        Self { client: Mutex::new(Some(client)), thread: Some(thread) }
    }

    fn ask(&self, size: Bytes, waiting: Waiting) -> Answered {
        let mut client = self.client.try_lock().expect(
            "one caller at a time talks to the server: measure it without the option `threads`",
        );
        let client = client.as_mut().expect("the client lives until the server is dropped");
        let words = (size.0 / 8) as usize;
        let mut last_words = 0.0;
        for trip in 0..TRIPS {
            let buffer = std::mem::take(&mut client.buffer);
            let then = (waiting, TRIPS - 1 - trip);
            let question = Question { first: trip, words, buffer, then };
            client.questions.send(question).expect("the server answers until it is dropped");
            let answer = receive(&client.answers, waiting);
            client.buffer = answer.expect("the server answers every question");
            last_words += client.buffer[words - 1];
        }
        Answered { last_words }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Without a client no question is left, and the thread ends.
        if let Ok(mut client) = self.client.lock() {
            client.take();
        }
        if let Some(thread) = self.thread.take() {
            // A panic there has already failed the caller who waited for an answer.
            let _ = thread.join();
        }
    }
}

/// Receives, by polling or by sleeping; `None` when the other side is gone.
fn receive<T>(queue: &Receiver<T>, waiting: Waiting) -> Option<T> {
    if waiting == Waiting::Blocking {
        return queue.recv().ok();
    }
    let backoff = Backoff::new();
    loop {
        match queue.try_recv() {
            Ok(message) => return Some(message),
            Err(std::sync::mpsc::TryRecvError::Empty) => backoff.snooze(),
            Err(std::sync::mpsc::TryRecvError::Disconnected) => return None,
        }
    }
}

/// The server's thread. Between calls it sleeps, so that it costs other benchmarks nothing.
fn serve(asked: &Receiver<Question>, answer: &Sender<Vec<f64>>) {
    let longest = (LONGEST / 8) as usize;
    let words: Vec<f64> = (0..longest + TRIPS).map(|word| f64::from(element(0, word))).collect();
    let mut waiting = Waiting::Blocking;
    while let Some(question) = receive(asked, waiting) {
        let Question { first, words: count, mut buffer, then: (style, more) } = question;
        buffer.clear();
        buffer.extend_from_slice(&words[first..first + count]);
        if answer.send(buffer).is_err() {
            return;
        }
        waiting = if more == 0 { Waiting::Blocking } else { style };
    }
}

/// The returned message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answered {
    /// The last word of each answer, summed.
    pub last_words: f64,
}

/// Both threads ask their queue again and again.
///
/// # Panics
/// When two threads call it at once on the same server.
#[bench(problem = RoundTrip, baseline)]
pub fn polling(server: &Server, size: &Bytes) -> Answered {
    server.ask(*size, Waiting::Polling)
}

/// Both threads sleep until something arrives.
///
/// # Panics
/// When two threads call it at once on the same server.
#[bench(problem = RoundTrip)]
pub fn blocking(server: &Server, size: &Bytes) -> Answered {
    server.ask(*size, Waiting::Blocking)
}
