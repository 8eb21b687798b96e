//! PageRank (Brin and Page, 1998) as GAP computes it: r(v) = (1 − d)/n + d·Σ r(u)/degree(u) over the neighbors u of
//! v, with d = 0.85, until all ranks together change by less than 10⁻⁴. Vertices without arcs keep their rank.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::{Adjacency, Rows, Vertex};

/// The share d of a rank that goes along arcs.
pub const DAMPING: f64 = 0.85;
/// Iterations end when all ranks together change by less.
pub const TOLERANCE: f64 = 1e-4;
/// Iterations at most. With d = 0.85, 60 divide any error by more than 10⁴.
const ITERATIONS: usize = 100;
/// Iterations that are hurried if at least this number more would be needed.
const MANY: i32 = 6;
/// Ranks start equal unless degrees vary so much: the mean square over the square of the mean.
const VARIED: f64 = 1.01;
/// Arcs of a task, about.
const TASK: usize = 1 << 15;
/// Sums side by side: an addition waits for the one before.
const LANES: usize = 4;
/// Arcs of a row that is summed one by one.
const SHORT: usize = 24;
/// Arcs that are summed with 32 bits: the sum over a long row would lose digits.
const SUMMED: usize = 1 << 10;

/// The rank of each vertex of an undirected graph. Parallel on the current rayon pool.
///
/// Starts from ranks that grow with degrees where these vary, and iterates in place (Gauss-Seidel): a rank that has been
/// computed is used in the same iteration. Where changes shrink slowly, ranks go farther than they are wanted. All three save
/// iterations. With several threads the last digits depend on their timing.
///
/// # Panics
/// If the graph is directed.
pub fn page_rank(graph: &Adjacency) -> Vec<f32> {
    assert!(graph.is_undirected(), "ranks are collected along the reverse arcs");
    let vertices = graph.vertices();
    let base = (1.0 - DAMPING) / vertices as f64;
    let first = first_rank(graph);
    let (rows, ranges) = (graph.rows(), graph.ranges(TASK));
    let degrees = || rows.offsets().par_windows(2).map(|ends| ends[1] - ends[0]);
    let share = |degree| AtomicU32::new((share_of_one(degree) * first(degree)).to_bits());
    let shares: Vec<AtomicU32> = degrees().map(share).collect();
    let mut ranks: Vec<f32> = degrees().map(&first).collect();
    let mut pace = Pace::new();
    for _ in 0..ITERATIONS {
        let mut tasks = Vec::with_capacity(ranges.len());
        let mut left = ranks.as_mut_slice();
        for range in &ranges {
            let mine;
            (mine, left) = left.split_at_mut(range.len());
            tasks.push((range.clone(), mine));
        }
        let iteration = Iteration { rows, shares: &shares, base, factor: pace.factor };
        // Many wait for the rank of a vertex with many neighbors: all threads together find it first.
        let is_long =
            |range: &Range<Vertex>| range.len() == 1 && rows.row(range.start as usize).len() > TASK;
        let (long, short): (Vec<_>, Vec<_>) =
            tasks.into_iter().partition(|(range, _)| is_long(range));
        let of_long: f64 = long.into_iter().map(|task| iteration.renew(task, rank_by_all)).sum();
        // Taken in the order of vertices, so that most ranks below are those of this iteration on several threads too.
        let of_short: f64 =
            short.into_iter().par_bridge().map(|task| iteration.renew(task, rank_of)).sum();
        let change = of_long + of_short;
        if pace.is_over(change) {
            break;
        }
    }
    ranks
}

/// The share that a vertex gives to each of its neighbors for each unit of its rank.
#[inline(always)]
fn share_of_one(degree: usize) -> f32 {
    DAMPING as f32 / degree as f32
}

/// The state that the tasks of an iteration share.
struct Iteration<'a> {
    rows: Rows<'a, Vertex>,
    /// The share that each vertex gives to each of its neighbors, times d.
    shares: &'a [AtomicU32],
    /// The common part of all vertices.
    base: f64,
    /// How far ranks go towards where they are wanted.
    factor: f32,
}

impl Iteration<'_> {
    /// Renews the ranks of some vertices. Returns the sum of what they were away from where they are wanted.
    #[inline(always)]
    fn renew(
        &self,
        (range, ranks): (Range<Vertex>, &mut [f32]),
        rank_of: impl Fn(f64, &[AtomicU32], &[Vertex]) -> f32,
    ) -> f64 {
        // No rank is below what all have, however far it went.
        let Self { rows, shares, base, factor } = *self;
        let least = base as f32;
        let mut change = 0.0;
        let range = range.start as usize..range.end as usize;
        let rows = rows.some(range.clone());
        for ((neighbours, rank), mine) in rows.zip(ranks).zip(&shares[range]) {
            let wanted = rank_of(base, shares, neighbours);
            change += f64::from((wanted - *rank).abs());
            // The next vertex may wait for the share, which therefore waits for little else than what is wanted.
            let (one, stays) = (share_of_one(neighbours.len()), (1.0 - factor) * *rank);
            let share = one * stays + one * factor * wanted;
            mine.store(share.max(one * least).to_bits(), Relaxed);
            *rank = (stays + factor * wanted).max(least);
        }
        change
    }
}

/// How far ranks go towards where the definition wants them, and when they are there.
///
/// The matrix of an undirected graph is positive definite once ranks are divided by degrees, so any factor below 2 leads to
/// the same ranks (successive over-relaxation; Young, 1954). One above 1 helps where changes shrink slowly, by a known
/// share λ each time: 2/(1 + √(1 − λ)). On several threads nothing is proven, so it is given up when changes grow.
struct Pace {
    factor: f32,
    last: f64,
    /// Iterations since the factor was chosen.
    age: usize,
    may_change: bool,
}

impl Pace {
    fn new() -> Self {
        Self { factor: 1.0, last: f64::INFINITY, age: 0, may_change: true }
    }

    /// Takes notice of the sum of what ranks were away from where they were wanted. Is it small enough?
    fn is_over(&mut self, change: f64) -> bool {
        // The remainder of an iteration: the part beyond, and the shares of later ranks for earlier ones.
        let factor = f64::from(self.factor);
        if change * (factor - 1.0 + DAMPING * factor).max(1.0) < TOLERANCE {
            return true;
        }
        let shrinks_to = change / self.last;
        self.age += 1;
        if self.may_change && self.age > 2 && change * shrinks_to.powi(MANY) > TOLERANCE {
            let slowest = shrinks_to.min(DAMPING * DAMPING);
            self.factor = (2.0 / (1.0 + (1.0 - slowest).sqrt())) as f32;
            (self.may_change, self.age) = (false, 0);
        } else if !self.may_change && self.age > 2 && shrinks_to > 1.0 {
            self.factor = 1.0;
        }
        self.last = change;
        false
    }
}

/// Where iterations start, by degree: what all vertices have, and of the rest a part in proportion to the degree. Without
/// damping, ranks of a connected graph are in that proportion. Where degrees are nearly equal, so are ranks.
fn first_rank(graph: &Adjacency) -> impl Fn(usize) -> f32 + Sync {
    let degrees = graph.rows().offsets().par_windows(2).map(|row| row[1] - row[0]);
    let of_row = |degree: usize| (usize::from(degree > 0), degree as u128 * degree as u128);
    let (connected, squares) =
        degrees.map(of_row).reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    let (vertices, arcs) = (graph.vertices() as f64, graph.arcs().max(1) as f64);
    let varied = squares as f64 * vertices > VARIED * arcs * arcs;
    let (base, of_arc) = if varied {
        ((1.0 - DAMPING) / vertices, DAMPING * connected as f64 / vertices / arcs)
    } else {
        (1.0 / vertices, 0.0)
    };
    move |degree| (base + of_arc * degree as f64) as f32
}

/// The rank of a vertex: what all have, and what its neighbors give.
#[inline]
fn rank_of(base: f64, shares: &[AtomicU32], neighbours: &[Vertex]) -> f32 {
    if neighbours.len() <= SHORT {
        let share = |&vertex: &Vertex| f32::from_bits(shares[vertex as usize].load(Relaxed));
        // The last ones first: of those before this vertex, one has often just been computed.
        return neighbours.iter().rev().map(share).fold(base as f32, |sum, share| sum + share);
    }
    let parts = neighbours.chunks(SUMMED).map(|part| f64::from(sum(shares, part)));
    (base + parts.sum::<f64>()) as f32
}

/// The same, by all threads of the current rayon pool together.
fn rank_by_all(base: f64, shares: &[AtomicU32], neighbours: &[Vertex]) -> f32 {
    let parts = neighbours.par_chunks(SUMMED).map(|part| f64::from(sum(shares, part)));
    (base + parts.sum::<f64>()) as f32
}

/// The sum of what some vertices give.
#[inline]
fn sum(shares: &[AtomicU32], vertices: &[Vertex]) -> f32 {
    let share = |vertex: Vertex| f32::from_bits(shares[vertex as usize].load(Relaxed));
    let (groups, rest) = vertices.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for group in groups {
        for (sum, &vertex) in sums.iter_mut().zip(group) {
            *sum += share(vertex);
        }
    }
    for (sum, &vertex) in sums.iter_mut().zip(rest) {
        *sum += share(vertex);
    }
    sums.iter().sum()
}

/// The same by its definition (Jacobi): every iteration uses the ranks of the one before, with 64 bits and on one thread.
///
/// # Panics
/// If the graph is directed.
pub fn page_rank_by_definition(graph: &Adjacency) -> Vec<f32> {
    assert!(graph.is_undirected(), "ranks are collected along the reverse arcs");
    let mut ranks = vec![1.0 / graph.vertices() as f64; graph.vertices()];
    for _ in 0..ITERATIONS {
        let next = next_ranks(graph, &ranks);
        let change: f64 = next.iter().zip(&ranks).map(|(new, old)| (new - old).abs()).sum();
        ranks = next;
        if change < TOLERANCE {
            break;
        }
    }
    ranks.into_iter().map(|rank| rank as f32).collect()
}

/// The right side of the definition.
pub(super) fn next_ranks(graph: &Adjacency, ranks: &[f64]) -> Vec<f64> {
    let share = |&vertex: &Vertex| ranks[vertex as usize] / graph.degree(vertex) as f64;
    let base = (1.0 - DAMPING) / graph.vertices() as f64;
    let vertices = 0..graph.vertices() as Vertex;
    vertices.map(|v| base + DAMPING * graph.neighbours(v).iter().map(share).sum::<f64>()).collect()
}
