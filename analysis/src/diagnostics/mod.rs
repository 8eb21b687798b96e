//! What to know about the shape of a sample before believing its mean. Counts and hints: nothing here drops
//! a value.
//!
//! ```
//! use plusminus_analysis::diagnostics::{tukey_counts, shapiro_wilk};
//!
//! let times = [10.1, 10.2, 10.0, 10.3, 10.1, 10.2, 10.1, 19.0];
//! assert_eq!(tukey_counts(&times).unwrap().far_high, 1);
//! assert!(shapiro_wilk(&times).unwrap().unwrap().p < 0.001);
//! ```

mod shape;
mod shapiro;

pub use shape::{TukeyCounts, bimodality_gap, skewness, tukey_counts};
pub use shapiro::{ShapiroWilk, shapiro_wilk};
