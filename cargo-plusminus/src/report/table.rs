//! The report at a terminal: a line for each benchmark, warnings, and the verdicts in all; with every number and
//! remark on request.

use std::{env, fs, path::Path};

use plusminus::{
    output::{complain, view, write_file},
    report::{
        Foot, WARNINGS, case_failure, change_with_interval, colour, comparison_cells,
        comparison_interrupted, prefix_heading, row_details, row_name, shared_prefix,
    },
    results::{CaseResult, RowResult, Time},
    text::{
        Cell, Drawn, Group, Heads, Line, Paint, Style, View, lines as aligned_lines,
        number::{change, counted, duration, time},
        sentence, table, visible,
    },
};
use plusminus_analysis::verdict::Verdict;

use super::{Comparison, accepted, built, code, costs, failed, noticed, sentences, why};

/// Blanks before what belongs to a benchmark.
const BLANKS: usize = 4;

/// Columns of a report in a file.
const FILE_COLUMNS: usize = 120;

/// The report of a comparison. Only single words are wider than the view. Without details it has a line for each
/// benchmark, two if a name is long; below them all errors, at most three warnings, and the result. `full` is where
/// the report with all details is, if it is in a file.
pub(crate) fn render(comparison: &Comparison, full: Option<&str>, view: &View) -> String {
    let noticed = noticed::all(comparison);
    let shown = if view.verbose { 0 } else { WARNINGS };
    let benchmarks = comparison.outcome.cases.len();
    let marked = noticed::marked(&noticed[..noticed.len().min(shown)], benchmarks);
    let heading = format!("Comparing {} → {}", comparison.base.text(), comparison.new.text());
    let mut text = view.paragraph(&heading, 2);
    if let (Some(said), false) = (code::identical(comparison), view.verbose) {
        text.push_str(&view.paragraph(&said, 2));
    }
    let groups = groups(comparison);
    let lines_of: Vec<Group> = groups.iter().map(|group| group.group(comparison, marked)).collect();
    let (heads, made) = aligned_lines(&lines_of, &heads(comparison), view);
    if !groups.is_empty() && !view.verbose {
        text.push('\n');
    }
    text.push_str(&heads);
    for (group, made) in groups.iter().zip(made) {
        text.push_str(&made.heading);
        let mut rows = made.rows.iter();
        for case in &group.cases {
            let rows = rows.by_ref().take(1 + differing(case, comparison).len());
            let rows: Vec<&str> = rows.map(String::as_str).collect();
            text.push_str(&rows.concat());
            let said = match view.verbose {
                true => details(case, comparison, &rows, view),
                false => costs::changed(case),
            };
            for said in said {
                let said = format!("{}{said}", " ".repeat(BLANKS));
                text.push_str(&view.paragraph(&said, BLANKS + 2));
            }
        }
    }
    if view.verbose {
        let said = comparison.complexity.iter().cloned();
        for said in said.chain(general(comparison)).chain(sentences::foot(comparison)) {
            text.push_str(&view.paragraph(&said, 2));
        }
    }
    // In full, the report prints all of this above.
    let warnings = noticed.iter().filter(|_| !view.verbose);
    let full = full.filter(|_| !view.verbose);
    let foot = Foot {
        errors: failed::errors(comparison),
        warnings: warnings.map(|one| one.warning(benchmarks, marked)).collect(),
        limit: WARNINGS,
        more: full.map_or("`-v`".to_owned(), sentence),
        summary: summary(comparison),
        places: full.map(|path| ("Details", sentence(path))).into_iter().collect(),
    };
    let sizes = costs::sizes(comparison).filter(|_| !view.verbose);
    let why: Vec<String> = sizes.into_iter().chain(why::lines(comparison)).collect();
    if !why.is_empty() {
        text.push('\n');
    }
    for said in why {
        text.push_str(&view.paragraph(&said, 2));
    }
    let accepted = accepted::lines(comparison);
    if !view.verbose && !groups.is_empty() {
        text.push('\n');
    }
    for said in accepted.iter().filter(|_| !view.verbose) {
        text.push_str(&view.paragraph(said, 2));
    }
    if !view.verbose && !accepted.is_empty() {
        text.push('\n');
    }
    text + &foot.text(view)
}

/// Returns the report in the form that this terminal or pipe can show. The file `full` also gets all details.
pub(crate) fn printed(comparison: &Comparison, full: Option<&Path>, verbose: bool) -> String {
    let in_full =
        render(comparison, None, &View { width: FILE_COLUMNS, verbose: true, ..View::default() });
    let write = |path: &Path| {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        write_file(path, in_full.as_bytes())
    };
    let kept = full.filter(|path| match write(path) {
        Ok(()) => true,
        Err(reason) => {
            complain(&format!("plusminus: cannot write {}: {reason}\n", path.display()));
            false
        }
    });
    let here = env::current_dir().unwrap_or_default();
    let kept = kept.map(|path| path.strip_prefix(here).unwrap_or(path).display().to_string());
    render(comparison, kept.as_deref(), &view(None, verbose))
}

fn heads(comparison: &Comparison) -> Heads {
    let rows = comparison.outcome.cases.iter().flat_map(|case| &case.rows);
    let mut margins = rows.map(|row| row.margin);
    let margin = margins.next().filter(|first| margins.all(|margin| margin == *first));
    Heads {
        compared: "change".to_owned(),
        ends: format!("{:.0} % interval", 100.0 * (1.0 - comparison.summary.alpha)),
        margin,
        is_change: true,
    }
}

/// Benchmarks whose names begin alike.
struct Alike<'a> {
    prefix: String,
    cases: Vec<&'a CaseResult>,
}

/// The benchmarks by target, if all have one in front.
fn groups(comparison: &Comparison) -> Vec<Alike<'_>> {
    let target = |case: &CaseResult| {
        let target = case.name.split_once(": ").map(|(target, _)| target);
        target.filter(|target| !target.contains([' ', '"', '('])).map(str::to_owned)
    };
    let cases: Vec<&CaseResult> = comparison.outcome.cases.iter().collect();
    let same = |a: &&CaseResult, b: &&CaseResult| target(a) == target(b);
    let have_targets = cases.iter().all(|case| target(case).is_some());
    let parts: Vec<&[&CaseResult]> = match have_targets {
        true => cases.chunk_by(same).collect(),
        false => vec![&cases[..]],
    };
    let parts = parts.into_iter().filter(|cases| !cases.is_empty());
    let mut groups = Vec::new();
    for cases in parts {
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        let mut prefix = shared_prefix(&names);
        if let (true, true, [only]) = (prefix.is_empty(), have_targets, cases) {
            prefix = target(only).map_or(String::new(), |target| format!("{target}: "));
        }
        groups.push(Alike { prefix, cases: cases.to_vec() });
    }
    groups
}

impl Alike<'_> {
    /// Its rows: one for each benchmark, and one for each of its instances that comes to a different verdict.
    fn group(&self, comparison: &Comparison, marked: &[&str]) -> Group {
        let mut lines = Vec::new();
        for case in &self.cases {
            let whole = line(case, &self.prefix, comparison);
            lines.push(Line { is_marked: marked.contains(&case.name.as_str()), ..whole });
            for row in differing(case, comparison) {
                let name = visible(row_name(case, row).trim_start_matches(&self.prefix));
                lines.push(numbers(case, row, Line { name, ..Line::default() }, comparison));
            }
        }
        let heading = match self.prefix.as_str() {
            "" => Vec::new(),
            prefix => vec![visible(&prefix_heading(prefix))],
        };
        Group { heading, lines }
    }
}

/// The instances that are slower or faster while their benchmark as a whole is not.
pub(crate) fn differing<'a>(case: &'a CaseResult, comparison: &Comparison) -> Vec<&'a RowResult> {
    let Some((whole, instances)) = case.rows.split_last() else { return Vec::new() };
    if case.failure.is_some() || comparison.codes.is_identical(&case.name) {
        return Vec::new();
    }
    let differs = |row: &&RowResult| {
        let verdict = row.judgement.verdict;
        matches!(verdict, Verdict::Slower | Verdict::Faster) && verdict != whole.judgement.verdict
    };
    instances.iter().filter(differs).collect()
}

/// Returns the line of a benchmark, for all its instances together if there are several.
fn line(case: &CaseResult, prefix: &str, comparison: &Comparison) -> Line {
    let name = visible(case.name.strip_prefix(prefix).unwrap_or(&case.name));
    let mut line = Line { name, ..Line::default() };
    if let Some(failure) = &case.failure {
        let (how, paint) = match failure.is_nothing {
            true => ("skipped", Paint::None),
            false => ("failed", Paint::Bad),
        };
        (line.instead, line.paint) = (Some(how.to_owned()), paint);
        return line;
    }
    let Some(row) = case.rows.last() else {
        (line.instead, line.paint) = (Some("not measured".to_owned()), Paint::Warning);
        return line;
    };
    numbers(case, row, line, comparison)
}

/// A line with the numbers and the verdict of a row.
fn numbers(case: &CaseResult, row: &RowResult, mut line: Line, comparison: &Comparison) -> Line {
    let sides = |[base, new]: &[Time; 2]| [base, new].map(|side| time(side.estimate.value));
    line.sides = row.times.as_ref().map(sides);
    if let (Some(middle), Some((low, high))) = (row.change(), row.change_interval()) {
        (line.compared, line.ends) = change_with_interval(middle, (low, high), row.margin);
        line.interval = Some(Drawn { low: 1.0 + low, middle: 1.0 + middle, high: 1.0 + high });
    } else if let Some(middle) = row.change() {
        line.compared = change(middle);
    }
    line.verdict = sentences::label(case, row, comparison);
    line.paint = match () {
        () if comparison.codes.is_identical(&case.name) => Paint::None,
        () if !row.doubts.is_empty() || comparison.accepts(case) => Paint::Warning,
        () => colour(row.judgement.verdict),
    };
    line
}

/// Returns the number of benchmarks, the results, and how long it took.
fn summary(comparison: &Comparison) -> String {
    let outcome = &comparison.outcome;
    let all = sentences::benchmarks(comparison);
    let verdicts = sentences::headline(comparison);
    let times = match outcome.cases.is_empty() {
        true => format!("built in {}", duration(comparison.summary.preparing_seconds)),
        false if comparison.summary.preparing_seconds > 0.0 => format!(
            "measured in {}, built in {}",
            duration(outcome.seconds),
            duration(comparison.summary.preparing_seconds)
        ),
        false => format!("measured in {}", duration(outcome.seconds)),
    };
    // That nothing was decided comes first.
    let text = match sentences::is_nothing_decided(comparison) || all == 0 {
        true => format!("{verdicts} ({times})"),
        false => format!("{}: {verdicts} ({times})", counted(all, "benchmark")),
    };
    match failed::exit_code(comparison) {
        Some(code) => format!("{text}\n{code}"),
        None => text,
    }
}

/// Returns the numbers and remarks of a benchmark that its lines lack: the first is that of the benchmark as a whole.
fn details(
    case: &CaseResult,
    comparison: &Comparison,
    printed: &[&str],
    view: &View,
) -> Vec<String> {
    if let Some(failure) = case_failure(case) {
        return vec![failure];
    }
    let mut said = Vec::new();
    let shown = differing(case, comparison);
    for row in &case.rows {
        let place = match case.rows.last().is_some_and(|whole| std::ptr::eq(whole, row)) {
            true => Some(0),
            false => shown.iter().position(|one| std::ptr::eq(*one, row)).map(|place| place + 1),
        };
        let line = place.and_then(|place| printed.get(place).copied()).unwrap_or_default();
        let label = sentences::label(case, row, comparison);
        let details = row_details(case, row, label, |part| line.contains(&view.text(part)));
        let name = match case.rows.len() {
            1 => String::new(),
            _ => format!("{}: ", row_name(case, row)),
        };
        said.push(format!("{name}{}", details.join("; ")));
    }
    said.extend(code::remark(comparison, &case.name));
    said
}

/// Returns remarks that are not about single benchmarks.
fn general(comparison: &Comparison) -> Vec<String> {
    let mut said = code::unmeasured(comparison);
    said.extend(code::lines(comparison));
    said.extend(accepted::lines(comparison));
    said.extend(sentences::names(comparison));
    said.extend(built::sentences(&comparison.built));
    said.extend(comparison_interrupted(&comparison.outcome));
    said
}

/// A table of plain cells: names to the left, numbers to the right.
pub fn plain(titles: &[&str], lines: &[Vec<String>]) -> String {
    let mut rows: Vec<Vec<Cell>> = vec![titles.iter().map(Cell::from).collect()];
    rows.extend(lines.iter().map(|line| line.iter().map(Cell::from).collect()));
    table(&rows, &[0], Style::Plain)
}

/// The cells of a row: plain text in every format.
pub(crate) fn cells(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> [String; 8] {
    comparison_cells(case, row, sentences::label(case, row, comparison))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_has_all_seconds_and_counts_one() {
        let mut record = crate::report::kept_record();
        (record.seconds, record.preparing_seconds) = (30.0, 12.0);
        record.cases.truncate(1);
        record.identical_code.clear();
        let said = summary(&crate::report::of_record(&record));
        assert!(said.contains("1 benchmark: "), "{said}");
        assert!(said.contains("(measured in 30 s, built in 12 s)"), "{said}");
    }
}
