//! The subject of a comparison: two versions of a program, the benchmarks that both have, and the source of further
//! layouts.

use std::{fmt, rc::Rc};

use crate::engine::machine::{Program, WorkerError};
use plusminus_worker::protocol::CaseDescription;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    pub base: Program,
    pub new: Program,
    /// A copy of base for the control; `None` for none.
    pub control: Option<Program>,
}

/// Links the versions again and again, each time with their functions and constants in another random order.
pub trait Layouts: fmt::Debug {
    /// The versions in the layout of a round, which no other round has. Those of earlier rounds are gone then.
    fn of_round(&self, round: u32) -> Result<Versions, WorkerError>;

    /// Whether the versions of a round are linked, or will not be before they are asked for. Until then, those at hand are
    /// measured by further processes.
    fn is_ready(&self, round: u32) -> bool {
        let _ = round;
        true
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct CommonCase {
    pub base: CaseDescription,
    pub new: CaseDescription,
    /// Changes up to this fraction are ignored.
    pub margin: f64,
    /// Has no time before all others are decided, or given up.
    pub later: bool,
}

/// One bench target with the benchmarks that both versions have.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The prefix of the names of its benchmarks; empty if there is only one target.
    pub name: String,
    pub versions: Versions,
    /// Where the layouts of the rounds come from; `None` if all rounds measure the programs as they were built.
    pub layouts: Option<Rc<dyn Layouts>>,
    pub common: Vec<CommonCase>,
}

impl Subject {
    /// The name of a benchmark in records, with its target in front if there are several.
    pub(in crate::engine) fn name_of(&self, common: &CommonCase) -> String {
        match self.name.as_str() {
            "" => common.new.name.clone(),
            target => format!("{target}: {}", common.new.name),
        }
    }
}
