//! The simulated distributed system: node programs, the places their nodes live at, and the ways to run them. Nothing
//! here knows an algorithm or a graph format; it may start threads and uses rayon, and it takes no time but the
//! [cost](ShiftCost) of shifts between places.
//!
//! An algorithm is written once, as a [`NodeProgram`]: what one node does in each phase, and the order of phases.
//! Mail sent in a phase is in the mailboxes in the next one, sorted by sender, so every run gives the same result,
//! whatever executes it. One process uses [`Style::Serial`], [`Style::ForkJoin`] (FA: fork and join of tasks per
//! phase, on rayon) or [`Style::Clocked`] (FAC: persistent threads that meet at one barrier per phase). Several
//! processes exchange mail at the end of each phase, by [`execute_over`].
//!
//! ```
//! use plusminus_suite::places::{execute, Driver, Ended, Engine, Execution, NodeProgram, Task, Tally, Uncounted};
//!
//! /// Every node learns the largest number of its two neighbors on a ring.
//! struct Largest(Vec<[u32; 2]>);
//!
//! impl NodeProgram for Largest {
//!     type State = u32;
//!     type Link = ();
//!     type Message = u32;
//!     type Phase = bool;
//!     type Output = Vec<u32>;
//!
//!     fn nodes(&self) -> usize { self.0.len() }
//!     fn neighbors(&self, node: u32) -> &[u32] { &self.0[node as usize] }
//!     fn state(&self, node: u32) -> u32 { node }
//!     fn step<C: Tally>(&self, tell: bool, task: &mut Task<'_, Self, C>) {
//!         if tell {
//!             for &other in self.neighbors(task.id) { task.send(other, task.id) }
//!         } else {
//!             *task.state = task.mail.iter().copied().max().unwrap();
//!         }
//!     }
//!     fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
//!         net.phase(true);
//!         net.phase(false);
//!     }
//!     fn output(&self, ended: Ended<'_, Self>) -> Vec<u32> { ended.map(|_, largest, _| largest) }
//! }
//!
//! let ring = Largest(vec![[1, 3], [0, 2], [1, 3], [0, 2]]);
//! let (largest, Uncounted) = execute(&ring, &Execution::serial());
//! assert_eq!(largest, [3, 2, 3, 2]);
//! ```

mod barrier;
mod block;
mod board;
mod clocked;
mod cost;
mod counters;
mod distribution;
mod driver;
mod fork_join;
mod grain;
mod load;
mod node;
mod parcels;
mod per_node;
mod post;
mod program;
mod ranked;
mod serial;
mod shake;
mod wire;
mod workload;

pub use barrier::SpinBarrier;
pub use block::Ended;
pub use board::Board;
pub(crate) use cost::spend;
pub use cost::{Placement, ShiftCost, read_time};
pub use counters::{Counted, Counts, Shift, Tally, Uncounted};
pub use distribution::Places;
pub use driver::{Driver, Engine, Heard};
pub use grain::Grain;
pub use load::Load;
pub use parcels::Parcels;
pub use program::{NodeProgram, Task};
pub use ranked::{Exchange, execute_over, nodes_of_rank};
#[doc(hidden)]
pub use shake::shake_boards;
pub use wire::{Parts, Wire, take, words_of};
pub(crate) use wire::{length, pack_u64, take_length, take_u64};
pub use workload::Workload;

/// How the tasks of a phase are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// One node after the other, without tasks.
    Serial,
    /// FA: tasks are forked for every phase and joined at its end.
    ForkJoin,
    /// FAC: tasks live as long as the algorithm and meet at a barrier after every phase.
    Clocked,
}

/// Everything about a run that is not the algorithm.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// How the tasks of a phase are run.
    pub style: Style,
    /// Threads that run them, p. The fork/join style uses the rayon pool that it is called in, cut for p threads.
    pub processors: usize,
    /// Places that the nodes are distributed to; what crosses them is remote. At most one per node is used.
    pub places: usize,
    /// The cost of a shift between places, in runs that count: [`Uncounted`] ones have no places.
    pub shift_cost: ShiftCost,
    /// Whether runs that count keep every shift.
    pub traced: bool,
    /// The work of every task besides its own.
    pub workload: Workload,
    /// How many nodes a task has. Without it, the fork/join style has blocks and the clocked one a block per processor.
    pub grain: Option<Grain>,
}

impl Execution {
    /// One thread, one place.
    pub fn serial() -> Self {
        Self::new(Style::Serial, 1)
    }

    /// A style on p processors, one place.
    pub fn new(style: Style, processors: usize) -> Self {
        let processors = processors.max(1);
        let shift_cost = ShiftCost::NONE;
        let (places, traced, workload, grain) = (1, false, Workload::None, None);
        Self { style, processors, places, shift_cost, traced, workload, grain }
    }

    /// Returns the same with the nodes distributed to this number of places.
    #[must_use]
    pub fn on_places(mut self, places: usize) -> Self {
        self.places = places.max(1);
        self
    }

    /// The same with shifts between places that take time.
    #[must_use]
    pub fn with_shift_cost(mut self, cost: ShiftCost) -> Self {
        self.shift_cost = cost;
        self
    }

    /// The same with every shift between nodes kept.
    #[must_use]
    pub fn traced(mut self) -> Self {
        self.traced = true;
        self
    }

    /// Returns the places of this number of nodes.
    fn places_of(&self, nodes: usize) -> Places {
        let places = Places::new(nodes, self.places).with_cost(self.shift_cost);
        if self.traced { places.traced() } else { places }
    }

    /// Returns the same with tasks of this number of nodes, which does not affect the serial style.
    #[must_use]
    pub fn with_grain(mut self, grain: Grain) -> Self {
        self.grain = Some(grain);
        self
    }

    /// The same with more work in every task.
    #[must_use]
    pub fn with_workload(mut self, workload: Workload) -> Self {
        self.workload = workload;
        self
    }
}

/// Runs a program and gives its output and what was counted: [`Counted`] counts, [`Uncounted`] costs nothing.
pub fn execute<P: NodeProgram, C: Tally>(program: &P, how: &Execution) -> (P::Output, C) {
    /// Blocks per thread: a few, so that threads that are done early can take over from others.
    const BLOCKS: usize = 4;
    match (how.style, how.grain) {
        (Style::Serial, _) => serial::execute(program, how),
        (_, Some(Grain::Node)) => per_node::execute(program, how),
        (Style::ForkJoin, None | Some(Grain::Block)) => fork_join::execute(program, how, BLOCKS),
        (Style::ForkJoin, Some(Grain::Processor)) => fork_join::execute(program, how, 1),
        (Style::Clocked, Some(Grain::Block)) => clocked::execute(program, how, BLOCKS),
        (Style::Clocked, None | Some(Grain::Processor)) => clocked::execute(program, how, 1),
    }
}
