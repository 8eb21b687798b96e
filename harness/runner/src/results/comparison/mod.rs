//! From the record of a comparison to what it proves: blocks, rows, verdicts, and the outcome of all of it. Pure, like
//! all of `results`; the engine asks the same rows during the measurement when it may end.

mod block;
mod longer;
mod measure;
mod narrowing;
mod opinions;
mod outcome;
mod row;
mod row_result;
mod rule;
mod verdict;

pub use block::Block;
use block::{block_of, block_of_processes, effect_of_order, together};
pub use longer::Longer;
pub use measure::Measure;
use measure::{least_blocks, measures};
pub use narrowing::narrowing;
pub(crate) use outcome::CaseRows;
pub use outcome::{CaseFailure, CaseResult, Outcome, outcome};
use row::Row;
pub use row_result::{RowResult, WorkChange};
pub(crate) use rule::Decided;
pub use rule::{Missing, Outlook};
