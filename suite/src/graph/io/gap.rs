//! The binary graphs of the GAP benchmark suite, `.sg` without weights and `.wsg` with.
//!
//! Little-endian: is it directed (1 byte), arcs (8), vertices n (8), n + 1 row starts (8 each), then each arc's target
//! (4) and, in `.wsg`, weight (4). Directed graphs repeat starts and arcs for the reverse direction.

use std::io::{self, Read, Write};

use super::{Place, ReadError};
use crate::graph::csr::{pack, unpack};
use crate::graph::{Csr, Vertex};

/// Elements read at a time: memory grows with what the file holds, not with what it claims to hold.
const CHUNK: u64 = 1 << 16;

/// Reads a GAP graph, whose arcs get the weight `unweighted` if the file has none (`.sg`).
///
/// Rows come out sorted by target, then weight. The reverse part of a directed graph is not read.
///
/// # Errors
/// Names the byte where the file ends too early or holds what no graph has: a negative number, a row that begins
/// before the last one, a target that does not exist.
pub fn read_gap(input: impl Read, unweighted: Option<u32>) -> Result<Csr<u32>, ReadError> {
    let mut bytes = Bytes { input, position: 0 };
    let directed = match bytes.array::<1>()?[0] {
        0 => false,
        1 => true,
        other => return Err(bytes.error(0, format!("{other} is neither 0 nor 1 (directed?)"))),
    };
    let arcs = bytes.count("arcs", u64::MAX)?;
    let vertices = bytes.count("vertices", 1 << 32)?;
    let offsets = offsets(&mut bytes, vertices, arcs)?;
    let start = bytes.position;
    let mut rows = Vec::new();
    match unweighted {
        Some(weight) => bytes.each::<4>(arcs, |word| {
            rows.push(pack(i32::from_le_bytes(*word) as Vertex, weight));
        })?,
        None => bytes.each::<8>(arcs, |word| {
            // Target first, so the low half in this order.
            rows.push(u64::from_le_bytes(*word).rotate_left(32));
        })?,
    }
    let size = if unweighted.is_some() { 4 } else { 8 };
    for (index, &arc) in rows.iter().enumerate() {
        let (target, weight) = ((arc >> 32) as Vertex, arc as u32);
        let place = Place::Byte(start + index as u64 * size);
        if u64::from(target) >= vertices {
            let reason = format!("arc {index} leads to {target}, one of {vertices} vertices");
            return Err(ReadError::new(place, reason));
        }
        if weight > i32::MAX as u32 {
            let reason = format!("arc {index} has the negative weight {}", weight as i32);
            return Err(ReadError::new(place, reason));
        }
    }
    for pair in offsets.windows(2) {
        rows[pair[0]..pair[1]].sort_unstable();
    }
    let graph = Csr::from_parts(offsets, rows, !directed);
    if !directed {
        symmetric(&graph)?;
    }
    Ok(graph)
}

/// Makes sure that a graph which says so is undirected: searches rely on it.
fn symmetric(graph: &Csr) -> Result<(), ReadError> {
    for from in 0..graph.vertices() as Vertex {
        for &arc in graph.row(from) {
            let (to, weight) = unpack::<u32>(arc);
            if graph.row(to).binary_search(&pack(from, weight)).is_err() {
                let reason =
                    format!("the graph is undirected, but arc ({from}, {to}) has no reverse");
                return Err(ReadError::new(Place::File, reason));
            }
        }
    }
    Ok(())
}

/// Reads where each row starts.
fn offsets<R: Read>(
    bytes: &mut Bytes<R>,
    vertices: u64,
    arcs: u64,
) -> Result<Vec<usize>, ReadError> {
    let start = bytes.position;
    let mut offsets: Vec<usize> = Vec::new();
    bytes.each::<8>(vertices + 1, |word| offsets.push(u64::from_le_bytes(*word) as usize))?;
    let ordered = offsets.first() == Some(&0) && offsets.last() == Some(&(arcs as usize));
    let falls = offsets.windows(2).position(|pair| pair[0] > pair[1]);
    match (falls, ordered) {
        (Some(row), _) => {
            let reason = format!("row {} begins before row {row} does", row + 1);
            Err(ReadError::new(Place::Byte(start + 8 * (row as u64 + 1)), reason))
        }
        (None, false) => {
            Err(ReadError::new(Place::Byte(start), format!("rows do not span 0 to {arcs} arcs")))
        }
        (None, true) => Ok(offsets),
    }
}

/// Writes a graph as GAP's `.wsg`, or `.sg` if weights are left out.
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
        for (target, weight) in graph.neighbours(vertex) {
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

/// Input that knows how far it has been read.
struct Bytes<R> {
    input: R,
    position: u64,
}

impl<R: Read> Bytes<R> {
    fn error(&self, place: u64, reason: impl Into<String>) -> ReadError {
        ReadError::new(Place::Byte(place), reason)
    }

    /// The next few bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let mut word = [0; N];
        self.fill(&mut word)?;
        Ok(word)
    }

    /// A number of things, which the format writes as a signed word.
    fn count(&mut self, what: &str, most: u64) -> Result<u64, ReadError> {
        let place = self.position;
        let number = i64::from_le_bytes(self.array()?);
        match u64::try_from(number) {
            Ok(count) if count <= most => Ok(count),
            _ => Err(self.error(place, format!("{number} is not a possible number of {what}"))),
        }
    }

    /// Calls for each of so many words.
    fn each<const N: usize>(
        &mut self,
        words: u64,
        mut call: impl FnMut(&[u8; N]),
    ) -> Result<(), ReadError> {
        let mut buffer = vec![0; N * words.min(CHUNK) as usize];
        let mut left = words;
        while left > 0 {
            let now = left.min(CHUNK);
            let part = &mut buffer[..N * now as usize];
            self.fill(part)?;
            let (whole, _) = part.as_chunks::<N>();
            whole.iter().for_each(&mut call);
            left -= now;
        }
        Ok(())
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), ReadError> {
        self.input.read_exact(buffer).map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    format!("the file ends within the next {} bytes", buffer.len())
                }
                _ => error.to_string(),
            };
            self.error(self.position, reason)
        })?;
        self.position += buffer.len() as u64;
        Ok(())
    }
}
