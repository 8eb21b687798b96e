//! Explains changes of time: links programs that have some of the changed functions from new and all else from base, and has
//! the engine measure them like any new side.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    rc::Rc,
    time::{Duration, Instant},
};

use plusminus::{
    engine::{self, CommonCase, Machine, Program, Subject, Versions},
    record::{ChangedPart, ComparisonRecord, ComparisonSettings, Explanation, Listing},
    results::{self, CaseResult, Explained, Outcome, RowResult},
};
use plusminus_analysis::verdict::Verdict;
use plusminus_same_code::{Change, Differing, Group};

use super::{code::name_in, programs::Both, second_opinion::Later, sides::Prepared};
use crate::{
    assembly,
    changed_function::kept,
    hybrid,
    progress::Progress,
    relink::{Origin, Recipe, Relinked},
};

/// The most benchmarks that are explained, by the size of their change.
const MOST: usize = 3;

/// Parts that are measured at once at most; more are measured in bundles first.
const PARTS: usize = 8;

/// The least and the most seconds for each program of an explanation.
const EACH_SECONDS: [f64; 2] = [15.0, 120.0];

/// Blocks for which the time of each program suffices if they take as long as those of the comparison: with half of them, a
/// share has no interval.
const BLOCKS: f64 = 24.0;

/// The probability of any wrong claim in an explanation. A small one takes more blocks, which shares need for their uncertainty.
const ALPHA: f64 = 0.001;

/// The margin of parts, as a fraction of the change that is explained.
const MARGIN: f64 = 0.2;

/// Functions that a record names for a part.
const KEPT: usize = 20;

/// Functions whose instructions a record lists for an explanation, about.
const LISTED: usize = 10;

/// The first round of these measurements: more than those of the comparison and of its check.
const LATER: u32 = 1 << 21;

/// Everything that explanations need.
pub(super) struct Explaining<'a> {
    pub(super) machine: &'a dyn Machine,
    pub(super) prepared: &'a Prepared,
    /// The benchmarks of all targets, with layouts.
    pub(super) subjects: &'a [Subject],
    pub(super) record: &'a ComparisonRecord,
    /// A text that the names of the benchmarks contain; empty for all.
    pub(super) asked: &'a str,
    /// The begin of all explaining, and the most time for it.
    pub(super) begin: Instant,
    pub(super) limit: Duration,
}

impl Explaining<'_> {
    pub(super) fn run(&self, progress: &mut Progress) -> Vec<Explanation> {
        let outcome = results::outcome(self.record);
        let mut changed: Vec<(&CaseResult, f64)> = outcome
            .cases
            .iter()
            .filter(|case| case.name.contains(self.asked))
            .filter_map(|case| Some((case, proven(case.rows.last()?)?)))
            .collect();
        changed.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        changed.truncate(MOST);
        let mut explained = Vec::new();
        for (case, change) in changed {
            let mut all = self.subjects.iter().zip(self.prepared.both());
            let found = all.find_map(|(subject, (_, both))| {
                let mut cases = subject.common.iter();
                let common =
                    cases.find(|one| name_in(&subject.name, &one.new.name) == case.name)?;
                Some((subject, common, both))
            });
            let Some((subject, common, both)) = found else { continue };
            let begin = Instant::now();
            if self.left().is_zero() {
                let reason = Some("the time limit came first".to_owned());
                explained.push(Explanation { reason, ..unexplained(case, common) });
                continue;
            }
            let of = (subject, common);
            let done = self.explained(&outcome, (case, change), of, both, progress);
            explained.push(Explanation { seconds: begin.elapsed().as_secs_f64(), ..done });
            if explained.last().and_then(interrupted).is_some() {
                break;
            }
        }
        explained
    }

    /// Explains one benchmark of the comparison with these results.
    fn explained(
        &self,
        outcome: &Outcome,
        (case, change): (&CaseResult, f64),
        (subject, common): (&Subject, &CommonCase),
        both: &Both,
        progress: &mut Progress,
    ) -> Explanation {
        let mut explanation = unexplained(case, common);
        match Workshop::new(&subject.versions, both, common, self.prepared) {
            Err(why) => explanation.reason = Some(why),
            Ok(workshop) => {
                explanation.reason.clone_from(&workshop.differing.joined);
                let bundles =
                    self.divided(&mut explanation, change, &workshop, (subject, common), progress);
                if interrupted(&explanation).is_none() {
                    let shares = results::shares(&explanation, outcome);
                    explanation.listings = workshop.listings(&shares, &bundles, self.prepared);
                }
            }
        }
        explanation
    }

    /// Measures the parts of an explanation. Returns the groups of each by its name.
    fn divided(
        &self,
        explanation: &mut Explanation,
        change: f64,
        workshop: &Workshop<'_>,
        (subject, common): (&Subject, &CommonCase),
        progress: &mut Progress,
    ) -> HashMap<String, Vec<usize>> {
        let all_groups = &workshop.differing.groups;
        let all: Vec<usize> = (0..all_groups.len()).collect();
        let mut of_parts = HashMap::new();
        if let [_] = all[..] {
            explanation.parts.push(part("1", None, &all, all_groups));
            of_parts.insert("1".to_owned(), all);
            return of_parts;
        }
        let mut left = vec![(None, all)];
        while let Some((within, groups)) = left.pop() {
            let bundles = bundles(&groups);
            let prefix: String = match &within {
                Some(part) => format!("{part}."),
                None => String::new(),
            };
            let mut parts = Vec::new();
            let mut subjects = Vec::new();
            if within.is_none() {
                let layouts = subject.layouts.clone();
                subjects.push(Subject {
                    name: "whole".to_owned(),
                    versions: subject.versions.clone(),
                    layouts: layouts.map(|first| Rc::new(Later(first, LATER)) as _),
                    common: vec![common.clone()],
                });
            }
            for (number, bundle) in (1..).zip(&bundles) {
                let mut part =
                    part(&format!("{prefix}{number}"), within.clone(), bundle, all_groups);
                match workshop.subject(self.machine, &part.name, bundle, common) {
                    Ok(subject) => subjects.push(subject),
                    Err(why) => part.refused = Some(why),
                }
                of_parts.insert(part.name.clone(), bundle.clone());
                parts.push(part);
            }
            for common in subjects.iter_mut().flat_map(|subject| &mut subject.common) {
                common.margin = (MARGIN * change.abs()).max(0.002);
            }
            let measured = self.measured(&subjects, progress);
            let outcome = results::outcome(&measured);
            for (part, bundle) in parts.iter().zip(&bundles) {
                let target = format!("{}: ", part.name);
                let mut cases = outcome.cases.iter();
                let row = cases.find(|case| case.name.starts_with(&target));
                let odd = part.refused.is_some() || row.is_some_and(|row| row.failure.is_some());
                let row = row.and_then(|case| case.rows.last());
                if bundle.len() > 1 && (odd || row.and_then(proven).is_some()) {
                    left.push((Some(part.name.clone()), bundle.clone()));
                }
            }
            explanation.parts.extend(parts);
            explanation.measured.push(measured);
            if interrupted(explanation).is_some() || self.left().is_zero() {
                break;
            }
        }
        of_parts
    }

    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.begin.elapsed())
    }

    fn measured(&self, subjects: &[Subject], progress: &mut Progress) -> ComparisonRecord {
        // A block has an entry for each instance.
        let cases = self.record.cases.iter();
        let blocks: usize = cases.map(|case| case.blocks.len() / case.instances.len().max(1)).sum();
        let [least, most] = EACH_SECONDS;
        let each = (BLOCKS * self.record.seconds / blocks.max(1) as f64).clamp(least, most);
        let left = self.left().as_secs_f64();
        let settings = ComparisonSettings {
            alpha: ALPHA,
            seed: self.record.settings.seed.wrapping_add(2),
            max_seconds: Some(left.min(each * subjects.len() as f64)),
            ..ComparisonSettings::of_blocks(None)
        };
        let record =
            ComparisonRecord::new(settings, self.record.base.clone(), self.record.new.clone());
        let done = engine::compare_until_decided(self.machine, subjects, record, progress);
        progress.end();
        done
    }
}

/// The explanation of a benchmark that is still to be explained.
fn unexplained(case: &CaseResult, common: &CommonCase) -> Explanation {
    Explanation {
        benchmark: case.name.clone(),
        is_checked: common.new.problem.is_some(),
        ..Explanation::default()
    }
}

/// The signal that ended an explanation.
pub(super) fn interrupted(explanation: &Explanation) -> Option<i32> {
    explanation.measured.iter().find_map(|measured| measured.interrupted)
}

/// The change of a row that is proven to be slower or faster.
fn proven(row: &RowResult) -> Option<f64> {
    let differs = matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster);
    row.change().filter(|_| differs && row.doubts.is_empty())
}

fn differing(
    versions: &Versions,
    common: &CommonCase,
    prepared: &Prepared,
    ambiguous: &HashSet<String>,
) -> Result<Differing, String> {
    let (base, new) = (read(&versions.base)?, read(&versions.new)?);
    plusminus_same_code::differing(&base, &new, &common.new, &prepared.folders, ambiguous)
}

fn read(program: &Program) -> Result<Vec<u8>, String> {
    fs::read(&program.binary)
        .map_err(|reason| format!("cannot read {}: {reason}", program.binary.display()))
}

/// Divides groups into bundles, each of one where there are few.
fn bundles(groups: &[usize]) -> Vec<Vec<usize>> {
    let size = groups.len().div_ceil(PARTS);
    groups.chunks(size.max(1)).map(<[usize]>::to_vec).collect()
}

fn part(name: &str, within: Option<String>, bundle: &[usize], groups: &[Group]) -> ChangedPart {
    let changes: Vec<&Change> = bundle.iter().flat_map(|&group| &groups[group].changes).collect();
    ChangedPart {
        name: name.to_owned(),
        within,
        functions: changes.iter().take(KEPT).map(|change| kept(change)).collect(),
        functions_in_all: changes.len(),
        refused: None,
    }
}

/// Makes programs of base with parts of new.
struct Workshop<'a> {
    versions: &'a Versions,
    differing: Differing,
    recipe: Recipe,
    /// The objects of both sides.
    objects: [Vec<u8>; 2],
    folder: PathBuf,
}

impl<'a> Workshop<'a> {
    fn new(
        versions: &'a Versions,
        both: &Both,
        common: &CommonCase,
        prepared: &Prepared,
    ) -> Result<Self, String> {
        let linked = both.linked.as_ref().ok_or("it is not known how the programs were linked")?;
        let folder = versions.base.binary.parent().unwrap_or(Path::new(".")).to_owned();
        let condensed = |side: usize| {
            let recipe = Recipe::of(&linked[side]).ok_or("it is not known how it was linked")?;
            let object = folder.join(format!("why-{side}.o"));
            let recipe = recipe.condensed(&object)?;
            let bytes = fs::read(&object).map_err(|reason| reason.to_string())?;
            Ok::<_, String>((recipe, bytes))
        };
        let ((recipe, base), (_, new)) = (condensed(0)?, condensed(1)?);
        let differing = differing(versions, common, prepared, &hybrid::ambiguous([&base, &new])?)?;
        Ok(Self { versions, differing, recipe, objects: [base, new], folder })
    }

    /// The instructions of the functions that differ, those of the parts with the largest shares first.
    fn listings(
        &self,
        shares: &Explained,
        bundles: &HashMap<String, Vec<usize>>,
        prepared: &Prepared,
    ) -> Vec<Listing> {
        let [Ok(base), Ok(new)] = [&self.versions.base, &self.versions.new].map(read) else {
            return Vec::new();
        };
        let each = (LISTED / shares.parts.len().max(1)).max(2);
        let parts = shares.parts.iter().filter_map(|share| bundles.get(&share.part.name));
        let changes: Vec<&Change> = parts
            .flat_map(|bundle| {
                let groups = bundle.iter().map(|&group| &self.differing.groups[group]);
                groups.flat_map(|group| &group.changes).take(each)
            })
            .collect();
        let tops = prepared.folders.each_ref().map(|side| side.top.as_path());
        assembly::listings([&base, &new], &changes, tops)
    }

    /// Base against base with some groups of new, as something to measure under a name.
    fn subject(
        &self,
        machine: &dyn Machine,
        name: &str,
        groups: &[usize],
        common: &CommonCase,
    ) -> Result<Subject, String> {
        let taken: Vec<String> =
            groups.iter().flat_map(|&group| self.differing.groups[group].symbols.clone()).collect();
        let [base, new] = &self.objects;
        let made = hybrid::exchanged(base, new, &taken, &self.differing.added)?;
        let object = self.folder.join(format!("why-{name}.o"));
        fs::write(&object, made).map_err(|reason| reason.to_string())?;
        let recipe = self.recipe.of_object(&object)?;
        let program = Program {
            binary: self.folder.join(format!("why-{name}-h")),
            ..self.versions.new.clone()
        };
        recipe.link_once(&program.binary)?;
        let listed = engine::list(machine, &program).map_err(|error| error.to_string())?;
        let case = listed.into_iter().find(|case| case.name == common.base.name);
        let case = case.ok_or("the program with this part lacks the benchmark")?;
        let base = Origin { program: self.versions.base.clone(), recipe: self.recipe.clone() };
        let new = Origin { program: program.clone(), recipe };
        let stems = ["b", "n"].map(|side| self.folder.join(format!("why-{name}-{side}")));
        let layouts = Relinked::begin(base, new, stems, 0, false)?;
        let layouts = Some(Rc::new(layouts) as _);
        let versions = Versions { base: self.versions.base.clone(), new: program, control: None };
        let common =
            CommonCase { base: common.base.clone(), new: case, later: false, ..common.clone() };
        Ok(Subject { name: name.to_owned(), versions, layouts, common: vec![common] })
    }
}
