//! Random numbers of nodes: each node draws from a stream of its own, so that results do not depend on the order of tasks.

use plusminus_analysis::random::{STEP, mix};

use super::Mode;
use super::generate::X10Random;

/// The stream of one node.
#[derive(Debug, Clone)]
pub(super) enum NodeRandom {
    /// SplitMix64 (Steele, Lea and Flood, 2014): 8 bytes per node.
    Small(u64),
    /// The generator of the original nodes: 2.5 kB per node.
    X10(Box<X10Random>),
}

impl NodeRandom {
    /// The stream of a node: of its number alone in the faithful mode, as in the original.
    pub(super) fn new(mode: Mode, seed: u64, node: u32) -> Self {
        match mode {
            Mode::Repaired => Self::Small(mix(seed) ^ mix(u64::from(node).wrapping_add(STEP))),
            Mode::Faithful => Self::X10(Box::new(X10Random::new(i64::from(node)))),
        }
    }

    /// A uniform fraction, as its numerator over 2^53.
    pub(super) fn next_fraction(&mut self) -> u64 {
        match self {
            Self::Small(state) => {
                *state = state.wrapping_add(STEP);
                mix(*state) >> 11
            }
            Self::X10(random) => random.next_fraction(),
        }
    }

    /// 0 or 1.
    pub(super) fn next_coin(&mut self) -> u32 {
        match self {
            Self::Small(_) => (self.next_fraction() >> 52) as u32,
            Self::X10(random) => random.next_coin(),
        }
    }
}
