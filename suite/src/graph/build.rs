//! Parallel construction of compressed sparse rows (kernel 1 of Graph500).
//!
//! Arcs are first dealt to blocks of neighbouring vertices, then each block is sorted into rows by itself: both
//! steps touch memory that fits the cache, and no thread writes where another does. The result depends on the
//! edge list alone, not on the number of threads.

use rayon::prelude::*;

use super::csr::unpack;
use super::{Csr, EdgeList, Vertex, Weight};

/// What to make of an edge list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    /// Enter every edge in both directions?
    pub undirected: bool,
    /// Keep edges from a vertex to itself? No shortest path uses one.
    pub keep_self_loops: bool,
    /// Keep several edges between the same ends? Otherwise only the lightest stays.
    pub keep_parallel_edges: bool,
}

impl Build {
    /// An undirected graph for searches: without self-loops, and the lightest of parallel edges.
    pub const UNDIRECTED: Self =
        Self { undirected: true, keep_self_loops: false, keep_parallel_edges: false };
    /// A directed graph for searches: without self-loops, and the lightest of parallel edges.
    pub const DIRECTED: Self =
        Self { undirected: false, keep_self_loops: false, keep_parallel_edges: false };
    /// The directed arcs exactly as listed.
    pub const VERBATIM: Self =
        Self { undirected: false, keep_self_loops: true, keep_parallel_edges: true };
}

/// Edges that one task deals at a time.
const CHUNK: usize = 1 << 17;
/// Blocks of vertices; 256 of them have cursors that fit the first-level cache.
const BLOCKS: usize = 256;

/// An arc on its way to the block of its first vertex: that vertex, the other one, the weight's key. 12 bytes.
type Dealt = (Vertex, Vertex, u32);

/// The arcs of one chunk of the edge list, sorted by block.
struct Deal {
    arcs: Vec<Dealt>,
    /// The arcs of block b are `arcs[starts[b]..starts[b + 1]]`.
    starts: [usize; BLOCKS + 1],
}

/// The rows of a block of vertices.
struct Rows {
    degrees: Vec<usize>,
    arcs: Vec<u64>,
}

impl<W: Weight> Csr<W> {
    /// Builds a graph from its edges, in parallel on the current rayon pool.
    ///
    /// Rows come out sorted by target, then weight. Beside the list and the result, construction holds two copies
    /// of the arcs for a while: 28 bytes per arc at its peak, the result's 8 included.
    pub fn build(edges: &EdgeList<W>, options: Build) -> Self {
        let vertices = edges.vertices();
        // Vertices per block, a power of two so that dealing is a shift.
        let shift = vertices.div_ceil(BLOCKS).next_power_of_two().trailing_zeros();
        let deals: Vec<Deal> =
            edges.edges().par_chunks(CHUNK).map(|chunk| deal(chunk, shift, options)).collect();
        let blocks = vertices.div_ceil(1 << shift);
        let rows: Vec<Rows> = (0..blocks)
            .into_par_iter()
            .map(|block| {
                let first = block << shift;
                let count = (vertices - first).min(1 << shift);
                sort_into_rows(&deals, block, first, count, options)
            })
            .collect();
        drop(deals);
        join(rows, vertices, options.undirected)
    }
}

impl<W: Weight> Csr<W> {
    /// The graph of those arcs whose weight passes, in the same order. Parallel on the current rayon pool.
    pub(crate) fn filtered(&self, passes: impl Fn(W) -> bool + Sync) -> Self {
        let vertices = self.vertices();
        let block = vertices.div_ceil(BLOCKS).max(1);
        let rows = (0..vertices.div_ceil(block))
            .into_par_iter()
            .map(|number| {
                let first = number * block;
                let mut rows = Rows { degrees: Vec::with_capacity(block), arcs: Vec::new() };
                for vertex in first..(first + block).min(vertices) {
                    let start = rows.arcs.len();
                    let row = self.row(vertex as Vertex);
                    rows.arcs.extend(row.iter().filter(|&&arc| passes(unpack::<W>(arc).1)));
                    rows.degrees.push(rows.arcs.len() - start);
                }
                rows
            })
            .collect();
        join(rows, vertices, self.is_undirected())
    }
}

/// Sorts the arcs of some edges by the block of their first vertex.
fn deal<W: Weight>(edges: &[(Vertex, Vertex, W)], shift: u32, options: Build) -> Deal {
    let kept = || edges.iter().filter(|(from, to, _)| options.keep_self_loops || from != to);
    let mut starts = [0; BLOCKS + 1];
    for &(from, to, _) in kept() {
        starts[(from >> shift) as usize + 1] += 1;
        // The reverse of a self-loop is the loop itself.
        if options.undirected && from != to {
            starts[(to >> shift) as usize + 1] += 1;
        }
    }
    for block in 0..BLOCKS {
        starts[block + 1] += starts[block];
    }
    let mut cursors = starts;
    let mut arcs = vec![(0, 0, 0); starts[BLOCKS]];
    let mut put = |from: Vertex, to: Vertex, weight: W| {
        let cursor = &mut cursors[(from >> shift) as usize];
        arcs[*cursor] = (from, to, weight.to_key());
        *cursor += 1;
    };
    for &(from, to, weight) in kept() {
        put(from, to, weight);
        if options.undirected && from != to {
            put(to, from, weight);
        }
    }
    Deal { arcs, starts }
}

/// Gathers a block's arcs from all chunks and sorts each row.
fn sort_into_rows(
    deals: &[Deal],
    block: usize,
    first: usize,
    count: usize,
    options: Build,
) -> Rows {
    let dealt =
        || deals.iter().flat_map(|d| &d.arcs[d.starts[block]..d.starts[block + 1]]).copied();
    let mut starts = vec![0; count + 1];
    for (from, _, _) in dealt() {
        starts[from as usize - first + 1] += 1;
    }
    for row in 0..count {
        starts[row + 1] += starts[row];
    }
    let mut arcs = vec![0; starts[count]];
    let mut cursors = starts.clone();
    for (from, to, key) in dealt() {
        let cursor = &mut cursors[from as usize - first];
        arcs[*cursor] = u64::from(to) << 32 | u64::from(key);
        *cursor += 1;
    }
    let mut degrees = Vec::with_capacity(count);
    let mut end = 0;
    for row in 0..count {
        let range = starts[row]..starts[row + 1];
        arcs[range.clone()].sort_unstable();
        let begin = end;
        for index in range {
            let arc = arcs[index];
            // Sorted by weight within a target: the first one is the lightest.
            let parallel = end > begin && arcs[end - 1] >> 32 == arc >> 32;
            if options.keep_parallel_edges || !parallel {
                arcs[end] = arc;
                end += 1;
            }
        }
        degrees.push(end - begin);
    }
    arcs.truncate(end);
    Rows { degrees, arcs }
}

/// Puts the rows of all blocks one after the other.
fn join<W: Weight>(rows: Vec<Rows>, vertices: usize, undirected: bool) -> Csr<W> {
    let total = rows.iter().map(|block| block.arcs.len()).sum();
    let mut offsets = Vec::with_capacity(vertices + 1);
    let mut end = 0;
    offsets.push(end);
    for degree in rows.iter().flat_map(|block| &block.degrees) {
        end += degree;
        offsets.push(end);
    }
    let mut arcs = vec![0; total];
    let mut rest = arcs.as_mut_slice();
    let mut targets = Vec::with_capacity(rows.len());
    for block in &rows {
        let (mine, others) = rest.split_at_mut(block.arcs.len());
        targets.push(mine);
        rest = others;
    }
    targets.into_par_iter().zip(rows).for_each(|(target, block)| {
        target.copy_from_slice(&block.arcs);
    });
    Csr::from_parts(offsets, arcs, undirected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::csr::pack;

    fn rows(graph: &Csr) -> Vec<Vec<(Vertex, u32)>> {
        (0..graph.vertices() as Vertex).map(|v| graph.neighbours(v).collect()).collect()
    }

    #[test]
    fn undirected_graphs_keep_the_lightest_edge_and_no_loops() {
        let edges =
            EdgeList::new(4, vec![(0, 1, 9u32), (1, 0, 4), (2, 2, 1), (2, 1, 6), (0, 1, 5)])
                .unwrap();
        let graph = Csr::build(&edges, Build::UNDIRECTED);
        assert_eq!(rows(&graph), [vec![(1, 4)], vec![(0, 4), (2, 6)], vec![(1, 6)], vec![]]);
        assert_eq!(graph.arcs(), 4);
    }

    #[test]
    fn verbatim_graphs_keep_everything_in_its_direction() {
        let edges = EdgeList::new(3, vec![(0, 1, 9u32), (0, 1, 4), (2, 2, 1), (2, 0, 6)]).unwrap();
        let graph = Csr::build(&edges, Build::VERBATIM);
        assert_eq!(rows(&graph), [vec![(1, 4), (1, 9)], vec![], vec![(0, 6), (2, 1)]]);
    }

    #[test]
    fn a_loop_enters_an_undirected_graph_once() {
        let edges = EdgeList::new(2, vec![(1, 1, 3u32)]).unwrap();
        let options = Build { keep_self_loops: true, ..Build::UNDIRECTED };
        assert_eq!(rows(&Csr::build(&edges, options)), [vec![], vec![(1, 3)]]);
    }

    #[test]
    fn empty_graphs_have_no_rows() {
        let graph = Csr::<u32>::build(&EdgeList::new(0, vec![]).unwrap(), Build::UNDIRECTED);
        assert_eq!((graph.vertices(), graph.arcs()), (0, 0));
    }

    #[test]
    fn many_vertices_need_every_block() {
        // More vertices than blocks, and more edges than a chunk: a ring with chords.
        let n: u32 = 50_021;
        let list: Vec<_> =
            (0..3 * n).map(|i| (i % n, ((i / n + 1) * 7 + i % n) % n, i % 255 + 1)).collect();
        let graph = Csr::build(&EdgeList::new(n as usize, list.clone()).unwrap(), Build::VERBATIM);
        let mut expected = vec![Vec::new(); n as usize];
        for (from, to, weight) in list {
            expected[from as usize].push((to, weight));
        }
        expected.iter_mut().for_each(|row| row.sort_unstable());
        assert_eq!(rows(&graph), expected);
    }

    #[test]
    fn weights_survive_packing() {
        assert_eq!(unpack::<u32>(pack(u32::MAX, 7u32)), (u32::MAX, 7));
        assert_eq!(unpack::<f32>(pack(3, 0.25f32)), (3, 0.25));
    }
}
