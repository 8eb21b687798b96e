//! Performance in an ideal flat metric, in which an ideal machine has the same number for every configuration. It is
//! units of work per second or per cycle, or the share of a peak that micro-kernels have measured ("Performance
//! Complexity", Table 1).

use std::str::FromStr;

use plusminus::text::{number::digits, visible};
use plusminus_analysis::complexity::{ComplexityOptions, performance_complexity};
use serde::Serialize;

use super::{
    apex::{Calibration, Study, calibration},
    collect::{Configuration, Problem, families},
    document::{ModelComparison, ProblemStudy},
    measured::{Measured, system_of},
};

/// The metric of micro-kernels.
const PEAK: &str = "shares of the fastest stream of micro::bandwidth on one processor";

/// The denominator of one unit of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Metric {
    /// Units of work per second.
    Second,
    /// Units of work per cycle of a clock of this frequency in GHz.
    Cycle(f64),
    /// The share of the rate that `micro::bandwidth` has measured on the same system.
    Micro,
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text:?} is no flat metric: `second`, `cycle=GHZ` with the clock of the processor, or `micro` for the \
                 share of the peak that micro-kernels have measured"
            )
        };
        match text.split_once('=') {
            None if text == "second" => Ok(Self::Second),
            None if text == "micro" => Ok(Self::Micro),
            Some(("cycle", clock)) => {
                let ghz: f64 = clock.parse().map_err(|_| wrong())?;
                // Clocks outside of it are mistakes, such as a number of Hz.
                if (0.001..=1000.0).contains(&ghz) { Ok(Self::Cycle(ghz)) } else { Err(wrong()) }
            }
            _ => Err(wrong()),
        }
    }
}

/// The configurations and models of a sweep in a flat metric.
#[derive(Debug, Serialize)]
pub struct Flat {
    /// In which unit, such as `edges per cycle`.
    pub metric: String,
    /// The time of one unit of work at 1, in nanoseconds.
    pub unit_ns: f64,
    /// P̄: the geometric mean over the configurations.
    pub mean_performance: f64,
    /// PC_a of the best constant: how much performance varies at all.
    pub pc_flat: f64,
    /// PC_r of each model, in the order of the models; null if nothing varies.
    pub pc_r: Vec<FlatModel>,
}

#[derive(Debug, Serialize)]
pub struct FlatModel {
    pub model: String,
    /// The same in every unit.
    pub pc_a: f64,
    /// P̄·PC_a: the typical distance from the model, in units of the metric.
    pub pc_performance: f64,
    /// Relative to how much performance varies in this metric.
    pub pc_r: Option<f64>,
}

impl Flat {
    /// Converts times in nanoseconds for this number of units of work to performance, and models with their
    /// ln(measured/predicted).
    fn of(
        (metric, unit_ns): (String, f64),
        times_ns: &[f64],
        work: &[f64],
        models: &[(String, &[f64])],
    ) -> Result<Self, String> {
        let peaks: Vec<f64> = work.iter().map(|amount| amount * unit_ns).collect();
        let options = ComplexityOptions { peaks, ..ComplexityOptions::default() };
        let of = |residuals: &[f64]| {
            let predicted: Vec<f64> =
                times_ns.iter().zip(residuals).map(|(time, off)| time / off.exp()).collect();
            performance_complexity(times_ns, &predicted, &options).map_err(|e| e.to_string())
        };
        let itself = of(&vec![0.0; times_ns.len()])?;
        // Times over those of the unit are what performance is the inverse of.
        let mean_performance = 1.0 / itself.mean_performance;
        let pc_r = models.iter().map(|(model, residuals)| {
            let found = of(residuals)?;
            let (pc_a, pc_r) = (found.pc_a, found.pc_r);
            Ok(FlatModel {
                model: model.clone(),
                pc_a,
                pc_performance: mean_performance * pc_a,
                pc_r,
            })
        });
        Ok(Self {
            metric,
            unit_ns,
            mean_performance,
            pc_flat: itself.pc_flat,
            pc_r: pc_r.collect::<Result<_, String>>()?,
        })
    }

    /// One line for people.
    pub fn sentence(&self) -> String {
        let models = self.pc_r.iter().map(|one| {
            let pc_r = one.pc_r.map_or_else(|| "n/a".to_owned(), digits);
            format!("{} {pc_r} ({})", visible(&one.model), digits(one.pc_performance))
        });
        let models: Vec<String> = models.collect();
        let models = if models.is_empty() {
            String::new()
        } else {
            format!("; PC_r (P̄·PC_a) {}", models.join(", "))
        };
        format!(
            "in {}: P̄ = {}, which varies by PC_a {}{models}",
            visible(&self.metric),
            digits(self.mean_performance),
            digits(self.pc_flat),
        )
    }
}

/// Adds the metric to each series of a problem, and a note for each that has none.
pub(super) fn add(
    metric: Metric,
    problem: &Problem,
    measured: &[Measured],
    studied: &mut ProblemStudy,
) {
    let ProblemStudy { series, notes, .. } = studied;
    for one in series {
        let Some(comparison) = one.models.first() else { continue };
        let of_variant = problem.variants.iter().filter(|other| other.function == one.variant);
        let mut families = of_variant.flat_map(|other| families(&other.configurations));
        let Some(family) = families.find(|family| family.label == one.sweep) else {
            continue;
        };
        let calibration = calibration(measured, system_of(&one.variant));
        match of_series(metric, &family.configurations, comparison, &calibration) {
            Ok(flat) => one.flat = Some(flat),
            Err(reason) => notes.push(format!("{}: {reason}", one.variant)),
        }
    }
}

/// The sweep of a variant in a metric, with the models of the comparison over all of its configurations.
///
/// # Errors
/// Why there is no such metric for it: it states no work, or micro-kernels do not measure its unit.
fn of_series(
    metric: Metric,
    configurations: &[Configuration],
    comparison: &ModelComparison,
    calibration: &Calibration,
) -> Result<Flat, String> {
    let mut work = Vec::with_capacity(configurations.len());
    for configuration in configurations {
        let Some((_, amount)) = &configuration.work else {
            return Err(
                "--flat: the problem names no work, so that performance has no unit".to_owned()
            );
        };
        // A sequential reference leaves other processors alone.
        let processors = if configuration.sequential { 1 } else { configuration.p };
        work.push(amount / processors as f64);
    }
    let unit = configurations.first().and_then(|c| c.work.as_ref()).map_or("", |(unit, _)| unit);
    if configurations.iter().filter_map(|c| c.work.as_ref()).any(|(other, _)| other != unit) {
        return Err("--flat: the work is counted in several units".to_owned());
    }
    let metric = match metric {
        Metric::Second => (format!("{unit} per second and processor"), 1e9),
        Metric::Cycle(ghz) => (format!("{unit} per cycle and processor"), 1.0 / ghz),
        Metric::Micro if unit == "bytes" => {
            let (_, byte) = calibration.peak_ns().ok_or_else(|| missing(None))?;
            (PEAK.to_owned(), byte)
        }
        Metric::Micro => {
            return Err(format!(
                "--flat micro: no micro-kernel measures a peak of {unit}; it is for work in bytes, and for Apex-MAP"
            ));
        }
    };
    let times: Vec<f64> = configurations.iter().map(|c| c.time.estimate.value).collect();
    let models: Vec<(String, &[f64])> = comparison
        .models
        .iter()
        .map(|one| (one.model.to_owned(), one.residuals.as_slice()))
        .collect();
    Flat::of(metric, &times, &work, &models)
}

/// A sweep of Apex-MAP in a metric: accesses of one processor.
///
/// # Errors
/// When the micro-kernels that it needs were not measured.
pub(super) fn of_apex(
    metric: Metric,
    study: &Study,
    calibration: &Calibration,
) -> Result<Flat, String> {
    let metric = match metric {
        Metric::Second => ("accesses per second".to_owned(), 1e9),
        Metric::Cycle(ghz) => ("accesses per cycle".to_owned(), 1.0 / ghz),
        Metric::Micro => {
            let system = system_of(&study.sweep.variant);
            let (word, _) = calibration.peak_ns().ok_or_else(|| missing(system))?;
            (PEAK.to_owned(), word)
        }
    };
    let times: Vec<f64> = study.sweep.samples.iter().map(|s| s.seconds_per_access * 1e9).collect();
    let models: Vec<(String, &[f64])> = study
        .models
        .iter()
        .enumerate()
        .map(|(number, one)| (number.to_string(), one.residuals.as_slice()))
        .collect();
    Flat::of(metric, &times, &vec![1.0; times.len()], &models)
}

/// Returns the message that there is no peak to compare with.
fn missing(system: Option<&str>) -> String {
    let on = system.map_or_else(String::new, |system| format!(" on {system}"));
    format!(
        "--flat micro: the records have no measurement of micro::bandwidth{on}; measure with `cargo bench -p \
         plusminus-benches --bench micro -- bandwidth`, and give that record as well"
    )
}
