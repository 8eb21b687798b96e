//! Sentences of a paper as predicates on facts. A data file has all sentences of a paper. Each names a quantity, the rows
//! of it that it is about, and what holds of them. So a sentence can only be compared with the quantity that it states.

use std::collections::BTreeMap;

use plusminus::text::{
    number::{percent, significant, time, with_uncertainty},
    visible,
};
use serde::Deserialize;

use super::fact::{Fact, Facts};

/// Values that a cell lists one by one, and names of rows that do not hold.
const LISTED: usize = 4;

/// The sentences of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Paper {
    /// How the machines and programs here differ from the paper's.
    pub(super) setting: String,
    #[serde(rename = "sentence")]
    pub(super) sentences: Vec<Sentence>,
}

/// A sentence of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sentence {
    /// Its name in tests and on the terminal.
    pub(super) name: String,
    /// The figure, table or section.
    pub(super) figure: String,
    /// The words of the paper, or their sense.
    pub(super) says: String,
    /// Why no record of the suite can test it. Then it has no quantity.
    pub(super) untestable: Option<String>,
    /// Why records of one small machine may have no such row.
    pub(super) absent: Option<String>,
    #[serde(default)]
    pub(super) quantity: String,
    /// The labels of the rows that it is about.
    #[serde(default)]
    pub(super) rows: BTreeMap<String, Choice>,
    #[serde(default)]
    pub(super) relation: Relation,
    /// The number that values are related to.
    #[serde(default)]
    pub(super) to: f64,
    #[serde(default)]
    pub(super) tolerance: f64,
    /// Standard uncertainties by which a value may miss.
    #[serde(default)]
    pub(super) sigmas: f64,
    #[serde(default)]
    pub(super) of: Share,
    /// The paper's number, to divide by.
    pub(super) printed: Option<f64>,
    #[serde(default)]
    pub(super) unit: Unit,
    /// A remark for readers.
    #[serde(default)]
    pub(super) note: String,
    /// A quantity that explains a difference.
    pub(super) because: Option<Because>,
}

/// A quantity that explains a difference, after its words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Because {
    words: String,
    quantity: String,
    #[serde(default)]
    rows: BTreeMap<String, Choice>,
    #[serde(default)]
    unit: Unit,
}

/// The values of a label that are chosen.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Choice {
    One(String),
    Several(Vec<String>),
    Without { not: Vec<String> },
}

impl Choice {
    fn admits(&self, value: &str) -> bool {
        match self {
            Self::One(one) => one == value,
            Self::Several(several) => several.iter().any(|one| one == value),
            Self::Without { not } => !not.iter().any(|one| one == value),
        }
    }

    /// As it is printed.
    fn words(&self) -> String {
        match self {
            Self::One(one) => one.clone(),
            Self::Several(several) => several.join(", "),
            Self::Without { not } => format!("not {}", not.join(", ")),
        }
    }
}

/// The relation that a value has to have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Relation {
    /// More than `to`, less the tolerance.
    #[default]
    Above,
    /// Less than `to`, plus the tolerance.
    Below,
    /// No farther from `to` than the tolerance.
    Near,
    /// No farther from `to` than by a factor of the tolerance.
    Factor,
}

/// Of how many rows it has to hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Share {
    #[default]
    All,
    /// More than half of them.
    Most,
    /// At least one.
    Some,
}

/// How a value is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unit {
    #[default]
    Ratio,
    Count,
    Percent,
    Nanoseconds,
    Bytes,
}

impl Unit {
    fn said(self, value: f64, u: Option<f64>) -> String {
        match self {
            _ if value < 0.0 => format!("−{}", self.said(-value, u)),
            Self::Ratio if u.is_none_or(|u| u <= 0.0) => significant(value, 3),
            Self::Ratio => with_uncertainty(value, u),
            Self::Count => format!("{value:.0}"),
            Self::Percent => percent(value),
            Self::Nanoseconds => time(value),
            Self::Bytes => format!("{} KiB", significant(value / 1024.0, 3)),
        }
    }

    fn short(self, value: f64) -> String {
        if self == Self::Ratio { significant(value, 3) } else { self.said(value, None) }
    }
}

/// How a sentence fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Agrees,
    Differs,
    Untested,
}

impl Outcome {
    pub(super) const ALL: [Self; 3] = [Self::Agrees, Self::Differs, Self::Untested];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Agrees => "Agrees",
            Self::Differs => "Differs",
            Self::Untested => "Cannot be tested here",
        }
    }
}

/// A sentence that was held against facts.
#[derive(Debug)]
pub(super) struct Judged<'a> {
    pub(super) sentence: &'a Sentence,
    pub(super) outcome: Outcome,
    /// The values here.
    pub(super) here: Option<String>,
    /// The values over the paper's number.
    pub(super) over: Option<String>,
    /// Why it fares so.
    pub(super) why: String,
}

impl Paper {
    /// Reads a data file.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    pub(super) fn judged<'a>(&'a self, facts: &Facts) -> Vec<Judged<'a>> {
        self.sentences.iter().map(|sentence| sentence.judged(facts)).collect()
    }
}

impl Sentence {
    fn holds(&self, fact: &Fact) -> bool {
        let slack = self.tolerance + self.sigmas * fact.u.unwrap_or(0.0);
        match self.relation {
            Relation::Above => fact.value > self.to - slack,
            Relation::Below => fact.value < self.to + slack,
            Relation::Near => (fact.value - self.to).abs() <= slack,
            Relation::Factor => (fact.value / self.to).ln().abs() <= self.tolerance.ln(),
        }
    }

    /// The condition, for readers.
    pub(super) fn condition(&self) -> String {
        if self.untestable.is_some() {
            return "–".to_owned();
        }
        let number = |value: f64| self.unit.short(value);
        let relation = match self.relation {
            Relation::Above if self.to == 0.0 => "above 0".to_owned(),
            Relation::Below if self.to == 0.0 => "below 0".to_owned(),
            Relation::Above => format!("above {}", number(self.to - self.tolerance)),
            Relation::Below => format!("below {}", number(self.to + self.tolerance)),
            Relation::Near if self.tolerance == 0.0 && self.to == 0.0 => "is 0".to_owned(),
            Relation::Near if self.tolerance == 0.0 => format!("is {}", number(self.to)),
            Relation::Near => {
                let [low, high] = [-self.tolerance, self.tolerance].map(|by| number(self.to + by));
                format!("from {low} to {high}")
            }
            Relation::Factor => {
                format!("{} within a factor of {}", number(self.to), significant(self.tolerance, 3))
            }
        };
        let sigmas = if self.sigmas > 0.0 {
            format!(", give or take {} u", self.sigmas)
        } else {
            String::new()
        };
        let share = match self.of {
            Share::All => "",
            Share::Most => ", most rows",
            Share::Some => ", at least one row",
        };
        format!("{relation}{sigmas}{share}")
    }

    /// The rows, for readers.
    pub(super) fn selected(&self) -> String {
        let each = self.rows.iter().map(|(label, choice)| format!("{label}: {}", choice.words()));
        let each: Vec<String> = each.collect();
        if each.is_empty() { "all".to_owned() } else { each.join("; ") }
    }

    pub(super) fn judged(&self, facts: &Facts) -> Judged<'_> {
        if let Some(why) = &self.untestable {
            let (here, over) = (None, None);
            return Judged {
                sentence: self,
                outcome: Outcome::Untested,
                here,
                over,
                why: why.clone(),
            };
        }
        let own: Vec<&Fact> = chosen(facts, &self.quantity, &self.rows);
        let here = listed(&own, &self.rows, self.unit);
        if own.is_empty() {
            let why = self.absent.clone().unwrap_or_else(|| self.missing(facts));
            return Judged { sentence: self, outcome: Outcome::Untested, here, over: None, why };
        }
        let (held, failed): (Vec<&Fact>, Vec<&Fact>) =
            own.iter().copied().partition(|fact| self.holds(fact));
        let agrees = match self.of {
            Share::All => failed.is_empty(),
            Share::Most => held.len() > failed.len(),
            Share::Some => !held.is_empty(),
        };
        let mut why = vec![format!("{} of {}.", held.len(), own.len())];
        if !failed.is_empty() && !held.is_empty() {
            let names = failed.iter().take(LISTED).map(|fact| name(fact, &own, &self.rows));
            let more = failed.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            why.push(format!("Not so: {}{more}.", names.collect::<Vec<_>>().join("; ")));
        }
        if let Some(because) = self.because.as_ref().filter(|_| !agrees) {
            why.extend(because.said(facts));
        }
        if !self.note.is_empty() {
            why.push(self.note.clone());
        }
        let over = self.printed.and_then(|printed| {
            let (low, high) = range(own.iter().map(|fact| fact.value / printed))?;
            let (low, high) = (significant(low, 2), significant(high, 2));
            Some(if low == high { format!("× {low}") } else { format!("× {low} to {high}") })
        });
        let outcome = if agrees { Outcome::Agrees } else { Outcome::Differs };
        Judged { sentence: self, outcome, here, over, why: why.join(" ") }
    }

    /// Why no row of the facts is the sentence's.
    fn missing(&self, facts: &Facts) -> String {
        let others: Vec<&Fact> = facts.of(&self.quantity).collect();
        if others.is_empty() {
            return format!("these records have no {}.", self.quantity);
        }
        let labels = self.rows.keys().filter_map(|label| {
            let mut values: Vec<&str> = others.iter().filter_map(|f| f.label(label)).collect();
            values.sort_unstable();
            values.dedup();
            let missed = !values.iter().any(|value| self.rows[label].admits(value));
            missed.then(|| format!("{label}: {}", visible(&values.join(", "))))
        });
        let labels: Vec<String> = labels.collect();
        format!(
            "these records have {} for {}.",
            self.quantity,
            if labels.is_empty() { "other rows".to_owned() } else { labels.join("; ") }
        )
    }
}

impl Because {
    fn said(&self, facts: &Facts) -> Option<String> {
        let own = chosen(facts, &self.quantity, &self.rows);
        Some(format!("{}: {}.", self.words, listed(&own, &self.rows, self.unit)?))
    }
}

fn chosen<'a>(
    facts: &'a Facts,
    quantity: &'a str,
    rows: &BTreeMap<String, Choice>,
) -> Vec<&'a Fact> {
    let is_chosen = |fact: &&Fact| {
        rows.iter().all(|(label, choice)| fact.label(label).is_some_and(|own| choice.admits(own)))
    };
    facts.of(quantity).filter(is_chosen).collect()
}

/// A name by the labels that are neither the same for all nor chosen.
fn name(fact: &Fact, all: &[&Fact], rows: &BTreeMap<String, Choice>) -> String {
    let differs = |label: &str| {
        // A program is its kernel in a style, and the memory is in the name of a point.
        let is_known = (["kernel", "style", "kind"].contains(&label)
            && fact.label("program").is_some())
            || (label == "memory" && fact.label("point").is_some());
        let is_one = matches!(rows.get(label), Some(Choice::One(_)));
        !is_one
            && !is_known
            && (all.len() == 1 || all.iter().any(|o| o.label(label) != fact.label(label)))
    };
    let own = fact.labels.iter().filter(|(label, _)| differs(label));
    let own: Vec<String> = own.map(|(label, value)| worded(label, value)).collect();
    own.join(", ")
}

/// Labels whose values need no name.
fn worded(label: &str, value: &str) -> String {
    match label {
        "p" | "k" | "n" | "N" => format!("{label} = {}", visible(value)),
        "scale" | "weights" | "run" | "places" => format!("{label} {}", visible(value)),
        "numbers" => format!("{} {label}", visible(value)),
        _ => visible(value),
    }
}

/// Few values one by one, or the range of many.
fn listed(own: &[&Fact], rows: &BTreeMap<String, Choice>, unit: Unit) -> Option<String> {
    let (low, high) = range(own.iter().map(|fact| fact.value))?;
    if own.len() > LISTED {
        return Some(format!("{} to {} ({} values)", unit.short(low), unit.short(high), own.len()));
    }
    let each = own.iter().map(|fact| {
        let (name, value) = (name(fact, own, rows), unit.said(fact.value, fact.u));
        if name.is_empty() { value } else { format!("{name}: {value}") }
    });
    Some(each.collect::<Vec<_>>().join("; "))
}

/// The smallest and the largest finite value.
fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let all: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    let low = all.iter().copied().fold(f64::MAX, f64::min);
    let high = all.iter().copied().fold(f64::MIN, f64::max);
    (!all.is_empty()).then_some((low, high))
}
