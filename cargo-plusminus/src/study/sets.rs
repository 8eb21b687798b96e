//! Performance Complexity of a set of problems: variants, and systems, over all problems that have them.

use std::collections::BTreeSet;

use plusminus_analysis::{
    Estimate,
    complexity::{Modelled, transparency},
};
use serde::Serialize;

use super::{
    document::{Comparison, Number, ProblemStudy},
    measured::{function_of, system_of},
    text::in_order,
    variants::SEED,
};

/// Measured and predicted times of a variant of a comparison, configuration by configuration.
#[derive(Debug)]
pub struct Predicted {
    pub variant: String,
    pub measured: Vec<f64>,
    pub predicted: Vec<f64>,
}

/// Variants over a set of problems.
#[derive(Debug, Serialize)]
pub struct SetRanking {
    /// The problems, each with the model that ranks first for its base.
    pub problems: Vec<OfSet>,
    /// Configurations of all of them together.
    pub configurations: usize,
    /// The reference of the others.
    pub base: String,
    /// The most transparent first.
    pub variants: Vec<RankedInSet>,
    pub sentences: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct OfSet {
    pub problem: String,
    pub sweep: Option<String>,
    pub model: String,
    pub configurations: usize,
}

#[derive(Debug, Serialize)]
pub struct RankedInSet {
    /// The last part of its name, which it has in all problems, and its system.
    pub variant: String,
    /// PC_a of all configurations together, u from resampling them.
    pub pc_a: Number,
    /// The share of resamples in which no other has a lower one.
    pub lowest: Option<f64>,
    /// Geometric mean over the problems of the speedup over the base; null for the base.
    pub speedup: Option<Number>,
}

/// A comparison with the names of its variants in the set.
struct Member<'a> {
    problem: &'a str,
    comparison: &'a Comparison,
    names: Vec<String>,
}

/// The ranking over all problems in which at least two variants have the same names; none with fewer than two problems.
pub(super) fn ranking(problems: &[ProblemStudy]) -> Option<SetRanking> {
    let members: Vec<Member<'_>> = problems
        .iter()
        .flat_map(|study| study.comparisons.iter().map(move |comparison| (study, comparison)))
        .map(|(study, comparison)| Member {
            problem: &study.problem,
            names: comparison.predicted.iter().map(|one| short(&one.variant)).collect(),
            comparison,
        })
        .collect();
    let members = largest_set(members);
    let different: BTreeSet<&str> = members.iter().map(|one| one.problem).collect();
    if different.len() < 2 {
        return None;
    }
    let names: Vec<String> = members[0]
        .names
        .iter()
        .filter(|name| members.iter().all(|m| m.names.contains(name)))
        .cloned()
        .collect();
    let base = short(&members[0].comparison.base);
    let base = if names.contains(&base) { base } else { names.first()?.clone() };
    rank(&members, names, base)
}

/// Returns the members that share at least two names with the first that has company. Members without one of its
/// names are skipped.
fn largest_set(members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    let shares =
        |one: &Member<'_>, names: &[String]| names.iter().all(|name| one.names.contains(name));
    // The names that the most members have together, of those of one member; the first of equals.
    let mut best: (usize, Vec<String>) = (0, Vec::new());
    for member in &members {
        let common: Vec<String> = member
            .names
            .iter()
            .filter(|name| member.names.iter().filter(|other| other == name).count() == 1)
            .cloned()
            .collect();
        let count = members.iter().filter(|other| shares(other, &common)).count();
        if common.len() >= 2 && count > best.0 {
            best = (count, common);
        }
    }
    let (_, names) = best;
    let has_all = |one: &Member<'_>| names.len() >= 2 && shares(one, &names);
    members.into_iter().filter(has_all).collect()
}

/// All numbers of a ranking.
fn rank(members: &[Member<'_>], names: Vec<String>, base: String) -> Option<SetRanking> {
    let of = |member: &Member<'_>, name: &str| -> usize {
        member.names.iter().position(|own| own == name).unwrap_or(0)
    };
    let joined: Vec<(Vec<f64>, Vec<f64>)> = names
        .iter()
        .map(|name| {
            let parts = members.iter().map(|m| &m.comparison.predicted[of(m, name)]);
            parts.fold((Vec::new(), Vec::new()), |mut all, part| {
                all.0.extend(&part.measured);
                all.1.extend(&part.predicted);
                all
            })
        })
        .collect();
    let programs: Vec<Modelled<'_>> =
        joined.iter().map(|(measured, predicted)| Modelled { measured, predicted }).collect();
    let found = transparency(&programs, SEED).ok()?;
    let mut variants: Vec<RankedInSet> = names
        .iter()
        .zip(&found)
        .map(|(name, found)| {
            let speedups = members.iter().map(|m| {
                let own = &m.comparison.variants[of(m, name)].speedup_geometric_mean;
                let bases = &m.comparison.variants[of(m, &base)].speedup_geometric_mean;
                ratio(own.as_ref(), bases.as_ref())
            });
            let speedup = if *name == base { None } else { geometric_mean(speedups.collect()) };
            let variant = name.clone();
            RankedInSet { variant, pc_a: found.pc_a.into(), lowest: found.lowest, speedup }
        })
        .collect();
    variants.sort_by(|a, b| a.pc_a.value.total_cmp(&b.pc_a.value));
    let sentences = vec![said(&variants)];
    Some(SetRanking {
        problems: members.iter().map(of_set).collect(),
        configurations: joined.first().map_or(0, |(measured, _)| measured.len()),
        base,
        variants,
        sentences,
    })
}

fn of_set(member: &Member<'_>) -> OfSet {
    let first = member.comparison.predicted.first();
    OfSet {
        problem: member.problem.to_owned(),
        sweep: member.comparison.sweep.clone(),
        model: member.comparison.simplest.to_owned(),
        configurations: first.map_or(0, |one| one.measured.len()),
    }
}

/// The last part of a variant's name, with its system: `imsuite::bf::clocked @ alone` is `clocked @ alone`.
fn short(variant: &str) -> String {
    let last = function_of(variant).rsplit("::").next().unwrap_or_default();
    system_of(variant).map_or_else(|| last.to_owned(), |system| format!("{last} @ {system}"))
}

/// The speedup over another base than that of its comparison, both of which are speedups over that; 1 for what has none.
fn ratio(own: Option<&Number>, base: Option<&Number>) -> Option<Estimate> {
    match (own, base) {
        (Some(own), None) => Some(estimate(own)),
        // Of two speedups over a third the covariance is not kept, so that no u is claimed.
        (Some(own), Some(base)) => {
            Some(Estimate { value: own.value / base.value, u: None, degrees_of_freedom: None })
        }
        (None, _) => None,
    }
}

fn estimate(number: &Number) -> Estimate {
    Estimate { value: number.value, u: number.u, degrees_of_freedom: number.degrees_of_freedom }
}

/// The geometric mean of speedups of different problems, which are independent of each other.
fn geometric_mean(speedups: Vec<Option<Estimate>>) -> Option<Number> {
    let speedups: Vec<Estimate> = speedups.into_iter().collect::<Option<_>>()?;
    let count = speedups.len() as f64;
    let value = (speedups.iter().map(|one| one.value.ln()).sum::<f64>() / count).exp();
    let squares: Option<Vec<f64>> =
        speedups.iter().map(|one| one.u.map(|u| (u / one.value).powi(2))).collect();
    let u = squares.map(|squares| value * squares.iter().sum::<f64>().sqrt() / count);
    Some(Estimate { value, u, degrees_of_freedom: None }.into())
}

fn said(variants: &[RankedInSet]) -> String {
    let one = |one: &RankedInSet| in_order(&one.variant, &one.pc_a, one.lowest);
    let order: Vec<String> = variants.iter().map(one).collect();
    format!("the most transparent over the set first: {}", order.join("; "))
}
