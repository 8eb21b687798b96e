//! Texts from outside made harmless, and quantities as people type them.
//! Pure functions: they touch no file, no clock and no terminal.

mod hash;
pub mod quantity;
mod visible;

pub use hash::{checksum, fnv1a};
pub use visible::{block, escaped, hidden, json_escaped, sentence, visible};
