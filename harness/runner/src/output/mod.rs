//! The way out: how every program of the project prints, and how it writes a file of results.
//! Knows standard streams, files and what a terminal can show, and nothing of what is in them.

mod disk;
mod file;
mod print;
#[cfg(test)]
mod scratch;
mod terminal;

#[cfg(test)]
pub(crate) use disk::Place;
pub(crate) use disk::{Disk, System};
pub(crate) use file::write_on;
pub use file::{Existing, try_file, write_file, write_file_with};
pub use plusminus_worker::sys::complain;
pub use print::print;
#[cfg(test)]
pub(crate) use scratch::Scratch;
pub use terminal::{progress_columns, view};
