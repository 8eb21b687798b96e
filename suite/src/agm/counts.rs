//! Counts of a run, made only on request: the choice is made when compiling.

/// Work items, and what it took to process them, of one run of a machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Work items created, the start set included.
    pub created: u64,
    /// Work items whose condition held when they were processed: useful work.
    pub useful: u64,
    /// Work items that came too late: a better value was known by then.
    pub discarded: u64,
    /// Items that followed from useful ones, before any filter: arcs looked at.
    pub relaxations: u64,
    /// Equivalence classes that had items.
    pub classes: u64,
    /// Rounds within classes, where a runtime has them: that over ranks.
    pub rounds: u64,
    /// Global synchronisations: how often all threads had to wait for one another. One at the end of each class, for a
    /// class ends nowhere before it ends everywhere.
    pub barriers: u64,
    /// Tasks that threads took from queues; none on one thread, which keeps its items to itself.
    pub tasks: u64,
    /// Tasks that one thread took from another.
    pub stolen: u64,
    /// Work items sent from one owner of vertices to another; none where all threads share the states.
    pub messages: u64,
    /// Coalesced buffers that carried the messages.
    pub buffers: u64,
    /// Messages not sent because the same sender had sent a value as good.
    pub suppressed: u64,
}

impl Counts {
    /// Adds the counts of two threads. Classes and barriers are common to all.
    pub(crate) fn add(&mut self, other: &Self) {
        self.created += other.created;
        self.useful += other.useful;
        self.discarded += other.discarded;
        self.relaxations += other.relaxations;
        self.classes = self.classes.max(other.classes);
        self.rounds = self.rounds.max(other.rounds);
        self.barriers = self.barriers.max(other.barriers);
        self.tasks += other.tasks;
        self.stolen += other.stolen;
        self.messages += other.messages;
        self.buffers += other.buffers;
        self.suppressed += other.suppressed;
    }
}
