//! Tables for pages: values and uncertainties rounded together.

use plusminus::{
    record::Record,
    results::{Row, TableResults, tables},
    text::{
        number::{time_with_uncertainty, with_uncertainty},
        visible,
    },
};

use crate::report::markdown::escaped;

/// Name, time, speedup and verdict of a row.
fn cells(row: &Row<'_>) -> [String; 4] {
    let time = row.estimate().map_or("not measured".to_owned(), |estimate| {
        time_with_uncertainty(estimate.value, estimate.u)
    });
    let speedup = row.speedup.as_ref();
    [
        visible(row.label),
        time,
        speedup.map_or(String::new(), |s| with_uncertainty(s.speedup.speedup, s.speedup.sigma)),
        speedup.map_or(String::new(), |s| s.judgement.verdict.id().to_owned()),
    ]
}

fn heading(table: &TableResults<'_>) -> String {
    match table.problem {
        Some(problem) if table.point.is_empty() => visible(problem),
        Some(problem) => {
            format!("{}, {}, p = {}", visible(problem), visible(table.point), table.processors)
        }
        None => "Functions".to_owned(),
    }
}

pub(super) fn markdown(record: &Record) -> String {
    let mut text = String::new();
    for table in &tables(record) {
        text.push_str(&format!("**{}**\n\n", escaped(&heading(table))));
        text.push_str("| benchmark | time ± σ | S ± σ | verdict |\n|---|---:|---:|---|\n");
        for row in &table.rows {
            let cells = cells(row).map(|cell| escaped(&cell));
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        text.push('\n');
    }
    text
}
