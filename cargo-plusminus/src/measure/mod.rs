//! Measures two versions of the same benchmarks against each other, block by block, until a verdict is reached.
//! Drives workers and calls the analysis; knows nothing of git, cargo, files or terminals.

mod block;
mod group;
mod matching;
mod opinions;
mod pairs;
mod pilot;
mod plan;
mod rounds;
mod row;
mod side;
mod suite;

pub(crate) use block::{Which, variable};
pub(crate) use matching::{Matching, match_cases};
pub(crate) use row::{Block, RowResult};
pub(crate) use side::{Problem, Side, list};
pub(crate) use suite::{CaseResult, Outcome, Settings, Subject, Version, Watcher, measure};
