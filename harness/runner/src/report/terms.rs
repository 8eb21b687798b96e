//! Looks up words of a report and what they mean, for `--explain` and for docs/reference/glossary.md: one text for both.

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
    pub(super) meaning: &'static str,
    /// Whether the glossary lists it: a reader could not guess it.
    listed: bool,
}

pub(super) const fn term(
    name: &'static str,
    also: &'static [&'static str],
    meaning: &'static str,
) -> Term {
    Term { name, also, meaning, listed: true }
}

/// A self-explanatory word, which only `--explain` knows.
pub(super) const fn plain(
    name: &'static str,
    also: &'static [&'static str],
    meaning: &'static str,
) -> Term {
    Term { name, also, meaning, listed: false }
}

pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) terms: &'static [Term],
}

/// Makes a section from its title and its words: whether the glossary lists it, name, further words, meaning.
macro_rules! section {
    ($title:literal; $($term:ident $name:literal, $also:tt, $meaning:literal;)*) => {
        Section { title: $title, terms: &[$($term($name, &$also, $meaning)),*] }
    };
}
pub(super) use section;

/// The meaning of a word.
///
/// # Errors
/// Names the words that are nearest, if it is unknown.
pub fn explain(word: &str) -> Result<String, String> {
    let sections = sections();
    let terms = || sections.iter().flat_map(|(_, entries)| entries);
    if word == "all" {
        let all: Vec<String> = terms().map(written).collect();
        return Ok(all.join("\n"));
    }
    let wanted = normal(word);
    let mut known = Vec::new();
    for entry in terms() {
        for name in names(entry.term) {
            if normal(name) == wanted {
                return Ok(written(entry));
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
        "# Glossary\n\nThe terms of a report that need an explanation. `cargo bench -- --explain TERM` prints the same text, and \
         explains further words of a report.\n",
    );
    for (title, terms) in sections() {
        text.push_str(&format!("\n## {title}\n"));
        for entry in terms.iter().filter(|entry| entry.term.listed) {
            let also = match entry.term.also {
                [] => String::new(),
                also => format!(" ({})", also.join(", ")),
            };
            text.push_str(&format!("\n**{}**{also}: {}\n", entry.term.name, meaning(entry)));
        }
    }
    text
}

fn names(term: &Term) -> impl Iterator<Item = &'static str> {
    std::iter::once(term.name).chain(term.also.iter().copied())
}

fn written(entry: &Entry) -> String {
    let also = match entry.term.also {
        [] => String::new(),
        also => format!(" (also: {})", also.join(", ")),
    };
    format!("{}{also}: {}\n", entry.term.name, meaning(entry))
}

/// Returns the explanation of a term, with the advice.
fn meaning(entry: &Entry) -> String {
    let cure = entry.cure.replace("{bench}", "cargo bench --bench NAME --");
    format!("{} {cure}", entry.term.meaning).trim_end().to_owned()
}

/// A term, and the cure of its subject.
struct Entry {
    term: &'static Term,
    cure: &'static str,
}

/// A word without the differences that do not matter: capitals, and plurals.
fn normal(word: &str) -> String {
    let word = if word == "S" { "speedup".to_owned() } else { word.trim().to_lowercase() };
    let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    word[..word.len() - usize::from(plural)].to_owned()
}

fn sections() -> [(&'static str, Vec<Entry>); 6] {
    let entry = |(term, cure)| Entry { term, cure };
    let of = |section: &'static Section| {
        (section.title, section.terms.iter().map(|term| entry((term, ""))).collect())
    };
    [
        of(&measured_terms::NUMBERS),
        of(&measured_terms::MEASURED),
        of(&measured_terms::VERDICTS),
        ("Notes on benchmarks", kinds::terms(Place::Benchmarks).map(entry).collect()),
        ("Notes on the measurement", kinds::terms(Place::Measurement).map(entry).collect()),
        of(&compared_terms::SECTION),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::kinds::Kind;

    #[test]
    fn every_note_and_verdict_is_explained() {
        let verdicts =
            ["faster", "slower", "within ±2 %", "inconclusive", "identical code", "base"];
        for word in Kind::labels().chain(verdicts) {
            assert!(explain(word).is_ok(), "{word}");
        }
        for word in ["RSU", "real S", "type B", "clean", "possible outlier", "σ", "S", "Runs", "±"]
        {
            assert!(explain(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn each_word_has_one_meaning() {
        let mut all: Vec<String> = sections()
            .iter()
            .flat_map(|(_, entries)| entries)
            .flat_map(|entry| names(entry.term))
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
        assert!(explain("inconclusiv").unwrap_err().contains("inconclusive"));
        assert!(explain("xyzzyxyzzy").unwrap_err().contains("--explain all"));
        assert!(explain("all").unwrap().contains("type B"));
    }

    #[test]
    fn the_glossary_has_what_cannot_be_guessed() {
        let glossary = glossary();
        let entries = glossary.lines().filter(|line| line.starts_with("**")).count();
        assert!((30..=40).contains(&entries), "{entries}");
        assert!(!glossary.contains("{bench}"));
    }
}
