//! The report for pages and pull requests. Names come from the source in the request: they are shown as code, and can
//! neither end the cell nor mention anybody.

use plusminus::{
    exit,
    report::{
        COMPARISON_TITLES, case_failure, comparison_interrupted, row_change, row_name, row_remarks,
    },
    results::{CaseResult, RowResult},
    text::{number::time, sentence, visible},
};
use plusminus_analysis::verdict::Verdict;

use super::{Comparison, accepted, built, code as of_code, costs, failed, sentences, table, why};

/// The first line of comments, by which a later one can be found and replaced.
const MARKER: &str = "<!-- plusminus-compare -->";

/// The second line of a comment that nobody has to read: a workflow need not post it.
const NOTHING: &str = "<!-- nothing to report -->\n";

/// Characters that GitHub takes in a comment: 65,536, less what other tools may put around it.
const COMMENT: usize = 65_000;

/// Bytes that GitHub takes in the summary of a step, which is 1 MiB.
const PAGE: usize = 1_000_000;

pub(crate) fn render(comparison: &Comparison) -> String {
    bounded(comparison, PAGE)
}

/// Returns the body of a comment, with a marker to find it by. Rows without room are dropped, and counted.
pub(crate) fn comment(comparison: &Comparison) -> String {
    let quiet = if has_news(comparison) { "" } else { NOTHING };
    let room = COMMENT - MARKER.len() - NOTHING.len() - 2;
    format!("{MARKER}\n{quiet}{}", bounded(comparison, room))
}

/// The body of a comment that has a text as it is printed at a terminal.
pub(crate) fn of_text(headline: &str, text: &str) -> String {
    let mut end = text.len().min(COMMENT - headline.len().min(COMMENT / 2) - 1000);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text[..end].replace('`', "'");
    format!("{MARKER}\n### plusminus: {}\n\n```text\n{text}\n```\n", escaped(headline))
}

/// Whether anybody has to look at a comment: not where every benchmark is within its margin or runs identical code.
fn has_news(comparison: &Comparison) -> bool {
    let codes = &comparison.codes;
    let is_news = |case: &CaseResult| {
        case.has_failed()
            || case.rows.iter().any(|row| row.judgement.verdict != Verdict::WithinMargin)
            || !costs::changed(case).is_empty()
    };
    let cases = comparison.outcome.cases.iter();
    comparison.summary.exit_code != exit::FINE
        || !accepted::lines(comparison).is_empty()
        || cases.filter(|case| !codes.is_identical(&case.name)).any(is_news)
}

/// Returns the report in at most `limit` bytes: the sentence that matters, the changed rows, and the rest folded.
fn bounded(comparison: &Comparison, limit: usize) -> String {
    let headline = sentences::headline(comparison);
    let errors = failed::errors(comparison);
    // A heading shows no code.
    let title = errors.first().and_then(|error| error.lines().next());
    let title = title.map(|title| escaped(&title.replace('`', "")));
    let mut head = format!(
        "### plusminus: {}\n\n{} → {}: {headline}\n\n",
        title.as_deref().unwrap_or(&headline),
        code(&comparison.base.text()),
        code(&comparison.new.text())
    );
    let mut open: Vec<String> = of_code::contradictions(comparison);
    open.extend(why::lines(comparison));
    open.extend(accepted::lines(comparison));
    open.extend(costs_lines(comparison));
    open.extend(of_code::lines(comparison));
    open.extend(comparison_interrupted(&comparison.outcome));
    let mut quiet = of_code::unmeasured(comparison);
    quiet.extend(costs::sizes(comparison));
    quiet.extend(built::sentences(&comparison.built));
    let folded = |lines: &[String]| {
        let lines: Vec<(bool, String)> =
            lines.iter().map(|line| (true, format!("{}  \n", escaped(line)))).collect();
        fitting(&lines, limit / 8, "… {} more lines  \n")
    };
    let (open, quiet) = (folded(&open), folded(&quiet));
    let mut foot = quiet;
    for line in sentences::foot(comparison) {
        foot.push_str(&format!("{}  \n", escaped(&line)));
    }
    let (rows, lines) = (rows(comparison), lines(comparison));
    let room = limit.saturating_sub(head.len() + open.len() + foot.len() + 1000);
    let changed = fitting(&changed_rows(comparison), room / 3, "| … {} more rows |\n");
    if !changed.is_empty() {
        let interval = 100.0 * (1.0 - comparison.summary.alpha);
        head.push_str(&format!(
            "| benchmark | base | new | change | {interval:.0} % interval | verdict |\n"
        ));
        head.push_str(&format!("|---|---:|---:|---:|---:|---|\n{changed}\n"));
    }
    let mut room = room - changed.len();
    // Two thirds for the table, which is what is read first; the words get what it leaves.
    let rows = fitting(&rows, room * 2 / 3, "| … {} more rows |\n");
    room -= rows.len();
    let words = fitting(&lines, room, "- … {} more lines\n");
    let mut table = String::new();
    if !rows.is_empty() {
        table.push_str(&format!("| {} |\n", COMPARISON_TITLES.join(" | ")));
        table.push_str(&format!("|---|---:|---:|---:|---:|---:|---:|---|\n{rows}\n"));
    }
    format!("{head}{open}{}", details(&format!("{table}{words}\n{foot}")))
}

/// Returns the folded part; empty if there is nothing to fold.
fn details(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        _ => format!("\n<details><summary>All results</summary>\n\n{text}\n</details>\n"),
    }
}

/// One line for each benchmark whose costs besides time changed.
fn costs_lines(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &comparison.outcome.cases {
        let named = |line: String| match case.rows.len() {
            1 => format!("{}: {line}", visible(&case.name)),
            _ => line,
        };
        lines.extend(costs::changed(case).into_iter().map(named));
    }
    lines
}

/// The rows that changed, and benchmarks that failed.
fn changed_rows(comparison: &Comparison) -> Vec<(bool, String)> {
    let mut rows = Vec::new();
    for case in &comparison.outcome.cases {
        if case.has_failed() {
            rows.push((true, format!("| {} | | | | | **failed** |\n", code(&case.name))));
            continue;
        }
        if comparison.codes.is_identical(&case.name) {
            continue;
        }
        for row in case.rows.iter().filter(|row| decided(row)) {
            let (Some([base, new]), Some((change, ends))) = (&row.times, row_change(row)) else {
                continue;
            };
            rows.push((
                true,
                format!(
                    "| {} | {} | {} | {change} | {ends} | **{}** |\n",
                    code(&row_name(case, row)),
                    time(base.estimate.value),
                    time(new.estimate.value),
                    sentences::label(case, row, comparison)
                ),
            ));
        }
    }
    rows
}

/// The rows of the table, decided ones first where not all have room.
fn rows(comparison: &Comparison) -> Vec<(bool, String)> {
    let mut rows = Vec::new();
    for case in &comparison.outcome.cases {
        for row in &case.rows {
            let mut cells = table::cells(case, row, comparison);
            cells[0] = code(&cells[0]);
            cells[7] = format!("**{}**", cells[7]);
            rows.push((decided(row), format!("| {} |\n", cells.join(" | "))));
        }
    }
    rows
}

/// The sentences: failures and decided rows first where not all have room.
fn lines(comparison: &Comparison) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    let mut add =
        |first: bool, line: String| lines.push((first, format!("- {}\n", escaped(&line))));
    for case in &comparison.outcome.cases {
        if let Some(failure) = case_failure(case) {
            add(true, failure);
            continue;
        }
        for row in &case.rows {
            add(decided(row), sentences::sentence(case, row, comparison));
            row_remarks(row).into_iter().for_each(|remark| add(decided(row), remark));
        }
        of_code::remark(comparison, &case.name).into_iter().for_each(|remark| add(false, remark));
    }
    sentences::names(comparison).into_iter().for_each(|line| add(false, line));
    lines
}

fn decided(row: &RowResult) -> bool {
    matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster)
}

/// Returns as many lines as have room, in their order, of the first kind before the others. Dropped lines are
/// counted.
fn fitting(lines: &[(bool, String)], room: usize, left_out: &str) -> String {
    let mut used = 0;
    let mut kept = vec![false; lines.len()];
    for first in [true, false] {
        for (index, (kind, line)) in lines.iter().enumerate() {
            if *kind == first && used + line.len() <= room {
                used += line.len();
                kept[index] = true;
            }
        }
    }
    let chosen = lines.iter().zip(&kept).filter(|(_, kept)| **kept);
    let mut text: String = chosen.map(|((_, line), _)| line.as_str()).collect();
    let missing = kept.iter().filter(|kept| !**kept).count();
    if missing > 0 {
        text.push_str(&left_out.replace("{}", &missing.to_string()));
    }
    text
}

/// A text as code within a cell of a table.
fn code(text: &str) -> String {
    // A backtick would end the code and a bar the cell; both have look-alikes that do neither.
    format!("`{}`", visible(text).replace('`', "'").replace('|', "¦"))
}

/// A sentence in which nothing is markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in sentence(text).chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Mentions and links to issues need the character and a word right after it.
            '@' | '#' => escaped.extend([character, GAP]),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '$' => {
                escaped.extend(['\\', character])
            }
            _ => escaped.push(character),
        }
    }
    // A bare address, and the number of an issue as GitHub takes it besides `#1`, would become a link.
    unlinked(&unlinked(&escaped.replace("://", &format!(":{GAP}//")), "www", '.'), "gh", '-')
}

/// An invisible character that divides possible links.
const GAP: char = '\u{200b}';

/// A text in which a character does not directly follow a word, however that is written.
fn unlinked(text: &str, word: &str, behind: char) -> String {
    let mut parted = String::with_capacity(text.len());
    for character in text.chars() {
        let at_word = || {
            let from = parted.len().checked_sub(word.len())?;
            Some(parted.get(from..)?.eq_ignore_ascii_case(word))
        };
        if character == behind && at_word() == Some(true) {
            parted.push(GAP);
        }
        parted.push(character);
    }
    parted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_link_or_a_mention() {
        assert_eq!(escaped("GH-1 gh-2 www.x.y"), "GH\u{200b}-1 gh\u{200b}-2 www\u{200b}.x.y");
        assert_eq!(escaped("a\n::error::b\u{202e}"), "a\\\\n::error::b\\\\u{202e}");
    }

    #[test]
    fn nothing_is_folded_where_there_is_nothing() {
        assert_eq!(details("\n \n"), "");
        assert!(details("a\n").contains("<details><summary>All results</summary>\n\na\n"));
    }

    #[test]
    fn what_has_no_room_is_counted_and_decided_rows_stay() {
        let lines: Vec<(bool, String)> =
            (0..1000).map(|n| (n % 100 == 99, format!("| row {n:04} |\n"))).collect();
        let text = fitting(&lines, 20 * 13, "| … {} more rows |\n");
        assert!(
            text.contains("row 0000") && text.contains("row 0099") && text.contains("row 0999")
        );
        assert!(!text.contains("row 0500"));
        assert!(text.ends_with("| … 980 more rows |\n"), "{text}");
        assert_eq!(fitting(&lines[..2], 1000, "{}"), "| row 0000 |\n| row 0001 |\n");
    }

    #[test]
    fn a_comment_of_a_thousand_rows_is_one_that_github_takes() {
        let mut record = crate::report::kept_record();
        let measured = record.cases[0].clone();
        record.cases = (0..1000)
            .map(|number| {
                let mut case = measured.clone();
                case.name = format!("a_benchmark_with_a_rather_long_name::{number}");
                case
            })
            .collect();
        let comment = comment(&crate::report::of_record(&record));
        assert!(comment.len() < 65_536 && comment.len() > 40_000, "{} bytes", comment.len());
        assert!(comment.contains(" more rows |") && comment.contains(" more lines"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_stays_one_line_without_markup(text in proptest::collection::vec(proptest::char::any(), 0..200)) {
            let text: String = text.into_iter().collect();
            for shown in [escaped(&text), code(&text)] {
                let breaks = ['\n', '\r', '\u{1b}', '\u{202e}'];
                proptest::prop_assert!(!shown.contains(breaks));
                proptest::prop_assert!(!shown.contains("<!--") && !shown.contains("://") || shown.starts_with('`'));
            }
            let code = code(&text);
            proptest::prop_assert_eq!(code.matches('`').count(), 2);
            proptest::prop_assert!(!code.contains('|'));
        }
    }

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(code("a|b`c"), "`a¦b'c`");
        assert_eq!(
            escaped("<b>@all *x* [y](https://z)"),
            "&lt;b&gt;@\u{200b}all \\*x\\* \\[y\\](https:\u{200b}//z)"
        );
    }
}
