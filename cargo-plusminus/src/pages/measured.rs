//! How something was measured, by its manifest, and the limits of its numbers.

use plusminus::{
    record::{ComparedTarget, ComparisonRecord, Manifest, Record},
    text::{number::duration, sentence, visible, without_secrets},
};

use super::html::{Section, Table};

/// A row of a table of facts.
fn fact(name: &str, value: impl Into<String>) -> Vec<String> {
    vec![name.to_owned(), value.into()]
}

fn or_unknown(value: Option<&String>) -> String {
    value.map_or("not known".to_owned(), |value| visible(value))
}

/// Returns the facts of a manifest.
fn facts(manifest: &Manifest) -> Vec<Vec<String>> {
    let changed = match manifest.dirty {
        Some(true) => " with changes that are not committed",
        Some(false) | None => "",
    };
    let load = |load: Option<f64>| load.map_or("not known".to_owned(), |load| format!("{load:.2}"));
    let known =
        |text: &String| if text.is_empty() { "not known".to_owned() } else { visible(text) };
    let mut facts = vec![
        fact("begun", visible(&manifest.started)),
        fact("bench target", known(&manifest.bench)),
        fact("commit", format!("{}{changed}", or_unknown(manifest.commit.as_ref()))),
        fact("compiler", known(&manifest.rustc)),
        fact("target", known(&manifest.target)),
        fact("optimization level", known(&manifest.opt_level)),
        fact("system", known(&manifest.system)),
        fact("processor", or_unknown(manifest.cpu.as_ref())),
        fact("processors that it could use", manifest.cores.to_string()),
        fact("frequency governor", or_unknown(manifest.governor.as_ref())),
        fact(
            "load before and after",
            format!("{}, {}", load(manifest.load_before), load(manifest.load_after)),
        ),
        fact("clock", manifest.clock.as_ref().map_or("os".to_owned(), |clock| visible(clock))),
        fact("plusminus", visible(&manifest.plusminus)),
    ];
    if let Some(seconds) = manifest.seconds {
        facts.push(fact("time for all of it", duration(seconds)));
    }
    if !manifest.arguments.is_empty() {
        let arguments = without_secrets(&manifest.arguments);
        facts.push(fact("arguments", sentence(&arguments.join(" "))));
    }
    facts
}

/// How a record was measured.
pub fn of_record(record: &Record) -> Section {
    let mut rows = facts(&record.manifest);
    let settings = &record.settings;
    rows.push(fact("runs asked for", settings.runs.to_string()));
    let precision = settings.precision.map_or("not limited by precision".to_owned(), |p| {
        format!(
            "added until the 95 % interval was within ± {}",
            plusminus::text::number::percent(p)
        )
    });
    rows.push(fact("further runs", precision));
    rows.push(fact("seed of every random order", settings.seed.to_string()));
    rows.push(fact(
        "worker processes",
        record.workers.iter().filter(|worker| !worker.used).count().to_string(),
    ));
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
        tables: vec![Table {
            caption: "Circumstances, from the manifest of the record".to_owned(),
            titles: vec!["what".to_owned(), "value".to_owned()],
            rows,
        }],
        ..Section::default()
    }
}

/// Describes how a comparison was measured, both sides in one table.
pub(super) fn of_comparison(record: &ComparisonRecord) -> Section {
    let base = facts(&record.base.manifest);
    let new = facts(&record.new.manifest);
    let mut rows: Vec<Vec<String>> = base
        .into_iter()
        .map(|mut row| {
            let same = new.iter().find(|other| other[0] == row[0]);
            row.push(same.map_or(String::new(), |other| other[1].clone()));
            row
        })
        .collect();
    let settings = &record.settings;
    let mut both =
        |name: &str, value: String| rows.push(vec![name.to_owned(), value.clone(), value]);
    both("seed of every random order", settings.seed.to_string());
    both("layouts", record.layouts().to_string());
    both("time for measuring", duration(record.seconds));
    Section {
        title: "Limits and method".to_owned(),
        paragraphs: vec![
            "Each block is a fresh process of both versions, asked for samples in turns, so that what disturbs the machine \
             disturbs both."
                .to_owned(),
        ],
        tables: vec![Table {
            caption: "Circumstances, from the manifests of the record".to_owned(),
            titles: vec!["what".to_owned(), "base".to_owned(), "new".to_owned()],
            rows,
        }],
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

/// Machine and date, which every page shows below its title.
pub(super) fn head(manifest: &Manifest) -> Vec<[String; 2]> {
    let cores = match manifest.cores {
        1 => "1 processor".to_owned(),
        cores => format!("{cores} processors"),
    };
    let machine =
        [manifest.label.clone(), manifest.cpu.clone(), Some(cores), Some(manifest.system.clone())];
    let machine: Vec<String> =
        machine.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let date = manifest.started.replacen('T', " ", 1).replacen('Z', " UTC", 1);
    vec![
        ["machine".to_owned(), visible(&machine.join(", "))],
        ["measured".to_owned(), visible(&date)],
    ]
}

/// Returns the limits on the trust in the numbers of this record.
pub(super) fn limits_of_record(record: &Record) -> Vec<String> {
    let mut list: Vec<String> =
        ending(record.interrupted, record.is_unfinished()).into_iter().collect();
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

fn ending(interrupted: Option<i32>, is_unfinished: bool) -> Option<String> {
    match interrupted {
        Some(signal) => {
            Some(format!("Interrupted by signal {signal}: the results are those of the finished runs."))
        }
        None if is_unfinished => {
            Some("The measurement was killed before its end: the results are those of the finished runs.".to_owned())
        }
        None => None,
    }
}

pub(crate) fn warning(list: Vec<String>) -> Section {
    Section { title: "Limitations".to_owned(), list, is_warning: true, ..Section::default() }
}
