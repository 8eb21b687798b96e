//! From what was measured of two versions to what it proves: blocks, rows, verdicts, and a whole record of a comparison.
//! Pure: reads records and asks the analysis and `plusminus::results`, and knows no process, clock, file or terminal.

mod block;
mod comparison;
mod opinions;
mod row;
mod stopping;

pub(crate) use block::{Block, block_of, together};
pub(crate) use comparison::{CaseResult, Outcome, of_record};
pub(crate) use row::{Decided, Row, RowResult, mean};
pub(crate) use stopping::measure;
