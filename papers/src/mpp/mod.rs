//! "Measuring parallel performance": speedups, overheads, laws and isoefficiency of the measurements, with the
//! document's equations and worked examples. Works with any records whose variants were measured on several
//! processors.

mod facts;
mod isoefficiency;
mod laws;
mod lines;

use plusminus::{record::Record, text::visible};

use self::{
    laws::Line,
    lines::{Laws, diagonals, strong_laws, weak_laws},
};
use crate::fact::Facts;
use cargo_plusminus::{
    pages::Section,
    study::document::{Document, ScalingRow, Series},
};

/// A variant that was measured on one processor and on several, with its rows on no more processors than there are.
pub(super) struct Parallel<'a> {
    variant: &'a str,
    rows: Vec<&'a ScalingRow>,
}

/// The facts of the records, and the sections with the laws.
pub(super) fn of<'a>(document: &'a Document, records: &[Record]) -> (Facts, Vec<Section>) {
    let processors = records.iter().map(|one| one.manifest.cores).max().unwrap_or(1);
    let all: Vec<Parallel<'a>> = parallel(document, processors);
    let lines: Vec<Line<'_>> = all.iter().flat_map(|series| by_size(series)).collect();
    // The exercise's model is of one variant: the sum, or the first where there is none.
    let of_sum = all.iter().find(|series| short(series) == "tree").or(all.first());
    let sum: Vec<Line<'_>> = of_sum.map_or(Vec::new(), by_size);
    let named = |of: fn(&Parallel<'a>) -> Vec<Line<'a>>| -> Vec<(String, Line<'_>)> {
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

/// The variants that were measured on several processors and use them. Threads that outnumber the processors take turns.
fn parallel(document: &Document, processors: usize) -> Vec<Parallel<'_>> {
    let all = document.problems.iter().flat_map(|problem| &problem.series);
    let own = |series: &&Series| !series.scaling.is_reference;
    let with_rows = all.filter(own).map(|series| {
        let rows = series.scaling.rows.iter().filter(|row| row.p <= processors);
        Parallel { variant: &series.variant, rows: rows.collect() }
    });
    let uses = |one: &Parallel<'_>| {
        one.rows.iter().any(|row| row.p > 1) && one.rows.iter().any(|row| row.p == 1)
    };
    with_rows.filter(uses).collect()
}

/// The rows of a series at each size that has several numbers of processors.
fn by_size<'a>(series: &Parallel<'a>) -> Vec<Line<'a>> {
    let same =
        |a: &&ScalingRow, b: &&ScalingRow| a.n == b.n && (a.n.is_some() || a.point == b.point);
    let rows = series.rows.chunk_by(same).filter(|rows| rows.len() > 1);
    let name = |row: &ScalingRow| match row.n {
        Some(n) => format!("{}, n = {n}", short(series)),
        None => short(series),
    };
    rows.map(|rows| Line { name: name(rows[0]), rows: rows.to_vec() }).collect()
}

fn short(series: &Parallel<'_>) -> String {
    visible(series.variant.rsplit("::").next().unwrap_or(series.variant))
}
