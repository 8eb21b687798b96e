//! What a search did, counted only where asked for: the choice is made when compiling.

/// Work items and relaxations of one search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Work items created, the start set included.
    pub created: u64,
    /// Work items that were relaxed from: their distance was the best known.
    pub useful: u64,
    /// Work items that came too late: a better distance was known by then.
    pub discarded: u64,
    /// Arcs looked at.
    pub relaxations: u64,
    /// Equivalence classes that had items.
    pub classes: u64,
    /// Rounds within classes: a class takes more than one when its items create items of the same class.
    pub rounds: u64,
    /// Work items sent from one owner of vertices to another; none where all threads share the distances.
    pub messages: u64,
    /// Coalesced buffers that carried the messages.
    pub buffers: u64,
    /// Messages not sent because the same sender had sent a distance as good.
    pub suppressed: u64,
}

impl Counts {
    /// The counts of two threads together; classes and rounds are the driver's.
    pub(crate) fn add(&mut self, other: &Self) {
        self.created += other.created;
        self.useful += other.useful;
        self.discarded += other.discarded;
        self.relaxations += other.relaxations;
        self.messages += other.messages;
        self.buffers += other.buffers;
        self.suppressed += other.suppressed;
    }
}
