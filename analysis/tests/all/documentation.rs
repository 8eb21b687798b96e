//! The page on formulas, and the suite's on its sources, quote numbers; they must be the ones that the example `quoted` prints.
#![cfg(feature = "models")]

#[path = "../../examples/quoted/text.rs"]
mod text;

#[test]
fn the_page_quotes_what_the_code_computes() {
    let page = concat!(
        include_str!("../../../docs/explanation/formulas.md"),
        include_str!("../../../suite/book/sources.md"),
    );
    let computed = text::text();
    for line in computed.lines() {
        assert!(page.lines().any(|l| l == line), "no page has the line: {line}");
    }
    // And the other way round: a row of two cells with a digit in the second is a quoted number.
    for line in page.lines().filter(|l| l.matches('|').count() == 3 && l.starts_with("| ")) {
        let second = line.split('|').nth(2).unwrap_or_default().trim();
        let is_number = second.starts_with(|c: char| c.is_ascii_digit() || "+-±×≥[".contains(c));
        assert!(!is_number || computed.contains(line), "nothing computes the line: {line}");
    }
}
