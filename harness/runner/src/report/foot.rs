//! The last part of a report: errors, warnings with their cures, the result, and the place of the details.

use crate::text::{Paint, View, painted};

/// Warnings that a short report prints; it counts the others.
pub const WARNINGS: usize = 3;

/// A limit of results: its label, and in sentences its cause and cure.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// Its name, which the glossary explains.
    pub label: String,
    /// The rest of the sentence, with cause and cure.
    pub said: String,
}

/// The end of a report.
#[derive(Debug, Default)]
pub struct Foot {
    /// Failures, each with its lines: none is shortened or skipped.
    pub errors: Vec<String>,
    /// The most urgent first.
    pub warnings: Vec<Warning>,
    /// How many of them are printed; the others are listed by their labels.
    pub limit: usize,
    /// The command that prints everything.
    pub more: String,
    /// The result in one sentence.
    pub summary: String,
    /// Commands and files, each behind its title.
    pub places: Vec<(&'static str, String)>,
}

impl Foot {
    /// Returns it as text.
    pub fn text(&self, view: &View) -> String {
        let mut text = String::new();
        for error in &self.errors {
            text.push_str(&marked("error: ", Paint::Bad, error, view));
        }
        for warning in self.warnings.iter().take(self.limit) {
            let said = format!("{}: {}", warning.label, warning.said);
            text.push_str(&marked("warning: ", Paint::Warning, &said, view));
        }
        if let Some(others) = self.warnings.get(self.limit..).filter(|others| !others.is_empty()) {
            let mut labels: Vec<&str> = Vec::new();
            for warning in others {
                if !labels.contains(&warning.label.as_str()) {
                    labels.push(&warning.label);
                }
            }
            let more = if self.more.is_empty() { "" } else { ". See them: " };
            let said =
                format!("and {} more: {}{more}{}", labels.len(), labels.join(", "), self.more);
            text.push_str(&marked("", Paint::None, &said, view));
        }
        if !self.errors.is_empty() || !self.warnings.is_empty() {
            text.push('\n');
        }
        self.summary.lines().for_each(|line| text.push_str(&view.paragraph(line, 2)));
        let widest = self.places.iter().map(|(title, _)| title.len()).max().unwrap_or(0);
        for (title, place) in &self.places {
            let title = format!("{:widest$}", format!("{title}:"), widest = widest + 1);
            let line = view.text(&format!("{title} {place}"));
            text.push_str(&format!("{}\n", painted(&line, Paint::Dimmed, view.style)));
        }
        text
    }
}

/// Paragraphs behind a mark in its color. All but the first begin with blanks.
fn marked(mark: &str, paint: Paint, said: &str, view: &View) -> String {
    let mut text = String::new();
    let mut is_for_a_file = false;
    for (number, line) in said.lines().enumerate() {
        // An entry of a file is copied into it, and would be another one in lines that are broken elsewhere.
        is_for_a_file |= number > 0 && line.starts_with("[[");
        let paragraph = match number {
            0 => view.paragraph(&format!("{mark}{line}"), 2),
            _ if is_for_a_file => format!("  {}\n", view.text(line)),
            _ => view.paragraph(&format!("  {line}"), 2),
        };
        text.push_str(&paragraph);
    }
    match text.strip_prefix(mark) {
        Some(rest) => {
            painted(mark.trim_end(), paint, view.style) + &mark[mark.trim_end().len()..] + rest
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    fn foot() -> Foot {
        let warning = |label: &str| Warning {
            label: label.to_owned(),
            said: "Something happened. Do this: `cargo bench --bench sort`".to_owned(),
        };
        Foot {
            errors: vec![format!("`parse` panicked in run 1\n{}", "a long word/".repeat(9))],
            warnings: ["one", "two", "three", "four", "five"].map(warning).to_vec(),
            limit: WARNINGS,
            more: "`cargo bench --bench sort -- --load last -v`".to_owned(),
            summary: "3 benchmarks in 4 s: 1 failed, 2 timed".to_owned(),
            places: vec![("Details", "a/path".to_owned()), ("Raw data", "b/path".to_owned())],
        }
    }

    #[test]
    fn three_warnings_are_printed_and_the_others_named() {
        let text = foot().text(&View::default());
        assert_eq!(text.matches("warning: ").count(), 3);
        let others =
            "and 2 more: four, five. See them: `cargo bench --bench sort -- --load last -v`";
        assert!(text.contains(others), "{text}");
        assert!(text.ends_with("Details:  a/path\nRaw data: b/path\n"), "{text}");
    }

    #[test]
    fn an_entry_for_a_file_is_not_broken() {
        let entry =
            format!("[[accept]]\nbenchmark = \"{}\"\nreason = \"why\"", "a word ".repeat(20));
        let foot = Foot { errors: vec![format!("slower\nTo accept it, add:\n{entry}")], ..foot() };
        let text = foot.text(&View { width: 40, ..View::default() });
        for line in entry.lines() {
            assert!(text.contains(&format!("\n  {line}\n")), "{text}");
        }
    }

    #[test]
    fn only_single_words_are_wider_than_the_view() {
        for columns in 5..100 {
            let text = foot().text(&View { width: columns, ..View::default() });
            for line in text.lines().filter(|line| width(line) > columns) {
                let words = line.split_whitespace().count();
                let is_command = line.trim_start().starts_with("`cargo ");
                assert!(words == 1 || is_command || line.contains("/path"), "{columns}: {line}");
            }
        }
    }
}
