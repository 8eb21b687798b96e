//! PageRank (Brin and Page, 1998) as GAP computes it: r(v) = (1 − d)/n + d·Σ r(u)/degree(u) over the neighbours u of v,
//! with d = 0.85, until all ranks together change by less than 10⁻⁴. What vertices without arcs have is not given to
//! others.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::{Adjacency, Vertex};

/// The share d of a rank that goes along arcs.
pub const DAMPING: f64 = 0.85;
/// Iterations end when all ranks together change by less.
pub const TOLERANCE: f64 = 1e-4;
/// Iterations at most. With d = 0.85, 60 divide any error by more than 10⁴.
const ITERATIONS: usize = 100;
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
/// Iterates in place (Gauss-Seidel): a rank that has been computed is used in the same iteration, so fewer are needed.
/// With several threads the last digits depend on their timing.
///
/// # Panics
/// If the graph is directed.
pub fn page_rank(graph: &Adjacency) -> Vec<f32> {
    assert!(graph.is_undirected(), "ranks are collected along the reverse arcs");
    let vertices = graph.vertices();
    let first = 1.0 / vertices as f32;
    let base = (1.0 - DAMPING) / vertices as f64;
    // What each vertex gives to each of its neighbours, times d. The quotient does not wait for the rank, which the next
    // vertex may wait for.
    let share = |vertex: Vertex, rank: f32| (DAMPING as f32 / graph.degree(vertex) as f32) * rank;
    let shares: Vec<AtomicU32> = (0..vertices as Vertex)
        .into_par_iter()
        .map(|vertex| AtomicU32::new(share(vertex, first).to_bits()))
        .collect();
    let ranges = graph.ranges(TASK);
    let mut ranks = vec![first; vertices];
    for _ in 0..ITERATIONS {
        let mut tasks = Vec::with_capacity(ranges.len());
        let mut left = ranks.as_mut_slice();
        for range in &ranges {
            let mine;
            (mine, left) = left.split_at_mut(range.len());
            tasks.push((range.clone(), mine));
        }
        // Taken in the order of vertices, so that most ranks below are those of this iteration on several threads too.
        let change: f64 = tasks
            .into_iter()
            .par_bridge()
            .map(|(range, ranks)| {
                let mut change = 0.0;
                for (vertex, rank) in range.zip(ranks) {
                    let new = rank_of(base, &shares, graph.neighbours(vertex));
                    change += f64::from((new - *rank).abs());
                    *rank = new;
                    shares[vertex as usize].store(share(vertex, new).to_bits(), Relaxed);
                }
                change
            })
            .sum();
        if change < TOLERANCE {
            break;
        }
    }
    ranks
}

/// The rank of a vertex: what all have, and what its neighbours give.
#[inline]
fn rank_of(base: f64, shares: &[AtomicU32], neighbours: &[Vertex]) -> f32 {
    if neighbours.len() <= SHORT {
        let share = |&vertex: &Vertex| f32::from_bits(shares[vertex as usize].load(Relaxed));
        return base as f32 + neighbours.iter().map(share).sum::<f32>();
    }
    let parts = neighbours.chunks(SUMMED).map(|part| f64::from(sum(shares, part)));
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
