//! The laws of all lines: of strong scaling at each size, of weak scaling along sizes that grow with p.

use plusminus::text::number::with_uncertainty;

use super::{
    laws::{self, Line},
    short,
};
use crate::{
    pages::plot::Plot,
    study::document::{ScalingRow, Series},
};

pub(super) fn refusals(refused: &[String], otherwise: &str) -> String {
    match refused {
        [] => otherwise.to_owned(),
        [one] => format!("{one}."),
        [first, more @ ..] => format!("{first}; {} more below.", more.len()),
    }
}

pub(super) type Laws = (Option<String>, Vec<String>, Vec<Plot>);

pub(super) fn strong_laws(lines: &[Line<'_>]) -> Laws {
    gather(
        lines.iter().map(|line| (line.name.clone(), laws::strong(line, "Laws of strong scaling"))),
    )
}

pub(super) fn gather(all: impl Iterator<Item = (String, (laws::Found, Option<Plot>))>) -> Laws {
    let (mut said, mut refused, mut plots) = (Vec::new(), Vec::new(), Vec::new());
    for (name, (found, plot)) in all {
        said.extend(
            found.laws.iter().map(|law| format!("{name}: {}: {}", law.model.name(), law.said)),
        );
        refused.extend(found.refused);
        plots.extend(plot);
    }
    let refused = laws::refusals(&refused);
    ((!said.is_empty()).then(|| said.join("; ")), refused, plots)
}

/// Lines of a series along which the size grows as p does, from each size on one processor.
pub(super) fn diagonals<'a>(series: &'a Series) -> Vec<Line<'a>> {
    let rows = &series.scaling.rows;
    let ones = rows.iter().filter(|row| row.p == 1);
    let line = |one: &'a ScalingRow| {
        let each = one.n?;
        let grown =
            |row: &&ScalingRow| row.n.is_some_and(|n| (n / row.p as f64 / each - 1.0).abs() < 1e-9);
        let mut rows: Vec<&ScalingRow> = rows.iter().filter(grown).collect();
        rows.sort_by_key(|row| row.p);
        let name = format!("{}, n = {each}·p", short(series));
        (rows.len() > 1).then_some(Line { name, rows })
    };
    ones.filter_map(line).collect()
}

pub(super) fn weak_laws(all: &[&Series]) -> Laws {
    let lines: Vec<Line<'_>> = all.iter().flat_map(|series| diagonals(series)).collect();
    let (said, mut refused, plots) =
        gather(lines.iter().map(|line| (line.name.clone(), laws::weak(line, "Scaled speedup"))));
    if lines.is_empty() {
        refused.push(
            "no size was measured whose work for each processor is that of another on one"
                .to_owned(),
        );
    }
    let scaled = lines.iter().filter_map(|line| {
        let (one, last) = (line.rows.first()?, line.rows.last()?);
        let value = last.p as f64 * one.time_ns.value / last.time_ns.value;
        let relative = |row: &ScalingRow| row.time_ns.u.unwrap_or(0.0) / row.time_ns.value;
        let u = value * relative(one).hypot(relative(last));
        Some(format!("{}: {} on {}", line.name, with_uncertainty(value, Some(u)), last.p))
    });
    let scaled: Vec<String> = scaled.collect();
    let said = said.map(|said| format!("scaled speedups {}; {said}", scaled.join(", ")));
    (said, refused, plots)
}
