//! Baselines: the record of a measurement under a name, and a copy of the program that was measured. Touches the
//! folders `baselines` below the folder of records, and nothing else.

mod program;
mod record;

use std::path::{Path, PathBuf};

use plusminus_worker::registry::name::file_name;

pub(crate) use program::{OwnCopy, find_program, keep_bounded};
pub(crate) use record::{Found, exists, read, save, try_to_save};

/// The baseline that always is the run before.
pub(crate) const PREVIOUS: &str = "previous";

/// A file of a baseline: `baselines/<name>.<ending>` in the folder of the bench target. The name never becomes a path.
fn path(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let file = file_name(name).unwrap_or_else(|_| "%".to_owned());
    folder.join("baselines").join(format!("{file}.{ending}"))
}
