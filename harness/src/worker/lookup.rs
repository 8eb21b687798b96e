//! Benchmarks of this program, as a runner asks for them: all of them, or those of some names.

use super::protocol::{Listed, Load};
use crate::registry::{Case, Entry, Subject, cases, entries};

/// What this program has to offer.
pub(super) fn listed() -> Result<Vec<Listed>, String> {
    let all = cases(&entries())?;
    let table = |(index, case): (usize, &Case)| {
        all.iter().position(|first| first.same_table(case)).unwrap_or(index)
    };
    let tables: Vec<usize> = all.iter().enumerate().map(table).collect();
    let describe = |(case, table): (Case, usize)| Listed {
        table,
        krate: case.entry.krate().to_owned(),
        function: case.function.clone(),
        problem: case.problem(),
        processors: case.processors,
        names_processors: case.names_processors,
        threads: case.threads,
        file: case.place.0.to_owned(),
        line: case.place.1,
        margin: case.options.margin,
        timeout: case.options.timeout.map(|timeout| timeout.as_secs_f64()),
        ignore: case.ignored().map(str::to_owned),
        name: case.name,
        point: case.point_name,
    };
    Ok(all.into_iter().zip(tables).map(describe).collect())
}

/// What a request asks for.
pub(super) enum Found {
    /// Cases that share one input.
    Cases(Vec<Case>),
    /// A benchmark that a function may register when it is called.
    Registered(String),
}

/// The cases with these names.
pub(super) fn find(load: &Load) -> Result<Found, String> {
    let registers = |entry: &&Entry| matches!(entry.subject, Subject::Registered(_));
    let (registering, written): (Vec<&Entry>, Vec<&Entry>) =
        entries().into_iter().partition(registers);
    let all = cases(&written)?;
    let named = |name: &String| all.iter().find(|case| case.name == *name).cloned();
    if let [name] = load.cases.as_slice()
        && !registering.is_empty()
        && named(name).is_none()
    {
        // Only calling the functions tells; that is done once, while the case is measured.
        return Ok(Found::Registered(name.clone()));
    }
    let found = |name: &String| named(name).ok_or_else(|| missing(name));
    let found: Vec<Case> = load.cases.iter().map(found).collect::<Result<_, _>>()?;
    match found.split_first() {
        None => Err("no benchmark was named".to_owned()),
        Some((first, rest)) if rest.iter().all(|case| case.same_table(first)) => {
            Ok(Found::Cases(found))
        }
        Some(_) => Err("benchmarks of different problems cannot share an input".to_owned()),
    }
}

/// What to say of a benchmark that this process does not have.
pub(super) fn missing(name: &str) -> String {
    format!(
        "this program has no benchmark named `{name}`; a name that is made at run time has to be the same in every \
         process"
    )
}
