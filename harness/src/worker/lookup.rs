//! Benchmarks of this program, as a runner asks for them: all of them, or those of some names.

use super::protocol::{Listed, Load};
use crate::registry::{Case, cases, entries};

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
        function: case.entry.path(),
        problem: case.problem(),
        processors: case.processors,
        names_processors: case.names_processors,
        threads: case.threads,
        file: case.entry.file.to_owned(),
        line: case.entry.line,
        margin: case.options.margin,
        timeout: case.options.timeout.map(|timeout| timeout.as_secs_f64()),
        ignore: case.ignored().map(str::to_owned),
        name: case.name,
        point: case.point_name,
    };
    Ok(all.into_iter().zip(tables).map(describe).collect())
}

/// The cases with these names, all sharing one input.
pub(super) fn find_cases(load: &Load) -> Result<Vec<Case>, String> {
    let all = cases(&entries())?;
    let find = |name: &String| {
        let found = all.iter().find(|case| case.name == *name).cloned();
        found.ok_or_else(|| format!("this program has no benchmark named `{name}`"))
    };
    let found: Vec<Case> = load.cases.iter().map(find).collect::<Result<_, _>>()?;
    match found.split_first() {
        None => Err("no benchmark was named".to_owned()),
        Some((first, rest)) if rest.iter().all(|case| case.same_table(first)) => Ok(found),
        Some(_) => Err("benchmarks of different problems cannot share an input".to_owned()),
    }
}
