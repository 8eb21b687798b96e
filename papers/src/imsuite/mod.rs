//! "IMSuite": the counts and times of its kernels, and the paper's figures 8, 9, 11, 14, 15 and 17 to 19.

mod counts;
mod curves;
mod figure_8;
mod places;
mod ratios;
mod rounds;
mod speedups;

use plusminus::{
    record::{CaseRecord, Record, Tally},
    results::{self, Row},
};

use self::ratios::{input_ratios, spans, speedups as of_speedups};
use super::beside::{compared, section};
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

/// Returns the sections about the paper.
pub(super) fn sections(records: &[Record]) -> Vec<Section> {
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
    let said = "The paper ran X10 and HJ on a cluster with up to 64 hardware threads, and its times are bars without numbers; here are \
                threads of one machine. Counts can be compared number by number, times only by their direction.";
    let ratios = input_ratios(&rows);
    let speedups = of_speedups(&rows);
    let cells = figure_8::cells(&cases);
    let placed = places::placed(&placed);
    let mut beside = vec![
        compared(
            "Fig. 8: communication and mutex operations",
            "70 numbers: see the table below",
            counts::equal(&cells),
        ),
        compared(
            "Fig. 8: which input communicates more",
            "Mx-In, but for DST and DR (and rings, which have one input)",
            counts::denser(&cells),
        ),
        compared(
            "Fig. 8: FAC communicates less than FA",
            "all kernels that have both",
            counts::clocked(&cells),
        ),
        compared(
            "Fig. 9: BY communicates as much in each round",
            "equal in each round",
            rounds::even(&cases),
        ),
        compared(
            "Fig. 9: in which input there are fewer rounds",
            "Mx-In for BF, DST, DR, DS, DP; Mn-In for MIS, VC",
            rounds::fewer(&cases),
        ),
        compared(
            "Figs. 11, 12: S over the serial kernel",
            "with 1, 2 and 4 threads serial is faster in general",
            speedups::serial(&speedups),
        ),
        compared(
            "Fig. 11: from 1 thread to 2",
            "more or less linear up to 8",
            speedups::linear(&speedups, &rows),
        ),
        compared(
            "Fig. 14: time over size",
            "grows with size, most of all for BY",
            speedups::sizes(&rows),
        ),
        compared(
            "Fig. 15: communication over places",
            "times grow with places for the most part; here messages",
            rounds::places(&cases),
        ),
        compared(
            "Fig. 19: time in Mx-In over that in Mn-In",
            "BY: above 1 in X10 with 64 places, below 1 in HJ with one",
            speedups::inputs(&ratios, &cells),
        ),
    ];
    beside.extend(places::beside(&placed));
    let counted = figure_8::table(&cells).into_iter().collect();
    let two = |plots: [Vec<_>; 2]| plots.into_iter().flatten().collect();
    let mut found = vec![
        section(beside, said),
        Section {
            title: "Counts, compared with figure 8".to_owned(),
            tables: counted,
            ..Section::default()
        },
        Section {
            title: "Speedups over the serial kernel, and the shape of the input".to_owned(),
            plots: two([
                spans(
                    &speedups,
                    "Speedup over the serial kernel, 64 nodes, Mx-In",
                    "real speedup S",
                    "Right of 1 is faster than the serial kernel. (IMSuite, figures 11 and 12.)",
                ),
                spans(
                    &ratios,
                    "Time in Mx-In over time in Mn-In, 64 nodes",
                    "ratio of times",
                    "Right of 1: the denser input takes longer. (IMSuite, figure 19.)",
                ),
            ]),
            ..Section::default()
        },
        Section {
            title: "Communication by round, and by places".to_owned(),
            plots: curves::course(&cases)
                .into_iter()
                .chain(two([curves::by_round(&cases), curves::by_places(&cases)]))
                .collect(),
            ..Section::default()
        },
    ];
    found.extend(places::section(&placed));
    found
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
