//! What depends on the operating system: clocks beyond `Instant`, private file descriptors, signals.
//! Every function has a portable fallback that says "not available" instead of inventing a number.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;

#[cfg(not(unix))]
mod fallback;
#[cfg(not(unix))]
pub use fallback::*;

mod addresses;
pub(crate) use addresses::{FixedAddresses, program_entry};

mod environment;
pub(crate) use environment::set_variables;

mod machine;
pub use machine::*;

pub(crate) mod orphans;

mod placement;
pub use placement::Placement;

mod terminal;
pub(crate) use terminal::{Stream, terminal_columns};

mod tsc;
pub(crate) use tsc::{counter, proven_counter};
