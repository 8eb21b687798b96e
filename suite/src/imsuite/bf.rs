//! BF: breadth-first search by Bellman and Ford: every node learns its distance from a root.
//!
//! **Model.** Synchronous, messages along edges. **Source.** Bellman–Ford as in Wattenhofer's "Principles of Distributed
//! Computing"; BF of IMSuite. **Rounds** D, the distance of the farthest node. **Messages** 2m: every node tells all its
//! neighbors once, when its distance is settled. A node that hears a distance takes the smallest one, and if that
//! improves its own, it tells its neighbors one more. **Memory** 8 bytes per node, 12 per message of the busiest round.
//! **Repaired**: nothing; nodes that the root cannot reach end with [`UNREACHABLE`].
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, bf};
//!
//! let path = Topology::from_edges(4, [(0, 1), (1, 2)]);
//! let root = bf::Root::new(&path, 0);
//! assert_eq!(bf::serial(&path, &root), [0, 1, 2, u32::MAX]);
//! ```

use super::{Topology, UNREACHABLE};
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task};

/// Where a search starts, and for how many rounds it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Root {
    /// The node at distance 0.
    pub node: u32,
    /// The distance of the farthest node that it reaches; known beforehand, as in the original.
    pub eccentricity: u32,
}

impl Root {
    /// Looks up the eccentricity of a node, by one search.
    pub fn new(topology: &Topology, node: u32) -> Self {
        Self { node, eccentricity: topology.eccentricity(node) }
    }
}

impl std::fmt::Display for Root {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "root-{}", self.node)
    }
}

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct BellmanFord<'a> {
    topology: &'a Topology,
    root: Root,
}

impl<'a> BellmanFord<'a> {
    /// The search of a root.
    pub fn new(topology: &'a Topology, root: &Root) -> Self {
        Self { topology, root: *root }
    }
}

/// A node's distance so far, and the best offer in this round.
#[derive(Debug, Clone, Copy)]
pub struct State {
    distance: u32,
    offered: u32,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// The root settles at 0 and tells its neighbors.
    Start,
    /// Looks for the smallest distance in the mail.
    Receive,
    /// Takes it if it is an improvement, and tells the neighbors.
    Improve,
}

impl NodeProgram for BellmanFord<'_> {
    type State = State;
    type Link = ();
    type Message = u32;
    type Phase = Phase;
    type Output = Vec<u32>;

    fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.topology.neighbours(node)
    }

    fn state(&self, _: u32) -> State {
        State { distance: UNREACHABLE, offered: UNREACHABLE }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        match phase {
            Phase::Start => task.state.offered = 0,
            Phase::Receive => {
                task.state.offered = task.mail.iter().copied().min().unwrap_or(UNREACHABLE);
                return;
            }
            Phase::Improve => {}
        }
        if task.state.offered < task.state.distance {
            task.state.distance = task.state.offered;
            for &neighbour in self.neighbours(task.id) {
                task.send(neighbour, task.state.distance + 1);
            }
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        net.at(self.root.node, Phase::Start);
        for _ in 0..self.root.eccentricity {
            net.round();
            net.phases(&[Phase::Receive, Phase::Improve]);
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<u32> {
        ended.map(|_, state, _| state.distance)
    }
}

super::variants!(Bf, Topology, Root => Vec<u32>, |topology, root| BellmanFord::new(topology, root), clocked);

/// Checks that the distances are those of an independent breadth-first search.
///
/// # Errors
/// Names the first node whose distance is wrong.
pub fn check(topology: &Topology, root: &Root, distances: &[u32]) -> Result<(), String> {
    super::one_per_node("distances", distances.len(), topology.nodes())?;
    for (node, (expected, &found)) in topology.levels(root.node).iter().zip(distances).enumerate() {
        if *expected != found {
            return Err(format!(
                "node {node}: distance {found}, breadth-first search says {expected}"
            ));
        }
    }
    Ok(())
}
