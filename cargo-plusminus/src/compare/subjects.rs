//! The bench targets and benchmarks of a comparison: both versions have them, and the command line selects them.

use plusminus::{
    engine::{self, CaseDescription, CommonCase, Machine, Program, Subject, WorkerError},
    text::Pattern,
};

use super::{
    MARGIN,
    arguments::Arguments,
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

    /// Selects every benchmark.
    pub(super) fn of_all() -> Self {
        Self { include_ignored: true, ..Self::default() }
    }

    fn has(&self, case: &CaseDescription) -> bool {
        let matches = |filter: &Pattern| match self.exact {
            true => filter.equals(&case.krate, &case.name),
            false => filter.selects(&case.krate, &case.name),
        };
        (self.include_ignored || case.ignore.is_none())
            && (self.filters.is_empty() || self.filters.iter().any(matches))
    }
}

/// The bench targets that both sides have, with the benchmarks that both have of them.
pub(super) fn subjects(
    machine: &dyn Machine,
    prepared: &Prepared,
    selection: &Selection,
    names: &mut Names,
) -> Result<Vec<Subject>> {
    let several = prepared.targets.len() > 1;
    let mut subjects = Vec::new();
    for target in &prepared.targets {
        let prefix = if several { target.name.clone() } else { String::new() };
        let listed = |program, side: &Identity| {
            // Two programs without a repository have no targets, and are measured as copies: they go by the user's names.
            let is_built = !target.name.is_empty();
            let name = if is_built { &target.name } else { &side.name };
            listed(machine, name, is_built, program, selection)
        };
        let (of_base, of_new) = match &target.programs {
            Programs::Both(both) => (
                listed(&both.versions.base, &prepared.base)?,
                listed(&both.versions.new, &prepared.new)?,
            ),
            Programs::Base(base) => (listed(base, &prepared.base)?, Vec::new()),
            Programs::New(new) => (Vec::new(), listed(new, &prepared.new)?),
        };
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
    Ok(subjects)
}

/// The selected benchmarks of one side of a target.
fn listed(
    machine: &dyn Machine,
    name: &str,
    is_built: bool,
    program: &Program,
    selection: &Selection,
) -> Result<Vec<CaseDescription>> {
    let cases = engine::list(machine, program).map_err(|error| match error {
        WorkerError::Interrupted(signal) => Error::Interrupted(signal),
        error => {
            let cure = match is_built && error.to_string().contains("speaks protocol") {
                true => "\nBuild base with the versions of head: `--lock head`. If it does not compile with them, merge the change \
                         without the gate.",
                false => "",
            };
            Error::Message(format!("{name} cannot list its benchmarks: {error}{cure}"))
        }
    })?;
    Ok(cases.into_iter().filter(|case| selection.has(case)).collect())
}

fn note_names(matching: &Matching, prefix: &str, names: &mut Names) {
    let full = |name: &String| match prefix {
        "" => name.clone(),
        prefix => format!("{prefix}: {name}"),
    };
    names.added.extend(matching.added.iter().map(full));
    names.removed.extend(matching.removed.iter().map(full));
    names.renamed.extend(matching.renamed.iter().map(|(from, to)| (full(from), full(to))));
}
