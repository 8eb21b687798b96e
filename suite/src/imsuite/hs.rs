//! HS: leader election of Hirschberg and Sinclair on a ring whose messages go both ways.
//!
//! **Model.** Synchronous ring. **Source.** Lynch, "Distributed Algorithms", 3.4; HS of IMSuite. **Rounds** O(n),
//! **messages** O(n log n). In phase p a candidate sends its identifier 2ᵖ hops both ways, and stays a candidate if
//! both come back. The first node with a larger identifier swallows it. **Memory** 36 bytes per node.
//!
//! **Repaired**: ⌈log₂ n⌉ phases. The original does ⌊log₂ n⌋, which elects several leaders on most rings whose size is no
//! power of two; [`Mode::Faithful`] does so too. Both are the same for powers of two.
//!
//! ```
//! use plusminus_suite::imsuite::{Ring, Whole, hs};
//!
//! let ring = Ring::new(vec![3, 1, 5, 2, 4]);
//! assert_eq!(hs::serial(&ring, &Whole).leaders, [2; 5]);
//! ```

use super::Mode;
use super::ring::{Election, Ring, check_ring};
use crate::places::{Driver, Ended, Engine, NodeProgram, Tally, Task, Wire};

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct HirschbergSinclair<'a> {
    ring: &'a Ring,
    phases: u32,
}

impl<'a> HirschbergSinclair<'a> {
    /// The election on a ring.
    pub fn new(ring: &'a Ring, mode: Mode) -> Self {
        let n = ring.nodes();
        let phases = match mode {
            Mode::Faithful => n.ilog2(),
            Mode::Repaired => n.next_power_of_two().ilog2(),
        };
        Self { ring, phases }
    }
}

/// An identifier on its way.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    identifier: u32,
    /// How many more hops it may go outwards.
    hops: u32,
    inbound: bool,
    clockwise: bool,
}

/// The tokens of the ring.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// An identifier.
    Token(Token),
    /// The leader's number, once it is known, on its way clockwise or not.
    Leader(u32, bool),
}

/// The state of a node.
#[derive(Debug, Clone, Copy)]
pub struct State {
    own: u32,
    candidate: bool,
    returned: u8,
    leader: u32,
    /// Incoming tokens, and then outgoing ones, clockwise and not.
    slots: [Option<Token>; 2],
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// A candidate sends its identifier this number of hops both ways.
    Launch(u32),
    /// Decides what becomes of the tokens that came in.
    Process,
    /// Sends on what is to be sent on.
    Forward,
    /// Takes in what has come.
    Receive,
    /// The leader tells both neighbors.
    Announce,
    /// Learns the leader and tells the next node.
    Relay,
}

impl HirschbergSinclair<'_> {
    /// Processes a token at a node.
    fn process(state: &mut State, mut token: Token) -> Option<Token> {
        if token.inbound {
            if token.identifier != state.own {
                return Some(token);
            }
            state.returned += 1;
            state.candidate = state.returned == 2;
            return None;
        }
        if token.identifier < state.own {
            return None;
        }
        if token.hops > 1 {
            token.hops -= 1;
        } else {
            token.inbound = true;
            token.clockwise = !token.clockwise;
        }
        Some(token)
    }
}

impl NodeProgram for HirschbergSinclair<'_> {
    type State = State;
    type Link = ();
    type Message = Message;
    type Phase = Phase;
    type Output = Election;

    fn nodes(&self) -> usize {
        self.ring.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.ring.around(node)
    }

    fn state(&self, node: u32) -> State {
        let own = self.ring.identifiers[node as usize];
        State { own, candidate: true, returned: 0, leader: u32::MAX, slots: [None; 2] }
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let [next, previous] = *self.ring.around(task.id);
        let identifier = task.state.own;
        match phase {
            Phase::Launch(hops) if task.state.candidate => {
                task.state.candidate = false;
                task.state.returned = 0;
                let token = Token { identifier, hops, inbound: false, clockwise: true };
                task.put(next, Message::Token(token));
                task.put(previous, Message::Token(Token { clockwise: false, ..token }));
            }
            Phase::Launch(_) => {}
            Phase::Process => {
                self.receive(task);
                let slots = std::mem::take(&mut task.state.slots);
                for token in slots.into_iter().flatten() {
                    if let Some(token) = Self::process(task.state, token) {
                        task.state.slots[usize::from(token.clockwise)] = Some(token);
                    }
                }
            }
            Phase::Forward => {
                for token in std::mem::take(&mut task.state.slots).into_iter().flatten() {
                    let to = if token.clockwise { next } else { previous };
                    task.put(to, Message::Token(token));
                }
            }
            Phase::Receive => self.receive(task),
            Phase::Announce if task.state.candidate => {
                task.state.leader = task.id;
                task.put(next, Message::Leader(task.id, true));
                task.put(previous, Message::Leader(task.id, false));
            }
            Phase::Announce => {}
            Phase::Relay => {
                for message in task.mail {
                    if let Message::Leader(leader, clockwise) = *message {
                        task.state.leader = leader;
                        task.put(if clockwise { next } else { previous }, *message);
                    }
                }
            }
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for phase in 0..self.phases {
            net.phase(Phase::Launch(1 << phase));
            for _ in 0..2 << phase {
                net.round();
                net.phases(&[Phase::Process, Phase::Forward, Phase::Receive]);
            }
        }
        net.phase(Phase::Announce);
        for _ in 0..self.nodes() / 2 {
            net.follow(Phase::Relay);
        }
        net.follow(Phase::Receive);
    }

    fn output(&self, ended: Ended<'_, Self>) -> Election {
        let (leaders, elected) =
            ended.map(|_, state, _| (state.leader, state.candidate)).into_iter().unzip();
        Election { leaders, elected }
    }
}

impl HirschbergSinclair<'_> {
    /// Puts what has come into the slots.
    fn receive<C: Tally>(&self, task: &mut Task<'_, Self, C>) {
        for message in task.mail {
            match *message {
                Message::Token(token) => {
                    task.state.slots[usize::from(token.clockwise)] = Some(token);
                }
                Message::Leader(leader, _) => task.state.leader = leader,
            }
        }
    }
}

impl Wire for Message {
    type Words = [u32; 3];

    fn pack(self) -> [u32; 3] {
        match self {
            Self::Token(Token { identifier, hops, inbound, clockwise }) => {
                [u32::from(inbound) | u32::from(clockwise) << 1, identifier, hops]
            }
            Self::Leader(leader, clockwise) => [4, leader, u32::from(clockwise)],
        }
    }

    fn unpack(words: [u32; 3]) -> Option<Self> {
        Some(match words {
            [way @ 0..4, identifier, hops] => {
                let (inbound, clockwise) = (way & 1 != 0, way & 2 != 0);
                Self::Token(Token { identifier, hops, inbound, clockwise })
            }
            [4, leader, clockwise @ 0..=1] => Self::Leader(leader, clockwise == 1),
            _ => return None,
        })
    }
}

super::variants!(Hs, Ring, super::Whole => Election, |ring, _whole| HirschbergSinclair::new(ring, Mode::Repaired), clocked);

/// Checks that all nodes agree on the one with the largest identifier.
///
/// # Errors
/// Names the first node that is wrong about the leader.
pub fn check(ring: &Ring, election: &Election) -> Result<(), String> {
    check_ring(ring, election)
}
