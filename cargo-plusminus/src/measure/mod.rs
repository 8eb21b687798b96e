//! From the record of a comparison to its results, and the rule by which measuring ends: the engine of the harness
//! measures, the analysis judges. Knows nothing of git, cargo, files or terminals.

mod matching;
mod opinions;
mod outcome;
mod pairs;
mod row;

pub(crate) use matching::{Matching, match_cases};
pub(crate) use outcome::{CaseResult, Outcome, measure, outcome};
pub(crate) use row::{Block, RowResult};
