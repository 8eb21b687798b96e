//! Links programs again, each time with their functions and constants in another random order, while they are measured.
//! It may start linkers, and touch the files that it keeps for them.

mod ahead;
mod once;
mod order;
mod recipe;

pub(crate) use ahead::{Origin, Relinked};
pub(crate) use once::{Arguments as LinkArguments, run as link};
pub(crate) use recipe::{Recipe, keep};
