//! Benchmarks of this program as a runner asks for them: all of them, or those of some names.

use crate::{
    order::order,
    protocol::{CaseDescription, Load},
    registry::{Case, Entry, Subject, Wanted, cases, chosen, entries},
    sys,
};

/// Describes the benchmarks that belong to this program.
///
/// # Errors
/// A sentence for people: none is registered, a name is missing or there twice, or listing them panicked.
pub fn listed() -> Result<Vec<CaseDescription>, String> {
    Ok(describe(&cases(&chosen()?)?))
}

/// Cases as a runner needs to know them. A table is numbered by its first case.
fn describe(cases: &[Case]) -> Vec<CaseDescription> {
    let mut tables: Vec<usize> = (0..cases.len()).collect();
    // Cases of one table are adjacent in this order, in the order of the source.
    let by_table = order(cases.len(), &|a, b| table_key(&cases[a]).cmp(&table_key(&cases[b])));
    for pair in by_table.windows(2) {
        if cases[pair[0]].same_table(&cases[pair[1]]) {
            tables[pair[1]] = tables[pair[0]];
        }
    }
    let describe = |(case, table): (&Case, usize)| CaseDescription {
        table,
        run_code: case.code.run.and_then(place),
        section_code: case.code.sections.iter().copied().filter_map(place).collect(),
        ..case.told.clone()
    };
    cases.iter().zip(tables).map(describe).collect()
}

/// An order in which cases of one table stand together.
fn table_key(Case { told, .. }: &Case) -> (&Option<String>, usize, usize, usize) {
    (&told.problem, told.point_index, told.processors, told.threads)
}

/// The place of code in its program, which does not depend on where the program was loaded.
fn place(address: usize) -> Option<u64> {
    Some((address as u64).wrapping_sub(sys::program_entry()?))
}

pub(super) enum Found {
    Cases(Vec<Case>),
    /// A benchmark that a function may register when it is called.
    Registered(Wanted),
}

pub(super) fn find(load: &Load) -> Result<Found, String> {
    let registers = |entry: &&Entry| matches!(entry.subject, Subject::Registered(_));
    let (registering, written): (Vec<&Entry>, Vec<&Entry>) =
        entries().into_iter().partition(registers);
    let all = cases(&written)?;
    let named = |name: &String| all.iter().find(|case| case.told.name == *name).cloned();
    if let [name] = load.cases.as_slice()
        && !registering.is_empty()
        && named(name).is_none()
    {
        // Only calling the functions shows it, which is done once, while the case is measured.
        return Ok(Found::Registered(Wanted {
            name: name.clone(),
            sections: load.sections.clone(),
        }));
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

/// Returns the message about a benchmark that this process does not have.
pub(super) fn missing(name: &str) -> String {
    format!(
        "this program has no benchmark named `{name}`; a name that is made at run time has to be the same in every \
         process"
    )
}
