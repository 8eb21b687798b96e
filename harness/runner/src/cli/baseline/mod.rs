//! The baseline of a measurement, and the record and program that are kept for the next one.

mod program;

use std::{io, path::Path, time::Duration};

use super::{Target, arguments::Arguments, bench::tell, measuring::Measuring};
use crate::{
    baselines::{self, OwnCopy},
    engine::CaseDescription,
    record::{self, Home, Record},
    results::{self, BaselineComparison, ProgramComparison, RecordComparison},
    text::{sentence, visible},
};
use program::Baseline;

/// Everything that has to exist before measuring: a baseline to compare with, and a copy of this program.
pub(super) struct Prepared {
    baseline: Option<Baseline>,
    /// A copy of this program, if it is compared or kept.
    own: Option<OwnCopy>,
}

impl Prepared {
    /// Finds the baseline, and tries whether all can be kept later: what would be missing after measuring is missing now.
    pub(super) fn new(
        home: &Home,
        target: &Target<'_>,
        arguments: &Arguments,
    ) -> Result<Self, String> {
        let program = &target.binary;
        let baseline = match &arguments.baseline {
            Some(name) => {
                let files = record::beside(program, &target.build.loaded);
                Baseline::find(home, name, arguments.baseline_may_lack, &files)?
            }
            None => None,
        };
        let folder = &home.folder();
        for name in names(arguments) {
            baselines::try_to_save(folder, name)?;
        }
        let wanted = arguments.load.is_none()
            && (arguments.save_baseline.is_some() || arguments.baseline.is_some());
        let cannot_keep = |error: &io::Error| {
            tell(&format!(
                "no copy of this program can be kept: {error}; its record alone is compared and kept"
            ));
        };
        let own = || OwnCopy::of(program, folder, "new").inspect_err(cannot_keep).ok();
        Ok(Self { baseline, own: wanted.then(own).flatten() })
    }

    /// Returns the time limit for the measurement itself: half of the whole, if a comparison follows.
    pub(super) fn time(&self, max_time: Option<Duration>) -> Option<Duration> {
        let in_turns =
            self.own.is_some() && self.baseline.as_ref().is_some_and(|b| b.program.is_ok());
        if in_turns { max_time.map(|time| time / 2) } else { max_time }
    }

    /// Compares with the baseline: its program, or if that is impossible, its record.
    pub(super) fn compare(
        &self,
        record: &Record,
        wanted: &[CaseDescription],
        measuring: &Measuring,
        arguments: &Arguments,
        max_time: Option<Duration>,
    ) -> Option<BaselineComparison> {
        let Some(baseline) = &self.baseline else {
            match arguments.baseline.as_deref() {
                Some(baselines::PREVIOUS) => tell(
                    "no previous run to compare with; this run is saved as the baseline for the next one",
                ),
                Some(name) => {
                    tell(&format!("there is no baseline `{}` to compare with", visible(name)))
                }
                None => {}
            }
            return None;
        };
        if record.interrupted.is_some() && arguments.load.is_none() {
            return None;
        }
        let margins = |case: &str| {
            let of_case = wanted.iter().find(|one| one.name == case).and_then(|one| one.margin);
            arguments
                .margin
                .or(of_case.map(|percent| percent / 100.0))
                .unwrap_or(record.settings.margin)
        };
        let by_record = || {
            let found = results::compare_records(record, &baseline.name, &baseline.record, margins);
            name_missing(&found);
            BaselineComparison::Record(found)
        };
        let Some(own) = &self.own else { return Some(by_record()) };
        let sides = (own, baseline);
        match program::compare(wanted, measuring, sides, record, arguments, max_time) {
            Ok(record) => {
                let outcome = results::outcome(&record);
                Some(BaselineComparison::Program(Box::new(ProgramComparison { record, outcome })))
            }
            Err(reason) => {
                tell(&format!(
                    "the program of the baseline `{}` cannot be measured any more, so its record is used: {}",
                    visible(&baseline.name),
                    sentence(&reason)
                ));
                Some(by_record())
            }
        }
    }

    /// Keeps the record and the program under the given names. Returns whether that went well.
    pub(super) fn save(&self, record: &Record, home: &Home, arguments: &Arguments) -> bool {
        let folder = &home.folder();
        let mut fine = true;
        let mut programs = Vec::new();
        for name in names(arguments) {
            if record.interrupted.is_some() {
                let name = visible(name);
                tell(&format!("interrupted, so the baseline `{name}` stays as it was"));
                fine &= arguments.save_baseline.is_none();
                continue;
            }
            fine &= save_record(record, folder, name);
            match self.own.as_ref().map(|own| own.keep(folder, name)) {
                Some(Ok(path)) => programs.push(path),
                Some(Err(error)) => {
                    let name = visible(name);
                    tell(&format!("the program of the baseline `{name}` is not kept: {error}"));
                }
                None => {}
            }
        }
        if !programs.is_empty() {
            let removed = baselines::keep_bounded(home, &programs);
            if !removed.is_empty() {
                tell(&format!(
                    "programs of baselines took more than 2 GiB: those of {} are removed, which were not used for the \
                     longest time; their records stay",
                    removed.join(", ")
                ));
            }
        }
        fine
    }
}

/// Returns the names that a run is kept under. With `previous` as baseline, every run is kept.
fn names(arguments: &Arguments) -> impl Iterator<Item = &str> {
    let always = arguments.baseline.as_deref().filter(|name| *name == baselines::PREVIOUS);
    let given = arguments.save_baseline.as_deref();
    let always = always.filter(|name| Some(*name) != given && arguments.load.is_none());
    given.into_iter().chain(always)
}

fn name_missing(found: &RecordComparison) {
    for (case, reason) in &found.missing {
        let (case, name) = (visible(case), visible(&found.baseline));
        tell(&format!("`{case}` is not compared with the baseline `{name}`: {reason}"));
    }
}

fn save_record(record: &Record, folder: &Path, name: &str) -> bool {
    match baselines::save(folder, name, record) {
        Ok(gone) if gone.is_empty() || name == baselines::PREVIOUS => true,
        Ok(gone) => {
            let gone: Vec<String> = gone.iter().map(|name| visible(name)).collect();
            let (name, gone) = (visible(name), gone.join(", "));
            tell(&format!("the baseline `{name}` is replaced, and no longer has {gone}"));
            true
        }
        Err(message) => {
            tell(&format!("the baseline `{}` is not saved: {message}", visible(name)));
            false
        }
    }
}

/// Writes the record of a comparison next to that of the measurement.
pub(super) fn write_comparison(comparison: &BaselineComparison, path: &Path) {
    let BaselineComparison::Program(found) = comparison else { return };
    let path = path.with_extension("compared.json");
    if let Err(error) = record::write_comparison(&found.record, &path) {
        tell(&format!("{error}; the report of the comparison is all there is"));
    }
}
