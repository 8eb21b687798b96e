//! Everything that depends on the operating system: clocks beyond `Instant`, private file descriptors, signals. Every
//! function has a portable fallback that returns "not available" instead of inventing a number. The gate compiles it
//! on every system, by `--cfg plusminus_fallback`.

#[cfg(all(unix, not(plusminus_fallback)))]
mod unix;
#[cfg(all(unix, not(plusminus_fallback)))]
pub use unix::*;

#[cfg(all(unix, not(plusminus_fallback)))]
mod children;
#[cfg(all(unix, not(plusminus_fallback)))]
pub use children::*;

#[cfg(any(not(unix), plusminus_fallback))]
#[allow(missing_docs, reason = "each function is documented in `unix`")]
mod fallback;
#[cfg(any(not(unix), plusminus_fallback))]
pub use fallback::*;

mod addresses;
pub use addresses::{FixedAddresses, program_entry, random_for_children};

mod core_load;
pub use core_load::core_load;

mod environment;
pub use environment::set_variables;

mod shared_random;
pub use shared_random::share_random;

mod machine;
pub use machine::*;

pub mod orphans;

mod placement;
pub use placement::Placement;
pub use placement::{Lifted, StartingPlace, keep_threads_off};

mod probe;
pub use probe::{Probed, Probes};

mod terminal;
pub use terminal::{Stream, complain, terminal_columns};

mod tsc;
pub use tsc::{counter, proven_counter};
