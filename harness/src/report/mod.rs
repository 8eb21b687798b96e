//! What people read: tables and sentences made from a record alone, so that they can be made again.
//! Numbers come from `results`; here they are chosen, named and rounded.

mod comparison;
mod details;
mod instances;
mod json;
mod lines;
mod notes;
mod quality;
mod sentences;
mod sorted;
mod stored;
mod tallies;
mod terminal;
mod terms;

pub use comparison::{
    COMPARISON_TITLES, case_failure, comparison_cells, comparison_headline, comparison_interrupted,
    control_sentence, doubt_sentence, row_label, row_name, row_remarks, row_sentence, row_size,
};
pub use json::{JSON_SCHEMA, Tested, json_results, json_started, json_test, json_tested};
pub use lines::bencher_lines;
pub use terminal::render;
pub use terms::{explain, glossary};

pub use crate::text::{Style, View};
