//! From a record to its numbers, the only way there is: samples that count, the typical time of each run, the tables, and
//! the one estimate of each time and ratio. Pure: reads records and asks the analysis, and knows no clock, file or terminal.
//!
//! Reports, JSON, baselines and studies render what is computed here, so that the same record gives the same x ± u
//! everywhere.
//!
//! ```no_run
//! use plusminus::{record, results};
//!
//! let record = record::read(std::path::Path::new("target/plusminus/sorting/sort/records/2026-01-31T123456Z.json"))?;
//! for table in results::tables(&record) {
//!     for row in &table.rows {
//!         let Some(time) = &row.time else { continue };
//!         println!("{}: {:?} ns, 95 % {:?}", row.case.name, time.estimate, time.interval());
//!     }
//! }
//! # Ok::<(), record::StoreError>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `clean` | which samples ran undisturbed, and which kernels wait |
//! | `typical` | the typical time of a call in one run |
//! | `time` | the estimate over runs, its interval, its ratio to another |
//! | `tables` | the rows of a report |
//! | `parts` | the parts of a kernel against the whole |
//! | `complexity` | a power law over the sizes of a sweep |
//! | `speedups`, `places`, `decided` | ratios within a table, across tables, and after every look |
//! | `baseline` | against the program or the record of a baseline |
//! | `explained` | shares of changed functions in a change |
//! | `comparison` | two programs that were measured in turns; `comparison/verdict` decides what they prove |

/// The most runs that a benchmark is given without being asked for.
pub(crate) const MOST_RUNS: u32 = 40;

mod baseline;
mod clean;
mod comparison;
mod complexity;
mod decided;
mod explained;
mod metrics;
mod parts;
mod places;
mod skew;
mod speedups;
mod tables;
mod time;
mod typical;

pub use baseline::{
    BaselineComparison, ProgramComparison, RecordComparison, RecordRow, compare_records,
};
pub(crate) use clean::{ENOUGH_CLEAN, clean_fraction, waits};
pub use comparison::{
    Block, CaseFailure, CaseResult, Longer, Measure, Missing, Outcome, Outlook, RowResult,
    WorkChange, outcome,
};
pub(crate) use comparison::{CaseRows, Decided};
pub use complexity::{SweepComplexity, complexities};
pub(crate) use decided::decided;
pub use explained::{Explained, Share, explained, shares};
pub use parts::{Agreement, Part, Parts};
pub use speedups::{Compared, Pairing, RealSpeedup};
pub(crate) use tables::rows;
pub use tables::{Row, TableResults, tables};
pub use time::Time;
pub(crate) use time::{LONE_RUN, mean_of_cells};
pub use typical::{Support, Typical};
// Shared with the subcommand.
#[doc(hidden)]
pub use self::{
    clean::clean_samples,
    comparison::narrowing,
    complexity::is_of_sweep,
    speedups::{Against, Placed, across},
};

/// The mean of values; `None` if there are none.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let add = |(count, sum), value| (count + 1, sum + value);
    let (count, sum) = values.into_iter().fold((0_u32, 0.0), add);
    (count > 0).then(|| sum / f64::from(count))
}
