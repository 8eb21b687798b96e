//! From measured configurations to sweeps.

use plusminus_analysis::summary;

use super::{Sample, Sweep};
use crate::apex_map::{Parameters, PerProcessor};
use crate::study::Measured;

/// The serial problem, as records name it.
const SERIAL: &str = "apex_map::serial::ApexMap";

/// The parallel problem, as records name it.
const PARALLEL: &str = "apex_map::parallel::ParallelApexMap";

/// Tells whether a configuration is one of Apex-MAP.
pub fn is_apex_map(one: &Measured) -> bool {
    [SERIAL, PARALLEL].contains(&one.problem.as_str())
}

/// The sweeps of Apex-MAP, serial and parallel, one for each variant and point, in the order of a record.
///
/// Configurations of other problems are left out.
///
/// # Errors
/// When there is no sweep, or a name is not one that Apex-MAP gives.
pub fn sweeps(measured: &[Measured]) -> Result<Vec<Sweep>, String> {
    let mut sweeps: Vec<(Sweep, Vec<Vec<f64>>)> = Vec::new();
    for one in measured {
        let Some(memory_words) = memory_words(one)? else { continue };
        let sample = Sample {
            locality: one.instance.parse()?,
            seconds_per_access: one.seconds_per_unit(),
            rsu: one.rsu(),
        };
        let per_access = one.processors as f64 / one.work;
        let runs: Vec<f64> = one.runs.iter().map(|call| call * per_access).collect();
        let known = sweeps
            .iter_mut()
            .find(|(sweep, _)| sweep.variant == one.variant && sweep.point == one.point);
        match known {
            Some((sweep, _)) if sweep.samples.iter().any(|s| s.locality == sample.locality) => {
                return Err(format!(
                    "{} {} was measured twice at {}: give one record of it, or call the systems that they were \
                     measured on by different names",
                    one.variant, one.point, one.instance
                ));
            }
            Some((sweep, of_runs)) => {
                sweep.samples.push(sample);
                of_runs.push(runs);
            }
            _ => {
                sweeps.push((
                    Sweep::new(one.variant.clone(), one.point.clone(), memory_words, vec![sample]),
                    vec![runs],
                ));
            }
        }
    }
    if sweeps.is_empty() {
        return Err("nothing of Apex-MAP was measured: measure with \
                    `cargo bench -- apex_map` first"
            .to_string());
    }
    let finished = sweeps.into_iter().map(|(mut sweep, of_runs)| {
        let runs = of_runs.first().map_or(0, Vec::len);
        sweep.run_means = (0..runs)
            .map(|run| {
                let times: Vec<f64> = of_runs.iter().map(|runs| runs[run]).collect();
                summary::geometric_mean(&times).map_err(|error| error.to_string())
            })
            .collect::<Result<_, _>>()?;
        Ok(sweep)
    });
    finished.collect()
}

/// M of a configuration of Apex-MAP; `None` for other problems.
fn memory_words(one: &Measured) -> Result<Option<usize>, String> {
    let named = |error: crate::apex_map::ParametersError| format!("{}: {error}", one.variant);
    if one.problem == SERIAL {
        one.point.parse().map(|point: Parameters| Some(point.words())).map_err(named)
    } else if one.problem == PARALLEL {
        let words = |point: PerProcessor| Some(point.part_words() * point.processors());
        one.point.parse().map(words).map_err(named)
    } else {
        Ok(None)
    }
}

#[cfg(all(test, feature = "benchmarks"))]
mod tests {
    use super::*;
    use crate::apex_map::{ApexMap, parallel::ParallelApexMap};

    #[test]
    fn problems_are_named_as_in_records() {
        assert_eq!(crate::study::problem_of::<ApexMap>(), SERIAL);
        assert_eq!(crate::study::problem_of::<ParallelApexMap>(), PARALLEL);
    }
}
