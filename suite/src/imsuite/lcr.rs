//! LCR: leader election of LeLann, Chang and Roberts on a ring whose messages go one way.
//!
//! **Model.** Synchronous ring, one message per link and round. **Source.** Lynch, "Distributed Algorithms", 3.3; LCR of
//! IMSuite. **Rounds** n. **Messages** n²: every node passes on the largest identifier that it has seen, in every round;
//! the node that gets its own back is the leader. **Memory** 16 bytes per node.
//! **Repaired**: nothing. The driver then tells every node who the leader is, as in the original.
//!
//! ```
//! use plusminus_suite::imsuite::{Ring, Whole, lcr};
//!
//! let ring = Ring::new(vec![3, 1, 5, 2, 4]);
//! assert_eq!(lcr::serial(&ring, &Whole).leaders, [2; 5]);
//! ```

use super::ring::{Election, Ring, check_ring};
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task};

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct ChangRoberts<'a> {
    ring: &'a Ring,
}

impl<'a> ChangRoberts<'a> {
    /// The election on a ring.
    pub fn new(ring: &'a Ring) -> Self {
        Self { ring }
    }
}

/// The state of a node.
#[derive(Debug, Clone, Copy)]
pub struct State {
    own: u32,
    largest: u32,
    leader: u32,
    elected: bool,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Sends the largest identifier that it knows to the next node.
    Send,
    /// Compares what it was sent.
    Receive,
    /// Learns who the leader is.
    Learn(u32),
}

impl NodeProgram for ChangRoberts<'_> {
    type State = State;
    type Link = ();
    type Message = u32;
    type Phase = Phase;
    type Output = Election;

    fn nodes(&self) -> usize {
        self.ring.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        &self.ring.around(node)[..1]
    }

    fn state(&self, node: u32) -> State {
        let own = self.ring.identifiers[node as usize];
        State { own, largest: own, leader: u32::MAX, elected: false }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        match phase {
            Phase::Send => task.put(self.ring.around(task.id)[0], task.state.largest),
            Phase::Receive => {
                let received = task.mail[0];
                if received > task.state.largest {
                    task.state.largest = received;
                } else if received == task.state.own {
                    task.state.elected = true;
                    task.raise();
                }
            }
            Phase::Learn(leader) => task.state.leader = leader,
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        let mut leader = u32::MAX;
        for _ in 0..self.nodes() {
            net.round();
            // Only the largest identifier comes back to its owner, in the last round.
            leader = net.phases(&[Phase::Send, Phase::Receive]).first;
        }
        net.phase(Phase::Learn(leader));
        net.call(leader);
    }

    fn output(&self, ended: Ended<'_, Self>) -> Election {
        let (leaders, elected) =
            ended.map(|_, state, _| (state.leader, state.elected)).into_iter().unzip();
        Election { leaders, elected }
    }
}

super::variants!(Lcr, Ring, super::Whole => Election, |ring, _whole| ChangRoberts::new(ring), clocked);

/// Checks that all nodes agree on the one with the largest identifier.
///
/// # Errors
/// Names the first node that is wrong about the leader.
pub fn check(ring: &Ring, election: &Election) -> Result<(), String> {
    check_ring(ring, election)
}
