//! The proof that a row needs, and its level.

use crate::{analysis::verdict::PAIRS, record::ComparisonSettings};

/// The remaining proof of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Nothing: it is decided.
    Nothing,
    /// Whether its change, of which the sign is proven, is greater than the margin.
    Size,
    /// The sign too.
    Sign,
}

/// The remaining proof of a row, and its forecast cost if its blocks continue to scatter alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// The remaining proof.
    pub missing: Missing,
    /// Blocks in all before which a final verdict has next to no chance; `None` while that is not known.
    pub soonest: Option<usize>,
    /// Blocks in all after which a final verdict is more likely than not; `None` while that is not known.
    pub likely: Option<usize>,
    /// Blocks in all after which a final verdict is more likely than not if they have the numbers of pairs of [`PAIRS`]; `None`
    /// before their scatter is known.
    pub by_pairs: Option<[f64; PAIRS.len()]>,
}

impl Outlook {
    /// Nothing is known but what is to be proven.
    pub fn of(missing: Missing) -> Self {
        Self { missing, soonest: None, likely: None, by_pairs: None }
    }
}

/// How rows are judged: fixed before the first block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decided {
    /// Largest relative change that is ignored.
    pub(crate) margin: f64,
    /// Probability of any false alarm in the suite.
    pub(crate) alpha: f64,
    pub(crate) rows: usize,
    /// How many times rarer than those of other rows its alarms have to be.
    pub(crate) rarer_alarms: f64,
    /// Samples of one call that an instance has at least before it is decided.
    pub(crate) least_samples: usize,
    /// Blocks that a row has at least before it is decided.
    pub(crate) least_blocks: usize,
}

/// How much rarer the control may be called different by chance than a benchmark: it takes all verdicts with it.
const CONTROL_RARER: f64 = 100_000.0;

impl Decided {
    /// Returns the rule for the rows of a suite with this number of them.
    pub(crate) fn of_suite(settings: &ComparisonSettings, margin: f64, rows: usize) -> Self {
        let &ComparisonSettings { alpha, least_samples, least_blocks, .. } = settings;
        Self { margin, alpha, rows, rarer_alarms: 1.0, least_samples, least_blocks }
    }

    /// The same for the control. It is called the same as early as any benchmark, but different only where chance is out of the question.
    pub(crate) fn of_control(self) -> Self {
        Self { rarer_alarms: CONTROL_RARER, least_samples: 0, least_blocks: 0, ..self }
    }
}
