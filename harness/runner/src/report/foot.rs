//! The last lines of a report: what was noticed, where all of it is, and what came out.

use crate::text::{View, width};

/// The last lines of a report: the notes and how to see `more` of them, the `place` of what has all of it, and the `summary`, with
/// a `hint` at what its words mean where that has room. None is wider than the view.
pub fn foot(
    notes: &[String],
    more: &str,
    place: Option<String>,
    summary: &str,
    hint: &str,
    view: &View,
) -> String {
    let mut text = String::new();
    if let Some(line) = notes_line(notes, more, view) {
        text.push_str(&format!("{line}\n"));
    }
    if let Some(place) = place {
        text.push_str(&format!("{}\n", view.cut(&place, view.width)));
    }
    let summary = view.text(summary);
    match width(&summary) + hint.len() <= view.width && !view.verbose {
        true => text.push_str(&format!("{summary}{hint}\n")),
        false => text.push_str(&format!("{}\n", view.cut(&summary, view.width))),
    }
    text
}

/// Notes that are counted already, the most important first, in one line: as many as have room, and how to see `more`.
/// Nothing where there are none.
pub(super) fn notes_line(counted: &[String], how: &str, view: &View) -> Option<String> {
    if counted.is_empty() {
        return None;
    }
    let written = |shown: usize| {
        let mut parts = counted[..shown].to_vec();
        match counted.len() - shown {
            0 => {}
            left => parts.push(format!("{left} more")),
        }
        view.text(&format!("notes: {}{how}", parts.join(", ")))
    };
    let fitting = (1..=counted.len()).rev().map(written).find(|line| width(line) <= view.width);
    Some(fitting.unwrap_or_else(|| view.cut(&written(1), view.width)))
}
