//! Counters of a run, as a choice made when the program is compiled.

use std::ops::{AddAssign, Range};

use super::cost::spend;
use super::{Places, ShiftCost};

/// Counts of one run, or of one round of it. Communication as the paper reports it is [`comm`](Self::comm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Tasks forked ("async").
    pub tasks: u64,
    /// Joins of forked tasks ("finish").
    pub joins: u64,
    /// Shifts between nodes at different places: messages and reads.
    pub remote: u64,
    /// Shifts between the driver and nodes at other places than its own: forks and reads.
    pub control: u64,
    /// Messages of the algorithm, wherever they go.
    pub messages: u64,
    /// Atomic operations on shared data.
    pub mutex: u64,
    /// Barriers ("Clock.advanceAll").
    pub barriers: u64,
    /// Rounds of the algorithm.
    pub rounds: u64,
}

impl Counts {
    /// Remote communication as the paper counts it ("#Comm"): between nodes, and between the driver and nodes.
    pub fn comm(&self) -> u64 {
        self.remote + self.control
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.tasks += other.tasks;
        self.joins += other.joins;
        self.remote += other.remote;
        self.control += other.control;
        self.messages += other.messages;
        self.mutex += other.mutex;
        self.barriers += other.barriers;
        self.rounds += other.rounds;
    }
}

/// Something that may count: the executors are compiled once for counting and once for not counting.
pub trait Tally: Send + Sized {
    /// Starts at zero.
    fn new(places: Places) -> Self;
    /// Notes a message of this number of bytes between nodes.
    fn message(&mut self, from: u32, to: u32, bytes: usize);
    /// A shift between nodes that is no message of the algorithm, and what it brings back.
    fn shift(&mut self, from: u32, to: u32, bytes: usize);
    /// An atomic operation.
    fn mutex(&mut self);
    /// Shifts between the driver and each of these nodes, one after the other.
    fn control(&mut self, nodes: Range<u32>);
    /// A shift from the driver's place to this node, by its own task.
    fn called_by_driver(&mut self, node: u32);
    /// Spends the gaps of what tasks have shifted since the last time.
    fn pay_gaps(&mut self) {}
    /// How many shifts of one node follow one another in the phase that ends now, the most of all nodes, and their cost.
    fn take_longest(&mut self) -> (u64, ShiftCost) {
        (0, ShiftCost::NONE)
    }
    /// Any other counts at once.
    fn add(&mut self, counts: Counts);
    /// From here on another round is counted.
    fn round(&mut self);
    /// Takes over what another thread has counted in the same rounds.
    fn merge(&mut self, other: Self);
    /// Appends everything as numbers, for another process.
    fn pack(&self, numbers: &mut Vec<u64>);
    /// Reads the counts that another process has packed.
    fn unpack(places: Places, numbers: &[u64]) -> Self;
}

/// Waits at the end of a phase until the shifts of all nodes have arrived: those of different nodes at the same time.
pub(super) fn wait_for_shifts<'a, C: Tally + 'a>(tallies: impl IntoIterator<Item = &'a mut C>) {
    let all = tallies.into_iter().map(Tally::take_longest);
    if let Some((longest, cost)) = all.max_by_key(|(longest, _)| *longest) {
        spend(cost.of(0, longest));
    }
}

/// Counts nothing and takes no space: timing runs pay nothing for being countable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uncounted;

impl Tally for Uncounted {
    #[inline]
    fn new(_: Places) -> Self {
        Self
    }
    #[inline]
    fn message(&mut self, _: u32, _: u32, _: usize) {}
    #[inline]
    fn shift(&mut self, _: u32, _: u32, _: usize) {}
    #[inline]
    fn called_by_driver(&mut self, _: u32) {}
    #[inline]
    fn mutex(&mut self) {}
    #[inline]
    fn control(&mut self, _: Range<u32>) {}
    #[inline]
    fn add(&mut self, _: Counts) {}
    #[inline]
    fn round(&mut self) {}
    #[inline]
    fn merge(&mut self, _: Self) {}
    fn pack(&self, _: &mut Vec<u64>) {}
    fn unpack(_: Places, _: &[u64]) -> Self {
        Self
    }
}

/// A shift from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shift {
    /// The round of the algorithm, from 1; 0 before the first.
    pub round: u32,
    /// The node that it comes from.
    pub source: u32,
    /// The node that it goes to.
    pub destination: u32,
    /// Bytes of the message in memory, or of what a read brings back.
    pub bytes: u32,
    /// Whether it is a message of the algorithm; otherwise it reads or calls.
    pub message: bool,
}

/// Counts everything, per round, and spends what shifts between places cost.
#[derive(Debug, Clone)]
pub struct Counted {
    places: Places,
    rounds: Vec<Counts>,
    /// All shifts, where they are kept.
    trace: Vec<Shift>,
    /// Shifts whose gap is still to be spent.
    unpaid: u64,
    /// The node that has shifted last, how often in turn, and the most that any has in this phase.
    turn: (u32, u64),
    longest: u64,
}

impl Counted {
    /// Makes the counts of these rounds.
    fn of(places: Places, rounds: Vec<Counts>) -> Self {
        Self { places, rounds, trace: Vec::new(), unpaid: 0, turn: (u32::MAX, 0), longest: 0 }
    }

    /// The counts of the whole run.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.rounds.iter().for_each(|round| total += *round);
        total
    }

    /// The counts of each round; what comes before the first round is counted with it.
    pub fn rounds(&self) -> &[Counts] {
        &self.rounds
    }

    /// Every shift between two nodes, by round, source and destination, where the [places](Places::traced) keep them.
    /// Those between the driver and nodes are in the counts alone.
    pub fn trace(&self) -> Vec<Shift> {
        let mut trace = self.trace.clone();
        trace.sort_unstable();
        trace
    }

    /// A shift between nodes.
    fn shifted(&mut self, (from, to): (u32, u32), bytes: usize, message: bool) {
        let remote = self.places.of(from) != self.places.of(to);
        self.now().remote += u64::from(remote);
        if self.places.keeps_trace() {
            let begun = self.now().rounds > 0;
            let round = if begun { self.rounds.len() as u32 } else { 0 };
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            self.trace.push(Shift { round, source: from, destination: to, bytes, message });
        }
        if remote {
            self.owe(from);
        }
    }

    /// A shift that has to be paid, of a node's task.
    fn owe(&mut self, node: u32) {
        if self.places.cost().is_free() {
            return;
        }
        self.unpaid += 1;
        let goes_on = self.turn.0 == node || self.places.is_one_task();
        self.turn = (node, if goes_on { self.turn.1 + 1 } else { 1 });
        self.longest = self.longest.max(self.turn.1);
    }

    /// The counts of the round that is under way.
    fn now(&mut self) -> &mut Counts {
        if self.rounds.is_empty() {
            self.rounds.push(Counts::default());
        }
        let last = self.rounds.len() - 1;
        &mut self.rounds[last]
    }
}

impl Tally for Counted {
    fn new(places: Places) -> Self {
        Self::of(places, Vec::new())
    }

    fn message(&mut self, from: u32, to: u32, bytes: usize) {
        self.shifted((from, to), bytes, true);
        self.now().messages += 1;
    }

    fn shift(&mut self, from: u32, to: u32, bytes: usize) {
        self.shifted((from, to), bytes, false);
    }

    fn mutex(&mut self) {
        self.now().mutex += 1;
    }

    fn control(&mut self, nodes: Range<u32>) {
        let remote = self.places.remote(nodes);
        self.now().control += remote;
        spend(self.places.cost().of(remote, remote));
    }

    fn called_by_driver(&mut self, node: u32) {
        let remote = self.places.remote(node..node + 1);
        self.now().control += remote;
        if remote > 0 {
            self.owe(node);
        }
    }

    fn pay_gaps(&mut self) {
        spend(self.places.cost().of(std::mem::take(&mut self.unpaid), 0));
    }

    fn take_longest(&mut self) -> (u64, ShiftCost) {
        self.turn = (u32::MAX, 0);
        (std::mem::take(&mut self.longest), self.places.cost())
    }

    fn add(&mut self, counts: Counts) {
        *self.now() += counts;
        if self.places.count() > 1 {
            // The forks of a phase are under way at the same time; a join or a barrier ends a latency after the last task.
            let latencies = u64::from(counts.control > 0) + counts.joins + counts.barriers;
            spend(self.places.cost().of(counts.control, latencies));
        }
    }

    fn round(&mut self) {
        if self.now().rounds > 0 {
            self.rounds.push(Counts::default());
        }
        self.now().rounds = 1;
    }

    fn merge(&mut self, other: Self) {
        for (round, theirs) in other.rounds.into_iter().enumerate() {
            if round == self.rounds.len() {
                self.rounds.push(Counts::default());
            }
            let number = self.rounds[round].rounds.max(theirs.rounds);
            self.rounds[round] += theirs;
            self.rounds[round].rounds = number;
        }
        self.trace.extend(other.trace);
    }

    fn pack(&self, numbers: &mut Vec<u64>) {
        for counts in &self.rounds {
            let Counts { tasks, joins, remote, control, messages, mutex, barriers, rounds } =
                *counts;
            numbers.extend([tasks, joins, remote, control, messages, mutex, barriers, rounds]);
        }
    }

    fn unpack(places: Places, numbers: &[u64]) -> Self {
        let (counts, _) = numbers.as_chunks::<8>();
        let counts = counts.iter().map(
            |&[tasks, joins, remote, control, messages, mutex, barriers, rounds]| Counts {
                tasks,
                joins,
                remote,
                control,
                messages,
                mutex,
                barriers,
                rounds,
            },
        );
        Self::of(places, counts.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Ten nodes at five places: 0 and 1 share one.
    fn places() -> Places {
        Places::new(10, 5)
    }

    #[test]
    fn shifts_of_one_node_follow_one_another_and_those_within_a_place_are_free() {
        let cost = ShiftCost { latency: Duration::from_nanos(1), gap: Duration::from_nanos(1) };
        let mut counted = Counted::new(places().with_cost(cost));
        for to in [1, 2, 4, 9] {
            counted.message(0, to, 8);
        }
        counted.shift(5, 0, 4);
        counted.called_by_driver(7);
        assert_eq!((counted.unpaid, counted.longest), (5, 3));
        counted.pay_gaps();
        assert_eq!(counted.unpaid, 0);
        assert_eq!(counted.take_longest(), (3, cost));
        assert_eq!(counted.take_longest(), (0, cost), "the next phase begins");
        // The same node again: it does not go on from the phase before.
        counted.message(7, 0, 8);
        assert_eq!(counted.take_longest().0, 1);
        let total = counted.total();
        assert_eq!((total.remote, total.control, total.messages), (5, 1, 5));
    }

    /// A serial program makes one shift after the other, whichever node it is at.
    #[test]
    fn shifts_of_one_task_follow_one_another() {
        let cost = ShiftCost { latency: Duration::from_nanos(1), gap: Duration::ZERO };
        let mut counted = Counted::new(places().with_cost(cost).in_one_task());
        counted.message(0, 9, 8);
        counted.message(0, 1, 8);
        counted.shift(5, 0, 4);
        assert_eq!(counted.take_longest(), (2, cost));
        assert_eq!(counted.take_longest(), (0, cost), "the next phase begins");
    }

    #[test]
    fn nothing_is_owed_where_shifts_are_free() {
        let mut counted = Counted::new(places());
        counted.message(0, 9, 8);
        assert_eq!((counted.unpaid, counted.take_longest().0), (0, 0));
        assert!(counted.trace().is_empty());
    }

    #[test]
    fn a_trace_has_every_shift_by_round() {
        let mut counted = Counted::new(places().traced());
        counted.shift(3, 4, 4);
        counted.round();
        counted.message(2, 1, 8);
        counted.round();
        let mut other = Counted::new(places().traced());
        other.round();
        other.message(0, 1, 8);
        counted.merge(other);
        let shift = |round, source, destination, bytes, message| Shift {
            round,
            source,
            destination,
            bytes,
            message,
        };
        let all = [shift(0, 3, 4, 4, false), shift(1, 0, 1, 8, true), shift(1, 2, 1, 8, true)];
        assert_eq!(counted.trace(), all);
    }
}
