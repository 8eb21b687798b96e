//! The comparison with a record that was kept, as text.

use super::{
    comparison::of_commit,
    details,
    notes::{Kind, Note},
    verdicts::{margin_words, verdict_words},
};
use crate::{
    analysis::{
        Interval,
        verdict::{self, Verdict},
    },
    results::{Compared, RecordComparison, RecordRow},
    text::{
        View,
        number::{change, percent, time_with_uncertainty, with_uncertainty},
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

/// The comparison in sentences.
pub(super) fn details(comparison: &RecordComparison, view: &View) -> String {
    let heading = format!(
        "compared with the stored baseline `{}` (measured {}{})",
        visible(&comparison.baseline),
        visible(&comparison.measured),
        of_commit(comparison.commit.as_deref()),
    );
    let mut text = view.paragraph(&heading, 2);
    let rows = comparison.rows.iter().map(row);
    for said in rows.chain(notes(comparison).into_iter().map(|note| note.sentence)) {
        text.push_str(&view.paragraph(&format!("  {said}"), 4));
    }
    text
}

/// Describes the change of the machine between then and now.
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

fn row(row: &RecordRow) -> String {
    let Compared { speedup, interval, judgement } = &row.compared;
    format!(
        "{}: then {}, now {}, speedup S {}, 95 % interval {}: {}",
        visible(&row.name),
        time_with_uncertainty(speedup.base.value, speedup.base.u),
        time_with_uncertainty(speedup.new.value, speedup.new.u),
        with_uncertainty(speedup.speedup, speedup.sigma),
        details::ends(*interval, "n/a"),
        verdict_text(judgement, row.margin),
    )
}

/// The verdict in words: what is proven, and how large a change would have shown.
pub(super) fn verdict_text(judgement: &verdict::Judgement, margin: f64) -> String {
    match judgement.verdict {
        Verdict::Slower if judgement.beyond_margin => {
            format!("slower, by more than {}", margin_words(margin))
        }
        Verdict::Faster if judgement.beyond_margin => {
            format!("faster, by more than {}", margin_words(margin))
        }
        Verdict::Inconclusive => match judgement.minimum_detectable_effect {
            Some(effect) => {
                format!("inconclusive (a change below {} would be missed)", percent(effect))
            }
            None => "inconclusive".to_owned(),
        },
        verdict => verdict_words(verdict, margin),
    }
}
