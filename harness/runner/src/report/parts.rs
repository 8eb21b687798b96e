//! The parts of kernels against the whole, in words.

use super::notes::{Kind, Note};
use crate::{
    analysis::Estimate,
    results::{Agreement, Part, Parts, Row},
    text::{
        number::{digits, percent, significant, time_with_uncertainty, with_uncertainty},
        visible,
    },
};

pub(super) fn note(row: &Row<'_>, margin: f64) -> Option<Note> {
    let said = sentence(row.label, row.parts.as_ref()?, row.estimate()?, margin);
    let differs = row
        .parts
        .as_ref()
        .is_some_and(|parts| matches!(parts.agreement, Agreement::More | Agreement::Less));
    Some(match differs {
        true => Note::of(Kind::PhasesDiffer, row, said),
        false => Note::general(Kind::Information, said),
    })
}

/// `parts/whole 0.993 ± 0.011`
pub(super) fn short(row: &Row<'_>) -> Option<String> {
    let over = row.parts.as_ref()?.over_whole.as_ref()?;
    Some(format!("parts/whole {}", with_uncertainty(over.speedup, over.sigma)))
}

/// The parts of a benchmark, their sum and the whole, and whether these agree.
pub fn sentence(label: &str, parts: &Parts, whole: Estimate, margin: f64) -> String {
    let time = |of: Estimate| time_with_uncertainty(of.value, of.u);
    let sum_ns = parts.sum.estimate.value;
    let one = |part: &Part| {
        let share = percent(part.time.estimate.value / sum_ns.max(f64::MIN_POSITIVE));
        format!("{} {} ({share})", visible(&part.name), time(part.time.estimate))
    };
    let named = parts.parts.iter().map(one).collect::<Vec<_>>().join(", ");
    let mut said = format!(
        "parts of {}: {named}; sum {}, whole {}",
        visible(label),
        time(parts.sum.estimate),
        time(whole)
    );
    if let Some(over) = &parts.over_whole {
        said += &format!(", sum/whole {}", with_uncertainty(over.speedup, over.sigma));
    }
    said += &format!(": {}", meaning(parts, margin));
    if let Some(cost) = parts.cost_ns {
        let entries: f64 = parts.parts.iter().map(|part| part.entries).sum();
        said += &format!(
            ". The whole is of samples without the clock of phases; reading it for {} phases a call costs {} ns of a call, of \
             which {} ns were in the parts and are taken off",
            digits(entries),
            with_uncertainty(cost.value, cost.u),
            significant(parts.subtracted_ns, 2)
        );
    }
    for part in parts.parts.iter().filter(|part| part.entries == 0.0) {
        said += &format!(". {} was never entered", visible(&part.name));
    }
    said
}

fn meaning(parts: &Parts, margin: f64) -> String {
    let overlap = parts.at_once > 1;
    match parts.agreement {
        Agreement::Agree => format!("they agree within {}", percent(margin)),
        Agreement::Inconclusive => {
            format!("the runs cannot tell whether they agree within {}", percent(margin))
        }
        Agreement::Less => "the sum is less, as some of the kernel is in no phase".to_owned(),
        Agreement::More if overlap => format!(
            "the sum is more, as phases overlap: up to {} ran at once, one within another or on several threads",
            parts.at_once
        ),
        Agreement::More => "the sum is more: phases are slower while they are timed, as reading the clock stops what the \
                            processor does ahead and the compiler keeps their work apart"
            .to_owned(),
    }
}
