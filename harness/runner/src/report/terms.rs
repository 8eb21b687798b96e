//! Looks up words of a report and what they mean, for `--explain` and for docs/glossary.md: one text for both.

use super::{
    compared_terms,
    kinds::{self, Place},
    measured_terms,
};
use crate::text::nearest;

/// A word of a report.
pub(super) struct Term {
    pub(super) name: &'static str,
    /// Other words for it.
    also: &'static [&'static str],
    /// What it means, and what to do about it.
    meaning: &'static str,
}

pub(super) const fn term(
    name: &'static str,
    also: &'static [&'static str],
    meaning: &'static str,
) -> Term {
    Term { name, also, meaning }
}

/// Words of a section of the glossary.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) terms: &'static [Term],
}

/// The meaning of a word.
///
/// # Errors
/// Names the words that are nearest, if it is unknown.
pub fn explain(word: &str) -> Result<String, String> {
    let sections = sections();
    let terms = || sections.iter().flat_map(|(_, terms)| terms);
    if word == "all" {
        let all: Vec<String> = terms().map(|term| written(term)).collect();
        return Ok(all.join("\n"));
    }
    let wanted = normal(word);
    let mut known = Vec::new();
    for term in terms() {
        for name in names(term) {
            if normal(name) == wanted {
                return Ok(written(term));
            }
            known.push(name);
        }
    }
    Err(match nearest(&wanted, known) {
        Some(name) => {
            format!("no report has the word `{word}`; did you mean `--explain \"{name}\"`?")
        }
        None => format!("no report has the word `{word}`; `--explain all` shows them all"),
    })
}

/// The glossary as Markdown.
pub fn glossary() -> String {
    let mut text = String::from(
        "# Glossary\n\nThe words of a report. `cargo bench -- --explain WORD` prints the same text, from the same source \
         (harness/src/report).\n",
    );
    for (title, terms) in sections() {
        text.push_str(&format!("\n## {title}\n"));
        for term in terms {
            let also = match term.also {
                [] => String::new(),
                also => format!(" ({})", also.join(", ")),
            };
            text.push_str(&format!("\n**{}**{also}: {}\n", term.name, term.meaning));
        }
    }
    text
}

fn names(term: &Term) -> impl Iterator<Item = &'static str> {
    std::iter::once(term.name).chain(term.also.iter().copied())
}

fn written(term: &Term) -> String {
    let also = match term.also {
        [] => String::new(),
        also => format!(" (also: {})", also.join(", ")),
    };
    format!("{}{also}: {}\n", term.name, term.meaning)
}

/// A word without the differences that do not matter: capitals, and plurals.
fn normal(word: &str) -> String {
    let word = if word == "S" { "speedup".to_owned() } else { word.trim().to_lowercase() };
    let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    word[..word.len() - usize::from(plural)].to_owned()
}

/// The sections of the glossary: title and terms.
fn sections() -> [(&'static str, Vec<&'static Term>); 6] {
    let of = |section: &Section| (section.title, section.terms.iter().collect());
    [
        of(&measured_terms::NUMBERS),
        of(&measured_terms::MEASURED),
        of(&measured_terms::VERDICTS),
        ("Notes on benchmarks", kinds::terms(Place::Benchmarks).collect()),
        ("Notes on the measurement", kinds::terms(Place::Measurement).collect()),
        of(&compared_terms::SECTION),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::kinds::Kind;

    #[test]
    fn every_note_and_verdict_is_explained() {
        let verdicts = ["faster", "slower", "same", "undecided", "base"];
        for word in Kind::labels().chain(verdicts) {
            assert!(explain(word).is_ok(), "{word}");
        }
        for word in ["RSU", "real S", "type B", "clean", "suspect cell", "σ", "S", "Runs", "±"] {
            assert!(explain(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn each_word_has_one_meaning() {
        let mut all: Vec<String> = sections()
            .iter()
            .flat_map(|(_, terms)| terms)
            .flat_map(|term| names(term))
            .filter(|name| *name != "S")
            .map(normal)
            .collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn unknown_words_name_the_nearest() {
        assert!(explain("undecidet").unwrap_err().contains("undecided"));
        assert!(explain("xyzzyxyzzy").unwrap_err().contains("--explain all"));
        assert!(explain("all").unwrap().contains("type B"));
    }
}
