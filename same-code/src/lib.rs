//! Decides for each benchmark whether two programs would execute the same machine code on the same constants, from
//! what the linker was given for both; docs/explanation/identical-code.md explains why that is proof. Reads bytes
//! alone, but for [`Link`], which reads the files that a linker has read.
//!
//! The part of `cargo plusminus` that proves code identical: nothing here is stable.
#![forbid(unsafe_code)]

mod changes;
mod classes;
mod command_line;
mod differing;
mod graph;
mod identity;
mod inputs;
mod keep;
mod lines;
mod link;
mod registered;
mod types;
mod unwinding;
mod walk;
mod window;

#[cfg(test)]
mod objects_of_folder;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use plusminus_worker::{protocol::CaseDescription, text::sentence};

pub use changes::{Change, How};
pub use command_line::checksum;
pub use differing::{Differing, Group, MADE_UP, differing};
pub use graph::readable;
use graph::{Entry, Graph, Index, Place};
use identity::{Closed, Pairing};
pub use keep::carries_code;
pub use lines::{Lines, shortened, with_lines};
use link::LINKER;
pub use link::Link;
use registered::Registered;
use walk::{Stop, Walk};
use window::Windows;

/// The comparison of the code of a benchmark in two programs.
#[derive(Debug, Clone, PartialEq)]
pub enum Code {
    /// Both execute the same machine code on the same constants.
    Identical,
    /// They do not.
    Differs {
        /// The first difference that was found.
        first: String,
        /// The functions that differ.
        changes: Vec<Change>,
        /// How many more do, where a record has left some out.
        unlisted: usize,
        /// It only makes what the benchmark is timed on, or chooses it: the functions that may run in a timed window are the same.
        only_set_up: bool,
        /// The sizes of all that the benchmark reaches.
        sizes: Vec<Size>,
    },
    /// Unknown, for this reason.
    Unknown(String),
}

impl Code {
    /// Notes of code that differs whether that is the set-up alone.
    fn told_apart(mut self, same_windows: impl FnOnce() -> bool) -> Self {
        if let Self::Differs { only_set_up, .. } = &mut self {
            *only_set_up = same_windows();
        }
        self
    }

    /// Notes of code that differs the sizes of all that is reached from nodes of base and of new.
    fn sized(mut self, [base, new]: [&Graph; 2], [of_base, of_new]: [Index; 2]) -> Self {
        if let Self::Differs { sizes, .. } = &mut self {
            let (base, new) = (base.bytes(&[of_base]), new.bytes(&[of_new]));
            let parts = ["code", "data"].into_iter().zip(base.into_iter().zip(new));
            let size = |(part, (base, new)): (&str, _)| Size { part: part.to_owned(), base, new };
            *sizes = parts.map(size).collect();
        }
        self
    }
}

/// The size of a part of a program on both sides, in bytes: before linking, so that no layout changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// `code` for functions, `data` for constants and variables that the benchmark reaches, `program` for all of both.
    pub part: String,
    /// The size in base.
    pub base: u64,
    /// The size in new.
    pub new: u64,
}

/// Where a program was built: programs have paths below these folders in them, and read files there.
#[derive(Debug, Default)]
pub struct BuildFolders {
    /// The top of the sources.
    pub top: PathBuf,
    /// Where cargo has put what it built.
    pub target: PathBuf,
}

/// Compares the code of benchmarks in two programs, each given by all its bytes. Answers in the order of `cases`. `folders`
/// are those of base and new.
pub fn compare(
    base: &[u8],
    new: &[u8],
    cases: &[(&CaseDescription, &CaseDescription)],
    folders: &[BuildFolders; 2],
) -> Vec<Code> {
    let mut codes = judged(base, new, cases, folders);
    lines::add_places(&mut codes, [base, new], folders);
    codes
}

/// Compares all code of two programs whose harness is not ours.
pub fn compare_whole(base: &[u8], new: &[u8], folders: &[BuildFolders; 2]) -> Code {
    if base == new {
        return Code::Identical;
    }
    let mut code = match graphs(base, new, folders) {
        Err(why) => Code::Unknown(why),
        Ok((old, other)) => {
            let begin = begin(&old, &other);
            let (mut walk, mut pairing) = (Walk::new(&old, &other), Pairing::of([base, new]));
            let start = start(&old, &other, &begin, &mut walk, &mut pairing);
            match start.and_then(|()| same_loaded([base, new])) {
                Err(code) => code,
                Ok(()) => judge(pairing.check(&[(&walk, &begin)], false), Vec::new),
            }
        }
    };
    lines::add_places(std::slice::from_mut(&mut code), [base, new], folders);
    code
}

fn graphs(
    base: &[u8],
    new: &[u8],
    [of_base, of_new]: &[BuildFolders; 2],
) -> Result<(Graph, Graph), String> {
    let base = read(base)?;
    let mut new = read(new)?;
    for (there, here) in [(&of_new.top, &of_base.top), (&of_new.target, &of_base.target)] {
        new.rename(there, here);
    }
    Ok((base, new))
}

fn begin(base: &Graph, new: &Graph) -> Vec<(Place, Place)> {
    base.start.iter().copied().zip(new.start.iter().copied()).collect()
}

fn judged(
    base: &[u8],
    new: &[u8],
    cases: &[(&CaseDescription, &CaseDescription)],
    folders: &[BuildFolders; 2],
) -> Vec<Code> {
    if base == new {
        // In one program, the point, processors and threads may still differ where its environment decides them.
        let code = |(old, new): &(&CaseDescription, &CaseDescription)| match same_circumstances(
            old, new,
        ) {
            true => Code::Identical,
            false => Code::Unknown("it lists its benchmarks differently each time".to_owned()),
        };
        return cases.iter().map(code).collect();
    }
    let programs = [base, new];
    let graphs = graphs(base, new, folders);
    let (base, new) = match &graphs {
        Ok((base, new)) => (base, new),
        Err(why) => return vec![Code::Unknown(why.clone()); cases.len()],
    };
    let mut walk = Walk::new(base, new);
    let mut pairing = Pairing::of(programs);
    let begin = begin(base, new);
    let start =
        start(base, new, &begin, &mut walk, &mut pairing).and_then(|()| same_loaded(programs));
    let mut registered = Registered::new([base, new], programs);
    // Without a difference, there is no use for them.
    let mut windows = None;
    let mut same_windows = |walks: &[Closed<'_, '_>]| {
        windows.get_or_insert_with(|| Windows::new([base, new], programs)).are_same(walks)
    };
    let judged = cases.iter().map(|(old, new_case)| {
        if let Err(code) = &start {
            return code.clone();
        }
        if !same_circumstances(old, new_case) {
            return Code::Unknown(other_circumstances(old, new_case).to_owned());
        }
        let entries = entry(base, old).and_then(|base| Ok((base, entry(new, new_case)?)));
        let (one, other) = match entries {
            Ok(entries) => entries,
            // Running code registers it.
            Err(None) => {
                let whole = (&mut walk, &*begin);
                return registered.judged(old, new_case, whole, &mut pairing, &mut same_windows);
            }
            Err(Some(why)) => return Code::Unknown(why),
        };
        let root = |entry: &Entry| Place { node: entry.root, offset: 0 };
        let roots = [(root(one), root(other))];
        let walked = walk
            .compare(&roots, &mut pairing)
            .and_then(|()| pairing.check(&[(&walk, &begin), (&walk, &roots)], old.threads > 1));
        judge(walked, || changes::between(base, &[one.root], new, &[other.root]))
            .told_apart(|| same_windows(&[(&walk, &roots)]))
            .sized([base, new], [one.root, other.root])
    });
    let mut codes: Vec<Code> = judged.collect();
    add_program(&mut codes, [base, new]);
    codes
}

fn add_program(codes: &mut [Code], graphs: [&Graph; 2]) {
    let mut known: Option<Size> = None;
    for code in codes {
        let Code::Differs { sizes, .. } = code else { continue };
        let size = known.get_or_insert_with(|| {
            let [base, new] = graphs.map(|graph| {
                let roots = graph.start.iter().map(|place| place.node);
                let roots = roots.chain(graph.entries.iter().map(|entry| entry.root));
                graph.bytes(&roots.collect::<Vec<_>>()).iter().sum()
            });
            Size { part: "program".to_owned(), base, new }
        });
        sizes.push(size.clone());
    }
}

/// Whether a benchmark is called in the same way on both sides, as far as code does not tell.
fn same_circumstances(base: &CaseDescription, new: &CaseDescription) -> bool {
    let of = |case: &CaseDescription| {
        (
            case.problem.clone(),
            case.point.clone(),
            // The argument is found by its place.
            case.point_index,
            case.launcher.clone(),
            case.processors,
            case.names_processors,
            case.threads,
        )
    };
    of(base) == of(new)
}

/// Why two benchmarks of one name are not called in the same way.
fn other_circumstances(base: &CaseDescription, new: &CaseDescription) -> &'static str {
    let moved = CaseDescription { point_index: new.point_index, ..base.clone() };
    if same_circumstances(&moved, new) {
        "it stands at another place in the list of arguments"
    } else {
        "its attribute asks for something else: another argument under its name, or another environment"
    }
}

fn read(program: &[u8]) -> Result<Graph, String> {
    let graph = keep::find(program)?.ok_or_else(|| {
        "the programs do not carry what the linker was given, which `cargo plusminus compare` keeps on Linux when it builds"
            .to_owned()
    })?;
    match graph.trouble {
        Some(why) => Err(why),
        None => Ok(graph),
    }
}

/// Compares what runs before any benchmark, and how programs were linked; the code of all benchmarks if that differs.
fn start(
    base: &Graph,
    new: &Graph,
    begin: &[(Place, Place)],
    walk: &mut Walk<'_>,
    pairing: &mut Pairing<'_>,
) -> Result<(), Code> {
    if base.libraries != new.libraries {
        return Err(Code::Unknown(other_libraries(&base.libraries, &new.libraries)));
    }
    if base.options != new.options {
        let odd = new.options.iter().find(|option| !base.options.contains(option));
        let odd = odd.or_else(|| base.options.iter().find(|option| !new.options.contains(option)));
        let odd = odd.map_or("their order", String::as_str);
        return Err(Code::Unknown(format!("the linker got other options ({odd})")));
    }
    if base.start.len() != new.start.len() {
        return Err(Code::Unknown(
            "other code runs before `main`, or is called by libraries".to_owned(),
        ));
    }
    let nodes = |graph: &Graph| graph.start.iter().map(|place| place.node).collect::<Vec<_>>();
    let walked = walk.compare(begin, pairing);
    match judge(walked, || changes::between(base, &nodes(base), new, &nodes(new))) {
        Code::Identical => Ok(()),
        other => Err(other),
    }
}

/// Compares which libraries are loaded with the programs: what a library does when it is loaded concerns every benchmark.
fn same_loaded(programs: [&[u8]; 2]) -> Result<(), Code> {
    let [base, new] = programs.map(command_line::loaded);
    base.symmetric_difference(&new).next().map_or(Ok(()), |name| {
        Err(Code::Unknown(format!("only one of the programs loads the library {name}")))
    })
}

/// Whether two programs were linked by the same linker with the same libraries of the system, as far as that is known. It
/// changes when a system is brought up to date.
pub fn same_system(base: &[u8], new: &[u8]) -> bool {
    let of = |program| {
        let graph = read(program).ok()?;
        let linker = graph.options.into_iter().find(|option| option.starts_with(LINKER));
        Some((graph.libraries, linker))
    };
    base == new || of(base).zip(of(new)).is_none_or(|(base, new)| base == new)
}

/// How the libraries differ that two programs are linked with.
fn other_libraries(base: &[(String, u64)], new: &[(String, u64)]) -> String {
    let missing = |these: &[(String, u64)], those: &[(String, u64)]| {
        these.iter().find(|one| !those.contains(one)).map(|(name, _)| name.clone())
    };
    let Some(name) = missing(new, base).or_else(|| missing(base, new)) else {
        return "the linker gets the libraries in another order".to_owned();
    };
    let has = |libraries: &[(String, u64)]| libraries.iter().any(|(other, _)| *other == name);
    match (has(base), has(new)) {
        (true, true) => format!("the library {name} has another content"),
        (false, _) => format!("the linker gets another library ({name})"),
        (true, false) => format!("the linker does not get the library {name} any more"),
    }
}

fn judge(walked: Result<(), Stop>, changes: impl FnOnce() -> Vec<Change>) -> Code {
    match walked {
        Ok(()) => Code::Identical,
        Err(Stop::Unknown(why)) => Code::Unknown(why),
        Err(Stop::Differs(first)) => {
            let (changes, sizes) = (changes(), Vec::new());
            Code::Differs { first, changes, unlisted: 0, only_set_up: false, sizes }
        }
    }
}

/// The entry of a benchmark; or why it is not known which, where it has any.
fn entry<'a>(graph: &'a Graph, case: &CaseDescription) -> Result<&'a Entry, Option<String>> {
    let is_meant = |entry: &&Entry| {
        let path = format!("{}::{}", entry.module, entry.name);
        path.split_once("::")
            .is_some_and(|(krate, path)| krate == case.krate && sentence(path) == case.function)
            && (entry.file == case.file && entry.line == case.line)
            && entry.combination == case.combination
    };
    let mut found = graph.entries.iter().filter(is_meant);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(None),
        _ => Err(Some("several registrations stand at its place in the source".to_owned())),
    }
}
