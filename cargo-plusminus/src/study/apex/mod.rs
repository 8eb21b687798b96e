//! The Performance Complexity study of Apex-MAP: problems that declare its models, [`DECLARED`], have sweeps over temporal
//! and spatial locality, to which models 0 to 3 are fitted. Every number comes from the analysis crate.

mod calibration;
mod fit;
mod ranking;
mod sweeps;
mod text;

pub use calibration::{Calibration, MICRO_KERNELS, Plausibility};
pub use fit::{ModelStudy, Sample, Study, Sweep};
pub use ranking::{Ranked, Ranking, ranking};
pub use sweeps::{DECLARED, is_apex_map, sweeps};

use std::str::FromStr;

use plusminus::text::quantity;
use plusminus_analysis::Estimate;
use plusminus_analysis::apex_map::{ApexFit, ApexModel};
use serde::Serialize;

use super::document::{Coefficient, Pc};
use super::flat::{self, Flat};
use super::measured::{Measured, system_of};
use super::{Arguments, grouped};

/// The seed of resampling: the same record gives the same σ.
const SEED: u64 = 101;

#[derive(Debug, Default, Serialize)]
pub struct ApexMapStudy {
    pub sweeps: Vec<ApexSweep>,
    pub rankings: Vec<ApexRanking>,
    pub notes: Vec<String>,
    #[serde(skip)]
    pub text: String,
}

#[derive(Debug, Serialize)]
pub struct ApexSweep {
    pub variant: String,
    pub point: String,
    pub memory_words: usize,
    pub configurations: Vec<ApexConfiguration>,
    pub models: Vec<ApexModelOf>,
    /// Performance in the flat metric that was asked for.
    pub flat: Option<Flat>,
    pub plausibility: Vec<Plausibility>,
}

/// One cell of α × L.
#[derive(Debug, Serialize)]
pub struct ApexConfiguration {
    pub alpha: f64,
    pub block_words: usize,
    pub access_ns: f64,
    pub rsu: f64,
}

/// One of the models 0 to 3.
#[derive(Debug, Serialize)]
pub struct ApexModelOf {
    pub model: usize,
    pub name: &'static str,
    pub capacity_bytes: Option<f64>,
    /// The best c is the smallest or largest that was tried.
    pub capacity_at_bound: bool,
    /// In nanoseconds.
    pub coefficients: Vec<Coefficient>,
    #[serde(flatten)]
    pub pc: Pc,
    /// ln(measured/predicted), in the order of `configurations`.
    pub residuals: Vec<f64>,
}

/// Variants by PC under one model.
#[derive(Debug, Serialize)]
pub struct ApexRanking {
    pub point: String,
    pub model: usize,
    pub variants: Vec<Ranked>,
}

/// Which capacities c of the fast level the models 1 and 3 may have.
#[derive(Debug, Clone, PartialEq)]
pub enum Capacity {
    /// These, in bytes; a single one is kept and not fitted.
    Given(Vec<u64>),
    /// The one that random reads of micro-kernels show.
    Calibrated,
}

impl FromStr for Capacity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "micro" {
            return Ok(Self::Calibrated);
        }
        let wrong = |error: String| {
            format!(
                "{error}; or `micro` for the one that micro-kernels show, or several with commas"
            )
        };
        let sizes: Vec<u64> =
            text.split(',').map(quantity::bytes).collect::<Result<_, _>>().map_err(wrong)?;
        match sizes.iter().find(|bytes| **bytes < 8) {
            Some(small) => Err(format!("{} is less than a word of 8 bytes", of_size(*small))),
            None => Ok(Self::Given(sizes)),
        }
    }
}

/// A number of bytes in the largest of GiB, MiB and KiB that gives a whole number.
fn of_size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let whole = units.iter().find(|(_, shift)| bytes > 0 && bytes.is_multiple_of(1 << shift));
    whole.map_or_else(|| format!("{bytes}B"), |(unit, shift)| format!("{}{unit}", bytes >> shift))
}

/// Returns the measurements of micro-kernels on one system.
pub(super) fn calibration(measured: &[Measured], system: Option<&str>) -> Calibration {
    let own: Vec<Measured> =
        measured.iter().filter(|one| system_of(&one.variant) == system).cloned().collect();
    Calibration::of(&own)
}

/// Fits the models of a sweep, with the capacities that are asked for.
fn fitted(
    sweep: Sweep,
    capacity: Option<&Capacity>,
    calibration: &Calibration,
) -> Result<Study, String> {
    let bytes = match capacity {
        None => return Study::of(sweep).map_err(|error| error.to_string()),
        Some(Capacity::Given(bytes)) => bytes.clone(),
        Some(Capacity::Calibrated) => vec![calibration.capacity_bytes().ok_or(
            "--capacity micro: the records have no random reads of this system that show two levels; measure with `cargo \
             bench -p plusminus-benches --bench micro -- random_reads`, and give that record as well",
        )?],
    };
    let memory = 8 * sweep.memory_words as u64;
    let smaller: Vec<f64> =
        bytes.iter().filter(|&&c| c < memory).map(|&c| c as f64 / 8.0).collect();
    if smaller.is_empty() {
        return Err(format!(
            "--capacity: the fast level has to be smaller than the memory of {}",
            of_size(memory)
        ));
    }
    Study::with_capacities(sweep, &smaller).map_err(|error| error.to_string())
}

/// The study; `None` when nothing of Apex-MAP was measured.
///
/// # Errors
/// When a sweep cannot be understood or fitted, with its name.
pub(super) fn study(
    measured: &[Measured],
    arguments: &Arguments,
) -> Result<Option<ApexMapStudy>, String> {
    if !measured.iter().any(is_apex_map) {
        return Ok(None);
    }
    let mut found = ApexMapStudy::default();
    let mut studies: Vec<Study> = Vec::new();
    for sweep in sweeps(measured)? {
        let name = format!("{} {}", sweep.variant, sweep.point);
        let calibration = calibration(measured, system_of(&sweep.variant));
        let study = match fitted(sweep, arguments.capacity.as_ref(), &calibration) {
            Ok(study) => study,
            Err(error) => {
                found.notes.push(format!("{name} is not studied: {error}"));
                continue;
            }
        };
        let checks = calibration.check(&study);
        found.text += &format!("{study}");
        for check in &checks {
            found.text += &format!("{check}\n");
        }
        let flat = arguments.flat.map(|metric| flat::of_apex(metric, &study, &calibration));
        let noted = |reason| found.notes.push(format!("{name}: {reason}"));
        let flat = flat.and_then(|flat| flat.map_err(noted).ok());
        if let Some(flat) = &flat {
            found.text += &format!("  {}\n", flat.sentence());
        }
        found.text.push('\n');
        found.sweeps.push(sweep_of(&study, checks, flat));
        studies.push(study);
    }
    for (point, same) in grouped(studies.iter().map(|one| (&*one.sweep.point, one.clone()))) {
        for (number, model) in ApexModel::ALL.into_iter().enumerate() {
            match ranking(&same, model, SEED) {
                Ok(ranking) => {
                    found.text +=
                        &format!("{point}   variants by PC_a under model {number}\n{ranking}\n");
                    let (point, variants) = (point.to_owned(), ranking.ranked);
                    found.rankings.push(ApexRanking { point, model: number, variants });
                }
                Err(error) => {
                    found.notes.push(format!("{point}: variants are not ranked: {error}"));
                    break;
                }
            }
        }
    }
    Ok(Some(found))
}

fn sweep_of(study: &Study, plausibility: Vec<Plausibility>, flat: Option<Flat>) -> ApexSweep {
    let sweep = &study.sweep;
    let coefficients = |fit: &ApexFit| {
        let named = fit.model.coefficient_names().iter().zip(&fit.coefficients);
        let one = |(name, value): (&&str, &Estimate)| Coefficient {
            name: (*name).to_owned(),
            number: (*value).into(),
        };
        named.map(one).collect()
    };
    ApexSweep {
        variant: sweep.variant.clone(),
        point: sweep.point.clone(),
        memory_words: sweep.memory_words,
        configurations: sweep
            .samples
            .iter()
            .map(|sample| ApexConfiguration {
                alpha: sample.alpha,
                block_words: sample.block_words,
                access_ns: sample.seconds_per_access * 1e9,
                rsu: sample.rsu,
            })
            .collect(),
        models: study
            .models
            .iter()
            .enumerate()
            .map(|(number, one)| ApexModelOf {
                model: number,
                name: match one.fit.model {
                    ApexModel::Flat => "flat",
                    ApexModel::TwoLevel => "two levels",
                    ApexModel::LatencyGap => "latency and gap",
                    ApexModel::Combined => "combined",
                },
                capacity_bytes: one.capacity_bytes(),
                capacity_at_bound: one.capacity_at_bound,
                coefficients: coefficients(&one.fit),
                pc: Pc::new(&one.complexity, one.fit.leave_one_out),
                residuals: one.residuals.clone(),
            })
            .collect(),
        flat,
        plausibility,
    }
}
