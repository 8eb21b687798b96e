//! The files that a linker's command line means: inputs that become a part of the program, and the libraries that
//! stay outside, with the libraries that these need.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    env, fs,
    path::{Path, PathBuf},
};

use super::{
    CommandLine, Named, State, checksum,
    shared::{self, Outside},
};
use crate::inputs::{self, Asked, Input};

#[derive(Debug, Default)]
pub(crate) struct Given {
    pub(crate) inputs: Vec<Input>,
    /// The parts of them that are needed besides benchmarks.
    pub(crate) asked: Asked,
    /// Names of libraries that stay outside, with a checksum of each that was found, in an order in which those change
    /// places that have nothing in common.
    pub(crate) libraries: Vec<(String, u64)>,
}

/// Returns the folders in which a compiler and the loader look by default.
pub(crate) fn system_folders() -> Vec<PathBuf> {
    let told =
        ["LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_RUN_PATH"].into_iter().filter_map(env::var_os);
    let mut folders: Vec<PathBuf> =
        told.flat_map(|paths| env::split_paths(&paths).collect::<Vec<_>>()).collect();
    let machine = format!("{}-linux-gnu", env::consts::ARCH);
    for top in ["/usr/local/lib", "/lib", "/usr/lib"] {
        folders.extend([format!("{top}/{machine}").into(), format!("{top}64").into(), top.into()]);
    }
    // Libraries of the compiler, in a folder for each of its versions.
    let below = |folder: PathBuf| {
        let entries =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.collect::<BTreeSet<_>>()
    };
    let machines = below("/usr/lib/gcc".into()).into_iter().filter(|folder| {
        folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(env::consts::ARCH))
    });
    folders.extend(machines.flat_map(below));
    folders.retain(|folder| !folder.as_os_str().is_empty());
    folders
}

/// How the name of an archive ends that is a part of the program, and is listed for its place in the order.
const IN_PROGRAM: &str = ", in the program";

struct Library {
    name: String,
    checksum: u64,
    /// Nothing where it was not found.
    found: Option<Outside>,
}

struct Collector<'a> {
    line: &'a CommandLine,
    system: &'a [PathBuf],
    /// The machine that the program is for, once an object has said so.
    machine: Option<[u8; 2]>,
    given: Given,
    libraries: Vec<Library>,
    /// Libraries that others need, with folders of those.
    needed: VecDeque<(String, Vec<PathBuf>)>,
    seen: HashSet<PathBuf>,
    /// The archive of the standard library, where the compiler has files that are linked.
    standard: Option<PathBuf>,
}

impl CommandLine {
    /// Reads all files that are linked. `system` are the folders of [`system_folders`].
    pub(crate) fn given(&self, system: &[PathBuf]) -> Result<Given, String> {
        if let Some(why) = &self.trouble {
            return Err(why.clone());
        }
        let system: Vec<PathBuf> = match &self.sysroot {
            Some(top) => {
                system.iter().map(|folder| format!("{top}{}", folder.display()).into()).collect()
            }
            None => system.to_vec(),
        };
        let mut collector = Collector {
            line: self,
            system: &system,
            machine: None,
            given: Given::default(),
            libraries: Vec::new(),
            needed: VecDeque::new(),
            seen: HashSet::new(),
            standard: None,
        };
        for (input, state) in &self.inputs {
            collector.add(input, *state)?;
        }
        collector.follow_needed()?;
        let Collector { mut given, libraries, standard, .. } = collector;
        // Link-time optimization makes it a part of other objects.
        if let Some(bytes) = standard.and_then(|path| fs::read(path).ok()) {
            given.asked.standard = inputs::variables(&bytes);
        }
        given.asked.plugin = self.plugin;
        given.asked.symbols.extend(self.symbols.iter().map(|name| name.clone().into_bytes()));
        for library in libraries.iter().filter(|library| !library.name.ends_with(IN_PROGRAM)) {
            let symbols = library.found.iter().flat_map(|outside| &outside.symbols);
            let defined = symbols.filter(|(_, defines)| **defines).map(|(name, _)| name.clone());
            given.asked.outside.extend(defined);
        }
        given.libraries = in_normal_order(libraries);
        Ok(given)
    }
}

impl Collector<'_> {
    fn add(&mut self, input: &Named, state: State) -> Result<(), String> {
        let name = match input {
            Named::Path(path) => return self.file(path, state, true),
            Named::Library(name) => name,
        };
        match self.find(name, state) {
            Some((path, of_build)) => self.file(&path, state, of_build),
            None => {
                let kind = if state.archives { " as an archive" } else { "" };
                self.outside(format!("-l{name}{kind}"), state, None);
                Ok(())
            }
        }
    }

    /// The file behind `-l`, and whether a folder of the command line has it.
    fn find(&self, library: &str, state: State) -> Option<(PathBuf, bool)> {
        let (archive, shared) = match library.strip_prefix(':') {
            Some(file) => (file.to_owned(), file.to_owned()),
            None => (format!("lib{library}.a"), format!("lib{library}.so")),
        };
        let names: &[&String] = if state.archives { &[&archive] } else { &[&shared, &archive] };
        let folders = self.line.folders.iter().map(|folder| (folder, true));
        let folders = folders.chain(self.system.iter().map(|folder| (folder, false)));
        let mut candidates = folders.flat_map(|(folder, of_build)| {
            names.iter().map(move |name| (folder.join(name), of_build))
        });
        candidates.find(|(path, _)| self.is_usable(path))
    }

    /// Whether a file is there, and for the machine of the program: linkers go on looking otherwise.
    fn is_usable(&self, path: &Path) -> bool {
        let Ok(mut file) = fs::File::open(path) else { return false };
        let mut head = [0; 20];
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        let whole = std::io::Read::read_exact(&mut file, &mut head).is_ok();
        let other = |machine| self.machine.is_some_and(|own| own != machine);
        is_file && !(whole && shared::machine(&head).is_some_and(other))
    }

    /// Adds a file. Of the system's archives only the content as a whole and the names are kept.
    fn file(&mut self, path: &Path, state: State, of_build: bool) -> Result<(), String> {
        let bytes =
            fs::read(path).map_err(|reason| format!("cannot read {}: {reason}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_archive = bytes.starts_with(b"!<arch>") || bytes.starts_with(b"!<thin>");
        if is_archive && !of_build && !state.whole {
            let outside = shared::archive(path, &bytes)?;
            // Its objects become a part of the program, so that hiding a symbol from libraries does not matter.
            let referred = outside.symbols.iter().filter(|(_, defines)| !**defines);
            self.given.asked.symbols.extend(referred.map(|(name, _)| name.clone()));
            self.outside(name, State { always: false, ..state }, Some((checksum(&bytes), outside)));
        } else if shared::is_shared(&bytes) {
            return self.library(path, &bytes, state);
        } else if let Some(inputs) = script(&bytes) {
            for input in inputs? {
                self.of_script(path, &input, state, of_build)?;
            }
        } else {
            self.machine = self.machine.or(shared::machine(&bytes));
            if is_archive && !state.whole && !name.ends_with(".rlib") {
                // A symbol that a shared library defines as well comes from whichever stands first.
                let outside = shared::archive(path, &bytes)?;
                let name = format!("{name}{IN_PROGRAM}");
                self.outside(name, State { always: false, ..state }, Some((0, outside)));
            }
            let certain = if is_archive { state.whole } else { !state.lazy };
            let standard = standard_library(path);
            let of_standard = standard.is_some();
            self.standard = self.standard.take().or(standard);
            self.given.inputs.push(Input { name, bytes, certain, of_standard });
        }
        Ok(())
    }

    /// Adds an input that a linker's script names.
    fn of_script(
        &mut self,
        script: &Path,
        input: &str,
        state: State,
        of_build: bool,
    ) -> Result<(), String> {
        if let Some(library) = input.strip_prefix("-l") {
            return self.add(&Named::Library(library.to_owned()), state);
        }
        let beside = script.parent().unwrap_or(Path::new("")).join(input);
        if self.is_usable(&beside) {
            return self.file(&beside, state, of_build);
        }
        self.add(&Named::Library(format!(":{input}")), state)
    }

    /// Adds a shared library, and the libraries that it needs.
    fn library(&mut self, path: &Path, bytes: &[u8], state: State) -> Result<(), String> {
        self.seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
        let outside = shared::library(path, bytes)?;
        for needed in &outside.needs {
            self.needed.push_back((needed.clone(), outside.folders.clone()));
        }
        self.given.asked.called.extend(outside.symbols.keys().cloned());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The loader looks for it anew, and may find another one in a folder of its own.
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        self.needed.push_back((outside.name.clone().unwrap_or_else(|| name.clone()), vec![beside]));
        self.outside(name, state, Some((checksum(bytes), outside)));
        Ok(())
    }

    fn outside(&mut self, name: String, state: State, found: Option<(u64, Outside)>) {
        let name = if state.always { format!("{name}, loaded in any case") } else { name };
        let (checksum, found) = found.unzip();
        let checksum = checksum.unwrap_or(0);
        if !self.libraries.iter().any(|one| one.name == name && one.checksum == checksum) {
            self.libraries.push(Library { name, checksum, found });
        }
    }

    /// Adds the libraries that libraries need. Which of several of a name is loaded depends on the environment of the
    /// program: all count, and those of the system if there are no others.
    fn follow_needed(&mut self) -> Result<(), String> {
        let output = self.line.output.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let origin = output.display().to_string();
        let runtime: Vec<PathBuf> =
            self.line.runtime.iter().map(|folder| shared::with_origin(folder, &origin)).collect();
        let mut missing = BTreeSet::new();
        while let Some((name, own)) = self.needed.pop_front() {
            let named = |folder: &PathBuf| folder.join(&name);
            let told = own.iter().chain(&runtime).chain(&self.line.folders).map(named);
            let mut found: Vec<PathBuf> = told.filter(|path| self.is_usable(path)).collect();
            if found.is_empty() {
                found.extend(self.system.iter().map(named).find(|path| self.is_usable(path)));
            }
            if found.is_empty() && missing.insert(name.clone()) {
                self.outside(name, State::default(), None);
            }
            for path in found {
                let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                if self.seen.contains(&real) {
                    continue;
                }
                let bytes = fs::read(&path)
                    .map_err(|reason| format!("cannot read {}: {reason}", path.display()))?;
                self.library(&path, &bytes, State::default())?;
            }
        }
        Ok(())
    }
}

/// The archive of the standard library in the folder of a file, if the compiler keeps that library for a machine there, with the
/// crates that it contains. Crates of users may have their names, and cargo puts none there.
fn standard_library(path: &Path) -> Option<PathBuf> {
    let is_named =
        |levels, name: &str| path.ancestors().nth(levels)?.file_name().filter(|own| *own == name);
    is_named(1, "lib").and(is_named(3, "rustlib"))?;
    let mut files = fs::read_dir(path.parent()?).into_iter().flatten().flatten();
    let archive = files.find(|file| {
        let name = file.file_name();
        let name = name.as_encoded_bytes();
        name.starts_with(b"libstd-") && name.ends_with(b".rlib")
    });
    archive.map(|file| file.path())
}

/// The files that a linker's script names, as `libc.so` is one; nothing if a file is none.
fn script(bytes: &[u8]) -> Option<Result<Vec<String>, String>> {
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0') && text.contains('('))?;
    let mut plain = text.to_owned();
    while let Some((before, rest)) = plain.split_once("/*") {
        let after = rest.split_once("*/").map_or("", |(_, after)| after);
        plain = format!("{before} {after}");
    }
    let spaced = plain.replace(['(', ')', ','], " ( ").replace(';', " ");
    let mut words = spaced.split_whitespace().filter(|word| *word != "(").peekable();
    let (mut inputs, mut in_list) = (Vec::new(), false);
    while let Some(word) = words.next() {
        match word {
            "GROUP" | "INPUT" | "AS_NEEDED" => in_list = true,
            "OUTPUT_FORMAT" => drop(words.next()),
            input if in_list => inputs.push(input.trim_matches('"').to_owned()),
            other => {
                return Some(Err(format!(
                    "the linker is given a script that is not understood ({other})"
                )));
            }
        }
    }
    Some(Ok(inputs))
}

/// Returns libraries in the smallest order by name. Two that define the same symbol, or that were not found, keep
/// their order, because it alone decides which of them a symbol comes from.
fn in_normal_order(libraries: Vec<Library>) -> Vec<(String, u64)> {
    let mut definers: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); libraries.len()];
    for (index, library) in libraries.iter().enumerate() {
        let symbols = library.found.iter().flat_map(|outside| &outside.symbols);
        for (symbol, _) in symbols.filter(|(_, defines)| **defines) {
            let earlier = definers.entry(symbol).or_default();
            before[index].extend(earlier.iter());
            earlier.push(index);
        }
    }
    for (index, library) in libraries.iter().enumerate() {
        let earlier = libraries[..index].iter().enumerate();
        let unclear = earlier.filter(|(_, other)| library.found.is_none() || other.found.is_none());
        before[index].extend(unclear.map(|(other, _)| other));
    }
    let mut left: BTreeSet<usize> = (0..libraries.len()).collect();
    let mut ordered = Vec::new();
    while let Some(next) = left
        .iter()
        .copied()
        .filter(|index| before[*index].is_disjoint(&left))
        .min_by_key(|index| (&libraries[*index].name, libraries[*index].checksum))
    {
        left.remove(&next);
        ordered.push((libraries[next].name.clone(), libraries[next].checksum));
    }
    ordered
}
