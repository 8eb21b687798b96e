//! The page of a study: scaling, runs side by side and Performance Complexity of one or several records.

use std::path::PathBuf;

use plusminus::text::{number::with_uncertainty, sentence, visible};

use super::{
    figures::{self, grouped},
    html::{Page, Section},
    measured,
};
use crate::{
    error::Result,
    study::{
        self,
        document::{Document, ProblemStudy, RecordOf, RunWise},
        few,
    },
};

/// Sentences of a list that a page has; the text of the terminal has all.
const SENTENCES: usize = 20;

/// A study with its page.
pub struct Studied {
    pub document: Document,
    pub page: Page,
}

/// The page of a study of all these records together.
pub fn studied(records: &[PathBuf]) -> Result<Studied> {
    let (document, text) = study::of(records)?;
    let of_record =
        |record: &RecordOf| format!("{} ({})", visible(&record.bench), visible(&record.started));
    let names: Vec<String> = document.records.iter().map(of_record).collect();
    let compared = document.problems.iter().flat_map(|problem| &problem.comparisons);
    let compared = compared.filter_map(|one| one.sentences.first()).map(|text| sentence(text));
    let run_wise = document.run_wise.iter().filter_map(|table| {
        let s = with_uncertainty(table.over_runs?.value, table.over_runs?.u);
        Some(format!("{}: S = {s}", table.pair()))
    });
    let mut said = compared.chain(run_wise);
    let answer = said.next().unwrap_or_else(|| format!("Of {}.", names.join(", ")));
    let answer = match said.count() {
        0 => answer,
        more => format!("{answer}; {more} more comparisons below"),
    };
    let facts = vec![["records".to_owned(), names.join(", ")]];
    let mut sections = vec![Section { facts, ..Section::default() }];
    sections.extend(document.problems.iter().map(of_problem));
    let pairs = grouped(&document.run_wise, RunWise::is_like);
    sections.extend(pairs.iter().map(|own| run_by_run(own)));
    let noted = document.apex_map.iter().filter(|apex| !apex.notes.is_empty());
    sections.extend(noted.map(|apex| Section {
        title: "Apex-MAP".to_owned(),
        list: apex.notes.iter().map(|note| sentence(note)).collect(),
        ..Section::default()
    }));
    sections.push(Section {
        title: "The study of the terminal".to_owned(),
        terminal: Some(("The same numbers, with tables, models and sentences".to_owned(), text)),
        ..Section::default()
    });
    sections.push(limits(&document));
    let page = Page { title: "Study: scaling and models".to_owned(), summary: answer, sections };
    Ok(Studied { document, page })
}

fn limits(document: &Document) -> Section {
    let several = "The records are of different times: what changed in the machine between them is in the differences and in no \
                   uncertainty.";
    let mut list = vec![
        "Models are fitted to what was measured; outside of it, and on other machines, they are guesses.".to_owned(),
        "The times are those of one machine, one build and these inputs.".to_owned(),
    ];
    list.extend((document.records.len() > 1).then(|| several.to_owned()));
    let ended = document.records.iter().filter(|one| one.interrupted.is_some() || one.unfinished);
    list.extend(ended.map(|record| format!("{} ended before its time.", visible(&record.path))));
    measured::warning(list)
}

/// A problem with the figures of each of its sweeps.
fn of_problem(problem: &ProblemStudy) -> Section {
    let sweeps = grouped(&problem.series, |a, b| a.sweep == b.sweep);
    let plots = sweeps.iter().flat_map(|same| {
        let parts = [Some(&problem.problem), same[0].sweep.as_ref()].into_iter().flatten();
        let title = parts.map(|part| visible(part)).collect::<Vec<_>>().join(", ");
        figures::scaling(same, &title)
    });
    let said = problem.comparisons.iter().flat_map(|comparison| &comparison.sentences);
    let said = said.chain(&problem.advice.sentences);
    let notes = problem.notes.iter().map(|text| sentence(text));
    let list = said.map(|text| sentence(text)).chain(of_models(problem)).chain(notes).collect();
    Section { title: visible(&problem.problem), list, plots: plots.collect(), ..Section::default() }
}

/// Returns sentences about the models of each series, each sentence once, with a few names.
fn of_models(problem: &ProblemStudy) -> Vec<String> {
    let mut said: Vec<(&str, String)> = Vec::new();
    for series in &problem.series {
        let short = series.variant.rsplit("::").next().map(visible);
        for models in &series.models {
            let over = (series.models.len() > 1).then(|| visible(&models.over));
            let parts = [short.clone(), series.sweep.as_deref().map(visible), over];
            let name = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
            said.extend(models.sentences.iter().map(|text| (text.as_str(), name.clone())));
        }
    }
    let of = |names: &[String]| few(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let said = study::grouped(said).into_iter();
    said.map(|(text, names)| sentence(&format!("{}: {text}", of(&names)))).collect()
}

fn run_by_run(own: &[&RunWise]) -> Section {
    let said = own.iter().flat_map(|table| &table.sentences);
    let mut list: Vec<String> = said.map(|text| sentence(text)).collect();
    if list.len() > SENTENCES + 1 {
        let more = list.split_off(SENTENCES).len();
        list.push(format!("and {more} more sentences, in the text of the terminal below"));
    }
    let title = format!("{}, run by run: {}", visible(&own[0].problem), own[0].pair());
    Section { title, list, ..Section::default() }
}
