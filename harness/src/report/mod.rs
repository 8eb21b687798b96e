//! What people read: tables and sentences made from a record alone, so that they can be made again.
//! Numbers come from `analysis`; here they are chosen, named and rounded.

pub(crate) mod format;
mod instances;
mod quality;
mod results;
mod sentences;
mod tallies;
mod terminal;

pub use results::{Row, TableResults, tables};
pub use terminal::{Style, render};
