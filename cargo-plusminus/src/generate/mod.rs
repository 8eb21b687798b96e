//! `cargo plusminus generate`: writes graphs, and networks of IMSuite, to files. The suite draws and formats them; here
//! options are checked, and files appear whole or not at all.

mod graph;
mod imsuite;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::error::{Error, Result, at, error};

/// Writes graphs and networks to files.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A Kronecker (R-MAT) graph as Graph500 specifies it, scrambled, weights uniform.
    Graph500(graph::Graph500),
    /// A random graph with so many vertices and edges.
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

/// Runs the subcommand; answers with the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let said = match &arguments.what {
        What::Graph500(options) => options.write(),
        What::Random(options) => options.write(),
        What::Grid(options) => options.write(),
        What::Path(options) => options.write_path(),
        What::Star(options) => options.write_star(),
        What::Imsuite(options) => options.write(),
    }?;
    println!("{said}");
    Ok(plusminus::exit::FINE)
}

impl Target {
    /// Refuses early, before anything is drawn.
    fn check(&self) -> Result<()> {
        if self.output.file_name().is_none() {
            return error(format!("{} is not the name of a file", self.output.display()));
        }
        if self.output.is_dir() {
            return error(format!("{} is a folder", self.output.display()));
        }
        if !self.force && self.output.symlink_metadata().is_ok() {
            return error(format!("{} exists; --force replaces it", self.output.display()));
        }
        Ok(())
    }

    /// Lets a function write a file of the same name in a new folder beside the target, and moves it there in one step.
    fn write(&self, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let path = &self.output;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let scratch = tempfile::Builder::new()
            .prefix(".plusminus-")
            .tempdir_in(folder.unwrap_or(Path::new(".")))
            .map_err(at("write", path))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        let part = scratch.path().join(name);
        write(&part)?;
        let part = tempfile::TempPath::try_from_path(&part).map_err(at("write", path))?;
        // Somebody may have made the file meanwhile: the move itself must not replace it.
        let moved = if self.force { part.persist(path) } else { part.persist_noclobber(path) };
        moved.map_err(|failed| match failed.error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Error::Message(format!("{} exists; --force replaces it", path.display()))
            }
            _ => at("write", path)(failed.error),
        })
    }
}
