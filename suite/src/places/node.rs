//! One node as a task of its own: what it knows, and a mailbox that any other task may put letters into.

use std::sync::{Mutex, PoisonError};

use super::post::{Letter, Outbox};
use super::{Ended, Heard, Load, NodeProgram, Places, Tally, Task};

/// The mailboxes of all nodes, each behind a lock: the `atomic` of the paper's senders.
pub(super) struct Mailboxes<M> {
    /// Two per node, for odd and even turns: letters of this turn are put in while those of the last one are taken out.
    boxes: Vec<[Mutex<Mailbox<M>>; 2]>,
}

/// Letters of one turn, with their senders.
struct Mailbox<M> {
    turn: usize,
    letters: Vec<(u32, M)>,
}

impl<M: Copy> Mailboxes<M> {
    pub(super) fn new(nodes: usize) -> Self {
        let mailbox = || Mutex::new(Mailbox { turn: 0, letters: Vec::new() });
        Self { boxes: (0..nodes).map(|_| [mailbox(), mailbox()]).collect() }
    }

    /// Puts a letter into the mailbox of its receiver.
    fn put(&self, turn: usize, from: u32, letter: Letter<M>) {
        let mailbox = &self.boxes[letter.to as usize][turn % 2];
        let mut mailbox = mailbox.lock().unwrap_or_else(PoisonError::into_inner);
        if mailbox.turn != turn {
            // Nobody has taken what was sent in an earlier turn: it was for a phase that has gone by.
            mailbox.turn = turn;
            mailbox.letters.clear();
        }
        mailbox.letters.push((from, letter.message));
    }

    /// Takes out what was sent to a node in the turn before, in exchange for an empty list.
    fn take(&self, turn: usize, node: u32, letters: &mut Vec<(u32, M)>) {
        let Some(last) = turn.checked_sub(1) else { return };
        let mailbox = &self.boxes[node as usize][last % 2];
        let mut mailbox = mailbox.lock().unwrap_or_else(PoisonError::into_inner);
        if mailbox.turn == last {
            std::mem::swap(&mut mailbox.letters, letters);
        }
    }
}

/// A node and everything that only its own task touches.
pub(super) struct Node<P: NodeProgram, C> {
    id: u32,
    state: P::State,
    links: Vec<P::Link>,
    outbox: Outbox<P::Message>,
    letters: Vec<(u32, P::Message)>,
    mail: Vec<P::Message>,
    /// Its reports in the last phase.
    pub(super) heard: Heard,
    pub(super) tally: C,
}

/// The state that all tasks of a run share.
pub(super) struct Surroundings<'a, P: NodeProgram> {
    pub(super) program: &'a P,
    pub(super) mailboxes: Mailboxes<P::Message>,
    pub(super) load: Load,
}

impl<P: NodeProgram, C: Tally> Node<P, C> {
    pub(super) fn new(program: &P, id: u32, places: Places) -> Self {
        Self {
            id,
            state: program.state(id),
            links: vec![P::Link::default(); program.neighbours(id).len()],
            outbox: Outbox::new(1, 1),
            letters: Vec::new(),
            mail: Vec::new(),
            heard: Heard::NOBODY,
            tally: C::new(places),
        }
    }

    /// Runs a phase at this node, in a turn that is counted from 0: mail in, the node's own work, the workload if the phase
    /// is one of all nodes, mail out.
    pub(super) fn run(
        &mut self,
        around: &Surroundings<'_, P>,
        phase: P::Phase,
        turn: usize,
        of_all: bool,
    ) {
        self.letters.clear();
        around.mailboxes.take(turn, self.id, &mut self.letters);
        // Stable: letters of one sender stay in order.
        self.letters.sort_by_key(|&(from, _)| from);
        self.mail.clear();
        self.mail.extend(self.letters.iter().map(|&(_, message)| message));
        self.heard = Heard::NOBODY;
        let mut task = Task {
            id: self.id,
            state: &mut self.state,
            links: &mut self.links,
            mail: &self.mail,
            outbox: &mut self.outbox,
            heard: &mut self.heard,
            tally: &mut self.tally,
        };
        around.program.step(phase, &mut task);
        if of_all {
            let tally = &mut self.tally;
            let neighbours = around.program.neighbours(self.id);
            around
                .load
                .work(self.id, neighbours, |to| tally.message(self.id, to, size_of::<u32>()));
        }
        for letter in self.outbox.letters() {
            around.mailboxes.put(turn, self.id, letter);
        }
        self.tally.pay_gaps();
    }

    /// Returns the remaining state of a node when the algorithm has ended.
    pub(super) fn end(self) -> (P::State, Vec<P::Link>, C) {
        (self.state, self.links, self.tally)
    }
}

/// Returns the states of all nodes at the end, and their counts together.
pub(super) fn ended<'a, P: NodeProgram, C: Tally>(
    program: &'a P,
    nodes: Vec<Node<P, C>>,
    driver: C,
) -> (Ended<'a, P>, C) {
    let (mut states, mut ends, mut links) = (Vec::new(), Vec::new(), Vec::new());
    let mut counted = driver;
    for node in nodes {
        let (state, own, tally) = node.end();
        states.push(state);
        links.extend(own);
        ends.push(links.len());
        counted.merge(tally);
    }
    (Ended::of_nodes(program, states, ends, links), counted)
}
