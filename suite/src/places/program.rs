//! The algorithm's part for one node, and the actions of a node within a phase.

use super::post::Outbox;
use super::{Board, Driver, Ended, Engine, Heard, Tally};

/// A distributed algorithm, written for one node and one phase at a time.
///
/// Shared by all threads, so it holds what nodes only read: the network, the parameters, and [`Board`]s.
pub trait NodeProgram: Sync + Sized {
    /// The state of a node; only its own task touches it.
    type State: Send;
    /// The state of a node about each of its neighbors, in their order; starts as the default.
    type Link: Copy + Default + Send;
    /// The messages between nodes.
    type Message: Copy + Send;
    /// The phases that a node can be asked to do.
    type Phase: Copy + Send + Sync;
    /// The answer of the algorithm.
    type Output;

    /// How many nodes there are, numbered from 0.
    fn nodes(&self) -> usize;

    /// The nodes that a node is linked to.
    fn neighbours(&self, node: u32) -> &[u32];

    /// Returns the state of a node at the start.
    fn state(&self, node: u32) -> Self::State;

    /// Runs one node in one phase.
    fn step<C: Tally>(&self, phase: Self::Phase, task: &mut Task<'_, Self, C>);

    /// The boards that nodes publish on: processes that share a run tell each other what has changed on them.
    fn boards(&self) -> Vec<&Board> {
        Vec::new()
    }

    /// The order of phases, and when the algorithm ends. Clocked threads each run a copy of this, so it may depend on
    /// nothing but the program and what the driver [heard](Heard).
    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>);

    /// The answer, gathered from what the nodes know at the end: those of all processes, or its part of one.
    fn output(&self, ended: Ended<'_, Self>) -> Self::Output;
}

/// One node in one phase: its number, what it knows, its mail, and the ways to affect others.
pub struct Task<'a, P: NodeProgram, C: Tally> {
    /// The node.
    pub id: u32,
    /// Its state.
    pub state: &'a mut P::State,
    /// Its state about each neighbor.
    pub links: &'a mut [P::Link],
    /// The messages to it from the previous phase, by ascending sender.
    pub mail: &'a [P::Message],
    pub(super) outbox: &'a mut Outbox<P::Message>,
    pub(super) heard: &'a mut Heard,
    pub(super) tally: &'a mut C,
}

impl<P: NodeProgram, C: Tally> Task<'_, P, C> {
    /// Adds a message to the mailbox of a node, which others may be adding to: counts one mutex operation.
    #[inline]
    pub fn send(&mut self, to: u32, message: P::Message) {
        self.tally.message(self.id, to, size_of::<P::Message>());
        self.tally.mutex();
        self.outbox.push(to, message);
    }

    /// Writes a message to the place at a node that only this sender writes to: no mutex.
    #[inline]
    pub fn put(&mut self, to: u32, message: P::Message) {
        self.tally.message(self.id, to, size_of::<P::Message>());
        self.outbox.push(to, message);
    }

    /// Hands something on without being counted: what the [counting methods](Self::shift) have counted already.
    #[inline]
    pub fn pass(&mut self, to: u32, message: P::Message) {
        self.outbox.push(to, message);
    }

    /// Reads what another node has published: one shift to its place and back.
    #[inline]
    pub fn read(&mut self, board: &Board, of: u32) -> u32 {
        self.tally.shift(self.id, of, size_of::<u32>());
        board.get(of)
    }

    /// Counts a message without a mutex that need not be delivered: a second call, or a read.
    #[inline]
    pub fn call(&mut self, to: u32) {
        self.tally.message(self.id, to, size_of::<P::Message>());
    }

    /// Counts a message and its mutex that need not be delivered: what [`pass`](Self::pass) delivers, or nothing does.
    #[inline]
    pub fn count_send(&mut self, to: u32) {
        self.tally.message(self.id, to, size_of::<P::Message>());
        self.tally.mutex();
    }

    /// Counts a shift from a node's place to another's that carries no message of the algorithm.
    #[inline]
    pub fn shift(&mut self, from: u32, to: u32) {
        self.tally.shift(from, to, 0);
    }

    /// Counts a shift from the driver's place to this node.
    #[inline]
    pub fn called_by_driver(&mut self) {
        self.tally.called_by_driver(self.id);
    }

    /// Counts an atomic operation.
    #[inline]
    pub fn mutex(&mut self) {
        self.tally.mutex();
    }

    /// Raises this node's hand: the driver hears how many did in this phase, and the lowest number among them.
    #[inline]
    pub fn raise(&mut self) {
        self.heard.raised += 1;
        self.heard.first = self.heard.first.min(self.id);
    }
}
