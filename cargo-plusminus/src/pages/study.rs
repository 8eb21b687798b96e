//! The page of a study: scaling, runs side by side and Performance Complexity of one or several records.

use std::path::PathBuf;

use plusminus::text::{sentence, visible};

use super::{
    figures,
    html::{Page, Section},
    measured,
};
use crate::{
    error::Result,
    study::{
        self,
        document::{Document, ProblemStudy, RunWise, Series},
    },
};

/// A study with its page.
pub struct Studied {
    pub document: Document,
    pub page: Page,
}

/// The page of a study of all these records together.
pub fn studied(records: &[PathBuf]) -> Result<Studied> {
    let (document, text) = study::of(records)?;
    let mut sections = vec![limits(&document)];
    sections.extend(document.problems.iter().map(of_problem));
    sections.extend(run_wise(&document.run_wise));
    if let Some(apex) = &document.apex_map {
        sections.push(Section {
            title: "Apex-MAP".to_owned(),
            list: apex.notes.iter().map(|note| sentence(note)).collect(),
            plots: apex.sweeps.iter().flat_map(figures::apex_sweep).collect(),
            ..Section::default()
        });
        sections.push(Section {
            title: "Performance Complexity of variants".to_owned(),
            plots: apex.rankings.iter().map(figures::apex_ranking).collect(),
            ..Section::default()
        });
    }
    sections.push(Section {
        title: "The study of the terminal".to_owned(),
        paragraphs: vec!["The same numbers, with tables, models and sentences.".to_owned()],
        terminal: Some(("The study".to_owned(), text)),
        ..Section::default()
    });
    let page = Page {
        title: "Study: scaling and models".to_owned(),
        summary: format!(
            "Of {}.",
            document
                .records
                .iter()
                .map(|record| format!("{} ({})", visible(&record.bench), visible(&record.started)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        sections,
    };
    Ok(Studied { document, page })
}

fn limits(document: &Document) -> Section {
    let mut list = vec![
        "Models are fitted to what was measured; outside of it, and on other machines, they are guesses.".to_owned(),
        "The times are those of one machine, one build and these inputs.".to_owned(),
    ];
    if document.records.len() > 1 {
        list.push(
            "The records are of different times: what changed in the machine between them is in the differences and in no \
             uncertainty."
                .to_owned(),
        );
    }
    for record in &document.records {
        if record.interrupted.is_some() || record.unfinished {
            list.push(format!("{} ended before its time.", visible(&record.path)));
        }
    }
    measured::warning(list)
}

/// A problem with the figures of each of its sweeps.
fn of_problem(problem: &ProblemStudy) -> Section {
    let mut plots = Vec::new();
    let mut sweeps: Vec<Option<&String>> = Vec::new();
    for series in &problem.series {
        let sweep = series.sweep.as_ref();
        if sweeps.contains(&sweep) {
            continue;
        }
        sweeps.push(sweep);
        let same: Vec<&Series> =
            problem.series.iter().filter(|other| other.sweep.as_ref() == sweep).collect();
        let title = match sweep {
            Some(sweep) => format!("{}, {}", visible(&problem.problem), visible(sweep)),
            None => visible(&problem.problem),
        };
        plots.extend(figures::scaling(&same, &title));
    }
    let said = problem.comparisons.iter().flat_map(|comparison| &comparison.sentences);
    let mut list: Vec<String> = said.map(|text| sentence(text)).collect();
    list.extend(of_models(problem));
    list.extend(problem.notes.iter().map(|text| sentence(text)));
    Section { title: visible(&problem.problem), list, plots, ..Section::default() }
}

/// Returns sentences about the models of each series, each sentence once.
fn of_models(problem: &ProblemStudy) -> Vec<String> {
    let mut said: Vec<(&str, Vec<String>)> = Vec::new();
    for series in &problem.series {
        for models in &series.models {
            let mut name = short_of(&series.variant);
            name.extend(series.sweep.iter().map(|sweep| format!(", {}", visible(sweep))));
            if series.models.len() > 1 {
                name.push_str(&format!(", {}", visible(&models.over)));
            }
            for text in &models.sentences {
                match said.iter_mut().find(|(other, _)| other == text) {
                    Some((_, names)) => names.push(name.clone()),
                    None => said.push((text, vec![name.clone()])),
                }
            }
        }
    }
    said.iter().map(|(text, names)| sentence(&format!("{}: {text}", names.join("; ")))).collect()
}

/// The last part of the name of a variant.
fn short_of(variant: &str) -> String {
    visible(variant.rsplit("::").next().unwrap_or(variant))
}

/// Sentences of a list that a page has; the text of the terminal has all.
const SENTENCES: usize = 20;

/// The first sentences, and how many there are besides.
fn shortened(sentences: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = sentences.collect();
    let more = list.len().saturating_sub(SENTENCES);
    if more > 1 {
        list.truncate(SENTENCES);
        list.push(format!("and {more} more sentences, in the text of the terminal below"));
    }
    list
}

/// Two variants run by run: the points of one problem, weight and pair of variants together.
fn run_wise(tables: &[RunWise]) -> Vec<Section> {
    let key = |table: &RunWise| {
        (table.problem.clone(), table.max_weight, table.base.clone(), table.variant.clone())
    };
    let mut keys = Vec::new();
    for table in tables {
        if !keys.contains(&key(table)) {
            keys.push(key(table));
        }
    }
    keys.iter()
        .map(|wanted| tables.iter().filter(|table| key(table) == *wanted).collect())
        .map(side_by_side)
        .collect()
}

/// The points of two variants of a problem.
fn side_by_side(own: Vec<&RunWise>) -> Section {
    let Some(first) = own.first() else { return Section::default() };
    let weight = first.max_weight.map_or(String::new(), |weight| format!(", weights to {weight}"));
    let title = format!("{} against {}{weight}", visible(&first.variant), visible(&first.base));
    Section {
        plots: figures::run_wise(&own, &title),
        title: format!("{}, run by run: {title}", visible(&first.problem)),
        list: shortened(own.iter().flat_map(|table| &table.sentences).map(|text| sentence(text))),
        ..Section::default()
    }
}
