//! The parts of a shared library, or of an archive of the system, that concern a program: the symbols that both may
//! define or refer to, and the libraries that it needs.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use object::{
    Endianness, Object as _, ObjectSymbol as _,
    elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME, ET_DYN},
    read::{
        archive::ArchiveFile,
        elf::{ElfFile64, FileHeader as _},
    },
};

/// A library that is not a part of the program's graph.
#[derive(Debug, Default)]
pub(super) struct Outside {
    /// The symbols that it defines or refers to, and whether it defines them.
    pub(super) symbols: BTreeMap<Vec<u8>, bool>,
    /// The name under which programs ask the loader for it, if that is not the name of its file.
    pub(super) name: Option<String>,
    pub(super) needs: Vec<String>,
    pub(super) folders: Vec<PathBuf>,
}

pub(super) fn is_shared(bytes: &[u8]) -> bool {
    ElfFile64::<Endianness>::parse(bytes)
        .is_ok_and(|elf| elf.elf_header().e_type(elf.endian()) == ET_DYN)
}

/// The machine that an ELF file is for.
pub(super) fn machine(bytes: &[u8]) -> Option<[u8; 2]> {
    let number = bytes.get(18..20).filter(|_| bytes.starts_with(b"\x7fELF"))?;
    number.try_into().ok()
}

/// Reads a shared library.
pub(super) fn library(path: &Path, bytes: &[u8]) -> Result<Outside, String> {
    let wrong = |reason| format!("{} is not a library that can be read: {reason}", path.display());
    let elf = ElfFile64::<Endianness>::parse(bytes).map_err(wrong)?;
    let mut outside = Outside::default();
    for symbol in elf.dynamic_symbols().filter(|symbol| !symbol.is_local()) {
        let name = symbol.name_bytes().map_err(wrong)?.to_vec();
        *outside.symbols.entry(name).or_default() |= !symbol.is_undefined();
    }
    let dynamic = elf.elf_dynamic_table().map_err(wrong)?;
    // Without sections nothing is found, though the loader needs none.
    if dynamic.is_empty() {
        return Err(format!("{} does not say which libraries it needs", path.display()));
    }
    let origin = path.parent().unwrap_or(Path::new("")).display().to_string();
    for entry in &dynamic {
        if ![DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME].contains(&entry.tag) {
            continue;
        }
        let text = String::from_utf8_lossy(dynamic.string(entry).map_err(wrong)?).into_owned();
        if entry.tag == DT_NEEDED {
            outside.needs.push(text);
        } else if entry.tag == DT_SONAME {
            outside.name = Some(text);
        } else {
            outside.folders.extend(text.split(':').map(|folder| with_origin(folder, &origin)));
        }
    }
    Ok(outside)
}

/// The libraries that a finished program has the loader load; none where it loads nothing. A linker that is asked to passes over
/// libraries of its command line.
pub(crate) fn loaded(program: &[u8]) -> BTreeSet<String> {
    library(Path::new(""), program).unwrap_or_default().needs.into_iter().collect()
}

/// A folder for the loader, in which `$ORIGIN` is that of the file that names it.
pub(super) fn with_origin(folder: &str, origin: &str) -> PathBuf {
    folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin).into()
}

/// Reads an archive of the system, of which only the names matter: its content is compared as a whole.
pub(super) fn archive(path: &Path, bytes: &[u8]) -> Result<Outside, String> {
    let wrong = |reason| format!("{} is not an archive that can be read: {reason}", path.display());
    let mut outside = Outside::default();
    let archive = ArchiveFile::parse(bytes).map_err(wrong)?;
    if archive.is_thin() {
        return Err(format!("{} only names its objects", path.display()));
    }
    for member in archive.members() {
        let data = member.and_then(|member| member.data(bytes)).map_err(wrong)?;
        let Ok(elf) = ElfFile64::<Endianness>::parse(data) else { continue };
        for symbol in elf.symbols().filter(|symbol| !symbol.is_local()) {
            let name = symbol.name_bytes().map_err(wrong)?.to_vec();
            *outside.symbols.entry(name).or_default() |= !symbol.is_undefined();
        }
    }
    Ok(outside)
}
