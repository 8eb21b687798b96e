//! The records by which a panic leaves functions, which go where their functions go.

use object::build::{
    Id as _,
    elf::{Relocation, Section, SectionData, SectionId},
};

use super::Host;

impl Host<'_, '_> {
    /// Adds the records by which a panic leaves the functions that were copied.
    pub(super) fn add_unwinding(&mut self) -> Result<(), String> {
        let sections = self.donor.builder.sections.iter();
        let frames = sections.filter(|section| section.name.as_slice() == b".eh_frame");
        let frames: Vec<SectionId> = frames.map(Section::id).collect();
        for frame in frames {
            let SectionData::Data(data) = &self.donor.section(frame).data else { continue };
            let relocations = self.donor.relocations.get(&frame.index());
            let mut relocations: Vec<&Relocation> = relocations.into_iter().flatten().collect();
            relocations.sort_by_key(|one| one.r_offset);
            let mut bytes = Vec::new();
            let mut own = Vec::new();
            for record in records(data)? {
                let inside = |(begin, end): (usize, usize)| {
                    let before =
                        |at: usize| relocations.partition_point(|one| (one.r_offset as usize) < at);
                    &relocations[before(begin)..before(end)]
                };
                let section = inside(record.own)
                    .first()
                    .and_then(|one| one.symbol)
                    .and_then(|symbol| self.donor.builder.symbols.get(symbol).section);
                if !section.is_some_and(|section| self.copies.contains_key(&section.index())) {
                    continue;
                }
                for part in [record.shared, record.own] {
                    let begin = bytes.len();
                    bytes.extend_from_slice(&data[part.0..part.1]);
                    for one in inside(part) {
                        let r_offset = one.r_offset - part.0 as u64 + begin as u64;
                        own.push((r_offset, **one));
                    }
                }
                // The second record finds the first one, which stands in front of it.
                let at = bytes.len() - (record.own.1 - record.own.0) + 4;
                let back = (record.shared.1 - record.shared.0 + 4) as u32;
                bytes[at..at + 4].copy_from_slice(&back.to_le_bytes());
            }
            if bytes.is_empty() {
                continue;
            }
            let section = self.builder.sections.add();
            section.name = b".eh_frame"[..].into();
            section.sh_type = self.donor.section(frame).sh_type;
            section.sh_flags = self.donor.section(frame).sh_flags;
            section.sh_addralign = 8;
            section.data = SectionData::Data(bytes.into());
            let copy = section.id();
            let mut moved = Vec::new();
            for (r_offset, one) in own {
                moved.push(Relocation { r_offset, ..self.moved(&one)? });
            }
            self.add_relocations(copy, moved);
            // Tables of the records are constants without a name.
            self.copy_left()?;
        }
        Ok(())
    }
}

/// A record for unwinding, and the one that it shares with others: where each begins and ends.
pub(super) struct Record {
    pub(super) own: (usize, usize),
    pub(super) shared: (usize, usize),
}

pub(super) fn records(data: &[u8]) -> Result<Vec<Record>, String> {
    let word = |at: usize| {
        let bytes = data.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
        bytes.map(|bytes| u32::from_le_bytes(bytes) as usize).ok_or("records are cut off")
    };
    let range = |at: usize| word(at).map(|length| (at, at + 4 + length));
    let mut records = Vec::new();
    let mut at = 0;
    while at + 4 <= data.len() {
        let own = range(at)?;
        if own.1 == at + 4 {
            at += 4;
            continue;
        }
        let is_cut = |record: (usize, usize)| record.1 > data.len() || record.1 < record.0 + 8;
        if is_cut(own) {
            return Err("records for unwinding are cut off".to_owned());
        }
        let back = word(at + 4)?;
        if back != 0 {
            let shared = (at + 4).checked_sub(back).ok_or("records for unwinding are wrong")?;
            let shared = range(shared)?;
            if is_cut(shared) {
                return Err("records for unwinding are cut off".to_owned());
            }
            records.push(Record { own, shared });
        }
        at = own.1;
    }
    Ok(records)
}
