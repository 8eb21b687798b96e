//! Edges in the order in which they were generated or read, before any structure is made of them.

use super::{Vertex, VertexId, Weight};

/// A list of weighted edges between vertices 0 to `vertices` − 1: 12 bytes per edge, 24 with vertices of 64 bits.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeList<W = u32, V = Vertex> {
    vertices: usize,
    edges: Vec<(V, V, W)>,
}

impl<W: Weight> EdgeList<W> {
    /// Bytes of an edge.
    pub const BYTES_PER_EDGE: u64 = size_of::<(Vertex, Vertex, W)>() as u64;

    /// A list of edges (from, to, weight).
    ///
    /// # Errors
    /// Names the first edge that has an end outside of the graph or a weight that is not legal.
    pub fn new(vertices: usize, edges: Vec<(Vertex, Vertex, W)>) -> Result<Self, String> {
        Self::of(vertices, edges)
    }
}

impl<W: Weight, V: VertexId> EdgeList<W, V> {
    /// As [`new`](EdgeList::new), for vertices of either type.
    ///
    /// # Errors
    /// Names the first edge that has an end outside of the graph or a weight that is not legal.
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

    /// A list from a source that makes legal edges only.
    pub(crate) fn trusted(vertices: usize, edges: Vec<(V, V, W)>) -> Self {
        Self { vertices, edges }
    }

    /// The number of vertices n; some may have no edge.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// All edges (from, to, weight).
    pub fn edges(&self) -> &[(V, V, W)] {
        &self.edges
    }
}
