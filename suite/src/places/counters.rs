//! What can be counted about a run, as a choice made when the program is compiled.

use std::ops::{AddAssign, Range};

use super::Places;

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
    /// A message between nodes.
    fn message(&mut self, from: u32, to: u32);
    /// A shift between nodes that is no message.
    fn shift(&mut self, from: u32, to: u32);
    /// An atomic operation.
    fn mutex(&mut self);
    /// Shifts between the driver and each of these nodes.
    fn control(&mut self, nodes: Range<u32>);
    /// Any other counts at once.
    fn add(&mut self, counts: Counts);
    /// From here on another round is counted.
    fn round(&mut self);
    /// Takes over what another thread has counted in the same rounds.
    fn merge(&mut self, other: Self);
    /// Appends everything as numbers, for another process.
    fn pack(&self, numbers: &mut Vec<u64>);
    /// What another process has packed.
    fn unpack(places: Places, numbers: &[u64]) -> Self;
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
    fn message(&mut self, _: u32, _: u32) {}
    #[inline]
    fn shift(&mut self, _: u32, _: u32) {}
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

/// Counts everything, per round.
#[derive(Debug, Clone)]
pub struct Counted {
    places: Places,
    rounds: Vec<Counts>,
}

impl Counted {
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
        Self { places, rounds: Vec::new() }
    }

    fn message(&mut self, from: u32, to: u32) {
        self.shift(from, to);
        self.now().messages += 1;
    }

    fn shift(&mut self, from: u32, to: u32) {
        let remote = self.places.of(from) != self.places.of(to);
        self.now().remote += u64::from(remote);
    }

    fn mutex(&mut self) {
        self.now().mutex += 1;
    }

    fn control(&mut self, nodes: Range<u32>) {
        let remote = self.places.remote(nodes);
        self.now().control += remote;
    }

    fn add(&mut self, counts: Counts) {
        *self.now() += counts;
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
        Self { places, rounds: counts.collect() }
    }
}
