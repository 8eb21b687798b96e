//! The parts of kernels against the whole, where benchmarks declare phases (DBPP 3.5.2).

use plusminus::{
    report::parts_sentence,
    results::{self, Agreement},
    text::visible,
};
use serde::Serialize;

use super::{
    collect::Source,
    document::Number,
    text::{number, time},
};

pub(super) const TITLES: [&str; 5] = ["part", "a call", "time", "of the sum", "sum/whole"];

#[derive(Debug, Serialize)]
pub struct PartsOf {
    /// The name of the benchmark, with the system where several are studied.
    pub benchmark: String,
    pub phases: Vec<PhaseOf>,
    pub sum_ns: Number,
    pub whole_ns: Number,
    /// The sum over the whole. Its σ includes the uncertainty of reading the clock.
    pub sum_over_whole: Option<Number>,
    /// `agree`, `more`, `less`, `inconclusive`.
    pub agreement: &'static str,
    /// By how much a call takes longer while its phases are timed.
    pub timing_ns: Option<Number>,
    /// The time that was subtracted from the sum for reading the clock.
    pub subtracted_ns: f64,
    /// The most phases that ran at once.
    pub at_once: u64,
    pub sentence: String,
}

#[derive(Debug, Serialize)]
pub struct PhaseOf {
    pub name: String,
    /// How often a call enters it.
    pub entries: f64,
    pub time_ns: Number,
}

/// The parts of each benchmark of a record that declares any.
pub(super) fn of(source: &Source) -> Vec<PartsOf> {
    let tables = results::tables(&source.record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    let margin = source.record.settings.margin;
    rows.filter_map(|row| {
        let (parts, whole) = (row.parts.as_ref()?, row.time.as_ref()?);
        let benchmark = source.variant(&row.case.name);
        let phase = |part: &results::Part| PhaseOf {
            name: part.name.clone(),
            entries: part.entries,
            time_ns: Number::of_time(&part.time),
        };
        Some(PartsOf {
            phases: parts.parts.iter().map(phase).collect(),
            sum_ns: Number::of_time(&parts.sum),
            whole_ns: Number::of_time(whole),
            sum_over_whole: parts.over_whole.as_ref().map(Number::from),
            agreement: match parts.agreement {
                Agreement::Agree => "agree",
                Agreement::More => "more",
                Agreement::Less => "less",
                Agreement::Inconclusive => "inconclusive",
            },
            timing_ns: parts.cost_ns.map(Number::from),
            subtracted_ns: parts.subtracted_ns,
            at_once: parts.at_once,
            sentence: parts_sentence(&benchmark, parts, whole.estimate, margin),
            benchmark,
        })
    })
    .collect()
}

impl PartsOf {
    /// A line for each part, one for their sum and one for the whole.
    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let share = |ns: f64| format!("{:.1} %", 100.0 * ns / self.sum_ns.value);
        let mut rows = vec![vec![visible(&self.benchmark)]];
        for phase in &self.phases {
            rows.push(vec![
                format!("  {}", visible(&phase.name)),
                plusminus::text::number::digits(phase.entries),
                time(&phase.time_ns),
                share(phase.time_ns.value),
            ]);
        }
        let over = number(self.sum_over_whole.as_ref());
        let empty = String::new;
        rows.push(vec![
            "  sum".to_owned(),
            empty(),
            time(&self.sum_ns),
            share(self.sum_ns.value),
            over,
        ]);
        rows.push(vec!["  whole".to_owned(), empty(), time(&self.whole_ns)]);
        rows
    }
}
