//! BY: Byzantine agreement: nodes agree on one of their votes although some of them lie, after Ben-Or and Rabin.
//!
//! **Model.** Synchronous flooding; fewer than n/8 traitors tell different neighbors different votes, but pass on those
//! of others; a common coin. **Source.** R. Motwani, P. Raghavan, "Randomized Algorithms", 12.6; BY of IMSuite. **Rounds**
//! O(D) per iteration, **messages** n·2m per iteration: all votes are flooded; a node takes over the majority if it is
//! larger than a threshold that the coin chooses, and decides if seven eighths agree. **Memory** 104 + n/8
//! bytes per node, 8 per vote that it holds; the messages of a round can be n·2m, of 12 bytes.
//!
//! **Repaired**: votes are flooded for as many rounds as the *diameter*, so that all arrive; the original takes the
//! radius. The coin is tossed anew in each iteration; the original always gets 0. Iterations go on until every good
//! node has decided, two more in expectation; the original does n/8 + 1, and a node without a decision then has 0. A
//! node sends its own vote once; in the original it does so again whenever it has nothing to pass on.
//! [`Mode::Faithful`] does what the original does.
//!
//! ```
//! use plusminus_suite::imsuite::{Seed, Topology, by};
//!
//! let circle = Topology::from_edges(9, (0..9).map(|node| (node, (node + 1) % 9)));
//! let voters = by::Voters::new(circle, vec![1; 9], &[4]);
//! let decisions = by::serial(&voters, &Seed(1));
//! assert_eq!(by::check(&voters, &decisions), Ok(()));
//! assert_eq!(decisions[0], Some(1));
//! ```

use plusminus_analysis::random::mix;

use super::node_random::NodeRandom;
use super::{Mode, Original, Seed, Topology};
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task, Wire};

/// A connected network of nodes that vote, some of which lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voters {
    /// Who is whose neighbor.
    pub topology: Topology,
    /// The vote of every node, 0 or 1.
    pub votes: Vec<u32>,
    /// Whether each node is a traitor.
    pub traitor: Vec<bool>,
    /// The smallest and the largest eccentricity.
    pub radius_and_diameter: (u32, u32),
}

impl Voters {
    /// A network with votes and traitors.
    ///
    /// # Panics
    /// If the network is not connected or an eighth of the nodes or more are traitors: no agreement is promised then.
    pub fn new(topology: Topology, votes: Vec<u32>, traitors: &[u32]) -> Self {
        assert!(topology.components().iter().all(|&c| c == 0), "voters need a connected network");
        let n = topology.nodes();
        assert!(8 * traitors.len() < n, "{} of {n} voters are traitors", traitors.len());
        let mut traitor = vec![false; n];
        traitors.iter().for_each(|&node| traitor[node as usize] = true);
        let radius_and_diameter = topology.radius_and_diameter();
        Self { topology, votes, traitor, radius_and_diameter }
    }
}

impl From<Original> for Voters {
    fn from(file: Original) -> Self {
        let topology = file.topology.unwrap_or_else(|| Topology::from_edges(file.nodes, []));
        Self::new(topology, file.numbers, &file.traitors)
    }
}

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct Agreement<'a> {
    voters: &'a Voters,
    seed: u64,
    mode: Mode,
}

impl<'a> Agreement<'a> {
    /// The agreement of voters with the coin of a seed.
    pub fn new(voters: &'a Voters, seed: &Seed, mode: Mode) -> Self {
        Self { voters, seed: seed.0, mode }
    }

    /// Returns whether this number of votes is more than the threshold of this side of the coin.
    fn is_majority(&self, tally: usize, coin: u32) -> bool {
        let n = self.voters.votes.len();
        match (self.mode, coin) {
            (Mode::Faithful, 0) => tally > 5 * n / 8 + 1,
            (Mode::Faithful, _) => tally > 3 * n / 4 + 1,
            (Mode::Repaired, 0) => 8 * tally > 5 * n,
            (Mode::Repaired, _) => 4 * tally > 3 * n,
        }
    }

    /// Returns a node's next vote, and its decision, if any, from the votes that it has counted, its own included.
    pub(super) fn judge(&self, counts: [usize; 2], coin: u32) -> (u32, Option<u32>) {
        let majority = u32::from(counts[1] > counts[0]);
        let tally = counts[majority as usize];
        let vote = if self.is_majority(tally, coin) { majority } else { 0 };
        (vote, self.is_decisive(tally).then_some(majority))
    }

    /// Returns the votes that a traitor sends to its neighbors; nothing for other nodes.
    pub(super) fn lies(&self, node: u32) -> Vec<u32> {
        let mut random = NodeRandom::new(self.mode, self.seed, node);
        let traitor = self.voters.traitor[node as usize];
        let lies = if traitor { self.voters.topology.degree(node) } else { 0 };
        (0..lies).map(|_| random.next_coin()).collect()
    }

    /// The common coin of an iteration.
    pub(super) fn coin(&self, iteration: usize) -> u32 {
        match self.mode {
            Mode::Faithful => 0,
            Mode::Repaired => mix(self.seed.wrapping_add(iteration as u64 + 1)) as u32 & 1,
        }
    }

    /// How many iterations there are at most.
    pub(super) fn iterations(&self) -> usize {
        match self.mode {
            Mode::Faithful => self.voters.votes.len() / 8 + 1,
            // An iteration fails with probability one half at most: this many will not occur.
            Mode::Repaired => 1_000,
        }
    }

    /// Returns whether this number of votes is enough to decide.
    fn is_decisive(&self, tally: usize) -> bool {
        let n = self.voters.votes.len();
        match self.mode {
            Mode::Faithful => tally > 7 * n / 8,
            Mode::Repaired => 8 * tally > 7 * n,
        }
    }
}

/// The vote of a node, on its way.
#[derive(Debug, Clone, Copy)]
pub struct Vote {
    of: u32,
    vote: u32,
}

/// The state of a node.
#[derive(Debug, Clone)]
pub struct State {
    vote: u32,
    decision: Option<u32>,
    /// The votes of a traitor for each neighbor.
    lies: Vec<u32>,
    /// Whose votes have come, one bit each.
    received: Vec<u64>,
    counts: [usize; 2],
    hold: Vec<Vote>,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Sends its vote, or passes on the new ones.
    Flood {
        /// Whether the votes of this iteration have not been told yet.
        first: bool,
    },
    /// Takes in votes that it had not heard.
    Hear,
    /// Counts, with the coin.
    Decide(u32),
}

impl NodeProgram for Agreement<'_> {
    type State = State;
    type Link = ();
    type Message = Vote;
    type Phase = Phase;
    type Output = Vec<Option<u32>>;

    fn nodes(&self) -> usize {
        self.voters.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.voters.topology.neighbours(node)
    }

    fn state(&self, node: u32) -> State {
        State {
            vote: self.voters.votes[node as usize],
            decision: None,
            lies: self.lies(node),
            received: vec![0; self.nodes().div_ceil(64)],
            counts: [0; 2],
            hold: Vec::new(),
        }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        match phase {
            Phase::Flood { first } => {
                let hold = std::mem::take(&mut task.state.hold);
                let tells_own = if self.mode == Mode::Faithful { hold.is_empty() } else { first };
                for (position, &other) in self.neighbours(task.id).iter().enumerate() {
                    if tells_own {
                        let vote = *task.state.lies.get(position).unwrap_or(&task.state.vote);
                        task.send(other, Vote { of: task.id, vote });
                    }
                }
                for vote in &hold {
                    for &other in self.neighbours(task.id) {
                        task.send(other, *vote);
                    }
                }
                task.state.hold = hold;
                task.state.hold.clear();
            }
            Phase::Hear => {
                for &vote in task.mail {
                    let (word, bit) = (vote.of as usize / 64, 1 << (vote.of % 64));
                    if task.state.received[word] & bit == 0 && vote.of != task.id {
                        task.state.received[word] |= bit;
                        task.state.counts[vote.vote as usize] += 1;
                        task.state.hold.push(vote);
                    }
                }
            }
            Phase::Decide(coin) => {
                let state = &mut *task.state;
                state.counts[state.vote as usize] += 1;
                let (vote, decision) = self.judge(state.counts, coin);
                state.vote = vote;
                state.decision = state.decision.or(decision);
                state.received.fill(0);
                state.counts = [0; 2];
                state.hold.clear();
                if state.decision.is_none() && !self.voters.traitor[task.id as usize] {
                    task.raise();
                }
            }
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        let (radius, diameter) = self.voters.radius_and_diameter;
        let rounds = if self.mode == Mode::Faithful { radius } else { diameter };
        for iteration in 0..self.iterations() {
            net.round();
            for round in 0..rounds {
                net.phases(&[Phase::Flood { first: round == 0 }, Phase::Hear]);
            }
            let undecided = net.phase(Phase::Decide(self.coin(iteration)));
            if self.mode == Mode::Repaired {
                net.read_until(undecided);
                if !undecided.any() {
                    break;
                }
            }
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<Option<u32>> {
        ended.map(|_, state, _| state.decision)
    }
}

impl Wire for Vote {
    type Words = [u32; 2];

    fn pack(self) -> [u32; 2] {
        [self.of, self.vote]
    }

    fn unpack([of, vote]: [u32; 2]) -> Option<Self> {
        Some(Self { of, vote })
    }
}

super::variants!(By, Voters, Seed => Vec<Option<u32>>, |voters, seed| Agreement::new(voters, seed, Mode::Repaired), clocked);

/// Checks that all good nodes have decided, for the same, and for their common vote if they had one.
///
/// # Errors
/// The first good node without a decision, or with a different one.
pub fn check(voters: &Voters, decisions: &[Option<u32>]) -> Result<(), String> {
    super::one_per_node("decisions", decisions.len(), voters.votes.len())?;
    let good: Vec<usize> = (0..decisions.len()).filter(|&node| !voters.traitor[node]).collect();
    let first = decisions[good[0]];
    for &node in &good {
        match decisions[node] {
            None => return Err(format!("node {node} has not decided")),
            Some(decision) if decision > 1 => {
                return Err(format!("node {node} decided for {decision}, which is no vote"));
            }
            decision if decision != first => {
                return Err(format!("nodes {} and {node} disagree", good[0]));
            }
            _ => {}
        }
    }
    let vote = voters.votes[good[0]];
    if good.iter().all(|&node| voters.votes[node] == vote) && first != Some(vote) {
        return Err(format!("all good nodes voted for {vote} and decided otherwise"));
    }
    Ok(())
}
