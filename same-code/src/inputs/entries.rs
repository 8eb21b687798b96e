//! The registered benchmarks of a program, as their attributes wrote them, and what registers them.

use object::{Object as _, ObjectSymbol as _, SectionIndex};
use plusminus_worker::registry::private::{ENTRY_MARK, GROUP_MARK, RUN_MARK, SECTION_MARK};

use super::{Builder, Section, objects::Relocation};
use crate::graph::{ENTRY, Entry, Index, Node};

/// The size of the fields of an entry up to its column: a mark, three texts, line and column.
const ENTRY_HEAD: usize = 72;
/// A variant is sampled by one function, and another one builds its input.
const VARIANT: u64 = 1;
/// A function that registers benchmarks.
const REGISTERED: u64 = 2;
/// Where the function stands behind a mark.
const MARKED: u64 = 16;

impl Builder<'_> {
    /// Whether a function that the loader calls does no more than enter a benchmark or a group into the registry: it
    /// refers to a variable that refers to data with a mark.
    pub(super) fn registers(&self, (object, _): Section, slot: &Relocation) -> bool {
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

    /// Notes the function that a mark is on, if the section is one.
    pub(super) fn marked(&mut self, section: Section) {
        let data = self.objects[section.0].data(section.1);
        let (one_run, one_section) = (data.starts_with(&RUN_MARK), data.starts_with(&SECTION_MARK));
        if !one_run && !one_section {
            return;
        }
        let relocations = self.objects[section.0].relocations(section.1);
        let function = relocations.iter().find(|one| one.at == MARKED);
        let Some((object, function, 0)) = function.and_then(|one| self.definition(section.0, one))
        else {
            return;
        };
        let node = self.node((object, function), None);
        let list = if one_run { &mut self.graph.runs } else { &mut self.graph.sections };
        list.insert(node);
    }

    /// Reads a registered benchmark; `None` if its data are not laid out as expected.
    pub(super) fn entry(&mut self, section: Section) -> Result<Option<Entry>, String> {
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
        // The rest is executed: its kind and one or two functions. The name, the place and the list of points of an
        // entry are not executed while it is measured.
        let run = ENTRY_HEAD..ENTRY_HEAD + if number(ENTRY_HEAD, 8) == VARIANT { 24 } else { 16 };
        let head = self.graph.nodes.len() as Index;
        let relocations = self.objects[section.0].relocations(section.1).to_vec();
        self.graph.nodes.push(Node {
            section: ENTRY.to_owned(),
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
        let registers = number(ENTRY_HEAD, 8) == REGISTERED;
        Ok(Some(Entry { module, name, file, line, root: head, registers }))
    }
}
