//! The laws of all lines: of strong scaling at each size, of weak scaling along sizes that grow with p.

use plusminus::text::number::{significant, with_uncertainty};

use super::{
    Parallel,
    laws::{self, Law, Line},
    short,
};
use cargo_plusminus::{pages::plot::Plot, study::document::ScalingRow};

/// The laws of some lines: a range for the table, each by itself for a list, and the figures.
pub(super) struct Laws {
    /// Of each law, the line with the smallest share and the one with the largest; `None` without a law.
    pub(super) range: Option<String>,
    /// How far the laws are from what was measured, and which are not given.
    pub(super) why: String,
    /// Every law of every line, and every refusal.
    pub(super) list: Vec<String>,
    pub(super) plots: Vec<Plot>,
}

pub(super) fn strong_laws(lines: &[Line<'_>]) -> Laws {
    gather(
        lines.iter().map(|line| (line.name.clone(), laws::strong(line, "Laws of strong scaling"))),
    )
}

fn gather(all: impl Iterator<Item = (String, (laws::Found, Option<Plot>))>) -> Laws {
    let (mut found, mut refused, mut plots) = (Vec::new(), Vec::new(), Vec::new());
    for (name, (own, plot)) in all {
        found.extend(own.laws.into_iter().map(|law| (name.clone(), law)));
        refused.extend(own.refused);
        plots.extend(plot);
    }
    let refused = laws::refusals(&refused);
    let mut list: Vec<String> = found
        .iter()
        .map(|(name, law)| format!("{name}: {}: {}", law.model.name(), law.said))
        .collect();
    list.extend(refused.iter().map(laws::Group::whole));
    let mut why: Vec<String> = misses(&found).into_iter().collect();
    why.extend(refused.iter().map(|group| format!("{}.", group.counted())));
    Laws { range: range(&found), why: why.join(" "), list, plots }
}

/// The lines with the smallest and the largest share of each law.
fn range(found: &[(String, Law)]) -> Option<String> {
    let mut said = Vec::new();
    for (index, (_, one)) in found.iter().enumerate() {
        if found[..index].iter().any(|(_, before)| before.model == one.model) {
            continue;
        }
        let same = || found.iter().filter(|(_, law)| law.model == one.model);
        let by_share = |a: &&(String, Law), b: &&(String, Law)| a.1.share.total_cmp(&b.1.share);
        let (low, high) = (same().min_by(by_share)?, same().max_by(by_share)?);
        let (model, of) =
            (one.model.name(), |(name, law): &(String, Law)| format!("{} ({name})", law.said));
        said.push(match same().count() {
            1 => format!("{model}: {}", of(low)),
            count => format!("{model} on {count} lines: from {} to {}", of(low), of(high)),
        });
    }
    (!said.is_empty()).then(|| said.join("; "))
}

/// Where a fitted law is farthest from what was measured.
fn misses(found: &[(String, Law)]) -> Option<String> {
    let all = found.iter().flat_map(|(name, law)| {
        law.ratios.iter().map(move |(p, ratio)| (ratio, p, law.model.name(), name))
    });
    let (ratio, p, law, name) = all.max_by(|a, b| a.0.ln().abs().total_cmp(&b.0.ln().abs()))?;
    Some(format!(
        "Farthest off is {law} of {name}: on p = {p} the measured S is {} times the law's.",
        significant(*ratio, 2)
    ))
}

/// Lines of a series along which the size grows as p does, from each size on one processor.
pub(super) fn diagonals<'a>(series: &Parallel<'a>) -> Vec<Line<'a>> {
    let rows = &series.rows;
    let ones = rows.iter().copied().filter(|row| row.p == 1);
    let line = |one: &'a ScalingRow| {
        let each = one.n?;
        let grown =
            |row: &&ScalingRow| row.n.is_some_and(|n| (n / row.p as f64 / each - 1.0).abs() < 1e-9);
        let mut rows: Vec<&ScalingRow> = rows.iter().copied().filter(grown).collect();
        rows.sort_by_key(|row| row.p);
        let name = format!("{}, n = {each}·p", short(series));
        (rows.len() > 1).then_some(Line { name, rows })
    };
    ones.filter_map(line).collect()
}

pub(super) fn weak_laws(all: &[Parallel<'_>]) -> Laws {
    let lines: Vec<Line<'_>> = all.iter().flat_map(diagonals).collect();
    let mut found =
        gather(lines.iter().map(|line| (line.name.clone(), laws::weak(line, "Scaled speedup"))));
    if lines.is_empty() {
        found.why = "No size was measured whose work for each processor is that of another on one."
            .to_owned();
    }
    let scaled = lines.iter().filter_map(|line| {
        let (one, last) = (line.rows.first()?, line.rows.last()?);
        let value = last.p as f64 * one.time_ns.value / last.time_ns.value;
        let relative = |row: &ScalingRow| row.time_ns.u.unwrap_or(0.0) / row.time_ns.value;
        let u = value * relative(one).hypot(relative(last));
        let said = format!("{} on {} ({})", with_uncertainty(value, Some(u)), last.p, line.name);
        Some((value / last.p as f64, said))
    });
    let scaled: Vec<(f64, String)> = scaled.collect();
    let least = scaled.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = scaled.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let scaled = least.zip(most).map(|((_, least), (_, most))| match least == most {
        true => format!("scaled speedup {least}"),
        false => format!("scaled speedups, over p, from {least} to {most}"),
    });
    let laws = found.range.take();
    found.range = scaled.map(|scaled| match laws {
        Some(laws) => format!("{scaled}; {laws}"),
        None => scaled,
    });
    found
}
