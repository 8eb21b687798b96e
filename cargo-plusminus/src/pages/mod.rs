//! `cargo plusminus report`: pages for people to look at, and the figures in them, from records alone.
//! Measures nothing and computes no estimate of its own: numbers come from `results`, here and in the harness.

mod comparison;
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

use crate::{
    error::{Error, Result, at, error},
    newest,
};
pub use html::{Body, Group, Page, Row, Rows, Section, Table, Tone, render as rendered};
pub use measured::of_record as how_measured;
pub(crate) use measured::warning as limitations;
pub(crate) use place::slug;
pub use study::{Studied, studied as study};

/// Figures that other pages show as well, and their parts.
pub mod plots {
    pub use super::figures::{beside, cells, grouped, heat_map, named_rows, short, span};
}

/// Makes pages from records.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A page is one file: it needs no network and no other file, and can be sent to others as it is.
Examples:
  cargo plusminus report                                   the newest record of this package
  cargo plusminus report target/plusminus/sorting/sort/records/*.json
  cargo plusminus compare main --record change.json && cargo plusminus report change.json
  cargo plusminus report change.json --figures figures     also figures/summary.svg, for a README or a comment
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
    /// Write `summary.svg`, a picture of the results, and every figure as SVG, each with its data as CSV, into this folder.
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

impl Extent {
    /// How many of these rows have figures of their own, and how many open.
    pub(crate) fn limits(self, rows: usize) -> [usize; 2] {
        match self {
            Self::Everything => [usize::MAX; 2],
            Self::Page if rows > MANY => [12, 300],
            Self::Page => [60, usize::MAX],
        }
    }

    /// Returns the sentence when not all of these rows have figures.
    pub(crate) fn hidden(self, rows: usize, name: &str) -> Option<String> {
        let [figures, _] = self.limits(rows);
        (rows > figures).then(|| {
            format!("Of {rows} {name} the first {figures} have figures here. `--figures DIR` writes those of all.")
        })
    }
}

/// Rows from which on a page has few figures, and no report of the terminal.
const MANY: usize = 1000;

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let records = match &arguments.records[..] {
        [] => vec![newest::record()?],
        records => records.to_vec(),
    };
    let output = arguments.output.as_deref();
    if arguments.study {
        let to = place::study(&records[0], output);
        try_file(&to).map_err(at("write", &to))?;
        let page = study::studied(&records)?.page;
        let figures = arguments.figures.as_deref().map(|folder| (&page, folder));
        return write(&to, &page, figures, arguments.quiet);
    }
    let pages: Vec<PathBuf> = records.iter().map(|path| place::page(path, output)).collect();
    if let Some((_, twice)) =
        pages.iter().enumerate().find(|(at, page)| pages[..*at].contains(page))
    {
        return error(format!(
            "two records would become the same page {}; give them one by one, with an --output folder for each",
            twice.display()
        ));
    }
    for (path, to) in records.iter().zip(&pages) {
        try_file(to).map_err(at("write", to))?;
        let record = read_any(path)?;
        // Records of several benches would overwrite each other's figures.
        let is_alone = records.len() == 1;
        let own = |folder: &PathBuf| {
            if is_alone { folder.clone() } else { folder.join(place::stem(to)) }
        };
        let folder = arguments.figures.as_ref().map(own);
        let all = folder.as_ref().map(|_| page_of(&record, Extent::Everything));
        let figures = all.as_ref().zip(folder.as_deref());
        write(to, &page_of(&record, Extent::Page), figures, arguments.quiet)?;
    }
    Ok(exit::FINE)
}

/// Writes a page, and where wanted all figures of what may be a longer one. Answers the exit code.
fn write(to: &Path, page: &Page, figures: Option<(&Page, &Path)>, is_quiet: bool) -> Result<i32> {
    write_file(to, html::render(page).as_bytes()).map_err(at("write", to))?;
    let mut said = format!("page: {}\n", to.display());
    if let Some((all, folder)) = figures {
        let count = write_figures(all, folder)?;
        said.push_str(&format!("figures: {count} in {}\n", folder.display()));
    }
    if !is_quiet {
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

/// Writes a summary of the rows of a page and each of its figures, as SVG and CSV. Returns the number of figures.
pub fn write_figures(page: &Page, folder: &Path) -> Result<usize> {
    let mut pictures = Vec::new();
    for section in &page.sections {
        let of = |rows: &Rows| rows.picture(&format!("{}: {}", section.title, rows.titles[1]));
        pictures.extend(section.rows.iter().filter_map(of));
    }
    if let Some(first) = pictures.first_mut() {
        first.title = page.summary.replace('`', "");
    }
    let plots = page
        .sections
        .iter()
        .flat_map(|section| section.plots.iter().chain(section.rows.iter().flat_map(Rows::plots)));
    let plots: Vec<&plot::Plot> = pictures.iter().chain(plots).collect();
    plots.par_iter().enumerate().try_for_each(|(index, plot)| {
        let name = match index + usize::from(pictures.is_empty()) {
            0 => "summary".to_owned(),
            number => format!("figure-{number:03}-{}", place::slug(&plot.title)),
        };
        let write = |ending: &str, text: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            write_file(&path, text.as_bytes()).map_err(at("write", &path))
        };
        write("svg", &plot::draw_alone(plot))?;
        write("csv", &plot::csv(plot))
    })?;
    Ok(plots.len())
}
