//! What depends on the operating system: clocks beyond `Instant`, private file descriptors, signals.
//! Every function has a portable fallback that says "not available" instead of inventing a number; the gate compiles it on
//! every system, by `--cfg plusminus_fallback`.

#[cfg(all(unix, not(plusminus_fallback)))]
mod unix;
#[cfg(all(unix, not(plusminus_fallback)))]
pub use unix::*;

#[cfg(any(not(unix), plusminus_fallback))]
mod fallback;
#[cfg(any(not(unix), plusminus_fallback))]
pub use fallback::*;

mod addresses;
pub(crate) use addresses::{FixedAddresses, program_entry, random_for_children};

mod environment;
pub(crate) use environment::set_variables;

mod loaded;
pub(crate) use loaded::loaded_files;

mod machine;
pub use machine::*;

pub(crate) mod orphans;

mod placement;
pub use placement::Placement;
pub(crate) use placement::{Lifted, StartingPlace};

mod terminal;
pub(crate) use terminal::{Stream, terminal_columns};

mod tsc;
pub(crate) use tsc::{counter, proven_counter};
