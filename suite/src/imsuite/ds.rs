//! DS: a small dominating set, by the local randomized greedy algorithm (LRG).
//!
//! **Model.** Synchronous, randomized. **Source.** L. Jia, R. Rajaraman, T. Suel, "An efficient distributed algorithm
//! for constructing small dominating sets", 2002; DS of IMSuite. **Rounds** O(log² Δ log n). The span of a node is
//! the number of uncovered nodes that it would cover, rounded to a power of two. Nodes with the largest span within
//! two hops become candidates, with a probability that shrinks with competition. They join unless others cover the
//! same nodes three times over. **Memory** 76 bytes per node, one per link.
//!
//! **Repaired**: the original reads nodes two hops away directly, n·Δ² reads; here the largest span is passed on by
//! the neighbors, which costs one phase more, and 2m reads. The original admits a candidate only if no larger one
//! competes, and dismisses everything it covers from then on. That gives an independent set, which can be larger than
//! the smallest dominating set by a factor of n. Here covered nodes may still join, as in the source, so that the
//! size is within O(log Δ) of the smallest. [`Mode::Faithful`] does what the original does, with its random numbers.
//!
//! ```
//! use plusminus_suite::imsuite::{Seed, Topology, ds};
//!
//! let star = Topology::from_edges(9, (1..9).map(|leaf| (0, leaf)));
//! let set = ds::serial(&star, &Seed(1));
//! assert!(set[0] && ds::check(&star, &set).is_ok());
//! ```

use super::node_random::NodeRandom;
use super::{Mode, Seed, Topology};
use crate::places::{Board, Driver, Ended, Engine, NodeProgram, Style, Tally, Task, Wire};

/// The node program, with what nodes publish.
#[derive(Debug)]
pub struct LocalGreedy<'a> {
    topology: &'a Topology,
    seed: u64,
    mode: Mode,
    /// 1 for nodes that are neither in the set nor covered by it.
    white: Board,
    /// Spans rounded down to powers of two.
    rounded: Board,
    /// The largest rounded span within one hop.
    largest: Board,
    active: Board,
    support: Board,
    candidate: Board,
    competitors: Board,
}

impl<'a> LocalGreedy<'a> {
    /// The set that belongs to a seed; the faithful mode has only one.
    pub fn new(topology: &'a Topology, seed: &Seed, mode: Mode) -> Self {
        let board = |value| Board::new(topology.nodes(), value);
        Self {
            topology,
            seed: seed.0,
            mode,
            white: board(1),
            rounded: board(0),
            largest: board(0),
            active: board(0),
            support: board(0),
            candidate: board(0),
            competitors: board(0),
        }
    }
}

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// This candidate wants to join.
    Candidate(u32),
    /// The receiver is covered by the sender.
    Covered,
}

/// The state of a node.
#[derive(Debug, Clone)]
pub struct State {
    random: NodeRandom,
    /// Uncovered nodes that it would cover, itself included; 0 once it takes part no more.
    span: u32,
    wants: bool,
    member: bool,
    /// The nodes at most two hops away, in the faithful mode.
    near: Vec<u32>,
}

/// The steps of a node in a round.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Publishes its rounded span.
    Round,
    /// Publishes the largest one among itself and its neighbors.
    Relay,
    /// Is active if its own is the largest within two hops.
    Activate,
    /// Counts the active nodes that would cover it.
    Support,
    /// Becomes a candidate by chance.
    Stand,
    /// Counts the candidates that would cover it.
    Compete,
    /// Decides whether it wants to join.
    Decide,
    /// Joins and tells whom it covers.
    Join,
    /// Takes note that it is covered.
    Cover,
    /// Counts again.
    Count,
}

impl LocalGreedy<'_> {
    /// The original's way to the largest span within two hops: it asks every node there.
    fn largest_near<C: Tally>(&self, task: &mut Task<'_, Self, C>) -> u32 {
        let mut largest = self.rounded.get(task.id);
        for near in 0..task.state.near.len() {
            let other = task.state.near[near];
            if task.read(&self.white, other) == 1 {
                largest = largest.max(task.read(&self.rounded, other));
            }
        }
        largest
    }

    /// The largest of what neighbors publish, itself included.
    fn largest_of_neighbours<C: Tally>(&self, board: &Board, task: &mut Task<'_, Self, C>) -> u32 {
        let mut largest = board.get(task.id);
        for &other in self.topology.neighbours(task.id) {
            largest = largest.max(task.read(board, other));
        }
        largest
    }

    /// The sum of what the neighbors publish and itself; of the white ones only if so wanted.
    fn sum<C: Tally>(&self, board: &Board, white: bool, task: &mut Task<'_, Self, C>) -> u32 {
        let counts = !white || self.white.get(task.id) == 1;
        let mut sum = if counts { board.get(task.id) } else { 0 };
        for (position, &other) in self.topology.neighbours(task.id).iter().enumerate() {
            if !white || !task.links[position] {
                sum += task.read(board, other);
            }
        }
        sum
    }

    /// The largest support of a white node that it would cover; the original asks for larger ones twice.
    fn competition<C: Tally>(&self, task: &mut Task<'_, Self, C>) -> u32 {
        let own = self.white.get(task.id) == 1;
        let own = if own { self.support.get(task.id) } else { 0 };
        let mut largest = 0;
        for (position, &other) in self.topology.neighbours(task.id).iter().enumerate() {
            if !task.links[position] {
                let support = task.read(&self.support, other);
                if support > largest {
                    largest = support;
                    if self.mode == Mode::Faithful {
                        task.shift(task.id, other);
                    }
                }
            }
        }
        largest.max(own)
    }

    /// Whether a node that wants to join may: in the faithful mode only if no larger one wants to cover the same nodes.
    fn admitted<C: Tally>(&self, task: &Task<'_, Self, C>) -> bool {
        self.mode == Mode::Repaired
            || task.mail.iter().all(|mail| !matches!(mail, Message::Candidate(id) if *id > task.id))
    }

    /// Leaves the algorithm.
    fn retire<C: Tally>(&self, task: &mut Task<'_, Self, C>) {
        task.state.span = 0;
        self.rounded.set(task.id, 0);
        self.active.set(task.id, 0);
        self.candidate.set(task.id, 0);
    }

    /// Counts which of its neighbors are still white.
    fn count<C: Tally>(&self, task: &mut Task<'_, Self, C>) {
        let mut span = self.white.get(task.id);
        for (position, &other) in self.topology.neighbours(task.id).iter().enumerate() {
            let white = task.read(&self.white, other);
            if self.mode == Mode::Faithful {
                task.shift(task.id, other);
            }
            task.links[position] = white == 0;
            span += white;
        }
        task.state.span = span;
        if span == 0 {
            self.retire(task);
        } else {
            task.raise();
        }
    }

    /// The steps of nodes that still take part.
    fn take_part<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let id = task.id;
        match phase {
            Phase::Round => self.rounded.set(id, 1 << task.state.span.ilog2()),
            Phase::Activate => {
                let largest = match self.mode {
                    Mode::Repaired => self.largest_of_neighbours(&self.largest, task),
                    Mode::Faithful => self.largest_near(task),
                };
                self.active.set(id, u32::from(largest <= self.rounded.get(id)));
            }
            Phase::Support => self.support.set(id, self.sum(&self.active, false, task)),
            Phase::Stand => {
                let competition = self.competition(task);
                let stands = self.active.get(id) == 1 && {
                    let fraction = task.state.random.next_fraction() as f64 / (1_u64 << 53) as f64;
                    fraction <= 1.0 / f64::from(competition)
                };
                self.candidate.set(id, u32::from(stands));
            }
            Phase::Compete => {
                let white = self.mode == Mode::Faithful;
                self.competitors.set(id, self.sum(&self.candidate, white, task));
            }
            Phase::Decide => {
                let competitors = self.sum(&self.competitors, true, task);
                task.state.wants =
                    self.candidate.get(id) == 1 && competitors <= 3 * task.state.span;
                if task.state.wants && self.mode == Mode::Faithful {
                    task.pass(id, Message::Candidate(id));
                    for &other in self.topology.neighbours(id) {
                        task.send(other, Message::Candidate(id));
                    }
                }
            }
            Phase::Join => {
                if task.state.wants && self.admitted(task) {
                    task.state.member = true;
                    task.pass(id, Message::Covered);
                    for &other in self.topology.neighbours(id) {
                        task.send(other, Message::Covered);
                        if self.mode == Mode::Faithful {
                            task.shift(id, other);
                        }
                    }
                }
                task.state.wants = false;
            }
            Phase::Count => self.count(task),
            Phase::Relay | Phase::Cover => {}
        }
    }
}

impl NodeProgram for LocalGreedy<'_> {
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
        let mut near = Vec::new();
        if self.mode == Mode::Faithful {
            for &other in self.topology.neighbours(node) {
                near.push(other);
                near.extend_from_slice(self.topology.neighbours(other));
            }
            near.sort_unstable();
            near.dedup();
            near.retain(|&other| other != node);
        }
        State {
            random: NodeRandom::new(self.mode, self.seed, node),
            span: self.topology.degree(node) as u32 + 1,
            wants: false,
            member: false,
            near,
        }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        match phase {
            // Nodes that are done still pass on what their neighbors publish.
            Phase::Relay => {
                let largest = self.largest_of_neighbours(&self.rounded, task);
                self.largest.set(task.id, largest);
            }
            Phase::Cover => {
                let covered = task.mail.iter().any(|mail| matches!(mail, Message::Covered));
                if covered {
                    self.white.set(task.id, 0);
                }
                if covered && self.mode == Mode::Faithful {
                    self.retire(task);
                }
            }
            _ if task.state.span > 0 => self.take_part(phase, task),
            _ => {}
        }
    }

    fn boards(&self) -> Vec<&Board> {
        let Self { white, rounded, largest, active, support, candidate, competitors, .. } = self;
        vec![white, rounded, largest, active, support, candidate, competitors]
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        use Phase::*;
        let all = [Round, Relay, Activate, Support, Stand, Compete, Decide, Join, Cover, Count];
        let faithful = [Round, Activate, Support, Stand, Compete, Decide, Join, Cover, Count];
        net.stay_clocked();
        loop {
            net.round();
            let heard = match self.mode {
                Mode::Repaired => net.phases(&all),
                Mode::Faithful => net.phases(&faithful),
            };
            // Clocked tasks leave the clock by themselves when they are done, without being asked.
            if net.style() != Style::Clocked {
                net.read(0..u32::MAX);
            }
            if !heard.any() {
                break;
            }
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<bool> {
        ended.map(|_, state, _| state.member)
    }
}

impl Wire for Message {
    type Words = [u32; 2];

    fn pack(self) -> [u32; 2] {
        match self {
            Self::Candidate(candidate) => [0, candidate],
            Self::Covered => [1, 0],
        }
    }

    fn unpack(words: [u32; 2]) -> Option<Self> {
        Some(match words {
            [0, candidate] => Self::Candidate(candidate),
            [1, _] => Self::Covered,
            _ => return None,
        })
    }
}

super::variants!(Ds, Topology, Seed => Vec<bool>, |topology, seed| LocalGreedy::new(topology, seed, Mode::Repaired), clocked);

/// How many times larger than greedy's set times H(Δ + 1) a set may be: the algorithm promises a constant.
const SLACK: f64 = 4.0;

/// Checks that every node is in the set or next to one that is, and that the set is not larger than a small multiple of
/// H(Δ + 1) times what the sequential greedy algorithm finds.
///
/// # Errors
/// Names the first node that is not covered.
pub fn check(topology: &Topology, set: &[bool]) -> Result<(), String> {
    dominates(topology, set)?;
    let size = set.iter().filter(|&&member| member).count();
    let greedy = greedy(topology);
    let harmonic: f64 = (1..=topology.max_degree() + 1).map(|k| 1.0 / k as f64).sum();
    if size as f64 > SLACK * harmonic * greedy as f64 {
        return Err(format!("{size} nodes in the set, greedy finds one of {greedy}"));
    }
    Ok(())
}

/// Checks that every node is in the set or next to one that is.
///
/// # Errors
/// Names the first node that is not covered.
pub fn dominates(topology: &Topology, set: &[bool]) -> Result<(), String> {
    super::one_per_node("members", set.len(), topology.nodes())?;
    for node in 0..topology.nodes() as u32 {
        let covered = topology.neighbours(node).iter().any(|&other| set[other as usize]);
        if !covered && !set[node as usize] {
            return Err(format!("node {node} and its neighbors are not in the set"));
        }
    }
    Ok(())
}

/// The size of the set that always takes the node that covers most.
fn greedy(topology: &Topology) -> usize {
    let nodes = topology.nodes();
    let mut span: Vec<usize> = (0..nodes as u32).map(|node| topology.degree(node) + 1).collect();
    let mut heap: std::collections::BinaryHeap<(usize, u32)> =
        (0..nodes as u32).map(|node| (span[node as usize], node)).collect();
    let mut covered = vec![false; nodes];
    let mut size = 0;
    while let Some((known, node)) = heap.pop() {
        let now = span[node as usize];
        if now == 0 {
            continue;
        }
        if now < known {
            heap.push((now, node));
            continue;
        }
        size += 1;
        for &other in std::iter::once(&node).chain(topology.neighbours(node)) {
            if !std::mem::replace(&mut covered[other as usize], true) {
                span[other as usize] -= 1;
                topology.neighbours(other).iter().for_each(|&near| span[near as usize] -= 1);
            }
        }
    }
    size
}
