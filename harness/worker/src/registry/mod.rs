//! Benchmarks that attributes and running code register, and their names. Knows nothing of time, processes or files.

mod belonging;
mod called;
mod case;
mod entry;
pub mod name;
#[doc(hidden)]
pub mod private;
mod run_time;

pub use belonging::package_of;
pub(crate) use belonging::{choose, chosen};
pub use called::{LIST_MARK, Listed, RUN_MARK, SECTION_MARK, Sections};
pub(crate) use case::{Case, cases};
pub(crate) use entry::entries;
pub use entry::{
    ENTRY_MARK, Entry, FunctionSubject, GROUP_MARK, Group, PackageName, Point, ProblemSubject,
    RegisteredSubject, Subject, VariantSubject,
};
pub use run_time::Registry;
pub(crate) use run_time::{Serve, Wanted, serve};
