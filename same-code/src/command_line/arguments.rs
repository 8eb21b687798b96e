//! From the words that rustc gives to a compiler or a linker to the list that the linker itself gets.

use std::{fs, io, path::PathBuf};

/// Files of arguments in files of arguments that are followed.
const DEEPEST: usize = 8;

pub(crate) fn expanded(arguments: &[String]) -> io::Result<Vec<String>> {
    let mut all = Vec::new();
    expand(arguments, DEEPEST, &mut all)?;
    Ok(all)
}

fn expand(arguments: &[String], deeper: usize, all: &mut Vec<String>) -> io::Result<()> {
    for argument in arguments {
        match argument.strip_prefix('@') {
            Some(_) if deeper == 0 => {
                return Err(io::Error::other("files of arguments in a circle"));
            }
            Some(file) => expand(&words(&fs::read_to_string(file)?), deeper - 1, all)?,
            None => all.push(argument.clone()),
        }
    }
    Ok(())
}

/// The arguments in a file: words between blanks, quoted as compilers and linkers read them.
fn words(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let begun = word.is_some();
        match character {
            '\\' => word.get_or_insert_default().extend(characters.next()),
            _ if quote == Some(character) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            _ if quote.is_none() && character.is_whitespace() => {
                if begun {
                    all.extend(word.take());
                }
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    all.extend(word);
    all
}

/// A command line, taken apart into what is for the compiler that calls the linker and what is for the linker.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Flat {
    pub(super) linker: Vec<String>,
    /// Options of the compiler, which are compared as texts.
    pub(super) compiler: Vec<String>,
    /// Folders in which the compiler looks for the linker, for objects and for libraries.
    pub(super) prefixes: Vec<PathBuf>,
    /// Whether only archives are linked, wherever the option stands.
    pub(super) archives: bool,
    /// Whether a plugin of the compiler makes code out of objects that carry another form of it.
    pub(super) plugin: bool,
    pub(super) unknown: Option<String>,
}

/// Options of compilers that hand themselves and a value on to the linker; the value may be joined.
const HANDED_ON: [&str; 7] = ["-L", "-l", "-o", "-u", "-z", "-T", "-e"];

/// Options of compilers that say how code is made or how much is printed, or that choose among what belongs to the
/// compiler; the same on both sides, they mean the same.
const UNDERSTOOD: &str = "-m64 -m32 -mx32 -marm -mthumb -nodefaultlibs -nostdlib -nostartfiles -nolibc -static-libgcc \
     -shared-libgcc -static-libstdc++ -pthread -pipe -v -w -pie -no-pie -fno-lto -fPIC -fpic -fPIE -fpie \
     -fno-pie -fno-PIE -Qunused-arguments -no-canonical-prefixes";

/// The same with a value behind them.
const UNDERSTOOD_WITH_VALUE: &str = "--target= --gcc-toolchain= -march= -mcpu= -mtune= -mabi= -mfpu= -mfloat-abi= -fuse-ld= --ld-path= \
     -rtlib= --rtlib= -stdlib= -unwindlib= --unwindlib= -fsanitize= -fdiagnostics-color= -flto";

impl Flat {
    /// Takes the [`expanded`] arguments of a compiler or a linker apart.
    pub(super) fn of(arguments: &[String]) -> Self {
        // rustc gives some to every linker, and these only to compilers.
        if arguments.iter().any(|argument| argument.starts_with("-Wl,")) {
            Self::of_compiler(arguments)
        } else {
            Self::of_linker(arguments)
        }
    }

    fn of_linker(arguments: &[String]) -> Self {
        let mut flat = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            if argument == "-flavor" {
                let flavor = arguments.next().map_or("", String::as_str);
                if !["gnu", "ld"].contains(&flavor) {
                    flat.note(&format!("-flavor {flavor}"));
                }
            } else {
                flat.linker.push(argument.clone());
            }
        }
        flat
    }

    fn of_compiler(arguments: &[String]) -> Self {
        let mut flat = Self { plugin: true, ..Self::default() };
        let mut is_lld = false;
        let mut makes_code = false;
        let mut arguments = arguments.iter().cloned();
        while let Some(argument) = arguments.next() {
            if let Some(list) = argument.strip_prefix("-Wl,") {
                flat.linker.extend(list.split(',').map(str::to_owned));
            } else if argument == "-Xlinker" {
                flat.linker.extend(arguments.next());
            } else if let Some(folder) = argument.strip_prefix("-B") {
                let folder =
                    if folder.is_empty() { arguments.next() } else { Some(folder.to_owned()) };
                flat.compiler.push(format!("-B{}", folder.as_deref().unwrap_or_default()));
                flat.prefixes.extend(folder.map(PathBuf::from));
            } else if argument == "-static" || argument == "-static-pie" {
                flat.archives = true;
                flat.compiler.push(argument);
            } else if argument == "-rdynamic" {
                flat.linker.push("--export-dynamic".to_owned());
            } else if ["-s", "-shared"].contains(&&*argument) || argument.starts_with("--sysroot=")
            {
                flat.linker.push(argument);
            } else if argument == "-target" || argument == "--sysroot" {
                let value = arguments.next().unwrap_or_default();
                let list =
                    if argument == "-target" { &mut flat.compiler } else { &mut flat.linker };
                list.push(format!("-{}={value}", format!("-{argument}").trim_start_matches("--")));
            } else if !argument.starts_with('-') {
                flat.linker.push(argument);
            } else if flat.is_understood(&argument) {
                is_lld |= argument
                    .strip_prefix("-fuse-ld=")
                    .is_some_and(|linker| linker.ends_with("lld"));
                makes_code |= argument.starts_with("-flto");
                flat.compiler.push(argument);
            } else if HANDED_ON.iter().any(|start| argument.starts_with(start)) {
                let is_alone = argument.len() == 2;
                flat.linker.push(argument);
                if is_alone {
                    flat.linker.extend(arguments.next());
                }
            } else {
                flat.note(&argument);
            }
        }
        // lld takes the code that such objects have besides, unless the compiler makes it before.
        flat.plugin = makes_code || !is_lld;
        flat
    }

    fn is_understood(&self, option: &str) -> bool {
        let level = |start: &str, rest: &str| {
            option
                .strip_prefix(start)
                .is_some_and(|level| level.is_empty() || level.chars().all(|c| rest.contains(c)))
        };
        let is_warning = option.strip_prefix("-W").is_some_and(|rest| !rest.contains(','));
        UNDERSTOOD.split_whitespace().any(|one| one == option)
            || UNDERSTOOD_WITH_VALUE.split_whitespace().any(|start| option.starts_with(start))
            || level("-O", "0123sgz")
            || level("-g", "0123")
            || is_warning
    }

    fn note(&mut self, option: &str) {
        self.unknown.get_or_insert_with(|| option.to_owned());
    }
}
