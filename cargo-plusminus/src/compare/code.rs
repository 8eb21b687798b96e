//! Which benchmarks need no measuring, because both programs execute the same machine code for them.

use std::{fs, path::Path};

use plusminus::engine::{CaseDescription, Subject};
use plusminus_same_code::{Code, compare};

use super::{arguments::Which, programs::Both, sides::Prepared};
use crate::{
    error::{Result, at},
    report::{CodeOf, Codes},
};

/// Compares the code of all benchmarks, and removes those with the same code from the measurement, unless all are
/// wanted. Benchmarks of which only the set-up changed come after the others.
pub(super) fn look(subjects: &mut [Subject], prepared: &Prepared, which: Which) -> Result<Codes> {
    let mut codes = Codes { all_measured: which == Which::All, ..Codes::default() };
    let all = subjects.iter().zip(prepared.both());
    for (subject, (_, both)) in all.filter(|(subject, _)| !subject.common.is_empty()) {
        let found = of_subject(subject, both, prepared)?;
        let names = subject.common.iter().map(|case| name_in(&subject.name, &case.new.name));
        codes.cases.extend(names.zip(found).map(|(name, code)| CodeOf { name, code }));
    }
    for subject in subjects {
        let target = subject.name.clone();
        subject.common.retain(|case| match which {
            Which::All => true,
            Which::Changed => !codes.is_identical(&name_in(&target, &case.new.name)),
            Which::None => false,
        });
        for case in &mut subject.common {
            case.later = codes.is_only_set_up(&name_in(&target, &case.new.name));
        }
        subject.common.sort_by_key(|case| case.later);
    }
    Ok(codes)
}

/// Returns the code of the benchmarks of one target, in their order.
fn of_subject(subject: &Subject, both: &Both, prepared: &Prepared) -> Result<Vec<Code>> {
    let program = |path: &Path| fs::read(path).map_err(at("read", path));
    let versions = &subject.versions;
    let (base, new) = (program(&versions.base.binary)?, program(&versions.new.binary)?);
    let cases: Vec<(&CaseDescription, &CaseDescription)> =
        subject.common.iter().map(|case| (&case.base, &case.new)).collect();
    let mut found = compare(&base, &new, &cases, &prepared.folders);
    if let Some(changed) = &both.changed {
        for code in found.iter_mut().filter(|code| **code == Code::Identical) {
            *code = Code::Unknown(changed.why.clone());
        }
    }
    Ok(found)
}

/// The name of a benchmark in reports, with its target in front where there are several.
pub(super) fn name_in(target: &str, case: &str) -> String {
    if target.is_empty() { case.to_owned() } else { format!("{target}: {case}") }
}
