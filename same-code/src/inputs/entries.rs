//! The registered benchmarks of a program, as their attributes wrote them, and what registers them.

use object::{Object as _, ObjectSymbol as _, SectionIndex};
use plusminus_worker::registry::private::{
    ENTRY_MARK, GROUP_MARK, LIST_MARK, RUN_MARK, SECTION_MARK,
};

use super::{Builder, Section, objects::Relocation};
use crate::graph::{ENTRY, Edge, Entry, Index, Node};

/// Where the texts of an entry or a group stand, and the line of an entry.
const TEXTS: [usize; 3] = [16, 32, 48];
const LINE: usize = 64;
/// Where the number of an entry's combination stands, behind line and column.
const COMBINATION: usize = 72;
/// Where the function stands that makes the metrics of an entry.
const ENTRY_METRICS: usize = 80;
/// Where the code of an entry stands, the kind first.
const SUBJECT: usize = 88;
/// Where the function stands that makes the metrics of a group.
const GROUP_METRICS: usize = 64;
/// A variant is sampled by one function, and another one builds its input.
const VARIANT: u64 = 1;
const REGISTERED: u64 = 2;
/// Where the function stands behind a mark.
const MARKED: usize = 16;

pub(super) struct Group {
    section: Section,
    /// The path of its module, crate first.
    pub(super) path: String,
    /// The name that stands for its module, if it has another one.
    name: Option<String>,
    metrics: Option<Relocation>,
}

impl Group {
    fn contains(&self, module: &str) -> bool {
        let rest = module.strip_prefix(&self.path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }
}

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

    /// Notes the function that a mark is on, or the list that it begins, if the section has one.
    pub(super) fn marked(&mut self, section: Section) {
        let data = self.objects[section.0].data(section.1);
        if data.starts_with(&LIST_MARK) {
            let list = self.node(section, None);
            self.graph.sections.insert(list);
            return;
        }
        let (one_run, one_section) = (data.starts_with(&RUN_MARK), data.starts_with(&SECTION_MARK));
        if !one_run && !one_section {
            return;
        }
        let function = self.reference(section, MARKED);
        let Some((object, function, 0)) = function.and_then(|one| self.definition(section.0, one))
        else {
            return;
        };
        let node = self.node((object, function), None);
        let list = if one_run { &mut self.graph.runs } else { &mut self.graph.sections };
        list.insert(node);
    }

    fn reference(&self, section: Section, at: usize) -> Option<&Relocation> {
        let relocations = self.objects[section.0].relocations(section.1);
        relocations.iter().find(|one| one.at == at as u64)
    }

    fn text(&self, section: Section, at: usize) -> Option<String> {
        let length = number(self.objects[section.0].data(section.1), at + 8, 8)?;
        let relocation = self.reference(section, at)?;
        let (object, section, from) = self.definition(section.0, relocation)?;
        let from = usize::try_from(from).ok()?;
        let to = from.checked_add(usize::try_from(length).ok()?)?;
        String::from_utf8(self.objects[object].data(section).get(from..to)?.to_vec()).ok()
    }

    /// Reads a registered group; `None` for other data.
    pub(super) fn group(&self, section: Section) -> Option<Group> {
        if !self.objects[section.0].data(section.1).starts_with(&GROUP_MARK) {
            return None;
        }
        let [parent, module, name] = TEXTS.map(|at| self.text(section, at));
        let metrics = self.reference(section, GROUP_METRICS).cloned();
        Some(Group { section, path: format!("{}::{}", parent?, module?), name, metrics })
    }

    /// Reads a registered benchmark; `None` if its data are not laid out as expected.
    pub(super) fn entry(
        &mut self,
        section: Section,
        groups: &[Group],
    ) -> Result<Option<Entry>, String> {
        let data = self.objects[section.0].data(section.1).to_vec();
        if data.len() < SUBJECT + 24 || !self.objects[section.0].elf.is_little_endian() {
            return Ok(None);
        }
        let [Some(module), Some(name), Some(file)] = TEXTS.map(|at| self.text(section, at)) else {
            return Ok(None);
        };
        let [line, combination] =
            [LINE, COMBINATION].map(|at| number(&data, at, 4).unwrap_or_default() as u32);
        let kind = number(&data, SUBJECT, 8);
        let whole = self.node(section, None);
        // The rest is executed: its metrics, its kind, and one or two functions. The name, the place and the list of
        // points of an entry are not executed while it is measured.
        let functions = if kind == Some(VARIANT) { 2 } else { 1 };
        let run = ENTRY_METRICS..SUBJECT + 8 * (1 + functions);
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
        let subject = (SUBJECT - ENTRY_METRICS) as u64;
        if edges.iter().filter(|edge| edge.at > subject).count() != functions {
            return Ok(None);
        }
        let mut shown: Vec<&str> = module.split("::").collect();
        // Where a benchmark has metrics of its own, those of groups are compared as well.
        for group in groups.iter().filter(|group| group.contains(&module)) {
            if let Some(name) = &group.name {
                shown[group.path.matches("::").count()] = name;
            }
            if let Some(metrics) = &group.metrics {
                edges.push(Edge { at: run.len() as u64, ..self.edge(group.section, metrics)? });
            }
        }
        self.graph.nodes[head as usize].edges = edges;
        let registers = kind == Some(REGISTERED);
        let module = shown.join("::");
        Ok(Some(Entry { module, name, file, line, combination, root: head, registers }))
    }
}

/// The number in some bytes of data, the lowest byte first.
fn number(data: &[u8], at: usize, bytes: usize) -> Option<u64> {
    let bytes = data.get(at..at.checked_add(bytes)?)?;
    Some(bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
}
