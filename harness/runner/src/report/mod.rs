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

pub(crate) use json::{Finished, json_started, json_test};
pub use json::{JSON_SCHEMA, json_results};
pub use lines::bencher_lines;
pub use terminal::render;
pub use terms::explain;
// Shared with the subcommand.
#[doc(hidden)]
pub use self::{
    comparison::{
        COMPARISON_TITLES, case_failure, comparison_cells, comparison_headline,
        comparison_interrupted, control_sentence, doubt_sentence, measure_words,
        options_of_compare, row_costs, row_details, row_label, row_name, row_remarks, row_sentence,
        row_size,
    },
    complexity::{PC_MEANING, complexity_cells},
    ends::{change_with_interval, row_change},
    foot::{Foot, WARNINGS, Warning},
    names::{prefix_heading, shared_prefix},
    notes::{is_marked, named},
    parts::sentence as parts_sentence,
    terminal::{colour, noticed},
    terms::glossary,
    verdicts::{IDENTICAL_CODE, NOT_MEASURED, counted_words, margin_words, verdict_words},
};

#[doc(inline)]
pub use crate::text::{Sort, Style, View};
