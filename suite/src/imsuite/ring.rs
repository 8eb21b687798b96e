//! Rings, and the answer of an election on any network.

use super::Original;
use crate::places::Parts;

/// Nodes in a circle, each with an identifier of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// The identifier of every node.
    pub identifiers: Vec<u32>,
    /// The next node and the one before.
    around: Vec<[u32; 2]>,
}

impl Ring {
    /// The ring of nodes with these identifiers.
    ///
    /// # Panics
    /// Without nodes.
    pub fn new(identifiers: Vec<u32>) -> Self {
        let n = identifiers.len() as u32;
        assert!(n > 0, "a ring needs a node");
        let around = (0..n).map(|node| [(node + 1) % n, (node + n - 1) % n]).collect();
        Self { identifiers, around }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.identifiers.len()
    }

    /// The next node and the one before it.
    #[inline]
    pub fn around(&self, node: u32) -> &[u32; 2] {
        &self.around[node as usize]
    }

    /// The node with the largest identifier.
    pub fn winner(&self) -> u32 {
        (0..self.nodes() as u32).max_by_key(|&node| self.identifiers[node as usize]).unwrap_or(0)
    }
}

impl From<Original> for Ring {
    fn from(file: Original) -> Self {
        Self::new(file.numbers)
    }
}

/// The knowledge of every node after an election.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Election {
    /// The node that each node takes for the leader, or `u32::MAX`.
    pub leaders: Vec<u32>,
    /// Whether each node takes itself for the leader.
    pub elected: Vec<bool>,
}

impl Parts for Election {
    fn pack(&self, words: &mut Vec<u32>) {
        self.leaders.pack(words);
        self.elected.pack(words);
    }

    fn take_in(&mut self, words: &mut &[u32]) -> Option<()> {
        self.leaders.take_in(words)?;
        self.elected.take_in(words)
    }
}

impl Election {
    /// Checks that the nodes of `members` agree on the one with the largest identifier, and that it alone claims to be it.
    pub(super) fn check(&self, identifiers: &[u32], members: &[u32]) -> Result<(), String> {
        let Some(&winner) = members.iter().max_by_key(|&&node| identifiers[node as usize]) else {
            return Ok(());
        };
        for &node in members {
            let leader = self.leaders[node as usize];
            if leader != winner {
                let largest = identifiers[winner as usize];
                return Err(format!(
                    "node {node} takes node {leader} for the leader; node {winner} has the largest identifier, {largest}"
                ));
            }
            if self.elected[node as usize] != (node == winner) {
                let claims = if node == winner { "does not claim" } else { "claims" };
                return Err(format!("node {node} {claims} to be the leader"));
            }
        }
        Ok(())
    }
}

/// Checks an election on a ring.
///
/// # Errors
/// Names the first node that is wrong about the leader.
pub(super) fn check_ring(ring: &Ring, election: &Election) -> Result<(), String> {
    super::one_per_node("leaders", election.leaders.len(), ring.nodes())?;
    super::one_per_node("claims", election.elected.len(), ring.nodes())?;
    election.check(&ring.identifiers, &(0..ring.nodes() as u32).collect::<Vec<_>>())
}
