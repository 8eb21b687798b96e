//! Graphs in parts: every rank has consecutive vertices and the arcs that leave them.
//! Made from an edge list of which every rank generates its share: no rank ever has the whole.

use std::ops::Range;

use plusminus_suite::generate::Rmat;
use plusminus_suite::graph::{Vertex, Weight};
use plusminus_suite::places::Places;

use crate::{Mail, Ranks};

/// Edges that a rank generates and sends off at a time: the buffers do not grow with the graph.
const EDGES_AT_A_TIME: u64 = 1 << 19;

/// The vertices of one rank and their arcs, with weights.
///
/// The graph is undirected, without self-loops, and of parallel edges only the lightest is kept, as in
/// [`Build::UNDIRECTED`](plusminus_suite::graph::Build::UNDIRECTED).
#[derive(Debug, Clone)]
pub struct Part<W = u32> {
    owners: Places,
    rank: usize,
    first: Vertex,
    /// Where the arcs of each own vertex start.
    offsets: Vec<usize>,
    /// Targets and weights, by ascending target.
    arcs: Vec<(Vertex, W)>,
    /// Of each own vertex, the generated edges that end at it and at another one, duplicates included.
    generated: Vec<u32>,
    /// Vertices and arcs of the whole graph.
    vertices: u64,
    all_arcs: u64,
}

impl<W: Weight> Part<W> {
    /// Generates a graph's edges, each rank its share, and deals them out to the owners of both ends. Integer weights are 1
    /// to `max_weight`, floats those of Graph500.
    pub fn generate(rmat: &Rmat, max_weight: u32, ranks: &mut Ranks) -> Self {
        let vertices = 1_u64 << rmat.scale();
        let owners = Places::new(vertices as usize, ranks.ranks());
        let total = rmat.edges().unwrap_or_else(|| panic!("{rmat} has too many edges"));
        let (rank, number) = (ranks.rank() as u64, ranks.ranks() as u64);
        let share = share(total, rank, number)..share(total, rank + 1, number);
        let rounds = total.div_ceil(number).div_ceil(EDGES_AT_A_TIME);
        let mut mail = Mail::new(ranks);
        let mut arcs = Vec::new();
        for round in 0..rounds {
            let start = (share.start + round * EDGES_AT_A_TIME).min(share.end);
            let end = (start + EDGES_AT_A_TIME).min(share.end);
            let edges = rmat.weighted_part::<W>(start..end, max_weight);
            deal(edges.edges(), owners, &mut mail, ranks, &mut arcs);
        }
        Self::whole(owners, vertices, &arcs, ranks)
    }

    /// Builds a graph of which each rank has some of the edges.
    ///
    /// # Panics
    /// If a vertex does not exist.
    pub fn of_edges(vertices: Vertex, edges: &[(Vertex, Vertex, W)], ranks: &mut Ranks) -> Self {
        let exists = edges.iter().all(|&(from, to, _)| from.max(to) < vertices);
        assert!(exists, "an end of an edge is not below {vertices}");
        let owners = Places::new(vertices as usize, ranks.ranks());
        let mut arcs = Vec::new();
        deal(edges, owners, &mut Mail::new(ranks), ranks, &mut arcs);
        Self::whole(owners, vertices.into(), &arcs, ranks)
    }

    /// The part of this rank, once all arcs are here.
    fn whole(owners: Places, vertices: u64, arcs: &[[u32; 3]], ranks: &mut Ranks) -> Self {
        let mut part = Self::of(owners, ranks.rank(), vertices, arcs);
        part.all_arcs = ranks.sum(part.arcs.len() as u64);
        part
    }

    /// Sorts arcs into rows.
    fn of(owners: Places, rank: usize, vertices: u64, arcs: &[[u32; 3]]) -> Self {
        let own = if rank < owners.count() { owners.nodes(rank) } else { 0..0 };
        let mut starts = vec![0; own.len() + 1];
        for [from, ..] in arcs {
            starts[(from - own.start) as usize + 1] += 1;
        }
        for row in 0..own.len() {
            starts[row + 1] += starts[row];
        }
        let mut cursors = starts.clone();
        let mut sorted = vec![(0, W::ZERO); arcs.len()];
        for &[from, to, weight] in arcs {
            let cursor = &mut cursors[(from - own.start) as usize];
            sorted[*cursor] = (to, W::from_key(weight));
            *cursor += 1;
        }
        let mut offsets = Vec::with_capacity(own.len() + 1);
        let mut kept: Vec<(Vertex, W)> = Vec::with_capacity(arcs.len());
        for row in 0..own.len() {
            offsets.push(kept.len());
            let row = &mut sorted[starts[row]..starts[row + 1]];
            row.sort_unstable_by_key(|(to, weight)| (*to, weight.to_key()));
            let begin = kept.len();
            for &arc in &*row {
                if kept.len() == begin || kept[kept.len() - 1].0 != arc.0 {
                    kept.push(arc);
                }
            }
        }
        offsets.push(kept.len());
        kept.shrink_to_fit();
        let generated = starts.windows(2).map(|row| (row[1] - row[0]) as u32).collect();
        let first = own.start;
        Self { owners, rank, first, offsets, arcs: kept, generated, vertices, all_arcs: 0 }
    }

    /// Vertices of the whole graph.
    pub fn vertices(&self) -> u64 {
        self.vertices
    }

    /// Arcs of the whole graph.
    pub fn all_arcs(&self) -> u64 {
        self.all_arcs
    }

    /// The generated edges that end at the own vertex at a position and at another one, duplicates included: half of their
    /// sum over the vertices that a search reaches is the numerator of its TEPS.
    pub fn generated(&self, position: usize) -> u64 {
        u64::from(self.generated[position])
    }

    /// The vertices of each rank.
    pub fn vertices_of(&self, rank: usize) -> Range<Vertex> {
        if rank < self.owners.count() {
            self.owners.nodes(rank)
        } else {
            let end = self.owners.nodes(self.owners.count() - 1).end;
            end..end
        }
    }

    /// The vertices of this rank.
    pub fn own(&self) -> Range<Vertex> {
        self.first..self.first + (self.offsets.len() - 1) as Vertex
    }

    /// The rank that has a vertex.
    #[inline]
    pub fn owner(&self, vertex: Vertex) -> usize {
        self.owners.of(vertex)
    }

    /// The position of a vertex among those of this rank, if it is one of them.
    #[inline]
    pub fn position(&self, vertex: Vertex) -> Option<usize> {
        let position = vertex.wrapping_sub(self.first) as usize;
        (position < self.offsets.len() - 1).then_some(position)
    }

    /// Targets and weights of the arcs of the own vertex at a position.
    #[inline]
    pub fn arcs(&self, position: usize) -> &[(Vertex, W)] {
        &self.arcs[self.offsets[position]..self.offsets[position + 1]]
    }

    /// The number of arcs that leave this rank's vertices.
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// Bytes of this part.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&self.offsets[..])
            + size_of_val(&self.arcs[..])
            + size_of_val(&self.generated[..])
    }

    /// The rank of this part.
    pub fn rank(&self) -> usize {
        self.rank
    }
}

/// Sends both directions of each edge to the owners of their beginnings, and takes in those for this rank.
fn deal<W: Weight>(
    edges: &[(Vertex, Vertex, W)],
    owners: Places,
    mail: &mut Mail,
    ranks: &mut Ranks,
    arcs: &mut Vec<[u32; 3]>,
) {
    for &(from, to, weight) in edges {
        if from != to {
            let key = weight.to_key();
            mail.push(owners.of(from), &[from, to, key]);
            mail.push(owners.of(to), &[to, from, key]);
        }
    }
    mail.meet(ranks, [0; 4]);
    for words in mail.received() {
        arcs.extend(words.as_chunks::<3>().0);
    }
}

/// Returns the beginning of the share of a rank, of this number of edges.
fn share(total: u64, rank: u64, ranks: u64) -> u64 {
    (u128::from(total) * u128::from(rank) / u128::from(ranks)) as u64
}
