//! Text for people: numbers with their uncertainty, tables, names made harmless, quantities that people type.
//! Pure functions from values to text and back; they touch no file, no clock and no terminal.

mod columns;
mod interval;
mod lines;
mod nearest;
pub mod number;
mod pattern;
mod progress;
pub mod quantity;
mod secret;
mod shell;
mod spelling;
mod table;
mod view;
mod visible;
mod width;

pub use interval::Drawn;
pub use lines::{Group, Heads, Line, Lines, lines};
pub use nearest::nearest;
pub use pattern::Pattern;
pub use progress::Standing;
pub use secret::without_secrets;
pub use shell::shell;
pub use table::{Cell, Paint, Style, painted, table};
pub use view::{COLUMNS, Sort, View};
pub(crate) use visible::escaped;
pub use visible::{block, json_escaped, sentence, visible};
pub use width::width;
