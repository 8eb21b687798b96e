//! The worked examples of two documents on parallel performance, as problems with a sequential reference and a parallel
//! variant on p processors. Threads run here; nothing measures.
//!
//! | problem | variants | what it stands for |
//! |---|---|---|
//! | [`Sum`] | [`one_after_another`], [`tree`], [`gather`] | n numbers on p processors, n/p each and lg p steps, or one that adds p sums ("Measuring parallel performance", section 4) |
//! | [`FiniteDifference`] | [`whole_grid`], [`strips`] | a time step on N × N × Z points in P strips (Foster, *Designing and Building Parallel Programs*) |
//!
//! The processors are those of `--processors`, or else 1, 2, 4 … up to those of the machine.

mod grid;
mod sum;

pub use grid::{FiniteDifference, Grid, GridPoint, Step, strips, whole_grid};
pub use sum::{Numbers, Sum, SumPoint, Total, gather, one_after_another, tree};
