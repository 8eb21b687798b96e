//! The limits of the verdicts of a comparison: warnings, the most urgent first.

use plusminus::{
    report::{Warning, comparison_interrupted, doubt_sentence, named},
    results::{CaseResult, RowResult},
    text::visible,
};
use plusminus_analysis::verdict::Doubt;
use plusminus_same_code::Code;

use super::{Comparison, built, failed::command, sentences};

/// The label of warnings about crates outside of the repository.
const OUTSIDE: &str = "path dependencies outside the repository";

/// A warning, and the benchmarks that it is about.
pub(super) struct Noticed<'a> {
    label: &'static str,
    said: String,
    pub(super) about: Vec<&'a str>,
}

impl Noticed<'_> {
    /// The warning as the report prints it.
    pub(super) fn warning(&self, benchmarks: usize) -> Warning {
        let about = match &self.about[..] {
            [] => String::new(),
            about => format!("{}. ", named(about, benchmarks)),
        };
        Warning { label: self.label.to_owned(), said: format!("{about}{}", self.said) }
    }
}

/// The warnings of a report. `cargo plusminus explain` knows each label.
pub(super) fn all(comparison: &Comparison) -> Vec<Noticed<'_>> {
    let outcome = &comparison.outcome;
    let with = |noticed: &dyn Fn(&CaseResult) -> bool| -> Vec<&str> {
        let found = outcome.cases.iter().filter(|case| noticed(case));
        found.map(|case| case.name.as_str()).collect()
    };
    let with_row =
        |noticed: &dyn Fn(&RowResult) -> bool| with(&|case| case.rows.iter().any(noticed));
    let own_doubt =
        |row: &RowResult| row.doubts.iter().find(|doubt| !is_of_control(doubt)).copied();
    let longer = (2.0 * outcome.seconds / 60.0).ceil().max(1.0);
    let options = command(comparison, &[]).map_or(String::new(), |command| command + " ");
    let more_time = format!("Allow more time: `{options}--max-time {longer}m`");
    let again = match command(comparison, &[]) {
        Some(command) => format!("Stop other programs and measure again: `{command}`"),
        None => "Stop other programs and measure again.".to_owned(),
    };
    let mut found = Vec::new();
    let mut add = |label, about, said: String| found.push(Noticed { label, said, about });
    let mut about = |label, about: Vec<_>, said: &str| {
        if !about.is_empty() {
            add(label, about, said.to_owned());
        }
    };
    about(
        "not measured",
        with(&|case| case.rows.is_empty() && case.failure.is_none()),
        &format!("The time limit or an interrupt came first. {more_time}"),
    );
    if let Some(said) = comparison_interrupted(outcome) {
        add("interrupted", Vec::new(), said.replacen("Interrupted by", "by", 1));
    }
    if outcome.out_of_time {
        let said = format!("`--max-time` ended the measurement first. {more_time}");
        add("time limit reached", Vec::new(), said);
    }
    let built = &comparison.built;
    let edited = built::edited(built);
    if let Some(said) = &edited {
        add(OUTSIDE, Vec::new(), said.clone());
    }
    let mut about = |label, about: Vec<_>, said: &str| {
        if !about.is_empty() {
            add(label, about, said.to_owned());
        }
    };
    let rows = || outcome.cases.iter().flat_map(|case| &case.rows);
    if let Some(doubt) = rows().find_map(own_doubt) {
        let which = doubt_sentence(&doubt);
        let said = format!("Such as: {which}. {again}");
        about("check failed", with_row(&|row| own_doubt(row).is_some()), &said);
    }
    about(
        "work per call changed",
        with_row(&|row| row.work.is_some()),
        "The change of time may come from that alone. `-v` prints the change per unit of work.",
    );
    about(
        "correlated measurements",
        with_row(&|row| row.repaired),
        "Neighboring blocks were averaged in pairs, which the error rate α does not cover.",
    );
    about(
        "methods disagree",
        with_row(&|row| !row.notes.is_empty()),
        "A second method, such as CPU time, comes to a different result. `-v` names it.",
    );
    if !built.dependencies.is_empty() {
        add("dependencies differ", Vec::new(), built::dependencies(built));
    }
    let locks = built::locks(built);
    if !locks.is_empty() {
        add("different lock file", Vec::new(), locks.join(" "));
    }
    if !built.outside.is_empty() && edited.is_none() {
        let said = built.outside.iter().map(built::outside).collect::<Vec<_>>().join("; ");
        let said = format!("{said}. Both versions use their present state.");
        add(OUTSIDE, Vec::new(), said);
    }
    for one in &built.one_layout {
        add("single layout", Vec::new(), built::one_layout(one));
    }
    for one in &built.left_out {
        add("skipped", Vec::new(), built::left_out(one));
    }
    let mut about = |label, about: Vec<_>, said: &str| {
        if !about.is_empty() {
            add(label, about, said.to_owned());
        }
    };
    about(
        "skipped",
        with(&|case| case.failure.is_some() && !case.has_failed()),
        "They measure nothing.",
    );
    let set_up = comparison.codes.only_set_up().map(|case| case.name.as_str()).collect();
    about("only set-up changed", set_up, "The timed code is the same. Its input may differ.");
    let unknown = comparison.codes.cases.iter();
    let unknown: Vec<(&str, &str)> = unknown
        .filter_map(|case| match &case.code {
            Code::Unknown(why) => Some((case.name.as_str(), why.as_str())),
            _ => None,
        })
        .collect();
    if let Some((_, why)) = unknown.first() {
        let names = unknown.iter().map(|(name, _)| *name).collect();
        let instead = match comparison.outcome.cases.is_empty() {
            true => "A comparison would measure them",
            false => "They were measured instead",
        };
        about("code not comparable", names, &format!("{instead}: {}.", visible(why)));
    }
    about(
        "interrupted samples",
        with_row(&|row| row.blocks.iter().any(|block| block.clean_only)),
        &format!("Only samples without interruption were used. {again}"),
    );
    for (label, names) in sentences::of_one_side(comparison) {
        add(label, Vec::new(), names);
    }
    found
}

/// Whether a doubt is that base and a copy of base differ.
pub(super) fn is_of_control(doubt: &Doubt) -> bool {
    matches!(doubt, Doubt::ControlDiffers { .. })
}
