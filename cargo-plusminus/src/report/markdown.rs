//! The report for pages and pull requests. Names come from the source of whoever opened the request: they are shown
//! as code, and can neither end the cell nor mention anybody.

use super::{Comparison, built, code, sentences, table};

/// The first line of comments, by which a later one can be found and replaced.
const MARKER: &str = "<!-- plusminus-compare -->";

/// The report.
pub(crate) fn render(comparison: &Comparison) -> String {
    let mut text = format!(
        "### plusminus: {}\n\n{} → {}\n\n",
        sentences::headline(comparison),
        code(&comparison.base.text()),
        code(&comparison.new.text())
    );
    if comparison.outcome.cases.iter().any(|case| !case.rows.is_empty()) {
        text.push_str(&format!("| {} |\n", table::TITLES.join(" | ")));
        text.push_str("|---|---:|---:|---:|---:|---:|---:|---|\n");
        for case in &comparison.outcome.cases {
            for row in &case.rows {
                let mut cells = table::cells(case, row, comparison);
                cells[0] = code(&cells[0]);
                cells[7] = format!("**{}**", cells[7]);
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
            }
        }
        text.push('\n');
    }
    let mut lines = Vec::new();
    for case in &comparison.outcome.cases {
        lines.extend(sentences::failure(case));
        for row in case.rows.iter().filter(|_| case.failure.is_none()) {
            lines.push(sentences::sentence(case, row, comparison));
            lines.extend(table::remarks(row));
        }
        lines.extend(code::remark(comparison, &case.name));
    }
    lines.extend(sentences::names(comparison));
    for line in code::unmeasured(comparison).into_iter().chain(code::lines(comparison)) {
        text.push_str(&format!("{}\n\n", escaped(&line)));
    }
    text.push_str("<details><summary>In words</summary>\n\n");
    lines.iter().for_each(|line| text.push_str(&format!("- {}\n", escaped(line))));
    text.push_str("\n</details>\n\n");
    let mut open = built::sentences(&comparison.built);
    open.extend(sentences::interrupted(comparison));
    for line in open {
        text.push_str(&format!("{}  \n", escaped(&line)));
    }
    for line in sentences::foot(comparison) {
        text.push_str(&format!("{}  \n", escaped(&line)));
    }
    text
}

/// The body of a comment, with a marker to find it by.
pub(crate) fn comment(comparison: &Comparison) -> String {
    format!("{MARKER}\n{}", render(comparison))
}

/// A text as code within a cell of a table.
fn code(text: &str) -> String {
    // A backtick would end the code and a bar the cell; both have look-alikes that do neither.
    format!("`{}`", text.replace('`', "'").replace('|', "¦"))
}

/// A sentence in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Mentions and links to issues need the character and a word right after it.
            '@' | '#' => escaped.extend([character, '\u{200b}']),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' => {
                escaped.extend(['\\', character])
            }
            _ => escaped.push(character),
        }
    }
    // A bare address would become a link.
    escaped.replace("://", ":\u{200b}//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(code("a|b`c"), "`a¦b'c`");
        assert_eq!(
            escaped("<b>@all *x* [y](https://z)"),
            "&lt;b&gt;@\u{200b}all \\*x\\* \\[y\\](https:\u{200b}//z)"
        );
    }
}
