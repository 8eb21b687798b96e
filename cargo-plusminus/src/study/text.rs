//! A study as text for people: aligned columns, numbers with as many digits as their uncertainty allows, and sentences.

use super::{
    document::{ApexMapStudy, Comparison, Document, Number, ProblemStudy, RunWise},
    tables,
};

/// All of a document.
pub(super) fn render(document: &Document) -> String {
    let mut text = String::new();
    for record in &document.records {
        if let Some(signal) = record.interrupted {
            text += &format!(
                "{} was interrupted by signal {signal}: only complete runs count\n\n",
                printable(&record.path)
            );
        }
    }
    document.problems.iter().for_each(|problem| text += &of_problem(problem));
    if !document.run_wise.is_empty() {
        text += "Adjusted speedups run by run (VoV, figures 5 and 7). S: mean over the instances of base over that of \
                 the variant.\nσ: how sure S is (from standard uncertainties). spread: how single instances scatter \
                 (from standard deviations).\n\n";
    }
    document.run_wise.iter().for_each(|table| text += &of_runs(table));
    if let Some(study) = &document.apex_map {
        text += &apex_map(study);
    }
    // Sections are told apart by empty lines; the last one needs none.
    format!("{}\n", text.trim_end())
}

fn of_problem(problem: &ProblemStudy) -> String {
    let mut text = String::new();
    for series in &problem.series {
        text += &format!("{}   {}", printable(&problem.problem), printable(&series.variant));
        if let Some(sweep) = &series.sweep {
            text += &format!("   {}", printable(sweep));
        }
        text.push('\n');
        text += &tables::scaling(&series.scaling);
        for models in &series.models {
            text += &tables::models(models);
        }
        text.push('\n');
    }
    for comparison in &problem.comparisons {
        text += &compared(&problem.problem, comparison);
    }
    if !problem.notes.is_empty() {
        problem.notes.iter().for_each(|note| text += &sentence(note));
        text.push('\n');
    }
    text
}

fn compared(problem: &str, comparison: &Comparison) -> String {
    let mut text = format!("{}   faster, and more transparent?", printable(problem));
    if let Some(sweep) = &comparison.sweep {
        text += &format!("   {}", printable(sweep));
    }
    text += &format!("   over the {} configurations that all share\n", comparison.configurations);
    text += &tables::comparison(comparison);
    comparison.sentences.iter().for_each(|said| text += &sentence(said));
    text.push('\n');
    text
}

fn of_runs(table: &RunWise) -> String {
    let point = match (table.scale, table.max_weight) {
        (Some(scale), Some(weight)) => {
            format!("scale {scale}@{}   weights ≤ {weight}", table.processors)
        }
        _ => format!("{}   p = {}", printable(&table.point), table.processors),
    };
    let mut text = format!(
        "{}   {point}   {} instances   {} over {}\n",
        printable(&table.problem),
        table.instances,
        printable(&table.base),
        printable(&table.variant)
    );
    text += &tables::runs(table);
    table.sentences.iter().for_each(|said| text += &sentence(said));
    text.push('\n');
    text
}

fn apex_map(study: &ApexMapStudy) -> String {
    let mut text = format!("Apex-MAP: Performance Complexity\n\n{}", study.text);
    study.notes.iter().for_each(|note| text += &sentence(note));
    text
}

/// A line of its own, indented.
pub(super) fn sentence(text: &str) -> String {
    format!("  {}\n", printable(text))
}

/// Names come from users: what would move the cursor is shown as a replacement character.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Rows of cells as lines with aligned columns: the first column to the left, the others to the right.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let gap = if column == 0 { "  " } else { "   " };
            let padding = " ".repeat(widths[column] - cell.chars().count());
            line += gap;
            line +=
                &if column == 0 { format!("{cell}{padding}") } else { format!("{padding}{cell}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// `x ± u`: u with two digits, x to the same place. Without u four digits.
pub(super) fn with_u(value: f64, u: Option<f64>) -> String {
    let Some(u) = u.filter(|u| *u > 0.0 && u.is_finite()) else {
        return match u {
            Some(_) => digits(value),
            None => format!("{} ± n/a", digits(value)),
        };
    };
    let largest = value.abs().max(u);
    if !(1e-3..1e7).contains(&largest) {
        let exponent = largest.log10().floor() as i32;
        let scale = 10_f64.powi(exponent);
        return format!("({})e{exponent}", fixed(value / scale, u / scale));
    }
    fixed(value, u)
}

fn fixed(value: f64, u: f64) -> String {
    let place = |u: f64| (1 - u.log10().floor() as i32).clamp(0, 9);
    let mut places = place(u);
    // Rounding may add a digit: 0.0996 has to become 0.10, not 0.100.
    let scale = 10_f64.powi(places);
    if places > 0 && (u * scale).round() >= 100.0 {
        places -= 1;
    }
    let places = places as usize;
    format!("{value:.places$} ± {u:.places$}")
}

/// `x ± u`, or `-` where there is none.
pub(super) fn number(found: Option<&Number>) -> String {
    found.map_or_else(|| "-".to_owned(), |found| with_u(found.value, found.u))
}

/// A time with its unit.
pub(super) fn time(found: &Number) -> String {
    let (unit, ns) = match found.value.abs() {
        ns if ns >= 1e9 => ("s", 1e9),
        ns if ns >= 1e6 => ("ms", 1e6),
        ns if ns >= 1e3 => ("µs", 1e3),
        _ => ("ns", 1.0),
    };
    format!("{} {unit}", with_u(found.value / ns, found.u.map(|u| u / ns)))
}

/// Four significant digits.
pub(super) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..7).contains(&exponent) {
        return format!("{value:.3e}");
    }
    let places = (3 - exponent).clamp(0, 7) as usize;
    format!("{value:.places$}")
}

/// Four digits, or `n/a`.
pub(super) fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), digits)
}

/// Three places, or `n/a`.
pub(super) fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"))
}

#[cfg(test)]
mod tests {
    use plusminus_analysis::Estimate;

    use super::*;

    #[test]
    fn digits_follow_the_uncertainty() {
        for (value, u, expected) in [
            (5.112, Some(0.0996), "5.11 ± 0.10"),
            (1234.5, Some(12.3), "1234 ± 12"),
            (1.234e-9, Some(2.1e-11), "(1.234 ± 0.021)e-9"),
            (3.2e9, Some(1.1e8), "(3.20 ± 0.11)e9"),
            (2.0, None, "2.000 ± n/a"),
            (1.0, Some(0.0), "1.000"),
            (-0.02, Some(0.3), "-0.02 ± 0.30"),
        ] {
            assert_eq!(with_u(value, u), expected);
        }
        assert_eq!(digits(1.5e-7), "1.500e-7");
        let time =
            |value, u| super::time(&Number::from(Estimate { value, u, degrees_of_freedom: None }));
        assert_eq!(time(31_200_000.0, Some(600_000.0)), "31.20 ± 0.60 ms");
        assert_eq!(time(-1_500.0, None), "-1.500 ± n/a µs");
    }

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows =
            [vec!["α".to_owned(), "1".to_owned()], vec!["long".to_owned(), "10 µs".to_owned()]];
        assert_eq!(aligned(&rows), "  α          1\n  long   10 µs\n");
        assert_eq!(printable("a\u{1b}[2J"), "a\u{fffd}[2J");
    }
}
