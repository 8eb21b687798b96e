//! The report at a terminal: a line for each benchmark, what was noticed, and the verdicts in all; with every number and
//! sentence if wanted.

use std::{env, fs, path::Path};

use plusminus::{
    output::{complain, view, write_file},
    report::{
        case_failure, colour, comparison_cells, comparison_interrupted, foot, row_numbers,
        row_remarks,
    },
    results::{CaseResult, RowResult},
    text::{
        Cell, Drawn, Group, Line, Paint, Style, View, lines as aligned_lines,
        number::{duration, percent, time, with_uncertainty},
        sentence, table, visible, width,
    },
};
use plusminus_analysis::verdict::Verdict;

use super::{Comparison, built, code, noticed, sentences};

/// Blanks before what belongs to a benchmark.
const BLANKS: usize = 4;

/// Columns of a report in a file.
const FILE_COLUMNS: usize = 120;

/// The report of a comparison, no line of it wider than the view. Without details it has a heading, at most a line for each
/// benchmark, and three at the end. `full` is where the report with all details is, if it is in a file.
pub(crate) fn render(comparison: &Comparison, full: Option<&str>, view: &View) -> String {
    let cases = &comparison.outcome.cases;
    let group = Group {
        heading: heading(comparison),
        lines: cases.iter().map(|case| line(case, comparison)).collect(),
    };
    let short = aligned_lines(&[group], view);
    let mut text = String::new();
    if view.verbose {
        let mut rows = short.lines();
        text.extend(rows.next().map(|heading| format!("{heading}\n")));
        for (case, row) in cases.iter().zip(rows) {
            text.push_str(&format!("{row}\n"));
            for said in details(case, comparison) {
                let said = format!("{}{said}", " ".repeat(BLANKS));
                text.push_str(&view.paragraph(&said, BLANKS + 2));
            }
        }
        for said in general(comparison).into_iter().chain(sentences::foot(comparison)) {
            text.push_str(&view.paragraph(&said, 2));
        }
    } else {
        text.push_str(&short);
    }
    for said in code::contradictions(comparison) {
        text.push_str(&view.paragraph(&said, 2));
    }
    let how = if view.verbose || full.is_some() { "" } else { "; more: -v" };
    let full = full.filter(|_| !view.verbose).map(|path| format!("details: {}", sentence(path)));
    let hint = "; glossary: cargo plusminus explain TERM";
    text + &foot(&noticed::counted(comparison), how, full, &summary(comparison, view), hint, view)
}

/// The report as this terminal, or what takes its place, can show it; with all details in the file `full`, too.
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

/// The two versions, and how they were judged.
fn heading(comparison: &Comparison) -> Vec<String> {
    let summary = &comparison.summary;
    vec![
        format!("{} → {}", comparison.base.text(), comparison.new.text()),
        format!("margin {}", percent(summary.margin)),
        format!("α {}", summary.alpha),
        format!("seed {}", summary.seed),
    ]
}

/// The line of a benchmark: of all its instances together, where there are several.
fn line(case: &CaseResult, comparison: &Comparison) -> Line {
    let mut line = Line { name: visible(&case.name), ..Line::default() };
    if let Some(failure) = &case.failure {
        let how = if failure.is_nothing { "skipped" } else { "failed" };
        line.instead = Some(format!("{how}: {}", sentence(&failure.message)));
        line.paint = Paint::Bad;
        return line;
    }
    let Some(row) = case.rows.last() else {
        line.instead = Some("not measured".to_owned());
        return line;
    };
    // Beside the change, times need no σ of their own; where there is no room, they need not be there.
    line.more = row.times.as_ref().map_or(String::new(), |[base, new]| {
        format!("{} → {}", time(base.estimate.value), time(new.estimate.value))
    });
    line.compared = change_with_uncertainty(row).unwrap_or_default();
    line.interval = row.change().zip(row.change_interval()).map(|(middle, (low, high))| Drawn {
        low: 1.0 + low,
        middle: 1.0 + middle,
        high: 1.0 + high,
    });
    line.verdict = verdict(case, row, comparison);
    if !comparison.codes.is_identical(&case.name) {
        line.paint = colour(row.judgement.verdict);
    }
    line
}

/// `+3.52 ± 0.41 %`
fn change_with_uncertainty(row: &RowResult) -> Option<String> {
    let (speedup, change) = (row.speedup?, row.change()?);
    // The change is 1/S − 1.
    let u = row.sigma.map(|sigma| 100.0 * sigma / (speedup * speedup));
    let text = with_uncertainty(100.0 * change.abs(), u);
    let nothing = text.split(" ±").next()?.chars().all(|c| !c.is_ascii_digit() || c == '0');
    let sign = match change {
        _ if nothing => "",
        change if change < 0.0 => "−",
        _ => "+",
    };
    Some(format!("{sign}{text} %"))
}

/// The verdict on a benchmark, and how many of its instances come to another one.
fn verdict(case: &CaseResult, row: &RowResult, comparison: &Comparison) -> String {
    let label = sentences::label(case, row, comparison);
    let Some((_, instances)) = case.rows.split_last() else { return label };
    let differing = [Verdict::Slower, Verdict::Faster].into_iter().find_map(|verdict| {
        let count = instances.iter().filter(|row| row.judgement.verdict == verdict).count();
        (count > 0 && verdict != row.judgement.verdict).then_some((count, verdict.id()))
    });
    match differing {
        Some((count, word)) if !comparison.codes.is_identical(&case.name) => {
            format!("{label}, {count} of {} {word}", instances.len())
        }
        _ => label,
    }
}

/// How many benchmarks there are, in which time they were measured, and what came out.
fn summary(comparison: &Comparison, view: &View) -> String {
    let outcome = &comparison.outcome;
    let measured = outcome.cases.len();
    let verdicts = view.text(&sentences::headline(comparison));
    let plural = if measured == 1 { "" } else { "s" };
    let all = format!("{measured} benchmark{plural} in {}: ", duration(outcome.seconds));
    // The verdicts are what is wanted: the rest is there where there is room. That there are none comes first.
    let has_room = measured > 0 && width(&all) + width(&verdicts) <= view.width;
    match has_room && !sentences::is_nothing_decided(comparison) {
        true => all + &verdicts,
        false => verdicts,
    }
}

/// Every number of a benchmark and what was noticed, each row in words.
fn details(case: &CaseResult, comparison: &Comparison) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(failure) = case_failure(case) {
        said.push(failure);
        return said;
    }
    for row in &case.rows {
        said.push(row_numbers(&cells(case, row, comparison)));
        said.push(sentences::sentence(case, row, comparison));
        said.extend(row_remarks(row));
    }
    said.extend(code::remark(comparison, &case.name));
    said
}

/// What there is to say besides single benchmarks.
fn general(comparison: &Comparison) -> Vec<String> {
    let mut said = code::unmeasured(comparison);
    said.extend(code::lines(comparison));
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
