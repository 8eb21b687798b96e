//! The members of archives that a linker has taken, as its map lists them.

use std::collections::{HashMap, HashSet};

use object::read::archive::ArchiveFile;

use super::objects::Input;

/// The members of archives in a linker's map, which has each as `…/archive(member)`.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Names of archives without their folders, with a member each.
    listed: HashSet<(Vec<u8>, Vec<u8>)>,
}

/// Whether the linker has taken a member of an archive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fate {
    Taken,
    PassedOver,
    /// Two members have its name, or a map cannot have it.
    Unknown,
}

impl Taken {
    /// Reads the map of GNU ld, gold, lld or mold.
    pub(crate) fn of(map: &[u8]) -> Self {
        let mut listed = HashSet::new();
        for line in map.split(|byte| *byte == b'\n') {
            let mut rest = line;
            while let Some(open) = rest.iter().position(|byte| *byte == b'(') {
                let (before, after) = (&rest[..open], &rest[open + 1..]);
                let begin = before.iter().rposition(|byte| is_border(*byte));
                let archive = &before[begin.map_or(0, |begin| begin + 1)..];
                let end = after.iter().position(|byte| *byte == b')');
                if let Some(end) = end.filter(|_| !archive.is_empty()) {
                    listed.insert((archive.to_vec(), after[..end].to_vec()));
                }
                rest = after;
            }
        }
        Self { listed }
    }

    /// Whether a member was taken. `all` counts the members of every name.
    pub(super) fn fate(&self, all: &Members, archive: &str, member: &str) -> Fate {
        let name = (archive.as_bytes().to_vec(), member.as_bytes().to_vec());
        let odd = |byte: &u8| is_border(*byte) || b"()".contains(byte);
        if archive.bytes().any(|byte| odd(&byte))
            || member.bytes().any(|byte| b"()\n".contains(&byte))
        {
            return Fate::Unknown;
        }
        match (self.listed.contains(&name), all.get(&name)) {
            (false, _) => Fate::PassedOver,
            (true, Some(1)) => Fate::Taken,
            (true, _) => Fate::Unknown,
        }
    }
}

fn is_border(byte: u8) -> bool {
    byte == b'/' || byte.is_ascii_whitespace()
}

/// How often a member of a name is in an archive of a name.
pub(super) type Members = HashMap<(Vec<u8>, Vec<u8>), usize>;

pub(super) fn members(inputs: &[Input]) -> Members {
    let mut all = Members::new();
    for input in inputs {
        let Ok(archive) = ArchiveFile::parse(&*input.bytes) else { continue };
        for member in archive.members().flatten() {
            *all.entry((input.name.as_bytes().to_vec(), member.name().to_vec())).or_default() += 1;
        }
    }
    all
}
