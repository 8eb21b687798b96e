//! MIS: a maximal independent set, after Luby.
//!
//! **Model.** Synchronous, randomized. **Source.** Wattenhofer, "Principles of Distributed Computing", "Fast MIS 2";
//! MIS of IMSuite. **Rounds** O(log n) expected, **messages** O(m log n). Each node draws a number and sends it to
//! its neighbors. A node below all of them joins the set, announces that, and leaves with its neighbors, who announce
//! it to theirs. **Memory** 32 bytes per node, one per link, and 12 per message of the first phase.
//!
//! **Repaired**: a node that leaves tells each neighbor once. In the original it does so once per neighbor that has
//! joined; [`Mode::Faithful`] repeats the messages and draws the original's random numbers. The sets are the same kind.
//! Numbers are compared in their first 32 bits; of two equal ones neither joins, which another round mends.
//!
//! ```
//! use plusminus_suite::imsuite::{Seed, Topology, mis};
//!
//! let path = Topology::from_edges(4, [(0, 1), (1, 2), (2, 3)]);
//! let set = mis::serial(&path, &Seed(1));
//! assert_eq!(set.iter().filter(|&&member| member).count(), 2);
//! ```

use super::node_random::NodeRandom;
use super::{Mode, Topology};
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task, Wire};

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct Luby<'a> {
    topology: &'a Topology,
    seed: u64,
    mode: Mode,
}

impl<'a> Luby<'a> {
    /// The set that belongs to a seed; the faithful mode has only one.
    pub fn new(topology: &'a Topology, seed: &super::Seed, mode: Mode) -> Self {
        Self { topology, seed: seed.0, mode }
    }
}

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// The number that was drawn.
    Number(u32),
    /// The sender has joined the set.
    Joined,
    /// This node has left.
    Left(u32),
}

/// The state of a node.
#[derive(Debug, Clone)]
pub struct State {
    random: NodeRandom,
    number: u32,
    /// Neighbors that are still there.
    left: u32,
    joined: bool,
    decided: bool,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Draws a number and tells it.
    Draw,
    /// Joins if its number is the smallest, and tells so.
    Compare,
    /// Leaves if a neighbor has joined, and tells so.
    Leave,
    /// Forgets neighbors that have left.
    Forget,
    /// Joins if it is alone.
    Finish,
}

impl Luby<'_> {
    /// A leaving node informs the remaining ones, as often as the mode wants.
    fn leave<C: Tally>(&self, task: &mut Task<'_, Self, C>) {
        let joiners = task.mail.iter().filter(|mail| matches!(mail, Message::Joined)).count();
        if joiners == 0 {
            return;
        }
        task.state.decided = true;
        task.state.left = 0;
        let times = if self.mode == Mode::Faithful { joiners } else { 1 };
        for _ in 0..times {
            for (position, &neighbour) in self.topology.neighbours(task.id).iter().enumerate() {
                if !task.links[position] {
                    task.send(neighbour, Message::Left(task.id));
                    if self.mode == Mode::Faithful {
                        // The original has the other direction of the edge removed by an operation of its own.
                        task.count_send(task.id);
                    }
                }
            }
        }
    }
}

impl NodeProgram for Luby<'_> {
    type State = State;
    type Link = bool;
    type Message = Message;
    type Phase = Phase;
    type Output = Vec<bool>;

    fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.topology.neighbours(node)
    }

    fn state(&self, node: u32) -> State {
        State {
            random: NodeRandom::new(self.mode, self.seed, node),
            number: 0,
            left: self.topology.degree(node) as u32,
            joined: false,
            decided: false,
        }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let neighbours = self.topology.neighbours(task.id);
        match phase {
            Phase::Draw if task.state.left > 0 => {
                task.state.number = (task.state.random.next_fraction() >> 21) as u32;
                for (position, &neighbour) in neighbours.iter().enumerate() {
                    if !task.links[position] {
                        task.send(neighbour, Message::Number(task.state.number));
                    }
                }
            }
            Phase::Compare if task.state.left > 0 => {
                let smallest = task.mail.iter().all(
                    |mail| matches!(mail, Message::Number(number) if *number > task.state.number),
                );
                if smallest {
                    task.state.joined = true;
                    task.state.decided = true;
                    task.state.left = 0;
                    for (position, &neighbour) in neighbours.iter().enumerate() {
                        if !task.links[position] {
                            task.send(neighbour, Message::Joined);
                            if self.mode == Mode::Faithful {
                                // Two more calls at the neighbor and one at home remove the edge between both.
                                task.count_send(neighbour);
                                task.shift(task.id, neighbour);
                                task.count_send(task.id);
                            }
                        }
                    }
                }
            }
            Phase::Leave => self.leave(task),
            Phase::Forget if task.state.left > 0 => {
                for mail in task.mail {
                    if let Message::Left(neighbour) = mail
                        && let Ok(position) = neighbours.binary_search(neighbour)
                        && !task.links[position]
                    {
                        task.links[position] = true;
                        task.state.left -= 1;
                    }
                }
                if task.state.left > 0 {
                    task.raise();
                }
            }
            Phase::Finish if !task.state.decided => task.state.joined = true,
            Phase::Draw | Phase::Compare | Phase::Forget | Phase::Finish => {}
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        loop {
            net.round();
            let heard = net.phases(&[Phase::Draw, Phase::Compare, Phase::Leave, Phase::Forget]);
            net.read_until(heard);
            if !heard.any() {
                break;
            }
        }
        net.phase(Phase::Finish);
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<bool> {
        ended.map(|_, state, _| state.joined)
    }
}

impl Wire for Message {
    type Words = [u32; 2];

    fn pack(self) -> [u32; 2] {
        match self {
            Self::Number(number) => [0, number],
            Self::Joined => [1, 0],
            Self::Left(node) => [2, node],
        }
    }

    fn unpack(words: [u32; 2]) -> Option<Self> {
        Some(match words {
            [0, number] => Self::Number(number),
            [1, _] => Self::Joined,
            [2, node] => Self::Left(node),
            _ => return None,
        })
    }
}

super::variants!(Mis, Topology, super::Seed => Vec<bool>, |topology, seed| Luby::new(topology, seed, Mode::Repaired), clocked);

/// Checks that no two nodes of the set are neighbors, and that every other node has one in the set.
///
/// # Errors
/// Names the first edge within the set, or the first node that could be added.
pub fn check(topology: &Topology, set: &[bool]) -> Result<(), String> {
    super::one_per_node("members", set.len(), topology.nodes())?;
    for node in 0..topology.nodes() as u32 {
        let member = topology.neighbours(node).iter().find(|&&other| set[other as usize]);
        match (set[node as usize], member) {
            (true, Some(other)) => {
                return Err(format!("nodes {node} and {other} are neighbors and both in the set"));
            }
            (false, None) => {
                return Err(format!("node {node} and its neighbors are not in the set"));
            }
            _ => {}
        }
    }
    Ok(())
}
