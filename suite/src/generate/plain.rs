//! Graphs other than R-MAT: uniformly random ones, and shapes with a known answer.

use super::{Mrg, Seed};
use crate::graph::{EdgeList, Vertex, Weight};

/// `m` edges whose ends are drawn uniformly from `n` vertices (self-loops and parallel edges included), with
/// weights 1 to `max_weight`.
///
/// # Panics
/// If there are edges but no vertices, or more vertices than 2³¹ − 1, the number of different draws.
pub fn gnm<W: Weight>(n: usize, m: usize, max_weight: u32, seed: Seed) -> EdgeList<W> {
    assert!(n > 0 || m == 0, "{m} edges need vertices");
    assert!(n < (1 << 31), "{n} vertices cannot be drawn from a 31-bit generator");
    let mut stream = Mrg::new(seed);
    let vertex = |stream: &mut Mrg| (u64::from(stream.draw()) * n as u64 / 0x7FFF_FFFF) as u32;
    let edges = (0..m)
        .map(|_| {
            let (from, to) = (vertex(&mut stream), vertex(&mut stream));
            (from, to, W::from_draw(stream.draw(), max_weight))
        })
        .collect();
    EdgeList::trusted(n, edges)
}

/// A grid of `rows` × `columns` vertices, each joined to its neighbors: a stand-in for road maps, whose searches
/// run through many classes of few work items. Weights 1 to `max_weight`.
pub fn grid<W: Weight>(rows: u32, columns: u32, max_weight: u32, seed: Seed) -> EdgeList<W> {
    let mut stream = Mrg::new(seed);
    let mut edges = Vec::new();
    let vertex = |row, column| -> Vertex { row * columns + column };
    for row in 0..rows {
        for column in 0..columns {
            let here = vertex(row, column);
            if column + 1 < columns {
                let weight = W::from_draw(stream.draw(), max_weight);
                edges.push((here, vertex(row, column + 1), weight));
            }
            if row + 1 < rows {
                let weight = W::from_draw(stream.draw(), max_weight);
                edges.push((here, vertex(row + 1, column), weight));
            }
        }
    }
    EdgeList::trusted(rows as usize * columns as usize, edges)
}

/// A path through `n` vertices: the search with no parallelism at all.
pub fn path<W: Weight>(n: u32, max_weight: u32, seed: Seed) -> EdgeList<W> {
    grid(1, n, max_weight, seed)
}

/// A star of `n` vertices around vertex 0: all work in one row.
pub fn star<W: Weight>(n: u32, max_weight: u32, seed: Seed) -> EdgeList<W> {
    let mut stream = Mrg::new(seed);
    let edges = (1..n).map(|v| (0, v, W::from_draw(stream.draw(), max_weight))).collect();
    EdgeList::trusted(n as usize, edges)
}
