//! Variants side by side over the configurations that they share: faster, and more transparent?

use std::collections::BTreeMap;

use plusminus::{record::Role, results::Pairing};
use plusminus_analysis::{
    Confidence, Estimate,
    complexity::{Modelled, Transparency, transparency},
    models::{Fit, FitOptions, Model, fit, leave_one_out},
    speedup::{self, Kind, Speedup, SuiteSummary},
};

use super::{
    collect::{Configuration, Family, Problem, Variant, families},
    document::{Compared, Comparison, TransparencyOf},
    each_once, grouped,
    models::{Observed, tried},
    sets::Predicted,
    text::{in_order, with_u},
};

/// The seed of resampling: the same record gives the same σ.
pub(super) const SEED: u64 = 101;
/// Below this number of shared configurations no model is worth a table.
const MINIMUM_CONFIGURATIONS: usize = 3;
/// The share of resamples that a claim about transparency needs.
const CLAIM: f64 = 0.95;

/// One variant's part of a sweep.
struct Part<'a> {
    variant: &'a Variant,
    configurations: Vec<Configuration>,
}

/// The comparison of each sweep, or notes why there is none.
pub(super) fn comparisons(
    problem: &Problem,
    wanted: &[Model],
    options: &FitOptions,
) -> (Vec<Comparison>, Vec<String>) {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    let measured: Vec<&Variant> =
        problem.variants.iter().filter(|v| !v.configurations.is_empty()).collect();
    if measured.len() < 2 {
        return (found, notes);
    }
    let split: Vec<Vec<Family>> = measured.iter().map(|v| families(&v.configurations)).collect();
    let mut refused: Vec<(String, Option<&str>)> = Vec::new();
    for label in each_once(split.iter().flatten().map(|family| &family.label)) {
        let own = measured.iter().zip(&split).filter_map(|(variant, families)| {
            let family = families.iter().find(|family| family.label == *label)?;
            Some(Part { variant, configurations: family.configurations.clone() })
        });
        let parts: Vec<Part<'_>> = own.collect();
        if parts.len() < 2 {
            continue;
        }
        match compare(label.clone(), parts, wanted, options) {
            Ok(comparison) => found.push(comparison),
            Err(reason) => refused.push((reason, label.as_deref())),
        }
    }
    for (reason, labels) in grouped(refused) {
        let labels: Vec<&str> = labels.into_iter().flatten().collect();
        let of = if labels.is_empty() { String::new() } else { format!("{}: ", few(&labels)) };
        notes.push(format!("{of}variants are not compared: {reason}"));
    }
    (found, notes)
}

/// Joins names. Of more than four, the first two stand for all.
pub(crate) fn few(names: &[&str]) -> String {
    match names.len() {
        ..=4 => names.join("; "),
        all => format!("{}; … {all} in all", names[..2].join("; ")),
    }
}

fn compare(
    sweep: Option<String>,
    parts: Vec<Part<'_>>,
    wanted: &[Model],
    options: &FitOptions,
) -> Result<Comparison, String> {
    let parts = shared(parts)?;
    let base = parts.iter().position(|p| p.variant.role == Role::Baseline).unwrap_or(0);
    let observed: Vec<Observed> = parts.iter().map(|p| Observed::of(&p.configurations)).collect();
    let tried = tried(wanted, observed[0].usual_models());
    let (mut models, mut refused) = (Vec::new(), None);
    let mut fits: Vec<Vec<Fit>> = Vec::new();
    for model in tried {
        if let Some(reason) = observed.iter().find_map(|o| o.unfit(model)) {
            refused.get_or_insert(reason);
            continue;
        }
        let fitted: Result<Vec<Fit>, _> =
            observed.iter().map(|o| fit(model, &o.observations, options)).collect();
        if let Ok(fitted) = fitted {
            models.push(model);
            fits.push(fitted);
        }
    }
    if models.is_empty() {
        return Err(refused.unwrap_or_else(|| "no model can be fitted to all of them".to_owned()));
    }
    let mut variants: Vec<Compared> = Vec::with_capacity(parts.len());
    let mut suites = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        let suite = if at == base { None } else { suite(&parts[base], part) };
        variants.push(Compared {
            variant: part.variant.function.clone(),
            speedup_ratio_of_sums: suite.map(|s| s.ratio_of_sums.into()),
            speedup_geometric_mean: suite.map(|s| s.geometric_mean.into()),
            transparency: Vec::with_capacity(models.len()),
        });
        suites.push(suite);
    }
    let error = |error: plusminus_analysis::Error| error.to_string();
    for (model, fitted) in models.iter().zip(&fits) {
        let times: Vec<Vec<f64>> =
            observed.iter().map(|o| o.observations.iter().map(|o| o.time).collect()).collect();
        let program =
            |at: usize| Modelled { measured: &times[at], predicted: &fitted[at].predictions };
        let programs: Vec<Modelled<'_>> = (0..parts.len()).map(program).collect();
        let together = transparency(&programs, SEED).map_err(error)?;
        for (at, found) in together.iter().enumerate() {
            let pair = || -> Result<Vec<Transparency>, String> {
                transparency(&[program(at), program(base)], SEED).map_err(error)
            };
            let below_base = if at == base { None } else { pair()?[0].lowest };
            variants[at].transparency.push(TransparencyOf {
                model: model.name(),
                pc_a: found.pc_a.into(),
                leave_one_out: leave_one_out(&fitted[at], &observed[at].observations, options).ok(),
                lowest: found.lowest,
                below_base,
            });
        }
    }
    let simplest = best_of(&fits, base);
    let mut sentences = sentences(&variants, &suites, base, simplest);
    if variants.iter().any(|one| one.variant.contains(" @ ")) {
        sentences.push(ranking(&variants, simplest));
    }
    let predicted = parts.iter().enumerate().map(|(at, part)| Predicted {
        variant: part.variant.function.clone(),
        measured: observed[at].observations.iter().map(|o| o.time).collect(),
        predicted: fits[simplest][at].predictions.clone(),
    });
    Ok(Comparison {
        simplest: models[simplest].name(),
        predicted: predicted.collect(),
        sweep,
        base: variants[base].variant.clone(),
        configurations: parts[0].configurations.len(),
        models: models.iter().map(|model| model.name()).collect(),
        variants,
        sentences,
    })
}

/// Keeps the configurations that all variants have, in the same order.
fn shared(mut parts: Vec<Part<'_>>) -> Result<Vec<Part<'_>>, String> {
    // How many of the parts have each configuration; none has one twice.
    let mut owners: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for c in parts.iter().flat_map(|part| &part.configurations) {
        *owners.entry((&c.point, c.p)).or_default() += 1;
    }
    let in_all = |c: &&Configuration| owners[&(c.point.as_str(), c.p)] == parts.len();
    let common: Vec<Configuration> =
        parts[0].configurations.iter().filter(in_all).cloned().collect();
    if common.len() < MINIMUM_CONFIGURATIONS {
        return Err(format!(
            "PCs are comparable only over the same configurations, and they share fewer than \
             {MINIMUM_CONFIGURATIONS}"
        ));
    }
    for part in &mut parts {
        let own: BTreeMap<(&str, usize), &Configuration> =
            part.configurations.iter().map(|c| ((c.point.as_str(), c.p), c)).collect();
        let of = |c: &Configuration| own.get(&(c.point.as_str(), c.p)).map(|&c| c.clone());
        part.configurations = common.iter().filter_map(of).collect();
    }
    Ok(parts)
}

/// The speedup over all shared configurations; runs of one process are pairs.
fn suite(base: &Part<'_>, new: &Part<'_>) -> Option<SuiteSummary> {
    let kind = Kind::BetweenVariants;
    let one = |(a, b): (&Configuration, &Configuration)| -> Option<Speedup> {
        let same = (a.record, a.table) == (b.record, b.table);
        b.time.speedup_over(&a.time, kind, if same { Pairing::Paired } else { Pairing::Apart })
    };
    let pairs = base.configurations.iter().zip(&new.configurations);
    let speedups: Option<Vec<Speedup>> = pairs.map(one).collect();
    speedup::suite(&speedups?).ok()
}

/// The model that explains the base best at its number of coefficients.
fn best_of(fits: &[Vec<Fit>], base: usize) -> usize {
    let cost = |at: &usize| {
        let fit = &fits[*at][base];
        fit.aicc.unwrap_or(f64::INFINITY)
    };
    (0..fits.len()).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(0)
}

/// One sentence for each variant but the base.
fn sentences(
    variants: &[Compared],
    suites: &[Option<SuiteSummary>],
    base: usize,
    model: usize,
) -> Vec<String> {
    let mut sentences = Vec::new();
    let others = variants.iter().zip(suites).enumerate().filter(|(at, _)| *at != base);
    for (_, (variant, suite)) in others {
        let speed = match suite {
            None => "its speedup is not known".to_owned(),
            Some(suite) => speed(suite.geometric_mean),
        };
        let (own, other) = (&variant.transparency[model], &variants[base].transparency[model]);
        let verdict = match own.below_base {
            None => "fewer than 6 configurations cannot tell whether it is more transparent",
            Some(share) if share >= CLAIM => "and more transparent",
            Some(share) if share <= 1.0 - CLAIM => "and less transparent",
            Some(_) => "and whether it is more transparent the configurations cannot tell",
        };
        sentences.push(format!(
            "{} against {}: {speed}, {verdict} (PC_a {} against {} under {})",
            variant.variant,
            variants[base].variant,
            with_u(own.pc_a.value, own.pc_a.u),
            with_u(other.pc_a.value, other.pc_a.u),
            own.model,
        ));
    }
    sentences
}

/// Variants and systems by PC_a under one model, the most transparent first.
fn ranking(variants: &[Compared], model: usize) -> String {
    let mut order: Vec<&Compared> = variants.iter().collect();
    let of = |one: &Compared| one.transparency[model].pc_a.value;
    order.sort_by(|a, b| of(a).total_cmp(&of(b)));
    let said = order.iter().map(|one| {
        let found = &one.transparency[model];
        in_order(&one.variant, &found.pc_a, found.lowest)
    });
    let said: Vec<String> = said.collect();
    let model = variants[0].transparency[model].model;
    format!("the most transparent first, under {model}: {}", said.join("; "))
}

/// Faster or slower where the 95 % interval of the geometric mean excludes 1.
fn speed(mean: Estimate) -> String {
    let word = match mean.u.and(mean.interval(Confidence::P95)) {
        Some(interval) if interval.low > 1.0 => "faster",
        Some(interval) if interval.high < 1.0 => "slower",
        Some(_) => "neither faster nor slower as far as these runs tell",
        None => "how sure its speed is cannot be told from a single run",
    };
    format!("{word} (S = {})", with_u(mean.value, mean.u))
}
