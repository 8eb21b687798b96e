//! Text for people: numbers with their uncertainty, tables, names made harmless, quantities that people type.
//! Pure functions from values to text and back; they touch no file, no clock and no terminal.

mod nearest;
pub mod number;
pub mod quantity;
mod secret;
mod table;
mod visible;

pub use nearest::nearest;
pub use secret::without_secrets;
pub use table::{Cell, Paint, Style, painted, table};
pub(crate) use visible::hidden;
pub use visible::{block, json_escaped, sentence, visible};
