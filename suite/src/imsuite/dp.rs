//! DP: leader election in any network, in time of the order of the diameter, after Peleg.
//!
//! **Model.** Synchronous, messages along edges. **Source.** D. Peleg, "Time-optimal leader election in general
//! networks", 1990; DP of IMSuite. **Rounds** 3·ecc + 2, where ecc is the eccentricity of the leader; **messages**
//! O(D·m). Every node floods the largest identifier x that it knows with a distance d. When the distances stop
//! growing, its owner knows that all nodes have it. **Memory** 40 bytes per node, 16 per message of a pulse.
//! **Repaired**: the original keeps every message in mailboxes; only the largest identifier and its largest distance
//! matter, so only these are kept. A node without neighbors is its own leader. In a network that is not connected
//! every component elects its own leader.
//!
//! ```
//! use plusminus_suite::imsuite::{Identified, Topology, Whole, dp};
//!
//! let path = Topology::from_edges(4, [(0, 1), (1, 2), (2, 3)]);
//! let network = Identified { topology: path, identifiers: vec![3, 1, 4, 2] };
//! assert_eq!(dp::serial(&network, &Whole).leaders, [2, 2, 2, 2]);
//! ```

use super::{Election, Original, Topology};
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task, Wire};

/// A network whose nodes have distinct identifiers, or values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identified {
    /// Who is whose neighbor.
    pub topology: Topology,
    /// The identifier of every node.
    pub identifiers: Vec<u32>,
}

impl From<Original> for Identified {
    fn from(file: Original) -> Self {
        let topology = file.topology.unwrap_or_else(|| Topology::from_edges(file.nodes, []));
        Self { topology, identifiers: file.numbers }
    }
}

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct Peleg<'a> {
    network: &'a Identified,
}

impl<'a> Peleg<'a> {
    /// The election of a network.
    pub fn new(network: &'a Identified) -> Self {
        Self { network }
    }
}

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// The largest identifier known, and a distance.
    Flood {
        /// The identifier.
        x: u32,
        /// The largest distance from its owner that is known of.
        d: u32,
    },
    /// The election of this identifier is over.
    Over {
        /// The identifier.
        x: u32,
    },
    /// The number of the leader.
    Leader(u32),
}

/// The state of a node, in the symbols of the paper.
#[derive(Debug, Clone, Copy)]
pub struct State {
    own: u32,
    /// The largest identifier known.
    x: u32,
    /// The largest distance of its owner known.
    d: u32,
    /// Of the messages kept: their identifier and largest distance.
    kept: Option<(u32, u32)>,
    told: u32,
    /// Whether x is its own.
    b: bool,
    /// Pulses since the distance last grew.
    c: u8,
    over: bool,
    finishing: bool,
    complete: bool,
    leader: u32,
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Looks for the largest distance among messages.
    Collect,
    /// Tells its neighbors.
    Tell,
    /// Compares what it was told, in this pulse.
    Compare(u32),
    /// Tells its neighbors that the election is over.
    Close,
    /// The leader makes itself known.
    Announce,
    /// Learns of the leader and passes it on.
    Relay,
}

impl Peleg<'_> {
    /// Takes a message into what is kept: only the largest identifier matters, and its largest distance.
    fn keep(state: &mut State, x: u32, d: Option<u32>) {
        let distance = d.unwrap_or(0);
        state.kept = match state.kept {
            Some((kept, far)) if kept > x => Some((kept, far)),
            Some((kept, far)) if kept == x => Some((x, far.max(distance))),
            _ => Some((x, distance)),
        };
    }

    /// The rule at the end of a pulse.
    fn compare(state: &mut State, pulse: u32) {
        if state.over {
            state.finishing = true;
            return;
        }
        let y = state.kept.map(|(x, _)| x);
        if y > Some(state.x) {
            state.x = y.unwrap_or(0);
            state.b = false;
            state.d = pulse;
        }
        if !state.b {
            return;
        }
        if y < Some(state.x) {
            state.c = if y.is_none() { 2 } else { 1 };
        } else {
            let z = state.kept.map_or(0, |(_, far)| far);
            if z > state.d {
                state.d = z;
                state.c = 0;
            } else {
                state.c += 1;
            }
        }
        state.finishing = state.c >= 2;
    }

    /// Tells all neighbors the leader's number; counted as calls from node to node, which carry no message.
    fn tell_leader<C: Tally>(&self, task: &mut Task<'_, Self, C>, leader: u32) {
        task.state.leader = leader;
        for &neighbour in self.neighbours(task.id) {
            task.shift(task.id, neighbour);
            task.pass(neighbour, Message::Leader(leader));
        }
        task.raise();
    }
}

impl NodeProgram for Peleg<'_> {
    type State = State;
    type Link = ();
    type Message = Message;
    type Phase = Phase;
    type Output = Election;

    fn nodes(&self) -> usize {
        self.network.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.network.topology.neighbours(node)
    }

    fn state(&self, node: u32) -> State {
        let own = self.network.identifiers[node as usize];
        State {
            own,
            x: own,
            d: 0,
            kept: None,
            told: 0,
            b: true,
            c: 0,
            over: false,
            finishing: false,
            complete: false,
            leader: u32::MAX,
        }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        if matches!(phase, Phase::Collect | Phase::Compare(_)) {
            for mail in task.mail {
                match *mail {
                    Message::Flood { x, d } => Self::keep(task.state, x, Some(d)),
                    Message::Over { x } => {
                        task.state.over = true;
                        Self::keep(task.state, x, None);
                    }
                    Message::Leader(_) => {}
                }
            }
        }
        match phase {
            Phase::Collect => {
                task.state.told = task.state.d.max(task.state.kept.map_or(0, |(_, far)| far));
            }
            Phase::Tell if !task.state.complete => {
                for &neighbour in self.neighbours(task.id) {
                    task.send(neighbour, Message::Flood { x: task.state.x, d: task.state.told });
                }
            }
            Phase::Compare(pulse) if !task.state.complete => Self::compare(task.state, pulse),
            Phase::Close => {
                if task.state.finishing && !task.state.complete {
                    task.state.complete = true;
                    for &neighbour in self.neighbours(task.id) {
                        task.send(neighbour, Message::Over { x: task.state.x });
                    }
                }
                if !task.state.complete {
                    task.raise();
                }
            }
            Phase::Announce if task.state.c >= 2 => self.tell_leader(task, task.id),
            Phase::Relay if task.state.leader == u32::MAX => {
                let told = task.mail.iter().find_map(|mail| match mail {
                    Message::Leader(leader) => Some(*leader),
                    _ => None,
                });
                if let Some(leader) = told {
                    self.tell_leader(task, leader);
                }
            }
            Phase::Tell | Phase::Compare(_) | Phase::Announce | Phase::Relay => {}
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for pulse in 1.. {
            net.round();
            let unfinished =
                net.phases(&[Phase::Collect, Phase::Tell, Phase::Compare(pulse), Phase::Close]);
            net.read(0..u32::MAX);
            if !unfinished.any() {
                break;
            }
        }
        let mut heard = net.follow(Phase::Announce);
        while heard.any() {
            heard = net.follow(Phase::Relay);
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Election {
        let (leaders, elected) = ended
            .map(|node, state, _| (state.leader, state.leader == node && state.x == state.own))
            .into_iter()
            .unzip();
        Election { leaders, elected }
    }
}

impl Wire for Message {
    type Words = [u32; 3];

    fn pack(self) -> [u32; 3] {
        match self {
            Self::Flood { x, d } => [0, x, d],
            Self::Over { x } => [1, x, 0],
            Self::Leader(leader) => [2, leader, 0],
        }
    }

    fn unpack(words: [u32; 3]) -> Option<Self> {
        Some(match words {
            [0, x, d] => Self::Flood { x, d },
            [1, x, _] => Self::Over { x },
            [2, leader, _] => Self::Leader(leader),
            _ => return None,
        })
    }
}

super::variants!(Dp, Identified, super::Whole => Election, |network, _whole| Peleg::new(network), clocked);

/// Checks that in every component all nodes agree on the one with the largest identifier, which alone is elected.
///
/// # Errors
/// Names the first node that is wrong about the leader.
pub fn check(network: &Identified, election: &Election) -> Result<(), String> {
    let nodes = network.topology.nodes();
    super::one_per_node("leaders", election.leaders.len(), nodes)?;
    super::one_per_node("claims", election.elected.len(), nodes)?;
    let components = network.topology.components();
    let mut by_component: Vec<u32> = (0..nodes as u32).collect();
    by_component.sort_by_key(|&node| (components[node as usize], node));
    by_component
        .chunk_by(|&a, &b| components[a as usize] == components[b as usize])
        .try_for_each(|members| election.check(&network.identifiers, members))
}
