//! Object files and archives of them, as the linker gets them.

use std::collections::{BTreeSet, HashMap, HashSet};

use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags,
    RelocationTarget, SectionIndex, SymbolKind, SymbolSection,
    elf::{ET_REL, SHN_LORESERVE, SHT_NOBITS, STT_FILE, STT_NOTYPE, STT_SECTION},
    read::{
        archive::ArchiveFile,
        elf::{ElfFile64, FileHeader as _, SectionHeader as _, Sym as _},
    },
};

use super::{
    Asked,
    taken::{Fate, members},
};
use crate::{identity::HARNESS, unwinding};

#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The linker takes it, or all of an archive, whether or not it is needed.
    pub(crate) certain: bool,
    /// The compiler brings it along with the standard library.
    pub(crate) of_standard: bool,
}

pub(super) type Elf<'a> = ElfFile64<'a, Endianness>;

#[derive(Clone)]
pub(crate) struct Relocation {
    pub(crate) at: u64,
    pub(crate) kind: u32,
    pub(crate) addend: i64,
    pub(crate) target: RelocationTarget,
}

/// An object with its relocations, by section.
pub(super) struct Object<'a> {
    pub(super) elf: Elf<'a>,
    pub(super) certain: bool,
    pub(super) of_standard: bool,
    pub(super) of_harness: bool,
    pub(super) relocations: HashMap<usize, Vec<Relocation>>,
    /// The names of the content of each section, without the names that compilers make up.
    pub(super) names: HashMap<usize, Vec<&'a str>>,
    /// For each section of functions, its records for unwinding.
    pub(super) unwinding: HashMap<usize, Vec<unwinding::Record>>,
}

#[derive(Default)]
pub(super) struct Objects<'a> {
    pub(super) linked: Vec<Object<'a>>,
    /// Symbols that members of archives define which the linker has passed over.
    pub(super) passed_over: HashSet<&'a [u8]>,
}

pub(super) fn objects<'a>(inputs: &'a [Input], asked: &Asked) -> Result<Objects<'a>, String> {
    let mut objects = Objects::default();
    let all = members(inputs);
    for input in inputs {
        if !input.bytes.starts_with(b"!<arch>") && !input.bytes.starts_with(b"!<thin>") {
            let own = object(&input.bytes, &input.name, input.certain, asked.plugin)?;
            let of_standard = input.of_standard && is_of_rust(&input.name);
            objects.linked.push(Object { of_standard, ..own });
            continue;
        }
        let wrong = |reason| format!("{} is not understood: {reason}", input.name);
        let archive = ArchiveFile::parse(&*input.bytes).map_err(wrong)?;
        if archive.is_thin() {
            return Err(format!("{} only names its objects", input.name));
        }
        for member in archive.members() {
            let member = member.map_err(wrong)?;
            let name = String::from_utf8_lossy(member.name()).into_owned();
            let data = member.data(&*input.bytes).map_err(wrong)?;
            // A file that is not an object is not an input of linkers.
            let may_be_object =
                data.starts_with(b"\x7fELF") || is_bitcode(data) || name.ends_with(".o");
            if name.ends_with(".rmeta") || !may_be_object {
                continue;
            }
            let taken = asked.taken.as_ref().filter(|_| !input.certain);
            let fate = taken.map_or(Fate::Unknown, |taken| taken.fate(&all, &input.name, &name));
            if fate == Fate::PassedOver {
                objects.passed_over.extend(defined(data));
                continue;
            }
            let of_standard = input.of_standard && is_of_rust(&name);
            let of_harness = is_of_harness(&input.name);
            let name = format!("{}({name})", input.name);
            let certain = input.certain || fate == Fate::Taken;
            let own = object(data, &name, certain, asked.plugin)?;
            objects.linked.push(Object { of_standard, of_harness, ..own });
        }
    }
    Ok(objects)
}

/// Whether rustc has made an object, by the ending that it gives it. Where the standard library has all of libc, as with musl, its
/// allocator has variables that kernels write.
fn is_of_rust(object: &str) -> bool {
    object.ends_with(".rcgu.o")
}

/// Whether an archive is that of a crate of the harness, by the name that cargo gives it.
fn is_of_harness(archive: &str) -> bool {
    let file = archive.rsplit('/').next().unwrap_or_default();
    let krate =
        file.strip_prefix("lib").and_then(|rest| rest.strip_suffix(".rlib")?.rsplit_once('-'));
    krate.is_some_and(|(krate, _)| HARNESS.contains(&krate))
}

/// Returns the variables of the objects that rustc has made of an archive, as the source has them.
pub(crate) fn variables(archive: &[u8]) -> BTreeSet<String> {
    let members =
        ArchiveFile::parse(archive).into_iter().flat_map(|archive| archive.members()).flatten();
    let of_rust = members.filter(|member| is_of_rust(&String::from_utf8_lossy(member.name())));
    let objects = of_rust.filter_map(|member| Elf::parse(member.data(archive).ok()?).ok());
    let mut names = BTreeSet::new();
    for object in objects {
        let defined = object
            .symbols()
            .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Data);
        names.extend(defined.filter_map(|symbol| Some(in_source(symbol.name().ok()?).to_owned())));
    }
    names
}

/// A symbol without the number that the compiler gives a part of a variable, or one that it shares among objects.
pub(super) fn in_source(symbol: &str) -> &str {
    let name = symbol.split_once(".llvm.").map_or(symbol, |(name, _)| name);
    match name.rsplit_once('.') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

/// Whether the compiler has given a constant this name, which has none in the source. Thin link-time optimization lets other
/// objects use it, under a name that changes with all that its object contains.
fn is_unnamed(symbol: &str) -> bool {
    let numbered = in_source(symbol).strip_prefix("anon.");
    let is_hash = |text: &str| {
        let hash = text.split_once('.').map_or(text, |(hash, _)| hash);
        hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    symbol.starts_with(".L") || numbered.is_some_and(is_hash)
}

fn defined(data: &[u8]) -> Vec<&[u8]> {
    let Ok(elf) = Elf::parse(data) else { return Vec::new() };
    let own = elf.symbols().filter(|symbol| !symbol.is_local() && !symbol.is_undefined());
    own.filter_map(|symbol| symbol.name_bytes().ok()).collect()
}

fn is_bitcode(data: &[u8]) -> bool {
    data.starts_with(b"BC\xc0\xde") || data.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

fn object<'a>(
    data: &'a [u8],
    name: &str,
    certain: bool,
    plugin: bool,
) -> Result<Object<'a>, String> {
    if is_bitcode(data) {
        return Err(format!("{name} is LLVM bitcode, out of which the linker makes code"));
    }
    let wrong = |reason| format!("{name} is not an object file that can be read: {reason}");
    let elf = Elf::parse(data).map_err(wrong)?;
    if !elf.is_little_endian() {
        return Err(format!("{name} is for a big-endian machine, whose tables are not understood"));
    }
    check(&elf, plugin).map_err(|why| format!("{name} {why}"))?;
    let mut relocations: HashMap<usize, Vec<Relocation>> = HashMap::new();
    for section in elf.sections() {
        let mut own: Vec<Relocation> = section
            .relocations()
            .map(|(at, relocation)| Relocation {
                at,
                kind: match relocation.flags() {
                    RelocationFlags::Elf { r_type } => r_type.0,
                    _ => u32::MAX,
                },
                addend: relocation.addend(),
                target: relocation.target(),
            })
            .collect();
        own.sort_by_key(|relocation| relocation.at);
        if !own.is_empty() {
            relocations.insert(section.index().0, own);
        }
    }
    // Once for all sections: a crate of one codegen unit has tens of thousands of them, and more symbols.
    let mut names: HashMap<usize, Vec<&'a str>> = HashMap::new();
    for symbol in elf.symbols() {
        if let Some(section) = symbol.section_index()
            && let Ok(name) = symbol.name()
            && !name.is_empty()
            && !is_unnamed(name)
        {
            names.entry(section.0).or_default().push(name);
        }
    }
    let (of_standard, of_harness, unwinding) = (false, false, HashMap::new());
    let mut object =
        Object { elf, certain, of_standard, of_harness, relocations, names, unwinding };
    object.unwinding = object.records().map_err(|reason| format!("{name}: {reason}"))?;
    Ok(object)
}

/// Checks that the code of an object is complete, and that its symbols are defined as they claim.
fn check(elf: &Elf<'_>, plugin: bool) -> Result<(), String> {
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

impl Object<'_> {
    pub(super) fn relocations(&self, section: usize) -> &[Relocation] {
        self.relocations.get(&section).map_or(&[], Vec::as_slice)
    }

    pub(super) fn data(&self, section: usize) -> &[u8] {
        let section = self.elf.section_by_index(SectionIndex(section));
        section.and_then(|section| section.data()).unwrap_or(&[])
    }

    /// The records for unwinding, by the section of the function that each is about.
    fn records(&self) -> Result<HashMap<usize, Vec<unwinding::Record>>, String> {
        let mut all: HashMap<usize, Vec<unwinding::Record>> = HashMap::new();
        let Some(section) = self.elf.section_by_name(".eh_frame") else { return Ok(all) };
        let index = section.index().0;
        for record in unwinding::records(self.data(index), index, self.relocations(index))? {
            let symbol = record.function.and_then(|symbol| self.elf.symbol_by_index(symbol).ok());
            if let Some(of) = symbol.and_then(|symbol| symbol.section_index()) {
                all.entry(of.0).or_default().push(record);
            }
        }
        Ok(all)
    }
}
