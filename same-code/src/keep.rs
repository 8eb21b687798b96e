//! Keeps a graph at the end of the program that it describes, where loaders, copies and caches leave it alone.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use super::graph::Graph;

/// The last bytes of a program that carries a graph. The length of the graph stands before them.
const MARK: &[u8; 16] = b"plusminus code B";

pub(super) fn append(program: &Path, graph: &Graph) -> io::Result<()> {
    let bytes = postcard::to_stdvec(graph).map_err(io::Error::other)?;
    let length = (bytes.len() as u64).to_le_bytes();
    // In one piece: half a graph would be none, but longer.
    let all = [&bytes, &length[..], MARK].concat();
    OpenOptions::new().append(true).open(program)?.write_all(&all)
}

/// Whether a program carries a graph.
pub fn carries_code(program: &Path) -> io::Result<bool> {
    let mut file = File::open(program)?;
    let begin = file.metadata()?.len().saturating_sub(MARK.len() as u64);
    file.seek(SeekFrom::Start(begin))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok(end == MARK)
}

pub(super) fn find(program: &[u8]) -> Result<Option<Graph>, String> {
    let Some(rest) = program.strip_suffix(MARK) else { return Ok(None) };
    let damaged = || "what the linker was given is damaged at the end of the program".to_owned();
    let (rest, length) = rest.split_last_chunk::<8>().ok_or_else(damaged)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
    let begin = rest.len().checked_sub(length).ok_or_else(damaged)?;
    postcard::from_bytes(&rest[begin..]).map(Some).map_err(|_| damaged())
}
