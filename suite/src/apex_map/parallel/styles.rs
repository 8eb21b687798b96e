//! The three styles: element by element, block copy, and messages to the owner.

use std::sync::mpsc::Receiver;

use crossbeam_utils::Backoff;

use super::super::locality::Access;
use super::memory::{DistributedMemory, Message, Visited};

/// Every element through the distributed array: owner and place are computed for each of them.
pub fn shared_array(memory: &DistributedMemory, access: &Access) -> Visited {
    let call = access.next_call();
    let block_words = access.locality().block_words;
    let sums = memory.on_all_ranks(|rank| {
        let mut sum = 0.0;
        for start in memory.starts(access, call, rank) {
            for word in start..start + block_words {
                sum += memory.part(memory.owner(word))[memory.within_part(word)];
            }
        }
        sum
    });
    Visited { call, sums }
}

/// Each block is copied into a buffer of the rank, whoever owns it, and read there.
///
/// # Panics
/// When two threads call it at once on the same memory.
pub fn block_copy(memory: &DistributedMemory, access: &Access) -> Visited {
    let call = access.next_call();
    let block_words = access.locality().block_words;
    let sums = memory.on_all_ranks(|rank| {
        let mut private = memory.private(rank);
        private.buffer.resize(block_words, 0.0);
        let buffer = private.buffer.as_mut_slice();
        let mut sum = 0.0;
        for start in memory.starts(access, call, rank) {
            let first = memory.within_part(start);
            buffer.copy_from_slice(&memory.part(memory.owner(start))[first..first + block_words]);
            for value in &*buffer {
                sum += value;
            }
        }
        sum
    });
    Visited { call, sums }
}

/// A rank reads its own part directly and asks the owner for every other block, one at a time; the buffer travels
/// with the question, and while a rank waits for its answer it answers others.
///
/// # Panics
/// When two threads call it at once on the same memory.
pub fn message(memory: &DistributedMemory, access: &Access) -> Visited {
    let call = access.next_call();
    let block_words = access.locality().block_words;
    let sums = memory.on_all_ranks(|rank| {
        let mut private = memory.private(rank);
        let mut buffer = std::mem::take(&mut private.buffer);
        let mut desk = Desk { memory, rank, inbox: &private.inbox, finished: 0 };
        let mut sum = 0.0;
        for start in memory.starts(access, call, rank) {
            let (owner, first) = (memory.owner(start), memory.within_part(start));
            if owner == rank {
                desk.answer_what_waits();
                for value in &memory.part(rank)[first..first + block_words] {
                    sum += value;
                }
            } else {
                let question = Message::Ask { from: rank, first, words: block_words, buffer };
                memory.send(owner, question);
                buffer = desk.wait_for_answer();
                for value in &buffer {
                    sum += value;
                }
            }
        }
        desk.finish();
        private.buffer = buffer;
        sum
    });
    Visited { call, sums }
}

/// Where a rank receives: it answers questions and counts the ranks that will ask no more.
struct Desk<'a> {
    memory: &'a DistributedMemory,
    rank: usize,
    inbox: &'a Receiver<Message>,
    finished: usize,
}

impl Desk<'_> {
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
    fn answer_what_waits(&mut self) {
        while let Ok(message) = self.inbox.try_recv() {
            self.handle(message);
        }
    }

    /// Handles messages until the answer is there.
    fn wait_for_answer(&mut self) -> Vec<f64> {
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
    fn finish(&mut self) {
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
