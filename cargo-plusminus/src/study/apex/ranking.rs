//! Which variant is the most transparent, and how sure that is: PC with σ by resampling configurations.

use plusminus_analysis::random::Random;
use plusminus_analysis::speedup::{self, Kind, Speedup};
use plusminus_analysis::{Error, Estimate, Result, summary};
use plusminus_analysis::{
    apex_map::ApexModel,
    complexity::{ComplexityOptions, performance_complexity},
};

use super::Study;
use crate::study::measured::system_of;

/// Resamples behind every σ and probability.
const RESAMPLES: usize = 1000;

/// Variants by the PC of one model, the most transparent first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The model.
    pub model: ApexModel,
    /// The variants.
    pub ranked: Vec<Ranked>,
}

/// One variant: how fast, and how transparent.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// `module::function` of the variant.
    pub variant: String,
    /// PC_a ± σ; σ is the standard deviation over resamples of the configurations, coefficients kept.
    pub pc_a: Estimate,
    /// The share of resamples in which no other variant has a lower PC.
    pub lowest: f64,
    /// Geometric mean over configurations of the seconds per access, with its standard error over runs.
    pub seconds_per_access: Estimate,
    /// Against the first study that was given: geometric mean over configurations, run by run.
    pub speedup: Option<Speedup>,
}

/// Ranks variants that were measured over the same configurations.
///
/// All variants are resampled with the same configurations, so that what is hard for all of them does not blur
/// their order.
///
/// # Errors
/// When there is no study, or two have different configurations: PCs are comparable only over the same sweep.
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
            pc_a: Estimate { value, u: spread, degrees_of_freedom: None },
            lowest: lowest.count() as f64 / RESAMPLES as f64,
            seconds_per_access: time(study)?,
            speedup: (number > 0).then(|| compared(first, study)).flatten(),
        });
    }
    ranked.sort_by(|a, b| a.pc_a.value.total_cmp(&b.pc_a.value));
    Ok(Ranking { model, ranked })
}

/// PC_a of each study in each resample of the configurations.
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

/// Geometric mean over configurations.
fn time(study: &Study) -> Result<Estimate> {
    if study.sweep.run_means.is_empty() {
        let times: Vec<f64> =
            study.sweep.samples.iter().map(|sample| sample.seconds_per_access).collect();
        let value = summary::geometric_mean(&times)?;
        return Ok(Estimate { value, u: None, degrees_of_freedom: None });
    }
    Ok(summary::summarize(&study.sweep.run_means)?.estimate())
}

/// Paired by run if both have the same runs of the same processes.
fn compared(base: &Study, new: &Study) -> Option<Speedup> {
    let (base_runs, new_runs) = (&base.sweep.run_means, &new.sweep.run_means);
    let kind = Kind::BetweenVariants;
    // Variants of other systems are called `variant @ system`: their runs are no pairs.
    let same = base.sweep.point == new.sweep.point
        && system_of(&base.sweep.variant) == system_of(&new.sweep.variant);
    if same && base_runs.len() == new_runs.len() {
        speedup::paired(base_runs, new_runs, kind).ok()
    } else {
        speedup::unpaired(base_runs, new_runs, kind).ok()
    }
}
