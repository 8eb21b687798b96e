//! Speedups of Δ-stepping over KLA, and the claims of the paper about its figures 5, 7 and 9.

use std::collections::{BTreeMap, BTreeSet};

use plusminus::text::{
    number::{significant, with_uncertainty},
    visible,
};

use super::{
    super::beside::{Found, UNEXPLAINED, fares, geometric_mean, range, ratio},
    MESSAGES, TASKS, listed, runtime_of,
};
use cargo_plusminus::study::document::RunWise;

/// The claims of the paper's text about the speedups of a figure.
pub(super) struct Printed {
    pub(super) middle: f64,
    pub(super) reach: f64,
    /// The range of single runs.
    pub(super) runs: Option<(f64, f64)>,
}

/// A change by less than this factor is no trend.
const TREND: f64 = 1.25;

fn over(table: &RunWise) -> Option<f64> {
    table.over_runs.as_ref().map(|number| number.value).filter(|value| *value > 0.0)
}

/// The speedups of a figure.
pub(super) fn beside(tables: &[&RunWise], all: &[&RunWise], printed: &Printed) -> Found {
    let values: Vec<f64> = tables.iter().filter_map(|table| over(table)).collect();
    if values.is_empty() {
        return Found { said: missing(all), ..Found::default() };
    }
    let is_within = |value: &&f64| (**value - printed.middle).abs() <= printed.reach;
    let within = values.iter().filter(is_within).count();
    let what = format!("points lie within {} ± {}", printed.middle, printed.reach);
    let mut said = vec![fares(within, values.len(), &what)];
    if let Some((low, high)) = printed.runs {
        let runs = || tables.iter().flat_map(|table| &table.runs).map(|run| run.speedup.value);
        let within = runs().filter(|value| (low..=high).contains(value)).count();
        said.push(format!(
            "Of single runs {within} of {} lie within {low} to {high}.",
            runs().count()
        ));
    }
    let faster = values.iter().filter(|value| **value > 1.0).count();
    said.push(format!(
        "Δ-stepping is the faster one at {faster} of {} points, in the paper at all.",
        values.len()
    ));
    let trend = trend(tables);
    said.extend(trend.as_ref().map(|trend| trend.words.clone()));
    if within < values.len() {
        let mut reasons: Vec<String> = filter(tables, all).into_iter().collect();
        if let Some(trend) = trend.filter(|trend| trend.factor.ln().abs() > TREND.ln()) {
            let what = if trend.both {
                "Scale and processors, which grow together in these records and cannot be separated, account"
            } else {
                "The scale accounts"
            };
            let factor = significant(trend.factor.max(1.0 / trend.factor), 2);
            reasons.push(format!("{what} for a factor of {factor} within these records."));
        }
        if reasons.is_empty() {
            reasons.push(UNEXPLAINED.to_owned());
        }
        said.extend(reasons);
    }
    Found {
        here: here(tables),
        ratio: ratio(values.iter().map(|value| value / printed.middle)),
        said: said.join(" "),
    }
}

fn missing(all: &[&RunWise]) -> String {
    let kinds: BTreeSet<String> =
        all.iter().map(|table| visible(&table.variant).to_string()).collect();
    format!("These records compare {}.", listed(kinds))
}

/// `scale 14, p = 1: 1.78 ± 0.03; …`, and the range of S of single runs.
fn here(tables: &[&RunWise]) -> Option<String> {
    let each = tables.iter().filter_map(|table| {
        let over = table.over_runs.as_ref()?;
        let scale = table.scale.map_or_else(|| visible(&table.point), |scale| scale.to_string());
        let s = with_uncertainty(over.value, over.u);
        Some(format!("scale {scale}, p = {}: {s}", table.processors))
    });
    let each: Vec<String> = each.collect();
    let runs = tables.iter().flat_map(|table| &table.runs).map(|run| run.speedup.value);
    let (low, high) = range(runs)?;
    Some(format!(
        "{}; single runs {} to {}",
        each.join("; "),
        significant(low, 3),
        significant(high, 3)
    ))
}

/// How S changes over scales.
struct Trend {
    /// S at the last point over S at the first.
    factor: f64,
    words: String,
    /// Whether the processors grow with the scale, so that their effects are inseparable.
    both: bool,
}

/// S at the largest scale over S at the smallest: on the processors that have most scales, or along weak scaling where each
/// scale has processors of its own.
fn trend(tables: &[&RunWise]) -> Option<Trend> {
    let mut points: Vec<(usize, u32, f64)> = tables
        .iter()
        .filter_map(|table| Some((table.processors, table.scale?, over(table)?)))
        .collect();
    points.sort_by_key(|point| (point.1, point.0));
    let mut lines: BTreeMap<usize, Vec<(usize, u32, f64)>> = BTreeMap::new();
    for point in &points {
        lines.entry(point.0).or_default().push(*point);
    }
    let longest = lines.into_values().max_by_key(Vec::len)?;
    let both = longest.len() < 2;
    let line = if both { points } else { longest };
    let (first, last) = (line.first()?, line.last()?);
    (first.1 < last.1).then(|| {
        let factor = last.2 / first.2;
        let word = match factor {
            f if f > TREND => "grows",
            f if f < 1.0 / TREND => "falls",
            _ => "stays, as in the paper,",
        };
        let [from, to] = [first, last]
            .map(|(p, scale, s)| format!("{} at scale {scale} on p = {p}", significant(*s, 3)));
        let words = format!("It {word} from {from} to {to}; by the paper, it settles.");
        Trend { factor, words, both }
    })
}

/// Returns the effect of filtering on S, for points that were measured with it and without it on the same runtime.
fn filter(tables: &[&RunWise], all: &[&RunWise]) -> Option<String> {
    let other = |name: &str| match () {
        () if name.contains("literal") => Some(name.replace("literal", "filtered")),
        () if name.contains("filtered") => Some(name.replace("filtered", "literal")),
        () => None,
    };
    let ratios: Vec<f64> = tables
        .iter()
        .filter_map(|table| {
            let wanted = other(&table.variant)?;
            let found = all.iter().find(|o| o.variant == wanted && o.point == table.point)?;
            let (literal, filtered) = if wanted.contains("literal") {
                (over(found)?, over(table)?)
            } else {
                (over(table)?, over(found)?)
            };
            Some(filtered / literal)
        })
        .collect();
    let mean = geometric_mean(&ratios)?;
    Some(format!(
        "Filtering accounts for a factor of {}: on the same runtime S with it is that much of S without it ({} points).",
        significant(mean, 2),
        ratios.len()
    ))
}

/// S of both weights at the same scale and processors.
pub(super) fn weights(pairs: &[&RunWise]) -> Found {
    let ratios: Vec<f64> = pairs
        .iter()
        .filter(|table| table.max_weight == Some(100))
        .filter_map(|light| {
            let same = |heavy: &&&RunWise| {
                heavy.max_weight == Some(255)
                    && heavy.scale == light.scale
                    && heavy.processors == light.processors
                    && heavy.variant == light.variant
            };
            Some(over(light)? / over(pairs.iter().find(same)?)?)
        })
        .collect();
    let near = ratios.iter().filter(|r| r.ln().abs() <= TREND.ln()).count();
    Found {
        here: ratio(ratios.iter().copied())
            .map(|range| format!("S of weights to 100 is {range} S of weights to 255")),
        ratio: None,
        said: fares(near, ratios.len(), &format!("points differ by less than a factor of {TREND}")),
    }
}

/// S on tasks over S on messages.
pub(super) fn runtimes(tasks: &[&RunWise], messages: &[&RunWise]) -> Found {
    let ratios: Vec<f64> = tasks
        .iter()
        .filter_map(|one| {
            let other = messages.iter().find(|other| other.point == one.point)?;
            Some(over(one)? / over(other)?)
        })
        .collect();
    let Some(mean) = geometric_mean(&ratios) else {
        return Found { said: "Nothing in these records tells.".to_owned(), ..Found::default() };
    };
    let larger = ratios.iter().filter(|ratio| **ratio > 1.0).count();
    Found {
        here: ratio(ratios.iter().copied()),
        ratio: ratio([mean / 3.0]),
        said: format!(
            "{} In the geometric mean it is {} here, and 3 in the paper.",
            fares(larger, ratios.len(), "points have the larger S on tasks"),
            significant(mean, 3)
        ),
    }
}

/// Compares times on messages with times on tasks, of both algorithms.
pub(super) fn faster_on_messages(pairs: &[&RunWise]) -> Found {
    let mean = |times: Vec<f64>| geometric_mean(&times);
    let sides = |table: &RunWise| {
        let base = mean(table.runs.iter().map(|run| run.base.time_ns.value).collect())?;
        let variant = mean(table.runs.iter().map(|run| run.variant.time_ns.value).collect())?;
        Some([base, variant])
    };
    let ratios: Vec<f64> = pairs
        .iter()
        .filter(|table| runtime_of(&table.variant) == TASKS)
        .filter_map(|tasks| {
            let same = |o: &&&RunWise| runtime_of(&o.variant) == MESSAGES && o.point == tasks.point;
            let (a, b) = sides(tasks).zip(sides(pairs.iter().find(same)?))?;
            Some([a[0] / b[0], a[1] / b[1]])
        })
        .flatten()
        .collect();
    let faster = ratios.iter().filter(|ratio| **ratio > 1.0).count();
    Found {
        here: ratio(ratios.iter().copied())
            .map(|range| format!("the time on tasks is {range} that on messages")),
        ratio: None,
        said: fares(
            faster,
            ratios.len(),
            "times (of KLA and of Δ-stepping) are shorter on messages",
        ),
    }
}
