//! `cargo plusminus export`: records in the formats of other tools. Measures nothing; its numbers come from `plusminus::results`.

mod critcmp;
mod samples;
mod services;
mod tables;

use std::path::PathBuf;

use plusminus::{
    exit,
    output::{print, try_file, write_file},
    record::{AnyRecord, Record, Side, read_any},
};

use crate::error::{Error, Result, at};

/// Writes a record for other tools.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of a comparison, the new side is written.
Examples:
  cargo plusminus export bmf RECORD | bencher run --adapter json
  cargo plusminus export critcmp RECORD --name before --output before.json && critcmp before.json after.json
  cargo plusminus export csv RECORD --output samples.csv")]
pub(crate) struct ExportArguments {
    /// The format.
    #[arg(value_enum)]
    format: Format,
    /// A record that `cargo bench` has written, or `compare --record`.
    record: PathBuf,
    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Name the results for critcmp [default: the name of the file].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// The formats of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Bencher Metric Format: latency in nanoseconds with its 95 % interval.
    Bmf,
    /// github-action-benchmark, its tool `customSmallerIsBetter`.
    Github,
    /// Every sample, one line per sample.
    Csv,
    /// Every sample, a JSON object on each line.
    Jsonl,
    /// The format that critcmp writes with --export and reads.
    Critcmp,
    /// Prometheus, OpenMetrics: gauges of times with their uncertainties.
    Openmetrics,
    /// Tables for pages.
    Markdown,
}

pub(crate) fn export(arguments: &ExportArguments) -> Result<i32> {
    if let Some(file) = &arguments.output {
        try_file(file).map_err(at("write", file))?;
    }
    let read = read_any(&arguments.record)?;
    let text = match &read {
        AnyRecord::Comparison(record) => of_record(&record.side(Side::New), arguments),
        AnyRecord::Measurement(record) => of_record(record, arguments),
    };
    match &arguments.output {
        Some(file) => write_file(file, text.as_bytes()).map_err(at("write", file))?,
        None => print(&text).map_err(Error::Message)?,
    }
    Ok(exit::FINE)
}

fn of_record(record: &Record, arguments: &ExportArguments) -> String {
    match arguments.format {
        Format::Bmf => services::bmf(record),
        Format::Github => services::github(record),
        Format::Csv => samples::csv(record),
        Format::Jsonl => samples::json_lines(record),
        Format::Critcmp => {
            let stem = arguments.record.file_stem();
            let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
            let name = arguments.name.clone().or(stem).unwrap_or_else(|| "record".to_owned());
            critcmp::render(record, &name)
        }
        Format::Openmetrics => services::openmetrics(record),
        Format::Markdown => tables::markdown(record),
    }
}
