//! KC as the original has it, for its counts only: the answer of [`kc`](super::kc) is the right one.
//!
//! Every receiver floods every invitation again, in each of K − 1 steps. Invitations that are still on their way at
//! the end of a cycle go on in the next. A node that gets invitations but none for itself forgets the one that it has
//! accepted.
//!
//! ```
//! use plusminus_suite::imsuite::kc::CommitteeSize;
//! use plusminus_suite::imsuite::kc_faithful::FloodedCommittees;
//! use plusminus_suite::imsuite::{Identified, Topology};
//! use plusminus_suite::places::{Counted, Execution, execute};
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! let network = Identified { topology: path, identifiers: vec![2, 1, 3] };
//! let program = FloodedCommittees::new(&network, &CommitteeSize(3));
//! let (_, counted): (_, Counted) = execute(&program, &Execution::serial());
//! assert!(counted.total().messages > 0);
//! ```

use super::dp::Identified;
use super::kc::CommitteeSize;
use crate::places::{Driver, Ended, Engine, NodeProgram, Style, Tally, Task};

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct FloodedCommittees<'a> {
    network: &'a Identified,
    size: u32,
}

impl<'a> FloodedCommittees<'a> {
    /// The committees of a network.
    pub fn new(network: &'a Identified, size: &CommitteeSize) -> Self {
        Self { network, size: size.0 }
    }
}

/// No node, or no committee.
const NONE: u32 = u32::MAX;

/// An invitation: from a leader, to a node, with the leader's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invitation {
    from: u32,
    to: u32,
    value: u32,
}

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// The smallest active node known: its number and value.
    Active(u32, u32),
    /// An invitation.
    Invitation(Invitation),
}

/// The state of a node.
#[derive(Debug, Clone)]
pub struct State {
    value: u32,
    leader: u32,
    leader_value: u32,
    committee: u32,
    active: (u32, u32),
    accepted: Option<Invitation>,
    holder: Vec<Invitation>,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Offers itself if it has no committee.
    Offer,
    /// Tells the smallest node that it knows.
    TellActive,
    /// Takes the smallest that it was told.
    TakeActive,
    /// Follows it if it is smaller than its leader.
    Follow,
    /// A leader invites; the driver calls leaders only, or all nodes.
    Invite(Style),
    /// Floods what it holds.
    Flood,
    /// Holds what has come, each once.
    Hold,
    /// Accepts what is for itself.
    Accept,
    /// Joins.
    Join,
    /// Forgets the cycle, but not what it holds.
    Clear,
    /// Is a committee of its own if it has none.
    Remain,
}

impl NodeProgram for FloodedCommittees<'_> {
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
        let value = self.network.identifiers[node as usize];
        State {
            value,
            leader: node,
            leader_value: value,
            committee: NONE,
            active: (NONE, NONE),
            accepted: None,
            holder: Vec::new(),
        }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let id = task.id;
        match phase {
            Phase::Offer => {
                let free = task.state.committee == NONE;
                task.state.active = if free { (id, task.state.value) } else { (NONE, NONE) };
            }
            Phase::TellActive => {
                let (node, value) = task.state.active;
                for &other in self.neighbours(id) {
                    task.send(other, Message::Active(node, value));
                }
            }
            Phase::TakeActive => {
                for mail in task.mail.iter().rev() {
                    if let Message::Active(node, value) = *mail
                        && value < task.state.active.1
                    {
                        task.state.active = (node, value);
                    }
                }
            }
            Phase::Follow => {
                // The original reads the leader's value where the leader is.
                task.shift(id, task.state.leader);
                if task.state.active.1 < task.state.leader_value {
                    (task.state.leader, task.state.leader_value) = task.state.active;
                }
            }
            Phase::Invite(style) if task.state.leader == id => {
                let (to, value) = (task.state.active.0, task.state.value);
                task.state.holder.push(Invitation { from: id, to, value });
                if style == Style::ForkJoin {
                    task.called_by_driver();
                }
            }
            Phase::Flood => {
                for invitation in std::mem::take(&mut task.state.holder) {
                    for &other in self.neighbours(id) {
                        task.send(other, Message::Invitation(invitation));
                    }
                }
            }
            Phase::Hold => {
                for mail in task.mail {
                    if let Message::Invitation(new) = *mail {
                        let holder = &mut task.state.holder;
                        if !holder.iter().any(|old| old.from == new.from && old.to == new.to) {
                            holder.push(new);
                        }
                    }
                }
            }
            Phase::Accept if !task.state.holder.is_empty() => {
                let mine = task.state.holder.iter().filter(|invitation| invitation.to == id);
                task.state.accepted = mine.min_by_key(|invitation| invitation.value).copied();
                task.state.holder.retain(|invitation| invitation.to != id);
            }
            Phase::Join => {
                if let Some(invitation) = task.state.accepted {
                    task.state.committee = invitation.from;
                }
            }
            Phase::Clear => {
                task.state.active = (NONE, NONE);
                task.state.accepted = None;
            }
            Phase::Remain if task.state.committee == NONE => task.state.committee = id,
            Phase::Invite(_) | Phase::Accept | Phase::Remain => {}
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for _ in 0..self.size {
            net.round();
            net.phase(Phase::Offer);
            for _ in 1..self.size {
                net.phases(&[Phase::TellActive, Phase::TakeActive]);
            }
            net.phase(Phase::Follow);
            net.phase_of_callers(Phase::Invite(net.style()));
            for _ in 1..self.size {
                net.phases(&[Phase::Flood, Phase::Hold, Phase::Accept]);
            }
            net.phase(Phase::Join);
            net.phase(Phase::Clear);
        }
        net.phase(Phase::Remain);
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<u32> {
        ended.map(|_, state, _| state.committee)
    }
}
