//! Output for GitHub: the summary of the job, and annotations at the benchmarks that changed.

use std::{env, fs::OpenOptions, io::Write, path::Path};

use plusminus::{
    output::complain,
    report::{case_failure, doubt_sentence, measure_words, row_name},
};
use plusminus_analysis::verdict::Verdict;

use super::{Comparison, markdown, sentences};
use crate::error::{Result, at};

/// Appends to the job's summary and prints annotations, where GitHub asks for them.
pub(crate) fn publish(comparison: &Comparison) -> Result<()> {
    if let Some(file) = env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) {
        append(Path::new(&file), &format!("{}\n", markdown::render(comparison)))?;
    }
    if env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        // On standard error, so that `--format json` stays JSON; GitHub reads both.
        annotations(comparison).iter().for_each(|line| complain(&format!("{line}\n")));
    }
    Ok(())
}

pub(crate) fn append(file: &Path, text: &str) -> Result<()> {
    let mut output =
        OpenOptions::new().append(true).create(true).open(file).map_err(at("open", file))?;
    output.write_all(text.as_bytes()).map_err(at("write", file))
}

/// Returns the commands by which GitHub attaches messages to lines of source.
fn annotations(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &comparison.outcome.cases {
        let place = case
            .place
            .as_ref()
            .map_or(String::new(), |(file, line)| format!("file={},line={line},", property(file)));
        let mut annotate = |level: &str, message: &str| {
            lines.push(format!("::{level} {place}title=plusminus::{}", data(message)));
        };
        if let Some(failure) = case_failure(case) {
            annotate("error", &failure);
            continue;
        }
        if comparison.codes.is_identical(&case.name) {
            continue;
        }
        for row in &case.rows {
            for measure in comparison.failing(case, row) {
                let words = measure_words(measure, row.margin);
                annotate("error", &format!("{} costs more: {words}.", row_name(case, row)));
            }
            let sentence = sentences::sentence(case, row, comparison);
            match (row.judgement.verdict, row.doubts.first()) {
                (_, Some(doubt)) => {
                    annotate("warning", &format!("{sentence} {}", doubt_sentence(doubt)));
                }
                (Verdict::Slower, None) if comparison.accepts(case) => {
                    annotate("notice", &format!("{sentence} The change accepts it."));
                }
                (Verdict::Slower, None) => annotate("error", &sentence),
                (Verdict::Faster, None) => annotate("notice", &sentence),
                (Verdict::WithinMargin | Verdict::Inconclusive, None) => {}
            }
        }
    }
    if sentences::is_nothing_decided(comparison) {
        let said = sentences::headline(comparison);
        lines.push(format!("::warning title=plusminus::{}", data(&said)));
    }
    lines
}

/// A message in which nothing ends the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property in which nothing ends it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(data("5 %\n::error::x"), "5 %25%0A::error::x");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
