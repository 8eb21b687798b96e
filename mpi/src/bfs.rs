//! Breadth-first search over ranks (kernel 2 of Graph500): level by level, each rank from its vertices of the level, and
//! the ends of arcs that other ranks have are told to these, each once.

use plusminus_suite::graph::Vertex;

use crate::graph::Part;
use crate::{Mail, Ranks};

/// A breadth-first tree, of this rank's vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The parent of each vertex, the root's being itself; `Vertex::MAX` where no path leads.
    pub parents: Vec<Vertex>,
    /// The level of each vertex, `u32::MAX` where no path leads.
    pub levels: Vec<u32>,
}

/// The tree of a root.
pub fn search(part: &Part, root: Vertex, ranks: &mut Ranks) -> Tree {
    let own = part.own().len();
    let mut tree = Tree { parents: vec![Vertex::MAX; own], levels: vec![u32::MAX; own] };
    // A bit for each vertex that its owner was told of.
    let mut told = vec![0_u64; part.vertices().div_ceil(64) as usize];
    let mut mail = Mail::new(ranks);
    let mut frontier = Vec::new();
    if let Some(position) = part.position(root) {
        (tree.parents[position], tree.levels[position]) = (root, 0);
        frontier.push(position);
    }
    let mut next = Vec::new();
    for level in 1.. {
        let mut sent = 0;
        for position in frontier.drain(..) {
            let from = part.own().start + position as Vertex;
            for &(to, _) in part.arcs(position) {
                if let Some(position) = part.position(to) {
                    tree.enter(position, from, level, &mut next);
                    continue;
                }
                let (word, bit) = (&mut told[to as usize / 64], 1 << (to % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    sent += 1;
                    mail.push(part.owner(to), &[to, from]);
                }
            }
        }
        let busy = u32::from(!next.is_empty() || sent > 0);
        let any = mail.meet(ranks, [busy, 0, 0, 0]).iter().any(|word| word[0] > 0);
        if !any {
            break;
        }
        for words in mail.received() {
            for &[to, from] in words.as_chunks::<2>().0 {
                let position = part.position(to).expect("a vertex is told to its owner");
                tree.enter(position, from, level, &mut next);
            }
        }
        std::mem::swap(&mut frontier, &mut next);
    }
    tree
}

impl Tree {
    /// Gives a vertex a parent, if it has none.
    #[inline]
    fn enter(&mut self, position: usize, parent: Vertex, level: u32, next: &mut Vec<usize>) {
        if self.parents[position] == Vertex::MAX {
            self.parents[position] = parent;
            self.levels[position] = level;
            next.push(position);
        }
    }
}
