//! `--format bencher`: libtest's line for each benchmark, which many services read.

use super::sentences::failures;
use crate::{
    output::complain,
    record::Record,
    results::{rows, tables},
    text::visible,
};

/// `test NAME ... bench: 1,234.56 ns/iter (+/- 7.89)`, where +/- is half the width of the 95 % interval.
///
/// Blanks in names become `_`, as readers of these lines take the name to end at a blank.
pub fn bencher_lines(record: &Record) -> String {
    let mut text = String::new();
    for row in rows(&tables(record)) {
        // Of a record from elsewhere, a name can be anything.
        let name = visible(&row.case.name).replace(' ', "_");
        let result = match &row.time {
            Some(time) => &format!(
                "bench: {:>15} ns/iter (+/- {})",
                with_commas(time.estimate.value),
                with_commas(time.half_width().unwrap_or(0.0))
            ),
            None if row.case.failures.is_empty() => "not measured",
            None if row.case.has_nothing() => "ignored",
            None => "FAILED",
        };
        text.push_str(&format!("test {name} ... {result}\n"));
        for sentence in failures(row.case) {
            complain(&format!("{sentence}\n"));
        }
    }
    text
}

/// `12,345.67`
fn with_commas(value: f64) -> String {
    let text = format!("{value:.2}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::with_commas;

    #[test]
    fn thousands_are_grouped() {
        for (value, text) in
            [(0.0, "0.00"), (999.994, "999.99"), (1234.5, "1,234.50"), (1e9, "1,000,000,000.00")]
        {
            assert_eq!(with_commas(value), text);
        }
    }
}
