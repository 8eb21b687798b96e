//! Edges in the order in which they were generated or read.

use super::{Vertex, VertexId, Weight};

/// A list of weighted edges between vertices 0 to `vertices` − 1. An edge takes 12 bytes, or 24 with 64-bit vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeList<W = u32, V = Vertex> {
    vertices: usize,
    edges: Vec<(V, V, W)>,
}

impl<W: Weight> EdgeList<W> {
    /// The size of an edge in bytes.
    pub const BYTES_PER_EDGE: u64 = size_of::<(Vertex, Vertex, W)>() as u64;

    /// Makes a list of edges (from, to, weight).
    ///
    /// # Errors
    /// Returns a message about the first edge with an end outside the graph or an illegal weight.
    pub fn new(vertices: usize, edges: Vec<(Vertex, Vertex, W)>) -> Result<Self, String> {
        Self::of(vertices, edges)
    }
}

impl<W: Weight, V: VertexId> EdgeList<W, V> {
    /// Makes a list of edges with vertices of 32 or 64 bits; see [`new`](EdgeList::new).
    ///
    /// # Errors
    /// Returns a message about the first edge with an end outside the graph or an illegal weight.
    pub fn of(vertices: usize, edges: Vec<(V, V, W)>) -> Result<Self, String> {
        if vertices as u64 > 1 << V::BITS.min(63) {
            return Err(format!("{vertices} vertices; a vertex is a {}-bit number", V::BITS));
        }
        for (index, &(from, to, weight)) in edges.iter().enumerate() {
            if from.max(to).index() >= vertices {
                return Err(format!(
                    "edge {index} ({from}, {to}): the graph has {vertices} vertices"
                ));
            }
            if !weight.is_legal() {
                return Err(format!("edge {index} ({from}, {to}): weight {weight} is not legal"));
            }
        }
        Ok(Self { vertices, edges })
    }

    /// Makes a list from a source that makes legal edges only.
    pub(crate) fn trusted(vertices: usize, edges: Vec<(V, V, W)>) -> Self {
        Self { vertices, edges }
    }

    /// Returns the number of vertices n; some may have no edge.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns all edges (from, to, weight).
    pub fn edges(&self) -> &[(V, V, W)] {
        &self.edges
    }
}
