//! Measures two versions of the same benchmarks against each other, block by block, until a verdict is reached.
//! Drives workers and calls the analysis; knows nothing of git, cargo, files or terminals.

mod block;
mod group;
mod matching;
mod pairs;
mod pilot;
mod plan;
mod rounds;
mod side;
mod suite;

pub(crate) use crate::results::{Block, CaseResult, Outcome, RowResult};
pub(crate) use block::variable;
pub(crate) use matching::{Matching, match_cases};
pub(crate) use side::{Problem, Side, list};
pub(crate) use suite::{Settings, Subject, Version, Watcher, measure};
