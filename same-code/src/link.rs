//! A linker's inputs and options for a program: read after it has run, and kept in the program.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    command_line::{self, checksum},
    graph::Graph,
    inputs, keep,
};

/// The command line of a linker with the content of its inputs, which may be temporary files.
#[derive(Debug)]
pub struct Link {
    /// The arguments, with those in the file for each `@file`.
    pub arguments: Vec<String>,
    /// The program that is made, if the command line could be read.
    pub output: Option<PathBuf>,
    graph: Graph,
}

impl Link {
    /// Reads what `linker` was given for a program, whose `map` it has written: which members of archives it has taken.
    /// Why something cannot be read is what comparisons say of the program.
    pub fn read(linker: &OsStr, arguments: &[String], map: Option<&[u8]>) -> Self {
        let all = match command_line::expanded(arguments) {
            Ok(all) => all,
            Err(reason) => {
                let why = format!("the linker's command line cannot be read: {reason}");
                return Self { arguments: Vec::new(), output: None, graph: trouble(why) };
            }
        };
        let line = command_line::read(&all);
        let mut graph = graph_of(&line, map);
        graph.options.push(identity(linker));
        Self { arguments: all, output: line.output, graph }
    }

    /// Whether nothing can be said of the program.
    pub fn is_unknown(&self) -> bool {
        self.graph.trouble.is_some()
    }

    /// Appends it to the program.
    ///
    /// # Errors
    /// That it cannot be written.
    pub fn keep(&self, program: &Path) -> io::Result<()> {
        keep::append(program, &self.graph)
    }
}

/// How the option begins that stands for the linker.
pub(super) const LINKER: &str = "-Clinker=";

/// The linker as an option, with its content: one of another name or content may be a script that adds inputs.
fn identity(linker: &OsStr) -> String {
    let path = Path::new(linker);
    let folders = env::var_os("PATH").unwrap_or_default();
    let named = path.components().count() > 1;
    let found = match named {
        true => Some(path.to_owned()),
        false => env::split_paths(&folders).map(|folder| folder.join(path)).find(|f| f.is_file()),
    };
    let content = found.and_then(|file| fs::read(file).ok());
    let content = content.map_or_else(String::new, |bytes| format!(", {:016x}", checksum(&bytes)));
    let name = path.file_name().unwrap_or(linker).to_string_lossy();
    format!("{LINKER}{name}{content}")
}

fn graph_of(line: &command_line::CommandLine, map: Option<&[u8]>) -> Graph {
    let given = line.given(&command_line::system_folders());
    let graph = given.and_then(|mut given| {
        // Folded functions are no part of the map, nor is a member that has nothing else.
        let folds = |option: &String| option.contains("icf=") && !option.ends_with("icf=none");
        let is_whole = !line.options.iter().any(folds);
        given.asked.taken = map.filter(|_| is_whole).map(inputs::Taken::of);
        let graph = inputs::graph(&given.inputs, &given.asked)?;
        let options = line.options.clone();
        Ok(Graph { libraries: given.libraries, options, ..graph })
    });
    graph.unwrap_or_else(trouble)
}

fn trouble(why: String) -> Graph {
    Graph { trouble: Some(why), ..Graph::default() }
}
