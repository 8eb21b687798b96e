//! Cuts `.eh_frame` into its records. A record describes how a panic leaves a function, and by its table which
//! clean-up runs: code that a kernel may execute.

use object::{RelocationTarget, SymbolIndex};

use super::inputs::Relocation;

/// Records about one function, or shared by several.
#[derive(Clone)]
pub(super) struct Record {
    pub(super) section: usize,
    /// Its bytes after length and identification.
    pub(super) data: Vec<u8>,
    /// Its relocations, relative to these bytes.
    pub(super) relocations: Vec<Relocation>,
    /// The symbol of the function that it is about; `None` for a shared record.
    pub(super) function: Option<SymbolIndex>,
    pub(super) common: Option<Box<Record>>,
}

pub(super) fn records(
    data: &[u8],
    section: usize,
    relocations: &[Relocation],
) -> Result<Vec<Record>, String> {
    let word = |at: usize| {
        let bytes: Option<[u8; 4]> = data.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or("its records for unwinding are cut off")
    };
    let body = |at: usize| -> Result<Record, String> {
        let end = at + 4 + word(at)? as usize;
        let begin = at + 8;
        let bytes = data.get(begin..end).ok_or("its records for unwinding are cut off")?;
        let first = relocations.partition_point(|one| one.at < begin as u64);
        let own = relocations[first..].iter().take_while(|one| one.at < end as u64);
        let own: Vec<Relocation> =
            own.map(|one| Relocation { at: one.at - begin as u64, ..one.clone() }).collect();
        // At the end stand instructions that do nothing, as many as fill the record.
        let needed = own.last().map_or(0, |last| last.at as usize + 4);
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        Ok(Record {
            section,
            data: bytes[..used.max(needed).min(bytes.len())].to_vec(),
            relocations: own,
            function: None,
            common: None,
        })
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let length = word(at)? as usize;
        if length == 0 {
            at += 4;
            continue;
        }
        if length == u32::MAX as usize {
            return Err("its records for unwinding are of the long kind".to_owned());
        }
        let back = word(at + 4)? as usize;
        if back != 0 {
            let mut record = body(at)?;
            let first = record.relocations.first().filter(|one| one.at == 0);
            record.function = first.and_then(|one| match one.target {
                RelocationTarget::Symbol(symbol) => Some(symbol),
                _ => None,
            });
            let common = (at + 4).checked_sub(back).ok_or("its records for unwinding are wrong")?;
            record.common = Some(Box::new(body(common)?));
            found.push(record);
        }
        at += 4 + length;
    }
    Ok(found)
}
