//! KC: committees of at most K nodes, after Kuhn, Lynch and Oshman.
//!
//! **Model.** Synchronous broadcast to neighbors; nodes have distinct values. **Source.** F. Kuhn, N. Lynch, R.
//! Oshman, "Distributed computation in dynamic networks", 2010; KC of IMSuite. **Rounds** O(K²), **messages**
//! O(K²·m). In each of K cycles the smallest value without a committee is polled among all nodes within K − 1 hops.
//! The node that leads its neighborhood invites that node into its committee. Who is never invited is a committee of
//! its own. **Memory** 44 bytes per node, 20 per message of a round.
//!
//! **Repaired**: this is the algorithm of the paper: a node passes on the smallest invitation that it knows, and
//! accepts one only from the node that it takes for its leader. The original floods all invitations, never forgets
//! the remaining ones of the previous cycle, and may lose one that it has accepted; [`faithful`](super::kc_faithful)
//! does so too.
//!
//! ```
//! use plusminus_suite::imsuite::{Identified, Topology, kc};
//!
//! let path = Topology::from_edges(4, [(0, 1), (1, 2), (2, 3)]);
//! let network = Identified { topology: path, identifiers: vec![3, 1, 2, 4] };
//! assert_eq!(kc::serial(&network, &kc::CommitteeSize(4)), [1, 1, 1, 1]);
//! ```

use super::dp::Identified;
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task, Wire};

/// The largest size of a committee, K.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitteeSize(pub u32);

impl std::fmt::Display for CommitteeSize {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "k-{}", self.0)
    }
}

/// A node by its value, which decides, and its number.
pub type Ranked = (u32, u32);

/// No node: larger than any.
const NOBODY: Ranked = (u32::MAX, u32::MAX);

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct Committees<'a> {
    network: &'a Identified,
    size: u32,
}

impl<'a> Committees<'a> {
    /// The committees of a network.
    pub fn new(network: &'a Identified, size: &CommitteeSize) -> Self {
        Self { network, size: size.0 }
    }
}

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// The smallest node known that has no committee.
    Smallest(Ranked),
    /// A leader invites a node, by number.
    Invitation(Ranked, u32),
}

/// The state of a node.
#[derive(Debug, Clone, Copy)]
pub struct State {
    own: Ranked,
    smallest: Ranked,
    leader: Ranked,
    invitation: Option<(Ranked, u32)>,
    committee: u32,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Polls: offers itself if it has no committee.
    Offer,
    /// Tells the smallest node that it knows.
    TellSmallest,
    /// Takes the smallest that it was told.
    TakeSmallest,
    /// Follows the smallest node if that is smaller than its leader.
    Follow,
    /// A leader invites the smallest node.
    Invite,
    /// Tells the smallest invitation.
    TellInvitation,
    /// Takes the smallest invitation that it was told.
    TakeInvitation,
    /// Joins if its leader has invited it.
    Join,
    /// Is a committee of its own if it has none.
    Remain,
}

impl NodeProgram for Committees<'_> {
    type State = State;
    type Link = ();
    type Message = Message;
    type Phase = Phase;
    type Output = Vec<u32>;

    fn nodes(&self) -> usize {
        self.network.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.network.topology.neighbours(node)
    }

    fn state(&self, node: u32) -> State {
        let own = (self.network.identifiers[node as usize], node);
        State { own, smallest: NOBODY, leader: own, invitation: None, committee: u32::MAX }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let state = &mut *task.state;
        match phase {
            Phase::Offer => {
                state.smallest = if state.committee == u32::MAX { state.own } else { NOBODY };
                state.invitation = None;
            }
            Phase::TellSmallest if state.smallest != NOBODY => {
                let message = Message::Smallest(state.smallest);
                self.neighbours(task.id).iter().for_each(|&other| task.send(other, message));
            }
            Phase::TakeSmallest => {
                for mail in task.mail {
                    if let Message::Smallest(smallest) = *mail {
                        state.smallest = state.smallest.min(smallest);
                    }
                }
            }
            Phase::Follow => state.leader = state.leader.min(state.smallest),
            Phase::Invite if state.leader == state.own && state.smallest != NOBODY => {
                state.invitation = Some((state.own, state.smallest.1));
            }
            Phase::TellInvitation => {
                if let Some((leader, invited)) = state.invitation {
                    let message = Message::Invitation(leader, invited);
                    self.neighbours(task.id).iter().for_each(|&other| task.send(other, message));
                }
            }
            Phase::TakeInvitation => {
                for mail in task.mail {
                    if let Message::Invitation(leader, invited) = *mail
                        && state.invitation.is_none_or(|(other, _)| leader < other)
                    {
                        state.invitation = Some((leader, invited));
                    }
                }
            }
            Phase::Join => {
                if state.invitation == Some((state.leader, task.id)) {
                    state.committee = state.leader.1;
                }
            }
            Phase::Remain if state.committee == u32::MAX => state.committee = task.id,
            Phase::TellSmallest | Phase::Invite | Phase::Remain => {}
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for _ in 0..self.size {
            net.round();
            net.phase(Phase::Offer);
            for _ in 1..self.size {
                net.phases(&[Phase::TellSmallest, Phase::TakeSmallest]);
            }
            net.phase(Phase::Follow);
            net.phase(Phase::Invite);
            for _ in 1..self.size {
                net.phases(&[Phase::TellInvitation, Phase::TakeInvitation]);
            }
            net.phase(Phase::Join);
        }
        net.phase(Phase::Remain);
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<u32> {
        ended.map(|_, state, _| state.committee)
    }
}

impl Wire for Message {
    type Words = [u32; 4];

    fn pack(self) -> [u32; 4] {
        match self {
            Self::Smallest((value, node)) => [0, value, node, 0],
            Self::Invitation((value, node), to) => [1, value, node, to],
        }
    }

    fn unpack(words: [u32; 4]) -> Option<Self> {
        Some(match words {
            [0, value, node, _] => Self::Smallest((value, node)),
            [1, value, node, to] => Self::Invitation((value, node), to),
            _ => return None,
        })
    }
}

super::variants!(Kc, Identified, CommitteeSize => Vec<u32>, |network, size| Committees::new(network, size), clocked);

/// Checks that every node is in a committee of at most K nodes, which has the name of a member within K − 1 hops of
/// all. If K allows for all nodes of a connected network, there must be just one.
///
/// # Errors
/// Names the first offending node or committee.
pub fn check(network: &Identified, size: &CommitteeSize, committees: &[u32]) -> Result<(), String> {
    let topology = &network.topology;
    let nodes = topology.nodes();
    super::one_per_node("committees", committees.len(), nodes)?;
    let mut members = vec![0; nodes];
    for (node, &committee) in committees.iter().enumerate() {
        let Some(count) = members.get_mut(committee as usize) else {
            return Err(format!("node {node} is in no committee"));
        };
        *count += 1;
        if *count > size.0 {
            return Err(format!("committee {committee} has more than {} members", size.0));
        }
    }
    for (node, &committee) in committees.iter().enumerate() {
        if committees[committee as usize] != committee {
            return Err(format!(
                "node {node} is in committee {committee}, which node {committee} is not"
            ));
        }
    }
    for leader in (0..nodes as u32).filter(|&leader| members[leader as usize] > 1) {
        let near = within(topology, leader, size.0 - 1);
        let far = (0..nodes as u32)
            .find(|node| committees[*node as usize] == leader && near.binary_search(node).is_err());
        if let Some(node) = far {
            return Err(format!("node {node} is {} hops or more from its leader {leader}", size.0));
        }
    }
    let connected = topology.components().iter().all(|&component| component == 0);
    let count = members.iter().filter(|&&count| count > 0).count();
    if connected && size.0 as usize >= nodes && count > 1 {
        return Err(format!("{count} committees although one of {} could hold all", size.0));
    }
    Ok(())
}

/// Returns the nodes within this number of hops, ascending.
fn within(topology: &super::Topology, from: u32, hops: u32) -> Vec<u32> {
    let mut near = vec![from];
    let mut ring = vec![from];
    for _ in 0..hops {
        let mut next: Vec<u32> =
            ring.iter().flat_map(|&node| topology.neighbours(node)).copied().collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|node| near.binary_search(node).is_err());
        near.extend_from_slice(&next);
        near.sort_unstable();
        ring = next;
    }
    near
}
