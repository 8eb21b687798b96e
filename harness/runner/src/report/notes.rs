//! Notes: what was noticed, sorted by what a reader should do about it, counted in one line and told in sentences.

pub(super) use super::kinds::Kind;
use crate::results::Row;
use plusminus_worker::{listed::Listed, order::sorted};

/// Something that was noticed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Note {
    pub(super) kind: Kind,
    /// The benchmark that it is about; `None` where it is about everything.
    about: Option<String>,
    /// What there is to say.
    pub(super) sentence: String,
}

impl Note {
    /// About the benchmark of a row.
    pub(super) fn of(kind: Kind, row: &Row<'_>, sentence: String) -> Self {
        Self::about(kind, &row.case.name, sentence)
    }

    /// About a benchmark.
    pub(super) fn about(kind: Kind, name: &str, sentence: String) -> Self {
        Self { kind, about: Some(name.to_owned()), sentence }
    }

    /// About everything.
    pub(super) fn general(kind: Kind, sentence: String) -> Self {
        Self { kind, about: None, sentence }
    }
}

/// The kinds of notes, the most urgent first, each with the number of benchmarks that it is about. Nothing where there is nothing to
/// do.
pub(super) fn all_counted(notes: &[Note], benchmarks: usize) -> Vec<String> {
    let kinds: Vec<Kind> =
        notes.iter().map(|note| note.kind).filter(|kind| *kind != Kind::Information).listed();
    let mut kinds = sorted(&kinds, &Ord::cmp);
    kinds.dedup();
    kinds.into_iter().map(|kind| counted(notes, kind, benchmarks)).listed()
}

/// `54 of 55 no steady state`, or `3 no steady state` where they are no more than half.
fn counted(notes: &[Note], kind: Kind, benchmarks: usize) -> String {
    let about: Vec<&str> = notes
        .iter()
        .filter(|note| note.kind == kind)
        .filter_map(|note| note.about.as_deref())
        .listed();
    let mut about = sorted(&about, &Ord::cmp);
    about.dedup();
    counted_note(kind.label(), about.len(), benchmarks)
}

/// A note on so many benchmarks of all; none where it is on something else.
pub fn counted_note(label: &str, about: usize, benchmarks: usize) -> String {
    match about {
        0 => label.to_owned(),
        _ if benchmarks == 1 => label.to_owned(),
        count if 2 * count > benchmarks => format!("{count} of {benchmarks} {label}"),
        count => format!("{count} {label}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{report::foot::notes_line, text::View};

    fn line(notes: &[Note], benchmarks: usize, how: &str, view: &View) -> Option<String> {
        notes_line(&all_counted(notes, benchmarks), how, view)
    }

    fn many() -> Vec<Note> {
        let young =
            (0..54).map(|n| Note::about(Kind::NoSteadyState, &n.to_string(), String::new()));
        let others = [
            Note::general(Kind::Busy, String::new()),
            Note::about(Kind::Failed, "7", String::new()),
            Note::about(Kind::Failed, "7", String::new()),
            Note::general(Kind::Information, String::new()),
        ];
        young.chain(others).collect()
    }

    #[test]
    fn notes_are_counted_and_sorted_by_what_to_do() {
        let view = View::default();
        assert_eq!(
            line(&many(), 55, ": -v", &view).unwrap(),
            "notes: 1 failed, busy machine, 54 of 55 no steady state: -v"
        );
        let narrow = View { width: 40, ..view };
        assert_eq!(line(&many(), 55, ": -v", &narrow).unwrap(), "notes: 1 failed, 2 more: -v");
        let information = [Note::general(Kind::Information, "x".to_owned())];
        assert_eq!(line(&information, 55, ": -v", &view), None);
        assert_eq!(line(&many()[55..], 1, "", &view).unwrap(), "notes: failed");
    }

    #[test]
    fn no_line_is_too_wide() {
        for width in 1..100 {
            let view = View { width, ..View::default() };
            assert!(crate::text::width(&line(&many(), 55, ": -v", &view).unwrap()) <= width);
        }
    }
}
