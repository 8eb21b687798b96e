//! "Performance Complexity": Apex-MAP under four models. The paper's bars are pictures, so its text is the reference.

mod figures;

use std::collections::BTreeSet;

use crate::fact::{Facts, Labels};
use cargo_plusminus::{
    pages::Section,
    study::{
        apex::{ApexModelOf, ApexSweep},
        document::Document,
    },
};
use plusminus_analysis::apex_map::{Access, ApexModel, fit_apex_map_with_capacities};

/// Sizes that the paper found for c.
const CAPACITIES: [f64; 2] = [256.0 * 1024.0, 2.0 * 1024.0 * 1024.0];

/// Bytes of a word.
const WORD: f64 = 8.0;

/// The facts of the records, and the figures of Apex-MAP.
pub(super) fn of(document: &Document) -> (Facts, Vec<Section>) {
    let figures = document.apex_map.as_ref().map(figures::sections);
    (facts(document), figures.unwrap_or_default())
}

/// The facts of the records.
pub(super) fn facts(document: &Document) -> Facts {
    let mut facts = Facts::default();
    let none = Vec::new();
    let sweeps = document.apex_map.as_ref().map_or(&none, |apex| &apex.sweeps);
    for sweep in sweeps {
        of_sweep(&mut facts, sweep, &labels(sweep));
    }
    styles(&mut facts, sweeps);
    facts
}

/// The labels of a sweep. The paper's styles: accesses element by element, blocks that are copied, and messages.
fn labels(sweep: &ApexSweep) -> Labels {
    let (function, system) = match sweep.variant.split_once(" @ ") {
        Some((function, system)) => (function, system),
        None => (&*sweep.variant, "this system"),
    };
    let name = function.rsplit("::").next().unwrap_or(function);
    // The second name of a style is that over ranks of MPI.
    let style = match name {
        "shared_array" | "element_by_element" => "element by element",
        "block_copy" | "one_sided" => "blocks",
        "message" | "two_sided" => "messages",
        _ => "loop",
    };
    let kind = if style == "loop" { "serial" } else { "parallel" };
    // On one processor every place of memory is its own, and no style has anything to reach.
    let p = sweep.point.split(',').find_map(|part| part.strip_prefix("p=")).unwrap_or("1");
    let mebibytes = sweep.memory_words as f64 * WORD / f64::from(1 << 20);
    [
        ("execution", kind),
        ("style", style),
        ("variant", name),
        ("memory", &format!("{mebibytes} MiB")),
        ("p", p),
        ("point", &sweep.point),
        ("system", system),
    ]
    .map(|(label, value)| (label, value.to_owned()))
    .to_vec()
}

fn model(sweep: &ApexSweep, wanted: usize) -> Option<&ApexModelOf> {
    sweep.models.iter().find(|model| model.model == wanted)
}

fn complexity(sweep: &ApexSweep, wanted: usize) -> Option<f64> {
    model(sweep, wanted).map(|model| model.pc.pc_a)
}

/// A latency or a gap of model 3, by how its name begins and ends.
fn coefficient(sweep: &ApexSweep, begin: char, end: char) -> Option<f64> {
    let all = &model(sweep, 3)?.coefficients;
    let own = all.iter().find(|one| one.name.starts_with(begin) && one.name.ends_with(end))?;
    Some(own.number.value).filter(|value| *value > 0.0)
}

fn of_sweep(facts: &mut Facts, sweep: &ApexSweep, own: &Labels) {
    let alphas: BTreeSet<u64> =
        sweep.configurations.iter().map(|one| one.alpha.to_bits()).collect();
    let lengths: BTreeSet<usize> = sweep.configurations.iter().map(|one| one.block_words).collect();
    facts.add("number of α", own, alphas.len() as f64);
    facts.add("number of L", own, lengths.len() as f64);
    facts.add("memory", own, sweep.memory_words as f64 * WORD);
    let times = || sweep.configurations.iter().map(|one| one.access_ns);
    let (low, high) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    facts.add("orders of magnitude of the times", own, (high / low).log10());
    let pc = |wanted| complexity(sweep, wanted);
    if let (Some(zero), Some(one), Some(two), Some(three)) = (pc(0), pc(1), pc(2), pc(3)) {
        facts.add("PC_a of model 1 over model 0", own, one / zero);
        facts.add("PC_a of model 2 over model 1", own, two / one);
        facts.add("PC_a of model 3 over the best other", own, three / zero.min(one).min(two));
    }
    if let Some(ratio) = by_capacities_of_the_paper(sweep) {
        facts.add("PC_a of model 3 with the paper's c over that with the fitted c", own, ratio);
    }
    if let Some(model) = model(sweep, 3)
        && let Some(c) = model.capacity_bytes
    {
        let over = CAPACITIES.map(|paper| c / paper);
        let nearest = if over[0].ln().abs() <= over[1].ln().abs() { over[0] } else { over[1] };
        let fitted = if model.capacity_at_bound { "at a bound of the search" } else { "within" };
        let mut labels = own.clone();
        labels.push(("c", fitted.to_owned()));
        facts.add("c of model 3 over the nearer of 256 kB and 2 MB", &labels, nearest);
    }
    for check in &sweep.plausibility {
        let mut labels = own.clone();
        labels.push(("coefficient", check.coefficient.to_owned()));
        let ratio = check.fitted_ns / check.calibrated_ns;
        facts.add("fitted coefficient over a micro-kernel's", &labels, ratio);
    }
    if let Some([small, medium, large]) = by_length(sweep) {
        let over = (medium / small.max(large)).sqrt();
        facts.add("residuals at medium L over the larger of the others", own, over);
        let [low, high] = [f64::min, f64::max].map(|of| of(small, of(medium, large)));
        facts.add("largest over smallest residuals by L", own, (high / low).sqrt());
    }
    if let Some(ratio) = coefficient(sweep, 'l', '₂').zip(coefficient(sweep, 'l', '₁')) {
        facts.add("l₂ over l₁ of model 3", own, ratio.0 / ratio.1);
    }
    if let Some(latency) = coefficient(sweep, 'l', '₂') {
        facts.add("remote latency", own, latency);
    }
    if let Some(ratio) = coefficient(sweep, 'g', '₂').zip(coefficient(sweep, 'l', '₂')) {
        facts.add("remote gap over remote latency", own, ratio.0 / ratio.1);
    }
}

/// PC_a of model 3 if c is the better of the paper's two, over that with the best c.
fn by_capacities_of_the_paper(sweep: &ApexSweep) -> Option<f64> {
    let memory = sweep.memory_words as f64;
    let accesses = sweep.configurations.iter().map(|one| Access {
        alpha: one.alpha,
        length: one.block_words as f64,
        memory,
    });
    let accesses: Vec<Access> = accesses.collect();
    let times: Vec<f64> = sweep.configurations.iter().map(|one| one.access_ns).collect();
    let words = CAPACITIES.map(|bytes| bytes / WORD);
    let fit = fit_apex_map_with_capacities(ApexModel::Combined, &accesses, &times, &words).ok()?;
    Some(fit.complexity.pc_a / complexity(sweep, 3)?)
}

/// Mean squared residuals of model 3 at small, medium and large L.
fn by_length(sweep: &ApexSweep) -> Option<[f64; 3]> {
    let residuals = &model(sweep, 3)?.residuals;
    let mut lengths: Vec<usize> = sweep.configurations.iter().map(|one| one.block_words).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let (mut sums, mut counts) = ([0.0; 3], [0.0; 3]);
    for (at, residual) in sweep.configurations.iter().zip(residuals) {
        let rank = lengths.binary_search(&at.block_words).ok()?;
        let third = 3 * rank / lengths.len();
        sums[third] += residual * residual;
        counts[third] += 1.0;
    }
    let means = [0, 1, 2].map(|third| sums[third] / counts[third]);
    (means.iter().all(|mean| mean.is_finite()) && lengths.len() > 2).then_some(means)
}

/// Styles against each other at the same point of the same system, under a model.
fn styles(facts: &mut Facts, sweeps: &[ApexSweep]) {
    for one in sweeps {
        let own = labels(one);
        let of = |name: &str, labels: &Labels| {
            labels.iter().find(|(label, _)| *label == name).map(|(_, value)| value.clone())
        };
        for other in sweeps {
            let others = labels(other);
            let same =
                ["execution", "point", "system"].iter().all(|l| of(l, &own) == of(l, &others));
            let styles = (of("style", &own), of("style", &others));
            let (Some(a), Some(b)) = styles else { continue };
            if !same || a == b || of("execution", &own).as_deref() != Some("parallel") {
                continue;
            }
            let labels = |more: Option<usize>| -> Labels {
                let of_own = |name| (name, of(name, &own).unwrap_or_default());
                let mut all = vec![
                    ("style", a.clone()),
                    ("other", b.clone()),
                    of_own("p"),
                    of_own("point"),
                    of_own("system"),
                ];
                all.extend(more.map(|model| ("model", model.to_string())));
                all
            };
            for wanted in 0..4 {
                if let Some((a, b)) = complexity(one, wanted).zip(complexity(other, wanted)) {
                    facts.add("PC_a of a style over that of another", &labels(Some(wanted)), a / b);
                }
            }
            for (quantity, begin) in [
                ("remote latency of a style over that of another", 'l'),
                ("remote gap of a style over that of another", 'g'),
            ] {
                let both = coefficient(one, begin, '₂').zip(coefficient(other, begin, '₂'));
                if let Some((a, b)) = both {
                    facts.add(quantity, &labels(None), a / b);
                }
            }
        }
    }
}
