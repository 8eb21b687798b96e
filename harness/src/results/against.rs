//! A measurement against a baseline, in whichever way was possible.

use super::{CaseResult, Outcome, RowResult, StoredComparison};
use crate::{analysis::verdict::Verdict, exit, record::ComparisonRecord};

/// What a measurement was compared with, and how.
#[derive(Debug)]
pub enum AgainstBaseline {
    /// With a record that was kept: both sides belong to different times.
    Stored(StoredComparison),
    /// With a program that was kept: both were measured in turns.
    Paired(Box<PairedComparison>),
}

/// Two programs that were measured in turns.
#[derive(Debug)]
pub struct PairedComparison {
    /// Everything that was measured.
    pub record: ComparisonRecord,
    /// What it proves.
    pub outcome: Outcome,
}

impl AgainstBaseline {
    /// The exit code: 1 where something is proven to be slower, as [`Outcome::exit_code`] has it.
    pub fn exit_code(&self) -> i32 {
        let slower = |verdict| verdict == Verdict::Slower;
        match self {
            Self::Stored(stored) if stored.has_regression() => exit::REGRESSION,
            Self::Stored(_) => exit::FINE,
            Self::Paired(paired) => {
                paired.outcome.exit_code(|_| true, |row| slower(row.judgement.verdict))
            }
        }
    }

    /// The signal that ended the comparison early.
    pub fn interrupted(&self) -> Option<i32> {
        match self {
            Self::Stored(_) => None,
            Self::Paired(paired) => paired.outcome.interrupted,
        }
    }

    /// The row of a benchmark that was compared in turns: of all instances together.
    pub(crate) fn paired_row(&self, name: &str) -> Option<&RowResult> {
        let Self::Paired(paired) = self else { return None };
        let of_name = |case: &&CaseResult| case.name == name;
        paired.outcome.cases.iter().find(of_name)?.rows.last()
    }
}
