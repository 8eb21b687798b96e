//! Facts about shortest paths: speedups, times and their scatter. Each has its algorithm, filter, runtime, processors,
//! scale and weights, so that sentences compare like with like.

use plusminus::{
    record::Record,
    results::{self, Row},
};

use crate::fact::{Fact, Facts, Labels, ratio};
use cargo_plusminus::study::document::{Document, Run, RunWise, Side};

/// The ending of the name of a runtime with more threads or ranks than processors.
pub(super) const IN_TURNS: &str = " in turns";

/// The base and the variant of a comparison.
const ALGORITHMS: [&str; 2] = ["KLA", "Δ-stepping"];

/// Labels of a comparison, or of one of its sides, on a machine with some processors.
fn labels(
    name: &str,
    (p, processors): (usize, usize),
    scale: Option<u32>,
    weights: Option<u32>,
) -> Option<Labels> {
    // The bench over ranks has no modules.
    let bench = if name.contains("::") { "sssp" } else { "over ranks" };
    let name = name.rsplit("::").next()?.split(" @ ").next()?;
    let algorithm = if name.starts_with("kla") {
        "KLA"
    } else if name.starts_with("delta") && !name.contains("sequential") {
        "Δ-stepping"
    } else {
        return None;
    };
    let of = |known: &[&'static str]| known.iter().find(|one| name.contains(*one)).copied();
    let filter = of(&["literal", "filtered"]).unwrap_or("unnamed");
    // On one processor no task is stolen and no message is sent, and threads that take turns on a processor stand for no
    // nodes. So these rows have labels of their own.
    let runtime = match of(&["ranks", "messages", "tasks"]).unwrap_or("tasks") {
        _ if p == 1 => "one processor".to_owned(),
        runtime if p > processors => format!("{runtime}{IN_TURNS}"),
        runtime => runtime.to_owned(),
    };
    let number =
        |value: Option<u32>| value.map_or_else(|| "–".to_owned(), |value| value.to_string());
    Some(vec![
        ("algorithm", algorithm.to_owned()),
        ("filter", filter.to_owned()),
        ("runtime", runtime),
        ("bench", bench.to_owned()),
        ("p", p.to_string()),
        ("scale", number(scale)),
        ("weights", number(weights)),
    ])
}

fn without(labels: &Labels, name: &str) -> Labels {
    labels.iter().filter(|(own, _)| *own != name).cloned().collect()
}

fn with(labels: &Labels, name: &'static str, value: &str) -> Labels {
    let mut labels = labels.clone();
    match labels.iter_mut().find(|(own, _)| *own == name) {
        Some((_, own)) => value.clone_into(own),
        None => labels.push((name, value.to_owned())),
    }
    labels
}

/// All facts of the records.
pub(super) fn facts(document: &Document, records: &[Record]) -> Facts {
    let mut facts = Facts::default();
    let processors = records.iter().map(|one| one.manifest.cores).max().unwrap_or(1);
    for table in &document.run_wise {
        let p = (table.processors, processors);
        let of = |name| labels(name, p, table.scale, table.max_weight);
        let (Some(base), Some(variant)) = (of(&table.base), of(&table.variant)) else { continue };
        let kind = without(&base, "algorithm");
        if kind == without(&variant, "algorithm") && base != variant {
            of_table(&mut facts, table, &kind);
        }
    }
    let tables: Vec<_> = records.iter().flat_map(results::tables).collect();
    for (table, row) in
        tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
    {
        let (scale, weights) = crate::vov::of_point(table.point);
        if let Some(own) =
            labels(&row.case.function, (table.processors, processors), scale, weights)
        {
            of_instances(&mut facts, row, &own);
        }
    }
    between(&mut facts);
    super::factors::shares_of_all(&mut facts);
    facts
}

/// S, times and their scatter, of all runs and of each.
fn of_table(facts: &mut Facts, table: &RunWise, kind: &Labels) {
    if let Some(s) = &table.over_runs {
        facts.uncertain("S", kind, s.value, s.u);
    }
    let mut largest: [[f64; 2]; 2] = [[0.0; 2]; 2];
    for run in &table.runs {
        let of_run = with(kind, "run", &(run.run + 1).to_string());
        let s = run.speedup.value;
        facts.uncertain("S of a run", &of_run, s, run.speedup.u);
        if let Some(spread) = run.spread {
            for (end, value) in [("low end", s - spread), ("high end", s + spread)] {
                facts.add("S ± spread of a run", &with(&of_run, "end", end), value);
            }
            facts.add("spread of S over S", &of_run, spread / s);
            facts.add("spread of S", &of_run, spread);
        }
        let sides: [&Side; 2] = [&run.base, &run.variant];
        let both = |of: fn(&Side) -> Option<f64>| Some(of(sides[0])? / of(sides[1])?);
        if let Some(ratio) = both(|side| side.spread_ns) {
            facts.add("spread of KLA over spread of Δ-stepping", &of_run, ratio);
        }
        if let Some(ratio) = both(|side| side.rsu) {
            facts.add("RSU of KLA over RSU of Δ-stepping", &of_run, ratio);
        }
        for (side, algorithm) in sides.iter().zip(ALGORITHMS) {
            let own = with(&of_run, "algorithm", algorithm);
            facts.add("spread of the times", &own, side.spread_ns.unwrap_or(f64::NAN));
        }
        for (side, largest) in sides.iter().zip(&mut largest) {
            largest[0] = largest[0].max(side.rsu.unwrap_or(0.0));
            largest[1] = largest[1].max(side.cv.unwrap_or(0.0));
        }
    }
    for (algorithm, [rsu, cv]) in ALGORITHMS.iter().zip(largest) {
        let own = with(kind, "algorithm", algorithm);
        facts.add("largest RSU (u/mean)", &own, rsu);
        facts.add("largest spread/mean", &own, cv);
    }
    facts.add("largest RSU of KLA over that of Δ-stepping", kind, largest[0][0] / largest[1][0]);
    agreement(facts, &table.runs, kind);
    let times = |of: fn(&Run) -> &Side| -> Vec<f64> {
        table.runs.iter().map(|run| of(run).time_ns.value).collect()
    };
    for (algorithm, times) in
        [("KLA", times(|run| &run.base)), ("Δ-stepping", times(|run| &run.variant))]
    {
        let count = times.len() as f64;
        let mean = times.iter().sum::<f64>() / count;
        let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
        let u = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
        facts.uncertain("time", &with(kind, "algorithm", algorithm), mean, u);
    }
}

/// How far each two runs are apart, in their smaller spread and in their smaller σ.
fn agreement(facts: &mut Facts, runs: &[Run], kind: &Labels) {
    for (index, one) in runs.iter().enumerate() {
        for other in &runs[index + 1..] {
            let distance = (one.speedup.value - other.speedup.value).abs();
            let own = with(kind, "run", &format!("{} and {}", one.run + 1, other.run + 1));
            let least = |of: fn(&Run) -> Option<f64>| Some(of(one)?.min(of(other)?));
            if let Some(spread) = least(|run| run.spread) {
                facts.add("distance of two runs over the smaller spread", &own, distance / spread);
            }
            if let Some(u) = least(|run| run.speedup.u) {
                facts.add("distance of two runs over the smaller σ", &own, distance / u);
            }
        }
    }
}

/// The instance that takes longest over all runs.
fn of_instances(facts: &mut Facts, row: &Row<'_>, own: &Labels) {
    let Some(instances) = row.cells.first().map(Vec::len).filter(|count| *count > 1) else {
        return;
    };
    let mean =
        |of: usize| row.cells.iter().map(|run| run[of]).sum::<f64>() / row.cells.len() as f64;
    let means: Vec<f64> = (0..instances).map(mean).collect();
    let all = means.iter().sum::<f64>() / instances as f64;
    let Some((at, mean)) = means.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)) else {
        return;
    };
    let wins = row.cells.iter().filter(|run| run.iter().all(|time| *time <= run[at])).count();
    let own = with(own, "instance", &format!("instance {}", at + 1));
    facts.add("slowest instance over the mean of all", &own, mean / all);
    let others = means.iter().enumerate().filter(|(other, _)| *other != at);
    let next = others.map(|(_, mean)| *mean).fold(0.0, f64::max);
    facts.add("slowest instance over the next", &own, mean / next);
    let share = wins as f64 / row.cells.len() as f64;
    facts.add("share of runs in which the slowest instance is the slowest", &own, share);
}

/// Ratios of facts that differ in one label, and in nothing else.
fn between(facts: &mut Facts) {
    let known = facts.0.clone();
    let mut of = |quantity, from: &str, label: &'static str, [a, b]: [&str; 2]| {
        for one in known.iter().filter(|f| f.quantity == from && f.label(label) == Some(a)) {
            let wanted = with(&one.labels, label, b);
            let same = |o: &&Fact| o.quantity == from && o.labels == wanted;
            if let Some(other) = known.iter().find(same) {
                let (value, u) = ratio((one.value, one.u), (other.value, other.u));
                facts.uncertain(quantity, &without(&one.labels, label), value, u);
            }
        }
    };
    of("S on tasks over S on messages", "S", "runtime", ["tasks", "messages"]);
    of("S on tasks over S on ranks", "S", "runtime", ["tasks", "ranks"]);
    of("S literal over S filtered", "S", "filter", ["literal", "filtered"]);
    of("S of weights to 100 over weights to 255", "S", "weights", ["100", "255"]);
    of("time of weights to 100 over weights to 255", "time", "weights", ["100", "255"]);
    of("time on tasks over time on messages", "time", "runtime", ["tasks", "messages"]);
    let runtimes = ["tasks", "messages"];
    of("spread on tasks over spread on messages", "spread of the times", "runtime", runtimes);
    of("spread of S on tasks over that on messages", "spread of S", "runtime", runtimes);
    of("time literal over time filtered", "time", "filter", ["literal", "filtered"]);
}
