//! Exchanges functions and constants of one object for those of another version of it: bytes in, bytes out. Each object holds
//! a whole program before its last link, with a section for each function.

mod unwinding;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    result::Result,
};

use object::{
    build::{
        Id as _,
        elf::{Builder, Relocation, Section, SectionData, SectionId, Symbol, SymbolId},
    },
    elf::{
        self, SHF_GROUP, SHF_LINK_ORDER, SHF_WRITE, SHT_PROGBITS, SHT_RELA, STB_LOCAL, STT_FILE,
        STT_SECTION,
    },
};
use plusminus_same_code::MADE_UP;

/// The names that stand for several things in one of these objects: such as a function that was compiled once for each of its
/// users.
///
/// # Errors
/// That one is not understood.
pub(crate) fn ambiguous(objects: [&[u8]; 2]) -> Result<HashSet<String>, String> {
    use object::{Object as _, ObjectSymbol as _, SymbolKind};
    let mut several = HashSet::new();
    for object in objects {
        let file = object::File::parse(object).map_err(|reason| reason.to_string())?;
        let mut names = HashSet::new();
        let named = file
            .symbols()
            .filter(|one| ![SymbolKind::Section, SymbolKind::File].contains(&one.kind()));
        for name in named.filter_map(|symbol| symbol.name().ok()) {
            if !names.insert(name) {
                several.insert(name.to_owned());
            }
        }
    }
    Ok(several)
}

/// The largest section in bytes: more than any program has, and so little that no sum of such sizes overflows.
const LARGEST: u64 = 1 << 40;

/// Makes an object out of `host` in which some symbols stand for what they are in `donor`.
///
/// `taken` are these symbols, which both have. `added` are symbols that only the donor has, or that mean something else to the host:
/// they come along when something taken uses them. All else that is taken refers to what the host has.
///
/// # Errors
/// The part that cannot be exchanged, and why.
pub(crate) fn exchanged(
    host: &[u8],
    donor: &[u8],
    taken: &[String],
    added: &BTreeSet<String>,
) -> Result<Vec<u8>, String> {
    let (host, donor) = (understood(host)?, understood(donor)?);
    let donor = Donor::of(Builder::read64(&*donor).map_err(|reason| reason.to_string())?);
    let builder = Builder::read64(&*host).map_err(|reason| reason.to_string())?;
    let mut host = Host::of(builder, &donor, taken, added);
    for symbol in taken {
        host.take(symbol)?;
    }
    host.copy_left()?;
    host.add_unwinding()?;
    host.divert();
    let mut bytes = Vec::new();
    host.builder.write(&mut bytes).map_err(|reason| reason.to_string())?;
    Ok(bytes)
}

/// An object in a form that can be written again. Groups of sections, of which a linker would take one, have no meaning in an
/// object in which all were joined. Other tables are for the linker that made it.
fn understood(object: &[u8]) -> Result<Vec<u8>, String> {
    use object::{
        Endianness, LittleEndian, U32,
        read::elf::{FileHeader as _, SectionHeader as _},
    };
    let wrong = |reason: object::read::Error| reason.to_string();
    let header = elf::FileHeader64::<Endianness>::parse(object).map_err(wrong)?;
    let endian = header.endian().map_err(wrong)?;
    if endian != Endianness::Little {
        return Err("the machine is big-endian".to_owned());
    }
    let sections = header.section_headers(endian, object).map_err(wrong)?;
    let (begin, size) = (header.e_shoff(endian), u64::from(header.e_shentsize(endian)));
    let mut bytes = object.to_vec();
    for (number, section) in (0_u64..).zip(sections) {
        let (kind, align) = (section.sh_type(endian), section.sh_addralign(endian));
        let is_odd = align != 0 && !align.is_power_of_two();
        if is_odd || align.max(section.sh_size(endian)) > LARGEST {
            return Err("an object has a section of an impossible size or place".to_owned());
        }
        if kind == elf::SHT_GROUP || kind.0 >= elf::SHT_LOOS && kind != elf::SHT_X86_64_UNWIND {
            // The type stands after the name.
            let at = (begin + number * size + 4) as usize;
            let plain = U32::<LittleEndian>::new(LittleEndian, SHT_PROGBITS.0);
            let field = bytes.get_mut(at..at + 4).ok_or("an object is cut off")?;
            field.copy_from_slice(object::bytes_of(&plain));
        }
    }
    Ok(bytes)
}

struct Donor<'a> {
    builder: Builder<'a>,
    symbols: HashMap<Vec<u8>, SymbolId>,
    /// The relocations of each section, by its number.
    relocations: HashMap<usize, Vec<Relocation>>,
    /// The symbols with names in each section.
    named: HashMap<usize, Vec<SymbolId>>,
}

impl<'a> Donor<'a> {
    fn of(builder: Builder<'a>) -> Self {
        let (symbols, mut named) = (by_name(&builder), HashMap::<_, Vec<_>>::new());
        for symbol in symbols.values() {
            if let Some(section) = builder.symbols.get(*symbol).section {
                named.entry(section.index()).or_default().push(*symbol);
            }
        }
        let mut relocations = HashMap::new();
        for section in &builder.sections {
            if let (SectionData::Relocation(own), Some(of)) =
                (&section.data, section.sh_info_section)
            {
                relocations.insert(of.index(), own.clone());
            }
        }
        Self { builder, symbols, relocations, named }
    }

    fn section(&self, id: SectionId) -> &Section<'a> {
        self.builder.sections.get(id)
    }

    fn name(&self, id: SymbolId) -> String {
        String::from_utf8_lossy(&self.builder.symbols.get(id).name).into_owned()
    }
}

/// The symbols of an object that name something in it or elsewhere, without names that several things have.
fn by_name(builder: &Builder<'_>) -> HashMap<Vec<u8>, SymbolId> {
    let mut names: HashMap<Vec<u8>, Option<SymbolId>> = HashMap::new();
    for symbol in &builder.symbols {
        let is_name = ![STT_SECTION, STT_FILE].contains(&symbol.st_type())
            && !symbol.name.is_empty()
            && !symbol.name.starts_with(MADE_UP.as_bytes());
        if is_name {
            let id = Some(symbol.id());
            names.entry(symbol.name.to_vec()).and_modify(|known| *known = None).or_insert(id);
        }
    }
    names.into_iter().filter_map(|(name, id)| Some((name, id?))).collect()
}

struct Host<'a, 'd> {
    builder: Builder<'a>,
    donor: &'d Donor<'a>,
    symbols: HashMap<Vec<u8>, SymbolId>,
    taken: BTreeSet<&'d str>,
    added: &'d BTreeSet<String>,
    /// The copies of sections of the donor, each with a symbol at its begin.
    copies: BTreeMap<usize, (SectionId, SectionId, SymbolId)>,
    /// Sections whose relocations are to be copied.
    left: Vec<SectionId>,
    /// Sections that others mean when they use a function known within its crate alone: that function, and its place there.
    diverted: HashMap<usize, (SymbolId, u64)>,
}

impl<'a, 'd> Host<'a, 'd> {
    fn of(
        mut builder: Builder<'a>,
        donor: &'d Donor<'a>,
        taken: &'d [String],
        added: &'d BTreeSet<String>,
    ) -> Self {
        for section in &mut builder.sections {
            section.delete |= section.name.as_slice() == b".group";
            section.sh_flags.0 &= !(SHF_GROUP.0 | SHF_LINK_ORDER.0);
            // 0 means the same as 1, and is not understood when it is written.
            section.sh_addralign = section.sh_addralign.max(1);
        }
        let symbols = by_name(&builder);
        let taken = taken.iter().map(String::as_str).collect();
        let (copies, left, diverted) = (BTreeMap::new(), Vec::new(), HashMap::new());
        Self { builder, donor, symbols, taken, added, copies, left, diverted }
    }

    /// Has a symbol stand for what it is in the donor.
    fn take(&mut self, name: &str) -> Result<(), String> {
        let shown = || format!("{:#}", rustc_demangle::demangle(name));
        let one = |found: Option<&SymbolId>| {
            found.copied().ok_or_else(|| format!("`{}` is not one function", shown()))
        };
        let theirs = one(self.donor.symbols.get(name.as_bytes()))?;
        let own = one(self.symbols.get(name.as_bytes()))?;
        let symbol = self.donor.builder.symbols.get(theirs);
        let (value, size, section) = (symbol.st_value, symbol.st_size, symbol.section);
        let section = section.ok_or_else(|| format!("`{}` is not in the program", shown()))?;
        let before = self.builder.symbols.get(own);
        if let (STB_LOCAL, Some(old)) = (before.st_bind(), before.section) {
            // The compiler gives functions with the same instructions one section. Both stay together.
            let mut others = self.builder.symbols.iter().filter(|other| {
                other.section == Some(old) && other.st_type() != STT_SECTION && other.id() != own
            });
            let is_apart = |other: &Symbol<'_>| {
                let taken =
                    std::str::from_utf8(&other.name).is_ok_and(|name| self.taken.contains(name));
                let of_donor = self.donor.symbols.get(other.name.as_slice());
                let goes = of_donor.and_then(|id| self.donor.builder.symbols.get(*id).section);
                !taken || goes != Some(section)
            };
            if others.any(is_apart) {
                return Err(format!("`{}` shares its instructions with another function", shown()));
            }
            let at = before.st_value;
            self.diverted.insert(old.index(), (own, at));
        }
        let (copy, _) = self.copy(section)?;
        let own = self.builder.symbols.get_mut(own);
        (own.section, own.st_value, own.st_size) = (Some(copy), value, size);
        Ok(())
    }

    /// The copy of a section of the donor, and a symbol at its begin.
    fn copy(&mut self, of: SectionId) -> Result<(SectionId, SymbolId), String> {
        if let Some(&(_, copy, begin)) = self.copies.get(&of.index()) {
            return Ok((copy, begin));
        }
        let theirs = self.donor.section(of);
        let named = self.donor.named.get(&of.index());
        let is_constant = theirs.name.starts_with(b".data.rel.ro");
        let comes = |id: &SymbolId| {
            let name = self.donor.name(*id);
            self.taken.contains(&*name) || self.added.contains(&name)
        };
        if theirs.sh_flags.contains(SHF_WRITE)
            && !is_constant
            && !named.is_some_and(|named| named.iter().all(comes))
        {
            return Err("a variable is used that has no name of its own".to_owned());
        }
        let section = self.builder.sections.add();
        section.name = theirs.name.clone();
        section.sh_type = theirs.sh_type;
        section.sh_flags = elf::SectionFlags(theirs.sh_flags.0 & !(SHF_GROUP.0 | SHF_LINK_ORDER.0));
        section.sh_addralign = theirs.sh_addralign.max(1);
        section.sh_entsize = theirs.sh_entsize;
        section.data = theirs.data.clone();
        let copy = section.id();
        let first = named.and_then(|named| named.first());
        let first = first.map(|first| self.donor.builder.symbols.get(*first));
        // A taken function has its name in the host already: the linker places functions by unique names.
        let is_taken = |name: &[u8]| self.taken.iter().any(|taken| taken.as_bytes() == name);
        let symbol = self.builder.symbols.add();
        if let Some(first) = first.filter(|first| !is_taken(&first.name)) {
            symbol.name = first.name.clone();
            symbol.set_st_info(STB_LOCAL, first.st_type());
            symbol.st_size = first.st_size;
            symbol.st_value = first.st_value;
        } else {
            symbol.set_st_info(STB_LOCAL, STT_SECTION);
        }
        symbol.section = Some(copy);
        let begin = symbol.id();
        self.copies.insert(of.index(), (of, copy, begin));
        self.left.push(of);
        Ok((copy, begin))
    }

    /// Copies relocations until no copy is without.
    fn copy_left(&mut self) -> Result<(), String> {
        while let Some(of) = self.left.pop() {
            let (_, copy, _) = self.copies[&of.index()];
            let Some(theirs) = self.donor.relocations.get(&of.index()) else { continue };
            let own: Result<Vec<_>, String> = theirs.iter().map(|one| self.moved(one)).collect();
            self.add_relocations(copy, own?);
        }
        Ok(())
    }

    fn add_relocations(&mut self, of: SectionId, relocations: Vec<Relocation>) {
        let table =
            self.builder.sections.iter().find_map(|section| {
                matches!(section.data, SectionData::Symbol).then(|| section.id())
            });
        let section = self.builder.sections.add();
        section.name = b".rela"[..].into();
        section.sh_type = SHT_RELA;
        section.sh_flags = elf::SHF_INFO_LINK;
        section.sh_link_section = table;
        section.sh_info_section = Some(of);
        section.sh_addralign = 8;
        section.sh_entsize = 24;
        section.data = SectionData::Relocation(relocations);
    }

    /// A relocation of the donor as one of the host.
    fn moved(&mut self, theirs: &Relocation) -> Result<Relocation, String> {
        let Some(symbol) = theirs.symbol else { return Ok(*theirs) };
        let (symbol, before) = self.counterpart(symbol)?;
        let r_addend = theirs.r_addend.wrapping_add(before);
        Ok(Relocation { symbol: Some(symbol), r_addend, ..*theirs })
    }

    /// The symbol of the host for one of the donor, and the distance from the former to the latter.
    fn counterpart(&mut self, theirs: SymbolId) -> Result<(SymbolId, i64), String> {
        let symbol = self.donor.builder.symbols.get(theirs);
        let Some(section) = symbol.section else {
            return Ok((self.outside(theirs), 0));
        };
        let value = symbol.st_value;
        let named = self.donor.named.get(&section.index());
        // A section is meant by its own symbol, or by one of several in it; one without names is a constant of its users.
        let of = match named.map(Vec::as_slice) {
            Some(named) if named.contains(&theirs) => Some(theirs),
            Some([sole]) => Some(*sole),
            _ => None,
        };
        if let Some(of) = of {
            let name = self.donor.name(of);
            let stays = !self.taken.contains(&*name) && !self.added.contains(&name);
            if let Some(own) = self.symbols.get(name.as_bytes()).filter(|_| stays) {
                let at = self.donor.builder.symbols.get(of).st_value;
                return Ok((*own, value.wrapping_sub(at) as i64));
            }
        }
        let (_, begin) = self.copy(section)?;
        let at = self.builder.symbols.get(begin).st_value;
        Ok((begin, value.wrapping_sub(at) as i64))
    }

    /// Has references to the sections of functions that are known within their crate mean what these stand for now. Records
    /// about the old functions still mean those.
    fn divert(&mut self) {
        let means = |symbol: &Symbol<'_>| {
            let diverted = self.diverted.get(&symbol.section?.index())?;
            (symbol.st_type() == STT_SECTION).then_some((symbol.id().index(), *diverted))
        };
        let sections: HashMap<usize, (SymbolId, u64)> =
            self.builder.symbols.iter().filter_map(means).collect();
        let is_record = |section: &Section<'_>| {
            [&b".eh_frame"[..], b".gcc_except_table"]
                .iter()
                .any(|name| section.name.starts_with(name))
        };
        let records = self.builder.sections.iter().filter(|one| is_record(one));
        let records: HashSet<usize> = records.map(|one| one.id().index()).collect();
        for section in &mut self.builder.sections {
            let is_about = section.sh_info_section.is_some_and(|of| records.contains(&of.index()));
            let SectionData::Relocation(relocations) = &mut section.data else { continue };
            for one in relocations.iter_mut().filter(|_| !is_about) {
                if let Some((own, at)) = one.symbol.and_then(|symbol| sections.get(&symbol.index()))
                {
                    (one.symbol, one.r_addend) =
                        (Some(*own), one.r_addend.wrapping_sub(*at as i64));
                }
            }
        }
    }

    fn outside(&mut self, theirs: SymbolId) -> SymbolId {
        let theirs = self.donor.builder.symbols.get(theirs);
        let known = self.symbols.get(theirs.name.as_slice());
        if let Some(known) = known.filter(|_| !theirs.name.is_empty()) {
            return *known;
        }
        let symbol = self.builder.symbols.add();
        symbol.name = theirs.name.clone();
        symbol.st_info = theirs.st_info;
        symbol.st_other = theirs.st_other;
        symbol.st_shndx = theirs.st_shndx;
        symbol.st_value = theirs.st_value;
        let id = symbol.id();
        self.symbols.insert(theirs.name.to_vec(), id);
        id
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
