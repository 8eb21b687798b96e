//! The driver: it decides which phase comes next, hears the nodes' reports, and is charged for its costs.

use std::ops::Range;

use super::{Counts, NodeProgram, Places, Style, Tally};

/// The report to the driver at the end of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// How many nodes raised their hand.
    pub raised: u32,
    /// The lowest of them, or `u32::MAX`.
    pub first: u32,
}

impl Heard {
    /// No hand was raised.
    pub const NOBODY: Self = Self { raised: 0, first: u32::MAX };

    /// Whether any node raised its hand.
    pub fn any(&self) -> bool {
        self.raised > 0
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { raised: self.raised + other.raised, first: self.first.min(other.first) }
    }
}

/// Runs phases: one implementation per style.
pub trait Engine<P: NodeProgram> {
    /// Whether and what it counts.
    type Tally: Tally;

    /// Runs a phase at all nodes or at one, to its end.
    fn execute(&mut self, phase: P::Phase, only: Option<u32>) -> Heard;

    /// Tasks are forked for what is executed next.
    fn fork(&mut self) {}

    /// Where the driver's costs are counted.
    fn tally(&mut self) -> &mut Self::Tally;

    /// From here on another round is counted, by the driver and all nodes.
    fn round(&mut self);
}

/// Drives a [`NodeProgram`]. All methods that run a phase return the report at its end.
pub struct Driver<'a, P: NodeProgram, E: Engine<P>> {
    engine: &'a mut E,
    style: Style,
    nodes: u32,
    places: Places,
    in_clock: bool,
    program: std::marker::PhantomData<fn(&P)>,
}

impl<'a, P: NodeProgram, E: Engine<P>> Driver<'a, P, E> {
    pub(super) fn new(engine: &'a mut E, style: Style, nodes: usize, places: Places) -> Self {
        let program = std::marker::PhantomData;
        Self { engine, style, nodes: nodes as u32, places, in_clock: false, program }
    }

    /// The style of this run, for the few algorithms whose costs differ by more than forks and barriers.
    pub fn style(&self) -> Style {
        self.style
    }

    /// One phase by itself: tasks are forked for it and joined.
    pub fn phase(&mut self, phase: P::Phase) -> Heard {
        self.phases(&[phase])
    }

    /// Runs phases that follow each other in the same tasks if those are clocked: one fork, and a barrier between
    /// phases. Otherwise they are forked and joined for each phase. The driver hears all nodes that raised a hand in
    /// any of them.
    pub fn phases(&mut self, phases: &[P::Phase]) -> Heard {
        let mut heard = Heard::NOBODY;
        for (number, &phase) in phases.iter().enumerate() {
            match self.style {
                // The one task goes to each node.
                Style::Serial => self.engine.tally().control(0..self.nodes),
                Style::Clocked if number > 0 => {
                    self.engine.tally().add(Counts { barriers: 1, ..Counts::default() });
                }
                Style::Clocked if self.in_clock => {}
                Style::ForkJoin | Style::Clocked => self.fork(),
            }
            heard = heard.and(self.engine.execute(phase, None));
        }
        heard
    }

    /// Runs a phase by itself whose tasks the driver forks at its own place. Tasks that have to go to their node
    /// announce it with [`called_by_driver`](super::Task::called_by_driver). Clocked tasks are at their nodes
    /// already.
    pub fn phase_of_callers(&mut self, phase: P::Phase) -> Heard {
        if self.style != Style::ForkJoin {
            return self.phase(phase);
        }
        let tasks = u64::from(self.nodes);
        self.engine.tally().add(Counts { tasks, joins: 1, ..Counts::default() });
        self.engine.execute(phase, None)
    }

    /// From here to the end, clocked tasks live on: they are forked here, once, and [`phases`](Self::phases) forks no more.
    pub fn stay_clocked(&mut self) {
        if self.style == Style::Clocked {
            self.fork();
            self.in_clock = true;
        }
    }

    /// A phase at one node, called by the driver.
    pub fn at(&mut self, node: u32, phase: P::Phase) -> Heard {
        self.engine.tally().control(node..node + 1);
        self.engine.execute(phase, Some(node))
    }

    /// Goes on with what the phase before has begun, where the original does so within it, by calls from node to node:
    /// no forks, joins or barriers are counted.
    pub fn follow(&mut self, phase: P::Phase) -> Heard {
        self.engine.execute(phase, None)
    }

    /// Counts that the driver reads or calls each of these nodes.
    pub fn read(&mut self, nodes: Range<u32>) {
        self.engine.tally().control(nodes.start..nodes.end.min(self.nodes));
    }

    /// Counts that the driver asks one node after the other until one says yes, as heard.
    pub fn read_until(&mut self, heard: Heard) {
        self.read(0..heard.first.saturating_add(1));
    }

    /// Counts that the driver calls a node.
    pub fn call(&mut self, node: u32) {
        self.read(node..node + 1);
    }

    /// From here on another round is counted.
    pub fn round(&mut self) {
        self.engine.round();
    }

    /// Counts one task per node, and their join, and the calls to the nodes elsewhere.
    fn fork(&mut self) {
        self.engine.fork();
        let control = self.places.remote(0..self.nodes);
        let tasks = u64::from(self.nodes);
        self.engine.tally().add(Counts { tasks, joins: 1, control, ..Counts::default() });
    }
}
