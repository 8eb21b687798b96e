//! `cargo plusminus study`: from the record of a sweep to scaling tables, models of the time and Performance
//! Complexity. Nothing is measured here, and every number comes from the analysis crate.

mod advice;
mod algorithms;
pub mod apex;
mod collect;
mod derive;
pub mod document;
mod expression;
mod extras;
mod flat;
pub mod measured;
mod messages;
mod models;
mod parts;
mod predict;
mod run_wise;
mod scaling;
mod sets;
mod tables;
mod text;
mod variants;

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::Parser;
use plusminus::{
    output::{print, try_file, write_file},
    record::{self, AnyRecord, Side},
    text::json_escaped,
};
use plusminus_analysis::models::{FitOptions, Model};

use crate::error::{Error, Result, at};
use apex::Capacity;
use collect::{Family, Problem, Source, collect, families};
use document::{Document, ProblemStudy, RecordOf, SCHEMA, Series};
use flat::Metric;
use measured::{Measured, measured};
pub(crate) use variants::few;

/// Studies records of sweeps.
#[derive(Debug, clap::Parser)]
pub(crate) struct Arguments {
    /// Records that `cargo bench` or `compare` has written: of a comparison, the new side is studied. NAME=RECORD
    /// sets the name of the measured system.
    #[arg(value_name = "RECORD", required_unless_present = "list_models")]
    records: Vec<PathBuf>,
    /// Also write everything as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare these models (comma between names) instead of the models of the problems.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    models: Vec<String>,
    /// Also compare your own model, linear in its coefficients: "a + b*n*log2(n)", or with a name, "mine: a + b/p"
    /// (may be repeated).
    #[arg(long, value_name = "FORMULA")]
    model: Vec<String>,
    /// Reduce the weight of configurations far off the model (Huber).
    #[arg(long)]
    robust: bool,
    /// Print speedups run by run for all problems with instances, not only for shortest paths.
    #[arg(long)]
    run_wise: bool,
    /// Find sizes with this efficiency (isoefficiency).
    #[arg(long, value_name = "SHARE", default_value_t = 0.8)]
    efficiency: f64,
    /// Assume a machine with this many processors, on which many tasks wait [default: the most that were measured].
    #[arg(long, value_name = "N")]
    machine: Option<usize>,
    /// Limit the time of one of many tasks.
    #[arg(long, value_name = "DURATION")]
    deadline: Option<f64>,
    /// Also derive a quantity with its uncertainty, such as "edges/s = work/time" (may be repeated). Inputs: n, p, time,
    /// work, base (the baseline variant's time), serial (the reference's) and one (the time on p = 1).
    #[arg(long, value_name = "FORMULA")]
    derive: Vec<String>,
    /// Fit models to smaller sizes, write predictions of larger ones with 95 % intervals to this file, and compare them
    /// with the records. If the file exists, compare its predictions.
    #[arg(long, value_name = "FILE")]
    predict: Option<PathBuf>,
    /// Predict these sizes from all smaller ones [default: the largest of each sweep].
    #[arg(long, value_name = "SIZES", value_delimiter = ',', requires = "predict")]
    sizes: Vec<f64>,
    /// Also print Foster's simple and scaled fits, and start-up time and time per unit of messages.
    #[arg(long)]
    fit: bool,
    /// Print the time of each instance in each run of each variant that has several instances.
    #[arg(long)]
    table1: bool,
    /// Set the capacity c of the fast level in Apex-MAP's models 1 and 3. Formats: `256KiB`; several sizes with
    /// commas, of which the best is used; `micro` for the capacity by random reads [default: searched from a cache
    /// line to all memory].
    #[arg(long, value_name = "SIZE")]
    capacity: Option<Capacity>,
    /// Also print performance in a flat metric, with PC_r by it. Values: `second` for work per second, `cycle=GHZ`
    /// for work per cycle of such a clock, `micro` for the share of the peak that micro::bandwidth has measured.
    #[arg(long, value_name = "METRIC")]
    flat: Option<Metric>,
    /// List the names of all models with their formulas.
    #[arg(long)]
    list_models: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    if arguments.list_models {
        print(&list()).map_err(Error::Message)?;
        return Ok(plusminus::exit::FINE);
    }
    if let Some(path) = &arguments.json {
        try_file(path).map_err(at("write", path))?;
    }
    let document = of_records(arguments)?;
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&document).map_err(|reason| {
            Error::Message(format!("cannot write the study as JSON: {reason}"))
        })?;
        let json = json_escaped(&json) + "\n";
        write_file(path, json.as_bytes()).map_err(at("write", path))?;
    }
    print(&text::render(&document)).map_err(Error::Message)?;
    Ok(plusminus::exit::FINE)
}

/// Makes the study of some records, as `cargo plusminus study --run-wise` does, and its text.
pub(crate) fn of(records: &[PathBuf]) -> Result<(Document, String)> {
    let options = ["--run-wise", "--"].map(OsString::from);
    let document = of_line(options.into_iter().chain(records.iter().map(OsString::from)))?;
    let text = text::render(&document);
    Ok((document, text))
}

/// Makes the study that the arguments of `cargo plusminus study` ask for.
///
/// # Errors
/// Those of the command, also about its arguments.
pub fn of_line(arguments: impl IntoIterator<Item = OsString>) -> Result<Document> {
    let line = std::iter::once(OsString::from("study")).chain(arguments);
    let line =
        Arguments::try_parse_from(line).map_err(|error| Error::Message(error.to_string()))?;
    of_records(&line)
}
fn of_records(arguments: &Arguments) -> Result<Document> {
    let mut sources = arguments
        .records
        .iter()
        .map(|named| {
            let (name, path) = named_system(named);
            let (record, side) = match record::read_any(&path)? {
                AnyRecord::Measurement(record) => (*record, None),
                // Both sides have the same benchmarks; the new one is what there is now.
                AnyRecord::Comparison(record) => (record.side(Side::New), Some(record.new.name)),
            };
            let system = name.or_else(|| record.manifest.label.clone());
            Ok(Source { path, record, side, system })
        })
        .collect::<Result<Vec<Source>>>()?;
    let systems: BTreeSet<&Option<String>> = sources.iter().map(|source| &source.system).collect();
    if systems.len() < 2 {
        // One system needs no name.
        sources.iter_mut().for_each(|source| source.system = None);
    }
    study(&sources, arguments).map_err(Error::Message)
}

/// `NAME=RECORD` in its parts; a file whose own name has the sign is a record without a name.
pub fn named_system(argument: &Path) -> (Option<String>, PathBuf) {
    let text = argument.to_str().filter(|_| !argument.exists());
    match text.and_then(|text| text.split_once('=')) {
        Some((name, path)) if !name.is_empty() => (Some(name.to_owned()), PathBuf::from(path)),
        _ => (None, argument.to_owned()),
    }
}

fn study(sources: &[Source], arguments: &Arguments) -> std::result::Result<Document, String> {
    advice::check_efficiency(arguments.efficiency)?;
    let options = FitOptions { robust: arguments.robust, ..FitOptions::default() };
    let own = models::own(&arguments.model)?;
    let configurations: Vec<_> = sources
        .iter()
        .flat_map(|source| {
            let all = measured(&source.record).into_iter();
            all.map(|one| Measured { variant: source.variant(&one.variant), ..one })
        })
        .collect();
    let is_apex_map = |problem: &Problem| {
        configurations.iter().any(|one| one.problem == problem.name && apex::is_apex_map(one))
    };
    let quantities: Vec<_> = arguments
        .derive
        .iter()
        .map(|text| derive::quantity(text))
        .collect::<std::result::Result<_, _>>()?;
    let collected = collect(sources)?;
    let mut problems = Vec::new();
    for problem in &collected {
        // Its points are swept over α and L, which its own study is about.
        if !is_apex_map(problem) {
            let mut studied = of_problem(problem, arguments, &own, &options)?;
            if let Some(metric) = arguments.flat {
                flat::add(metric, problem, &configurations, &mut studied);
            }
            problems.push(studied);
        }
    }
    let run_wise = |source: &Source| run_wise::tables(&source.record, arguments.run_wise);
    let only = |wanted: bool| sources.iter().filter(move |_| wanted);
    let apex_map = apex::study(&configurations, arguments)?;
    if arguments.capacity.is_some() && apex_map.is_none() {
        return Err("--capacity is for Apex-MAP, which the records do not have".to_owned());
    }
    if problems.is_empty() && apex_map.is_none() {
        return Err("the records hold no measurements: there is nothing to study".to_owned());
    }
    let derived = quantities.iter().map(|quantity| derive::derived(quantity, &collected));
    let derived = derived.collect::<std::result::Result<_, _>>()?;
    let predicted = arguments.predict.as_ref().map(|path| {
        let records = sources.iter().map(|source| source.path.display().to_string()).collect();
        predict::predicted(path, &arguments.sizes, records, &collected, (&own, &options))
    });
    let predicted = predicted.transpose().map_err(|error| error.to_string())?;
    Ok(Document {
        derived,
        predicted,
        set: sets::ranking(&problems),
        schema: SCHEMA,
        kind: "plusminus-study",
        plusminus: env!("CARGO_PKG_VERSION"),
        records: sources.iter().map(described).collect(),
        problems,
        run_wise: sources.iter().flat_map(run_wise).collect(),
        cells: only(arguments.table1).flat_map(|source| run_wise::cells(&source.record)).collect(),
        message_costs: only(arguments.fit).flat_map(|one| messages::costs(&one.record)).collect(),
        parts: sources.iter().flat_map(parts::of).collect(),
        apex_map,
    })
}

fn described(source: &Source) -> RecordOf {
    let manifest = &source.record.manifest;
    RecordOf {
        path: source.path.display().to_string(),
        bench: manifest.bench.clone(),
        started: manifest.started.clone(),
        commit: manifest.commit.clone(),
        dirty: manifest.dirty,
        cpu: manifest.cpu.clone(),
        interrupted: source.record.interrupted,
        side: source.side.clone(),
        system: source.system.clone(),
        // A side of a comparison has no end of its own.
        unfinished: source.side.is_none() && source.record.is_unfinished(),
    }
}

fn of_problem(
    problem: &Problem,
    arguments: &Arguments,
    own: &[Model],
    options: &FitOptions,
) -> std::result::Result<ProblemStudy, String> {
    let names = match &arguments.models[..] {
        [] => each_once(problem.variants.iter().flat_map(|variant| variant.models.iter().cloned())),
        asked => asked.to_vec(),
    };
    let mut wanted = models::named(&names).map_err(|error| format!("{}: {error}", problem.name))?;
    wanted.extend(own);
    let mut series = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for variant in &problem.variants {
        notes.extend(variant.left_out.iter().cloned());
        let families = families(&variant.configurations);
        if families.len() > 1 && variant.configurations.iter().any(|c| c.n.is_none()) {
            notes.push(format!(
                "{}: its points have no size n, so each is studied by itself; let the problem tell the `size` of a \
                 point",
                variant.function
            ));
        }
        for Family { label, configurations } in families {
            let named = |error: String| format!("{}: {error}", variant.function);
            let scaling =
                scaling::table(&configurations).map_err(|error| named(error.to_string()))?;
            let foreign_fits = || advice::foreign(&configurations, &wanted);
            let fitting = (&wanted[..], options);
            series.push(Series {
                variant: variant.function.clone(),
                advice: advice::advice(&configurations, &scaling, arguments, fitting),
                foreign_fits: arguments.fit.then(foreign_fits).unwrap_or_default(),
                flat: None,
                scaling,
                models: models::comparisons(&configurations, &wanted, options).map_err(named)?,
                sweep: label,
            });
        }
    }
    let (comparisons, refused) = variants::comparisons(problem, &wanted, options);
    notes.extend(refused);
    let advice = extras::Advice { sentences: algorithms::between(problem, arguments) };
    Ok(ProblemStudy { problem: problem.name.clone(), series, advice, comparisons, notes })
}

/// The different values, in the order of the first of each.
fn each_once<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    grouped(values.into_iter().map(|value| (value, ())))
        .into_iter()
        .map(|(value, _)| value)
        .collect()
}

/// The values of each key, in the order of the first of each.
pub(crate) fn grouped<K: PartialEq, V>(
    pairs: impl IntoIterator<Item = (K, V)>,
) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

fn list() -> String {
    let width = Model::ALL.iter().map(|model| model.name().len()).max().unwrap_or(0);
    Model::ALL
        .iter()
        .map(|model| format!("{:<width$}   T = {}\n", model.name(), model.formula()))
        .collect()
}
