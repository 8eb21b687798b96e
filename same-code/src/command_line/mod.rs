//! Reads the command line that rustc gives to the linker: its inputs, and its options. An option that is not in the
//! lists of [`options`] makes the program unknown.

mod arguments;
mod libraries;
mod options;
mod shared;

#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::{
    collections::BTreeSet,
    fs,
    hash::{DefaultHasher, Hasher},
    path::{Path, PathBuf},
};

use arguments::Flat;
pub(super) use arguments::expanded;
pub(super) use libraries::system_folders;
use options::Means;
pub(super) use shared::loaded;

/// A linker's command line, taken apart.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CommandLine {
    pub(super) output: Option<PathBuf>,
    /// Why nothing can be said of the program.
    pub(super) trouble: Option<String>,
    inputs: Vec<(Named, State)>,
    /// Folders after `-L`, and those in which the compiler looks for everything.
    folders: Vec<PathBuf>,
    /// Folders in which the loader looks for libraries.
    runtime: Vec<String>,
    /// The folder below which the system's files lie.
    sysroot: Option<String>,
    /// Symbols that the linker or the loader needs.
    symbols: BTreeSet<String>,
    /// Whether a plugin makes code out of objects that carry another form of it.
    plugin: bool,
    pub(super) options: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Named {
    Path(PathBuf),
    /// By the name behind `-l`.
    Library(String),
}

/// The state that an option sets for the following inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct State {
    /// Only archives are taken for names of libraries.
    archives: bool,
    /// All of an archive is linked.
    whole: bool,
    /// Shared libraries are loaded even if nothing refers to them.
    always: bool,
    /// Objects are linked only if something refers to them.
    lazy: bool,
}

/// Takes the [`expanded`] arguments of a linker apart.
pub(super) fn read(arguments: &[String]) -> CommandLine {
    let flat = Flat::of(arguments);
    let mut line =
        CommandLine { options: flat.compiler, plugin: flat.plugin, ..CommandLine::default() };
    if let Some(option) = flat.unknown {
        line.is_unknown(&option);
    }
    let state = State { archives: flat.archives, always: true, ..State::default() };
    match expanded(&flat.linker) {
        Ok(arguments) => line.follow(arguments, state),
        Err(reason) => line.say(format!("the linker's command line cannot be read: {reason}")),
    }
    line.folders.extend(flat.prefixes);
    line
}

impl CommandLine {
    fn follow(&mut self, arguments: Vec<String>, mut state: State) {
        let mut kept = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            if !argument.starts_with('-') {
                self.inputs.push((Named::Path(argument.into()), state));
                continue;
            }
            let Some((means, value, comes_next)) = options::found(&argument) else {
                self.is_unknown(&argument);
                continue;
            };
            let next = if comes_next { arguments.next() } else { None };
            let value = value.or(next.as_deref()).unwrap_or_default();
            let text = match &next {
                Some(next) => format!("{argument} {next}"),
                None => argument.clone(),
            };
            match means {
                Means::Output => self.output = Some(value.into()),
                Means::Folder => {
                    let folder = self.below_sysroot(value);
                    self.folders.push(folder);
                }
                Means::RuntimeFolder => self.runtime.extend(value.split(':').map(str::to_owned)),
                Means::FolderOrSymbols if value.contains("$ORIGIN") || Path::new(value).is_dir() => {
                    self.runtime.extend(value.split(':').map(str::to_owned));
                }
                Means::FolderOrSymbols => self.is_unknown(&text),
                Means::Library => self.inputs.push((Named::Library(value.to_owned()), state)),
                Means::Archives(archives) => state.archives = archives,
                Means::Whole(whole) => state.whole = whole,
                Means::Always(always) => state.always = always,
                Means::Lazy(lazy) => state.lazy = lazy,
                Means::Push => kept.push(state),
                Means::Pop => state = kept.pop().unwrap_or(state),
                Means::Sysroot => {
                    self.sysroot = Some(value.to_owned());
                    self.options.push(text);
                }
                Means::Keyword if options::is_known_keyword(value) => self.options.push(format!("-z {value}")),
                Means::Keyword => self.is_unknown(&format!("-z {value}")),
                Means::Text => self.options.push(without_temporary(&text)),
                Means::Nothing => {}
                Means::Content => self.add_content(&argument, value),
                // A pattern of symbols is none that can be looked up.
                Means::Symbol if value.contains(['*', '?', '[']) => self.is_unknown(&text),
                Means::Symbol => {
                    self.symbols.insert(value.to_owned());
                    self.options.push(text);
                }
                Means::Exchange => self.say(format!("the linker exchanges symbols ({text})")),
                Means::Exports => self.say(format!(
                    "the program hands out its functions by name, and what calls them is not followed ({text})"
                )),
            }
        }
    }

    /// Notes the content of a file instead of its name, which may be that of a temporary one.
    fn add_content(&mut self, argument: &str, path: &str) {
        let name = argument.split('=').next().unwrap_or(argument);
        let name = name.strip_suffix(path).unwrap_or(name);
        let content = fs::read(path).map(|bytes| format!("{:016x}", checksum(&bytes)));
        let what = content.unwrap_or_else(|_| without_temporary(path));
        self.options.push(format!("{name} {what}"));
    }

    /// A folder, below that of the system's files where its name asks for it.
    fn below_sysroot(&self, folder: &str) -> PathBuf {
        let below = folder.strip_prefix('=').or_else(|| folder.strip_prefix("$SYSROOT"));
        match below {
            Some(below) => format!("{}{below}", self.sysroot.as_deref().unwrap_or_default()).into(),
            None => folder.into(),
        }
    }

    fn is_unknown(&mut self, option: &str) {
        self.say(format!("a linker option has an unknown effect ({option})"));
    }

    fn say(&mut self, why: String) {
        self.trouble.get_or_insert(why);
    }
}

/// An option without the random name of the folder in which the compiler keeps its temporary files.
fn without_temporary(option: &str) -> String {
    let parts = option.split('/').map(|part| {
        let random = part.strip_prefix("rustc").filter(|rest| rest.len() == 6);
        if random.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_alphanumeric())) {
            "rustc"
        } else {
            part
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// A number that two contents share only if they are the same.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
