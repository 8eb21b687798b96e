//! Shared by the drop-ins for criterion and divan. Both harnesses state budgets of a whole measurement, which the
//! runs share here, and both have command lines that become ours by a table. Not for use by others.
#![forbid(unsafe_code)]

pub mod budget;
pub mod command_line;
