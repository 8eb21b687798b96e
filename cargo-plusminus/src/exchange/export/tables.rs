//! Tables for pages and papers: values and uncertainties rounded together.

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
        speedup.map_or(String::new(), |s| s.judgement.verdict.label().to_owned()),
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

/// A table for each problem and point.
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

/// A `tabular` for each problem and point; it needs no package.
pub(super) fn latex(record: &Record) -> String {
    let mut text = String::new();
    for table in &tables(record) {
        text.push_str(&format!("% {}\n", heading(table)));
        text.push_str(
            "\\begin{tabular}{lrrl}\n\\hline\nbenchmark & time & $S$ & verdict \\\\\n\\hline\n",
        );
        for row in &table.rows {
            let cells = cells(row).map(|cell| in_latex(&cell));
            text.push_str(&format!("{} \\\\\n", cells.join(" & ")));
        }
        text.push_str("\\hline\n\\end{tabular}\n\n");
    }
    text
}

/// Text without orders to LaTeX.
fn in_latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => escaped.extend(['\\', letter]),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '±' => escaped.push_str("$\\pm$"),
            'µ' => escaped.push_str("$\\mu$"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::in_latex;

    #[test]
    fn names_give_no_orders() {
        assert_eq!(
            in_latex("\\input{x}_1 5 ± 1 µs"),
            "\\textbackslash{}input\\{x\\}\\_1 5 $\\pm$ 1 $\\mu$s"
        );
    }
}
