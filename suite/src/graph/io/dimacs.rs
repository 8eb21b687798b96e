//! The format of the 9th DIMACS challenge: `p sp vertices arcs`, then `a from to weight`, vertices from 1.

use std::io::{self, BufRead, Write};
use std::str::FromStr;

use super::lines::{Line, Lines, vertex_count};
use super::{Place, ReadError};
use crate::graph::{EdgeList, Weight};

/// Reads a DIMACS `.gr` file: directed arcs (road maps list both directions). Parallel on the current rayon pool.
///
/// # Errors
/// Names the line that is not as the format wants it, or the number of arcs if it is not as declared.
pub fn read_dimacs<W: Weight + FromStr>(
    input: impl BufRead + Send,
) -> Result<EdgeList<W>, ReadError> {
    let mut lines = Lines::new(input);
    let (vertices, arcs) = loop {
        let Some(line) = lines.next()? else {
            return Err(ReadError::new(Place::File, "no line 'p sp <vertices> <arcs>'"));
        };
        match line.fields().optional() {
            Some("p") => break problem(&line)?,
            Some("a") => return Err(line.error("an arc before the line 'p'")),
            word => must_be_comment(&line, word)?,
        }
    };
    let edges = lines.parse_rest(u64::MAX, |line, edges| {
        let mut fields = line.fields();
        match fields.optional() {
            Some("a") => {
                let from = fields.vertex_from_one(vertices)?;
                let to = fields.vertex_from_one(vertices)?;
                edges.push((from, to, fields.weight()?));
                fields.end()
            }
            Some("p") => Err(line.error("a second line 'p'")),
            word => must_be_comment(&line, word),
        }
    })?;
    if edges.len() as u64 != arcs {
        let reason = format!("{arcs} arcs declared, {} found", edges.len());
        return Err(ReadError::new(Place::File, reason));
    }
    Ok(EdgeList::trusted(vertices, edges))
}

/// Accepts empty lines and comments; those without a space after the `c` occur.
fn must_be_comment(line: &Line<'_>, word: Option<&str>) -> Result<(), ReadError> {
    match word {
        Some(word) if !word.starts_with('c') => {
            Err(line.error(format!("{word:?} begins neither an arc nor a comment")))
        }
        _ => Ok(()),
    }
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
