//! Breadth-first search over ranks (kernel 2 of Graph500), which changes direction as the suite's own does (Beamer, Asanović,
//! Patterson, SC 2012). Top-down, each rank goes from its vertices of the level, and tells the owners of the arcs' ends,
//! each once. Bottom-up, all ranks learn the level as bits, and each looks for parents of its own vertices.

use std::ops::Range;

use plusminus_suite::graph::{Vertex, Weight};

use crate::graph::Part;
use crate::{Mail, Ranks};

/// Goes bottom-up when the arcs of the level exceed this share of the unexplored arcs …
const ALPHA: u64 = 15;
/// … and top-down again when the level shrinks and is less than this share of the vertices.
const BETA: u64 = 18;
/// … and never bottom-up when they are fewer than this share of the vertices, all of which it would look at.
const GAMMA: u64 = 16;

/// A breadth-first tree, of this rank's vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The parent of each vertex, the root's being itself; `Vertex::MAX` where no path leads.
    pub parents: Vec<Vertex>,
    /// The level of each vertex, `u32::MAX` where no path leads.
    pub levels: Vec<u32>,
}

/// Which ways a search may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the level along its arcs, always.
    TopDown,
    /// From vertices without a parent to the level, always.
    BottomUp,
    /// Whichever promises fewer arcs.
    Either,
}

/// The tree of a root.
pub fn search<W: Weight>(part: &Part<W>, root: Vertex, ranks: &mut Ranks) -> Tree {
    search_by(Direction::Either, part, root, ranks)
}

/// The tree of a root, found in a direction.
pub fn search_by<W: Weight>(
    direction: Direction,
    part: &Part<W>,
    root: Vertex,
    ranks: &mut Ranks,
) -> Tree {
    let own = part.own().len();
    let mut search = Search {
        part,
        tree: Tree { parents: vec![Vertex::MAX; own], levels: vec![u32::MAX; own] },
        frontier: Vec::new(),
        next: Vec::new(),
        told: Vec::new(),
        mail: Mail::new(ranks),
        bits: None,
    };
    search.run(direction, root, ranks);
    search.tree
}

struct Search<'a, W> {
    part: &'a Part<W>,
    tree: Tree,
    /// Positions of this rank's vertices of this level and of the next.
    frontier: Vec<u32>,
    next: Vec<u32>,
    /// A bit for each vertex of the graph that its owner was told of.
    told: Vec<u64>,
    mail: Mail,
    /// The level of all ranks, once it is needed.
    bits: Option<Bits>,
}

/// The vertices of all ranks that are on a level, a bit for each vertex of the graph.
struct Bits {
    all: Vec<u64>,
    /// The words of `all` that have the vertices of each rank: two ranks may share one.
    windows: Vec<Range<usize>>,
    counts: Vec<usize>,
    mine: Vec<u64>,
    gathered: Vec<u64>,
}

impl<W: Weight> Search<'_, W> {
    fn run(&mut self, direction: Direction, root: Vertex, ranks: &mut Ranks) {
        let vertices = self.part.vertices();
        let mut unexplored = self.part.all_arcs();
        let (mut before, mut bottom_up) = (0, direction == Direction::BottomUp);
        if let Some(position) = self.part.position(root) {
            self.tree.enter(position, root, 0, &mut self.next);
        }
        for level in 1.. {
            let (size, arcs) = self.count(ranks);
            unexplored -= arcs;
            // Where only vertices without arcs are left, nothing more is found.
            if size == 0 || unexplored == 0 {
                return;
            }
            if direction == Direction::Either {
                bottom_up = if bottom_up {
                    size >= before || size >= vertices / BETA
                } else {
                    arcs > unexplored / ALPHA && arcs > vertices / GAMMA
                };
            }
            before = size;
            if bottom_up {
                self.bottom_up(level, ranks);
            } else {
                self.top_down(level, ranks);
            }
        }
    }

    /// Enters the next level: how many vertices it has on all ranks, and how many arcs.
    fn count(&mut self, ranks: &mut Ranks) -> (u64, u64) {
        std::mem::swap(&mut self.frontier, &mut self.next);
        self.next.clear();
        let degree = |&position: &u32| self.part.arcs(position as usize).len() as u64;
        let arcs: u64 = self.frontier.iter().map(degree).sum();
        let mine = [self.frontier.len() as u32, arcs as u32, (arcs >> 32) as u32, 0];
        ranks.hear(mine).iter().fold((0, 0), |(size, arcs), word| {
            (size + u64::from(word[0]), arcs + (u64::from(word[1]) | u64::from(word[2]) << 32))
        })
    }

    fn top_down(&mut self, level: u32, ranks: &mut Ranks) {
        let Self { part, tree, frontier, next, told, mail, .. } = self;
        told.resize(part.vertices().div_ceil(64) as usize, 0);
        for &position in &*frontier {
            let from = part.own().start + position;
            for &(to, _) in part.arcs(position as usize) {
                if let Some(position) = part.position(to) {
                    tree.enter(position, from, level, next);
                    continue;
                }
                let (word, bit) = (&mut told[to as usize / 64], 1 << (to % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    mail.push(part.owner(to), &[to, from]);
                }
            }
        }
        mail.meet(ranks, [0; 4]);
        for words in mail.received() {
            for &[to, from] in words.as_chunks::<2>().0 {
                let position = part.position(to).expect("a vertex goes to its owner");
                tree.enter(position, from, level, next);
            }
        }
    }

    fn bottom_up(&mut self, level: u32, ranks: &mut Ranks) {
        let Self { part, tree, frontier, next, bits, .. } = self;
        let bits = bits.get_or_insert_with(|| Bits::new(part, ranks.ranks()));
        bits.show(part, frontier, ranks);
        let all = &bits.all[..];
        let on_level = |vertex: Vertex| all[vertex as usize / 64] >> (vertex % 64) & 1 == 1;
        for position in 0..tree.parents.len() {
            if tree.parents[position] == Vertex::MAX {
                let parent = part.arcs(position).iter().find(|arc| on_level(arc.0));
                if let Some(&(parent, _)) = parent {
                    tree.enter(position, parent, level, next);
                }
            }
        }
    }
}

impl Bits {
    fn new<W: Weight>(part: &Part<W>, ranks: usize) -> Self {
        let window = |rank| {
            let vertices = part.vertices_of(rank);
            let start = vertices.start as usize / 64;
            start..(vertices.end as usize).div_ceil(64).max(start)
        };
        let windows: Vec<Range<usize>> = (0..ranks).map(window).collect();
        let counts: Vec<usize> = windows.iter().map(Range::len).collect();
        Self {
            all: vec![0; part.vertices().div_ceil(64) as usize],
            mine: vec![0; counts[part.rank()]],
            windows,
            counts,
            gathered: Vec::new(),
        }
    }

    /// Shows all ranks which vertices of this one are on the level.
    fn show<W: Weight>(&mut self, part: &Part<W>, frontier: &[u32], ranks: &mut Ranks) {
        let first = part.own().start as usize - 64 * self.windows[part.rank()].start;
        self.mine.fill(0);
        for &position in frontier {
            let bit = first + position as usize;
            self.mine[bit / 64] |= 1 << (bit % 64);
        }
        ranks.gather_words(&self.mine, &self.counts, &mut self.gathered);
        self.all.fill(0);
        let mut gathered = &self.gathered[..];
        for window in &self.windows {
            let words = gathered.split_off(..window.len()).unwrap_or_default();
            for (word, bits) in self.all[window.clone()].iter_mut().zip(words) {
                *word |= bits;
            }
        }
    }
}

impl Tree {
    /// Gives a vertex a parent, if it has none.
    #[inline]
    fn enter(&mut self, position: usize, parent: Vertex, level: u32, next: &mut Vec<u32>) {
        if self.parents[position] == Vertex::MAX {
            self.parents[position] = parent;
            self.levels[position] = level;
            next.push(position as u32);
        }
    }
}
