//! Reports for people: tables and sentences made from a record alone, so that they can be made again. Numbers come
//! from `results`; this module selects, labels and rounds them.

mod baseline;
mod compared_terms;
mod comparison;
mod complexity;
mod details;
mod ends;
mod foot;
mod instances;
mod json;
mod kinds;
mod lines;
mod measured_terms;
mod names;
mod notes;
mod parts;
mod quality;
mod sentences;
mod sorted;
mod tallies;
mod terminal;
mod terms;
mod verdicts;

// Shared with the subcommand.
#[doc(hidden)]
pub use comparison::{
    COMPARISON_TITLES, case_failure, comparison_cells, comparison_headline, comparison_interrupted,
    control_sentence, doubt_name, doubt_sentence, measure_words, options_of_compare, row_costs,
    row_details, row_label, row_name, row_remarks, row_sentence, row_size,
};
#[doc(hidden)]
pub use complexity::{PC_MEANING, complexity_cells};
#[doc(hidden)]
pub use ends::{change_with_interval, row_change};
#[doc(hidden)]
pub use foot::{Foot, WARNINGS, Warning};
#[doc(hidden)]
pub use json::{Finished, json_started, json_test};
pub use json::{JSON_SCHEMA, json_results};
pub use lines::bencher_lines;
#[doc(hidden)]
pub use names::{prefix_heading, shared_prefix};
#[doc(hidden)]
pub use notes::{is_marked, named};
#[doc(hidden)]
pub use parts::sentence as parts_sentence;
pub use terminal::render;
#[doc(hidden)]
pub use terminal::{colour, noticed};
pub use terms::explain;
#[doc(hidden)]
pub use terms::glossary;
#[doc(hidden)]
pub use verdicts::{
    IDENTICAL_CODE, NOT_MEASURED, counted_words, judgement_words, margin_words, verdict_words,
};

#[doc(inline)]
pub use crate::text::{Sort, Style, View};
