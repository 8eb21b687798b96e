//! "Measuring parallel performance": speedups, overheads, laws and isoefficiency of the measurements, with the
//! document's equations and worked examples. Works with any records whose variants were measured on several
//! processors.

mod facts;
mod isoefficiency;
mod laws;
mod lines;

use plusminus::text::visible;

use self::{
    laws::Line,
    lines::{Laws, diagonals, strong_laws, weak_laws},
};
use crate::fact::Facts;
use cargo_plusminus::{
    pages::Section,
    study::document::{Document, ScalingRow, Series},
};

/// The facts of the records, and the sections with the laws.
pub(super) fn of(document: &Document) -> (Facts, Vec<Section>) {
    let all: Vec<&Series> = parallel(document);
    let lines: Vec<Line<'_>> = all.iter().flat_map(|series| by_size(series)).collect();
    // The exercise's model is of one variant: the sum, or the first where there is none.
    let of_sum = all.iter().find(|series| short(series) == "tree").or(all.first());
    let sum: Vec<Line<'_>> = of_sum.map_or(Vec::new(), |series| by_size(series));
    let named = |of: fn(&Series) -> Vec<Line<'_>>| -> Vec<(String, Line<'_>)> {
        let each =
            all.iter().flat_map(|series| of(series).into_iter().map(|line| (short(series), line)));
        each.collect()
    };
    let references = document.problems.iter().flat_map(|problem| &problem.series);
    let references = references.filter(|series| series.scaling.is_reference);
    let marked: Vec<&ScalingRow> = references.flat_map(|series| &series.scaling.rows).collect();
    let mut facts = facts::facts(&named(by_size), &named(diagonals), &marked);
    facts::scenarios(&mut facts, &all);
    let laws_of = |title: &str, laws: Laws| Section {
        title: title.to_owned(),
        paragraphs: laws
            .range
            .into_iter()
            .chain(Some(laws.why).filter(|why| !why.is_empty()))
            .collect(),
        plots: laws.plots,
        list: laws.list,
        ..Section::default()
    };
    let sections = vec![
        laws_of("Amdahl's law and the Universal Scalability Law", strong_laws(&lines)),
        laws_of("Gustafson's law", weak_laws(&all)),
        Section {
            title: "Isoefficiency".to_owned(),
            paragraphs: isoefficiency::words(&sum),
            plots: [vec![isoefficiency::curves()], isoefficiency::plots(&sum)].concat(),
            ..Section::default()
        },
    ];
    (facts, sections)
}

/// The series of variants that were measured on several processors and use them.
fn parallel(document: &Document) -> Vec<&Series> {
    let all = document.problems.iter().flat_map(|problem| &problem.series);
    let uses = |series: &&Series| {
        let rows = &series.scaling.rows;
        !series.scaling.is_reference
            && rows.iter().any(|row| row.p > 1)
            && rows.iter().any(|row| row.p == 1)
    };
    all.filter(uses).collect()
}

/// The rows of a series at each size that has several numbers of processors.
fn by_size(series: &Series) -> Vec<Line<'_>> {
    let same = |a: &ScalingRow, b: &ScalingRow| a.n == b.n && (a.n.is_some() || a.point == b.point);
    let rows = series.scaling.rows.chunk_by(same).filter(|rows| rows.len() > 1);
    let name = |row: &ScalingRow| match row.n {
        Some(n) => format!("{}, n = {n}", short(series)),
        None => short(series),
    };
    rows.map(|rows| Line { name: name(&rows[0]), rows: rows.iter().collect() }).collect()
}

fn short(series: &Series) -> String {
    visible(series.variant.rsplit("::").next().unwrap_or(&series.variant))
}
