//! "IMSuite": what its kernels count and how long they take, beside the paper's figures 8, 9, 11, 15 and 19.

use plusminus::{
    record::{CaseRecord, Record, Tally},
    results::{self, Row},
    text::{
        number::{significant, with_uncertainty},
        visible,
    },
};

use super::beside::{row, section};
use crate::pages::{
    Section, Table,
    plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
};

/// Figure 8 of the paper, 64 nodes and places: communication of FA in Mn-In and Mx-In, mutex operations, communication of FAC.
const FIGURE_8: [(&str, [&str; 6]); 12] = [
    ("bf", ["1009", "1145", "126", "766", "568", "956"]),
    ("dst", ["7500", "3446", "343", "1348", "5232", "2816"]),
    ("by", ["46386", "97299", "43K", "95K", "44874", "96291"]),
    ("dr", ["20587", "16204", "0", "0", "-", "-"]),
    ("ds", ["8020", "31118", "124", "327", "6193", "27401"]),
    ("kc", ["5082", "12504", "2243", "9666", "4125", "11556"]),
    ("dp", ["9996", "12703", "2625", "8472", "5649", "10624"]),
    ("hs", ["12223", "12223", "0", "0", "8255", "8255"]),
    ("lcr", ["25373", "25373", "0", "0", "9229", "9229"]),
    ("mis", ["1463", "3204", "1894", "3518", "1274", "2637"]),
    ("mst", ["8890", "19154", "497", "469", "6055", "13547"]),
    ("vc", ["1008", "1208", "0", "0", "756", "890"]),
];

/// The count of communication with a place for each node.
const COMM: &str = "comm at 64 places";

/// A case with what its name says.
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

/// What stands beside the paper.
pub(super) fn sections(records: &[Record]) -> Vec<Section> {
    let cases: Vec<Known<'_>> =
        records.iter().flat_map(|record| &record.cases).filter_map(known).collect();
    let tables: Vec<_> = records.iter().flat_map(results::tables).collect();
    let rows: Vec<&Row<'_>> = tables.iter().flat_map(|table| &table.rows).collect();
    let said = "The paper ran X10 and HJ on a cluster with up to 64 hardware threads, and its times are bars without numbers; here are \
                threads of one machine. What is counted can be compared number by number, what takes time only by its direction.";
    let ratios = input_ratios(&rows);
    let speedups = speedups(&rows);
    let slower = |p: usize| {
        let own: Vec<&Entry> = speedups.iter().filter(|entry| entry.processors == p).collect();
        let below = own.iter().filter(|entry| entry.value < 1.0).count();
        (!own.is_empty())
            .then(|| format!("p = {p}: {below} of {} variants are slower than serial", own.len()))
    };
    let both = match (slower(1), slower(2)) {
        (Some(one), Some(two)) => Some(format!("{one}; {two}")),
        (one, two) => one.or(two),
    };
    let larger = ratios.iter().filter(|entry| entry.value > 1.0).count();
    let rows = vec![
        row(
            "Fig. 8: communication and mutex operations",
            "see the table below",
            counts(&cases).map(|table| format!("{} kernels, below", table.rows.len())),
            "Inputs are drawn by the original's generators with the seed 101; the paper does not say its own. docs/imsuite.md says what is counted otherwise.",
        ),
        row(
            "Fig. 8: which input communicates more",
            "Mx-In, but for DST and DR (and rings, which have one input)",
            more_in_dense(&cases),
            "Follows from rounds (Mn-In has the larger diameter) and messages of a round.",
        ),
        row(
            "Figs. 11, 12: S over the serial kernel",
            "with 1, 2 and 4 threads serial is faster in general",
            both,
            "Tasks cost something here as there; the serial kernel is the suite's own.",
        ),
        row(
            "Fig. 19: time in Mx-In over that in Mn-In",
            "a picture; BY turns round between X10 and HJ",
            (!ratios.is_empty())
                .then(|| format!("above 1 for {larger} of {} kernels and styles", ratios.len())),
            "Places cost no time here, as in HJ's single place.",
        ),
        row(
            "Figs. 13 to 18: up to 64 threads, 512 nodes and 64 places",
            "pictures, normalised",
            Some("the points that two processors allow, below".to_owned()),
            "docs/imsuite.md says how to measure the paper's own points on a larger machine.",
        ),
    ];
    let mut found = vec![section(rows, said)];
    found.push(Section {
        title: "What is counted, beside figure 8".to_owned(),
        tables: counts(&cases).into_iter().collect(),
        ..Section::default()
    });
    found.push(Section {
        title: "Speedups over the serial kernel, and the shape of the input".to_owned(),
        plots: [
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
        ]
        .into_iter()
        .flatten()
        .collect(),
        ..Section::default()
    });
    found.push(Section {
        title: "Communication by round, and by places".to_owned(),
        plots: by_round(&cases).into_iter().chain(by_places(&cases)).collect(),
        ..Section::default()
    });
    found
}

/// What a case counts of a solution.
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

/// Figure 8 as a table: paper and here.
fn counts(cases: &[Known<'_>]) -> Option<Table> {
    let rows: Vec<Vec<String>> = FIGURE_8
        .iter()
        .filter_map(|(kernel, paper)| {
            let here = [
                of(cases, kernel, "fork_join", true, COMM),
                of(cases, kernel, "fork_join", false, COMM),
                of(cases, kernel, "fork_join", true, "mutex"),
                of(cases, kernel, "fork_join", false, "mutex"),
                of(cases, kernel, "clocked", true, COMM),
                of(cases, kernel, "clocked", false, COMM),
            ];
            here.iter().any(Option::is_some).then(|| {
                let mut cells = vec![kernel.to_uppercase()];
                for (paper, here) in paper.iter().zip(here) {
                    let here = here.map_or("–".to_owned(), |tally| format!("{:.0}", tally.total));
                    cells.push(format!("{paper} | {here}"));
                }
                cells
            })
        })
        .collect();
    let titles = [
        "kernel",
        "comm FA, Mn-In",
        "comm FA, Mx-In",
        "mutex, Mn-In",
        "mutex, Mx-In",
        "comm FAC, Mn-In",
        "comm FAC, Mx-In",
    ];
    (!rows.is_empty()).then(|| Table {
        caption: "Paper | here, 64 nodes, a place for each".to_owned(),
        titles: titles.map(str::to_owned).to_vec(),
        rows,
    })
}

/// The kernels in which the denser input communicates less.
fn more_in_dense(cases: &[Known<'_>]) -> Option<String> {
    let less: Vec<String> = FIGURE_8
        .iter()
        .filter(|(kernel, _)| !RINGS.contains(kernel))
        .filter_map(|(kernel, _)| {
            let sparse = of(cases, kernel, "fork_join", true, COMM)?;
            let dense = of(cases, kernel, "fork_join", false, COMM)?;
            (dense.total < sparse.total).then(|| kernel.to_uppercase())
        })
        .collect();
    let any =
        FIGURE_8.iter().any(|(kernel, _)| of(cases, kernel, "fork_join", true, COMM).is_some());
    any.then(|| match less.len() {
        0 => "Mx-In for all kernels".to_owned(),
        _ => format!("Mx-In, but for {}", less.join(" and ")),
    })
}

/// A ratio of a kernel.
struct Entry {
    name: String,
    processors: usize,
    value: f64,
    sigma: Option<f64>,
}

/// Real speedups at 64 nodes in the denser input.
fn speedups(rows: &[&Row<'_>]) -> Vec<Entry> {
    let of_row = |row: &&Row<'_>| {
        let real = &row.real.as_ref()?.speedup;
        let own = known(row.case)?;
        let wanted = is_64(row.case) && is_dense(&own);
        (wanted && own.style != "serial").then(|| Entry {
            name: format!(
                "{} {}, p = {}",
                own.kernel.to_uppercase(),
                own.style,
                row.case.processors
            ),
            processors: row.case.processors,
            value: real.speedup,
            sigma: real.sigma,
        })
    };
    rows.iter().filter_map(of_row).collect()
}

/// Times in the denser input over those in the sparser one, at 64 nodes.
fn input_ratios(rows: &[&Row<'_>]) -> Vec<Entry> {
    let mut found = Vec::new();
    for dense in rows.iter().filter(|row| {
        is_64(row.case)
            && known(row.case).is_some_and(|own| !RINGS.contains(&own.kernel) && is_dense(&own))
    }) {
        let sparse = rows.iter().find(|row| {
            row.case.function == dense.case.function
                && row.case.processors == dense.case.processors
                && is_64(row.case)
                && is_sparse(&row.case.point)
        });
        let (Some(own), Some(sparse)) = (known(dense.case), sparse) else { continue };
        let (Some(a), Some(b)) = (dense.estimate(), sparse.estimate()) else { continue };
        let value = a.value / b.value;
        let relative = a.rsu().zip(b.rsu()).map(|(a, b)| a.hypot(b));
        found.push(Entry {
            name: format!(
                "{} {}, p = {}",
                own.kernel.to_uppercase(),
                own.style,
                dense.case.processors
            ),
            processors: dense.case.processors,
            value,
            sigma: relative.map(|relative| relative * value),
        });
    }
    found
}

/// Rows of one plot.
const ROWS: usize = 26;

/// Ratios with their σ, on a logarithmic axis around 1.
fn spans(entries: &[Entry], title: &str, axis: &str, caption: &str) -> Vec<Plot> {
    let parts: Vec<&[Entry]> = entries.chunks(ROWS).collect();
    let count = parts.len();
    let plot = |(index, entries): (usize, &&[Entry])| {
        let ends = |entry: &Entry| {
            let sigma = entry.sigma.unwrap_or(0.0);
            (entry.value - sigma, entry.value + sigma)
        };
        let x = Axis::ratios(axis, entries.iter().flat_map(|e| [ends(e).0.max(1e-9), ends(e).1]));
        let begin = x.low;
        let places = || entries.iter().enumerate().map(|(index, entry)| (-(index as f64), entry));
        let all = places().map(|(at, entry)| Span {
            at,
            value: entry.value,
            sigma: entry.sigma.map(|_| ends(entry)),
            interval: None,
        });
        let names = places().map(|(at, entry)| {
            let s = with_uncertainty(entry.value, entry.sigma);
            (begin, at + 0.5, format!("{}: {s}", visible(&entry.name)))
        });
        Plot {
            title: if count > 1 {
                format!("{title} ({} of {count})", index + 1)
            } else {
                title.to_owned()
            },
            caption: caption.to_owned(),
            layers: vec![
                Layer::new("1", Colour::Muted, Marks::Rule(Along::X, 1.0)).unnamed(),
                Layer::new("ratio ± σ", Colour::Series(0), Marks::Spans(Along::X, all.collect())),
                Layer::new("name", Colour::Ink, Marks::Texts(names.collect())),
            ],
            x,
            y: Axis::rows(entries.len()),
            height: (70 + 38 * entries.len().max(2)) as u32,
        }
    };
    parts.iter().enumerate().map(plot).collect()
}

/// Communication in each round, in both inputs (figure 9).
fn by_round(cases: &[Known<'_>]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (kernel, _) in FIGURE_8 {
        // As in the paper, DR has no clocked version.
        let style = if kernel == "dr" { "fork_join" } else { "clocked" };
        let mut layers = Vec::new();
        let (mut rounds, mut highest) = (1, 0.0_f64);
        for (name, sparse, colour) in [("Mn-In", true, 0), ("Mx-In", false, 1)] {
            let is_twice = sparse && RINGS.contains(&kernel);
            let Some(found) = of(cases, kernel, style, sparse, COMM).filter(|_| !is_twice) else {
                continue;
            };
            if found.per_round.len() < 2 {
                continue;
            }
            rounds = rounds.max(found.per_round.len());
            highest = found.per_round.iter().copied().fold(highest, f64::max);
            let line = found.per_round.iter().enumerate().map(|(r, n)| [r as f64 + 1.0, *n]);
            layers.push(Layer::new(name, Colour::Series(colour), Marks::Line(line.collect())));
        }
        if !layers.is_empty() {
            plots.push(Plot {
                title: format!("{}: communication by round", kernel.to_uppercase()),
                caption: "Remote messages in each round, 64 nodes, a place for each. (IMSuite, figure 9.)".to_owned(),
                x: Axis::between("round", 1.0, rounds as f64),
                y: Axis::from_zero("messages", [highest]),
                layers,
                height: 240,
            });
        }
    }
    plots
}

/// What a solution communicates with 1, 2, 4 … places (the cost behind figure 15).
fn by_places(cases: &[Known<'_>]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (kernel, _) in FIGURE_8 {
        let mut layers = Vec::new();
        let (mut most, mut highest) = (1.0_f64, 0.0_f64);
        for (style, colour) in [("fork_join", 0), ("clocked", 1)] {
            let own = cases.iter().find(|k| {
                k.kernel == kernel
                    && k.style == style
                    && is_64(k.case)
                    && is_dense(k)
                    && tally(k.case, COMM).is_some()
            });
            let Some(own) = own else { continue };
            let all = own.case.tallies.iter().flat_map(|one| &one.tallies);
            let points: Vec<[f64; 2]> = all
                .filter_map(|tally| {
                    let places = tally.name.strip_prefix("comm at ")?.split(' ').next()?;
                    Some([places.parse().ok()?, tally.total])
                })
                .collect();
            most = points.iter().map(|point| point[0]).fold(most, f64::max);
            highest = points.iter().map(|point| point[1]).fold(highest, f64::max);
            let rings = Layer::new(style, Colour::Series(colour), Marks::Rings(points.clone()));
            layers.push(Layer::new(style, Colour::Series(colour), Marks::Line(points)).unnamed());
            layers.push(rings);
        }
        if !layers.is_empty() {
            plots.push(Plot {
                title: format!("{}: communication by places", kernel.to_uppercase()),
                caption: format!(
                    "Remote messages of a solution, 64 nodes in Mx-In, up to {}. (The cost behind IMSuite, figure 15.)",
                    significant(highest, 3)
                ),
                x: Axis::log("places, logarithmic scale", [1.0, most]),
                y: Axis::from_zero("messages", [highest]),
                layers,
                height: 240,
            });
        }
    }
    plots
}
