//! The limits of the verdicts of a comparison: warnings, the most urgent first.

use plusminus::{
    report::{
        Warning, comparison_interrupted, doubt_sentence, is_marked, named, options_of_compare,
        row_change,
    },
    results::{CaseResult, RowResult},
    text::{number::counted, visible},
};
use plusminus_analysis::verdict::{Doubt, Verdict};
use plusminus_same_code::Code;

use super::{Comparison, built, failed::command, sentences};

/// The label of warnings about crates outside of the repository.
const OUTSIDE: &str = "path dependencies outside the repository";

pub(super) struct Noticed<'a> {
    label: &'static str,
    said: String,
    about: Vec<&'a str>,
}

impl Noticed<'_> {
    /// The warning as the report prints it.
    pub(super) fn warning(&self, benchmarks: usize, marked: &[&str]) -> Warning {
        let about = match &self.about[..] {
            [] => String::new(),
            about => format!("{}. ", named(about, benchmarks, about == marked)),
        };
        Warning { label: self.label.to_owned(), said: format!("{about}{}", self.said) }
    }
}

/// The warnings of a report. `cargo plusminus explain` knows each label.
pub(super) fn all(comparison: &Comparison) -> Vec<Noticed<'_>> {
    let mut list = List { comparison, found: Vec::new() };
    list.add_limits_of_time();
    if let Some(said) = built::edited(&comparison.built) {
        list.add(OUTSIDE, said);
    }
    list.add_checks();
    list.add_open_control();
    // A slowdown may hide behind a name that is gone.
    for (label, names) in sentences::of_one_side(comparison) {
        list.add(label, names);
    }
    list.add_builds();
    list.add_codes();
    list.found
}

/// The benchmarks that one of these warnings names by a mark at their lines.
pub(super) fn marked<'a, 'n>(noticed: &'n [Noticed<'a>], benchmarks: usize) -> &'n [&'a str] {
    let mut lists = noticed.iter().map(|one| &one.about[..]);
    lists.find(|about| is_marked(about, benchmarks)).unwrap_or_default()
}

/// The advice to repeat a comparison on a quieter machine, with its command.
fn again(comparison: &Comparison) -> String {
    match command(comparison, &[]) {
        Some(command) => format!("Stop other programs and measure again: `{command}`"),
        None => "Stop other programs and measure again.".to_owned(),
    }
}

struct List<'a> {
    comparison: &'a Comparison,
    found: Vec<Noticed<'a>>,
}

impl<'a> List<'a> {
    /// Adds a warning about the comparison as a whole.
    fn add(&mut self, label: &'static str, said: String) {
        self.found.push(Noticed { label, said, about: Vec::new() });
    }

    /// Adds a warning about benchmarks, if there are any.
    fn add_about(&mut self, label: &'static str, about: Vec<&'a str>, said: &str) {
        if !about.is_empty() {
            self.found.push(Noticed { label, said: said.to_owned(), about });
        }
    }

    fn with(&self, noticed: impl Fn(&CaseResult) -> bool) -> Vec<&'a str> {
        let found = self.comparison.outcome.cases.iter().filter(|case| noticed(case));
        found.map(|case| case.name.as_str()).collect()
    }

    fn with_row(&self, noticed: impl Fn(&RowResult) -> bool) -> Vec<&'a str> {
        self.with(|case| case.rows.iter().any(&noticed))
    }

    fn add_limits_of_time(&mut self) {
        let outcome = &self.comparison.outcome;
        let longer = (2.0 * outcome.seconds / 60.0).ceil().max(1.0);
        let options = command(self.comparison, &[]).map_or(String::new(), |command| command + " ");
        let more_time = format!("Allow more time: `{options}--max-time {longer}m`");
        self.add_about(
            "not measured",
            self.with(|case| case.rows.is_empty() && case.failure.is_none()),
            &format!("The time limit or an interrupt came first. {more_time}"),
        );
        if let Some(said) = comparison_interrupted(outcome) {
            self.add("interrupted", said.replacen("Interrupted by", "by", 1));
        }
        if outcome.out_of_time {
            let said = format!("`--max-time` ended the measurement first. {more_time}");
            self.add("time limit reached", said);
        } else if outcome.interrupted.is_none() && !sentences::is_nothing_decided(self.comparison) {
            self.add_open(&options);
        }
    }

    /// Adds that base and a copy of it were neither found alike nor different.
    fn add_open_control(&mut self) {
        let outcome = &self.comparison.outcome;
        let control = outcome.control.as_ref().and_then(|case| case.rows.last());
        let is_open = |row: &&RowResult| row.judgement.verdict == Verdict::Inconclusive;
        let Some(row) = control.filter(is_open) else { return };
        // Those warnings have the reason.
        if outcome.out_of_time || outcome.interrupted.is_some() {
            return;
        }
        let size =
            row_change(row).map_or(String::new(), |(change, ends)| format!(", {change} {ends}"));
        let said = format!(
            "The control, base against a copy of itself{size}. This machine may be too noisy. {}",
            again(self.comparison)
        );
        self.add("inconclusive", said);
    }

    /// Adds the options that would decide the rows that are left, where measuring ended because they take long.
    fn add_open(&mut self, command: &str) {
        let (outcome, codes) = (&self.comparison.outcome, &self.comparison.codes);
        let counts = |case: &CaseResult| !codes.is_identical(&case.name);
        let Some(longer) = outcome.longer(counts) else { return };
        let is_open = |row: &RowResult| {
            row.judgement.verdict == Verdict::Inconclusive && row.doubts.is_empty()
        };
        let open = self.with(|case| counts(case) && case.rows.iter().any(is_open)).len();
        let said = match options_of_compare(longer, outcome) {
            Some(options) => format!("More time is likely to decide: `{command}{options}`"),
            None => "A verdict on all would take more than an hour.".to_owned(),
        };
        if open > 0 {
            self.add("inconclusive", format!("{}. {said}", counted(open, "benchmark")));
        }
    }

    fn add_checks(&mut self) {
        let own_doubt =
            |row: &RowResult| row.doubts.iter().find(|doubt| !is_of_control(doubt)).copied();
        let mut rows = self.comparison.outcome.cases.iter().flat_map(|case| &case.rows);
        if let Some(doubt) = rows.find_map(own_doubt) {
            let which = doubt_sentence(&doubt);
            let cure = match doubt {
                Doubt::TwoSpeeds(_) => "Measure more work in a call.".to_owned(),
                _ => again(self.comparison),
            };
            let said = format!("Such as: {which}. {cure}");
            self.add_about("check failed", self.with_row(|row| own_doubt(row).is_some()), &said);
        }
        self.add_about(
            "work per call changed",
            self.with_row(|row| row.work.is_some()),
            "The change of time may come from that alone. `-v` prints the change per unit of work.",
        );
        self.add_about(
            "correlated measurements",
            self.with_row(|row| row.repaired),
            "Neighboring blocks were averaged in pairs, which the error rate α does not cover.",
        );
        self.add_about(
            "methods disagree",
            self.with_row(|row| !row.notes.is_empty()),
            "A second method, such as CPU time or the mean, gives a different change. `-v` names it.",
        );
    }

    fn add_builds(&mut self) {
        let built = &self.comparison.built;
        if let Some(profile) = built::profile(built) {
            self.add("profiles differ", profile);
        }
        if !built.dependencies.is_empty() {
            self.add("dependencies differ", built::dependencies(built));
        }
        if built::has_unequal_locks(built) {
            self.add("lock file", built::locks(built).join(" "));
        }
        let others = || built.outside.iter().filter(|one| !built::is_harness(one));
        if others().next().is_some() && built::edited(built).is_none() {
            let said = others().map(built::outside).collect::<Vec<_>>().join("; ");
            self.add(OUTSIDE, format!("{said}. Both versions use their present state."));
        }
        if let Some(toolchain) = built::toolchain(built) {
            self.add("same compiler", toolchain);
        }
        for one in &built.one_layout {
            self.add("single layout", built::one_layout(one));
        }
        for one in &built.left_out {
            self.add("skipped", built::left_out(one));
        }
    }

    fn add_codes(&mut self) {
        let comparison = self.comparison;
        self.add_about(
            "skipped",
            self.with(|case| case.failure.is_some() && !case.has_failed()),
            "They measure nothing.",
        );
        let set_up = comparison.codes.only_set_up().map(|case| case.name.as_str()).collect();
        let said = "The timed functions are the same, and their input may differ, or just lie elsewhere in memory. Such a \
                    slowdown fails the gate only beyond the margin.";
        self.add_about("only set-up changed", set_up, said);
        let unknown = comparison.codes.cases.iter().filter_map(|case| match &case.code {
            Code::Unknown(why) => Some((case.name.as_str(), why)),
            _ => None,
        });
        let (names, reasons): (Vec<&str>, Vec<&String>) = unknown.unzip();
        if let Some(why) = reasons.first() {
            let instead = match comparison.outcome.cases.is_empty() {
                true => "A comparison would measure them",
                false => "They were measured instead",
            };
            self.add_about("code not comparable", names, &format!("{instead}: {}.", visible(why)));
        }
        self.add_about(
            "interrupted samples",
            self.with_row(|row| row.blocks.iter().any(|block| block.clean_only)),
            &format!("Only samples without interruption were used. {}", again(comparison)),
        );
    }
}

/// Whether a doubt is that base and a copy of base differ.
pub(super) fn is_of_control(doubt: &Doubt) -> bool {
    matches!(doubt, Doubt::ControlDiffers { .. })
}

#[cfg(test)]
mod tests {
    use super::{super::of_record, *};

    #[test]
    fn a_control_that_is_inconclusive_is_reported() {
        let said = |verdict: Verdict| {
            let mut comparison = of_record(&crate::report::kept_record());
            let control = comparison.outcome.control.as_mut().unwrap();
            control.rows.last_mut().unwrap().judgement.verdict = verdict;
            let warnings = crate::report::warnings(&comparison);
            warnings.iter().any(|one| one.said.starts_with("The control, base against a copy"))
        };
        assert!(said(Verdict::Inconclusive) && !said(Verdict::WithinMargin));
    }
}
