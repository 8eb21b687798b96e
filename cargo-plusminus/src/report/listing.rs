//! The machine code of changed functions as cells of tables, base and new side by side.

use plusminus::{
    record::{ComparisonRecord, Listing, ListingRow},
    text::visible,
};

use super::code::named;
use crate::changed_function::of_record;

/// The titles of a table. The first cell of a row has a mark and its number.
pub(crate) const LISTED: [&str; 3] = ["row", "base", "new"];

/// A function: what to say of it, and its rows.
type Listed = (String, Vec<Vec<String>>);

/// The functions that differ for a benchmark, and what to say if it was explained and there are none.
pub(crate) fn listed(record: &ComparisonRecord, benchmark: &str) -> (Vec<Listed>, Option<String>) {
    let of = |(number, listing): (usize, &Listing)| {
        (format!("{}, {number}: {}", visible(benchmark), caption(listing)), rows(listing))
    };
    let explanation = record.explanations.iter().find(|one| one.benchmark == benchmark);
    let Some(explanation) = explanation else { return (Vec::new(), None) };
    let listed: Vec<Listed> = (1..).zip(&explanation.listings).map(of).collect();
    let none = "No machine code is listed: no function was found whose instructions differ, or the program is not for x86-64.";
    let none = listed.is_empty().then(|| none.to_owned());
    (listed, none)
}

fn differs(row: &&ListingRow) -> bool {
    row.base != row.new
}

fn caption(listing: &Listing) -> String {
    let name = named(&of_record(listing.function.clone()));
    let (differing, all) = (listing.differing_in_all, listing.rows_in_all);
    let listed = listing.rows.iter().filter(differs).count();
    let first =
        if listed < differing { format!(", the first {listed} are here") } else { String::new() };
    format!("{name}: {differing} of {all} rows differ{first}")
}

/// Rows of instructions. Above them stand their sources, where these change. A row with dots stands for rows that the record lacks.
fn rows(listing: &Listing) -> Vec<Vec<String>> {
    let text = |text: &Option<String>| text.as_deref().map_or(String::new(), visible);
    let dots = || vec!["…".to_owned(), String::new(), String::new()];
    let (mut cells, mut last) = (Vec::new(), 0);
    for row in &listing.rows {
        if row.number > last + 1 {
            cells.push(dots());
        }
        last = row.number.min(usize::MAX - 1);
        if row.base_source.is_some() || row.new_source.is_some() {
            cells.push(vec![String::new(), text(&row.base_source), text(&row.new_source)]);
        }
        let mark = match (&row.base, &row.new) {
            (Some(base), Some(new)) if base == new => "",
            (Some(_), Some(_)) => "≠ ",
            (_, None) => "− ",
            (None, _) => "+ ",
        };
        cells.push(vec![format!("{mark}{}", row.number), text(&row.base), text(&row.new)]);
    }
    cells.extend((last < listing.rows_in_all).then(dots));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use plusminus::record::ChangedFunction;

    #[test]
    fn rows_have_marks_sources_and_dots_for_what_is_left_out() {
        let row = |number, base: &str, new: &str, source: &str| {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            ListingRow {
                number,
                base: some(base),
                new: some(new),
                base_source: some(source),
                new_source: None,
            }
        };
        let function = ChangedFunction {
            how: "changed".to_owned(),
            name: "mix".to_owned(),
            place: Some("src/lib.rs:6".to_owned()),
        };
        let rows_of = vec![
            row(4, "ret", "ret", "src/lib.rs:6"),
            row(5, "add 1", "add 2", ""),
            row(6, "nop", "", ""),
            row(7, "", "\u{202e}x", ""),
        ];
        let listing = Listing { function, rows_in_all: 9, differing_in_all: 5, rows: rows_of };
        let shown: Vec<String> = rows(&listing).iter().map(|cells| cells.join("|")).collect();
        let expected = [
            "…||",
            "|src/lib.rs:6|",
            "4|ret|ret",
            "≠ 5|add 1|add 2",
            "− 6|nop|",
            "+ 7||\\u{202e}x",
            "…||",
        ];
        assert_eq!(shown, expected);
        let said = "mix (src/lib.rs:6): 5 of 9 rows differ, the first 3 are here";
        assert_eq!(caption(&listing), said);
    }
}
