//! Metrics of parallel programs with their uncertainties: speedup, efficiency, overhead, serial fractions,
//! isoefficiency, throughput, and tables of strong and weak scaling. T(n, p) is the time for size n on p
//! processors; ω is the *time* of the best sequential program.
//!
//! ```
//! use plusminus_analysis::{Estimate, scaling::metrics_of, speedup::{Kind, Speedup}};
//!
//! let (best, one, four) =
//!     (Estimate::known(95.2, 0.2), Estimate::known(100.3, 0.3), Estimate::known(28.9, 0.1));
//! let relative = Speedup::from_estimates(one, four, Kind::Relative).unwrap();
//! let relative = metrics_of(relative, one, four, 4).unwrap();
//! assert!((relative.speedup.speedup - 3.47).abs() < 0.01);
//! // Against the best sequential program less is gained, and that is the default to quote.
//! let real = Speedup::from_estimates(best, four, Kind::Real).unwrap();
//! let real = metrics_of(real, best, four, 4).unwrap();
//! assert!(real.speedup.speedup < relative.speedup.speedup);
//! ```

mod isoefficiency;
mod laws;
mod metrics;
mod tables;
mod throughput;

pub use isoefficiency::{isoefficiency_constant, size_for_efficiency, work_growth};
pub use laws::AmdahlFraction;
pub use metrics::{ParallelMetrics, karp_flatt, metrics_of};
pub use tables::{WeakMeasured, WeakRow, weak_scaling};
pub use throughput::{Allocation, Throughput, throughput};
