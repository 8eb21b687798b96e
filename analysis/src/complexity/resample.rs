//! Which of several programs is the most transparent, and how sure that is: PC_a with σ from resampled configurations.

use super::{ComplexityOptions, performance_complexity};
use crate::error::{Error, Result, check_count, check_shape};
use crate::estimate::Estimate;
use crate::random::Random;
use crate::summary::summarize;

/// Measurements of one program and the predictions of a model, configuration by configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modelled<'a> {
    /// Measured times or rates.
    pub measured: &'a [f64],
    /// The predictions of the model.
    pub predicted: &'a [f64],
}

/// The transparency of one program relative to the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transparency {
    /// PC_a ± σ. σ is the standard deviation over resamples of the configurations, predictions kept; `None` with
    /// fewer than 6 configurations.
    pub pc_a: Estimate,
    /// The share of resamples in which no other program has a lower PC_a; `None` with fewer than 6 configurations.
    pub lowest: Option<f64>,
}

/// Below this number of configurations resampling is meaningless.
const MINIMUM_CONFIGURATIONS: usize = 6;
/// Resamples.
const RESAMPLES: usize = 1_000;

/// PC_a of programs that were measured over the same configurations, in the same order.
///
/// All are resampled with the same configurations, so that configurations that are hard for all do not blur their
/// order.
///
/// ```
/// use plusminus_analysis::complexity::{Modeled, transparency};
///
/// let model = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
/// let smooth = [1.01, 1.99, 4.02, 7.97, 16.1, 31.8];
/// let rough = [1.4, 1.5, 5.2, 6.1, 22.0, 25.0];
/// let found = transparency(
///     &[Modeled { measured: &smooth, predicted: &model }, Modeled { measured: &rough, predicted: &model }],
///     101,
/// )
/// .unwrap();
/// assert_eq!(found[0].lowest, Some(1.0));
/// assert!(found[1].pc_a.value > 10.0 * found[0].pc_a.value);
/// ```
///
/// # Errors
/// When there is no program, they differ in the number of configurations, or a number is not positive.
pub fn transparency(programs: &[Modelled<'_>], seed: u64) -> Result<Vec<Transparency>> {
    check_count("programs", programs.len(), 1)?;
    let configurations = programs[0].measured.len();
    for program in programs {
        check_shape("configurations", configurations, program.measured.len())?;
        check_shape("model values", configurations, program.predicted.len())?;
    }
    let options = ComplexityOptions::default();
    let pc_a = |measured: &[f64], predicted: &[f64]| {
        performance_complexity(measured, predicted, &options).map(|found| found.pc_a)
    };
    let values: Vec<f64> = programs
        .iter()
        .map(|program| pc_a(program.measured, program.predicted))
        .collect::<Result<_>>()?;
    if configurations < MINIMUM_CONFIGURATIONS {
        let unsure = |value| Transparency {
            pc_a: Estimate { value, u: None, degrees_of_freedom: None },
            lowest: None,
        };
        return Ok(values.into_iter().map(unsure).collect());
    }
    let mut random = Random::new(seed);
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); programs.len()];
    for _ in 0..RESAMPLES {
        let picks: Vec<usize> = (0..configurations).map(|_| random.below(configurations)).collect();
        for (program, draws) in programs.iter().zip(&mut draws) {
            let pick = |from: &[f64]| -> Vec<f64> { picks.iter().map(|at| from[*at]).collect() };
            draws.push(pc_a(&pick(program.measured), &pick(program.predicted))?);
        }
    }
    let lowest = |program: usize| {
        let wins = (0..RESAMPLES).filter(|draw| {
            draws.iter().all(|others: &Vec<f64>| draws[program][*draw] <= others[*draw])
        });
        wins.count() as f64 / RESAMPLES as f64
    };
    let found = values.iter().enumerate().map(|(program, value)| {
        let spread = summarize(&draws[program])?.spread;
        Ok(Transparency {
            pc_a: Estimate { value: *value, u: spread, degrees_of_freedom: None },
            lowest: Some(lowest(program)),
        })
    });
    found.collect::<std::result::Result<_, Error>>()
}
