//! The figures of a paper, measured here or from records, next to the values that the paper prints. Runs the benches
//! of the suite through cargo, and links none of them. Numbers come from the study of `cargo plusminus`.

mod beside;
mod dbpp;
mod fact;
mod imsuite;
mod kept;
mod measure;
mod mpp;
mod pc;
mod sentence;
#[cfg(test)]
mod tests;
mod vov;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use cargo_plusminus::{
    error::{Error, Result, at},
    pages::{self, Page, Section},
    study::{document::Document, named_system},
};
use clap::Parser;
use fact::Facts;
use plusminus::{
    exit,
    output::{print, try_file, write_file},
    record::{Record, read},
};

/// Repeats a paper's figures.
#[derive(Debug, clap::Parser)]
#[command(
    name = "plusminus-papers",
    version,
    after_help = "\
In the repository of plusminus it measures, in minutes on two processors; elsewhere give it records of the suite's benches.
Examples, each after `cargo run --release -p plusminus-papers --`:
  vov
  pc --from target/plusminus/plusminus-benches/apex_map/records/….json
  imsuite --output pages --figures figures
  all --from papers/records"
)]
struct Arguments {
    /// The paper, or `all`. Papers: vov (The Value of Variance), pc (Performance Complexity), imsuite (IMSuite), mpp
    /// (Measuring parallel performance), dbpp (Designing and Building Parallel Programs, 3.5).
    #[arg(value_name = "PAPER", value_parser = chosen)]
    papers: Chosen,
    /// Use these records of the paper's benches instead of measuring, also compressed by gzip. Name several systems by
    /// NAME=RECORD. A folder has a folder of records for each paper.
    #[arg(long, value_name = "[NAME=]RECORD", num_args = 1..)]
    from: Vec<PathBuf>,
    /// The folder for the page, and for what is measured.
    #[arg(long, short, value_name = "DIR", default_value = "target/plusminus/paper")]
    output: PathBuf,
    /// Writes every figure as an SVG file, and its data as CSV, into this folder.
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
}

/// The papers that were asked for.
#[derive(Debug, Clone)]
struct Chosen(Vec<Paper>);

fn chosen(name: &str) -> std::result::Result<Chosen, String> {
    match Paper::ALL.iter().find(|paper| paper.described().0 == name) {
        _ if name == "all" => Ok(Chosen(Paper::ALL.to_vec())),
        Some(paper) => Ok(Chosen(vec![*paper])),
        None => Err("it is not one of vov, pc, imsuite, mpp, dbpp and all".to_owned()),
    }
}

/// The papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paper {
    /// Firoz et al., The Value of Variance (ICPE 2016): shortest paths, S ± σ, RSU.
    Vov,
    /// Strohmaier, Performance Complexity (2007): Apex-MAP and four models of it.
    Pc,
    /// Gupta and Nandivada, IMSuite (2015): kernels of distributed algorithms.
    Imsuite,
    /// Measuring parallel performance: speedups, overheads, Amdahl, Gustafson, isoefficiency.
    Mpp,
    /// Foster, Designing and Building Parallel Programs, 3.5: finite differences, figure 3.9.
    Dbpp,
}

impl Paper {
    const ALL: [Self; 5] = [Self::Vov, Self::Pc, Self::Imsuite, Self::Mpp, Self::Dbpp];

    /// Its short name, its title and the benches that measure it, with their arguments.
    fn described(self) -> (&'static str, &'static str, measure::Benches) {
        let benches = |names, arguments| measure::Benches { names, arguments, variables: &[] };
        match self {
            Self::Vov => {
                ("vov", "The Value of Variance", benches(&["sssp"][..], &["--samples", "1"][..]))
            }
            Self::Pc => (
                "pc",
                "Performance Complexity",
                benches(
                    &["apex_map", "micro"],
                    &["(apex_map|random_reads|stream_on_one|round_trip)"],
                ),
            ),
            Self::Imsuite => {
                let variables = &[("PLUSMINUS_SUITE_GRAIN", "node")];
                let benches = benches(&["imsuite_study"], &["--tallies"]);
                ("imsuite", "IMSuite", measure::Benches { variables, ..benches })
            }
            Self::Mpp => (
                "mpp",
                "Measuring parallel performance",
                benches(&["textbook"], &["sum::", "--max-time", "60"]),
            ),
            Self::Dbpp => (
                "dbpp",
                "Designing and Building Parallel Programs",
                benches(&["textbook", "micro"], &["grid::", "round_trip", "--max-time", "60"]),
            ),
        }
    }

    /// Its data file.
    fn sentences(self) -> &'static str {
        match self {
            Self::Vov => include_str!("../sentences/vov.toml"),
            Self::Pc => include_str!("../sentences/pc.toml"),
            Self::Imsuite => include_str!("../sentences/imsuite.toml"),
            Self::Mpp => include_str!("../sentences/mpp.toml"),
            Self::Dbpp => include_str!("../sentences/dbpp.toml"),
        }
    }
}

/// The facts of a paper's records, and the sections about them.
fn of_paper(paper: Paper, document: &Document, records: &[Record]) -> (Facts, Vec<Section>) {
    match paper {
        Paper::Vov => vov::of(document, records),
        Paper::Pc => pc::of(document),
        Paper::Imsuite => imsuite::of_records(records),
        Paper::Mpp => mpp::of(document, records),
        Paper::Dbpp => dbpp::of(document, records),
    }
}

fn main() -> ExitCode {
    cargo_plusminus::error::exit_code(run(&Arguments::parse()))
}

/// Makes the page of each paper; returns the exit code.
fn run(arguments: &Arguments) -> Result<i32> {
    for paper in &arguments.papers.0 {
        page(*paper, arguments)?;
    }
    Ok(exit::FINE)
}

/// The bench of a record, and the name of its file, in which records of one bench differ.
fn label(record: &Record, path: &Path) -> String {
    let file = named_system(path).1;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let bench = plusminus::text::visible(&record.manifest.bench);
    match plusminus::text::visible(&name) {
        name if name == bench => name.to_string(),
        name => format!("{bench} ({name})"),
    }
}

/// Makes the page of a paper.
fn page(paper: Paper, arguments: &Arguments) -> Result<()> {
    let (name, title, benches) = paper.described();
    let to = arguments.output.join(format!("{name}.html"));
    try_file(&to).map_err(at("write", &to))?;
    let paths = match &arguments.from[..] {
        [] => measure::measure(&benches, &arguments.output.join(name))?,
        paths => kept::records(paths, name, &arguments.output.join(name))?,
    };
    let records = paths
        .iter()
        .map(|path| read(&named_system(path).1).map_err(|error| Error::Message(error.to_string())))
        .collect::<Result<Vec<Record>>>()?;
    let studied = pages::study(&paths)?;
    let (facts, mut found) = of_paper(paper, &studied.document, &records);
    let read_sentences = sentence::Paper::read(paper.sentences()).map_err(Error::Message)?;
    let judged = read_sentences.judged(&facts);
    // The comparison with the paper comes first, then all figures of the study and its limits.
    let mut of_study = studied.page.sections;
    let answer = beside::answer(&judged);
    found.splice(0..0, [of_study.remove(0), beside::section(&read_sentences, &judged)]);
    if paper != Paper::Vov {
        // Speedups run by run are of that paper alone: instances are the configurations of a sweep here, or messages.
        of_study.retain(|section| !section.title.contains(", run by run: "));
    }
    if paper == Paper::Pc {
        of_study.sort_by_key(|section| section.title != "Apex-MAP");
    }
    found.extend(of_study);
    found.extend(records.iter().zip(&paths).map(|(record, path)| Section {
        title: format!("How this was measured: {}", label(record, path)),
        ..pages::how_measured(record)
    }));
    let page = Page {
        title: format!("{title}: compared with the paper"),
        summary: answer.clone(),
        sections: found,
    };
    write_file(&to, pages::rendered(&page).as_bytes()).map_err(at("write", &to))?;
    let mut said: String =
        paths.iter().map(|path| format!("record: {}\n", path.display())).collect();
    for one in &judged {
        said.push_str(&format!("{}: {}\n", one.sentence.name, one.outcome.words().to_lowercase()));
    }
    said.push_str(&format!("{answer}\npage: {}\n", to.display()));
    if let Some(folder) = &arguments.figures {
        let own = folder.join(name);
        let folder = if arguments.papers.0.len() > 1 { &own } else { folder };
        let count = pages::write_figures(&page, folder)?;
        said.push_str(&format!("figures: {count} in {}\n", folder.display()));
    }
    print(&said).map_err(Error::Message)
}
