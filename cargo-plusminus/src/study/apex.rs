//! The Performance Complexity study of Apex-MAP, for records that hold its sweeps. The suite computes it.

use plusminus_analysis::{Estimate, complexity::ApexModel};
use plusminus_suite::{
    apex_map::study::{Calibration, Plausibility, Ranking, Study, is_apex_map, ranking, sweeps},
    study::Measured,
};

use serde::Serialize;

use super::document::{Coefficient, Number, Pc};

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

/// The study; `None` when nothing of Apex-MAP was measured.
///
/// # Errors
/// When a sweep cannot be understood or fitted, with its name.
pub(super) fn study(measured: &[Measured]) -> Result<Option<ApexMapStudy>, String> {
    if !measured.iter().any(is_apex_map) {
        return Ok(None);
    }
    let calibration = Calibration::of(measured);
    let mut found = ApexMapStudy {
        sweeps: Vec::new(),
        rankings: Vec::new(),
        notes: Vec::new(),
        text: String::new(),
    };
    let mut studies: Vec<Study> = Vec::new();
    for sweep in sweeps(measured)? {
        let name = format!("{} {}", sweep.variant, sweep.point);
        let study = match Study::of(sweep) {
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
        found.text.push('\n');
        found.sweeps.push(sweep_of(&study, &checks));
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

fn sweep_of(study: &Study, checks: &[Plausibility]) -> ApexSweep {
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
