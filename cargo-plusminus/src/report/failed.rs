//! Reasons for which a comparison fails: benchmarks that failed, regressions, and a machine that was too noisy, each
//! with its cure.

use std::collections::BTreeSet;

use plusminus::{
    exit,
    report::{case_failure, row_change},
    results::{CaseResult, RowResult},
    text::{
        number::{counted, percent_proven, time},
        shell, visible,
    },
};
use plusminus_analysis::verdict::Verdict;

use super::{Comparison, WHOLE_PROGRAMS, accepted, code, costs, noticed::is_of_control};

/// Regressions that have an error each; the table shows the others.
const REGRESSIONS: usize = 3;

/// The errors of a report, each of several lines.
pub(crate) fn errors(comparison: &Comparison) -> Vec<String> {
    let cases = &comparison.outcome.cases;
    let mut errors: Vec<String> =
        cases.iter().filter(|case| case.has_failed()).filter_map(case_failure).collect();
    // Only versions of a repository run in trees.
    if comparison.base.commit.is_some() {
        missing(&mut errors, &comparison.built.ignored);
    }
    errors.extend(code::contradictions(comparison));
    errors.extend(costs::lacking(comparison));
    match comparison.summary.exit_code {
        exit::REGRESSION => {
            errors.extend(regressions(comparison));
            errors.extend(costs::errors(comparison));
            errors.extend(fails_by_doubt(comparison).then(|| {
                let open = inconclusive(comparison);
                let verb = if open == 1 { "is" } else { "are" };
                let benchmarks = counted(open, "benchmark");
                format!("{benchmarks} {verb} inconclusive, and `--fail-on` fails on that")
            }));
        }
        exit::UNRELIABLE => errors.extend(noise(comparison)),
        _ => {}
    }
    errors
}

/// Files that an error lists by name.
const NAMED: usize = 3;

/// Adds the cure to failures of a file that a version lacks: git ignores it, or it is outside of the repository.
fn missing(errors: &mut [String], ignored: &[String]) {
    let lacks = |error: &str| {
        ["No such file", "NotFound", "os error 2)", "os error 3)"]
            .iter()
            .any(|text| error.contains(text))
    };
    let named: Vec<String> =
        ignored.iter().take(NAMED).map(|path| format!("`{}`", visible(path))).collect();
    let more = match ignored.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let cure = match ignored.first() {
        Some(first) => format!(
            "Git ignores {}{more}, so trees of commits do not have them. To give both versions a file or folder: \
             `--share {}`",
            named.join(", "),
            shell(&visible(first))
        ),
        None => "Both versions run in trees of their own. A file outside of the repository needs an absolute path.".to_owned(),
    };
    for error in errors.iter_mut().filter(|error| lacks(error)) {
        error.push_str(&format!("\n{cure}"));
    }
}

/// Whether the exit code is 1 although nothing is slower or costs more: that is what `--fail-on` wants.
fn fails_by_doubt(comparison: &Comparison) -> bool {
    comparison.summary.exit_code == exit::REGRESSION
        && regressions(comparison).is_empty()
        && costs::errors(comparison).is_empty()
}

fn inconclusive(comparison: &Comparison) -> usize {
    let is_open = |case: &&CaseResult| {
        case.rows.iter().any(|row| row.judgement.verdict == Verdict::Inconclusive)
    };
    comparison.outcome.cases.iter().filter(is_open).count()
}

pub(super) fn exit_code(comparison: &Comparison) -> Option<String> {
    let code = comparison.summary.process_exit_code();
    if code >= exit::INTERRUPTED {
        return Some(format!("exit code {code} (interrupted)"));
    }
    if comparison.summary.is_bisecting {
        return Some(format!("exit code {code} (0 good, 1 bad, 125 unknown)"));
    }
    (code != exit::FINE).then(|| {
        let worse = match comparison.gate.is_of_time_alone() {
            _ if fails_by_doubt(comparison) => "inconclusive",
            true => "slower",
            false => "worse",
        };
        format!("exit code {code} (0 no regression, 1 {worse}, 2 failed, 3 machine too noisy)")
    })
}

/// Options that choose what is compared. A record may come from anywhere, so that no others of it are repeated: they may write files.
pub(crate) const OPTIONS: [&str; 13] = [
    "workspace",
    "all-features",
    "no-default-features",
    "package",
    "exclude",
    "bench",
    "features",
    "profile",
    "manifest-path",
    "share",
    "lock",
    "layout",
    "margin",
];

/// Whether an option, as it is typed, chooses what is compared.
pub(super) fn is_known(option: &str) -> bool {
    let name = option.split('=').next().unwrap_or_default();
    name.strip_prefix("--").is_some_and(|name| OPTIONS.contains(&name))
}

/// The command that makes a comparison again, of these benchmarks or of all; none for programs that are no benchmarks.
pub(crate) fn command(comparison: &Comparison, benchmarks: &[&str]) -> Option<String> {
    if comparison.summary.layout == Some(WHOLE_PROGRAMS) {
        return None;
    }
    let [base, new] = [&comparison.base, &comparison.new].map(|side| visible(&side.name));
    let base = match &comparison.base.commit {
        // A merge base has a name that git does not know.
        Some(hash) if base.contains(' ') => hash.chars().take(12).collect(),
        _ => base,
    };
    let versions = match (&comparison.base.commit, new.contains(' ')) {
        (None, _) => format!("--binaries {} {}", shell(&base), shell(&new)),
        // The working tree, as it is.
        (Some(_), true) => shell(&base),
        (Some(_), false) => shell(&format!("{base}..{new}")),
    };
    let mut command = format!("cargo plusminus compare {versions}");
    for option in &comparison.options {
        command = format!("{command} {}", shell(&visible(option)));
    }
    for name in benchmarks.iter().collect::<BTreeSet<_>>() {
        command = format!("{command} {}", shell(&visible(name)));
    }
    Some(command)
}

/// The slower rows, the largest change first, and what to do about them.
fn regressions(comparison: &Comparison) -> Vec<String> {
    let mut slower: Vec<(&CaseResult, &RowResult)> = Vec::new();
    for case in &comparison.outcome.cases {
        let rows = case.rows.iter().filter(|row| comparison.is_too_slow(case, row));
        let worst = rows.max_by(|a, b| least(a).total_cmp(&least(b)));
        let counts = !comparison.codes.is_identical(&case.name) && !comparison.accepts(case);
        slower.extend(worst.filter(|_| counts).map(|row| (case, row)));
    }
    slower.sort_by(|a, b| least(b.1).total_cmp(&least(a.1)));
    let mut errors: Vec<String> = Vec::new();
    let mut last_remark = None;
    for (case, row) in slower.iter().take(REGRESSIONS) {
        let mut said = regression(case, row, comparison);
        let remark = code::remark(comparison, &case.name);
        // One change of code often makes several benchmarks slower.
        match &remark {
            Some(_) if remark == last_remark => said.push_str("\ncode: as above"),
            Some(remark) => said.push_str(&format!("\n{remark}")),
            None => {}
        }
        last_remark = remark;
        errors.push(said);
    }
    if slower.len() > REGRESSIONS {
        let more = slower.len() - REGRESSIONS;
        let slower = counted(more, "more benchmark");
        errors.push(format!("{slower} proven slower, as the table shows"));
    }
    if let (Some(last), Some((case, row))) = (errors.last_mut(), slower.first()) {
        let names: Vec<&str> =
            slower.iter().take(REGRESSIONS).map(|(case, _)| case.name.as_str()).collect();
        if let Some(command) = command(comparison, &names) {
            last.push_str(&format!("\nTo reproduce: `{command}`"));
        }
        if comparison.summary.layout.is_some_and(|layout| ["sampled", "aligned"].contains(&layout))
        {
            last.push_str(
                "\nTo measure the programs that cargo builds for users, add `--layout as-built`",
            );
        }
        if let Some((_, high)) = row.change_interval().filter(|(_, high)| *high > row.margin) {
            last.push_str(&match (&comparison.base.commit, comparison.summary.layout) {
                (Some(_), layout) if layout != Some(WHOLE_PROGRAMS) => format!(
                    "\n{} to {} and commit it with the change:\n{}",
                    match slower.len() {
                        1 => "To accept it, add this",
                        _ => "To accept them, add an entry for each",
                    },
                    accepted::FILE,
                    accepted::entry(case, high)
                ),
                _ => format!("\nTo ignore it: `--margin {}`", (100.0 * high).ceil()),
            });
        }
    }
    errors
}

impl Comparison {
    /// Whether a row is proven slower by more than the gate lets pass. Where only set-up changed, that is at least the margin: the
    /// input lies where the set-up puts it, in all processes alike.
    pub(crate) fn is_too_slow(&self, case: &CaseResult, row: &RowResult) -> bool {
        let Some(up_to) = self.gate.of_time() else { return false };
        let up_to = match self.codes.is_only_set_up(&case.name) {
            true => up_to.max(row.margin),
            false => up_to,
        };
        let is_beyond = up_to == 0.0 || row.change_interval().is_some_and(|(low, _)| low > up_to);
        row.judgement.verdict == Verdict::Slower && is_beyond
    }
}

/// By how much a row is slower at least.
fn least(row: &RowResult) -> f64 {
    row.judgement.at_least.unwrap_or(0.0)
}

fn regression(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> String {
    let name = match &row.instance {
        Some(instance) if case.rows.len() > 1 => {
            format!("{}` on `{}", visible(&case.name), visible(instance))
        }
        _ => visible(&case.name),
    };
    let by = row
        .judgement
        .at_least
        .map_or(String::new(), |least| format!("at least {} ", percent_proven(least)));
    let mut said = format!("`{name}` is {by}slower than {}", visible(&comparison.base.name));
    if let (Some([base, new]), Some((change, ends))) = (&row.times, row_change(row)) {
        let (base, new) = (time(base.estimate.value), time(new.estimate.value));
        said.push_str(&format!("\n{base} → {new}, {change} {ends}"));
        let is_program = comparison.summary.layout == Some(WHOLE_PROGRAMS);
        if let Some((file, line)) = case.place.as_ref().filter(|_| !is_program) {
            said.push_str(&format!(", {}:{line}", visible(file)));
        }
    }
    if let Some(bound) = comparison.bound(case) {
        said.push_str(&format!("\n{} accepts up to {}", accepted::FILE, accepted::bound(bound)));
    }
    said
}

/// Why nothing can be trusted, if base and a copy of base differ.
fn noise(comparison: &Comparison) -> Option<String> {
    let mut rows = comparison.outcome.cases.iter().flat_map(|case| &case.rows);
    rows.find(|row| row.doubts.iter().any(is_of_control))?;
    let mut said = "this machine was too noisy to compare anything".to_owned();
    let control = comparison.outcome.control.as_ref().and_then(|case| case.rows.last());
    if let Some((change, ends)) = control.and_then(row_change) {
        said.push_str(&format!(
            "\n{} against an identical copy of itself differs by {change} {ends}.",
            visible(&comparison.base.name)
        ));
    }
    said.push_str("\nNothing is known about your change. Measure again with `--retry-noisy 1`, or use a quieter machine.");
    Some(said)
}

#[cfg(test)]
mod tests {
    use super::{command, is_known, missing};

    #[test]
    fn a_command_selects_benchmarks_by_the_names_that_reports_print() {
        let comparison = crate::report::of_record(&crate::report::kept_record());
        let said = command(&comparison, &["speed: parse", "other: parse"]).unwrap();
        assert!(said.ends_with(" 'other: parse' 'speed: parse'"), "{said}");
    }

    #[test]
    fn no_option_that_writes_a_file_is_repeated_from_a_record() {
        assert!(is_known("--package=a") && is_known("--workspace"));
        for option in ["--record=x", "--json=x", "--comment", "-p", "package=a", ""] {
            assert!(!is_known(option), "{option}");
        }
    }

    #[test]
    fn a_file_that_git_ignores_is_named_with_the_cure() {
        let failed = "reads failed in base: panicked: Os { code: 2, kind: NotFound }".to_owned();
        let other = "adds failed in base: panicked: overflow".to_owned();
        let mut errors = [failed.clone(), other.clone()];
        missing(&mut errors, &[]);
        assert!(errors[0].ends_with("\nBoth versions run in trees of their own. A file outside of the repository needs an absolute path."));
        assert_eq!(errors[1], other);
        let mut errors = [failed, other.clone()];
        let ignored = ["data", "big.bin", "a", "b"].map(str::to_owned);
        missing(&mut errors, &ignored);
        let said = "\nGit ignores `data`, `big.bin`, `a` and 1 more, so trees of commits do not have them. To give both \
                    versions a file or folder: `--share data`";
        assert!(errors[0].ends_with(said), "{}", errors[0]);
        assert_eq!(errors[1], other);
    }
}
