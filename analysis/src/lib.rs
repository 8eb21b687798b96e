//! Every number that plusminus prints comes from a pure function in this crate: samples in, estimates
//! with their uncertainty out. Nothing here knows about files, clocks, terminals or processes.
//!
//! Sources are cited as (VoV 10): equation 10 of "The Value of Variance" (ICPE 2016).
//!
//! ```
//! use plusminus_analysis::{speedup, Confidence};
//!
//! let base = [31.0, 31.4, 30.9, 31.2, 31.6];
//! let new = [6.1, 6.0, 6.2, 6.1, 6.0];
//! let adjusted = speedup::unpaired(&base, &new, speedup::Kind::BetweenVariants).unwrap();
//! let interval = adjusted.log_interval(Confidence::P95).unwrap();
//! assert!(interval.low > 5.0 && adjusted.speedup > interval.low && adjusted.speedup < interval.high);
//! ```
#![forbid(unsafe_code)]

pub mod ageing;
#[cfg(feature = "models")]
pub mod apex_map;
pub mod attribution;
#[cfg(feature = "models")]
pub mod complexity;
pub mod decomposition;
mod error;
mod estimate;
#[cfg(feature = "models")]
pub mod history;
mod interval;
pub mod machines;
#[cfg(feature = "models")]
pub mod models;
pub mod power_law;
#[cfg(feature = "models")]
pub mod propagation;
pub mod random;
#[cfg(feature = "models")]
pub mod scaling;
pub mod serial;
pub mod special;
pub mod speedup;
pub mod steady;
pub mod summary;
mod sums;
pub mod two_stage;
pub mod verdict;

pub use error::{Error, Result};
pub use estimate::Estimate;
pub use interval::{Confidence, Interval};
