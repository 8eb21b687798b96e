//! From measured configurations to sweeps.

use plusminus_analysis::summary;

use super::{Sample, Sweep};
use crate::study::measured::Measured;

/// The name under which a problem declares the models of Apex-MAP: the size of its points is the memory M in words of 8
/// bytes, and its instances are called `alpha=0.25,L=1024`.
pub const DECLARED: &str = "apex-map";

/// Returns whether the problem of a configuration declares the models of Apex-MAP.
pub fn is_apex_map(one: &Measured) -> bool {
    one.models.iter().any(|name| name == DECLARED)
}

/// The sweeps of Apex-MAP, one for each variant and point, in the order of a record.
///
/// Configurations of other problems are ignored.
///
/// # Errors
/// When an instance has no locality in its name, or a point no size.
pub fn sweeps(measured: &[Measured]) -> Result<Vec<Sweep>, String> {
    let mut sweeps: Vec<(Sweep, Vec<Vec<f64>>)> = Vec::new();
    for one in measured {
        if !is_apex_map(one) {
            continue;
        }
        let (alpha, block_words) = locality(&one.instance)?;
        let sample = Sample {
            alpha,
            block_words,
            seconds_per_access: one.seconds_per_unit(),
            rsu: one.rsu(),
        };
        let per_access = one.processors as f64 / one.work;
        let runs: Vec<f64> = one.runs.iter().map(|call| call * per_access).collect();
        let known = sweeps
            .iter_mut()
            .find(|(sweep, _)| sweep.variant == one.variant && sweep.point == one.point);
        match known {
            Some((sweep, _))
                if sweep
                    .samples
                    .iter()
                    .any(|s| (s.alpha, s.block_words) == (alpha, block_words)) =>
            {
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
                let samples = vec![sample];
                let sweep =
                    Sweep::new(one.variant.clone(), one.point.clone(), memory_words(one)?, samples);
                sweeps.push((Sweep { processors: one.processors, ..sweep }, vec![runs]));
            }
        }
    }
    let finished = sweeps.into_iter().map(|(mut sweep, of_runs)| {
        let runs = of_runs.iter().map(Vec::len).min().unwrap_or(0);
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

/// M of a configuration, which is the size of its point.
fn memory_words(one: &Measured) -> Result<usize, String> {
    let size = one.size.filter(|size| *size >= 1.0).ok_or_else(|| {
        format!(
            "{} {}: the models {DECLARED} need the memory in words as the `size` of a point",
            one.variant, one.point
        )
    })?;
    Ok(size as usize)
}

/// α and L of an instance, by its name.
fn locality(text: &str) -> Result<(f64, usize), String> {
    let wrong = || format!("`{text}` is not a locality: write it as alpha=0.25,L=1024");
    let (alpha, block) = text.split_once(',').ok_or_else(wrong)?;
    let alpha: f64 =
        alpha.strip_prefix("alpha=").ok_or_else(wrong)?.parse().map_err(|_| wrong())?;
    let block_words: usize =
        block.strip_prefix("L=").ok_or_else(wrong)?.parse().map_err(|_| wrong())?;
    if !(alpha > 0.0 && alpha <= 1.0) {
        return Err(format!("`{text}`: α must be above 0 and at most 1"));
    }
    if !block_words.is_power_of_two() {
        return Err(format!("`{text}`: L must be a power of two"));
    }
    Ok((alpha, block_words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locality_is_read_or_its_mistake_is_named() {
        assert_eq!(locality("alpha=0.25,L=1024"), Ok((0.25, 1024)));
        for (text, part) in
            [("alpha=1", "alpha=0.25,L=1024"), ("alpha=2,L=1", "at most 1"), ("alpha=1,L=3", "two")]
        {
            let message = locality(text).unwrap_err();
            assert!(message.contains(part) && message.contains(text), "{message}");
        }
    }
}
