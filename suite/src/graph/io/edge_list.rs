//! Edge lists as SNAP has them: `from to` or `from to weight` per line, vertices from 0, comments after `#`.

use std::io::{self, BufRead, Write};
use std::str::FromStr;

use rayon::prelude::*;

use super::ReadError;
use super::lines::Lines;
use crate::graph::{EdgeList, Vertex, Weight};

/// Reads an edge list, in parallel on the current rayon pool: edges without a weight get `unweighted`, and the number of vertices is one more than the
/// largest that occurs.
///
/// # Errors
/// Names the line that is not an edge.
pub fn read_edge_list<W: Weight + FromStr>(
    input: impl BufRead + Send,
    unweighted: W,
) -> Result<EdgeList<W>, ReadError> {
    let edges = Lines::new(input).parse_rest(u64::MAX, |line, edges| {
        if line.text.is_empty() || line.text.starts_with(['#', '%']) {
            return Ok(());
        }
        let mut fields = line.fields();
        let from: Vertex = fields.number("a vertex number below 2^32")?;
        let to: Vertex = fields.number("a vertex number below 2^32")?;
        let weight = match fields.optional() {
            Some(word) => fields.parse_weight(word)?,
            None => unweighted,
        };
        edges.push((from, to, weight));
        fields.end()
    })?;
    let ends = edges.par_iter().map(|&(from, to, _)| from.max(to) as usize + 1);
    let vertices = ends.max().unwrap_or(0);
    Ok(EdgeList::trusted(vertices, edges))
}

/// Writes an edge list with weights. Vertices without edges after the last one with an edge are lost.
///
/// # Errors
/// As the output fails.
pub fn write_edge_list<W: Weight>(edges: &EdgeList<W>, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "# {} vertices, {} edges", edges.vertices(), edges.edges().len())?;
    for (from, to, weight) in edges.edges() {
        writeln!(output, "{from}\t{to}\t{weight}")?;
    }
    output.flush()
}
