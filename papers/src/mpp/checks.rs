//! The document's claims about every parallel system, checked on the measured times.

use plusminus::text::{
    number::{significant, time},
    visible,
};

use super::laws::Line;
use cargo_plusminus::study::document::ScalingRow;

/// A count of those of which something holds, as words; `None` of none.
pub(super) fn count<T>(all: &[T], what: &str, holds: impl Fn(&T) -> bool) -> Option<String> {
    let of = all.iter().filter(|one| holds(one)).count();
    (!all.is_empty()).then(|| format!("{of} of {} {what}", all.len()))
}

/// The smallest and the largest of some values, each with its name.
pub(super) fn extremes(values: Vec<(f64, String)>) -> Option<String> {
    let low = values.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let high = values.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let said = |of: &(f64, String)| format!("{} ({})", significant(of.0, 3), of.1);
    Some(format!("{} to {}", said(low), said(high)))
}

pub(super) fn place(row: &ScalingRow) -> String {
    match row.n {
        Some(n) => format!("n = {n}, p = {}", row.p),
        None => format!("{}, p = {}", visible(&row.point), row.p),
    }
}

/// T(n, 1)/ω of each size.
pub(super) fn of_one(rows: &[&ScalingRow]) -> Vec<(f64, String)> {
    let ones = rows.iter().filter(|row| row.p == 1);
    ones.filter_map(|row| Some((1.0 / row.speedup_real.as_ref()?.value, place(row)))).collect()
}

pub(super) fn one_processor(rows: &[&ScalingRow]) -> Option<String> {
    extremes(of_one(rows)).map(|range| format!("T(n, 1)/ω = {range}"))
}

/// Of those whose T(n, 1) is below ω: whether the uncertainty explains it.
pub(super) fn why_one(rows: &[&ScalingRow]) -> String {
    let below = |row: &&&ScalingRow| {
        row.p == 1
            && row
                .speedup_real
                .as_ref()
                .is_some_and(|real| real.low_95.is_some_and(|low| low > 1.0))
    };
    match rows.iter().filter(below).count() {
        0 if of_one(rows).is_empty() => "There is no sequential reference in these records.".to_owned(),
        0 => "No parallel variant is proven to be faster on one processor than the sequential one (95 %).".to_owned(),
        more => format!("At {more} of them the parallel variant is proven to be faster on one processor: ω is not the best sequential time there."),
    }
}

pub(super) fn several<'a>(rows: &[&'a ScalingRow]) -> Vec<&'a ScalingRow> {
    rows.iter().filter(|row| row.p > 1 && row.speedup_real.is_some()).copied().collect()
}

pub(super) fn real(rows: &[&ScalingRow]) -> Option<String> {
    let several = several(rows);
    let values = several.iter().filter_map(|row| {
        let real = row.speedup_real.as_ref()?;
        Some((
            real.value,
            format!("± {}, {}", significant(real.u.unwrap_or(f64::NAN), 2), place(row)),
        ))
    });
    let range = extremes(values.collect())?;
    let within = count(&several, "points within [1, p]", |row| {
        row.speedup_real.as_ref().is_some_and(|s| (1.0..=row.p as f64).contains(&s.value))
    })?;
    Some(format!("{within}; S = {range}"))
}

/// Where speedups are below 1: how the overhead compares with the work.
pub(super) fn why_real(rows: &[&ScalingRow]) -> String {
    let several = several(rows);
    let slow: Vec<&&ScalingRow> = several
        .iter()
        .filter(|row| row.speedup_real.as_ref().is_some_and(|s| s.value < 1.0))
        .collect();
    let superlinear = several.iter().filter(|row| row.superlinear).count();
    let mut said = match slow
        .iter()
        .max_by(|a, b| a.n.unwrap_or(0.0).total_cmp(&b.n.unwrap_or(0.0)))
    {
        None => "No point is below 1: the overhead is at most p − 1 times the work.".to_owned(),
        Some(largest) => {
            let share = largest.efficiency.as_ref().map_or(f64::NAN, |e| 1.0 / e.value - 1.0);
            format!(
                "{} below 1: the overhead is more than p − 1 times the work there, {} times it at {}.",
                slow.len(),
                significant(share, 2),
                place(largest)
            )
        }
    };
    if superlinear > 0 {
        said.push_str(&format!(" {superlinear} above p."));
    }
    said
}

pub(super) fn relative(rows: &[&ScalingRow]) -> Option<String> {
    let both: Vec<f64> = rows
        .iter()
        .filter(|row| row.p > 1)
        .filter_map(|row| {
            Some(row.speedup_relative.as_ref()?.value / row.speedup_real.as_ref()?.value)
        })
        .collect();
    let above = count(&both, "points above the real one", |ratio| *ratio > 1.0)?;
    let mean = (both.iter().map(|ratio| ratio.ln()).sum::<f64>() / both.len() as f64).exp();
    Some(format!("{above}; relative/real is {} in the geometric mean", significant(mean, 3)))
}

pub(super) fn why_relative(rows: &[&ScalingRow]) -> String {
    let all = of_one(rows);
    match all.iter().map(|(ratio, _)| ratio).fold(0.0_f64, |a, b| a.max(*b)) {
        0.0 => "There is no sequential reference in these records.".to_owned(),
        largest if largest < 1.05 => format!(
            "The parallel variant on one processor takes at most {} times as long as the sequential one, so the two are nearly the same.",
            significant(largest, 3)
        ),
        largest => {
            format!("The ratio of the two is T(n, 1)/ω: up to {} here.", significant(largest, 3))
        }
    }
}

/// T_o of the next number of processors over that of the one before, where both are positive.
pub(super) fn growths(lines: &[Line<'_>]) -> Vec<(f64, f64)> {
    let pairs = lines.iter().flat_map(|line| line.rows.windows(2));
    pairs
        .filter_map(|pair| {
            let (before, after) =
                (pair[0].overhead_ns.as_ref()?.value, pair[1].overhead_ns.as_ref()?.value);
            (before > 0.0 && after > 0.0)
                .then(|| (after / before, pair[1].p as f64 / pair[0].p as f64))
        })
        .collect()
}

pub(super) fn overheads(lines: &[Line<'_>]) -> Option<String> {
    let linear =
        count(&growths(lines), "steps grow by the factor of p or more", |(growth, factor)| {
            growth >= factor
        })?;
    let last = lines.iter().flat_map(|line| line.rows.last());
    let values = last.filter_map(|row| {
        let overhead = row.overhead_ns.as_ref()?.value;
        Some((
            overhead,
            format!(
                "{}{} ({})",
                if overhead < 0.0 { "−" } else { "" },
                time(overhead.abs()),
                place(row)
            ),
        ))
    });
    let values: Vec<(f64, String)> = values.collect();
    let low = values.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let high = values.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("{linear}; T_o = {} to {}", low.1, high.1))
}

pub(super) fn why_overheads(lines: &[Line<'_>]) -> String {
    let last: Vec<&&ScalingRow> = lines.iter().filter_map(|line| line.rows.last()).collect();
    let of = |row: &&ScalingRow| row.overhead_ns.as_ref().map(|to| to.value).filter(|to| *to > 0.0);
    let (Some(first), Some(end)) =
        (last.iter().find_map(|row| of(row)), last.iter().rev().find_map(|row| of(row)))
    else {
        return "No overhead is above 0.".to_owned();
    };
    let sizes = last.iter().filter_map(|row| row.n);
    let (low, high) = sizes.fold((f64::MAX, 0.0_f64), |(low, high), n| (low.min(n), high.max(n)));
    if high > low {
        format!(
            "From the smallest to the largest size n grows {} times and the overhead {} times.",
            significant(high / low, 3),
            significant(end / first, 3)
        )
    } else {
        "One size: nothing is known about how the overhead depends on the size.".to_owned()
    }
}

/// Efficiencies of neighbors: that of fewer processors over that of more, and its σ.
pub(super) fn pairs(lines: &[Line<'_>]) -> Vec<(f64, f64)> {
    let pairs = lines.iter().flat_map(|line| line.rows.windows(2));
    pairs
        .filter_map(|pair| {
            let (few, many) = (pair[0].efficiency.as_ref()?, pair[1].efficiency.as_ref()?);
            let u = few.u.unwrap_or(0.0).hypot(many.u.unwrap_or(0.0));
            Some((few.value - many.value, u))
        })
        .collect()
}

pub(super) fn lemma(lines: &[Line<'_>]) -> Option<String> {
    count(&pairs(lines), "pairs of neighbors keep it", |(difference, _)| *difference >= 0.0)
}

pub(super) fn why_lemma(lines: &[Line<'_>]) -> String {
    let all = pairs(lines);
    let broken: Vec<&(f64, f64)> = all.iter().filter(|(difference, _)| *difference < 0.0).collect();
    let beyond = broken.iter().filter(|(difference, u)| -difference > 2.0 * u).count();
    match (broken.len(), beyond) {
        (0, _) => "No pair contradicts it.".to_owned(),
        (some, 0) => format!("The {some} others are within 2 σ of it."),
        (some, beyond) => format!(
            "Of the {some} others {beyond} are beyond 2 σ. The lemma assumes that fewer processors can do the same steps one after another at no extra cost."
        ),
    }
}
