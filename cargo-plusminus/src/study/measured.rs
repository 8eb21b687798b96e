//! From a record to what studies fit models to: one time with its uncertainty for each measured configuration.
//! Numbers only come from the record and from the analysis crate; nothing is measured here.

use plusminus::{record::Record, results};
use plusminus_analysis::Estimate;

#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// `module::function` of the variant.
    pub variant: String,
    /// The problem it solves, by the path of its type without the crate; empty for a function on its own.
    pub problem: String,
    pub point: String,
    /// The size n of the point, if it has one.
    pub size: Option<f64>,
    /// The models that the problem declares, by name.
    pub models: Vec<String>,
    pub instance: String,
    /// Processors given to the kernel.
    pub processors: usize,
    /// Time of one call in seconds: mean over runs of the median sample, with the uncertainty that reports print.
    pub call: Estimate,
    /// Time of one call in seconds in each complete run, the base of the estimate.
    pub runs: Vec<f64>,
    /// Amount of the first kind of work of one call; 1 where the problem names none.
    pub work: f64,
}

impl Measured {
    /// Time of one unit of work, as one processor sees it, in seconds: p times the call over all work.
    pub fn seconds_per_unit(&self) -> f64 {
        self.call.value * self.processors as f64 / self.work
    }

    /// Returns the relative standard uncertainty of the time; 0 for a single run.
    pub fn rsu(&self) -> f64 {
        self.call.rsu().unwrap_or(0.0)
    }
}

/// Returns all configurations of a record that were measured, case by case, instance by instance.
///
/// Failed benchmarks and incomplete runs are skipped.
pub fn measured(record: &Record) -> Vec<Measured> {
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows).filter(|row| row.time.is_some());
    rows.flat_map(|row| {
        row.case.instances.iter().enumerate().filter_map(|(number, instance)| {
            let time = row.instance_time(number)?;
            let seconds = |ns: f64| ns * 1e-9;
            let Estimate { value, u, degrees_of_freedom } = time.estimate;
            Some(Measured {
                variant: row.case.function.clone(),
                problem: row.case.problem.clone().unwrap_or_default(),
                point: row.case.point.clone(),
                size: row.case.size,
                models: row.case.models.clone(),
                instance: instance.name.clone(),
                processors: row.case.processors,
                call: Estimate { value: seconds(value), u: u.map(seconds), degrees_of_freedom },
                runs: time.run_means_ns.into_iter().map(seconds).collect(),
                work: instance.work.first().map_or(1.0, |(_, amount)| *amount),
            })
        })
    })
    .collect()
}

/// The function of a variant that may be called `function @ system`, as those of several systems are.
pub fn function_of(variant: &str) -> &str {
    variant.split_once(" @ ").map_or(variant, |(function, _)| function)
}

/// Returns the system that a variant was measured on, if its name contains one.
pub fn system_of(variant: &str) -> Option<&str> {
    variant.split_once(" @ ").map(|(_, system)| system)
}
