//! Parallel construction of compressed sparse rows (kernel 1 of Graph500).
//!
//! Arcs are first dealt to blocks of neighboring vertices, then each block is sorted into rows by itself, in place: both
//! steps touch memory that fits the cache, and no thread writes where another does. The result depends on the
//! edge list alone, not on the number of threads.

use rayon::prelude::*;

use super::block::{Order, Scratch, VERTICES_OF_BLOCK};
use super::pages::Pages;
use super::split::{self, Degrees};
use super::vertex::PackedArc;
use super::{Csr, EdgeList, VertexId, Weight};

/// Options for building a graph from an edge list.
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

/// Edges that one task deals at a time, at least.
const CHUNK: usize = 1 << 18;
/// Tasks that deal, at most: each of them has a place in every block.
const CHUNKS: usize = 1 << 10;
/// Arcs of a block, on average: it is sorted in the second-level cache.
const ARCS_OF_BLOCK: usize = 1 << 16;
/// Blocks at most, unless so few cannot hold all vertices: more have cursors that do not fit the first-level cache.
const BLOCKS: usize = 1 << 9;
/// Blocks in which rows with arcs are counted, to estimate the mean degree.
const COUNTED_BLOCKS: usize = 16;

impl<W: Weight> Csr<W> {
    /// Returns the bytes that building a graph takes at its peak, in addition to its list of edges; `None` if they
    /// have more than 64 bits. Memory for sorting blocks, 12 bytes for each arc of a block in each thread, is not
    /// counted.
    pub fn peak_bytes(vertices: u64, edges: u64, options: Build) -> Option<u64> {
        let arcs = edges.checked_mul(if options.undirected { 2 } else { 1 })?;
        let offsets = vertices.checked_add(1)?.checked_mul(size_of::<usize>() as u64)?;
        arcs.checked_mul((size_of::<u64>() + size_of::<u16>()) as u64)?.checked_add(offsets)
    }
}

impl<W: Weight, V: VertexId> Csr<W, V> {
    /// Builds a graph from its edges, in parallel on the current rayon pool.
    ///
    /// Rows come out sorted by target, then weight; those of undirected graphs are split by weight at a
    /// [`limit`](Csr::limit). It leaves about three light arcs per vertex if many arcs meet at few vertices,
    /// otherwise six, unless more than two in five arcs would be light. In addition to the list, construction holds
    /// 10 bytes per arc at its peak, parallel arcs included, the result's 8 among them.
    pub fn build(edges: &EdgeList<W, V>, options: Build) -> Self {
        let vertices = edges.vertices();
        let shift = block_shift(vertices, edges.edges().len());
        let blocks = vertices.div_ceil(1 << shift);
        let chunks = edges.edges().par_chunks(edges.edges().len().div_ceil(CHUNKS).max(CHUNK));
        let counts: Vec<Vec<usize>> =
            chunks.clone().map(|chunk| count(chunk, shift, blocks, options)).collect();
        let sizes: Vec<usize> =
            (0..blocks).map(|block| counts.iter().map(|chunk| chunk[block]).sum()).collect();
        let total = sizes.iter().sum();
        let (mut arcs, mut rows) = (Pages::zeroed(total), Pages::zeroed(total));
        let places = places(&counts, &mut arcs, &mut rows);
        chunks.zip(places).for_each(|(chunk, places)| deal(chunk, shift, options, places));

        let limit = limit(edges, &rows, &sizes, options);
        let order = Order {
            vertices,
            keep_parallel: options.keep_parallel_edges,
            limit: split::key(limit),
        };
        let mut offsets = Pages::zeroed(vertices + 1);
        let mut tasks = Vec::with_capacity(blocks);
        let (mut arcs_left, mut rows_left): (&mut [V::Arc], &[u16]) = (&mut arcs[..], &rows[..]);
        for (&size, degrees) in sizes.iter().zip(offsets[1..].chunks_mut(1 << shift)) {
            let (arcs, rows);
            (arcs, arcs_left) = arcs_left.split_at_mut(size);
            (rows, rows_left) = rows_left.split_at(size);
            tasks.push((arcs, rows, degrees));
        }
        let kept: Vec<usize> = tasks
            .into_par_iter()
            .map_init(Scratch::default, |scratch, (arcs, rows, degrees)| {
                scratch.sort(arcs, rows, degrees, order)
            })
            .collect();
        drop(rows);
        close_gaps(&mut arcs, &sizes, &kept);
        sum_up(&mut offsets);
        Self::from_parts(offsets, arcs, limit, options.undirected)
    }
}

/// The weight at which rows will be split: from evenly spaced edges of the list, and from evenly spaced blocks of arcs,
/// whose rows are counted.
fn limit<W: Weight, V: VertexId>(
    edges: &EdgeList<W, V>,
    rows: &[u16],
    sizes: &[usize],
    options: Build,
) -> W {
    if !options.undirected {
        return W::INFINITE;
    }
    let step = sizes.len().div_ceil(COUNTED_BLOCKS).max(1);
    let (mut degrees, mut start) = (Degrees::default(), 0);
    for (block, &size) in sizes.iter().enumerate() {
        if block % step == 0 {
            let mut counts = vec![0u32; VERTICES_OF_BLOCK];
            for &row in &rows[start..start + size] {
                counts[usize::from(row)] += 1;
            }
            counts.into_iter().for_each(|degree| degrees.add(degree as usize));
        }
        start += size;
    }
    let step = edges.edges().len().div_ceil(split::SAMPLE).max(1);
    let weights = edges.edges().iter().step_by(step).map(|&(_, _, weight)| weight).collect();
    split::limit(weights, &degrees)
}

/// Makes offsets of degrees: entry v + 1 comes with the degree of v, and leaves with the end of its row.
fn sum_up(offsets: &mut [usize]) {
    let mut end = 0;
    for offset in offsets {
        end += *offset;
        *offset = end;
    }
}

/// log₂ of the vertices of a block.
fn block_shift(vertices: usize, edges: usize) -> u32 {
    let blocks = (2 * edges / ARCS_OF_BLOCK).clamp(1, BLOCKS);
    let size = vertices.div_ceil(blocks).clamp(1, VERTICES_OF_BLOCK);
    size.next_power_of_two().trailing_zeros()
}

/// Calls with each arc that some edges become: where it leaves, where it leads, its weight.
#[inline(always)]
fn for_each_arc<W: Weight, V: VertexId>(
    edges: &[(V, V, W)],
    options: Build,
    mut call: impl FnMut(V, V, W),
) {
    for &(from, to, weight) in edges {
        if from != to {
            call(from, to, weight);
            if options.undirected {
                call(to, from, weight);
            }
        } else if options.keep_self_loops {
            // The reverse of a self-loop is the loop itself.
            call(from, to, weight);
        }
    }
}

/// The number of arcs that some edges have in each block.
fn count<W: Weight, V: VertexId>(
    edges: &[(V, V, W)],
    shift: u32,
    blocks: usize,
    options: Build,
) -> Vec<usize> {
    let mut counts = vec![0; blocks];
    for_each_arc(edges, options, |from, _, _| counts[from.index() >> shift] += 1);
    counts
}

/// Where a chunk of edges puts its arcs of one block, and for each of them the number of its row in the block.
type Place<'a, A> = std::iter::Zip<std::slice::IterMut<'a, A>, std::slice::IterMut<'a, u16>>;

/// The places of each chunk in each block: blocks lie one after the other, and in each of them the chunks.
fn places<'a, A>(
    counts: &[Vec<usize>],
    mut arcs: &'a mut [A],
    mut rows: &'a mut [u16],
) -> Vec<Vec<Place<'a, A>>> {
    let blocks = counts.first().map_or(0, Vec::len);
    let mut places: Vec<Vec<Place<'a, A>>> =
        counts.iter().map(|_| Vec::with_capacity(blocks)).collect();
    for block in 0..blocks {
        for (places, counts) in places.iter_mut().zip(counts) {
            let (my_arcs, my_rows);
            (my_arcs, arcs) = arcs.split_at_mut(counts[block]);
            (my_rows, rows) = rows.split_at_mut(counts[block]);
            places.push(my_arcs.iter_mut().zip(my_rows));
        }
    }
    places
}

/// Puts the arcs of some edges into their blocks.
fn deal<W: Weight, V: VertexId>(
    edges: &[(V, V, W)],
    shift: u32,
    options: Build,
    mut places: Vec<Place<'_, V::Arc>>,
) {
    let mask: usize = (1 << shift) - 1;
    for_each_arc(edges, options, |from, to, weight| {
        let place = places[from.index() >> shift].next();
        let (arc, row) = place.expect("a place was counted for every arc");
        *arc = V::Arc::pack(to, weight.to_key());
        *row = (from.index() & mask) as u16;
    });
}

/// Moves the first arcs of each block, which it kept, to the end of the previous block, and forgets the rest.
fn close_gaps<A: PackedArc>(arcs: &mut Pages<A>, sizes: &[usize], kept: &[usize]) {
    let (mut begin, mut end) = (0, 0);
    for (size, kept) in sizes.iter().zip(kept) {
        if begin != end {
            arcs.copy_within(begin..begin + kept, end);
        }
        begin += size;
        end += kept;
    }
    arcs.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Vertex;
    use crate::graph::csr::{pack, unpack};

    fn rows(graph: &Csr) -> Vec<Vec<(Vertex, u32)>> {
        (0..graph.vertices() as Vertex).map(|v| graph.neighbours_by_target(v).collect()).collect()
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

    /// Vertices whose numbers need four digits, rows of several blocks, and the same edge far apart in the list.
    #[test]
    fn large_numbers_are_sorted_too() {
        let n: u32 = (1 << 24) + 5;
        let mut list: Vec<_> = (0..40_000u32)
            .map(|i| {
                let draw = i.wrapping_mul(0x9E37_79B9);
                (draw % 7 * (n / 7), draw.rotate_left(13) % n, draw >> 24)
            })
            .collect();
        let again: Vec<_> = list.iter().rev().map(|&(u, v, w)| (v, u, w / 2 + 9)).collect();
        list.extend(again);
        list.push((n - 1, n - 1, 3));
        let edges = EdgeList::new(n as usize, list.clone()).unwrap();

        let mut expected = std::collections::BTreeMap::new();
        for &(u, v, w) in list.iter().filter(|(u, v, _)| u != v) {
            for arc in [(u, v), (v, u)] {
                let lightest = expected.entry(arc).or_insert(w);
                *lightest = w.min(*lightest);
            }
        }
        // As many arcs as expected, and all that are expected: other rows have none.
        let graph = Csr::build(&edges, Build::UNDIRECTED);
        assert_eq!(graph.arcs(), expected.len());
        let mut rows: Vec<u32> = expected.keys().map(|&(u, _)| u).collect();
        rows.dedup();
        let arcs =
            rows.iter().flat_map(|&u| graph.neighbours_by_target(u).map(move |(v, w)| ((u, v), w)));
        assert!(arcs.eq(expected));

        list.sort_unstable();
        let graph = Csr::build(&edges, Build::VERBATIM);
        assert_eq!(graph.arcs(), list.len());
        let mut rows: Vec<u32> = list.iter().map(|&(u, _, _)| u).collect();
        rows.dedup();
        let arcs = rows.iter().flat_map(|&u| graph.neighbours(u).map(move |(v, w)| (u, v, w)));
        assert!(arcs.eq(list));
    }

    #[test]
    fn graphs_without_edges_have_empty_rows() {
        let graph = Csr::<u32>::build(&EdgeList::new(3, vec![]).unwrap(), Build::UNDIRECTED);
        assert_eq!(rows(&graph), [vec![], vec![], vec![]]);
        let loops = EdgeList::new(2, vec![(1, 1, 3u32), (1, 1, 3)]).unwrap();
        assert_eq!(rows(&Csr::build(&loops, Build::UNDIRECTED)), [vec![], vec![]]);
    }

    #[test]
    fn weights_survive_packing() {
        assert_eq!(unpack::<u32, _>(pack(u32::MAX, 7u32)), (u32::MAX, 7));
        assert_eq!(unpack::<f32, _>(pack(3, 0.25f32)), (3, 0.25));
    }
}
