//! `cargo plusminus report`: pages for people to look at, and the figures in them, from records alone.
//! Measures nothing and computes no estimate of its own: numbers come from `results`, here and in the harness.

mod comparison;
mod definitions;
mod figures;
mod html;
mod measured;
mod place;
pub mod plot;
mod record;
mod study;

use std::path::{Path, PathBuf};

use plusminus::{
    exit,
    output::{print, try_file, write_file},
    record::{AnyRecord, read_any},
};
use rayon::prelude::*;

use crate::error::{Error, Result, at, error};
pub use html::{Body, Group, Page, Row, Rows, Section, Table, Tone, render as rendered};
pub use measured::of_record as how_measured;
pub(crate) use measured::warning as limitations;
pub(crate) use place::{newest as newest_record, slug};
pub use study::{Studied, studied as study};

/// Figures that other pages show as well.
pub mod plots {
    pub use super::figures::{heat_map, span};
}

/// Makes pages from records.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A page is one file: it needs no network and no other file, and can be sent to others as it is.
Examples:
  cargo plusminus report                                   the newest record of this package
  cargo plusminus report target/plusminus/sorting/sort/records/*.json
  cargo plusminus compare main --record change.json && cargo plusminus report change.json
  PLUSMINUS_REPORT=html cargo bench                        a page after every measurement")]
pub(crate) struct Arguments {
    /// Records that `cargo bench` has written, or `compare --record` [default: the newest below target/plusminus].
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// Write pages into this folder [default: `pages` next to the folder `records`, or the folder of the record].
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write one page of a study of all records together: scaling, runs side by side, models and Performance Complexity.
    #[arg(long)]
    study: bool,
    /// Write every figure as an SVG file, and its data as CSV, into this folder.
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// Print only errors.
    #[arg(long, short)]
    quiet: bool,
}

/// How much a page has to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Files that can be read as a page.
    Page,
    /// The figures of every benchmark.
    Everything,
}

/// Runs the subcommand; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let records = match &arguments.records[..] {
        [] => vec![place::newest()?],
        records => records.to_vec(),
    };
    if arguments.study {
        return of_study(&records, arguments);
    }
    let pages = records.iter().map(|path| place::page(path, arguments.output.as_deref()));
    let pages: Vec<PathBuf> = pages.collect();
    if let Some(twice) = place::twice(&pages) {
        return error(format!(
            "two records would become the same page {}; give them one by one, with an --output folder for each",
            twice.display()
        ));
    }
    for (path, to) in records.iter().zip(&pages) {
        try_file(to).map_err(at("write", to))?;
        let record = read_any(path).map_err(|error| Error::Message(error.to_string()))?;
        let text = html::render(&page_of(&record, Extent::Page))?;
        write_file(to, text.as_bytes()).map_err(at("write", to))?;
        let mut said = format!("page: {}\n", to.display());
        if let Some(folder) = &arguments.figures {
            // Records of several benches would overwrite each other's figures.
            let own = if records.len() > 1 { folder.join(place::stem(to)) } else { folder.clone() };
            let count = write_figures(&page_of(&record, Extent::Everything), &own)?;
            said.push_str(&format!("figures: {count} in {}\n", own.display()));
        }
        if !arguments.quiet {
            print(&said).map_err(Error::Message)?;
        }
    }
    Ok(exit::FINE)
}

/// Makes the page of a study. Answers the exit code.
fn of_study(records: &[PathBuf], arguments: &Arguments) -> Result<i32> {
    let to = place::study(&records[0], arguments.output.as_deref());
    try_file(&to).map_err(at("write", &to))?;
    let page = study::studied(records)?.page;
    write_file(&to, html::render(&page)?.as_bytes()).map_err(at("write", &to))?;
    let mut said = format!("page: {}\n", to.display());
    if let Some(folder) = &arguments.figures {
        let count = write_figures(&page, folder)?;
        said.push_str(&format!("figures: {count} in {}\n", folder.display()));
    }
    if !arguments.quiet {
        print(&said).map_err(Error::Message)?;
    }
    Ok(exit::FINE)
}

fn page_of(record: &AnyRecord, extent: Extent) -> Page {
    match record {
        AnyRecord::Measurement(record) => record::page(record, extent),
        AnyRecord::Comparison(record) => comparison::page(record, extent),
    }
}

/// Writes each figure of a page as SVG and CSV. Returns how many there are.
pub fn write_figures(page: &Page, folder: &Path) -> Result<usize> {
    let plots = page.sections.iter().flat_map(|section| {
        let of_rows = section.rows.iter().flat_map(Rows::plots);
        section.plots.iter().chain(of_rows)
    });
    let plots: Vec<&plot::Plot> = plots.collect();
    plots.par_iter().enumerate().try_for_each(|(index, plot)| {
        let name = format!("figure-{:03}-{}", index + 1, place::slug(&plot.title));
        let write = |ending: &str, text: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            write_file(&path, text.as_bytes()).map_err(at("write", &path))
        };
        write("svg", &html::single(plot)?)?;
        write("csv", &plot::csv(plot))
    })?;
    Ok(plots.len())
}
