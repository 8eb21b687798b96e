//! How something was measured, by its manifest, and the limits of its numbers.

use plusminus::{
    record::{ComparedTarget, ComparisonRecord, Manifest, Record},
    text::{
        number::{duration, percent},
        sentence, visible, without_secrets,
    },
};

use super::html::{Section, Table};

/// What a manifest says, each value behind its name.
fn facts(manifest: &Manifest) -> Vec<(&'static str, String)> {
    let known = |text: Option<&str>| match text.unwrap_or_default() {
        "" => "not known".to_owned(),
        text => visible(text),
    };
    let load = |load: Option<f64>| known(load.map(|load| format!("{load:.2}")).as_deref());
    let changed = match manifest.dirty {
        Some(true) => " with changes that are not committed",
        Some(false) | None => "",
    };
    let arguments = without_secrets(&manifest.arguments).join(" ");
    let all = [
        ("begun", visible(&manifest.started)),
        ("bench target", known(Some(&manifest.bench))),
        ("commit", known(manifest.commit.as_deref()) + changed),
        ("compiler", known(Some(&manifest.rustc))),
        ("target", known(Some(&manifest.target))),
        ("optimization level", known(Some(&manifest.opt_level))),
        ("system", known(Some(&manifest.system))),
        ("processor", known(manifest.cpu.as_deref())),
        ("processors that it could use", manifest.cores.to_string()),
        ("frequency governor", known(manifest.governor.as_deref())),
        (
            "load before and after",
            format!("{}, {}", load(manifest.load_before), load(manifest.load_after)),
        ),
        ("clock", visible(manifest.clock.as_deref().unwrap_or("os"))),
        ("plusminus", visible(&manifest.plusminus)),
        ("time for all of it", manifest.seconds.map_or(String::new(), duration)),
        ("arguments", sentence(&arguments)),
    ];
    all.into_iter().collect()
}

/// The circumstances of a measurement, a column for each manifest and further facts that hold for all.
fn circumstances(manifests: &[(&str, &Manifest)], more: Vec<(&'static str, String)>) -> Vec<Table> {
    let all: Vec<_> = manifests.iter().map(|(_, manifest)| facts(manifest)).collect();
    let own = (0..all[0].len()).map(|at| {
        let values: Vec<String> = all.iter().map(|facts| facts[at].1.clone()).collect();
        (all[0][at].0, values)
    });
    let more = more.into_iter().map(|(name, value)| (name, vec![value; all.len()]));
    let known = |(_, values): &(&str, Vec<String>)| values.iter().any(|value| !value.is_empty());
    let rows = own.chain(more).filter(known);
    let titles = std::iter::once("what").chain(manifests.iter().map(|(title, _)| *title));
    vec![Table {
        caption: "Circumstances, from the manifest of the record".to_owned(),
        titles: titles.map(str::to_owned).collect(),
        rows: rows.map(|(name, values)| [vec![name.to_owned()], values].concat()).collect(),
    }]
}

/// How a record was measured.
pub fn of_record(record: &Record) -> Section {
    let settings = &record.settings;
    let precision = settings.precision.map_or("not limited by precision".to_owned(), |p| {
        format!("added until the 95 % interval was within ± {}", percent(p))
    });
    let workers = record.workers.iter().filter(|worker| !worker.used).count();
    let more = vec![
        ("runs asked for", settings.runs.to_string()),
        ("further runs", precision),
        ("seed of every random order", settings.seed.to_string()),
        ("worker processes", workers.to_string()),
    ];
    Section {
        title: "How this was measured".to_owned(),
        paragraphs: vec![
            "Each run is a fresh process. Variants of a problem are measured in turns, in random order. The record holds every \
             sample; everything here is computed from it."
                .to_owned(),
            "The times are those of this machine, these builds and these inputs. σ and intervals come from how much runs differ \
             within this invocation. Changes between days are not included."
                .to_owned(),
        ],
        tables: circumstances(&[("value", &record.manifest)], more),
        ..Section::default()
    }
}

/// Describes how a comparison was measured, both sides in one table.
pub(super) fn of_comparison(record: &ComparisonRecord) -> Section {
    let more = vec![
        ("seed of every random order", record.settings.seed.to_string()),
        ("layouts", record.layouts().to_string()),
        ("time for measuring", duration(record.seconds)),
    ];
    let sides = [("base", &record.base.manifest), ("new", &record.new.manifest)];
    Section {
        title: "Limits and method".to_owned(),
        paragraphs: vec![
            "Each block is a fresh process of both versions, asked for samples in turns, so that what disturbs the machine \
             disturbs both."
                .to_owned(),
        ],
        tables: circumstances(&sides, more),
        ..Section::default()
    }
}

/// The package and the bench target that were measured, as far as they are known.
pub(super) fn project(manifest: &Manifest, targets: &[ComparedTarget]) -> String {
    let mut packages: Vec<&str> = targets.iter().map(|target| target.package.as_str()).collect();
    packages.extend(manifest.package.as_deref().filter(|_| targets.is_empty()));
    packages.sort_unstable();
    packages.dedup();
    let bench = if targets.len() > 1 { "" } else { manifest.bench.as_str() };
    packages.extend((!bench.is_empty() && !packages.contains(&bench)).then_some(bench));
    match &packages[..] {
        [] => "benchmarks".to_owned(),
        some => visible(&some.join(" ")),
    }
}

/// A commit with its subject, as far as they are known.
pub(super) fn commit(manifest: &Manifest) -> Option<String> {
    let short: String = manifest.commit.as_deref()?.chars().take(12).collect();
    let changes = if manifest.dirty == Some(true) { " with changes" } else { "" };
    let subject =
        manifest.subject.as_deref().map_or(String::new(), |subject| format!(": {subject}"));
    Some(visible(&format!("{short}{changes}{subject}")))
}

/// Machine and date, which every page shows below its title.
pub(super) fn head(manifest: &Manifest) -> [[String; 2]; 2] {
    let cores = match manifest.cores {
        1 => "1 processor".to_owned(),
        cores => format!("{cores} processors"),
    };
    let machine =
        [manifest.label.clone(), manifest.cpu.clone(), Some(cores), Some(manifest.system.clone())];
    let machine: Vec<String> =
        machine.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let date = manifest.started.replacen('T', " ", 1).replacen('Z', " UTC", 1);
    [["machine".to_owned(), visible(&machine.join(", "))], ["measured".to_owned(), visible(&date)]]
}

/// Returns the limits on the trust in the numbers of this record.
pub(super) fn limits_of_record(record: &Record) -> Vec<String> {
    let ending = match record.interrupted {
        Some(signal) => Some(format!(
            "Interrupted by signal {signal}: the results are those of the finished runs."
        )),
        None => record.is_unfinished().then(|| {
            "The measurement was killed before its end: the results are those of the finished runs."
                .to_owned()
        }),
    };
    let mut list: Vec<String> = ending.into_iter().collect();
    if record.settings.in_process {
        list.push("Measured in one process: how much processes differ is not known, so no σ can be given.".to_owned());
    }
    if record.manifest.debug_assertions || record.manifest.opt_level == "0" {
        list.push(
            "Built without optimization: the times say nothing about a release build.".to_owned(),
        );
    }
    let few = record.cases.iter().filter(|case| {
        let mut runs: Vec<u32> = case.measurements.iter().map(|cell| cell.run).collect();
        runs.sort_unstable();
        runs.dedup();
        !runs.is_empty() && runs.len() < 3
    });
    let few = few.count();
    if few > 0 {
        list.push(format!(
            "{few} of {} benchmarks have fewer than three runs: their σ is missing or rests on two values.",
            record.cases.len()
        ));
    }
    list
}

pub(crate) fn warning(list: Vec<String>) -> Section {
    Section { title: "Limitations".to_owned(), list, is_warning: true, ..Section::default() }
}
