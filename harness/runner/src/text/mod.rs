//! Text for people: numbers with their uncertainty, tables, names made harmless, quantities that people type.
//! Pure functions from values to text and back; they touch no file, no clock and no terminal.

mod columns;
mod interval;
mod lines;
mod nearest;
pub mod number;
mod pattern;
mod progress;
mod secret;
mod shell;
mod spelling;
mod table;
mod view;
mod width;

pub use plusminus_worker::text::{
    block, checksum, hidden, json_escaped, quantity, sentence, visible,
};

pub use interval::Drawn;
pub use lines::{Group, Heads, Line, Lines, lines};
pub use nearest::nearest;
pub use pattern::Pattern;
pub use progress::Standing;
pub use secret::without_secrets;
pub use shell::shell;
pub use table::{Cell, Paint, Style, painted, table};
pub use view::{COLUMNS, Sort, View};
pub use width::width;
