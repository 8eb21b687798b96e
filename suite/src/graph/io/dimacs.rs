//! The format of the 9th DIMACS challenge: `p sp vertices arcs`, then `a from to weight`, vertices from 1.

use std::io::{self, BufRead, Write};
use std::str::FromStr;

use super::lines::{Line, Lines, vertex_count};
use super::{Place, ReadError};
use crate::graph::{EdgeList, Weight};

/// Reads a DIMACS `.gr` file: directed arcs (road maps list both directions).
///
/// # Errors
/// Names the line that is not as the format wants it, or the number of arcs if it is not as declared.
pub fn read_dimacs<W: Weight + FromStr>(input: impl BufRead) -> Result<EdgeList<W>, ReadError> {
    let mut lines = Lines::new(input);
    let mut header = None;
    let mut edges = Vec::new();
    while let Some(line) = lines.next()? {
        let mut fields = line.fields();
        match (fields.optional(), header) {
            (None | Some("c"), _) => {}
            (Some("p"), None) => header = Some(problem(&line)?),
            (Some("p"), Some(_)) => return Err(line.error("a second line 'p'")),
            (Some("a"), Some((vertices, _))) => {
                let from = fields.vertex_from_one(vertices)?;
                let to = fields.vertex_from_one(vertices)?;
                edges.push((from, to, fields.weight()?));
                fields.end()?;
            }
            (Some("a"), None) => return Err(line.error("an arc before the line 'p'")),
            // Comments without a space after the `c` occur.
            (Some(word), _) if word.starts_with('c') => {}
            (Some(word), _) => {
                return Err(line.error(format!("{word:?} begins neither an arc nor a comment")));
            }
        }
    }
    let Some((vertices, arcs)) = header else {
        return Err(ReadError::new(Place::File, "no line 'p sp <vertices> <arcs>'"));
    };
    if edges.len() as u64 != arcs {
        let reason = format!("{arcs} arcs declared, {} found", edges.len());
        return Err(ReadError::new(Place::File, reason));
    }
    Ok(EdgeList::trusted(vertices, edges))
}

/// Reads the line `p sp vertices arcs`.
fn problem(line: &Line<'_>) -> Result<(usize, u64), ReadError> {
    let mut fields = line.fields();
    fields.word("'p'")?;
    let kind = fields.word("the kind of problem")?;
    if kind != "sp" {
        return Err(line.error(format!("{kind:?} is not the problem 'sp'")));
    }
    let vertices = vertex_count(line, fields.number("the number of vertices")?)?;
    let arcs = fields.number("the number of arcs")?;
    fields.end()?;
    Ok((vertices, arcs))
}

/// Writes a DIMACS `.gr` file, an arc for each edge.
///
/// # Errors
/// As the output fails.
pub fn write_dimacs<W: Weight>(edges: &EdgeList<W>, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "p sp {} {}", edges.vertices(), edges.edges().len())?;
    for &(from, to, weight) in edges.edges() {
        writeln!(output, "a {} {} {weight}", u64::from(from) + 1, u64::from(to) + 1)?;
    }
    output.flush()
}
