//! Recursive BY: every vote is flooded by a recursion of its own, a task per neighbor, until it has been everywhere;
//! no number of rounds has to be known. See [`by`](crate::imsuite::by) for the problem.
//!
//! **Repaired** like the iterative variant: the coin is tossed anew, and iterations go on until all good nodes decide.
//! [`Mode::Faithful`] does n/8 + 1 iterations with the coin 0, which gives the paper's numbers of tasks and joins.
//!
//! ```
//! use plusminus_suite::imsuite::recursive::by;
//! use plusminus_suite::imsuite::{Seed, Topology, by::Voters};
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! let voters = Voters::new(path, vec![0; 3], &[]);
//! assert_eq!(by::serial(&voters, &Seed(1)), [Some(0); 3]);
//! ```

use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Relaxed},
};

use super::{Ledger, Nodes};
use crate::imsuite::by::{Agreement, Voters};
use crate::imsuite::{Mode, Seed};
use crate::places::{Board, Style};

/// The state that all tasks share.
struct Flood<'a, L> {
    voters: &'a Voters,
    agreement: Agreement<'a>,
    votes: Board,
    decisions: Board,
    /// A bit for every vote at every node: whether it has been there.
    sent: Vec<AtomicU64>,
    words: usize,
    /// How many votes for 0 and for 1 every node has got.
    counts: Vec<[AtomicU32; 2]>,
    lies: Vec<Vec<u32>>,
    style: Style,
    ledger: &'a L,
}

/// Not decided.
const UNDECIDED: u32 = u32::MAX;

/// A vote on its way: whose, what, from where to where.
#[derive(Clone, Copy)]
struct Vote {
    of: u32,
    vote: u32,
    from: u32,
    to: u32,
}

impl<L: Ledger> Flood<'_, L> {
    /// A vote comes to a node; whether it is new there and goes on.
    fn arrive(&self, vote: Vote) -> bool {
        self.ledger.shift(vote.from, vote.to);
        self.ledger.mutex();
        let word = &self.sent[vote.to as usize * self.words + vote.of as usize / 64];
        let bit = 1 << (vote.of % 64);
        if word.fetch_or(bit, AcqRel) & bit != 0 {
            return false;
        }
        self.ledger.join(self.style);
        self.ledger.tasks(self.style, self.voters.topology.degree(vote.to));
        self.ledger.mutex();
        if vote.to != vote.of {
            self.counts[vote.to as usize][vote.vote as usize].fetch_add(1, Relaxed);
        }
        true
    }

    /// Where a vote goes on to.
    fn onward(&self, vote: Vote) -> impl Iterator<Item = Vote> + '_ {
        let next = self.voters.topology.neighbours(vote.to).iter();
        next.map(move |&to| Vote { from: vote.to, to, ..vote })
    }

    /// Returns the first votes of a node for its neighbors: a traitor sends a different one to each.
    fn own(&self, node: u32) -> impl Iterator<Item = Vote> + '_ {
        let neighbours = self.voters.topology.neighbours(node).iter().enumerate();
        neighbours.map(move |(position, &to)| {
            let lie = self.lies[node as usize].get(position);
            Vote {
                of: node,
                vote: lie.map_or_else(|| self.votes.get(node), |&lie| lie),
                from: node,
                to,
            }
        })
    }

    /// Floods what a node tells. That the node tells it is part of its own task; each vote that goes on is another one.
    fn tell(&self, node: u32) {
        if self.style == Style::Serial {
            let mut stack: Vec<Vote> = self.own(node).collect();
            while let Some(vote) = stack.pop() {
                if self.arrive(vote) {
                    stack.extend(self.onward(vote).inspect(|vote| self.ledger.work(vote.to)));
                }
            }
        } else {
            rayon::scope(|scope| {
                self.own(node).for_each(|vote| scope.spawn(move |scope| self.flood(scope, vote)));
            });
        }
    }

    fn flood<'s>(&'s self, scope: &rayon::Scope<'s>, vote: Vote) {
        if self.arrive(vote) {
            for vote in self.onward(vote) {
                scope.spawn(move |scope| {
                    self.ledger.work(vote.to);
                    self.flood(scope, vote);
                });
            }
        }
    }

    /// A node counts its votes, and makes up its mind.
    fn decide(&self, node: u32, coin: u32) {
        let [zeros, ones] = &self.counts[node as usize];
        let mut counts = [zeros.swap(0, Relaxed) as usize, ones.swap(0, Relaxed) as usize];
        counts[self.votes.get(node) as usize] += 1;
        let (vote, decision) = self.agreement.judge(counts, coin);
        self.votes.set(node, vote);
        if let (Some(decision), UNDECIDED) = (decision, self.decisions.get(node)) {
            self.decisions.set(node, decision);
        }
        let words = node as usize * self.words..(node as usize + 1) * self.words;
        self.sent[words].iter().for_each(|word| word.store(0, Relaxed));
    }
}

/// The decision of every node.
pub fn agree<L: Ledger>(
    voters: &Voters,
    seed: &Seed,
    mode: Mode,
    style: Style,
    ledger: &L,
) -> Vec<Option<u32>> {
    let nodes = voters.votes.len();
    let words = nodes.div_ceil(64);
    let agreement = Agreement::new(voters, seed, mode);
    let flood = Flood {
        voters,
        agreement,
        votes: Board::new(nodes, 0),
        decisions: Board::new(nodes, UNDECIDED),
        sent: (0..nodes * words).map(|_| AtomicU64::new(0)).collect(),
        words,
        counts: (0..nodes).map(|_| Default::default()).collect(),
        lies: (0..nodes as u32).map(|node| agreement.lies(node)).collect(),
        style,
        ledger,
    };
    let good = |node: &u32| !voters.traitor[*node as usize];
    (0..nodes as u32).for_each(|node| flood.votes.set(node, voters.votes[node as usize]));
    let all = Nodes { count: nodes as u32, style, ledger };
    for iteration in 0..agreement.iterations() {
        ledger.round();
        all.steps(1, |_, node| flood.tell(node));
        let coin = agreement.coin(iteration);
        all.steps(1, |_, node| flood.decide(node, coin));
        let undecided = |node: u32| flood.decisions.get(node) == UNDECIDED;
        if mode == Mode::Repaired && !(0..nodes as u32).filter(good).any(undecided) {
            break;
        }
    }
    let decision = |node| Some(flood.decisions.get(node)).filter(|&decision| decision != UNDECIDED);
    (0..nodes as u32).map(decision).collect()
}

/// The repaired mode, which the benchmarks run.
fn repaired<L: Ledger>(voters: &Voters, seed: &Seed, style: Style, ledger: &L) -> Vec<Option<u32>> {
    agree(voters, seed, Mode::Repaired, style, ledger)
}

super::recursive_variants!(By, Voters, Seed => Vec<Option<u32>>, repaired, |voters| &voters.topology);
