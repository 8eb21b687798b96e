//! The targets of relocations: a section of the same object, a definition that the linker takes from a different one,
//! or a piece of a section whose pieces are merged.

use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionIndex,
    SymbolSection,
    elf::{
        R_X86_64_SIZE32, R_X86_64_SIZE64, SHF_EXECINSTR, SHF_MERGE, SHF_STRINGS, SHT_NOBITS,
        STT_GNU_IFUNC,
    },
    read::elf::SectionHeader as _,
};

use super::{Builder, Definition, Section, objects::Relocation, without_version};
use crate::graph::{Edge, Place, Target};

#[derive(PartialEq)]
struct Form<'a> {
    /// Flags, type, alignment and size of its section.
    kind: (u64, u32, u64, u64),
    value: u64,
    data: &'a [u8],
    /// Place, kind, addend and symbol of each relocation.
    references: Vec<(u64, u32, i64, &'a [u8])>,
}

impl Builder<'_> {
    /// The object, section and position that a relocation refers to, if a single input defines it.
    pub(super) fn definition(
        &self,
        object: usize,
        relocation: &Relocation,
    ) -> Option<(usize, usize, u64)> {
        let RelocationTarget::Symbol(symbol) = relocation.target else { return None };
        let symbol = self.objects[object].elf.symbol_by_index(symbol).ok()?;
        let offset = relocation.addend as u64;
        if let SymbolSection::Section(section) = symbol.section() {
            return Some((object, section.0, symbol.address().wrapping_add(offset)));
        }
        match self.symbols.get(without_version(symbol.name_bytes().ok()?))?.as_slice() {
            [one] => Some((one.section.0, one.section.1, one.value.wrapping_add(offset))),
            _ => None,
        }
    }

    pub(super) fn edge(
        &mut self,
        section: Section,
        relocation: &Relocation,
    ) -> Result<Edge, String> {
        let (target, addend) = self.target(section, relocation, false)?;
        Ok(Edge { at: relocation.at, kind: relocation.kind, addend, target })
    }

    /// Returns the target of a relocation, and the remaining addend. With `through`, the addend is a part of the
    /// place.
    pub(super) fn target(
        &mut self,
        (object, _): Section,
        relocation: &Relocation,
        through: bool,
    ) -> Result<(Target, i64), String> {
        let addend = relocation.addend;
        let symbol = match relocation.target {
            RelocationTarget::Symbol(symbol) => symbol,
            RelocationTarget::Absolute => return Ok((Target::Number(0), addend)),
            _ => return Ok((Target::Unknown("an unusual relocation".to_owned()), addend)),
        };
        let elf = &self.objects[object].elf;
        let symbol = elf.symbol_by_index(symbol).map_err(|reason| reason.to_string())?;
        let (value, is_section) = (symbol.address(), symbol.kind() == object::SymbolKind::Section);
        let chooses = symbol.elf_symbol().st_type() == STT_GNU_IFUNC;
        let weak = symbol.is_weak();
        let local = symbol.is_local();
        let name = symbol.name_bytes().unwrap_or(b"");
        let place = symbol.section();
        let shown = || String::from_utf8_lossy(name).into_owned();
        if [R_X86_64_SIZE32.0, R_X86_64_SIZE64.0].contains(&relocation.kind) {
            let why = format!("the linker puts the size of {} into it", shown());
            return Ok((Target::Unknown(why), addend));
        }
        if chooses {
            let why = format!("{} is chosen when the program is loaded", shown());
            return Ok((Target::Unknown(why), addend));
        }
        match place {
            SymbolSection::Absolute if local => return Ok((Target::Number(value), addend)),
            SymbolSection::Section(section) if local => {
                let at = value.wrapping_add(if through { addend as u64 } else { 0 });
                let left = if through { 0 } else { addend };
                return Ok(self.within((object, section.0), at, left, is_section));
            }
            _ => {}
        }
        let shown = shown();
        Ok(self.of_name(without_version(name), shown, weak, addend))
    }

    /// The target of a name that other objects may define, and the rest of the addend.
    fn of_name(&mut self, name: &[u8], shown: String, weak: bool, addend: i64) -> (Target, i64) {
        let definitions = self.symbols.get(name).cloned().unwrap_or_default();
        if let Some(numbers) = self.numbers.get(name) {
            let mut values = numbers.iter();
            let target = match (values.next(), values.next()) {
                (Some(number), None) if definitions.is_empty() => Target::Number(*number),
                _ => Target::Unknown(format!("{shown} is defined as a number and otherwise")),
            };
            return (target, addend);
        }
        if definitions.iter().any(|one| one.chooses) {
            let why = format!("{shown} is chosen when the program is loaded");
            return (Target::Unknown(why), addend);
        }
        let mut strong = definitions.iter().filter(|one| !one.weak && one.certain).copied();
        let wins = strong.next().filter(|_| strong.next().is_none());
        let which = match wins {
            Some(one) => vec![one],
            None => self.distinct(definitions),
        };
        // Without a definition that wins, the linker makes a variable, or takes one from an archive.
        let common = if wins.is_some() { None } else { self.common(name) };
        if let Some(common) = common {
            let mut places = vec![common];
            places.extend(self.places(&which, addend));
            let target =
                if let [one] = *places { Target::Node(one) } else { Target::Several(places) };
            return (target, addend);
        }
        match which.as_slice() {
            [] if !weak && self.passed_over.contains(name) => {
                let why = format!(
                    "{shown} is defined in an archive, and the linker has taken it from elsewhere"
                );
                (Target::Unknown(why), addend)
            }
            [] => (self.undefined(shown, weak), addend),
            [one] => self.within(one.section, one.value, addend, false),
            several if several.iter().all(|one| one.certain) => {
                (Target::Several(self.places(several, addend)), addend)
            }
            _ => {
                let why = format!(
                    "{shown} is defined twice, and the linker does not tell which one it takes"
                );
                (Target::Unknown(why), addend)
            }
        }
    }

    fn places(&mut self, definitions: &[Definition], addend: i64) -> Vec<Place> {
        let mut places = Vec::new();
        for one in definitions {
            let (target, _) = self.within(one.section, one.value, addend, false);
            places.extend_from_slice(target.places());
        }
        places
    }

    /// The target of a name that no object defines. The linker defines the ends of sections.
    fn undefined(&mut self, shown: String, weak: bool) -> Target {
        let table = ["__start_", "__stop_"]
            .iter()
            .find_map(|start| shown.strip_prefix(start))
            .and_then(|section| self.named.get(section).cloned());
        let Some(sections) = table else { return Target::Name { name: shown, weak } };
        let sections = sections.into_iter();
        let places = sections.map(|section| Place { node: self.node(section, None), offset: 0 });
        Target::Several(places.collect())
    }

    /// Returns definitions of one symbol without repetitions: compilers put a copy into every object, and the linker
    /// may take any of them.
    pub(super) fn distinct(&self, mut definitions: Vec<Definition>) -> Vec<Definition> {
        let mut seen = Vec::new();
        definitions.retain(|one| {
            let Some(form) = self.form(one) else { return true };
            let fresh = !seen.contains(&form);
            seen.push(form);
            fresh
        });
        definitions
    }

    /// Returns the contents of a definition, if it refers only to symbols that mean the same in every object.
    fn form(&self, of: &Definition) -> Option<Form<'_>> {
        let object = &self.objects[of.section.0];
        let section = object.elf.section_by_index(SectionIndex(of.section.1)).ok()?;
        let header = section.elf_section_header();
        let endian = object.elf.endian();
        let mut references = Vec::new();
        for relocation in object.relocations(of.section.1) {
            let RelocationTarget::Symbol(symbol) = relocation.target else { return None };
            let symbol = object.elf.symbol_by_index(symbol).ok()?;
            if symbol.is_local() {
                return None;
            }
            let name = symbol.name_bytes().ok()?;
            references.push((relocation.at, relocation.kind, relocation.addend, name));
        }
        Some(Form {
            kind: (
                header.sh_flags(endian).0,
                header.sh_type(endian).0,
                section.align(),
                section.size(),
            ),
            value: of.value,
            data: section.data().ok()?,
            references,
        })
    }

    /// A position in a section. In a section whose pieces are merged, the piece is what is referred to: that of the
    /// symbol, or, of the section's own symbol, that at the addend.
    pub(super) fn within(
        &mut self,
        section: Section,
        value: u64,
        addend: i64,
        is_section: bool,
    ) -> (Target, i64) {
        let at = if is_section { value.wrapping_add(addend as u64) } else { value };
        match self.piece(section, at) {
            Some((begin, end)) => {
                let node = self.node(section, Some((begin, end)));
                let left = if is_section { 0 } else { addend };
                (Target::Node(Place { node, offset: at - begin }), left)
            }
            None => (Target::Node(Place { node: self.node(section, None), offset: value }), addend),
        }
    }

    /// The piece around a position, in a section whose pieces the linker may merge with equal ones.
    fn piece(&self, (object, section): Section, at: u64) -> Option<(u64, u64)> {
        let object = &self.objects[object];
        let own = object.elf.section_by_index(SectionIndex(section)).ok()?;
        let header = own.elf_section_header();
        let endian = object.elf.endian();
        let flags = header.sh_flags(endian).0;
        let size: u64 = header.sh_entsize(endian);
        let data = own.data().ok()?;
        let mergeable = flags & SHF_MERGE.0 != 0 && flags & SHF_EXECINSTR.0 == 0;
        let plain = header.sh_type(endian) != SHT_NOBITS && object.relocations(section).is_empty();
        if !mergeable || !plain || size == 0 || at >= data.len() as u64 {
            return None;
        }
        let (unit, at) = (size as usize, at as usize);
        let first = at / unit;
        if flags & SHF_STRINGS.0 == 0 {
            let end = (first + 1) * unit;
            return (end <= data.len()).then_some(((first * unit) as u64, end as u64));
        }
        let is_end = |index: &usize| data[index * unit..(index + 1) * unit].iter().all(|b| *b == 0);
        let units = data.len() / unit;
        let end = (first..units).find(is_end)? + 1;
        let begin = (0..first).rev().find(is_end).map_or(0, |index| index + 1);
        Some(((begin * unit) as u64, (end * unit) as u64))
    }
}
