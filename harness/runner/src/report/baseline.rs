//! The comparison with a record that was kept, as text.

use super::{
    comparison::of_commit,
    ends::of_speedup,
    notes::{Kind, Note},
};
use crate::{
    analysis::{Interval, verdict::Verdict},
    results::{Compared, RecordComparison, RecordRow},
    text::{
        View,
        number::{change, significant, time_with_uncertainty},
        sentence, visible,
    },
};

/// Returns doubts about the comparison, and the parts that it skipped.
pub(super) fn notes(comparison: &RecordComparison) -> Vec<Note> {
    let mut notes = Vec::new();
    for (name, reason) in &comparison.missing {
        let said = format!("{}: not compared: {reason}", visible(name));
        notes.push(Note::about(Kind::NotCompared, name, said));
    }
    for difference in &comparison.differences {
        let said = format!("different environment: {}", sentence(difference));
        notes.push(Note::general(Kind::DifferentEnvironment, said));
    }
    notes.push(Note::general(Kind::OldBaseline, machine(comparison)));
    notes
}

/// Returns the comparison in sentences, without the intervals that are `printed` already.
pub(super) fn details(comparison: &RecordComparison, printed: &str, view: &View) -> String {
    let heading = format!(
        "compared with the stored baseline `{}` (measured {}{})",
        visible(&comparison.baseline),
        visible(&comparison.measured),
        of_commit(comparison.commit.as_deref()),
    );
    let mut text = view.paragraph(&heading, 2);
    let rows =
        comparison.rows.iter().map(|one| row(one, |part| printed.contains(&view.text(part))));
    // That it is old is a warning below.
    let notes = notes(comparison).into_iter().filter(|note| note.kind != Kind::OldBaseline);
    for said in rows.chain(notes.map(|note| note.sentence)) {
        text.push_str(&view.paragraph(&format!("  {said}"), 4));
    }
    text
}

fn machine(comparison: &RecordComparison) -> String {
    let times = "The two sides were measured at different times";
    match comparison.machine {
        Some(Interval { low, high }) => format!(
            "{times}. Small built-in kernels, measured with both, show that the machine changed by {} to {}. The intervals \
             allow for that, and changes that it could explain are inconclusive. `--save-baseline` keeps the program, \
             which is then measured in turns and decides more.",
            change(low.exp_m1()),
            change(high.exp_m1()),
        ),
        None => format!(
            "{times}, and the older record has no measurements of the machine itself. How much the machine changed is \
             unknown, so everything is inconclusive. `--save-baseline` keeps a record that has them, and the program."
        ),
    }
}

fn row(row: &RecordRow, is_printed: impl Fn(&str) -> bool) -> String {
    let Compared { speedup, interval, judgement } = &row.compared;
    let mut parts =
        vec![format!("then {}", time_with_uncertainty(speedup.base.value, speedup.base.u))];
    parts.extend(speedup.sigma.map(|sigma| format!("σ of S {}", significant(sigma, 2))));
    let ends = interval.map(|interval| of_speedup(speedup.speedup, interval, row.margin).1);
    parts.extend(ends.filter(|ends| !is_printed(ends)));
    if let (Verdict::Inconclusive, Some(missed)) =
        (judgement.verdict, judgement.minimum_detectable_effect)
    {
        parts.push(super::sentences::would_miss(missed));
    }
    format!("{}: {}", visible(&row.name), parts.join(", "))
}
