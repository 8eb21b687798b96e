//! Metrics of parallel programs with their uncertainties: speedup, efficiency, overhead, serial fractions,
//! isoefficiency, throughput, and tables of strong and weak scaling. T(n, p) is the time for size n on p
//! processors; ω is the *time* of the best sequential program.
//!
//! ```
//! use plusminus_analysis::scaling::{strong_scaling, Measured};
//!
//! let table = strong_scaling(
//!     &[Measured::new(1, &[100.0, 101.0, 100.0]), Measured::new(4, &[28.9, 29.1, 28.8])],
//!     Some(&[95.0, 95.5, 95.2]),
//! )
//! .unwrap();
//! let four = &table[1];
//! assert!((four.relative.unwrap().speedup - 3.468).abs() < 1e-3);
//! // Against the best sequential program less is gained, and that is the default to quote.
//! assert!(four.real.unwrap().speedup < four.relative.unwrap().speedup);
//! ```

mod isoefficiency;
mod laws;
mod metrics;
mod tables;
mod throughput;

pub use isoefficiency::{
    isoefficiency_constant, size_for_efficiency, work_for_efficiency, work_growth,
};
pub use laws::{AmdahlFraction, GustafsonFraction, guaranteed_efficiency_factor};
pub use metrics::{ParallelMetrics, karp_flatt, parallel_metrics};
pub use tables::{Measured, StrongRow, WeakMeasured, WeakRow, strong_scaling, weak_scaling};
pub use throughput::{Allocation, Throughput, throughput};
