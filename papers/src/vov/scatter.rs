//! The scatter of times and speedups, and the claims of the paper: runs that agree, error bars, RSU.

use plusminus::text::{
    number::{percent, significant},
    visible,
};

use super::super::beside::{Found, fares, range, ratio};
use cargo_plusminus::study::document::{Run, RunWise};

fn runs<'a>(tables: &[&'a RunWise]) -> Vec<&'a Run> {
    tables.iter().flat_map(|table| &table.runs).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Whether S of each run lies within σ of the others, and why not.
pub(super) fn agreement(tables: &[&RunWise]) -> Found {
    let pairs: usize = tables.iter().map(|table| table.pairs).sum();
    let within: usize = tables.iter().map(|table| table.pairs_within_sigma).sum();
    let mut said = fares(within, pairs, "pairs of runs lie within σ of each other");
    if let Some((between, inside)) = scatter(tables).filter(|_| within < pairs) {
        let word = if between > inside {
            "so that processes differ by more than their instances say"
        } else {
            "so that chance alone keeps some apart"
        };
        said.push_str(&format!(
            " S of runs scatters by {}, its σ from instances is {} in the mean, {word}.",
            percent(between),
            percent(inside)
        ));
    }
    Found {
        here: (pairs > 0).then(|| format!("{within} of {pairs} pairs of runs")),
        ratio: (pairs > 0).then(|| ratio([within as f64 / pairs as f64])).flatten(),
        said,
    }
}

/// The standard deviation of S between runs, and the mean σ of a run, as shares of S.
fn scatter(tables: &[&RunWise]) -> Option<(f64, f64)> {
    let (mut between, mut inside) = (Vec::new(), Vec::new());
    for table in tables.iter().filter(|table| table.runs.len() > 1) {
        let values: Vec<f64> = table.runs.iter().map(|run| run.speedup.value).collect();
        let center = mean(&values)?;
        let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
        between.push((squares / (values.len() - 1) as f64).sqrt() / center);
        inside.extend(table.runs.iter().filter_map(|run| Some(run.speedup.u? / run.speedup.value)));
    }
    mean(&between).zip(mean(&inside))
}

/// Whether standard deviations over instances are larger for KLA.
pub(super) fn error_bars(tables: &[&RunWise]) -> Found {
    let ratios: Vec<f64> = runs(tables)
        .iter()
        .filter_map(|run| Some(run.base.spread_ns? / run.variant.spread_ns?))
        .collect();
    let larger = ratios.iter().filter(|ratio| **ratio > 1.0).count();
    Found {
        here: ratio(ratios.iter().copied()).map(|range| format!("KLA's is {range} Δ-stepping's")),
        ratio: None,
        said: fares(
            larger,
            ratios.len(),
            "runs have the larger standard deviation of instances for KLA",
        ),
    }
}

/// The standard deviation of S over instances, as a share of S.
pub(super) fn variability(tables: &[&RunWise]) -> Found {
    let shares: Vec<f64> =
        runs(tables).iter().filter_map(|run| Some(run.spread? / run.speedup.value)).collect();
    let near = shares.iter().filter(|share| (0.4..=0.6).contains(*share)).count();
    let mut said = fares(near, shares.len(), "runs lie between 40 and 60 %");
    let sides = || {
        let all = runs(tables).into_iter();
        all.filter_map(|run| Some((run.base.cv?, run.variant.cv?)))
    };
    let of_kla = sides().filter(|(kla, delta)| kla > delta).count();
    said.push_str(&format!(
        " The larger part of it is KLA's in {of_kla} of {} runs. They are standard deviations of single instances, as the bars of the paper, and no \
         standard uncertainties.",
        sides().count()
    ));
    Found {
        here: range(shares.iter().copied())
            .map(|(low, high)| format!("{} to {}", percent(low), percent(high))),
        ratio: ratio(shares.iter().map(|share| share / 0.5)),
        said,
    }
}

/// The largest relative standard deviation of instances, and whose the largest of each point is.
pub(super) fn largest_rsu(tables: &[&RunWise]) -> Found {
    let sides = tables.iter().flat_map(|table| {
        table.runs.iter().flat_map(move |run| {
            [(&table.base, &run.base), (&table.variant, &run.variant)]
                .map(|(name, side)| (name, run.run, &table.point, side.cv))
        })
    });
    let known = sides.filter_map(|(name, run, point, cv)| Some((cv?, name, run, point)));
    let Some((cv, name, run, point)) = known.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return Found { said: "Nothing in these records tells.".to_owned(), ..Found::default() };
    };
    let largest = |of: fn(&Run) -> Option<f64>, table: &RunWise| {
        table.runs.iter().filter_map(of).fold(0.0, f64::max)
    };
    let of_kla = |table: &&&RunWise| {
        largest(|run| run.base.cv, table) > largest(|run| run.variant.cv, table)
    };
    Found {
        here: Some(format!(
            "{} ({}, {}, run {})",
            significant(cv, 2),
            visible(name),
            visible(point),
            run + 1
        )),
        ratio: ratio([cv / 0.5]),
        said: format!(
            "{} The paper's RSU is of single instances (standard deviation over mean), as it is here.",
            fares(
                tables.iter().filter(of_kla).count(),
                tables.len(),
                "comparisons have their largest RSU in a run of KLA"
            )
        ),
    }
}
