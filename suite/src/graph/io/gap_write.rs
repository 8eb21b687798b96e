//! Writing the binary graphs of the GAP benchmark suite; the format is described where they are read.

use std::io::{self, Write};

use crate::graph::{Csr, Vertex};

/// Writes a graph as GAP's `.wsg`, or `.sg` without weights.
///
/// # Errors
/// As the output fails, or if a vertex or weight does not fit the format's 31 bits.
pub fn write_gap(graph: &Csr<u32>, weights: bool, mut output: impl Write) -> io::Result<()> {
    if graph.vertices() > i32::MAX as usize {
        return Err(io::Error::other("the format has at most 2^31 − 1 vertices"));
    }
    output.write_all(&[u8::from(!graph.is_undirected())])?;
    output.write_all(&(graph.arcs() as u64).to_le_bytes())?;
    output.write_all(&(graph.vertices() as u64).to_le_bytes())?;
    write_rows(graph, weights, &mut output)?;
    if !graph.is_undirected() {
        write_rows(&graph.reversed(), weights, &mut output)?;
    }
    output.flush()
}

/// Writes row starts and arcs.
fn write_rows(graph: &Csr<u32>, weights: bool, output: &mut impl Write) -> io::Result<()> {
    let mut end = 0u64;
    output.write_all(&end.to_le_bytes())?;
    for vertex in 0..graph.vertices() as Vertex {
        end += graph.degree(vertex) as u64;
        output.write_all(&end.to_le_bytes())?;
    }
    for vertex in 0..graph.vertices() as Vertex {
        for (target, weight) in graph.neighbours_by_target(vertex) {
            output.write_all(&target.to_le_bytes())?;
            if weights {
                if weight > i32::MAX as u32 {
                    return Err(io::Error::other(format!("weight {weight} does not fit 31 bits")));
                }
                output.write_all(&weight.to_le_bytes())?;
            }
        }
    }
    Ok(())
}
