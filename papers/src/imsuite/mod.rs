//! "IMSuite": the counts and times of its kernels, and the paper's figures 7 to 19.

mod curves;
mod facts;
mod figure_10;
mod figure_8;
mod operations;
mod places;
mod ratios;
mod sources;

use plusminus::{
    record::{CaseRecord, Record, Tally},
    results::{self, Row},
};

#[cfg(test)]
pub(crate) use {figure_8::FIGURE_8, figure_10::FIGURE_10};

use self::ratios::spans;
use crate::fact::Facts;
use cargo_plusminus::pages::Section;

/// The count of communication with a place for each node.
const COMM: &str = "comm at 64 places";

/// The count of the original's procedure on the paper's input, if a record contains both.
const ORIGINAL_COMM: &str = "original's comm at 64 places";
const ORIGINAL_MUTEX: &str = "original's mutex";

/// A case with the contents of its name.
struct Known<'a> {
    kernel: &'a str,
    style: &'a str,
    case: &'a CaseRecord,
}

/// Kernels on rings, which have one input for both.
const RINGS: [&str; 2] = ["hs", "lcr"];

/// Whether a point is the sparser input of its kernel.
fn is_sparse(point: &str) -> bool {
    point.starts_with("sp-min") || point.starts_with("chain")
}

/// Whether a case has the denser input, or the only one.
fn is_dense(own: &Known<'_>) -> bool {
    !is_sparse(&own.case.point) || RINGS.contains(&own.kernel)
}

/// The points of 64 nodes without a workload.
fn is_64(case: &CaseRecord) -> bool {
    case.size == Some(64.0) && !case.point.contains("arithmetic")
}

fn known(case: &CaseRecord) -> Option<Known<'_>> {
    let mut parts = case.function.rsplit("::");
    let style = parts.next()?;
    Some(Known { style, kernel: parts.next()?, case })
}

/// The facts of the records, and the sections about them.
pub(super) fn of_records(records: &[Record]) -> (Facts, Vec<Section>) {
    let cases: Vec<Known<'_>> = records
        .iter()
        .flat_map(|record| &record.cases)
        .filter(|case| !places::is_at_places(case))
        .filter_map(known)
        .collect();
    let tables: Vec<_> = records.iter().flat_map(results::tables).collect();
    // Places between which shifts take time are figures of their own: all others are of free ones.
    let (placed, rows): (Vec<&Row<'_>>, Vec<&Row<'_>>) =
        tables.iter().flat_map(|table| &table.rows).partition(|row| places::is_at_places(row.case));
    let cells = figure_8::cells(&cases);
    let placed = places::placed(&placed);
    let facts = facts::facts(&cases, &tables, &rows, &placed, &cells);
    let two = |plots: [Vec<_>; 2]| plots.into_iter().flatten().collect();
    let speedups = spans(
        &facts,
        "S over the serial program",
        "Speedup over the serial program, 64 nodes, Mx-In",
        "Right of 1 is faster than the serial program, for a recursion the serial recursion. (IMSuite, figures 11 to 13.)",
    );
    let ratios = spans(
        &facts,
        facts::INPUTS,
        "Time in Mx-In over time in Mn-In, 64 nodes",
        "Right of 1: the denser input takes longer. (IMSuite, figure 19.)",
    );
    let mut found = vec![
        Section {
            title: "Counts, compared with figure 8".to_owned(),
            tables: figure_8::table(&cells).into_iter().collect(),
            ..Section::default()
        },
        Section {
            title: "Speedups over the serial program, and the shape of the input".to_owned(),
            plots: two([speedups, ratios]),
            ..Section::default()
        },
        Section {
            title: "Communication by round, and by places".to_owned(),
            plots: curves::course(&cases)
                .into_iter()
                .chain(two([curves::over_rounds(&cases), curves::by_places(&cases)]))
                .collect(),
            ..Section::default()
        },
    ];
    found.extend(places::section(&placed));
    (facts, found)
}

/// Returns a count of a case's solution.
fn tally<'a>(case: &'a CaseRecord, name: &str) -> Option<&'a Tally> {
    case.tallies.first()?.tallies.iter().find(|tally| tally.name == name)
}

/// The tally of a kernel in a style and an input of 64 nodes; rings have one input for both.
fn of<'a>(
    cases: &[Known<'a>],
    kernel: &str,
    style: &str,
    sparse: bool,
    name: &str,
) -> Option<&'a Tally> {
    let own = || cases.iter().filter(|k| k.kernel == kernel && k.style == style && is_64(k.case));
    let wanted =
        own().find(|k| is_sparse(&k.case.point) == sparse && tally(k.case, name).is_some());
    let ring = RINGS.contains(&kernel);
    let any = || own().find(|k| tally(k.case, name).is_some()).filter(|_| ring);
    tally(wanted.or_else(any)?.case, name)
}
