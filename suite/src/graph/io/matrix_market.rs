//! Matrix Market coordinate files: an entry (row, column, value) is an edge; rows and columns from 1.

use std::io::{self, BufRead, Write};
use std::str::FromStr;

use super::lines::{Fields, Line, Lines, vertex_count};
use super::{Place, ReadError};
use crate::graph::{EdgeList, Weight};

/// A graph as a Matrix Market file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixMarket<W = u32> {
    /// One edge per entry of the file.
    pub edges: EdgeList<W>,
    /// Is the matrix symmetric, so that the file lists only one of each pair of entries?
    pub symmetric: bool,
}

struct Header {
    symmetric: bool,
    pattern: bool,
}

/// Reads a Matrix Market file, in parallel on the current rayon pool. Entries of a pattern, which have no value, get the weight `unweighted`.
///
/// # Errors
/// Names the line that is not as the format wants it. Complex, skew-symmetric, dense and oblong matrices are no graphs
/// of non-negative weights.
pub fn read_matrix_market<W: Weight + FromStr>(
    input: impl BufRead + Send,
    unweighted: W,
) -> Result<MatrixMarket<W>, ReadError> {
    let mut lines = Lines::new(input);
    let empty = || ReadError::new(Place::File, "the file is empty");
    let header = header(&lines.next()?.ok_or_else(empty)?)?;
    let (vertices, entries) = loop {
        let Some(line) = lines.next()? else {
            let place = Place::Line(lines.number());
            return Err(ReadError::new(place, "the size of the matrix is missing"));
        };
        if !is_comment(line.text) {
            break dimensions(&line)?;
        }
    };
    let edges = lines.parse_rest(entries, |line, edges| {
        if is_comment(line.text) {
            return Ok(());
        }
        let mut fields = line.fields();
        let from = fields.vertex_from_one(vertices)?;
        let to = fields.vertex_from_one(vertices)?;
        let weight = if header.pattern { unweighted } else { value(&mut fields)? };
        edges.push((from, to, weight));
        fields.end()
    })?;
    if edges.len() as u64 != entries {
        let reason = format!("{entries} entries declared, {} found", edges.len());
        return Err(ReadError::new(Place::File, reason));
    }
    let edges = EdgeList::trusted(vertices, edges);
    Ok(MatrixMarket { edges, symmetric: header.symmetric })
}

/// Is there nothing to read in this line?
fn is_comment(text: &str) -> bool {
    text.is_empty() || text.starts_with('%')
}

/// Reads the first line.
fn header(line: &Line<'_>) -> Result<Header, ReadError> {
    let words: Vec<String> = line.text.split_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["%%matrixmarket", "matrix", "coordinate", field, symmetry] => {
            let pattern = match field {
                "pattern" => true,
                "integer" | "real" | "double" => false,
                _ => return Err(line.error(format!("values of kind {field:?} are not weights"))),
            };
            let symmetric = match symmetry {
                "symmetric" => true,
                "general" => false,
                _ => return Err(line.error(format!("a {symmetry:?} matrix is not a graph here"))),
            };
            Ok(Header { symmetric, pattern })
        }
        _ => Err(line.error(
            "not a header '%%MatrixMarket matrix coordinate <field> <symmetry>' of a sparse matrix",
        )),
    }
}

/// Reads the line `rows columns entries`.
fn dimensions(line: &Line<'_>) -> Result<(usize, u64), ReadError> {
    let mut fields = line.fields();
    let rows: u64 = fields.number("the number of rows")?;
    let columns: u64 = fields.number("the number of columns")?;
    let entries = fields.number("the number of entries")?;
    fields.end()?;
    if rows != columns {
        return Err(line.error(format!("{rows} rows and {columns} columns: not a graph")));
    }
    Ok((vertex_count(line, rows)?, entries))
}

/// Reads a value; one that is written as a real number may be an integer all the same.
fn value<W: Weight + FromStr>(fields: &mut Fields<'_>) -> Result<W, ReadError> {
    let word = fields.word("a value")?;
    let whole = word.split_once('.').filter(|(_, rest)| rest.bytes().all(|digit| digit == b'0'));
    fields.parse_weight(whole.map_or(word, |(digits, _)| digits))
}

/// Writes a graph as a Matrix Market file, an entry for each edge.
///
/// # Errors
/// As the output fails.
pub fn write_matrix_market<W: Weight>(
    graph: &MatrixMarket<W>,
    mut output: impl Write,
) -> io::Result<()> {
    let symmetry = if graph.symmetric { "symmetric" } else { "general" };
    let n = graph.edges.vertices();
    writeln!(output, "%%MatrixMarket matrix coordinate {} {symmetry}", W::MATRIX_FIELD)?;
    writeln!(output, "{n} {n} {}", graph.edges.edges().len())?;
    for &(from, to, weight) in graph.edges.edges() {
        writeln!(output, "{} {} {weight}", u64::from(from) + 1, u64::from(to) + 1)?;
    }
    output.flush()
}
