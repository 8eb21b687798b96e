//! The Performance Complexity study of Apex-MAP, for records that hold its sweeps. The suite computes it.

use std::str::FromStr;

use plusminus_analysis::{Estimate, complexity::ApexModel};
use plusminus_suite::{
    Bytes,
    apex_map::study::{
        Calibration, Plausibility, Ranking, Study, Sweep, is_apex_map, ranking, sweeps,
    },
    study::{Measured, system_of},
};
use serde::Serialize;

use super::document::{Coefficient, Number, Pc};
use super::flat::{self, Flat, Metric};

/// The seed of resampling: the same record gives the same σ.
const SEED: u64 = 101;

/// The Apex-MAP study.
#[derive(Debug, Serialize)]
pub(crate) struct ApexMapStudy {
    pub(crate) sweeps: Vec<ApexSweep>,
    pub(crate) rankings: Vec<ApexRanking>,
    pub(crate) notes: Vec<String>,
    /// What is printed; made by the suite.
    #[serde(skip)]
    pub(crate) text: String,
}

/// One variant at one point.
#[derive(Debug, Serialize)]
pub(crate) struct ApexSweep {
    pub(crate) variant: String,
    pub(crate) point: String,
    pub(crate) memory_words: usize,
    pub(crate) configurations: Vec<ApexConfiguration>,
    pub(crate) models: Vec<ApexModelOf>,
    /// Performance in the flat metric that was asked for.
    pub(crate) flat: Option<Flat>,
    pub(crate) plausibility: Vec<ApexPlausibility>,
}

/// One cell of α × L.
#[derive(Debug, Serialize)]
pub(crate) struct ApexConfiguration {
    pub(crate) alpha: f64,
    pub(crate) block_words: usize,
    pub(crate) access_ns: f64,
    pub(crate) rsu: f64,
}

/// One of the models 0 to 3.
#[derive(Debug, Serialize)]
pub(crate) struct ApexModelOf {
    pub(crate) model: usize,
    pub(crate) name: &'static str,
    pub(crate) capacity_bytes: Option<f64>,
    /// The best c is the smallest or largest that was tried.
    pub(crate) capacity_at_bound: bool,
    /// In nanoseconds.
    pub(crate) coefficients: Vec<Coefficient>,
    #[serde(flatten)]
    pub(crate) pc: Pc,
    /// ln(measured/predicted), in the order of `configurations`.
    pub(crate) residuals: Vec<f64>,
}

/// A back-fitted latency or gap beside a micro-kernel's measurement.
#[derive(Debug, Serialize)]
pub(crate) struct ApexPlausibility {
    pub(crate) coefficient: &'static str,
    pub(crate) fitted_ns: f64,
    pub(crate) measure: String,
    pub(crate) calibrated_ns: f64,
    pub(crate) within_factor_two: bool,
}

/// Variants by PC under one model.
#[derive(Debug, Serialize)]
pub(crate) struct ApexRanking {
    pub(crate) point: String,
    pub(crate) model: usize,
    pub(crate) variants: Vec<ApexRanked>,
}

/// One variant of a ranking.
#[derive(Debug, Serialize)]
pub(crate) struct ApexRanked {
    pub(crate) variant: String,
    pub(crate) pc_a: Number,
    pub(crate) lowest: f64,
    pub(crate) access_ns: Number,
    pub(crate) speedup: Option<Number>,
}

/// Which capacities c of the fast level the models 1 and 3 may have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Capacity {
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
        let sizes: Vec<Bytes> =
            text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(wrong)?;
        match sizes.iter().find(|Bytes(bytes)| *bytes < 8) {
            Some(small) => Err(format!("{small} is less than a word of 8 bytes")),
            None => Ok(Self::Given(sizes.into_iter().map(|Bytes(bytes)| bytes).collect())),
        }
    }
}

/// What the user has chosen.
#[derive(Debug, Default)]
pub(super) struct Chosen<'a> {
    pub(super) capacity: Option<&'a Capacity>,
    pub(super) flat: Option<Metric>,
}

/// What micro-kernels have measured on one system.
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
            Bytes(memory)
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
    chosen: &Chosen<'_>,
) -> Result<Option<ApexMapStudy>, String> {
    if !measured.iter().any(is_apex_map) {
        return Ok(None);
    }
    let mut found = ApexMapStudy {
        sweeps: Vec::new(),
        rankings: Vec::new(),
        notes: Vec::new(),
        text: String::new(),
    };
    let mut studies: Vec<Study> = Vec::new();
    for sweep in sweeps(measured)? {
        let name = format!("{} {}", sweep.variant, sweep.point);
        let calibration = calibration(measured, system_of(&sweep.variant));
        let study = match fitted(sweep, chosen.capacity, &calibration) {
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
        let flat = match chosen.flat.map(|metric| flat::of_apex(metric, &study, &calibration)) {
            None => None,
            Some(Ok(flat)) => Some(flat),
            Some(Err(reason)) => {
                found.notes.push(format!("{name}: {reason}"));
                None
            }
        };
        if let Some(flat) = &flat {
            found.text += &format!("  {}\n", flat.sentence());
        }
        found.text.push('\n');
        found.sweeps.push(sweep_of(&study, &checks, flat));
        studies.push(study);
    }
    let mut points: Vec<&str> = studies.iter().map(|study| study.sweep.point.as_str()).collect();
    points.dedup();
    let mut seen = Vec::new();
    for point in points {
        if seen.contains(&point) {
            continue;
        }
        seen.push(point);
        let same: Vec<Study> =
            studies.iter().filter(|study| study.sweep.point == point).cloned().collect();
        for (number, model) in ApexModel::ALL.into_iter().enumerate() {
            match ranking(&same, model, SEED) {
                Ok(ranking) => {
                    found.text +=
                        &format!("{point}   variants by PC_a under model {number}\n{ranking}\n");
                    found.rankings.push(ranking_of(point, number, &ranking));
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

fn sweep_of(study: &Study, checks: &[Plausibility], flat: Option<Flat>) -> ApexSweep {
    let sweep = &study.sweep;
    ApexSweep {
        variant: sweep.variant.clone(),
        point: sweep.point.clone(),
        memory_words: sweep.memory_words,
        configurations: sweep
            .samples
            .iter()
            .map(|sample| ApexConfiguration {
                alpha: sample.locality.alpha,
                block_words: sample.locality.block_words,
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
                coefficients: one
                    .fit
                    .model
                    .coefficient_names()
                    .iter()
                    .zip(&one.fit.coefficients)
                    .map(|(name, estimate)| Coefficient {
                        name: (*name).to_owned(),
                        number: (*estimate).into(),
                    })
                    .collect(),
                pc: Pc::new(&one.complexity, one.fit.leave_one_out),
                residuals: one.residuals.clone(),
            })
            .collect(),
        flat,
        plausibility: checks
            .iter()
            .map(|check| ApexPlausibility {
                coefficient: check.coefficient,
                fitted_ns: check.fitted_ns,
                measure: check.measure.clone(),
                calibrated_ns: check.calibrated_ns,
                within_factor_two: check.within_factor_two(),
            })
            .collect(),
    }
}

fn ranking_of(point: &str, model: usize, ranking: &Ranking) -> ApexRanking {
    let variants = ranking.ranked.iter().map(|one| {
        let seconds = one.seconds_per_access;
        let nanoseconds =
            Estimate { value: seconds.value * 1e9, u: seconds.u.map(|u| u * 1e9), ..seconds };
        ApexRanked {
            variant: one.variant.clone(),
            pc_a: one.pc_a.into(),
            lowest: one.lowest,
            access_ns: nanoseconds.into(),
            speedup: one.speedup.as_ref().map(Number::from),
        }
    });
    ApexRanking { point: point.to_owned(), model, variants: variants.collect() }
}
