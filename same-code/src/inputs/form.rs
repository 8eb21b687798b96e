//! Whether an object file holds the machine code that becomes a part of the program.

use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, SymbolSection,
    elf::{ET_REL, SHN_LORESERVE, SHT_NOBITS, STT_FILE, STT_NOTYPE, STT_SECTION},
    read::elf::{FileHeader as _, SectionHeader as _, Sym as _},
};

use super::objects::Elf;

/// Checks that the code of an object is complete, and that its symbols are defined as they claim.
pub(super) fn check(elf: &Elf<'_>, plugin: bool) -> Result<(), String> {
    let endian = elf.endian();
    if elf.elf_header().e_type(endian) != ET_REL {
        return Err("is no object file, but a finished program or library".to_owned());
    }
    let mut sections = Vec::new();
    for section in elf.sections() {
        let name = section.name_bytes().unwrap_or(b"");
        if name.starts_with(b".gnu.lto_") && plugin {
            return Err("has its code in a form for link-time optimization by the linker's plugin"
                .to_owned());
        }
        if [&b".deplibs"[..], b".linker-options"].contains(&name) && section.size() > 0 {
            return Err("tells the linker what else to link".to_owned());
        }
        let has_bytes = section.elf_section_header().sh_type(endian) != SHT_NOBITS;
        if has_bytes && section.data().is_err() {
            return Err(format!("lacks the bytes of {}", String::from_utf8_lossy(name)));
        }
        sections.push((section.index().0, section.size()));
    }
    for symbol in elf.symbols() {
        let name = symbol.name_bytes().unwrap_or(b"");
        if name == b"__gnu_lto_slim" {
            return Err(
                "has no machine code: GCC makes it when the program is linked (-flto)".to_owned()
            );
        }
        let lacking =
            || Err(format!("lacks what its symbol {} promises", String::from_utf8_lossy(name)));
        let kind = symbol.elf_symbol().st_type();
        match symbol.section() {
            SymbolSection::Section(index) => {
                let size = sections.binary_search_by_key(&index.0, |(index, _)| *index).ok();
                let Some(size) = size.map(|at| sections[at].1) else { return lacking() };
                let end = symbol.address().checked_add(symbol.size());
                let is_place = ![STT_SECTION, STT_NOTYPE].contains(&kind);
                if end.is_none_or(|end| end > size && is_place) {
                    return lacking();
                }
            }
            SymbolSection::Unknown if kind != STT_FILE => return lacking(),
            _ => {}
        }
        // The number of a section that does not exist.
        let number = symbol.elf_symbol().st_shndx(endian).0;
        if number < SHN_LORESERVE && usize::from(number) > sections.len() {
            return lacking();
        }
    }
    Ok(())
}
