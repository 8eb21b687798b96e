//! How a rank of the message style receives: it answers others while it waits for its own answer.

use std::sync::mpsc::Receiver;

use crossbeam_utils::Backoff;

use super::memory::{DistributedMemory, Message};

/// Where a rank receives: it answers questions and counts the ranks that will ask no more.
pub(super) struct Desk<'a> {
    memory: &'a DistributedMemory,
    rank: usize,
    inbox: &'a Receiver<Message>,
    finished: usize,
}

impl<'a> Desk<'a> {
    /// The desk of a rank at the beginning of a call.
    pub(super) fn new(
        memory: &'a DistributedMemory,
        rank: usize,
        inbox: &'a Receiver<Message>,
    ) -> Self {
        Self { memory, rank, inbox, finished: 0 }
    }

    /// Handles a message; gives back what an answer carries.
    fn handle(&mut self, message: Message) -> Option<Vec<f64>> {
        match message {
            Message::Ask { from, first, words, mut buffer } => {
                buffer.clear();
                buffer.extend_from_slice(&self.memory.part(self.rank)[first..first + words]);
                self.memory.send(from, Message::Answer(buffer));
                None
            }
            Message::Answer(buffer) => Some(buffer),
            Message::Finished => {
                self.finished += 1;
                None
            }
        }
    }

    /// Answers the questions that are there already. No answer can be among them: nothing has been asked.
    pub(super) fn answer_what_waits(&mut self) {
        while let Ok(message) = self.inbox.try_recv() {
            self.handle(message);
        }
    }

    /// Handles messages until the answer is there.
    pub(super) fn wait_for_answer(&mut self) -> Vec<f64> {
        let backoff = Backoff::new();
        loop {
            match self.inbox.try_recv() {
                Ok(message) => {
                    if let Some(answer) = self.handle(message) {
                        return answer;
                    }
                    backoff.reset();
                }
                Err(_) => backoff.snooze(),
            }
        }
    }

    /// Tells the others that this rank will ask no more, and answers until all of them have said so.
    pub(super) fn finish(&mut self) {
        let others = self.memory.point().processors() - 1;
        for other in (0..=others).filter(|other| *other != self.rank) {
            self.memory.send(other, Message::Finished);
        }
        let backoff = Backoff::new();
        while self.finished < others {
            match self.inbox.try_recv() {
                Ok(message) => {
                    self.handle(message);
                    backoff.reset();
                }
                Err(_) => backoff.snooze(),
            }
        }
    }
}
