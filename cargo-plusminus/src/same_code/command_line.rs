//! Reads the command line that rustc gives to the linker: what is linked, and what else was asked for.

use std::{
    collections::BTreeSet,
    fs,
    hash::{DefaultHasher, Hasher},
    io,
    path::{Path, PathBuf},
};

use super::inputs::Input;

/// A linker's command line, taken apart.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CommandLine {
    /// The program to be written.
    pub(super) output: Option<PathBuf>,
    /// Objects and archives, in order.
    pub(super) inputs: Vec<PathBuf>,
    /// Names after `-l`, and whether an archive was preferred.
    pub(super) libraries: Vec<(String, bool)>,
    /// Shared libraries named by their path.
    pub(super) shared: Vec<PathBuf>,
    /// Folders after `-L`.
    pub(super) folders: Vec<PathBuf>,
    /// Everything else.
    pub(super) options: Vec<String>,
}

/// The arguments of a linker, with those in the file for each `@file`.
pub(super) fn expanded(arguments: &[String]) -> io::Result<Vec<String>> {
    let mut all = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@') {
            Some(file) => all.extend(of_file(&fs::read_to_string(file)?)),
            None => all.push(argument.clone()),
        }
    }
    Ok(all)
}

/// Takes the [`expanded`] arguments of a linker apart.
pub(super) fn read(arguments: &[String]) -> CommandLine {
    let mut line = CommandLine::default();
    let mut archives = false;
    let mut arguments = arguments.iter().cloned();
    while let Some(argument) = arguments.next() {
        let mut value = |short: &str| match argument.strip_prefix(short) {
            Some("") => arguments.next(),
            other => other.map(str::to_owned),
        };
        if let Some(output) = value("-o") {
            line.output = Some(output.into());
        } else if let Some(folder) = value("-L") {
            line.folders.push(folder.into());
        } else if let Some(library) = value("-l") {
            line.libraries.push((library, archives));
        } else if argument == "-Wl,-Bstatic" || argument == "-Wl,-Bdynamic" {
            archives = argument == "-Wl,-Bstatic";
        } else if !argument.starts_with('-') && is_shared(&argument) {
            line.shared.push(argument.into());
        } else if !argument.starts_with('-') {
            line.inputs.push(argument.into());
        } else {
            line.options.push(without_temporary(&argument));
        }
    }
    line
}

/// The arguments in a file: one a line, with a backslash before blanks and backslashes.
fn of_file(text: &str) -> Vec<String> {
    let unescaped = |line: &str| {
        let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
        let mut plain = String::new();
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            plain.extend(if character == '\\' { characters.next() } else { Some(character) });
        }
        plain
    };
    text.lines().filter(|line| !line.is_empty()).map(unescaped).collect()
}

/// Whether a path is that of a shared library: `libx.so` or `libx.so.1`.
fn is_shared(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with(".so") || name.contains(".so.")
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

impl CommandLine {
    /// Reads all objects and archives, those behind `-l` included where a folder of the command line has them.
    pub(super) fn inputs(&self) -> Result<Vec<Input>, String> {
        let mut inputs = Vec::new();
        for path in self.inputs.iter().cloned().chain(self.archives()) {
            let bytes = fs::read(&path)
                .map_err(|reason| format!("cannot read {}: {reason}", path.display()))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            inputs.push(Input { name: name.unwrap_or_default(), bytes });
        }
        Ok(inputs)
    }

    /// Archives behind `-l`.
    fn archives(&self) -> Vec<PathBuf> {
        let found = self.libraries.iter().filter_map(|(name, _)| self.find(name));
        found.filter(|path| !is_shared(&path.to_string_lossy())).collect()
    }

    /// The file that `-l` means, if it lies in one of the folders of the command line.
    fn find(&self, library: &str) -> Option<PathBuf> {
        let prefers_archives =
            self.libraries.iter().any(|(name, archives)| name == library && *archives);
        let (archive, shared) = match library.strip_prefix(':') {
            Some(file) => (file.to_owned(), file.to_owned()),
            None => (format!("lib{library}.a"), format!("lib{library}.so")),
        };
        let names = if prefers_archives { [&archive, &shared] } else { [&shared, &archive] };
        let candidates = self.folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
        candidates.into_iter().find(|path| path.is_file())
    }

    /// The shared libraries whose content may change with a commit, with a checksum of each.
    pub(super) fn shared(&self) -> Result<BTreeSet<(String, u64)>, String> {
        let named = self.libraries.iter().filter_map(|(name, _)| self.find(name));
        let named = named.filter(|path| is_shared(&path.to_string_lossy()));
        let checksum = |path: &Path| {
            let bytes = fs::read(path)
                .map_err(|reason| format!("cannot read {}: {reason}", path.display()))?;
            let mut hasher = DefaultHasher::new();
            hasher.write(&bytes);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, hasher.finish()))
        };
        self.shared.iter().cloned().chain(named).map(|path| checksum(&path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_command_line_is_taken_apart() {
        let line = read(&strings(&[
            "-m64",
            "/tmp/rustcAb1234/symbols.o",
            "a.o",
            "-Wl,-Bstatic",
            "libx.rlib",
            "-lown",
            "-Wl,-Bdynamic",
            "-lc",
            "-L",
            "/tmp/rustcAb1234/raw",
            "-o",
            "out",
            "-Wl,--list=/tmp/rustcAb1234/list",
            "libshared.so.2",
        ]));
        assert_eq!(line.output, Some("out".into()));
        assert_eq!(line.inputs.len(), 3);
        assert_eq!(line.libraries, [("own".to_owned(), true), ("c".to_owned(), false)]);
        assert_eq!(line.shared, [PathBuf::from("libshared.so.2")]);
        assert_eq!(line.options, ["-m64", "-Wl,--list=/tmp/rustc/list"]);
    }

    #[test]
    fn long_command_lines_come_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("arguments");
        fs::write(&file, "-o\na\\ folder/out\n\"b\\\\c.o\"\n").unwrap();
        let line = read(&expanded(&[format!("@{}", file.display())]).unwrap());
        assert_eq!(line.output, Some("a folder/out".into()));
        assert_eq!(line.inputs, [PathBuf::from("b\\c.o")]);
    }

    #[test]
    fn libraries_of_the_build_are_found_in_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("libown.a"), "!<arch>\n").unwrap();
        fs::write(folder.path().join("libother.so"), "1").unwrap();
        let arguments =
            [format!("-L{}", folder.path().display()), "-lown".into(), "-lother".into()];
        let line = read(&arguments);
        assert_eq!(line.inputs().unwrap().len(), 1);
        let before = line.shared().unwrap();
        assert_eq!(before.len(), 1);
        fs::write(folder.path().join("libother.so"), "2").unwrap();
        assert_ne!(before, line.shared().unwrap());
    }
}
