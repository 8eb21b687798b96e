//! MST: the minimum spanning tree, by synchronous fragments after Gallager, Humblet and Spira.
//!
//! **Model.** Synchronous; distinct weights; messages along edges of the network and of the tree. **Source.**
//! Wattenhofer, "Principles of Distributed Computing", 2.4; MST of IMSuite. **Rounds** O(n log n), **messages** O(m
//! log n). Every fragment finds its lightest outgoing edge, the "blue" edge. It turns itself round so that the edge's
//! end is its root, and joins over it. If two fragments chose the same edge, the smaller end becomes the root. The
//! number of fragments at least halves in each phase. **Memory** 48 bytes per node, one per link. **Repaired**:
//! nothing in the algorithm; the network may have several components, each of which gets its tree.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, Weighted, Whole, mst};
//!
//! let triangle = Topology::from_edges(3, [(0, 1), (1, 2), (0, 2)]);
//! let network = Weighted::new(triangle, |a, b| a + 10 * b);
//! let tree = mst::serial(&network, &Whole);
//! assert_eq!(tree.len(), 2);
//! assert_eq!(mst::check(&network, &tree), Ok(()));
//! ```

mod state;

use super::Weighted;
use super::kruskal::{Union, lightest_forest};
use crate::places::{Board, Driver, Ended, Engine, Heard, NodeProgram, Tally, Task, Wire};

pub(super) use state::{Blue, NO_EDGE, NONE};
pub use state::{Message, Phase, State};

/// The node program, with the fragment of every node, named after its root.
#[derive(Debug)]
pub struct Fragments<'a> {
    network: &'a Weighted,
    fragments: Board,
}

impl<'a> Fragments<'a> {
    /// The tree of a network.
    pub fn new(network: &'a Weighted) -> Self {
        let fragments = Board::new(network.topology.nodes(), 0);
        (0..network.topology.nodes() as u32).for_each(|node| fragments.set(node, node));
        Self { network, fragments }
    }
}

impl Fragments<'_> {
    /// One step of a wave along the tree: messages out and in, after which the driver asks all nodes whether to go on.
    fn turn<E: Engine<Self>>(
        &self,
        net: &mut Driver<'_, Self, E>,
        out: Phase,
        take: Phase,
    ) -> Heard {
        let heard = net.phases(&[out, take]);
        net.read(0..u32::MAX);
        heard
    }

    fn position(&self, node: u32, neighbour: u32) -> usize {
        self.network.topology.neighbours(node).partition_point(|&other| other < neighbour)
    }

    fn add_child<C: Tally>(&self, task: &mut Task<'_, Self, C>, child: u32) {
        let position = self.position(task.id, child);
        task.links[position] = true;
        task.state.children += 1;
    }

    /// The lightest edge that leaves the fragment from this node.
    fn lightest<C: Tally>(&self, task: &mut Task<'_, Self, C>) -> Blue {
        let own = self.fragments.get(task.id);
        let mut best = NO_EDGE;
        for (other, weight) in self.network.links(task.id) {
            task.call(other);
            if self.fragments.get(other) != own {
                best = best.min((weight, task.id, other));
            }
        }
        best
    }
}

impl NodeProgram for Fragments<'_> {
    type State = State;
    type Link = bool;
    type Message = Message;
    type Phase = Phase;
    type Output = Vec<(u32, u32)>;

    fn nodes(&self) -> usize {
        self.network.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.network.topology.neighbours(node)
    }

    fn state(&self, _: u32) -> State {
        State::ALONE
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let id = task.id;
        match phase {
            Phase::Begin => {
                let root = task.state.parent == NONE;
                task.state.start = root;
                if root {
                    task.raise();
                }
            }
            Phase::Push if task.state.start => {
                task.state.start = false;
                task.state.searching = true;
                task.state.missing = task.state.children;
                task.state.best = NO_EDGE;
                for position in 0..task.links.len() {
                    if task.links[position] {
                        task.send(self.neighbours(id)[position], Message::Start);
                    }
                }
                if task.state.children > 0 {
                    task.raise();
                }
            }
            Phase::TakeStart => task.state.start = !task.mail.is_empty(),
            Phase::Find if task.state.searching && task.state.missing == 0 => {
                task.state.searching = false;
                let best = self.lightest(task).min(task.state.best);
                task.state.best = best;
                if task.state.parent == NONE {
                    task.raise();
                } else {
                    task.send(task.state.parent, Message::Report(best));
                    task.count_send(task.state.parent);
                }
            }
            Phase::TakeReports => {
                for mail in task.mail {
                    if let Message::Report(blue) = *mail {
                        task.state.best = task.state.best.min(blue);
                        task.state.missing -= 1;
                    }
                }
            }
            Phase::Signal if task.state.parent == NONE && task.state.best != NO_EDGE => {
                let (_, inner, _) = task.state.best;
                task.put(inner, Message::Change(task.state.best));
                task.call(inner);
            }
            Phase::TakeSignal => {
                for mail in task.mail {
                    if let Message::Change(blue) = *mail {
                        task.state.joins = blue;
                        task.state.turned_by = id;
                        task.raise();
                    }
                }
            }
            Phase::Invert if task.state.turned_by != NONE => {
                let (from, parent) = (task.state.turned_by, task.state.parent);
                task.state.turned_by = NONE;
                task.state.parent = if from == id { NONE } else { from };
                if from != id {
                    let position = self.position(id, from);
                    task.links[position] = false;
                    task.state.children -= 1;
                }
                if parent == NONE {
                    task.raise();
                } else {
                    self.add_child(task, parent);
                    task.put(parent, Message::Turn(id));
                    task.call(parent);
                }
            }
            Phase::TakeTurn => {
                for mail in task.mail {
                    if let Message::Turn(from) = *mail {
                        task.state.turned_by = from;
                    }
                }
            }
            Phase::Crown if task.state.joins != NO_EDGE => self.fragments.set(id, id),
            Phase::Ask if task.state.joins != NO_EDGE => {
                task.send(task.state.joins.2, Message::Join(id));
            }
            Phase::Check if task.state.joins != NO_EDGE => {
                let other = task.state.joins.2;
                task.call(other);
                task.state.mutual = task
                    .mail
                    .iter()
                    .any(|mail| matches!(mail, Message::Join(from) if *from == other));
            }
            Phase::Attach if task.state.joins != NO_EDGE => {
                let other = task.state.joins.2;
                if !task.state.mutual {
                    task.state.parent = other;
                    task.send(other, Message::Child(id));
                } else if id < other {
                    self.add_child(task, other);
                    task.mutex();
                    task.put(other, Message::Parent(id));
                    task.call(other);
                }
            }
            Phase::Mark => {
                for mail in task.mail {
                    match *mail {
                        Message::Child(child) => self.add_child(task, child),
                        Message::Parent(parent) => task.state.parent = parent,
                        _ => {}
                    }
                }
                task.state.transmit = task.state.parent == NONE;
                if task.state.transmit {
                    task.raise();
                }
            }
            Phase::Transmit if task.state.transmit => {
                task.state.transmit = false;
                let root = self.fragments.get(id);
                for position in 0..task.links.len() {
                    if task.links[position] {
                        let child = self.neighbours(id)[position];
                        task.put(child, Message::Root(root));
                        task.call(child);
                    }
                }
                if task.state.children > 0 {
                    task.raise();
                }
            }
            Phase::TakeRoot => {
                for mail in task.mail {
                    if let Message::Root(root) = *mail {
                        self.fragments.set(id, root);
                        task.state.transmit = true;
                    }
                }
            }
            Phase::Reset => {
                task.state.joins = NO_EDGE;
                task.state.best = NO_EDGE;
                task.state.mutual = false;
            }
            _ => {}
        }
    }

    fn boards(&self) -> Vec<&Board> {
        vec![&self.fragments]
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        loop {
            net.round();
            let roots = net.phase(Phase::Begin).raised;
            net.read(0..u32::MAX);
            while self.turn(net, Phase::Push, Phase::TakeStart).any() {}
            let mut done = 0;
            while done < roots {
                done += self.turn(net, Phase::Find, Phase::TakeReports).raised;
            }
            let joining = net.phases(&[Phase::Signal, Phase::TakeSignal]).raised;
            if joining == 0 {
                // More than one fragment, but no edge between them: the network is not connected.
                break;
            }
            let mut done = 0;
            while done < joining {
                done += self.turn(net, Phase::Invert, Phase::TakeTurn).raised;
            }
            let joined = [Phase::Crown, Phase::Ask, Phase::Check, Phase::Attach, Phase::Mark];
            let roots = net.phases(&joined).raised;
            while self.turn(net, Phase::Transmit, Phase::TakeRoot).any() {}
            net.phase(Phase::Reset);
            if roots == 1 {
                break;
            }
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        ended.for_each(|node, state, _| {
            if state.parent != NONE {
                edges.push((state.parent, node));
            }
        });
        edges
    }
}

impl Wire for Message {
    type Words = [u32; 4];

    fn pack(self) -> [u32; 4] {
        match self {
            Self::Start => [0, 0, 0, 0],
            Self::Report((weight, inner, outer)) => [1, weight, inner, outer],
            Self::Change((weight, inner, outer)) => [2, weight, inner, outer],
            Self::Turn(node) => [3, node, 0, 0],
            Self::Join(node) => [4, node, 0, 0],
            Self::Child(node) => [5, node, 0, 0],
            Self::Parent(node) => [6, node, 0, 0],
            Self::Root(node) => [7, node, 0, 0],
        }
    }

    fn unpack(words: [u32; 4]) -> Option<Self> {
        Some(match words {
            [0, ..] => Self::Start,
            [1, weight, inner, outer] => Self::Report((weight, inner, outer)),
            [2, weight, inner, outer] => Self::Change((weight, inner, outer)),
            [3, node, ..] => Self::Turn(node),
            [4, node, ..] => Self::Join(node),
            [5, node, ..] => Self::Child(node),
            [6, node, ..] => Self::Parent(node),
            [7, node, ..] => Self::Root(node),
            _ => return None,
        })
    }
}

super::variants!(Mst, Weighted, super::Whole => Vec<(u32, u32)>, |network, _whole| Fragments::new(network), clocked);

/// Checks that the edges exist, span every component without a circle, and weigh no more than Kruskal's.
///
/// # Errors
/// Names the first edge that is wrong, or both weights.
pub fn check(network: &Weighted, tree: &[(u32, u32)]) -> Result<(), String> {
    let nodes = network.topology.nodes();
    let mut union = Union::new(nodes);
    let mut found = 0;
    for &(parent, child) in tree {
        if parent as usize >= nodes || child as usize >= nodes {
            return Err(format!("edge ({parent}, {child}) names a node that does not exist"));
        }
        let weight = network.weight(parent, child);
        found += u64::from(weight.ok_or(format!("there is no edge ({parent}, {child})"))?);
        if !union.join(parent, child) {
            return Err(format!("edge ({parent}, {child}) closes a circle"));
        }
    }
    let (edges, weight) = lightest_forest(network);
    if tree.len() != edges {
        return Err(format!("{} edges, {edges} span the network", tree.len()));
    }
    if found != weight {
        return Err(format!("the tree weighs {found}, the lightest {weight}"));
    }
    Ok(())
}
