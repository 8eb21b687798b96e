//! Ranks variants by Performance Complexity (PC), with a σ from resampled configurations.

use plusminus_analysis::random::Random;
use plusminus_analysis::speedup::{self, Kind};
use plusminus_analysis::{Error, Estimate, Result, summary};
use plusminus_analysis::{
    apex_map::ApexModel,
    complexity::{ComplexityOptions, performance_complexity},
};

use serde::Serialize;

use super::Study;
use crate::study::{document::Number, measured::system_of};

const RESAMPLES: usize = 1000;

/// Variants in order of their PC under one model, lowest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    pub ranked: Vec<Ranked>,
}

/// The PC and the speed of one variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked {
    /// `module::function` of the variant.
    pub variant: String,
    /// PC_a ± σ. σ is the standard deviation over resampled configurations with the same coefficients.
    pub pc_a: Number,
    /// The share of resamples in which this variant has the lowest PC.
    pub lowest: f64,
    /// Nanoseconds per access: the geometric mean over configurations, and its standard error over runs.
    pub access_ns: Number,
    /// The speedup over the first study, from the geometric means of each run.
    pub speedup: Option<Number>,
}

/// Ranks variants that were measured over the same configurations.
///
/// Each resample picks the same configurations for all variants, so that configurations that are hard for all of
/// them do not blur their order.
///
/// # Errors
/// When `studies` is empty, or when two studies have different configurations. PCs are comparable over one sweep only.
pub fn ranking(studies: &[Study], model: ApexModel, seed: u64) -> Result<Ranking> {
    let [first, ..] = studies else {
        return Err(Error::TooFew { what: "studies", have: 0, need: 1 });
    };
    let localities = |study: &Study| -> Vec<(f64, usize)> {
        study.sweep.samples.iter().map(|sample| (sample.alpha, sample.block_words)).collect()
    };
    if studies.iter().any(|study| localities(study) != localities(first)) {
        let what = "PCs are comparable only over the same configurations";
        return Err(Error::Undefined { what });
    }
    let resampled = resample(studies, model, seed)?;
    let mut ranked = Vec::with_capacity(studies.len());
    for (number, study) in studies.iter().enumerate() {
        let draws: Vec<f64> = resampled.iter().map(|draw| draw[number]).collect();
        let lowest = resampled.iter().filter(|draw| draw.iter().all(|pc| draw[number] <= *pc));
        let value = study.model(model).complexity.pc_a;
        let spread = summary::summarize(&draws)?.spread;
        ranked.push(Ranked {
            variant: study.sweep.variant.clone(),
            pc_a: Estimate { value, u: spread, degrees_of_freedom: None }.into(),
            lowest: lowest.count() as f64 / RESAMPLES as f64,
            access_ns: time(study)?.into(),
            speedup: (number > 0).then(|| compared(first, study)).flatten(),
        });
    }
    ranked.sort_by(|a, b| a.pc_a.value.total_cmp(&b.pc_a.value));
    Ok(Ranking { ranked })
}

/// Returns the PC_a of each study in each resample.
fn resample(studies: &[Study], model: ApexModel, seed: u64) -> Result<Vec<Vec<f64>>> {
    let configurations = studies[0].sweep.samples.len();
    let mut random = Random::new(seed);
    let draw = |_| {
        let picks: Vec<usize> = (0..configurations).map(|_| random.below(configurations)).collect();
        let complexity = |study: &Study| {
            let times = study.sweep.nanoseconds();
            let predictions = &study.model(model).fit.predictions;
            let measured: Vec<f64> = picks.iter().map(|pick| times[*pick]).collect();
            let predicted: Vec<f64> = picks.iter().map(|pick| predictions[*pick]).collect();
            let options = ComplexityOptions::default();
            performance_complexity(&measured, &predicted, &options).map(|found| found.pc_a)
        };
        studies.iter().map(complexity).collect()
    };
    (0..RESAMPLES).map(draw).collect()
}

/// Returns the nanoseconds per access of a study.
fn time(study: &Study) -> Result<Estimate> {
    if study.sweep.run_means.is_empty() {
        let times: Vec<f64> =
            study.sweep.samples.iter().map(|sample| sample.seconds_per_access).collect();
        let value = summary::geometric_mean(&times)?;
        return Ok(Estimate { value: value * 1e9, u: None, degrees_of_freedom: None });
    }
    let Estimate { value, u, degrees_of_freedom } =
        summary::summarize(&study.sweep.run_means)?.estimate();
    Ok(Estimate { value: value * 1e9, u: u.map(|u| u * 1e9), degrees_of_freedom })
}

/// Returns the speedup of `new` over `base`, paired by run if both variants were measured in the same runs.
fn compared(base: &Study, new: &Study) -> Option<Number> {
    let (base_runs, new_runs) = (&base.sweep.run_means, &new.sweep.run_means);
    let kind = Kind::BetweenVariants;
    // Variants of different systems (`variant @ system`) have runs that cannot be paired.
    let same = base.sweep.point == new.sweep.point
        && system_of(&base.sweep.variant) == system_of(&new.sweep.variant);
    let speedup = match same && base_runs.len() == new_runs.len() {
        true => speedup::paired(base_runs, new_runs, kind),
        false => speedup::unpaired(base_runs, new_runs, kind),
    };
    Some((&speedup.ok()?).into())
}
