//! "The Value of Variance": adjusted speedups of Δ-stepping over KLA by run, RSU, and Table 1.

mod figures;
mod scatter;
mod speedups;

use std::collections::BTreeSet;

use plusminus::{
    record::Record,
    results::{self, Row},
    text::visible,
};

use super::beside::{Found, compared, section};
use cargo_plusminus::{
    pages::{Section, plot::Plot, plots},
    study::document::{Document, RunWise},
};

/// Runtimes as the paper and the suite name them.
const TASKS: &str = "tasks";
const MESSAGES: &str = "messages";

/// Table 1 of the paper: the times of KLA in seconds by instance, in run 2 and in run 5.
const TABLE_1: [[f64; 8]; 2] = [
    [
        67.172_113_7,
        69.114_469_1,
        58.240_758_4,
        95.038_357_8,
        81.504_303_4,
        66.134_601_7,
        196.359_002,
        71.078_308_3,
    ],
    [
        68.218_730_8,
        64.699_992_6,
        73.134_016_9,
        66.586_836_8,
        111.286_377,
        78.350_264_9,
        127.313_163_9,
        96.681_462_8,
    ],
];

/// The machines of the paper, for the reasons.
const OF_PAPER: &str = "scales 14 to 18 on 1 to 16 nodes of 16 threads each, distributed";

/// Returns the sections about the paper, and Table 1 as heat maps.
pub(super) fn sections(document: &Document, records: &[Record]) -> Vec<Section> {
    let all: Vec<&RunWise> = document.run_wise.iter().collect();
    let of = |weight: u32, runtime: &str| -> Vec<&RunWise> {
        let is_it = |table: &&&RunWise| {
            table.max_weight == Some(weight) && runtime_of(&table.variant) == runtime
        };
        all.iter().filter(is_it).filter(|table| is_pair(table)).copied().collect()
    };
    let pairs: Vec<&RunWise> = all.iter().filter(|table| is_pair(table)).copied().collect();
    let hpx = speedups::Printed { middle: 6.0, reach: 3.0, runs: Some((3.0, 11.0)) };
    let am = speedups::Printed { middle: 2.0, reach: 1.0, runs: None };
    let rows = vec![
        compared(
            "Fig. 5: S = KLA/Δ, weights to 255, HPX-5",
            "around 6, ± 3; within 3 to 11",
            speedups::beside(&of(255, TASKS), &all, &hpx),
        ),
        compared(
            "Fig. 7: the same, weights to 100, HPX-5",
            "within 3 to 11",
            speedups::beside(&of(100, TASKS), &all, &hpx),
        ),
        compared(
            "Fig. 9: the same, weights to 100, AM++",
            "around 2, ± 1",
            speedups::beside(&of(100, MESSAGES), &all, &am),
        ),
        compared(
            "Figs. 5, 7: both weights have the same trend",
            "similar plots",
            speedups::weights(&pairs),
        ),
        compared(
            "Figs. 5, 9: S on HPX-5 over S on AM++",
            "around 6 over around 2",
            speedups::runtimes(&of(255, TASKS), &of(255, MESSAGES)),
        ),
        compared(
            "Fig. 8: both algorithms are faster on AM++",
            "all points",
            speedups::faster_on_messages(&pairs),
        ),
        compared(
            "Figs. 5, 7: runs agree",
            "all averages of 5 runs lie within σ of all runs",
            scatter::agreement(&pairs),
        ),
        compared(
            "Figs. 4, 6: error bars of KLA are larger",
            "all points",
            scatter::error_bars(&pairs),
        ),
        compared(
            "§5.2.3: variability of S",
            "roughly 50 % on both runtimes",
            scatter::variability(&pairs),
        ),
        compared(
            "Figs. 10 to 12: largest RSU",
            "about 0.5 (scale 17, run 2); all the largest are KLA's",
            scatter::largest_rsu(&pairs),
        ),
        compared("Table 1: instance 7 of KLA over the mean of its run", &table_1(), odd(records)),
    ];
    let maps = records.iter().flat_map(|record| {
        let tables = results::tables(record);
        let rows = tables.iter().flat_map(|table| &table.rows);
        rows.filter(|row| row.case.function.contains("kla"))
            .filter_map(|row| {
                let map = plots::heat_map(row)?;
                let title = format!("{}, {}", map.title, visible(&row.case.point));
                Some(Plot { title, ..map })
            })
            .collect::<Vec<_>>()
    });
    let maps = Section {
        title: "Table 1 as heat maps: instances and runs of KLA".to_owned(),
        plots: maps.collect(),
        ..Section::default()
    };
    let first = [section(rows, &circumstances(&pairs, records)), maps];
    first.into_iter().chain(figures::sections(&document.run_wise)).collect()
}

/// Describes the machines of these records and of the paper.
fn circumstances(pairs: &[&RunWise], records: &[Record]) -> String {
    let processors: BTreeSet<usize> = pairs.iter().map(|table| table.processors).collect();
    let scales: BTreeSet<u32> = pairs.iter().filter_map(|table| table.scale).collect();
    let machines: BTreeSet<String> = records
        .iter()
        .map(|record| {
            visible(record.manifest.cpu.as_deref().unwrap_or("an unnamed processor")).to_string()
        })
        .collect();
    let machines = machines.into_iter().collect::<Vec<_>>().join(" and ");
    format!(
        "The paper: {OF_PAPER}. These records: scales {}, on {} threads of one machine ({machines}). On tasks the searches are those of \
         the paper's definitions, which filter where work arrives; on messages they filter where it is sent, as AM++'s reductions do.",
        listed(scales),
        listed(processors),
    )
}

/// `1, 2 and 4`, or `none`.
fn listed<T: ToString>(all: BTreeSet<T>) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    match &all[..] {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn runtime_of(variant: &str) -> &'static str {
    if variant.contains("message") { MESSAGES } else { TASKS }
}

/// Whether it is KLA against Δ-stepping as the paper has them: by the definitions on tasks, filtered on messages. Records from
/// before there was a choice have one pair on each runtime.
fn is_pair(table: &RunWise) -> bool {
    [
        ("kla_literal_tasks", "delta_literal_tasks"),
        ("kla_filtered_messages", "delta_filtered_messages"),
        ("kla", "delta_stepping"),
    ]
    .iter()
    .any(|(base, variant)| table.base.contains(base) && table.variant.contains(variant))
}

/// Instance 7 of the paper's Table 1 over the mean of its run.
fn of_table_1() -> [f64; 2] {
    TABLE_1.map(|run| run[6] / (run.iter().sum::<f64>() / 8.0))
}

fn table_1() -> String {
    let over = of_table_1();
    format!("× {:.2} in run 2, × {:.2} in run 5; the slowest in both", over[0], over[1])
}

/// An instance that takes longer than others.
struct Odd {
    /// Its time over the mean of all, over all runs.
    factor: f64,
    /// Where it is.
    name: String,
    /// In how many runs it is the slowest, and of how many.
    slowest: (usize, usize),
}

/// The instance of KLA that is farthest above the mean of all.
fn odd(records: &[Record]) -> Found {
    let tables: Vec<_> = records.iter().flat_map(results::tables).collect();
    let rows = tables.iter().flat_map(|table| &table.rows);
    let all = rows.filter(|row| row.case.function.contains("kla")).filter_map(slowest);
    let Some(odd) = all.max_by(|a, b| a.factor.total_cmp(&b.factor)) else {
        return Found { said: "Nothing in these records tells.".to_owned(), ..Found::default() };
    };
    let (times, of) = odd.slowest;
    let begin = if times == of { "Agrees" } else { "Agrees in part" };
    let [first, second] = of_table_1();
    Found {
        here: Some(format!("× {:.2}: {}", odd.factor, odd.name)),
        ratio: super::beside::ratio([odd.factor / first, odd.factor / second]),
        said: format!(
            "{begin}: it is the slowest instance in {times} of {of} runs, so that {}. The paper does not tell its \
             sources, so that the number of the instance does not compare.",
            if times == of {
                "the source makes it slow and not a run"
            } else {
                "a run has a part in it"
            }
        ),
    }
}

fn slowest(row: &Row<'_>) -> Option<Odd> {
    let instances = row.cells.first()?.len();
    let mean = |of: usize| row.cells.iter().map(|run| run[of]).sum::<f64>();
    let means: Vec<f64> = (0..instances).map(mean).collect();
    let all = means.iter().sum::<f64>() / instances as f64;
    let (at, mean) = means.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let wins = row.cells.iter().filter(|run| run.iter().all(|time| *time <= run[at]));
    Some(Odd {
        factor: mean / all,
        name: format!("instance {} of {}", at + 1, visible(&row.case.name)),
        slowest: (wins.count(), row.cells.len()),
    })
}
