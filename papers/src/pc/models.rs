//! How the four models fare: the order of their PC, and what model 3 was fitted to.

use plusminus::text::{
    number::{percent, significant, time},
    visible,
};

use super::{
    super::beside::{Found, UNEXPLAINED, fares, ratio},
    each, model,
};
use cargo_plusminus::study::apex::ApexSweep;

/// Sizes that the paper found for c.
const CAPACITIES: [f64; 2] = [256.0 * 1024.0, 2.0 * 1024.0 * 1024.0];

fn complexity(sweep: &ApexSweep, wanted: usize) -> Option<f64> {
    model(sweep, wanted).map(|model| model.pc.pc_a)
}

/// Whether PC falls from model to model as in the text, and by which factors.
pub(super) fn order(sweeps: &[&ApexSweep]) -> Found {
    let all: Vec<[f64; 4]> = sweeps
        .iter()
        .filter_map(|sweep| {
            let of = |wanted| complexity(sweep, wanted);
            Some([of(0)?, of(1)?, of(2)?, of(3)?])
        })
        .collect();
    let count = |holds: fn(&[f64; 4]) -> bool| all.iter().filter(|pc| holds(pc)).count();
    let (first, second) = (count(|pc| pc[1] <= pc[0]), count(|pc| pc[2] < pc[1]));
    let third = count(|pc| pc[..3].iter().all(|other| pc[3] < *other));
    let mut said = fares(first + second + third, 3 * all.len(), "statements on the order hold");
    if !all.is_empty() {
        said.push_str(&format!(
            " Model 1 is below model 0 in {first}, model 2 below model 1 in {second}, model 3 the lowest in {third} of {} sweeps",
            all.len()
        ));
        let steps = [(0, 1), (1, 2), (2, 3)]
            .map(|(a, b)| ratio(all.iter().map(|pc| pc[a] / pc[b])).unwrap_or_default());
        said.push_str(&format!(
            "; from one to the next PC falls by {}, {} and {}.",
            steps[0], steps[1], steps[2]
        ));
    }
    let here = each(sweeps, |sweep| {
        let all: Vec<String> =
            sweep.models.iter().map(|model| significant(model.pc.pc_a, 3)).collect();
        (!all.is_empty()).then(|| all.join(", "))
    });
    Found { here, ratio: None, said }
}

/// Compares the fitted c with the two of the paper.
pub(super) fn capacity(sweeps: &[&ApexSweep]) -> Found {
    let of = |sweep: &ApexSweep| model(sweep, 3)?.capacity_bytes;
    let all: Vec<f64> = sweeps.iter().filter_map(|sweep| of(sweep)).collect();
    let nearest = |bytes: f64| {
        let over = CAPACITIES.map(|paper| bytes / paper);
        if over[0].ln().abs() <= over[1].ln().abs() { over[0] } else { over[1] }
    };
    let near = all.iter().filter(|c| nearest(**c).ln().abs() <= 2.0_f64.ln()).count();
    let bound = sweeps.iter().filter_map(|sweep| model(sweep, 3)).filter(|m| m.capacity_at_bound);
    let mut said =
        fares(near, all.len(), "sweeps have a c within a factor of 2 of one of the paper's");
    let bound = bound.count();
    if near + bound < all.len() {
        said.push_str(&format!(" {UNEXPLAINED}"));
    }
    match bound {
        0 => {}
        some => said.push_str(&format!(
            " {some} of {} lie at a bound of what was tried: no single c describes the times better.",
            all.len()
        )),
    }
    Found {
        here: each(sweeps, |sweep| {
            let kib = significant(of(sweep)? / 1024.0, 3);
            let at_bound = model(sweep, 3)?.capacity_at_bound;
            Some(format!("{kib} KiB{}", if at_bound { " (the bound)" } else { "" }))
        }),
        ratio: ratio(all.iter().map(|c| nearest(*c))),
        said,
    }
}

/// The fitted latencies and gaps, and whether micro-kernels of the same record agree with them.
pub(super) fn coefficients(sweeps: &[&ApexSweep]) -> Found {
    let checks = || sweeps.iter().flat_map(|sweep| &sweep.plausibility);
    let mut said = "No numbers to compare.".to_owned();
    if checks().count() > 0 {
        let plausible = checks().filter(|check| check.within_factor_two).count();
        let off = checks().filter(|check| !check.within_factor_two).map(|check| {
            let factor = significant(check.fitted_ns / check.calibrated_ns, 2);
            format!("{} is {factor} times {}", check.coefficient, visible(&check.measure))
        });
        let off: Vec<String> = off.collect();
        said.push_str(&format!(
            " {plausible} of {} fitted values lie within a factor of 2 of micro-kernels of the same record{}{}.",
            checks().count(),
            if off.is_empty() { "" } else { "; " },
            off.join("; ")
        ));
    }
    let here = each(sweeps, |sweep| {
        let coefficients = &model(sweep, 3)?.coefficients;
        let each = coefficients
            .iter()
            .map(|one| format!("{} {}", visible(&one.name), time(one.number.value)));
        Some(each.collect::<Vec<_>>().join(", "))
    });
    Found { here, ratio: None, said }
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

/// Where model 3 is off most.
pub(super) fn residuals(sweeps: &[&ApexSweep]) -> Found {
    const NAMES: [&str; 3] = ["small", "medium", "large"];
    let largest = |means: &[f64; 3]| {
        (0..3).max_by(|a, b| means[*a].total_cmp(&means[*b])).map_or("no", |third| NAMES[third])
    };
    let all: Vec<(&ApexSweep, [f64; 3])> =
        sweeps.iter().filter_map(|sweep| Some((*sweep, by_length(sweep)?))).collect();
    let medium = all.iter().filter(|(_, means)| largest(means) == "medium").count();
    let mut said =
        fares(medium, all.len(), "sweeps have their largest residuals at medium L, as the Itanium");
    let thirds = all.iter().map(|(sweep, means)| {
        let [small, medium, large] = means.map(|mean| percent(mean.sqrt()));
        format!("{}: {small}, {medium}, {large}", super::name(sweep))
    });
    let thirds: Vec<String> = thirds.collect();
    if !thirds.is_empty() {
        said.push_str(&format!(
            " Root mean squares of ln(measured/model) at small, medium and large L: {}.",
            thirds.join("; ")
        ));
    }
    let here = each(sweeps, |sweep| {
        let model = model(sweep, 3)?;
        let pairs = sweep.configurations.iter().zip(&model.residuals);
        let (at, residual) = pairs.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        Some(format!(
            "× {} at α = {}, L = {}",
            significant(residual.exp(), 3),
            significant(at.alpha, 2),
            at.block_words
        ))
    });
    Found { here, ratio: None, said }
}

/// Whether messages have a higher PC than arrays that are shared, at each point.
pub(super) fn styles(sweeps: &[&ApexSweep]) -> Found {
    let is_message = |sweep: &ApexSweep| sweep.variant.ends_with("message");
    let pairs: Vec<(f64, f64)> = sweeps
        .iter()
        .filter(|sweep| is_message(sweep))
        .flat_map(|message| {
            let others = sweeps
                .iter()
                .filter(move |other| other.point == message.point && !is_message(other));
            others.filter_map(|other| Some((complexity(message, 3)?, complexity(other, 3)?)))
        })
        .collect();
    let higher = pairs.iter().filter(|(message, other)| message > other).count();
    let ratios = ratio(pairs.iter().map(|(message, other)| message / other));
    Found {
        here: ratios.map(|range| {
            format!("PC_a of messages is {range} that of shared arrays and copied blocks")
        }),
        ratio: None,
        said: fares(higher, pairs.len(), "comparisons at a point have the higher PC for messages"),
    }
}
