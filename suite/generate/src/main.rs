//! Writes graphs, and networks of IMSuite, to files: inputs for benchmarks, and for other programs. The library draws and
//! formats them; this program checks options, and files appear whole or not at all.

mod graph;
mod imsuite;

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use plusminus::output::{Existing, complain, print, try_file, write_file_with};

/// Writes graphs and networks to files: inputs for benchmarks, and for other programs.
#[derive(Debug, Parser)]
#[command(name = "plusminus-generate", version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

/// The result of a step; an error is a sentence for people.
type Result<T> = std::result::Result<T, String>;

/// Returns an error with this message.
fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(message.into())
}

/// Turns an error of writing a file into a sentence.
fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> String + '_ {
    move |error| format!("cannot write {}: {error}", path.display())
}

#[derive(Debug, Subcommand)]
enum What {
    /// A Kronecker (R-MAT) graph as Graph500 specifies it, scrambled, weights uniform.
    Graph500(graph::Graph500),
    /// Make a random graph with a number of vertices and edges.
    Random(graph::Random),
    /// A grid of rows and columns.
    Grid(graph::Grid),
    /// A path.
    Path(graph::Line),
    /// A star: the first vertex is joined with all others.
    Star(graph::Line),
    /// An input of IMSuite, draw for draw that of the original generators, in the original's format.
    Imsuite(imsuite::Imsuite),
}

/// Where to.
#[derive(Debug, clap::Args)]
struct Target {
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replaces the file if it exists.
    #[arg(long)]
    force: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&format!("plusminus-generate: {message}\n"));
            ExitCode::from(plusminus::exit::FAILED as u8)
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let said = match &arguments.what {
        What::Graph500(options) => options.write(),
        What::Random(options) => options.write(),
        What::Grid(options) => options.write(),
        What::Path(options) => options.write_path(),
        What::Star(options) => options.write_star(),
        What::Imsuite(options) => options.write(),
    }?;
    print(&format!("{said}\n"))
}

impl Target {
    /// Rejects early, before anything is drawn.
    fn check(&self) -> Result<()> {
        if self.output.file_name().is_none() {
            return error(format!("{} is not the name of a file", self.output.display()));
        }
        if self.output.is_dir() {
            return error(format!("{} is a folder", self.output.display()));
        }
        if !self.force && self.output.symlink_metadata().is_ok() {
            return Err(self.exists());
        }
        try_file(&self.output).map_err(cannot_write(&self.output))
    }

    /// Lets a function write the file: whole or not at all.
    fn write(&self, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
        // The file may have been made meanwhile: that one is not replaced either.
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let path = &self.output;
        write_file_with(path, existing, write).map_err(|failed| match failed.kind() {
            io::ErrorKind::AlreadyExists => self.exists(),
            _ => cannot_write(path)(failed),
        })
    }

    fn exists(&self) -> String {
        format!("{} exists; --force replaces it", self.output.display())
    }
}
