//! The range of the sweep, and the orders of magnitude of its times.

use std::collections::BTreeSet;

use plusminus::text::number::{significant, time};

use super::{
    super::beside::{Found, UNEXPLAINED, fares, ratio},
    each, model,
};
use cargo_plusminus::study::apex::{ApexConfiguration, ApexSweep};

/// α, L and the memory of the paper's sweep.
const PAPER: (usize, usize, f64) = (10, 17, 512.0 * 1024.0 * 1024.0);

/// Bytes of a word.
const WORD: f64 = 8.0;

/// How many α and how many L a sweep has.
fn values(sweep: &ApexSweep) -> (usize, usize) {
    let alphas: BTreeSet<u64> =
        sweep.configurations.iter().map(|one| one.alpha.to_bits()).collect();
    let lengths: BTreeSet<usize> = sweep.configurations.iter().map(|one| one.block_words).collect();
    (alphas.len(), lengths.len())
}

fn bytes(sweep: &ApexSweep) -> f64 {
    sweep.memory_words as f64 * WORD
}

/// Compares the sweep with the paper's.
pub(super) fn swept(sweeps: &[&ApexSweep]) -> Found {
    let same = |sweep: &&&ApexSweep| values(sweep) == (PAPER.0, PAPER.1);
    let memory = |sweep: &&&ApexSweep| bytes(sweep) == PAPER.2;
    let all = sweeps.len();
    let mut said = fares(sweeps.iter().filter(same).count(), all, "sweeps have as many α and L");
    let as_large = sweeps.iter().filter(memory).count();
    if all > 0 {
        said.push_str(&format!(" {as_large} of {all} have the paper's memory."));
    }
    Found {
        here: each(sweeps, |sweep| {
            let (alphas, lengths) = values(sweep);
            Some(format!(
                "{alphas} α × {lengths} L, {} MiB",
                significant(bytes(sweep) / 1024.0 / 1024.0, 3)
            ))
        }),
        ratio: ratio(
            sweeps
                .iter()
                .map(|sweep| sweep.configurations.len() as f64 / (PAPER.0 * PAPER.1) as f64),
        ),
        said,
    }
}

fn ends(sweep: &ApexSweep) -> Option<(&ApexConfiguration, &ApexConfiguration)> {
    let by = |a: &&ApexConfiguration, b: &&ApexConfiguration| a.access_ns.total_cmp(&b.access_ns);
    sweep.configurations.iter().min_by(by).zip(sweep.configurations.iter().max_by(by))
}

fn of(sweep: &ApexSweep) -> Option<f64> {
    ends(sweep).map(|(low, high)| (high.access_ns / low.access_ns).log10())
}

fn place(at: &ApexConfiguration) -> String {
    format!("{} at α = {}, L = {}", time(at.access_ns), significant(at.alpha, 2), at.block_words)
}

/// Compares the orders of magnitude from the fastest to the slowest access with the paper's.
pub(super) fn orders(sweeps: &[&ApexSweep], paper: f64) -> Found {
    let all: Vec<f64> = sweeps.iter().filter_map(|sweep| of(sweep)).collect();
    let near = all.iter().filter(|orders| (**orders - paper).abs() <= 0.5).count();
    let mut said = fares(
        near,
        all.len(),
        &format!("sweeps range over {paper} orders, give or take half of one"),
    );
    if near < all.len() {
        said.push_str(&format!(" {}", reason(sweeps)));
    }
    let here = each(sweeps, |sweep| {
        let (low, high) = ends(sweep)?;
        Some(format!("{:.1} orders ({} to {})", of(sweep)?, place(low), place(high)))
    });
    Found { here, ratio: ratio(all.iter().map(|orders| orders / paper)), said }
}

/// How much each locality makes of the range in the sweep that has the largest, by the fitted latencies.
fn reason(sweeps: &[&ApexSweep]) -> String {
    let far = |sweep: &&&ApexSweep| {
        let all = &model(sweep, 3)?.coefficients;
        let latency = |end: &str| {
            let latencies = all.iter().filter(|one| one.name.starts_with('l'));
            latencies.into_iter().find(|one| one.name.ends_with(end)).map(|one| one.number.value)
        };
        Some(latency("₂")? / latency("₁")?).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
    };
    match sweeps.iter().filter_map(|sweep| far(&sweep)).fold(0.0, f64::max) {
        0.0 => UNEXPLAINED.to_owned(),
        most => format!(
            "By the fitted latencies what is far takes at most {} times as long to reach as what is near ({:.1} orders), and L does the rest: \
             nothing here crosses a network.",
            significant(most, 2),
            most.log10()
        ),
    }
}
