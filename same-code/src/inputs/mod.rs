//! Reads the linker's inputs, object files and archives of them, and keeps the parts that benchmarks can reach as a
//! graph. May use nothing but bytes.

mod entries;
mod objects;
mod references;
mod source_place;
mod taken;

#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};

use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, SectionIndex, SymbolSection,
    elf::{
        SHF_ALLOC, SHF_GROUP, SHF_TLS, SHF_WRITE, SHT_NOBITS, STT_GNU_IFUNC, STT_TLS, STV_HIDDEN,
        STV_INTERNAL,
    },
    read::elf::{SectionHeader as _, Sym as _},
};
use plusminus_worker::registry::private::ENTRY_MARK;

use super::{
    graph::{Edge, Graph, Index, Node, Place},
    unwinding,
};
pub(super) use objects::{Input, Relocation, variables};
use objects::{Object, Objects, in_source, objects};
use source_place::is_source_place;
pub(super) use taken::Taken;

/// The parts of the inputs that are needed besides benchmarks.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Symbols that the linker, the loader or an archive of the system needs.
    pub(super) symbols: BTreeSet<Vec<u8>>,
    /// Symbols that shared libraries define or refer to: the loader has them use what the program defines.
    pub(super) called: BTreeSet<Vec<u8>>,
    /// Symbols that libraries outside of the program define.
    pub(super) outside: BTreeSet<Vec<u8>>,
    /// Whether a plugin of the compiler makes the code of objects that carry another form of it.
    pub(super) plugin: bool,
    /// The members of archives that the linker has taken, if it has told.
    pub(super) taken: Option<Taken>,
    /// Variables of the standard library, by which they are known in objects of other crates.
    pub(super) standard: BTreeSet<String>,
}

type Section = (usize, usize);

#[derive(Clone, Copy)]
struct Definition {
    section: Section,
    value: u64,
    weak: bool,
    /// The linker takes the object whether or not it is needed.
    certain: bool,
    /// A function that chooses the function; calls go to what it answers.
    chooses: bool,
    /// Nothing outside of the program finds it by its name.
    hidden: bool,
}

/// A variable that C declares without a value: the linker makes one out of all of its name.
#[derive(Clone, Copy, Default)]
struct Common {
    size: u64,
    align: u64,
    is_local: bool,
    /// Its node, once something refers to it.
    node: Option<Index>,
}

/// Makes the graph of everything that the benchmarks in these inputs can reach.
pub(super) fn graph(inputs: &[Input], asked: &Asked) -> Result<Graph, String> {
    let Objects { linked, mut passed_over } = objects(inputs, asked)?;
    passed_over.retain(|name| !asked.outside.contains(without_version(name)));
    let mut builder = Builder {
        objects: linked,
        passed_over,
        standard: &asked.standard,
        symbols: HashMap::new(),
        commons: HashMap::new(),
        numbers: HashMap::new(),
        named: HashMap::new(),
        graph: Graph::default(),
        found: HashMap::new(),
        left: Vec::new(),
    };
    builder.define();
    builder.roots(asked)?;
    while let Some((section, index)) = builder.left.pop() {
        builder.fill(section, index)?;
    }
    Ok(builder.graph)
}

struct Builder<'a> {
    objects: Vec<Object<'a>>,
    /// Symbols of objects that the linker has passed over.
    passed_over: HashSet<&'a [u8]>,
    standard: &'a BTreeSet<String>,
    symbols: HashMap<&'a [u8], Vec<Definition>>,
    commons: HashMap<&'a [u8], Common>,
    numbers: HashMap<&'a [u8], BTreeSet<u64>>,
    /// Sections by name, for tables that the linker puts together from all of a name.
    named: HashMap<String, Vec<Section>>,
    graph: Graph,
    /// The node of a section, or of the piece of it that begins at a place.
    found: HashMap<(Section, Option<u64>), Index>,
    /// Nodes whose edges have yet to be followed.
    left: Vec<(Section, Index)>,
}

impl<'a> Builder<'a> {
    fn define(&mut self) {
        for (number, object) in self.objects.iter().enumerate() {
            for symbol in object.elf.symbols() {
                if symbol.is_local() {
                    continue;
                }
                let Ok(name) = symbol.name_bytes() else { continue };
                let name = without_version(name);
                let section = match symbol.section() {
                    SymbolSection::Section(section) => section,
                    SymbolSection::Absolute => {
                        self.numbers.entry(name).or_default().insert(symbol.address());
                        continue;
                    }
                    SymbolSection::Common => {
                        let common = self.commons.entry(name).or_default();
                        common.size = common.size.max(symbol.size());
                        // Its alignment replaces the address.
                        common.align =
                            common.align.max(symbol.elf_symbol().st_value(object.elf.endian()));
                        common.is_local |= symbol.elf_symbol().st_type() == STT_TLS;
                        continue;
                    }
                    _ => continue,
                };
                self.symbols.entry(name).or_default().push(Definition {
                    section: (number, section.0),
                    value: symbol.address(),
                    weak: symbol.is_weak(),
                    certain: object.certain,
                    chooses: symbol.elf_symbol().st_type() == STT_GNU_IFUNC,
                    hidden: [STV_HIDDEN, STV_INTERNAL]
                        .contains(&symbol.elf_symbol().st_visibility()),
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
    fn roots(&mut self, asked: &Asked) -> Result<(), String> {
        let mut entries = Vec::new();
        let (mut slots, mut marks) = (Vec::new(), Vec::new());
        for (number, object) in self.objects.iter().enumerate() {
            for section in object.elf.sections() {
                let index = section.index().0;
                if object.data(index).starts_with(&ENTRY_MARK) {
                    entries.push((number, index));
                }
                if object.data(index).starts_with(b"plusminus:") {
                    marks.push((number, index));
                }
                let name = section.name().unwrap_or("");
                if let Some(turn) = turn(name) {
                    let own = object.relocations(index).iter();
                    slots.extend(own.map(|slot| (turn, (number, index), slot.clone())));
                }
            }
        }
        // Of one priority, they are called in the order of the objects.
        slots.sort_by_key(|(turn, ..)| *turn);
        for (_, section, slot) in slots {
            // The code that enters benchmarks into the registry differs with their names and places, and runs none of
            // them.
            if !self.registers(section, &slot) {
                let (called, _) = self.target(section, &slot, true)?;
                self.graph.start.extend(called.places());
            }
        }
        for name in [&b"main"[..], b"_start"] {
            for definition in self.symbols.get(name).cloned().unwrap_or_default() {
                let node = self.node(definition.section, None);
                self.graph.start.push(Place { node, offset: definition.value });
            }
        }
        let needed = asked.symbols.iter().map(|name| (name, true));
        for (name, hidden_as_well) in needed.chain(asked.called.iter().map(|name| (name, false))) {
            self.root(without_version(name), hidden_as_well);
        }
        let mut groups: Vec<_> = marks.iter().filter_map(|section| self.group(*section)).collect();
        groups.sort_by_key(|group| group.path.len());
        for section in marks {
            self.marked(section);
        }
        for section in entries {
            if let Some(entry) = self.entry(section, &groups)? {
                self.graph.entries.push(entry);
            }
        }
        Ok(())
    }

    /// Has whatever may be what is called from outside under a name be the same before any benchmark is.
    fn root(&mut self, name: &[u8], hidden_as_well: bool) {
        let mut definitions = self.symbols.get(name).cloned().unwrap_or_default();
        if !hidden_as_well && !definitions.is_empty() && definitions.iter().all(|one| one.hidden) {
            return;
        }
        definitions = self.distinct(definitions);
        for definition in definitions {
            let (target, _) = self.within(definition.section, definition.value, 0, false);
            self.graph.start.extend(target.places());
        }
        let common = self.common(name);
        self.graph.start.extend(common);
    }

    /// The variable that the linker makes of the common symbols of a name.
    fn common(&mut self, name: &[u8]) -> Option<Place> {
        let common = self.commons.get_mut(name)?;
        let node = *common.node.get_or_insert_with(|| {
            let local = if common.is_local { SHF_TLS.0 } else { 0 };
            self.graph.nodes.push(Node {
                names: vec![String::from_utf8_lossy(name).into_owned()],
                section: "COMMON".to_owned(),
                flags: SHF_ALLOC.0 | SHF_WRITE.0 | local,
                kind: SHT_NOBITS.0,
                align: common.align,
                size: common.size,
                ..Node::default()
            });
            (self.graph.nodes.len() - 1) as Index
        });
        Some(Place { node, offset: 0 })
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
        let (number, of_standard) = (section.0 as u32, object.of_standard);
        let of_harness = object.of_harness;
        let mut node = Node { object: number, of_standard, of_harness, ..Node::default() };
        if let Ok(own) = object.elf.section_by_index(SectionIndex(section.1)) {
            let header = own.elf_section_header();
            let endian = object.elf.endian();
            // Whether a section is one of a group of which the linker takes one is no property of its code.
            node.flags = header.sh_flags(endian).0 & !SHF_GROUP.0;
            node.kind = header.sh_type(endian).0;
            node.align = own.align();
            node.section = String::from_utf8_lossy(own.name_bytes().unwrap_or(b"")).into_owned();
            let data = own.data().unwrap_or(&[]);
            // The name of a section of pieces contains the size of pieces, and may also contain a function.
            (node.size, node.data) = match piece {
                Some((begin, end)) => (end - begin, data[begin as usize..end as usize].to_vec()),
                None => (own.size(), data.to_vec()),
            };
        }
        if piece.is_none() {
            self.left.push((section, index));
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
        let names = self.objects[number].names.get(&own);
        let names: Vec<String> =
            names.into_iter().flatten().map(|name| (*name).to_owned()).collect();
        let mut unwinding = Vec::new();
        for record in self.objects[number].unwinding.get(&own).cloned().unwrap_or_default() {
            unwinding.push(self.record(number, &record)?);
        }
        let node = &mut self.graph.nodes[index as usize];
        node.edges = edges?;
        node.of_standard |=
            names.first().is_some_and(|name| self.standard.contains(in_source(name)));
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
        let section = (object, record.section);
        let edges: Result<_, String> =
            record.relocations.iter().map(|one| self.edge(section, one)).collect();
        self.graph.nodes[index as usize].edges = edges?;
        if let Some(common) = &record.common {
            let common = self.record(object, common)?;
            self.graph.nodes[index as usize].unwinding = vec![common];
        }
        Ok(index)
    }
}

/// A symbol without the version behind it, by which a reference without one may mean it.
fn without_version(name: &[u8]) -> &[u8] {
    match name.iter().position(|byte| *byte == b'@') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}

/// When the functions in a section of this name are called besides `main`: before others or after, and by which priority. `None`
/// for all other sections.
fn turn(section: &str) -> Option<(u8, u32)> {
    let kinds = [
        (".preinit_array", 0, false),
        (".init_array", 1, false),
        (".ctors", 1, true),
        (".init", 1, false),
        (".fini_array", 2, false),
        (".dtors", 2, true),
        (".fini", 2, false),
    ];
    let found = kinds.iter().find(|(start, ..)| section.starts_with(start));
    let &(start, kind, backwards) = found?;
    // Without a number they come last, and in old sections numbers count the other way.
    let number = section[start.len()..].strip_prefix('.').and_then(|number| number.parse().ok());
    let priority = match number {
        Some(number) if backwards => 65_535_u32.saturating_sub(number),
        Some(number) => number,
        None => u32::MAX,
    };
    Some((kind, priority))
}

/// Whether the name of a section is a word of the language C, so that the linker gives its ends names.
fn is_word(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
