//! "The Value of Variance": adjusted speedups of Δ-stepping over KLA by run, RSU, and Table 1.

use plusminus::{
    record::Record,
    results::{self, Row},
    text::{
        number::{significant, with_uncertainty},
        visible,
    },
};

use super::beside::{row, section};
use crate::{
    pages::{Section, plots},
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

/// What stands beside the paper, and Table 1 as heat maps.
pub(super) fn sections(document: &Document, records: &[Record]) -> Vec<Section> {
    let machine = "The paper has clusters of 1 to 16 nodes and distributed runtimes; here are threads of one machine. On tasks the \
                   searches are those of the paper's definitions, which filter where work arrives; on messages they filter where \
                   it is sent, as AM++'s reductions do. Scales are chosen for one machine.";
    let of = |weight: u32, runtime: &str| -> Vec<&RunWise> {
        let is_it = |table: &&RunWise| {
            table.max_weight == Some(weight) && runtime_of(&table.variant) == runtime
        };
        document.run_wise.iter().filter(is_it).filter(|table| is_pair(table)).collect()
    };
    let rows = vec![
        row(
            "Fig. 5: S = KLA/Δ, weights to 255, HPX-5",
            "around 6, ± 3; within 3 to 11",
            speedups(&of(255, TASKS)),
            "The definitions to the letter: KLA makes many work items that are outdated when they arrive. S depends on the scale.",
        ),
        row(
            "Fig. 7: the same, weights to 100, HPX-5",
            "within 3 to 11",
            speedups(&of(100, TASKS)),
            "As above.",
        ),
        row(
            "Fig. 9: the same, weights to 100, AM++",
            "around 2, ± 1",
            speedups(&of(100, MESSAGES)),
            "Work items that cannot improve a distance are not sent: that filter decides S far more than the runtime does (see docs/sssp.md).",
        ),
        row(
            "Figs. 5, 7: runs agree",
            "all averages of 5 runs lie within σ of all runs",
            agreement(&document.run_wise),
            "σ of a run is from its 8 instances; it does not hold what differs between processes as a whole.",
        ),
        row(
            "§5.2.3: variability of S",
            "roughly 50 % on both runtimes",
            variability(&document.run_wise),
            "Of single instances, as the bars of the paper: standard deviations, not standard uncertainties.",
        ),
        row(
            "Figs. 10 to 12: largest RSU",
            "about 0.5 (scale 17, run 2); all the largest are KLA's",
            largest_rsu(&document.run_wise),
            "The paper's RSU is of single instances (standard deviation over mean), as it is here.",
        ),
        row(
            "Table 1: instance 7 of KLA over the mean of all",
            &table_1(),
            odd_instance(records),
            "Which source is slow depends on the graph; the suite's sources are drawn with another seed.",
        ),
    ];
    let maps = records.iter().flat_map(|record| {
        let tables = results::tables(record);
        let rows = tables.iter().flat_map(|table| &table.rows);
        rows.filter(|row| row.case.function.contains("kla"))
            .filter_map(plots::heat_map)
            .collect::<Vec<_>>()
    });
    vec![
        section(rows, machine),
        Section {
            title: "Table 1 as heat maps: instances and runs of KLA".to_owned(),
            plots: maps.collect(),
            ..Section::default()
        },
    ]
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

/// `14@1: 1.78 ± 0.03; …`, and the range of S of single runs.
fn speedups(tables: &[&RunWise]) -> Option<String> {
    let each: Vec<String> = tables
        .iter()
        .filter_map(|table| {
            let over = table.over_runs.as_ref()?;
            let scale =
                table.scale.map_or_else(|| visible(&table.point), |scale| scale.to_string());
            let s = with_uncertainty(over.value, over.u);
            Some(format!("scale {scale}, p = {}: {s}", table.processors))
        })
        .collect();
    let runs = tables.iter().flat_map(|table| &table.runs).map(|run| run.speedup.value);
    let (low, high) = range(runs)?;
    Some(format!(
        "{}; single runs {} to {}",
        each.join("; "),
        significant(low, 3),
        significant(high, 3)
    ))
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let all: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let low = all.iter().copied().fold(f64::MAX, f64::min);
    let high = all.iter().copied().fold(f64::MIN, f64::max);
    (!all.is_empty()).then_some((low, high))
}

fn agreement(tables: &[RunWise]) -> Option<String> {
    let own = || tables.iter().filter(|table| is_pair(table));
    let pairs: usize = own().map(|table| table.pairs).sum();
    let within: usize = own().map(|table| table.pairs_within_sigma).sum();
    (pairs > 0).then(|| format!("{within} of {pairs} pairs of runs"))
}

fn variability(tables: &[RunWise]) -> Option<String> {
    let runs = tables.iter().filter(|table| is_pair(table)).flat_map(|table| &table.runs);
    let (low, high) = range(runs.filter_map(|run| Some(run.spread? / run.speedup.value)))?;
    Some(format!("{:.0} % to {:.0} %", low * 100.0, high * 100.0))
}

fn largest_rsu(tables: &[RunWise]) -> Option<String> {
    let sides = tables.iter().filter(|table| is_pair(table)).flat_map(|table| {
        table.runs.iter().flat_map(move |run| {
            [(&table.base, &run.base), (&table.variant, &run.variant)]
                .map(|(name, side)| (name, run.run, &table.point, side.cv))
        })
    });
    let known = sides.filter_map(|(name, run, point, cv)| Some((cv?, name, run, point)));
    let (cv, name, run, point) = known.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let of = visible(name);
    Some(format!("{} ({of}, {}, run {})", significant(cv, 2), visible(point), run + 1))
}

/// Instance 7 of the paper's Table 1 over the mean of its run.
fn table_1() -> String {
    let over = TABLE_1.map(|run| run[6] / (run.iter().sum::<f64>() / 8.0));
    format!("× {:.2} in run 2, × {:.2} in run 5", over[0], over[1])
}

/// The instance of KLA that is farthest above the mean of all.
fn odd_instance(records: &[Record]) -> Option<String> {
    let mut found: Option<(f64, String)> = None;
    for record in records {
        let tables = results::tables(record);
        for row in tables.iter().flat_map(|table| &table.rows) {
            if !row.case.function.contains("kla") {
                continue;
            }
            let Some((factor, instance)) = slowest(row) else { continue };
            if found.as_ref().is_none_or(|(known, _)| factor > *known) {
                let what = format!(
                    "× {factor:.2}: instance {} of {}",
                    instance + 1,
                    visible(&row.case.name)
                );
                found = Some((factor, what));
            }
        }
    }
    found.map(|(_, what)| what)
}

fn slowest(row: &Row<'_>) -> Option<(f64, usize)> {
    let instances = row.cells.first()?.len();
    let mean = |of: usize| row.cells.iter().map(|run| run[of]).sum::<f64>();
    let means: Vec<f64> = (0..instances).map(mean).collect();
    let all = means.iter().sum::<f64>() / instances as f64;
    let factors = means.iter().enumerate().map(|(index, mean)| (mean / all, index));
    factors.max_by(|a, b| a.0.total_cmp(&b.0))
}
