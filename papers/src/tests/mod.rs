//! Each sentence of each paper on records of its own: some on which it holds, and some on which it does not.

mod apex;
mod documents;
mod kept;
mod kernels;
mod paths;
mod textbook;

use std::collections::BTreeMap;

use plusminus::record::{self, CaseRecord, InstanceRecord, Measurement, Record, Role};
use plusminus_tests::study_support::{empty, folder};

use crate::{
    Paper,
    fact::Facts,
    of_paper,
    sentence::{self, Outcome},
};

/// A benchmark at a point: its name, where it was measured, and its times in nanoseconds.
struct Made<'a> {
    function: &'a str,
    problem: &'a str,
    point: String,
    size: Option<f64>,
    role: Role,
    processors: usize,
    models: &'a [&'a str],
    /// Names, and kinds of work.
    instances: Vec<(String, Vec<(String, f64)>)>,
    /// Of each run and instance.
    times: Vec<Vec<f64>>,
}

impl Made<'_> {
    fn case(self) -> CaseRecord {
        let mut measurements = Vec::new();
        for (run, times) in self.times.iter().enumerate() {
            for (instance, time) in times.iter().enumerate() {
                measurements.push(Measurement {
                    run: run as u32,
                    instance,
                    // Many calls, so that whole nanoseconds do not round the time of one.
                    calls: 1000,
                    windows: 1,
                    wall_ns: vec![(time * 1000.0).round() as u64],
                    ..Measurement::default()
                });
            }
        }
        let instances = self.instances.into_iter();
        CaseRecord {
            name: format!("{}::{}", self.function, self.point),
            function: self.function.to_owned(),
            problem: Some(self.problem.to_owned()),
            point: self.point,
            size: self.size,
            role: self.role,
            processors: self.processors,
            models: self.models.iter().map(|model| (*model).to_owned()).collect(),
            instances: instances.map(|(name, work)| InstanceRecord { name, work }).collect(),
            measurements,
            failures: Vec::new(),
            tallies: Vec::new(),
            ..template()
        }
    }
}

/// A case of a published record, for fields that no test here is about.
fn template() -> CaseRecord {
    let path = plusminus_tests::workspace().join("tests/records/schema-1.json");
    record::read(&path).unwrap().cases.swap_remove(0)
}

fn record_of(cases: Vec<CaseRecord>) -> Record {
    Record { cases, ..empty() }
}

/// The facts of a paper in a record.
fn facts(paper: Paper, name: &str, record: &Record) -> Facts {
    let path = folder(&format!("papers_sentences_{name}")).join("record.json");
    record::write(record, &path).unwrap();
    let studied = cargo_plusminus::pages::study(std::slice::from_ref(&path)).unwrap();
    of_paper(paper, &studied.document, std::slice::from_ref(record)).0
}

/// The outcome of each sentence of a paper on a record.
fn outcomes(paper: Paper, name: &str, record: &Record) -> BTreeMap<String, Outcome> {
    let facts = facts(paper, name, record);
    let sentences = sentence::Paper::read(paper.sentences()).unwrap();
    let judged = sentences.judged(&facts);
    judged.iter().map(|one| (one.sentence.name.clone(), one.outcome)).collect()
}

/// Panics unless each sentence that can be tested agrees with one record and differs from another.
#[track_caller]
fn each_can_agree_and_differ(paper: Paper, name: &str, records: &[Record]) {
    let all: Vec<BTreeMap<String, Outcome>> = records
        .iter()
        .enumerate()
        .map(|(index, record)| outcomes(paper, &format!("{name}_{index}"), record))
        .collect();
    let sentences = sentence::Paper::read(paper.sentences()).unwrap();
    let mut wrong = Vec::new();
    // Worked examples are of a formula, and static columns of sources: neither is of a record.
    const OTHERS: [&str; 3] =
        ["the formula's value", "lines of code", "static statements less the paper's"];
    let of_records =
        |one: &&sentence::Sentence| one.untestable.is_none() && !OTHERS.contains(&&*one.quantity);
    for one in sentences.sentences.iter().filter(of_records) {
        let found: Vec<Outcome> = all.iter().map(|outcomes| outcomes[&one.name]).collect();
        if !found.contains(&Outcome::Agrees) || !found.contains(&Outcome::Differs) {
            wrong.push(format!("{}: {found:?}", one.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn data_files_name_each_sentence_once() {
    for paper in [Paper::Vov, Paper::Pc, Paper::Imsuite, Paper::Mpp, Paper::Dbpp] {
        let read = sentence::Paper::read(paper.sentences()).unwrap();
        let mut names: Vec<&str> = read.sentences.iter().map(|one| &*one.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{paper:?}");
        for one in &read.sentences {
            assert_eq!(one.untestable.is_some(), one.quantity.is_empty(), "{}", one.name);
        }
    }
    assert!(sentence::Paper::read("setting = ''\n[[sentence]]\nnmae = 'x'").is_err());
}
