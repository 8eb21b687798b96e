//! "The Value of Variance": adjusted speedups of Δ-stepping over KLA by run, RSU, and Table 1.

mod factors;
mod facts;
mod figures;

use plusminus::{record::Record, results, text::visible};

use crate::fact::Facts;
use cargo_plusminus::{
    pages::{Section, plot::Plot, plots},
    study::document::Document,
};

/// The facts of the records, and the sections about them.
pub(super) fn of(document: &Document, records: &[Record]) -> (Facts, Vec<Section>) {
    let facts = facts::facts(document, records);
    let maps = records.iter().flat_map(|record| {
        let tables = results::tables(record);
        let rows = tables.iter().flat_map(|table| &table.rows);
        rows.filter(|row| row.case.function.contains("kla"))
            .filter_map(|row| {
                let map = plots::heat_map(row)?;
                let title = format!("{}, {}", map.title, visible(&row.case.point));
                Some(Plot { title, ..map })
            })
            .collect::<Vec<_>>()
    });
    let mut sections: Vec<Section> = factors::section(&facts).into_iter().collect();
    sections.push(Section {
        title: "Table 1 as heat maps: instances and runs of KLA".to_owned(),
        plots: maps.collect(),
        ..Section::default()
    });
    sections.extend(figures::sections(&document.run_wise));
    (facts, sections)
}

/// Scale and largest weight of a point, such as `rmat-15-w255-p2`.
fn of_point(point: &str) -> (Option<u32>, Option<u32>) {
    let mut parts = point.split('-').skip(1);
    let scale = parts.next().and_then(|scale| scale.parse().ok());
    let weights = parts.next().and_then(|weights| weights.strip_prefix('w')?.parse().ok());
    (scale, weights)
}
