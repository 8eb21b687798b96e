//! What the attributes register, and the names under which users find it.
//! Knows nothing of time, processes or files.

mod case;
mod entry;
mod filter;
pub(crate) mod name;
#[doc(hidden)]
pub mod private;

pub(crate) use case::{Case, cases};
pub(crate) use entry::entries;
pub use entry::{
    ENTRY_MARK, Entry, FunctionSubject, GROUP_MARK, Group, Point, ProblemSubject, Role, Subject,
    VariantSubject,
};
pub(crate) use filter::Filter;
