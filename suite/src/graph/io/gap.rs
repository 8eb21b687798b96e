//! The binary graphs of the GAP benchmark suite, `.sg` without weights and `.wsg` with.
//!
//! Little-endian: is it directed (1 byte), arcs (8), vertices n (8), n + 1 row starts (8 each), then each arc's target
//! (4) and, in `.wsg`, weight (4). Directed graphs repeat starts and arcs for the reverse direction.

use std::fs::File;
use std::io::{self, BufReader, Read};

use rayon::prelude::*;

use super::file::RowOrder;
use super::gap_check::Check;
use super::progress::{Meter, Metered};
use super::symmetry::Fingerprint;
use super::{Place, ReadError};
use crate::graph::csr::{pack, unpack};
use crate::graph::pages::Pages;
use crate::graph::split;
use crate::graph::{Csr, Vertex};
use crate::memory;

/// Bytes read at a time: they stay in the second-level cache until they are arcs.
const PIECE: usize = 1 << 18;
/// Bytes before the row starts.
const HEADER: u64 = 17;
/// Places of a file at which weights are looked at before it is read, and how many there.
const PLACES: u64 = 64;
const WEIGHTS_OF_PLACE: u64 = split::SAMPLE as u64 / PLACES;

/// Reads a GAP graph, whose arcs get the weight `unweighted` if the file has none (`.sg`).
///
/// Rows are split by weight as [`Csr::build`] does it. The reverse part of a directed graph is not read. Checks run in
/// parallel on the current rayon pool.
///
/// # Errors
/// Names the byte where the file ends too early or holds what no graph has: a negative number, a row that begins
/// before the last one, a target that does not exist. Says if memory cannot hold what the file declares. In an undirected
/// graph, names an arc without its reverse, which is found by hashes under a key that is drawn for each file.
pub fn read_gap(input: impl Read, unweighted: Option<u32>) -> Result<Csr<u32>, ReadError> {
    let mut input = Input { input, position: 0 };
    let layout = Layout::read(&mut input, unweighted)?;
    let offsets = layout.offsets(&mut input)?;
    let mut arcs = layout.room()?;
    let mut buffer = vec![0; PIECE];
    for piece in arcs.chunks_mut(PIECE / layout.word) {
        let bytes = &mut buffer[..piece.len() * layout.word];
        input.fill(bytes)?;
        layout.decode(bytes, piece);
    }
    let step = arcs.len().div_ceil(split::SAMPLE).max(1);
    let weights = arcs.iter().step_by(step).map(|&arc| arc as u32).collect();
    let limit = layout.limit(&offsets, weights);
    let check = Check::new(&layout, limit);
    let groups = split::groups(&offsets, &mut arcs).into_par_iter();
    let checked = groups.map_init(Vec::new, |scratch, mut group| check.group(&mut group, scratch));
    let fingerprints = checked.collect();
    layout.finish(offsets, arcs, limit, fingerprints)
}

/// Reads a GAP graph from a file: pieces of it in parallel, each checked while it is in the cache.
#[cfg(unix)]
pub(super) fn read_gap_file(
    file: &File,
    unweighted: Option<u32>,
    order: RowOrder,
    meter: &Meter<'_>,
) -> Result<Csr<u32>, ReadError> {
    use std::os::unix::fs::FileExt;

    let system = |error: io::Error| ReadError::new(Place::File, error.to_string());
    let metadata = file.metadata().map_err(system)?;
    if !metadata.is_file() {
        let input = BufReader::with_capacity(PIECE, Metered { input: file, meter });
        return read_gap(input, unweighted).map(|graph| order.of(graph));
    }
    // The data after the header goes where it belongs, and not through a buffer.
    let mut input = Input { input: BufReader::with_capacity(HEADER as usize, file), position: 0 };
    let layout = Layout::read(&mut input, unweighted)?;
    layout.must_fit(metadata.len())?;
    let offsets = layout.offsets(&mut input)?;
    meter.add(layout.start());
    let mut arcs = layout.room()?;

    let read = |bytes: &mut [u8], arc: u64| -> Result<(), ReadError> {
        let place = layout.start() + arc * layout.word as u64;
        let failed = |error: io::Error| ReadError::new(Place::Byte(place), error.to_string());
        file.read_exact_at(bytes, place).map_err(failed)
    };
    let limit = match order {
        RowOrder::LightFirst => layout.limit(&offsets, layout.sample(read)?),
        RowOrder::ByTarget => u32::MAX,
    };
    let read = |bytes: &mut [u8], arc: u64| -> Result<(), ReadError> {
        read(bytes, arc)?;
        meter.add(bytes.len() as u64);
        Ok(())
    };
    let check = Check::new(&layout, limit);
    let groups = split::groups(&offsets, &mut arcs).into_par_iter();
    let fingerprints = match layout.unweighted {
        Some(_) => groups.map_init(Vec::new, check.in_file::<u32>(&read)).collect(),
        None => groups.map_init(Vec::new, check.in_file::<[u32; 2]>(&read)).collect(),
    };
    layout.finish(offsets, arcs, limit, fingerprints)
}

/// Reads a GAP graph from a file.
#[cfg(not(unix))]
pub(super) fn read_gap_file(
    file: &File,
    unweighted: Option<u32>,
    order: RowOrder,
    meter: &Meter<'_>,
) -> Result<Csr<u32>, ReadError> {
    let input = BufReader::with_capacity(PIECE, Metered { input: file, meter });
    read_gap(input, unweighted).map(|graph| order.of(graph))
}

/// The declarations in the first bytes of a file.
pub(super) struct Layout {
    pub(super) directed: bool,
    arcs: u64,
    pub(super) vertices: u64,
    /// The weight of all arcs, if the file has none.
    pub(super) unweighted: Option<u32>,
    /// Bytes of an arc in the file.
    pub(super) word: usize,
}

impl Layout {
    fn read<R: Read>(input: &mut Input<R>, unweighted: Option<u32>) -> Result<Self, ReadError> {
        let directed = match input.array::<1>()?[0] {
            0 => false,
            1 => true,
            other => {
                let reason = format!("{other} is neither 0 nor 1 (directed?)");
                return Err(ReadError::new(Place::Byte(0), reason));
            }
        };
        let arcs = input.count("arcs", u64::MAX)?;
        let vertices = input.count("vertices", 1 << 32)?;
        let word = if unweighted.is_some() { 4 } else { 8 };
        let layout = Self { directed, arcs, vertices, unweighted, word };
        layout.must_fit_memory()?;
        Ok(layout)
    }

    /// Where the arcs start.
    pub(super) fn start(&self) -> u64 {
        HEADER + 8 * (self.vertices + 1)
    }

    /// Is there memory for the graph?
    fn must_fit_memory(&self) -> Result<(), ReadError> {
        let what = format!("a graph of {} vertices and {} arcs", self.vertices, self.arcs);
        let bytes = self.arcs.checked_mul(8).and_then(|bytes| bytes.checked_add(self.start()));
        memory::require(&what, bytes).map_err(|error| ReadError::new(Place::File, error))
    }

    /// Is a file of this length long enough? Called after [`must_fit_memory`](Self::must_fit_memory), so sums do not
    /// overflow.
    fn must_fit(&self, length: u64) -> Result<(), ReadError> {
        let bytes = self.start() + self.arcs * self.word as u64;
        if bytes <= length {
            return Ok(());
        }
        let Self { vertices, arcs, .. } = self;
        let reason =
            format!("the file ends, but {vertices} vertices and {arcs} arcs take {bytes} bytes");
        Err(ReadError::new(Place::Byte(length), reason))
    }

    /// Reads where each row starts.
    fn offsets<R: Read>(&self, input: &mut Input<R>) -> Result<Pages<usize>, ReadError> {
        let start = input.position;
        let mut offsets: Pages<usize> = room(self.vertices + 1)?;
        let (mut last, mut descends) = (0, false);
        for piece in offsets.chunks_mut(PIECE / 8) {
            input.fill_starts(piece)?;
            // Counted, not searched for: without a way out, many are compared at once.
            let within = piece.iter().zip(&piece[1..]).filter(|(one, next)| one > next).count();
            descends |= last > piece[0] || within > 0;
            last = piece[piece.len() - 1];
        }
        if descends && let Some(row) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            let reason = format!("row {} begins before row {row} does", row + 1);
            return Err(ReadError::new(Place::Byte(start + 8 * (row as u64 + 1)), reason));
        }
        let arcs = self.arcs as usize;
        if offsets.first() != Some(&0) || offsets.last() != Some(&arcs) {
            let reason = format!("rows do not span 0 to {arcs} arcs");
            return Err(ReadError::new(Place::Byte(start), reason));
        }
        Ok(offsets)
    }

    /// Memory for all arcs, which takes none until it is written to.
    fn room(&self) -> Result<Pages<u64>, ReadError> {
        room(self.arcs)
    }

    /// Makes arcs of bytes of the file.
    #[inline]
    fn decode(&self, bytes: &[u8], arcs: &mut [u64]) {
        match self.unweighted {
            Some(weight) => {
                for (arc, &word) in arcs.iter_mut().zip(bytes.as_chunks().0) {
                    *arc = pack(u32::from_le_bytes(word), weight);
                }
            }
            None => {
                for (arc, &word) in arcs.iter_mut().zip(bytes.as_chunks().0) {
                    // Target first, so the low half in this order.
                    *arc = u64::from_le_bytes(word).rotate_left(32);
                }
            }
        }
    }

    /// Some weights, from all over the file.
    #[cfg(unix)]
    fn sample(
        &self,
        read: impl Fn(&mut [u8], u64) -> Result<(), ReadError>,
    ) -> Result<Vec<u32>, ReadError> {
        let (Some(last), None) = (self.arcs.checked_sub(1), self.unweighted) else {
            return Ok(Vec::new());
        };
        let mut weights = Vec::new();
        for place in 0..PLACES.min(self.arcs) {
            let first = (u128::from(last) * u128::from(place) / u128::from(PLACES)) as u64;
            let count = WEIGHTS_OF_PLACE.min(self.arcs - first) as usize;
            let mut arcs = vec![0; count];
            let mut bytes = vec![0; count * self.word];
            read(&mut bytes, first)?;
            self.decode(&bytes, &mut arcs);
            weights.extend(arcs.iter().map(|&arc| arc as u32));
        }
        Ok(weights)
    }

    /// The weight at which rows are split.
    fn limit(&self, offsets: &[usize], weights: Vec<u32>) -> u32 {
        if self.directed {
            return u32::MAX;
        }
        split::limit(weights, &split::Degrees::of_rows(offsets))
    }

    /// Makes the graph, if no group of rows has an error and undirected ones are symmetric: searches rely on it.
    fn finish(
        &self,
        offsets: Pages<usize>,
        arcs: Pages<u64>,
        limit: u32,
        fingerprints: Vec<Result<Fingerprint, ReadError>>,
    ) -> Result<Csr, ReadError> {
        let mut all = Fingerprint::new();
        for fingerprint in fingerprints {
            all = all.and(&fingerprint?);
        }
        let graph = Csr::from_parts(offsets, arcs, limit, !self.directed);
        if graph.is_undirected() && !all.is_symmetric() {
            must_be_symmetric(&graph)?;
        }
        Ok(graph)
    }
}

/// Allocates this number of words.
fn room<T: bytemuck::Pod>(words: u64) -> Result<Pages<T>, ReadError> {
    let words = usize::try_from(words).unwrap_or(usize::MAX);
    Pages::try_zeroed(words).map_err(|error| ReadError::new(Place::File, error.to_string()))
}

/// Names an arc without reverse, if there is one. (Parallel arcs may be there more often in one direction.)
#[cold]
fn must_be_symmetric(graph: &Csr) -> Result<(), ReadError> {
    let missing = (0..graph.vertices() as Vertex).into_par_iter().find_map_first(|from| {
        let mut ends = graph.row(from).iter().map(|&arc| unpack::<u32, _>(arc));
        ends.find(|&(to, weight)| !graph.has_arc(to, pack(from, weight))).map(|(to, _)| (from, to))
    });
    match missing {
        None => Ok(()),
        Some((from, to)) => {
            let reason = format!("the graph is undirected, but arc ({from}, {to}) has no reverse");
            Err(ReadError::new(Place::File, reason))
        }
    }
}

/// Input that knows how far it has been read.
struct Input<R> {
    input: R,
    position: u64,
}

impl<R: Read> Input<R> {
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
            _ => {
                let reason = format!("{number} is not a possible number of {what}");
                Err(ReadError::new(Place::Byte(place), reason))
            }
        }
    }

    /// Row starts, which are numbers of 64 bits in a file. One that does not fit is larger than the last one.
    fn fill_starts(&mut self, starts: &mut [usize]) -> Result<(), ReadError> {
        if size_of::<usize>() == size_of::<u64>() {
            self.fill(bytemuck::cast_slice_mut(starts))?;
            starts.iter_mut().for_each(|start| *start = usize::from_le(*start));
            return Ok(());
        }
        for start in starts {
            *start = usize::try_from(u64::from_le_bytes(self.array()?)).unwrap_or(usize::MAX);
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
            ReadError::new(Place::Byte(self.position), reason)
        })?;
        self.position += buffer.len() as u64;
        Ok(())
    }
}
