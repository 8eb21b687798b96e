//! Gives the answer of a comparison: the report, wherever it is wanted, and the exit code.

use std::path::Path;

use plusminus::{
    exit,
    output::{print, write_file},
    record::{self, ComparisonRecord},
};

use super::{
    arguments::{Arguments, Format, Output},
    exit_code::exit_code,
    sides::Prepared,
};
use crate::{
    error::{Error, Result, at},
    report::{self, Codes},
};

pub(super) fn again(path: &Path, arguments: &Arguments) -> Result<i32> {
    let record = record::read_comparison(path)?;
    reported(&record, Vec::new(), Codes::default(), None, arguments)
}

/// Reports a record, wherever that is wanted, and with all details into the file `full`. Returns the exit code.
pub(super) fn reported(
    record: &ComparisonRecord,
    programs: Vec<report::Program>,
    codes: Codes,
    full: Option<&Path>,
    arguments: &Arguments,
) -> Result<i32> {
    let mut comparison = report::of_record(record);
    comparison.gate = arguments.output.gate.clone();
    comparison.programs = programs;
    if !codes.cases.is_empty() {
        // The codes say the same, and why.
        comparison.names.identical_code.clear();
        comparison.codes = codes;
    }
    let code = match record.interrupted {
        Some(signal) => exit::INTERRUPTED + signal,
        None => match exit_code(&comparison, &comparison.codes, arguments.output.fail_on) {
            exit::FINE | exit::REGRESSION if !comparison.contradicted.is_empty() => {
                exit::UNRELIABLE
            }
            code => code,
        },
    };
    comparison.summary.exit_code = code;
    comparison.summary.is_bisecting = arguments.output.bisect;
    publish(&comparison, full, &arguments.output)?;
    Ok(code)
}

pub(super) fn only_built(prepared: &Prepared, output: &Output) -> Result<i32> {
    let Prepared { base, new, built, programs, .. } = prepared;
    let built = built.clone().unwrap_or_default();
    let json = || report::built::render_json([base, new], &built, programs);
    if let Some(file) = &output.json {
        write_file(file, json().as_bytes()).map_err(at("write", file))?;
    }
    let text = match output.format {
        Format::Table | Format::Markdown => report::built::render([base, new], &built, programs),
        Format::Json => json(),
    };
    print(&text).map_err(Error::Message)?;
    Ok(exit::FINE)
}

/// Prints the report, and writes it wherever it is wanted.
fn publish(comparison: &report::Comparison, full: Option<&Path>, output: &Output) -> Result<()> {
    // Files first: what is printed may have no reader any more. A file that cannot be written takes no report away.
    let written = files(comparison, output);
    let text = match output.format {
        Format::Table => report::table::printed(comparison, full, output.verbose),
        Format::Json => report::json::render(comparison),
        Format::Markdown => report::markdown::render(comparison),
    };
    print(&text).map_err(Error::Message)?;
    written
}

fn files(comparison: &report::Comparison, output: &Output) -> Result<()> {
    let json = output.json.as_ref().map(|file| (file, report::json::render(comparison)));
    let comment = output.comment.as_ref().map(|file| (file, report::markdown::comment(comparison)));
    let mut written = Ok(());
    for (file, text) in json.into_iter().chain(comment) {
        written = written.and(write_file(file, text.as_bytes()).map_err(at("write", file)));
    }
    written.and(report::github::publish(comparison))
}
