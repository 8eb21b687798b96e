//! Verdicts: faster, slower, within a margin, or inconclusive, with error rates that hold.
//! Works on log-ratios d = ln(t_new/t_base), one per block: d > 0 means that new is slower, S = exp(−d).
//!
//! ```
//! use plusminus_analysis::verdict::{Rule, SequentialVerdict, Verdict};
//!
//! let mut benchmark = SequentialVerdict::new(Rule::default()).unwrap();
//! for d in [0.081, 0.079, 0.083, 0.078, 0.081, 0.080, 0.082] {
//!     benchmark.push(d).unwrap();
//!     if benchmark.decision().is_some() {
//!         break; // It is allowed to look after every block.
//!     }
//! }
//! assert_eq!(benchmark.decision(), Some(Verdict::Slower));
//! let conclusion = benchmark.conclude();
//! assert!(conclusion.judgement.at_least.unwrap() > 0.07);
//! ```

mod block;
mod cost;
mod fixed;
mod judgement;
mod sequence;
mod sequential;
mod sign;
mod size;
mod speeds;
mod typical;
mod validity;

pub use block::{Block, block};
pub use cost::{CostJudgement, CostVerdict, cost};
pub use fixed::{fixed, fixed_beside};
pub use judgement::{Judgement, Margin, Verdict};
pub use sequence::{ConfidenceSequence, sequence_factor};
pub use sequential::{Conclusion, Rule, SequentialVerdict, look};
pub use sign::sign_rank;
pub use size::{PAIRS, Pairs, Scatter, pairs_of_a_block};
pub use speeds::{Shares, change_of_shares};
pub use typical::TypicalChange;
pub use validity::{
    Circumstances, Doubt, average_adjacent, blocks_by_pairs, blocks_until, conclude_blocks,
    decide_blocks, dependence, doubts, slope_t,
};

/// Standard normal quantile of 0.8: adds to a factor what turns "can be detected" into "in 4 of 5 cases".
const POWER_80: f64 = 0.841_621_233_572_914_2;
