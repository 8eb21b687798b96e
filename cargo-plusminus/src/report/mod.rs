//! Words, tables and files for people and programs, made from the results of a comparison. Measures nothing.

mod accepted;
pub(crate) mod built;
mod code;
mod complexity;
mod costs;
mod failed;
mod gate;
pub(crate) mod github;
pub(crate) mod json;
mod listing;
pub(crate) mod markdown;
mod noticed;
pub(crate) mod own;
mod sentences;
#[cfg(test)]
mod shapes;
pub mod table;
mod why;

pub(crate) use accepted::FILE;
pub(crate) use built::Program;
pub(crate) use code::{CodeOf, Codes, changed, remark};
#[cfg(test)]
pub(crate) use failed::OPTIONS;
pub(crate) use failed::{command, errors};
pub(crate) use gate::Gate;
pub(crate) use listing::{LISTED, listed};
use plusminus::{
    exit,
    output::{print, view},
    record::{AcceptedSlowdown, Built, ComparedTarget, ComparisonRecord, SideRecord},
    report::Warning,
    results::{self, Explained, Outcome, RowResult},
    text::{visible, without_secrets},
};
pub(crate) use sentences::{answer, ends, sentence};
pub(crate) use why::lines as explanations;

use serde::Serialize;

use crate::error::{Error, Result};

/// Stands for the layout if the sides are programs of any language.
pub(crate) const WHOLE_PROGRAMS: &str = "whole-programs";

/// The exit code by which `git bisect run` skips a commit.
pub(crate) const BISECT_SKIP: i32 = 125;

/// Prints the meaning of a word of a report, and returns the exit code.
pub(crate) fn explain(word: &str) -> Result<i32> {
    let unknown =
        |message: String| Error::Message(message.replace("--explain", "cargo plusminus explain"));
    let told = plusminus::report::explain(word).map_err(unknown)?;
    let view = view(None, true);
    let paragraphs: String = told.lines().map(|line| view.paragraph(line, 2)).collect();
    print(&paragraphs).map_err(Error::Message)?;
    Ok(exit::FINE)
}

/// Returns the limits of the verdicts of a comparison, the most urgent first.
pub(crate) fn warnings(comparison: &Comparison) -> Vec<Warning> {
    let benchmarks = comparison.outcome.cases.len();
    let noticed = noticed::all(comparison);
    let marked = noticed::marked(&noticed, benchmarks);
    noticed.iter().map(|one| one.warning(benchmarks, marked)).collect()
}

/// Whether a check of the row itself failed.
pub(crate) fn has_own_doubt(row: &RowResult) -> bool {
    row.doubts.iter().any(|doubt| !noticed::is_of_control(doubt))
}

/// One side as people know it.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Identity {
    /// The name that the user gave it.
    pub(crate) name: String,
    pub(crate) commit: Option<String>,
    /// The first line of its message.
    #[serde(skip)]
    pub(crate) subject: Option<String>,
    /// It differs from the commit.
    pub(crate) dirty: bool,
}

impl Identity {
    /// Of a commit, or of a work tree at a commit.
    pub(crate) fn of(name: String, hash: String, dirty: bool) -> Self {
        let commit = Some(hash).filter(|hash| !hash.is_empty());
        Self { name, commit, subject: None, dirty }
    }

    /// `main (1a2b3c4d5e6f)`.
    pub(crate) fn text(&self) -> String {
        let name = visible(&without_secrets(std::slice::from_ref(&self.name)).concat());
        match &self.commit {
            Some(hash) => {
                let changes = if self.dirty { " with changes" } else { "" };
                format!("{name} ({}{changes})", visible(&hash.chars().take(12).collect::<String>()))
            }
            None => name,
        }
    }

    /// The same without a name that only repeats the commit.
    pub(crate) fn short(&self) -> String {
        match &self.commit {
            Some(hash) if self.name.len() >= 7 && hash.starts_with(&self.name) => {
                let changes = if self.dirty { " with changes" } else { "" };
                visible(&hash.chars().take(12).collect::<String>()) + changes
            }
            _ => self.text(),
        }
    }
}

/// Benchmarks that only one side has under their name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
    /// From and to.
    pub(crate) renamed: Vec<(String, String)>,
    /// Benchmarks with the same machine code on both sides, which were not measured.
    pub(crate) identical_code: Vec<String>,
}

impl Names {
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.renamed.is_empty()
    }
}

/// How it was measured, and the overall result.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) margin: f64,
    pub(crate) alpha: f64,
    pub(crate) seed: u64,
    /// Layouts of each side that were measured.
    pub(crate) layouts: u32,
    /// How layouts were treated: sampled, aligned or as-built. `None` if the programs were given, [`WHOLE_PROGRAMS`]
    /// for programs of any language.
    pub(crate) layout: Option<&'static str>,
    pub(crate) exit_code: i32,
    /// The process ends as `git bisect run` expects.
    pub(crate) is_bisecting: bool,
    /// Time for checking out and building.
    pub(crate) preparing_seconds: f64,
}

impl Summary {
    /// The exit code of the process.
    pub(crate) fn process_exit_code(&self) -> i32 {
        match self.exit_code {
            exit::FINE | exit::REGRESSION => self.exit_code,
            code if code < exit::INTERRUPTED && self.is_bisecting => BISECT_SKIP,
            code => code,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) base: Identity,
    pub(crate) new: Identity,
    pub(crate) outcome: Outcome,
    pub(crate) codes: Codes,
    /// How many benchmarks with identical code were measured after all others, as a check.
    pub(crate) checked: usize,
    /// Benchmarks whose code is the same and whose time is not: an error of ours.
    pub(crate) contradicted: Vec<String>,
    pub(crate) names: Names,
    /// Why times differ, of benchmarks of which that was asked.
    pub(crate) explained: Vec<Explained>,
    pub(crate) accepted: Vec<AcceptedSlowdown>,
    pub(crate) gate: Gate,
    pub(crate) built: Built,
    /// The programs that were measured; none for a record.
    pub(crate) programs: Vec<Program>,
    pub(crate) targets: Vec<ComparedTarget>,
    /// Performance Complexity of benchmarks with a sweep, in sentences.
    pub(crate) complexity: Vec<String>,
    pub(crate) summary: Summary,
    /// The options with which these benchmarks are compared again, as they are typed.
    pub(crate) options: Vec<String>,
}

/// How a record treats layouts. Earlier records do not tell, but a version that has several layouts was sampled.
fn layout_of(record: &ComparisonRecord) -> Option<&'static str> {
    let known = ["sampled", "aligned", "as-built", WHOLE_PROGRAMS];
    match &record.settings.layout {
        Some(told) => known.into_iter().find(|known| known == told),
        None => (record.layouts() > 1).then_some("sampled"),
    }
}

/// The report of a record, before its exit code is known.
pub(crate) fn of_record(record: &ComparisonRecord) -> Comparison {
    let identity = |side: &SideRecord| Identity {
        name: side.name.clone(),
        commit: side.manifest.commit.clone(),
        subject: side.manifest.subject.clone(),
        dirty: side.manifest.dirty.unwrap_or(false),
    };
    Comparison {
        base: identity(&record.base),
        new: identity(&record.new),
        outcome: results::outcome(record),
        codes: Codes::of_record(record),
        checked: record.checked,
        contradicted: record.contradicted.clone(),
        names: Names {
            added: record.added.clone(),
            removed: record.removed.clone(),
            renamed: record.renamed.clone(),
            identical_code: record.identical_code.clone(),
        },
        explained: results::explained(record),
        accepted: record.accepted.clone(),
        gate: Gate::default(),
        built: record.built.clone().unwrap_or_default(),
        programs: Vec::new(),
        targets: record.targets.clone(),
        options: record.options.iter().filter(|option| failed::is_known(option)).cloned().collect(),
        complexity: complexity::sentences(record),
        summary: Summary {
            margin: record.settings.margin,
            alpha: record.settings.alpha,
            seed: record.settings.seed,
            layouts: record.layouts(),
            layout: layout_of(record),
            exit_code: 0,
            is_bisecting: false,
            preparing_seconds: record.preparing_seconds,
        },
    }
}

#[cfg(test)]
pub(crate) fn kept_record() -> ComparisonRecord {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/records/comparison-1.json");
    plusminus::record::read_comparison(path.as_ref()).unwrap()
}
