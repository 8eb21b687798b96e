//! The linker's inputs, as far as benchmarks can reach them: pieces of code and data, and their references.

use std::{collections::BTreeSet, path::Path};

use object::elf::{SHF_ALLOC, SHF_EXECINSTR, SHF_MERGE, SHF_WRITE};
use serde::{Deserialize, Serialize};

pub(super) type Index = u32;

/// Everything that the benchmarks of a program can reach, before the linker has given it addresses.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Graph {
    /// Functions, constants, variables and records for unwinding.
    pub(super) nodes: Vec<Node>,
    pub(super) entries: Vec<Entry>,
    /// Code that runs before benchmarks do: `main` and the functions that the loader calls. It also contains symbols
    /// that shared libraries or the linker's options can call from outside.
    pub(super) start: Vec<Place>,
    /// Functions that are called for one benchmark alone that is registered at run time.
    pub(super) runs: BTreeSet<Index>,
    /// Functions that are called for the benchmarks of one section alone, and lists of them.
    pub(super) sections: BTreeSet<Index>,
    /// Libraries that stay outside of the program, with a checksum of each that was found. Two whose order may mean
    /// something stand as the linker gets them.
    pub(super) libraries: Vec<(String, u64)>,
    /// Further options of the linker.
    pub(super) options: Vec<String>,
    /// Why nothing can be said of this program.
    pub(super) trouble: Option<String>,
}

/// Stands for the section of a node that a registered benchmark runs.
pub(super) const ENTRY: &str = "entry";

/// A registered benchmark, as its attribute wrote it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The path of its module, crate first, with the names that groups give.
    pub(super) module: String,
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: u32,
    /// The number of its types and constants among the combinations that the attribute lists.
    pub(super) combination: u32,
    /// The node that holds what it runs: the entry without names and place.
    pub(super) root: Index,
    /// Whether what it runs registers benchmarks.
    pub(super) registers: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) node: Index,
    pub(super) offset: u64,
}

/// One section of an object file, or a piece of a section whose pieces the linker may merge.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    /// The symbols that name it, mangled.
    pub(super) names: Vec<String>,
    /// The number of the object that it comes from: within one, the compiler knows what functions do.
    pub(super) object: u32,
    /// Whether it is a part of the standard library or of a crate in it: that object is the compiler's, or a variable has a
    /// symbol of the compiler's.
    pub(super) of_standard: bool,
    /// Whether that object is one of a crate of the harness.
    pub(super) of_harness: bool,
    pub(super) section: String,
    pub(super) flags: u64,
    pub(super) kind: u32,
    pub(super) align: u64,
    pub(super) size: u64,
    /// Its bytes; none where the loader fills it with zeros.
    #[serde(with = "serde_bytes")]
    pub(super) data: Vec<u8>,
    /// Its references, in the order of its bytes.
    pub(super) edges: Vec<Edge>,
    /// Records for unwinding that belong to it.
    pub(super) unwinding: Vec<Index>,
    /// Whether it is a place in the source, as panics name it. Line and column are no code where code refers to it.
    pub(super) is_source_place: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Edge {
    pub(super) at: u64,
    /// How the linker fills it in, by the number of the machine's ABI.
    pub(super) kind: u32,
    pub(super) addend: i64,
    pub(super) target: Target,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Target {
    Node(Place),
    /// One of several definitions of a symbol, or all sections of a name.
    Several(Vec<Place>),
    /// Something that no input defines: a shared library, the toolchain, or the linker itself.
    Name {
        name: String,
        weak: bool,
    },
    Number(u64),
    Unknown(String),
}

fn find(data: &[u8], path: &[u8]) -> Option<usize> {
    let last = data.len().checked_sub(path.len())?;
    // Its last byte is rarer than the slash that it begins with.
    let end = *path.last()?;
    let ends = data[path.len() - 1..].iter().enumerate().filter(|(_, byte)| **byte == end);
    ends.map(|(at, _)| at).find(|&at| at <= last && data[at..].starts_with(path))
}

/// Returns the name of a function without the parts that change with every build.
pub fn readable(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

impl Target {
    /// The parts of the program that it may refer to.
    pub(super) fn places(&self) -> &[Place] {
        match self {
            Self::Node(place) => std::slice::from_ref(place),
            Self::Several(places) => places,
            Self::Name { .. } | Self::Number(_) | Self::Unknown(_) => &[],
        }
    }
}

impl Node {
    pub(super) fn is_code(&self) -> bool {
        self.flags & SHF_EXECINSTR.0 != 0
    }

    /// Whether it is a variable, rather than a constant that the loader completes.
    pub(super) fn is_variable(&self) -> bool {
        self.flags & SHF_WRITE.0 != 0 && !self.section.starts_with(".data.rel.ro")
    }

    /// Whether linkers merge it with others of the same bytes, as they like.
    pub(super) fn is_merged(&self) -> bool {
        self.flags & SHF_MERGE.0 != 0
    }

    /// How it has to be aligned. The alignment of a section that linkers merge is that of its most demanding piece. A piece itself
    /// is only as aligned as the code that reads it requires, and that code is compared.
    pub(super) fn own_align(&self) -> u64 {
        if self.is_merged() { 0 } else { self.align }
    }

    pub(super) fn shown(&self) -> String {
        match self.names.first() {
            Some(name) => readable(name),
            None if self.section == ".eh_frame" => "a record for unwinding".to_owned(),
            None => format!("a constant in {}", self.section),
        }
    }
}

impl Graph {
    /// Replaces a path by one of the same length wherever data begin with it or have it in the middle. Each side
    /// reads its own files, so texts that differ only in their folder mean the same.
    pub(super) fn rename(&mut self, there: &Path, here: &Path) {
        let paths = [there, here].map(|path| path.as_os_str().as_encoded_bytes());
        let [there, here] = paths;
        if there.is_empty() || there == here || there.len() != here.len() {
            return;
        }
        for node in self.nodes.iter_mut().filter(|node| !node.is_code()) {
            let mut from = 0;
            while let Some(at) = find(&node.data[from..], there) {
                let begin = from + at;
                from = begin + there.len();
                node.data[begin..from].copy_from_slice(here);
            }
        }
    }

    pub(super) fn neighbours(&self, node: Index) -> impl Iterator<Item = Index> + '_ {
        let node = &self.nodes[node as usize];
        let targets = node.edges.iter().flat_map(|edge| edge.target.places());
        targets.map(|place| place.node).chain(node.unwinding.iter().copied())
    }

    /// Everything that can be reached from some nodes, themselves included.
    pub(super) fn reached(&self, from: &[Index]) -> BTreeSet<Index> {
        self.reached_without(from.iter().copied(), &BTreeSet::new())
    }

    /// Everything that can be reached from some nodes on ways that do not enter those of `left_out`.
    pub(super) fn reached_without(
        &self,
        from: impl IntoIterator<Item = Index>,
        left_out: &BTreeSet<Index>,
    ) -> BTreeSet<Index> {
        self.reached_while(from, |next| !left_out.contains(&next))
    }

    /// Everything that can be reached from some nodes on ways that enter only nodes for which `enters` holds.
    pub(super) fn reached_while(
        &self,
        from: impl IntoIterator<Item = Index>,
        enters: impl Fn(Index) -> bool,
    ) -> BTreeSet<Index> {
        let mut left: Vec<Index> = from.into_iter().collect();
        let mut reached: BTreeSet<Index> = left.iter().copied().collect();
        while let Some(node) = left.pop() {
            let next = self.neighbours(node).filter(|&next| enters(next));
            left.extend(next.filter(|next| reached.insert(*next)));
        }
        reached
    }

    /// The bytes of code and of data in memory that can be reached from some nodes.
    pub(super) fn bytes(&self, from: &[Index]) -> [u64; 2] {
        let mut bytes = [0; 2];
        for node in self.reached(from).into_iter().map(|node| &self.nodes[node as usize]) {
            if node.flags & SHF_ALLOC.0 != 0 {
                bytes[usize::from(!node.is_code())] += node.size;
            }
        }
        bytes
    }
}
