//! From the record of an explanation to the shares of its parts.

use super::{Outcome, RowResult, outcome};
use crate::{
    analysis::{
        Estimate,
        attribution::{Attribution, attribute},
        verdict::Verdict,
    },
    record::{ChangedPart, ComparisonRecord, Explanation},
};

/// A benchmark whose difference is split over functions.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The benchmark.
    pub benchmark: String,
    /// The relative change of the benchmark, measured with the parts; `None` if it could not be.
    pub whole: Option<Estimate>,
    /// The parts, those with the largest changes first.
    pub parts: Vec<Share>,
    /// The sum of the parts against the whole; `None` if a part has no change.
    pub split: Option<Attribution>,
    /// Why it is not divided.
    pub reason: Option<String>,
    /// Whether the benchmark checks what its programs compute.
    pub is_checked: bool,
    /// Seconds that it took.
    pub seconds: f64,
}

/// A part of a change.
#[derive(Debug, Clone)]
pub struct Share {
    /// Its functions.
    pub part: ChangedPart,
    /// The relative change of time of a program that has this part alone of all that changed.
    pub change: Option<Estimate>,
    /// The interval of this change: all those of an explanation together hold the true ones.
    pub interval: Option<(f64, f64)>,
    /// Whether the change is proven.
    pub is_proven: bool,
}

/// Returns the explanations of a record.
pub fn explained(record: &ComparisonRecord) -> Vec<Explained> {
    let all = outcome(record);
    record.explanations.iter().map(|one| shares(one, &all)).collect()
}

/// Returns an explanation with the shares of its parts, the largest first. `all` are the results of the comparison.
pub fn shares(explanation: &Explanation, all: &Outcome) -> Explained {
    let outcomes: Vec<Outcome> = explanation.measured.iter().map(outcome).collect();
    let found = |target: &str| {
        let name = format!("{target}: ");
        outcomes.iter().flat_map(|one| &one.cases).find(|case| case.name.starts_with(&name))
    };
    let whole = match outcomes.is_empty() {
        true => all.cases.iter().find(|case| case.name == explanation.benchmark),
        false => found("whole"),
    };
    let whole = whole.and_then(|case| case.rows.last()).cloned();
    let is_divided = |part: &ChangedPart| {
        explanation.parts.iter().any(|one| one.within.as_ref() == Some(&part.name))
    };
    let mut parts = Vec::new();
    for part in explanation.parts.iter().filter(|part| !is_divided(part)) {
        let case = found(&part.name);
        let failure = case.and_then(|case| case.failure.as_ref());
        let row = match outcomes.is_empty() {
            true => whole.as_ref(),
            false => case.filter(|_| failure.is_none()).and_then(|case| case.rows.last()),
        };
        let mut part = part.clone();
        if let (None, Some(failure)) = (&part.refused, failure) {
            part.refused = Some(failure.message.clone());
        }
        let row = row.filter(|_| part.refused.is_none());
        parts.push(Share {
            change: row.and_then(change),
            interval: row.and_then(RowResult::change_interval),
            is_proven: row.is_some_and(|row| {
                matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster)
            }),
            part,
        });
    }
    let whole = whole.as_ref().and_then(change);
    let changes: Option<Vec<Estimate>> = parts.iter().map(|share| share.change).collect();
    let changes = changes.filter(|_| !outcomes.is_empty());
    let split = whole.zip(changes).and_then(|(whole, parts)| attribute(whole, &parts).ok());
    let size = |share: &Share| share.change.map_or(0.0, |change| change.value.abs());
    parts.sort_by(|one, other| size(other).total_cmp(&size(one)));
    Explained {
        benchmark: explanation.benchmark.clone(),
        whole,
        parts,
        split,
        reason: explanation.reason.clone(),
        is_checked: explanation.is_checked,
        seconds: explanation.seconds,
    }
}

/// The relative change of a row with its standard uncertainty, from those of S = base/new.
fn change(row: &RowResult) -> Option<Estimate> {
    let (speedup, sigma) = (row.speedup?, row.sigma?);
    Some(Estimate::known(1.0 / speedup - 1.0, sigma / (speedup * speedup)))
}
