//! Breadth-first search: direction-optimising (Beamer, Asanović, Patterson, SC 2012), and by a queue as the reference.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::{Adjacency, Rows, SharedVertex, Vertex, VertexId};
use crate::sssp::stepping::frontier::Frontier;
use crate::team::{self, Member};

/// Goes bottom-up when the arcs of the frontier exceed this share of the unexplored arcs …
const ALPHA: u64 = 15;
/// … and top-down again when the frontier shrinks and is less than this share of the vertices.
const BETA: u64 = 18;
/// … and never bottom-up when they are fewer than this share of the vertices, all of which it would look at.
const GAMMA: u64 = 16;
/// Words of 64 vertices that a thread takes at a time when it goes through all of them.
const WORDS: usize = 16;
/// The parent of each vertex in a breadth-first tree, the root's being itself; [`VertexId::NONE`] where no path leads.
/// Runs on as many threads as the current rayon pool has.
///
/// A level goes top-down, from the frontier along its arcs, or bottom-up, from each vertex that is not in the tree to
/// the first neighbor in the frontier, whichever promises fewer arcs. Directed graphs always go top-down.
///
/// # Panics
/// If the graph has no such vertex, or more than 2³¹ vertices of 32 bits.
pub fn breadth_first_search<V: VertexId>(graph: &Adjacency<V>, root: V) -> Vec<V> {
    let vertices = graph.vertices();
    assert!(root.index() < vertices, "root {root}: the graph has {vertices} vertices");
    let flag = V::FLAG.index();
    assert!(vertices <= flag, "{vertices} vertices: the limit is 2^{}", V::BITS - 1);
    let threads = rayon::current_num_threads();
    let mut frontier = Frontier::default();
    frontier.for_threads(threads);
    frontier.publish(0, |list| list.push(root));
    let rows = graph.rows();
    let words = vertices.div_ceil(64);
    let bitmap = || (0..words).map(|_| AtomicU64::new(0)).collect();
    let unseen = |degree: usize| V::Shared::new(V::from_index(flag | degree.min(flag - 1)));
    let mut search = Search {
        graph,
        rows,
        parents: rows.offsets().par_windows(2).map(|row| unseen(row[1] - row[0])).collect(),
        frontier,
        bitmaps: [bitmap(), bitmap()],
        swept: AtomicUsize::new(0),
        level: [Level::default(), Level::default()],
    };
    search.parents[root.index()].store(root);
    team::run(threads, |member| {
        if threads == 1 {
            search.run::<false>(member, root)
        } else {
            search.run::<true>(member, root)
        }
    });
    search.parents.par_iter_mut().for_each(|slot| {
        let slot = slot.get_mut();
        *slot = if *slot >= V::FLAG { V::NONE } else { *slot };
    });
    search.parents.into_iter().map(SharedVertex::into_inner).collect()
}

struct Search<'a, V: VertexId> {
    graph: &'a Adjacency<V>,
    /// Its rows, for the loops.
    rows: Rows<'a, V>,
    /// The highest bit is set in the slot of a vertex that has no parent yet. The other bits are its degree, so that
    /// the arcs of the next frontier are counted without a look at the rows.
    parents: Vec<V::Shared>,
    /// The frontier as lists, for top-down levels.
    frontier: Frontier<V>,
    /// The frontier and the next one as bits, for bottom-up levels.
    bitmaps: [Vec<AtomicU64>; 2],
    /// How many words have been taken in a pass over all vertices.
    swept: AtomicUsize,
    /// Size of the frontier of even and odd levels.
    level: [Level; 2],
}

/// How large a frontier is.
#[derive(Default)]
struct Level {
    vertices: AtomicUsize,
    arcs: AtomicU64,
}

impl<V: VertexId> Search<'_, V> {
    /// One thread's part. All threads decide alike, as they see the same numbers.
    fn run<const SHARED: bool>(&self, member: &Member<'_>, root: V) {
        let mut next = Vec::new();
        let (mut size, mut before) = (1, 0);
        let mut arcs = self.graph.degree(root) as u64;
        let mut unexplored = self.graph.arcs() as u64 - arcs;
        let mut bottom_up = false;
        // Which of the two bitmaps is the frontier, and which of the two levels is being counted.
        let mut turn = 0;
        while size > 0 {
            let change = if bottom_up {
                size < before && (size as u64) < self.graph.vertices() as u64 / BETA
            } else {
                self.graph.is_undirected()
                    && arcs > unexplored / ALPHA
                    && arcs > self.graph.vertices() as u64 / GAMMA
            };
            before = size;
            if change {
                if bottom_up {
                    self.bits_to_lists(member, turn);
                } else {
                    self.lists_to_bits(member, turn);
                }
                bottom_up = !bottom_up;
            }
            turn ^= 1;
            let (found, found_arcs) = if bottom_up {
                self.bottom_up::<SHARED>(member, turn)
            } else {
                self.top_down::<SHARED>(member, &mut next)
            };
            self.level[turn].vertices.fetch_add(found, Relaxed);
            self.level[turn].arcs.fetch_add(found_arcs, Relaxed);
            member.wait();
            size = self.level[turn].vertices.load(Relaxed);
            arcs = self.level[turn].arcs.load(Relaxed);
            unexplored -= arcs;
            if unexplored == 0 && self.graph.is_undirected() {
                // Only vertices without arcs are left.
                return;
            }
            self.frontier.publish(member.index, |list| std::mem::swap(list, &mut next));
            if member.index == 0 {
                self.level[turn ^ 1].vertices.store(0, Relaxed);
                self.level[turn ^ 1].arcs.store(0, Relaxed);
                self.swept.store(0, Relaxed);
            }
            member.wait();
        }
    }

    /// From the frontier along its arcs.
    fn top_down<const SHARED: bool>(&self, member: &Member<'_>, next: &mut Vec<V>) -> (usize, u64) {
        let mut arcs = 0;
        let rows = self.rows;
        self.frontier.drain(member.index, |vertices| {
            for &vertex in vertices {
                for &target in rows.row(vertex.index()) {
                    if let Some(degree) = self.claim::<SHARED>(target, vertex) {
                        arcs += degree as u64;
                        next.push(target);
                    }
                }
            }
        });
        (next.len(), arcs)
    }

    /// Makes a vertex the child of another and returns its degree, unless it has a parent.
    #[inline]
    fn claim<const SHARED: bool>(&self, child: V, parent: V) -> Option<usize> {
        let slot = &self.parents[child.index()];
        let unseen = slot.load();
        if unseen < V::FLAG {
            return None;
        }
        if SHARED {
            if !slot.replace(unseen, parent) {
                return None;
            }
        } else {
            slot.store(parent);
        }
        Some(unseen.index() ^ V::FLAG.index())
    }

    /// From every vertex without a parent to its first neighbor in the frontier.
    fn bottom_up<const SHARED: bool>(&self, _: &Member<'_>, turn: usize) -> (usize, u64) {
        let (mut found, mut arcs) = (0, 0);
        let (front, next) = (&self.bitmaps[turn ^ 1][..], &self.bitmaps[turn][..]);
        let (rows, parents) = (self.rows, &self.parents[..]);
        let in_front = |v: V| front[v.index() / 64].load(Relaxed) >> (v.index() % 64) & 1 == 1;
        // Vertices of a word without a parent, their arcs, and their first neighbors: these are read before any of them is
        // looked at, so that the memory answers many reads at a time.
        let mut open = [(V::default(), V::default(), V::default()); 64];
        self.sweep(|word| {
            let mut count = 0;
            for vertex in self.vertices_of(word) {
                let unseen = parents[vertex].load();
                // Neither with a parent nor without neighbors.
                if unseen > V::FLAG {
                    open[count] = (V::from_index(vertex), unseen, rows.row(vertex)[0]);
                    count += 1;
                }
            }
            let mut bits = 0;
            for &(vertex, unseen, first) in &open[..count] {
                let parent = if in_front(first) {
                    Some(first)
                } else {
                    rows.row(vertex.index())[1..].iter().copied().find(|&v| in_front(v))
                };
                if let Some(parent) = parent {
                    // No other thread looks after this vertex in this level.
                    parents[vertex.index()].store(parent);
                    bits |= 1 << (vertex.index() % 64);
                    found += 1;
                    arcs += (unseen.index() ^ V::FLAG.index()) as u64;
                }
            }
            next[word].store(bits, Relaxed);
        });
        (found, arcs)
    }

    /// Enters the lists into the bitmap of a turn.
    fn lists_to_bits(&self, member: &Member<'_>, turn: usize) {
        let bitmap = &self.bitmaps[turn];
        self.sweep(|word| bitmap[word].store(0, Relaxed));
        member.wait();
        self.frontier.drain(member.index, |vertices| {
            for &vertex in vertices {
                bitmap[vertex.index() / 64].fetch_or(1 << (vertex.index() % 64), Relaxed);
            }
        });
        self.after_conversion(member);
    }

    /// Enters the bitmap of a turn into the lists.
    fn bits_to_lists(&self, member: &Member<'_>, turn: usize) {
        let mut mine = Vec::new();
        self.sweep(|word| {
            let mut bits = self.bitmaps[turn][word].load(Relaxed);
            while bits != 0 {
                mine.push(V::from_index(word * 64 + bits.trailing_zeros() as usize));
                bits &= bits - 1;
            }
        });
        self.frontier.publish(member.index, |list| *list = mine);
        self.after_conversion(member);
    }

    /// Makes ready for another pass over all vertices.
    fn after_conversion(&self, member: &Member<'_>) {
        member.wait();
        if member.index == 0 {
            self.swept.store(0, Relaxed);
        }
        member.wait();
    }

    /// Calls for words of the bitmaps until none is left.
    fn sweep(&self, mut call: impl FnMut(usize)) {
        let words = self.bitmaps[0].len();
        loop {
            let start = self.swept.fetch_add(WORDS, Relaxed);
            if start >= words {
                return;
            }
            (start..(start + WORDS).min(words)).for_each(&mut call);
        }
    }

    /// The vertices whose bits are in a word.
    fn vertices_of(&self, word: usize) -> std::ops::Range<usize> {
        word * 64..(word * 64 + 64).min(self.graph.vertices())
    }
}

/// The same by a queue, on one thread: the reference.
///
/// # Panics
/// If the graph has no such vertex.
pub fn breadth_first_search_by_queue(graph: &Adjacency, root: Vertex) -> Vec<Vertex> {
    let mut parents = vec![Vertex::MAX; graph.vertices()];
    parents[root as usize] = root;
    let mut queue = VecDeque::from([root]);
    while let Some(vertex) = queue.pop_front() {
        for &target in graph.neighbours(vertex) {
            if parents[target as usize] == Vertex::MAX {
                parents[target as usize] = vertex;
                queue.push_back(target);
            }
        }
    }
    parents
}
