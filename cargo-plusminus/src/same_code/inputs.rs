//! Reads what the linker is given, object files and archives of them, and keeps what benchmarks can reach.

use std::collections::HashMap;

use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags,
    RelocationTarget, SectionIndex, SymbolIndex, SymbolSection,
    elf::{SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP, SHF_MERGE, SHF_STRINGS, SHT_NOBITS, STT_GNU_IFUNC},
    read::{
        archive::ArchiveFile,
        elf::{ElfFile64, SectionHeader as _},
    },
};
use plusminus::__private::{ENTRY_MARK, GROUP_MARK};

use super::{
    graph::{Edge, Entry, Graph, Index, Node, Place, Target},
    unwinding,
};

/// A file on the linker's command line.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

type Elf<'a> = ElfFile64<'a, Endianness>;

/// A section of an object: the numbers of both.
type Section = (usize, usize);

/// A relocation as an object has it.
#[derive(Clone)]
pub(super) struct Relocation {
    pub(super) at: u64,
    pub(super) kind: u32,
    pub(super) addend: i64,
    pub(super) target: RelocationTarget,
}

/// Where an input defines a symbol.
#[derive(Clone, Copy)]
struct Definition {
    section: Section,
    value: u64,
    weak: bool,
    /// The linker takes the object whether or not it is needed.
    certain: bool,
    /// A function that chooses the function; calls go to what it answers.
    chooses: bool,
}

/// An object with its relocations, by section.
struct Object<'a> {
    elf: Elf<'a>,
    certain: bool,
    relocations: HashMap<usize, Vec<Relocation>>,
    /// For each section of functions, its records for unwinding.
    unwinding: HashMap<usize, Vec<unwinding::Record>>,
}

/// Makes the graph of what all benchmarks in these inputs can reach.
///
/// # Errors
/// Why nothing can be said: an input that is not understood.
pub(super) fn graph(inputs: &[Input]) -> Result<Graph, String> {
    let mut builder = Builder {
        objects: objects(inputs)?,
        symbols: HashMap::new(),
        named: HashMap::new(),
        graph: Graph::default(),
        found: HashMap::new(),
        left: Vec::new(),
    };
    builder.define();
    builder.roots()?;
    while let Some((section, index)) = builder.left.pop() {
        builder.fill(section, index)?;
    }
    Ok(builder.graph)
}

fn objects(inputs: &[Input]) -> Result<Vec<Object<'_>>, String> {
    let mut objects = Vec::new();
    for input in inputs {
        if !input.bytes.starts_with(b"!<arch>") && !input.bytes.starts_with(b"!<thin>") {
            objects.push(object(&input.bytes, &input.name, true)?);
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
            if name.ends_with(".rmeta") || (!data.starts_with(b"\x7fELF") && !name.ends_with(".o"))
            {
                continue;
            }
            objects.push(object(data, &format!("{}({name})", input.name), false)?);
        }
    }
    Ok(objects)
}

fn object<'a>(data: &'a [u8], name: &str, certain: bool) -> Result<Object<'a>, String> {
    let wrong = |reason| format!("{name} is not an object file that can be read: {reason}");
    let elf = Elf::parse(data).map_err(wrong)?;
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
    let mut object = Object { elf, certain, relocations, unwinding: HashMap::new() };
    object.unwinding = object.records().map_err(|reason| format!("{name}: {reason}"))?;
    Ok(object)
}

impl Object<'_> {
    fn relocations(&self, section: usize) -> &[Relocation] {
        self.relocations.get(&section).map_or(&[], Vec::as_slice)
    }

    fn data(&self, section: usize) -> &[u8] {
        let section = self.elf.section_by_index(SectionIndex(section));
        section.and_then(|section| section.data()).unwrap_or(&[])
    }

    /// The records for unwinding, by the section of the function that each is about.
    fn records(&self) -> Result<HashMap<usize, Vec<unwinding::Record>>, String> {
        let mut all: HashMap<usize, Vec<unwinding::Record>> = HashMap::new();
        let Some(section) = self.elf.section_by_name(".eh_frame") else { return Ok(all) };
        let index = section.index().0;
        for record in unwinding::records(self.data(index), index, self.relocations(index))? {
            let of = record.function.and_then(|relocation| self.section_of(relocation));
            if let Some(of) = of {
                all.entry(of).or_default().push(record);
            }
        }
        Ok(all)
    }

    /// The section of the same object that a relocation of `.eh_frame` refers to.
    fn section_of(&self, symbol: SymbolIndex) -> Option<usize> {
        let symbol = self.elf.symbol_by_index(symbol).ok()?;
        symbol.section_index().map(|section| section.0)
    }
}

/// What a definition consists of.
#[derive(PartialEq)]
struct Form<'a> {
    /// Flags, type, alignment and size of its section.
    kind: (u64, u32, u64, u64),
    value: u64,
    data: &'a [u8],
    /// Place, kind, addend and symbol of each relocation.
    references: Vec<(u64, u32, i64, &'a [u8])>,
}

struct Builder<'a> {
    objects: Vec<Object<'a>>,
    symbols: HashMap<&'a [u8], Vec<Definition>>,
    /// Sections by name, for tables that the linker puts together from all of a name.
    named: HashMap<String, Vec<Section>>,
    graph: Graph,
    /// The node of a section, or of the piece of it that begins at a place.
    found: HashMap<(Section, Option<u64>), Index>,
    /// Nodes whose edges have yet to be followed.
    left: Vec<(Section, Index)>,
}

/// What the fields of an entry up to its column take: a mark, three texts, line and column.
const ENTRY_HEAD: usize = 72;
/// A variant is sampled by one function, and another one builds its input.
const VARIANT: u64 = 1;

impl<'a> Builder<'a> {
    /// Collects what all objects define.
    fn define(&mut self) {
        for (number, object) in self.objects.iter().enumerate() {
            for symbol in object.elf.symbols() {
                let SymbolSection::Section(section) = symbol.section() else { continue };
                if symbol.is_local() {
                    continue;
                }
                let Ok(name) = symbol.name_bytes() else { continue };
                self.symbols.entry(name).or_default().push(Definition {
                    section: (number, section.0),
                    value: symbol.address(),
                    weak: symbol.is_weak(),
                    certain: object.certain,
                    chooses: symbol.elf_symbol().st_type() == STT_GNU_IFUNC,
                });
            }
            for section in object.elf.sections() {
                if let Ok(name) = section.name()
                    && is_word(name)
                {
                    self.named
                        .entry(name.to_owned())
                        .or_default()
                        .push((number, section.index().0));
                }
            }
        }
    }

    /// Finds the registered benchmarks, and what runs before any of them.
    fn roots(&mut self) -> Result<(), String> {
        let mut entries = Vec::new();
        let mut slots = Vec::new();
        for (number, object) in self.objects.iter().enumerate() {
            for section in object.elf.sections() {
                let index = section.index().0;
                if object.data(index).starts_with(&ENTRY_MARK) {
                    entries.push((number, index));
                }
                let name = section.name().unwrap_or("");
                let called =
                    [".preinit_array", ".init_array", ".ctors", ".init", ".fini", ".dtors"];
                if called.iter().any(|start| name.starts_with(start)) {
                    slots.extend(
                        object
                            .relocations(index)
                            .iter()
                            .map(|slot| ((number, index), slot.clone())),
                    );
                }
            }
        }
        for (section, slot) in slots {
            if !self.registers(section, &slot) {
                let places = self.target(section, &slot, true)?;
                self.graph.start.extend(places.0.places());
            }
        }
        for name in [&b"main"[..], b"_start"] {
            for definition in self.symbols.get(name).cloned().unwrap_or_default() {
                let node = self.node(definition.section, None);
                self.graph.start.push(Place { node, offset: definition.value });
            }
        }
        for section in entries {
            if let Some(entry) = self.entry(section)? {
                self.graph.entries.push(entry);
            }
        }
        Ok(())
    }

    /// Whether a function that the loader calls does no more than enter a benchmark or a group into the registry: it
    /// refers to a variable that refers to data with a mark.
    fn registers(&self, (object, _): Section, slot: &Relocation) -> bool {
        let Some((number, section, value)) = self.definition(object, slot) else { return false };
        let object = &self.objects[number];
        let symbols = object.elf.symbols().filter(|symbol| {
            symbol.section_index() == Some(SectionIndex(section)) && symbol.size() > 0
        });
        let end = symbols
            .filter(|symbol| (symbol.address()..symbol.address() + symbol.size()).contains(&value))
            .map(|symbol| symbol.address() + symbol.size())
            .max();
        let Some(end) = end else { return false };
        let within =
            object.relocations(section).iter().filter(|one| (value..end).contains(&one.at));
        within.filter_map(|one| self.definition(number, one)).any(|(number, section, _)| {
            let object = &self.objects[number];
            let targets = object.relocations(section).iter();
            targets.filter_map(|one| self.definition(number, one)).any(|(number, section, _)| {
                let data = self.objects[number].data(section);
                data.starts_with(&ENTRY_MARK) || data.starts_with(&GROUP_MARK)
            })
        })
    }

    /// The object, section and position that a relocation refers to, if a single input defines it.
    fn definition(&self, object: usize, relocation: &Relocation) -> Option<(usize, usize, u64)> {
        let RelocationTarget::Symbol(symbol) = relocation.target else { return None };
        let symbol = self.objects[object].elf.symbol_by_index(symbol).ok()?;
        let offset = relocation.addend as u64;
        if let SymbolSection::Section(section) = symbol.section() {
            return Some((object, section.0, symbol.address().wrapping_add(offset)));
        }
        match self.symbols.get(symbol.name_bytes().ok()?)?.as_slice() {
            [one] => Some((one.section.0, one.section.1, one.value.wrapping_add(offset))),
            _ => None,
        }
    }

    /// Reads a registered benchmark; `None` if its data are not laid out as expected.
    fn entry(&mut self, section: Section) -> Result<Option<Entry>, String> {
        let data = self.objects[section.0].data(section.1).to_vec();
        if data.len() < ENTRY_HEAD + 24 || !self.objects[section.0].elf.is_little_endian() {
            return Ok(None);
        }
        let number = |at: usize, bytes: usize| {
            data[at..at + bytes].iter().rev().fold(0_u64, |all, byte| all << 8 | u64::from(*byte))
        };
        let text = |at: usize| {
            let relocations = self.objects[section.0].relocations(section.1);
            let relocation = relocations.iter().find(|one| one.at == at as u64)?;
            let (object, section, from) = self.definition(section.0, relocation)?;
            let from = usize::try_from(from).ok()?;
            let to = from.checked_add(usize::try_from(number(at + 8, 8)).ok()?)?;
            String::from_utf8(self.objects[object].data(section).get(from..to)?.to_vec()).ok()
        };
        let (Some(module), Some(name), Some(file)) = (text(16), text(32), text(48)) else {
            return Ok(None);
        };
        let line = number(64, 4) as u32;
        let whole = self.node(section, None);
        // What it runs is what follows, its kind and one or two functions: how it is called, where it stands and how its
        // points are listed is nothing that is executed while it is measured.
        let run = ENTRY_HEAD..ENTRY_HEAD + if number(ENTRY_HEAD, 8) == VARIANT { 24 } else { 16 };
        let head = self.graph.nodes.len() as Index;
        let relocations = self.objects[section.0].relocations(section.1).to_vec();
        self.graph.nodes.push(Node {
            section: "entry".to_owned(),
            size: run.len() as u64,
            data: data[run.clone()].to_vec(),
            flags: self.graph.nodes[whole as usize].flags,
            kind: self.graph.nodes[whole as usize].kind,
            ..Node::default()
        });
        let mut edges = Vec::new();
        for relocation in relocations.iter().filter(|one| run.contains(&(one.at as usize))) {
            let mut edge = self.edge(section, relocation)?;
            edge.at -= run.start as u64;
            edges.push(edge);
        }
        if edges.len() != run.len() / 8 - 1 {
            return Ok(None);
        }
        self.graph.nodes[head as usize].edges = edges;
        Ok(Some(Entry { module, name, file, line, root: head }))
    }

    /// The node of a section, or of the piece that begins at a place.
    fn node(&mut self, section: Section, piece: Option<(u64, u64)>) -> Index {
        let key = (section, piece.map(|(begin, _)| begin));
        if let Some(index) = self.found.get(&key) {
            return *index;
        }
        let index = self.graph.nodes.len() as Index;
        self.found.insert(key, index);
        let object = &self.objects[section.0];
        let mut node = Node::default();
        if let Ok(own) = object.elf.section_by_index(SectionIndex(section.1)) {
            let header = own.elf_section_header();
            let endian = object.elf.endian();
            // Whether a section is one of a group of which the linker takes one is no property of its code.
            node.flags = header.sh_flags(endian).0 & !SHF_GROUP.0;
            node.kind = header.sh_type(endian).0;
            node.align = own.align();
            node.size = own.size();
            node.section = String::from_utf8_lossy(own.name_bytes().unwrap_or(b"")).into_owned();
            node.data = own.data().unwrap_or(&[]).to_vec();
        }
        match piece {
            Some((begin, end)) => {
                node.data = node.data[begin as usize..end as usize].to_vec();
                node.size = end - begin;
                // The name of a section of pieces tells the size of pieces, and may tell a function beside it.
            }
            None => self.left.push((section, index)),
        }
        self.graph.nodes.push(node);
        index
    }

    /// Follows everything that a section refers to.
    fn fill(&mut self, section: Section, index: Index) -> Result<(), String> {
        let (number, own) = section;
        let relocations = self.objects[number].relocations(own).to_vec();
        let edges: Result<Vec<Edge>, String> =
            relocations.iter().map(|one| self.edge(section, one)).collect();
        let names: Vec<String> = self.objects[number]
            .elf
            .symbols()
            .filter(|symbol| symbol.section_index() == Some(SectionIndex(own)))
            .filter_map(|symbol| symbol.name().ok().filter(|name| !name.is_empty()))
            .filter(|name| !name.starts_with(".L"))
            .map(str::to_owned)
            .collect();
        let mut unwinding = Vec::new();
        for record in self.objects[number].unwinding.get(&own).cloned().unwrap_or_default() {
            unwinding.push(self.record(number, &record)?);
        }
        let node = &mut self.graph.nodes[index as usize];
        node.edges = edges?;
        node.names = names;
        node.unwinding = unwinding;
        let place = is_source_place(&self.graph, index);
        self.graph.nodes[index as usize].is_source_place = place;
        Ok(())
    }

    /// The node of a record for unwinding, with the record that it shares with others.
    fn record(&mut self, object: usize, record: &unwinding::Record) -> Result<Index, String> {
        let index = self.graph.nodes.len() as Index;
        self.graph.nodes.push(Node {
            section: ".eh_frame".to_owned(),
            size: record.data.len() as u64,
            data: record.data.clone(),
            ..Node::default()
        });
        let mut edges = Vec::new();
        for relocation in &record.relocations {
            edges.push(self.edge((object, record.section), relocation)?);
        }
        self.graph.nodes[index as usize].edges = edges;
        if let Some(common) = &record.common {
            let common = self.record(object, common)?;
            self.graph.nodes[index as usize].unwinding = vec![common];
        }
        Ok(index)
    }

    fn edge(&mut self, section: Section, relocation: &Relocation) -> Result<Edge, String> {
        let (target, addend) = self.target(section, relocation, false)?;
        Ok(Edge { at: relocation.at, kind: relocation.kind, addend, target })
    }

    /// What a relocation refers to, and the addend that is left. With `through`, the addend is a part of the place.
    fn target(
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
        if chooses {
            let why = format!("{} is chosen when the program is loaded", shown());
            return Ok((Target::Unknown(why), addend));
        }
        match place {
            SymbolSection::Absolute => return Ok((Target::Number(value), addend)),
            SymbolSection::Common => {
                let why = format!("{} is a common symbol", shown());
                return Ok((Target::Unknown(why), addend));
            }
            SymbolSection::Section(section) if local => {
                let at = value.wrapping_add(if through { addend as u64 } else { 0 });
                let left = if through { 0 } else { addend };
                return Ok(self.within((object, section.0), at, left, is_section));
            }
            _ => {}
        }
        let definitions = self.symbols.get(name).cloned().unwrap_or_default();
        if definitions.iter().any(|one| one.chooses) {
            let why = format!("{} is chosen when the program is loaded", shown());
            return Ok((Target::Unknown(why), addend));
        }
        let strong: Vec<&Definition> =
            definitions.iter().filter(|one| !one.weak && one.certain).collect();
        let which: Vec<Definition> = match strong.as_slice() {
            [one] => vec![**one],
            _ => self.distinct(definitions),
        };
        match which.as_slice() {
            [] => {
                let shown = shown();
                let table = ["__start_", "__stop_"]
                    .iter()
                    .find_map(|start| shown.strip_prefix(start))
                    .and_then(|section| self.named.get(section).cloned());
                Ok(match table {
                    Some(sections) => {
                        let places = sections
                            .into_iter()
                            .map(|section| Place { node: self.node(section, None), offset: 0 });
                        (Target::Several(places.collect()), addend)
                    }
                    None => (Target::Name { name: shown, weak }, addend),
                })
            }
            [one] => {
                let (section, value) = (one.section, one.value);
                Ok(self.within(section, value, addend, false))
            }
            several => {
                let mut places = Vec::new();
                for one in several {
                    let (target, _) = self.within(one.section, one.value, addend, false);
                    places.extend_from_slice(target.places());
                }
                Ok((Target::Several(places), addend))
            }
        }
    }

    /// Definitions of one symbol without those that equal one before: compilers put a copy into every object, and
    /// whichever the linker takes is the same.
    fn distinct(&self, mut definitions: Vec<Definition>) -> Vec<Definition> {
        let mut seen = Vec::new();
        definitions.retain(|one| {
            let Some(form) = self.form(one) else { return true };
            let fresh = !seen.contains(&form);
            seen.push(form);
            fresh
        });
        definitions
    }

    /// What a definition consists of, if it refers to nothing but symbols that mean the same in every object.
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
    fn within(
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

/// Whether a node is a `core::panic::Location`: the text of a path to a Rust file, a line and a column, in data without a
/// name.
fn is_source_place(graph: &Graph, index: Index) -> bool {
    let node = &graph.nodes[index as usize];
    let [edge] = node.edges.as_slice() else { return false };
    let Target::Node(place) = &edge.target else { return false };
    if node.data.len() != 24 || node.is_code() || !node.names.is_empty() || edge.at != 0 {
        return false;
    }
    if node.flags & SHF_ALLOC.0 == 0 || !node.section.starts_with(".data.rel.ro") {
        return false;
    }
    let number = |at: usize, bytes: usize| {
        node.data[at..at + bytes].iter().rev().fold(0_u64, |all, byte| all << 8 | u64::from(*byte))
    };
    let (length, line, column) = (number(8, 8), number(16, 4), number(20, 4));
    let text = &graph.nodes[place.node as usize].data;
    let from = place.offset.checked_add_signed(edge.addend).and_then(|at| usize::try_from(at).ok());
    let text = from.and_then(|from| {
        let to = from.checked_add(usize::try_from(length).ok()?)?;
        text.get(from..to)
    });
    let sensible = |number: u64| (1..1 << 24).contains(&number);
    text.is_some_and(|text| text.strip_suffix(b"\0").unwrap_or(text).ends_with(b".rs"))
        && sensible(line)
        && sensible(column)
}

/// Whether the name of a section is a word of the language C, so that the linker gives its ends names.
fn is_word(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
