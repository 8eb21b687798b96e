//! Notes: observations, sorted by their urgency for the reader. The short report prints them as errors and warnings.

use std::collections::BTreeSet;

use super::foot::{WARNINGS, Warning};
pub(super) use super::kinds::Kind;
use crate::{
    record::{Record, SUBCOMMAND},
    results::Row,
    text::{shell, visible},
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Note {
    pub(super) kind: Kind,
    /// The benchmark that it is about; `None` if it is about everything.
    about: Option<String>,
    pub(super) sentence: String,
}

impl Note {
    pub(super) fn of(kind: Kind, row: &Row<'_>, sentence: String) -> Self {
        Self::about(kind, &row.case.name, sentence)
    }

    pub(super) fn about(kind: Kind, name: &str, sentence: String) -> Self {
        Self { kind, about: Some(name.to_owned()), sentence }
    }

    pub(super) fn general(kind: Kind, sentence: String) -> Self {
        Self { kind, about: None, sentence }
    }
}

/// Returns the command that runs the benchmarks of a record, up to its options.
pub(super) fn command(record: &Record) -> String {
    match record.manifest.bench.as_str() {
        SUBCOMMAND => "cargo plusminus bench".to_owned(),
        bench => format!("cargo bench --bench {} --", shell(&visible(bench))),
    }
}

/// Returns the failures, one text for each benchmark.
pub(super) fn errors(notes: &[Note]) -> Vec<String> {
    let mut errors: Vec<(Option<&str>, String)> = Vec::new();
    for note in notes.iter().filter(|note| note.kind == Kind::Failed) {
        let about = note.about.as_deref();
        let sentence = note.sentence.trim_start();
        match errors.iter_mut().find(|(known, _)| *known == about) {
            Some((_, lines)) => *lines = format!("{lines}\n{sentence}"),
            None => errors.push((about, sentence.to_owned())),
        }
    }
    errors.into_iter().map(|(_, lines)| lines).collect()
}

/// Returns the warnings, the most urgent first, and the benchmarks that one of them marks. `can_repeat` is true if the
/// command of the record can be given again. In full, only notes about everything are warnings: the
/// others follow their benchmark.
pub(super) fn warnings<'n>(
    notes: &'n [Note],
    record: &Record,
    can_repeat: bool,
    in_full: bool,
) -> (Vec<Warning>, Vec<&'n str>) {
    // A whole program is part of its command, and not kept.
    let can_repeat = can_repeat && record.manifest.bench != SUBCOMMAND;
    let is_warning = |note: &&Note| !matches!(note.kind, Kind::Failed | Kind::Information);
    let kinds: BTreeSet<Kind> = notes.iter().filter(is_warning).map(|note| note.kind).collect();
    let (mut warnings, mut marked) = (Vec::new(), Vec::new());
    for kind in kinds {
        let of_kind = notes.iter().filter(|note| note.kind == kind).collect::<Vec<_>>();
        let about: BTreeSet<&str> =
            of_kind.iter().filter_map(|note| note.about.as_deref()).collect();
        let about = Vec::from_iter(about);
        if in_full && !about.is_empty() {
            continue;
        }
        let command = command(record);
        let cure = match can_repeat {
            true => {
                let alone = format!("{}`", command.trim_end_matches(" --"));
                kind.cure().replace("{bench}`", &alone).replace("{bench}", &command)
            }
            false => kind.cure().replace("{bench} ", "").replace(": `{bench}`", "."),
        };
        let said = if about.is_empty() {
            let sentence = of_kind[0].sentence.trim_end_matches('.');
            let sentence = sentence.strip_prefix(kind.label()).unwrap_or(sentence);
            format!("{}.", sentence.trim_start_matches([':', ' ']))
        } else {
            let all: Vec<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
            let marks =
                warnings.len() < WARNINGS && marked.is_empty() && is_marked(&about, all.len());
            let named = named(&about, all.len(), marks);
            if marks {
                marked = about;
            }
            format!("{named}. {} {cure}", kind.cause())
        };
        warnings.push(Warning { label: kind.label().to_owned(), said: said.trim_end().to_owned() });
    }
    (warnings, marked)
}

const NAMED: usize = 3;

/// Whether a warning about these benchmarks names them by a mark at their lines. Only one warning of a report may: a mark then has
/// one meaning.
pub fn is_marked(about: &[&str], all: usize) -> bool {
    about.len() > NAMED && about.len() < all
}

/// Returns the benchmarks that a warning is about: their names if they are few. `all` is the number of benchmarks that have
/// a line: none where nothing was measured.
pub fn named(about: &[&str], all: usize, marks: bool) -> String {
    let name = |name: &&str| format!("`{}`", visible(name));
    match about {
        [_] if all == 1 => "this benchmark".to_owned(),
        few if few.len() <= NAMED => few.iter().map(name).collect::<Vec<_>>().join(", "),
        many if all == 0 => format!("{} benchmarks", many.len()),
        many if many.len() == all => format!("all {all} benchmarks"),
        many if marks => format!("{} of {all} benchmarks, marked `!`", many.len()),
        many => format!("{} of {all} benchmarks", many.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_while_they_are_few() {
        assert_eq!(named(&["a"], 1, false), "this benchmark");
        assert_eq!(named(&["a", "b"], 2, false), "`a`, `b`");
        let many = ["a", "b", "c", "d"];
        assert_eq!(named(&many, 5, true), "4 of 5 benchmarks, marked `!`");
        assert_eq!(named(&many, 5, false), "4 of 5 benchmarks");
        assert_eq!(named(&many, 4, false), "all 4 benchmarks");
        assert_eq!(named(&many, 0, false), "4 benchmarks");
        assert!(is_marked(&many, 5) && !is_marked(&many, 4) && !is_marked(&many[1..], 5));
    }

    #[test]
    fn lines_of_an_error_stay_together() {
        let failed = |name: &str, said: &str| Note::about(Kind::Failed, name, said.to_owned());
        let notes =
            [failed("a", "a failed"), failed("a", "  it printed x"), failed("b", "b failed")];
        assert_eq!(errors(&notes), ["a failed\nit printed x", "b failed"]);
    }
}
