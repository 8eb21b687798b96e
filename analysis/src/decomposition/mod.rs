//! Splits the variance of runs × instances into the contributions of instance, run and chance, and flags outliers.
//! Structs only: the report makes sentences of them.
//!
//! Model, for instance i, run r and repeat k: y = μ + α_i + β_r + γ_ir + ε_irk, on the log scale by default.
//!
//! ```
//! use plusminus_analysis::decomposition::{decompose, Cells, Flag, Scale};
//!
//! // 3 runs × 4 instances; the last instance is twice as hard.
//! let times = [
//!     10.0, 10.2, 9.9, 20.3, //
//!     10.1, 10.4, 9.8, 20.1, //
//!     9.9, 10.3, 10.0, 19.8,
//! ];
//! let parts = decompose(&Cells::new(&times, 3, 4, 1).unwrap(), Scale::Log).unwrap();
//! assert!(parts.icc.unwrap() > 0.99);
//! let flags = parts.flags(0.05);
//! assert!(flags.iter().any(|f| matches!(f, Flag::SensitiveInstance { instance: 3, .. })));
//! ```

mod cells;
mod flags;
mod speedup;
mod variance;

pub use cells::{Cells, Scale, robust_z};
pub use flags::{CellResidual, Flag, InstanceContrast};
pub use speedup::{SpeedupByInstance, speedup_by_instance};
pub use variance::{Component, Decomposition, FTest, Instances, MeanSquare, decompose};
