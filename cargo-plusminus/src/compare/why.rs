//! Explains changes of time: links programs that have some of the changed functions from new and all else from base, and has
//! the engine measure them like any new side.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
    time::Instant,
};

use plusminus::{
    engine::{self, CommonCase, Layouts, Machine, Program, Subject, Versions},
    record::{ChangedPart, ComparisonRecord, ComparisonSettings, Explanation},
    results::{self, CaseResult, RowResult},
};
use plusminus_analysis::verdict::Verdict;

use super::{code::name_in, programs::Both, second_opinion::Later, sides::Prepared};
use crate::{
    hybrid,
    progress::Progress,
    relink::{Origin, Recipe, Relinked},
    same_code::{self, Change, Differing, Group},
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
}

impl Explaining<'_> {
    /// Explains the benchmarks that changed most.
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
            let done = self.explained(&case.name, change, subject, common, both, progress);
            explained.push(Explanation { seconds: begin.elapsed().as_secs_f64(), ..done });
            if explained.last().and_then(interrupted).is_some() {
                break;
            }
        }
        explained
    }

    fn explained(
        &self,
        name: &str,
        change: f64,
        subject: &Subject,
        common: &CommonCase,
        both: &Both,
        progress: &mut Progress,
    ) -> Explanation {
        let mut explanation = Explanation {
            benchmark: name.to_owned(),
            parts: Vec::new(),
            reason: None,
            is_checked: common.new.problem.is_some(),
            seconds: 0.0,
            measured: Vec::new(),
        };
        let versions = &subject.versions;
        let workshop = match Workshop::new(versions, both, common, self.prepared) {
            Ok(workshop) => workshop,
            Err(why) => {
                explanation.reason = Some(why);
                return explanation;
            }
        };
        let differing = &workshop.differing;
        explanation.reason.clone_from(&differing.joined);
        let all: Vec<usize> = (0..differing.groups.len()).collect();
        if let [_] = all[..] {
            explanation.parts.push(part("1", None, &all, &differing.groups));
            return explanation;
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
                    versions: versions.clone(),
                    layouts: layouts.map(|first| Rc::new(Later(first, LATER)) as _),
                    common: vec![common.clone()],
                });
            }
            for (number, bundle) in (1..).zip(&bundles) {
                let mut part =
                    part(&format!("{prefix}{number}"), within.clone(), bundle, &differing.groups);
                match workshop.subject(self.machine, &part.name, bundle, common) {
                    Ok(subject) => subjects.push(subject),
                    Err(why) => part.refused = Some(why),
                }
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
            if interrupted(&explanation).is_some() {
                break;
            }
        }
        explanation
    }

    fn measured(&self, subjects: &[Subject], progress: &mut Progress) -> ComparisonRecord {
        // A block has an entry for each instance.
        let cases = self.record.cases.iter();
        let blocks: usize = cases.map(|case| case.blocks.len() / case.instances.len().max(1)).sum();
        let [least, most] = EACH_SECONDS;
        let each = (BLOCKS * self.record.seconds / blocks.max(1) as f64).clamp(least, most);
        let settings = ComparisonSettings {
            alpha: ALPHA,
            seed: self.record.settings.seed.wrapping_add(2),
            max_seconds: Some(each * subjects.len() as f64),
            ..ComparisonSettings::of_blocks(None)
        };
        let record =
            ComparisonRecord::new(settings, self.record.base.clone(), self.record.new.clone());
        let done = engine::compare_until_decided(self.machine, subjects, record, progress);
        progress.end();
        done
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
    let read = |program: &Program| {
        fs::read(&program.binary)
            .map_err(|reason| format!("cannot read {}: {reason}", program.binary.display()))
    };
    let (base, new) = (read(&versions.base)?, read(&versions.new)?);
    same_code::differing(&base, &new, &common.new, &prepared.folders, ambiguous)
}

/// Divides groups into bundles, each of one where there are few.
fn bundles(groups: &[usize]) -> Vec<Vec<usize>> {
    let size = groups.len().div_ceil(PARTS);
    groups.chunks(size.max(1)).map(<[usize]>::to_vec).collect()
}

/// A part for the record.
fn part(name: &str, within: Option<String>, bundle: &[usize], groups: &[Group]) -> ChangedPart {
    let changes: Vec<&Change> = bundle.iter().flat_map(|&group| &groups[group].changes).collect();
    ChangedPart {
        name: name.to_owned(),
        within,
        functions: changes.iter().take(KEPT).map(|change| change.kept()).collect(),
        functions_in_all: changes.len(),
        refused: None,
    }
}

/// Makes programs of base with parts of new.
struct Workshop<'a> {
    versions: &'a Versions,
    differing: Differing,
    /// How base is linked from one object.
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
        let origins = [
            Origin { program: self.versions.base.clone(), recipe: self.recipe.clone() },
            Origin { program: program.clone(), recipe },
        ];
        let stems = ["b", "n"].map(|side| self.folder.join(format!("why-{name}-{side}")));
        let [base, new] = origins;
        let layouts = Relinked::begin(base, new, stems, 0, false)?;
        let versions = Versions { base: self.versions.base.clone(), new: program, control: None };
        let layouts: Rc<dyn Layouts> = Rc::new(layouts);
        let common =
            CommonCase { base: common.base.clone(), new: case, later: false, ..common.clone() };
        Ok(Subject {
            name: name.to_owned(),
            versions,
            layouts: Some(layouts),
            common: vec![common],
        })
    }
}
