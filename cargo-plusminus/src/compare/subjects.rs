//! The bench targets and benchmarks of a comparison: both versions have them, and the command line selects them.

use plusminus::{
    engine::{self, CaseDescription, CommonCase, Machine, Subject, WorkerError},
    record::{Cause, ComparedCase, Failure, Side, SideFailure},
    text::Pattern,
};

use super::{
    MARGIN,
    arguments::Arguments,
    code::name_in,
    matching::{Matching, match_cases},
    programs::Programs,
    sides::Prepared,
};
use crate::{
    error::{Error, Result},
    report::{Identity, Names},
};

/// The benchmarks that the command line selects.
#[derive(Default)]
pub(super) struct Selection {
    filters: Vec<Pattern>,
    exact: bool,
    include_ignored: bool,
    /// The margin for all of them, instead of their own.
    margin: Option<f64>,
}

impl Selection {
    pub(super) fn of(arguments: &Arguments) -> Self {
        Self {
            filters: arguments.filters().map(|filter| Pattern::new(filter)).collect(),
            exact: arguments.exact,
            include_ignored: arguments.include_ignored,
            margin: arguments.measure.margin,
        }
    }

    pub(super) fn of_all() -> Self {
        Self { include_ignored: true, ..Self::default() }
    }

    /// Whether a benchmark of a target is selected, also by its name as reports print it.
    fn has(&self, case: &CaseDescription, target: &str) -> bool {
        let printed = name_in(target, &case.name);
        let matches = |filter: &Pattern| {
            filter.text() == printed
                || match self.exact {
                    true => filter.equals(&case.krate, &case.name),
                    false => filter.selects(&case.krate, &case.name),
                }
        };
        (self.include_ignored || case.ignore.is_none())
            && (self.filters.is_empty() || self.filters.iter().any(matches))
    }
}

/// The bench targets that both sides have, with the benchmarks that both have of them; and targets whose benchmarks cannot be
/// listed, as cases that failed.
pub(super) fn subjects(
    machine: &dyn Machine,
    prepared: &Prepared,
    selection: &Selection,
    names: &mut Names,
) -> Result<(Vec<Subject>, Vec<ComparedCase>)> {
    let several = prepared.targets.len() > 1;
    let mut subjects = Vec::new();
    let mut failed: Vec<ComparedCase> = Vec::new();
    for target in &prepared.targets {
        let prefix = if several { target.name.clone() } else { String::new() };
        // Two programs without a repository have no targets, and are measured as copies: they go by the user's names.
        let is_built = !target.name.is_empty();
        let mut failures = Vec::new();
        let is_selected = |case: &CaseDescription| selection.has(case, &target.name);
        let mut list = |program, side, identity: &Identity| match engine::list(machine, program) {
            Ok(cases) => Ok(cases.into_iter().filter(is_selected).collect()),
            Err(WorkerError::Interrupted(signal)) => Err(Error::Interrupted(signal)),
            Err(reason) => {
                let name = if is_built { &target.name } else { &identity.name };
                failures.push((name.clone(), of_listing(side, is_built, &reason)));
                Ok(Vec::new())
            }
        };
        let (of_base, of_new) = match &target.programs {
            Programs::Both(both) => (
                list(&both.versions.base, Side::Base, &prepared.base)?,
                list(&both.versions.new, Side::New, &prepared.new)?,
            ),
            Programs::Base(base) => (list(base, Side::Base, &prepared.base)?, Vec::new()),
            Programs::New(new) => (Vec::new(), list(new, Side::New, &prepared.new)?),
        };
        if let Some((name, _)) = failures.first() {
            let name = name.clone();
            let failures = failures.into_iter().map(|(_, failure)| failure).collect();
            failed.push(ComparedCase { name, failures, ..ComparedCase::default() });
            continue;
        }
        let matching = match_cases(of_base, of_new);
        note_names(&matching, &prefix, names);
        if let Programs::Both(both) = &target.programs {
            let common = |(base, new): (CaseDescription, CaseDescription)| {
                let own = new.margin.map(|percent| percent / 100.0).filter(|margin| *margin > 0.0);
                let margin = selection.margin.or(own).unwrap_or(MARGIN);
                CommonCase { base, new, margin, later: false }
            };
            subjects.push(Subject {
                name: prefix,
                versions: both.versions.clone(),
                layouts: None,
                common: matching.common.into_iter().map(common).collect(),
            });
        }
    }
    Ok((subjects, failed))
}

/// Why the benchmarks of a side of a target cannot be listed, as its failure.
fn of_listing(side: Side, is_built: bool, reason: &WorkerError) -> SideFailure {
    let mut message = reason.to_string();
    if is_built && message.contains("speaks protocol") {
        message.push_str(
            "\nBuild base with the versions of head: `--lock head`. If it does not compile with them, merge the change without the \
             gate.",
        );
    }
    let cause = Cause::Misuse { message };
    let failure = Failure { run: 0, instance: None, cause, output: String::new() };
    SideFailure { side: Some(side), failure }
}

/// Why nothing can be compared, if these targets failed and no others have a benchmark that the command line selects.
pub(super) fn why_nothing(failed: &[ComparedCase]) -> String {
    let of_target =
        |target: &ComparedCase| match target.failures.first().map(|one| &one.failure.cause) {
            Some(Cause::Misuse { message }) => {
                format!("{} cannot list its benchmarks: {message}", target.name)
            }
            _ => format!("{} cannot list its benchmarks", target.name),
        };
    match failed {
        [] => "no benchmark matches the filters".to_owned(),
        failed => failed.iter().map(of_target).collect::<Vec<_>>().join("\n"),
    }
}

fn note_names(matching: &Matching, prefix: &str, names: &mut Names) {
    let full = |name: &String| name_in(prefix, name);
    names.added.extend(matching.added.iter().map(full));
    names.removed.extend(matching.removed.iter().map(full));
    names.renamed.extend(matching.renamed.iter().map(|(from, to)| (full(from), full(to))));
}
