//! How something was measured, by its manifest, and the limits of its numbers.

use plusminus::{
    record::{ComparedTarget, ComparisonRecord, Manifest, Record},
    report::Warning,
    text::{
        number::{counted, duration, percent},
        sentence, visible, without_secrets,
    },
};

use super::html::{Section, Table};

fn facts(manifest: &Manifest) -> [(&'static str, String); 15] {
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
    [
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
    ]
}

/// The circumstances of a measurement, a column for each manifest and further facts that hold for all.
fn circumstances(manifests: &[(&str, &Manifest)], more: &[(&'static str, String)]) -> Vec<Table> {
    let (mut titles, mut rows) = (vec!["what".to_owned()], Vec::new());
    for (title, manifest) in manifests {
        titles.push((*title).to_owned());
        for (at, (name, value)) in facts(manifest).iter().chain(more).enumerate() {
            if at == rows.len() {
                rows.push(vec![(*name).to_owned()]);
            }
            rows[at].push(value.clone());
        }
    }
    rows.retain(|cells| cells[1..].iter().any(|value| !value.is_empty()));
    let caption = "Circumstances, from the manifest of the record".to_owned();
    vec![Table { caption, titles, rows }]
}

/// How a record was measured.
pub fn of_record(record: &Record) -> Section {
    let settings = &record.settings;
    let precision = settings.precision.map_or("not limited by precision".to_owned(), |p| {
        format!("added until the 95 % interval was within ± {}", percent(p))
    });
    let workers = record.workers.iter().filter(|worker| !worker.used).count();
    let more = [
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
        tables: circumstances(&[("value", &record.manifest)], &more),
        ..Section::default()
    }
}

/// Describes how a comparison was measured, both sides in one table.
pub(super) fn of_comparison(record: &ComparisonRecord) -> Section {
    let more = [
        ("seed of every random order", record.settings.seed.to_string()),
        ("layouts", record.layouts().to_string()),
        ("time for measuring", duration(record.seconds)),
    ];
    let sides = [("base", &record.base.manifest), ("new", &record.new.manifest)];
    Section {
        title: "Limits and method".to_owned(),
        paragraphs: vec![
            "Each block is one or more fresh processes of both versions, asked for samples in turns, so that what disturbs the machine \
             disturbs both."
                .to_owned(),
        ],
        tables: circumstances(&sides, &more),
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

/// The commit, and behind it its subject, as far as they are known.
pub(super) fn commit(manifest: &Manifest) -> Option<[String; 2]> {
    let short: String = manifest.commit.as_deref()?.chars().take(12).collect();
    let changes = if manifest.dirty == Some(true) { " with changes" } else { "" };
    let subject = manifest.subject.as_deref().map(|subject| format!(": {}", visible(subject)));
    Some([visible(&short) + changes, subject.unwrap_or_default()])
}

/// Machine and date, which every page shows below its title.
pub(super) fn head(manifest: &Manifest) -> [[String; 2]; 2] {
    let cores = counted(manifest.cores, "processor");
    let machine =
        [manifest.label.clone(), manifest.cpu.clone(), Some(cores), Some(manifest.system.clone())];
    let machine: Vec<String> =
        machine.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let date = manifest.started.replacen('T', " ", 1).replacen('Z', " UTC", 1);
    [["machine".to_owned(), visible(&machine.join(", "))], ["measured".to_owned(), visible(&date)]]
}

/// The section below the title: the limits of trust, further facts, all errors, and the warnings folded below their names.
pub(super) fn top(
    facts: impl IntoIterator<Item = [String; 2]>,
    errors: Vec<String>,
    warnings: &[Warning],
) -> Section {
    let trust = match (&errors[..], warnings) {
        ([], []) => "no check failed, no warning".to_owned(),
        ([], _) => counted(warnings.len(), "warning") + ", below",
        _ => format!(
            "{}, {}, below",
            counted(errors.len(), "failure"),
            counted(warnings.len(), "warning")
        ),
    };
    let mut labels: Vec<&str> = warnings.iter().map(|one| one.label.as_str()).collect();
    labels.dedup();
    // Marks and `-v` belong to a terminal. A page shows the warning in the row itself.
    let said = |one: &Warning| {
        let said = format!("{}: {}", one.label, one.said);
        said.replace(", marked `!`", "").replace("`-v`", "The row")
    };
    let folded =
        || (format!("Warnings: {}", labels.join(", ")), warnings.iter().map(said).collect());
    Section {
        facts: std::iter::once(["trust".to_owned(), trust]).chain(facts).collect(),
        list: errors,
        folded: (!warnings.is_empty()).then(folded),
        is_warning: true,
        ..Section::default()
    }
}

pub(crate) fn warning(list: Vec<String>) -> Section {
    Section { title: "Limitations".to_owned(), list, is_warning: true, ..Section::default() }
}
