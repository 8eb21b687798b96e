//! The protocol as the runner sees it: requests go into one pipe, and answers come out of the other one, line by line, for as
//! long as the runner wants to wait.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use super::machine::WorkerError;
use plusminus_worker::protocol::{Answer, Request};

/// Upper bound on one response, so that a faulty worker cannot exhaust memory.
const LONGEST_RESPONSE_BYTES: u64 = 256 << 20;

pub(super) struct Channel {
    requests: Option<Box<dyn Write + Send>>,
    answers: Receiver<io::Result<String>>,
}

impl Channel {
    pub(super) fn new(
        requests: impl Write + Send + 'static,
        answers: impl Read + Send + 'static,
    ) -> Self {
        Self { requests: Some(Box::new(requests)), answers: lines_of(Box::new(answers)) }
    }

    /// Sends a request; the error is `None` where the other side cannot read it any more.
    pub(super) fn send(&mut self, request: &Request) -> Result<(), Option<WorkerError>> {
        let Some(pipe) = &mut self.requests else { return Err(None) };
        pipe.write_all(&request.line()).map_err(|error| {
            let reason = || WorkerError::Protocol(format!("the worker cannot be asked: {error}"));
            (error.kind() != io::ErrorKind::BrokenPipe).then(reason)
        })
    }

    pub(super) fn receive(&self, wait: Duration) -> Result<Answer, NoAnswer> {
        let wrong = |message| NoAnswer::Error(WorkerError::Protocol(message));
        match self.answers.recv_timeout(wait) {
            Ok(Ok(line)) => Answer::decode(&line)
                .map_err(|error| wrong(format!("the worker's answer is not understood: {error}"))),
            Ok(Err(error)) => Err(wrong(format!("the worker's answer is lost: {error}"))),
            Err(RecvTimeoutError::Disconnected) => Err(NoAnswer::Closed),
            Err(RecvTimeoutError::Timeout) => Err(NoAnswer::Late),
        }
    }

    /// Closes the requests: the worker then ends.
    pub(super) fn close(&mut self) {
        drop(self.requests.take());
    }
}

/// Why a channel gave no answer.
pub(super) enum NoAnswer {
    Late,
    /// Nothing can come any more.
    Closed,
    Error(WorkerError),
}

/// Hands on the lines of a pipe, so that waiting for one can have a limit.
fn lines_of(pipe: Box<dyn Read + Send>) -> Receiver<io::Result<String>> {
    let (sender, receiver) = mpsc::channel();
    let refused = sender.clone();
    let started = thread::Builder::new().spawn(move || {
        let mut pipe = BufReader::new(pipe);
        loop {
            let mut line = String::new();
            let read = match (&mut pipe).take(LONGEST_RESPONSE_BYTES).read_line(&mut line) {
                Ok(0) => return,
                Ok(_) if line.ends_with('\n') => Ok(line),
                Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "it has no end")),
                Err(error) => Err(error),
            };
            let is_last = read.is_err();
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    if let Err(error) = started {
        let _ = refused.send(Err(error));
    }
    receiver
}
