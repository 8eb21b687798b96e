//! DST: a breadth-first search tree, grown in phases from the root as Dijkstra's algorithm would.
//!
//! **Model.** Synchronous, messages along edges and up and down the tree. **Source.** Wattenhofer, "Principles of
//! Distributed Computing", 2.3; DST of IMSuite. **Rounds** O(D²), **messages** O(m + nD). In phase p the root's start
//! signal goes down the tree, and the leaves at level p ask their other neighbors to join. Each newcomer picks the
//! first that asked as its parent, and echoes go up. The phase in which no node joins is the last. **Memory** 16
//! bytes per node, two per link. **Repaired**: nothing in the algorithm.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, bf, dst};
//!
//! let circle = Topology::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]);
//! let root = bf::Root::new(&circle, 0);
//! let tree = dst::serial(&circle, &root);
//! assert_eq!((tree.levels, tree.parents), (vec![0, 1, 2, 1], vec![0, 0, 1, 0]));
//! ```

use super::bf::Root;
use super::{Topology, UNREACHABLE};
use crate::places::{Driver, Ended, Engine, NodeProgram, Parts, Tally, Task, Wire};

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct SearchTree<'a> {
    topology: &'a Topology,
    root: u32,
}

impl<'a> SearchTree<'a> {
    /// The tree of a root.
    pub fn new(topology: &'a Topology, root: &Root) -> Self {
        Self { topology, root: root.node }
    }
}

/// A tree that spans what its root can reach.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    /// The parent of every node, itself for the root, [`UNREACHABLE`] outside of the tree.
    pub parents: Vec<u32>,
    /// The level at which every node was discovered, or [`UNREACHABLE`].
    pub levels: Vec<u32>,
    /// The edges from parents to children, as the parents know them, ascending.
    pub children: Vec<(u32, u32)>,
}

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// The phase has begun: goes down the tree.
    Start(u32),
    /// The sender asks to be joined as a parent.
    Join(u32),
    /// The sender takes the receiver as its parent.
    Child(u32),
    /// Yes, no, or done: never read, but part of the algorithm.
    Reply,
}

/// The state of a neighbor, as a node knows it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Link {
    talked: bool,
    child: bool,
}

/// The state of a node.
#[derive(Debug, Clone, Copy)]
pub struct State {
    parent: u32,
    level: u32,
    /// The phase of the last start signal.
    phase: u32,
    /// Holds the start signal, and has not passed it on.
    start: bool,
    found: bool,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// The root starts phase p.
    Begin(u32),
    /// Passes the start signal on to its children.
    Broadcast,
    /// Takes in the start signal.
    Hear,
    /// A leaf of this phase asks its neighbors to join.
    Ask(u32),
    /// Picks a parent among the askers, and replies to all.
    Answer(u32),
    /// Takes in replies.
    Settle,
    /// The nodes of a level report to their parents.
    Echo(u32),
    /// Forgets the signals of the phase.
    Reset,
}

impl SearchTree<'_> {
    /// The position of a neighbor, which messages come from only.
    fn position(&self, node: u32, neighbour: u32) -> usize {
        self.topology.neighbours(node).partition_point(|&other| other < neighbour)
    }

    /// Picks the first that asked as the parent, if there is none yet, and replies to all.
    fn answer<C: Tally>(&self, phase: u32, task: &mut Task<'_, Self, C>) {
        for mail in task.mail {
            let &Message::Join(from) = mail else { continue };
            task.links[self.position(task.id, from)].talked = true;
            task.send(from, Message::Reply);
            if task.state.parent == UNREACHABLE {
                task.state.parent = from;
                task.state.level = phase + 1;
                task.state.found = true;
                task.send(from, Message::Child(task.id));
            }
        }
    }
}

impl NodeProgram for SearchTree<'_> {
    type State = State;
    type Link = Link;
    type Message = Message;
    type Phase = Phase;
    type Output = Tree;

    fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.topology.neighbours(node)
    }

    fn state(&self, node: u32) -> State {
        let (parent, level) =
            if node == self.root { (node, 0) } else { (UNREACHABLE, UNREACHABLE) };
        State { parent, level, phase: 0, start: false, found: false }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let neighbours = self.topology.neighbours(task.id);
        match phase {
            Phase::Begin(phase) => {
                task.state.phase = phase;
                task.state.start = true;
            }
            Phase::Broadcast if task.state.start => {
                task.state.start = false;
                for (position, &neighbour) in neighbours.iter().enumerate() {
                    if task.links[position].child {
                        task.put(neighbour, Message::Start(task.state.phase));
                    }
                }
            }
            Phase::Hear => {
                if let Some(&Message::Start(phase)) = task.mail.first() {
                    task.state.phase = phase;
                    task.state.start = true;
                }
            }
            Phase::Ask(phase) if task.state.level == phase && task.state.phase == phase => {
                for (position, &neighbour) in neighbours.iter().enumerate() {
                    if !task.links[position].talked {
                        task.links[position].talked = true;
                        task.send(neighbour, Message::Join(task.id));
                    }
                }
            }
            Phase::Answer(phase) => self.answer(phase, task),
            Phase::Settle => {
                for mail in task.mail {
                    if let Message::Child(child) = *mail {
                        task.links[self.position(task.id, child)].child = true;
                    }
                }
                if std::mem::take(&mut task.state.found) {
                    task.raise();
                }
            }
            Phase::Echo(level) if task.state.level == level => {
                task.send(task.state.parent, Message::Reply);
            }
            Phase::Reset => task.state.start = false,
            Phase::Broadcast | Phase::Ask(_) | Phase::Echo(_) => {}
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for phase in 0.. {
            net.round();
            net.at(self.root, Phase::Begin(phase));
            for _ in 0..phase {
                net.phases(&[Phase::Broadcast, Phase::Hear]);
            }
            net.phase(Phase::Ask(phase));
            let heard = net.phases(&[Phase::Answer(phase), Phase::Settle]);
            net.read_until(heard);
            if !heard.any() {
                break;
            }
            for level in (1..=phase).rev() {
                net.phase(Phase::Echo(level));
            }
            net.phase(Phase::Reset);
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Tree {
        let mut tree = Tree { parents: Vec::new(), levels: Vec::new(), children: Vec::new() };
        ended.for_each(|node, state, links| {
            tree.parents.push(state.parent);
            tree.levels.push(state.level);
            let known = links.iter().zip(self.topology.neighbours(node));
            tree.children.extend(known.filter(|(link, _)| link.child).map(|(_, &c)| (node, c)));
        });
        tree
    }
}

impl Wire for Message {
    type Words = [u32; 2];

    fn pack(self) -> [u32; 2] {
        match self {
            Self::Start(phase) => [0, phase],
            Self::Join(from) => [1, from],
            Self::Child(child) => [2, child],
            Self::Reply => [3, 0],
        }
    }

    fn unpack(words: [u32; 2]) -> Option<Self> {
        Some(match words {
            [0, phase] => Self::Start(phase),
            [1, from] => Self::Join(from),
            [2, child] => Self::Child(child),
            [3, _] => Self::Reply,
            _ => return None,
        })
    }
}

impl Parts for Tree {
    fn pack(&self, words: &mut Vec<u32>) {
        self.parents.pack(words);
        self.levels.pack(words);
        self.children.pack(words);
    }

    fn take_in(&mut self, words: &mut &[u32]) -> Option<()> {
        self.parents.take_in(words)?;
        self.levels.take_in(words)?;
        self.children.take_in(words)
    }
}

super::variants!(Dst, Topology, Root => Tree, |topology, root| SearchTree::new(topology, root), clocked);

/// Checks that the tree spans what the root can reach along edges of the network, that levels are distances from the
/// root and one more than the parent's, and that children and parents agree.
///
/// # Errors
/// Names the first offending node or edge.
pub fn check(topology: &Topology, root: &Root, tree: &Tree) -> Result<(), String> {
    super::one_per_node("parents", tree.parents.len(), topology.nodes())?;
    super::one_per_node("levels", tree.levels.len(), topology.nodes())?;
    let mut children = Vec::new();
    for (node, &distance) in topology.levels(root.node).iter().enumerate() {
        let (parent, level) = (tree.parents[node], tree.levels[node]);
        let node = node as u32;
        if level != distance {
            return Err(format!("node {node} is at level {level}, its distance is {distance}"));
        }
        if distance == UNREACHABLE || node == root.node {
            let expected = if node == root.node { node } else { UNREACHABLE };
            if parent != expected {
                return Err(format!("node {node} has parent {parent} instead of {expected}"));
            }
            continue;
        }
        if !topology.has_edge(node, parent.min(topology.nodes() as u32 - 1))
            || parent == UNREACHABLE
        {
            return Err(format!("node {node} has parent {parent}, which is no neighbor"));
        }
        let above = tree.levels[parent as usize];
        if above.checked_add(1) != Some(level) {
            return Err(format!("node {node} at level {level} hangs below {parent} at {above}"));
        }
        children.push((parent, node));
    }
    children.sort_unstable();
    let mut known = tree.children.clone();
    known.sort_unstable();
    match children.iter().zip(&known).find(|(expected, found)| expected != found) {
        Some((expected, found)) => Err(format!("children: {found:?} known, {expected:?} expected")),
        None if children.len() != known.len() => {
            Err(format!("{} children known, there are {}", known.len(), children.len()))
        }
        None => Ok(()),
    }
}
