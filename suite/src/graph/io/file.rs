//! Graph files by name: the ending selects the format, and `.gz` after it unpacks on the way.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::gap::read_gap_file;
use super::progress::{Meter, Metered, Progress};
use super::{
    MatrixMarket, ReadError, read_dimacs, read_edge_list, read_gap, read_matrix_market,
    write_dimacs, write_edge_list, write_gap, write_matrix_market,
};
use crate::graph::{Build, Csr, EdgeList, Vertex};
use crate::memory;

/// Vertices of a graph that may have no edges at all: 32 MB of row starts.
const ISOLATED: u64 = 1 << 22;
/// Vertices per edge at most, in larger graphs: a few bytes of text must not take gigabytes.
const VERTICES_PER_EDGE: u64 = 64;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// DIMACS: `.gr`.
    Dimacs,
    /// Matrix Market: `.mtx`.
    MatrixMarket,
    /// SNAP edge list: `.el`, `.wel`, `.txt`, `.edges`.
    EdgeList,
    /// GAP without weights: `.sg`.
    Gap,
    /// GAP with weights: `.wsg`.
    GapWeighted,
}

impl Format {
    /// Returns the format of a file name's ending, `.gz` aside.
    pub fn of(path: &Path) -> Option<Self> {
        match unpacked_name(path).extension()?.to_str()? {
            "gr" => Some(Self::Dimacs),
            "mtx" => Some(Self::MatrixMarket),
            "el" | "wel" | "txt" | "edges" => Some(Self::EdgeList),
            "sg" => Some(Self::Gap),
            "wsg" => Some(Self::GapWeighted),
            _ => None,
        }
    }
}

/// The name without `.gz`.
fn unpacked_name(path: &Path) -> PathBuf {
    if is_packed(path) { path.with_extension("") } else { path.to_owned() }
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "gz")
}

/// Reads a graph for searches: without self-loops, with the lightest of parallel edges. Unweighted edges weigh 1.
///
/// Edge lists and symmetric matrices become undirected graphs; DIMACS files and general matrices stay directed.
/// (GAP files are taken as they are.)
///
/// # Errors
/// Names the file, the place in it and the reason.
pub fn read_file(path: &Path) -> Result<Csr<u32>, String> {
    read_file_watched(path, RowOrder::LightFirst, &|_| ())
}

/// In which order the arcs of a vertex stand in a graph that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// Split by weight, as [`Csr::build`] does it: searches for shortest paths relax light arcs first.
    LightFirst,
    /// Sorted by target alone, for kernels that have no use for weights. GAP files take less time to read this way.
    ByTarget,
}

impl RowOrder {
    /// A graph whose rows are split, in this order.
    pub(super) fn of(self, graph: Csr<u32>) -> Csr<u32> {
        match self {
            Self::LightFirst => graph,
            Self::ByTarget => graph.split_at(u32::MAX),
        }
    }
}

/// As [`read_file`], with the arcs of each vertex in an order. It reports its progress after every 64 to 512 KiB of
/// the file, from any thread. Reports are in the order of the file if it is text or compressed, and about in that
/// order otherwise. An [`Announcer`](super::Announcer) shows it on a terminal.
///
/// # Errors
/// Names the file, the place in it and the reason.
pub fn read_file_watched(
    path: &Path,
    order: RowOrder,
    listener: &(dyn Fn(Progress) + Sync),
) -> Result<Csr<u32>, String> {
    let named = |error: ReadError| format!("{}: {error}", path.display());
    let unknown = || {
        format!(
            "{}: not known by its ending; known are .gr, .mtx, .el, .wel, .txt, .edges, .sg and .wsg, \
             each with .gz or without",
            path.display()
        )
    };
    let format = Format::of(path).ok_or_else(unknown)?;
    let plain = |error: io::Error| format!("{}: {error}", path.display());
    let unweighted = match format {
        Format::Gap => Some(1),
        _ => None,
    };
    let file = File::open(path).map_err(plain)?;
    let length = file.metadata().map_err(plain)?.len();
    let meter = Meter::new(length, listener);
    if matches!(format, Format::Gap | Format::GapWeighted) && !is_packed(path) {
        return read_gap_file(&file, unweighted, order, &meter).map_err(named);
    }
    let input = unpacked(Metered { input: file, meter: &meter }, path).map_err(plain)?;
    let (edges, options) = match format {
        Format::Dimacs => (read_dimacs(input).map_err(named)?, Build::DIRECTED),
        Format::MatrixMarket => {
            let MatrixMarket { edges, symmetric } = read_matrix_market(input, 1).map_err(named)?;
            (edges, if symmetric { Build::UNDIRECTED } else { Build::DIRECTED })
        }
        Format::EdgeList => (read_edge_list(input, 1).map_err(named)?, Build::UNDIRECTED),
        Format::Gap | Format::GapWeighted => {
            let graph = read_gap(input, unweighted).map_err(named)?;
            return Ok(order.of(graph));
        }
    };
    // A line of text can declare more vertices than there is memory for, or than anybody would draw so few edges between.
    let (vertices, count) = (edges.vertices() as u64, edges.edges().len() as u64);
    if vertices > ISOLATED && vertices / VERTICES_PER_EDGE > count {
        return Err(format!(
            "{}: {vertices} vertices and {count} edges: beyond {ISOLATED} vertices, a graph has an edge for every \
             {VERTICES_PER_EDGE} of them; number them without gaps",
            path.display()
        ));
    }
    let what = format!("{}: a graph of {vertices} vertices", path.display());
    memory::require(&what, Csr::<u32>::peak_bytes(vertices, count, options))?;
    Ok(order.of(Csr::build(&edges, options)))
}

/// Returns the contents of a file of this name.
fn unpacked<'a>(file: Metered<'a, File>, path: &Path) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let file = BufReader::with_capacity(1 << 16, file);
    if !is_packed(path) {
        return Ok(Box::new(file));
    }
    #[cfg(feature = "gzip")]
    {
        // Several members in a row are one file, as `gzip` has it.
        Ok(Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(file))))
    }
    #[cfg(not(feature = "gzip"))]
    {
        Err(io::Error::other("compressed; build plusminus-suite with its feature gzip to read it"))
    }
}

/// Writes a graph in the format of the name's ending, through a temporary file in the same folder, so that a file of
/// that name is whole or not there.
///
/// Undirected graphs are written with one edge per pair, except in DIMACS and GAP files, which list both directions.
///
/// # Errors
/// Names the file and the reason.
pub fn write_file(graph: &Csr<u32>, path: &Path) -> Result<(), String> {
    let named = |error: io::Error| format!("{}: {error}", path.display());
    let format = Format::of(path)
        .ok_or_else(|| format!("{}: not a known ending of a graph file", path.display()))?;
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(name);
    let written = create(&part, is_packed(path))
        .and_then(|output| write(graph, format, output))
        .and_then(|()| std::fs::rename(&part, path));
    written.map_err(|error| {
        // The remains are useless. Failing to remove them adds nothing to the error.
        let _ = std::fs::remove_file(&part);
        named(error)
    })
}

fn create(path: &Path, packed: bool) -> io::Result<Box<dyn Write>> {
    let file = BufWriter::with_capacity(1 << 16, File::create(path)?);
    if !packed {
        return Ok(Box::new(file));
    }
    #[cfg(feature = "gzip")]
    {
        Ok(Box::new(flate2::write::GzEncoder::new(file, flate2::Compression::default())))
    }
    #[cfg(not(feature = "gzip"))]
    {
        drop(file);
        Err(io::Error::other("to be compressed; build plusminus-suite with its feature gzip"))
    }
}

fn write(graph: &Csr<u32>, format: Format, output: impl Write) -> io::Result<()> {
    match format {
        Format::Dimacs => write_dimacs(&arcs(graph, |_, _| true), output),
        Format::MatrixMarket => {
            let symmetric = graph.is_undirected();
            // A symmetric matrix lists its lower triangle.
            let edges = arcs(graph, |row, column| !symmetric || column <= row);
            write_matrix_market(&MatrixMarket { edges, symmetric }, output)
        }
        Format::EdgeList => {
            let undirected = graph.is_undirected();
            write_edge_list(&arcs(graph, |from, to| !undirected || from <= to), output)
        }
        Format::Gap => write_gap(graph, false, output),
        Format::GapWeighted => write_gap(graph, true, output),
    }
}

/// Those arcs that are wanted.
fn arcs(graph: &Csr<u32>, wanted: impl Fn(Vertex, Vertex) -> bool) -> EdgeList<u32> {
    let wanted = &wanted;
    let edges = (0..graph.vertices() as Vertex)
        .flat_map(|from| {
            let row = graph.neighbours_by_target(from).filter(move |&(to, _)| wanted(from, to));
            row.map(move |(to, weight)| (from, to, weight))
        })
        .collect();
    EdgeList::trusted(graph.vertices(), edges)
}
