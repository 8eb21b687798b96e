//! Facts about IMSuite: counts, rounds and times, each with its kernel, style, shape of input, places and
//! processors.

use std::collections::BTreeMap;

use plusminus::{
    record::CaseRecord,
    results::{Pairing, Row, TableResults, Time},
};
use plusminus_analysis::speedup::Kind;

use super::{
    COMM, Known, RINGS,
    curves::{at_places, by_round},
    figure_8::{COLUMN_NAMES, Counted, FIGURE_8},
    is_64, is_dense, is_sparse, known, of,
    places::Placed,
    tally,
};
use crate::fact::{Facts, Labels, ratio};

/// Kernel and style as the paper calls them: `BF FAC`; recursions are `BF recursive FA`.
fn names(kernel: &str, style: &str) -> (String, &'static str, &'static str) {
    let recursive = kernel.starts_with("recursive_") || style.starts_with("recursive_");
    let kernel = kernel.trim_start_matches("recursive_").to_uppercase();
    let style = match style.trim_start_matches("recursive_") {
        "fork_join" => "FA",
        "clocked" => "FAC",
        "serial" => "serial",
        _ => "other",
    };
    (kernel, style, if recursive { "recursive" } else { "iterative" })
}

pub(super) fn labels(kernel: &str, style: &str) -> Labels {
    let (kernel, style, kind) = names(kernel, style);
    let word = if kind == "recursive" { "recursive " } else { "" };
    let program = format!("{kernel} {word}{style}");
    vec![
        ("program", program),
        ("kernel", kernel),
        ("style", style.to_owned()),
        ("kind", kind.to_owned()),
    ]
}

pub(super) fn with(labels: &Labels, more: &[(&'static str, String)]) -> Labels {
    labels.iter().cloned().chain(more.iter().cloned()).collect()
}

fn shape(point: &str) -> &'static str {
    if is_sparse(point) { "Mn-In" } else { "Mx-In" }
}

/// All facts of the records.
pub(super) fn facts(
    cases: &[Known<'_>],
    tables: &[TableResults<'_>],
    rows: &[&Row<'_>],
    placed: &[Placed<'_>],
    cells: &[Counted],
) -> Facts {
    let mut facts = Facts::default();
    counts(&mut facts, cells);
    super::operations::operations(&mut facts, cases);
    rounds(&mut facts, cases);
    super::figure_10::recursions(&mut facts, cases);
    communication_over_places(&mut facts, cases);
    speedups(&mut facts, tables);
    sizes(&mut facts, rows, placed);
    with_processors(&mut facts, rows);
    inputs(&mut facts, rows);
    at_costly_places(&mut facts, placed);
    facts
}

/// Figure 8: the paper's numbers and the counts here.
fn counts(facts: &mut Facts, cells: &[Counted]) {
    const COUNTED: [&str; 2] = ["suite's kernel", "original's procedure"];
    for counted in cells {
        let kernel = ("kernel", counted.name());
        let found = |column: usize| [counted.cells[column].here, counted.cells[column].original];
        for (who, name) in COUNTED.iter().enumerate() {
            let own = vec![kernel.clone(), ("counted", (*name).to_owned())];
            for (column, cell) in counted.cells.iter().enumerate() {
                let Some((paper, here)) = cell.paper.zip(found(column)[who]) else { continue };
                let less = if cell.is_paper(Some(here)) { 0.0 } else { here - paper };
                let labels = with(&own, &[("cell", COLUMN_NAMES[column].to_owned())]);
                facts.add("count less the paper's", &labels, less);
            }
            let over = |a: usize, b: usize| Some(found(a)[who]? / found(b)[who]?);
            if let Some(ratio) = over(1, 0).filter(|_| !RINGS.contains(&counted.kernel)) {
                facts.add("comm in Mx-In over comm in Mn-In", &own, ratio);
            }
            // Kernels without mutex operations have no ratio.
            if let Some(ratio) = over(3, 2) {
                facts.add("mutex in Mx-In over mutex in Mn-In", &own, ratio);
            }
            for (shape, comm, mutex) in [("Mn-In", 0, 2), ("Mx-In", 1, 3)] {
                if let Some(ratio) = over(comm, mutex) {
                    let labels = with(&own, &[("shape", shape.to_owned())]);
                    facts.add("comm over mutex operations", &labels, ratio);
                }
            }
            for (shape, fac, fa) in [("Mn-In", 4, 0), ("Mx-In", 5, 1)] {
                if let Some(ratio) = over(fac, fa) {
                    let labels = with(&own, &[("shape", shape.to_owned())]);
                    facts.add("comm of FAC over comm of FA", &labels, ratio);
                }
            }
        }
    }
}

/// Figure 9, and the counts that the paper explains figure 19 with.
fn rounds(facts: &mut Facts, cases: &[Known<'_>]) {
    for (kernel, _) in FIGURE_8 {
        let own = vec![("kernel", kernel.to_uppercase())];
        let found = [true, false].map(|sparse| by_round(cases, kernel, sparse));
        for (rounds, shape) in found.iter().zip(["Mn-In", "Mx-In"]) {
            let Some(rounds) = rounds else { continue };
            let low = rounds.iter().copied().fold(f64::MAX, f64::min);
            let high = rounds.iter().copied().fold(0.0, f64::max);
            let labels = with(&own, &[("shape", shape.to_owned())]);
            facts.add("largest over smallest round", &labels, high / low);
        }
        if RINGS.contains(&kernel) {
            continue;
        }
        if let [Some(sparse), Some(dense)] = found {
            facts.add(
                "rounds in Mx-In over rounds in Mn-In",
                &own,
                dense.len() as f64 / sparse.len() as f64,
            );
        }
        let at = |nodes: f64| {
            let is_own = |k: &&Known<'_>| {
                k.kernel == kernel && k.style == "fork_join" && k.case.size == Some(nodes)
            };
            let own = cases.iter().filter(is_own).filter(|k| is_dense(k));
            own.filter_map(|k| tally(k.case, "joins")).next().map(|one| one.per_round.len() as f64)
        };
        if let Some((more, few)) = at(128.0).zip(at(64.0)) {
            facts.add("rounds of 128 nodes over those of 64", &own, more / few);
        }
        for name in ["joins", "tasks"] {
            let total = |sparse| of(cases, kernel, "fork_join", sparse, name).map(|one| one.total);
            if let Some((dense, sparse)) = total(false).zip(total(true)) {
                let labels = with(&own, &[("count", name.to_owned())]);
                facts.add("operations in Mx-In over those in Mn-In", &labels, dense / sparse);
            }
        }
    }
}

/// The cost behind figure 15.
fn communication_over_places(facts: &mut Facts, cases: &[Known<'_>]) {
    let is_own = |known: &&Known<'_>| {
        is_64(known.case) && is_dense(known) && tally(known.case, COMM).is_some()
    };
    for known in cases.iter().filter(is_own) {
        if !["fork_join", "clocked"].contains(&known.style) {
            continue;
        }
        let points = at_places(known.case);
        for pair in points.windows(2) {
            let step = format!("{} to {}", pair[0][0], pair[1][0]);
            let labels = with(
                &labels(known.kernel, known.style),
                &[("step", step), ("p", known.case.processors.to_string())],
            );
            facts.add("comm at places over comm at fewer", &labels, pair[1][1] / pair[0][1]);
        }
    }
}

/// The grain of tasks, as points name it.
fn grain(case: &CaseRecord) -> &'static str {
    if case.point.contains("by-node") { "a task per node" } else { "a task per block" }
}

/// Figures 11 to 13: the serial program of the same problem and point over each parallel one, where places are free and at
/// 64 places, where it pays for shifts as well. A recursion is set against the serial recursion alone.
fn speedups(facts: &mut Facts, tables: &[TableResults<'_>]) {
    for table in tables {
        let of_serial = |row: &&Row<'_>| known(row.case).is_some_and(|own| own.style == "serial");
        let Some(serial) = table.rows.iter().find(of_serial).and_then(|row| row.time.as_ref())
        else {
            continue;
        };
        for row in &table.rows {
            let Some((own, time)) = known(row.case).zip(row.time.as_ref()) else { continue };
            let mixed =
                own.style.starts_with("recursive_") && !own.kernel.starts_with("recursive_");
            let is_wanted = row.case.size == Some(64.0) && is_dense(&own) && own.style != "serial";
            let places = match super::places::is_at_places(row.case) {
                false => "free",
                true if row.case.point.contains("-64-places") => "64",
                true => continue,
            };
            if mixed || !is_wanted {
                continue;
            }
            let speedup = time.speedup_over(serial, Kind::BetweenVariants, Pairing::Paired);
            let Some(s) = speedup else { continue };
            let more = [
                ("p", row.case.processors.to_string()),
                ("grain", grain(row.case).to_owned()),
                ("places", places.to_owned()),
            ];
            let labels = with(&labels(own.kernel, own.style), &more);
            facts.uncertain("S over the serial program", &labels, s.speedup, s.sigma);
        }
    }
    let known: Vec<_> = facts.of("S over the serial program").cloned().collect();
    for one in known.iter().filter(|fact| fact.label("p") == Some("1")) {
        let two = known.iter().find(|two| {
            let same = |label| two.label(label) == one.label(label);
            two.label("p") == Some("2") && ["program", "grain", "places"].into_iter().all(same)
        });
        if let Some(two) = two {
            let labels: Labels =
                one.labels.iter().filter(|(label, _)| *label != "p").cloned().collect();
            let (value, u) = ratio((two.value, two.u), (one.value, one.u));
            facts.uncertain("S on 2 processors over S on 1", &labels, value, u);
        }
    }
}

fn time_of(row: &Row<'_>) -> Option<(f64, Option<f64>)> {
    let estimate = row.time.as_ref()?.estimate;
    Some((estimate.value, estimate.u))
}

/// Figure 14: times over sizes, in the denser input, on one number of processors, with free places and at 8 of them.
fn sizes(facts: &mut Facts, rows: &[&Row<'_>], placed: &[Placed<'_>]) {
    type Line = BTreeMap<usize, (f64, Option<f64>)>;
    let mut lines: BTreeMap<(&str, &str, usize, &str), Line> = BTreeMap::new();
    for row in rows {
        let (Some(own), Some(time), Some(size)) = (known(row.case), time_of(row), row.case.size)
        else {
            continue;
        };
        let wanted = ["fork_join", "clocked"].contains(&own.style) && is_dense(&own);
        if wanted && !own.kernel.starts_with("recursive_") {
            let line = (own.kernel, own.style, row.case.processors, "free");
            lines.entry(line).or_default().insert(size as usize, time);
        }
    }
    // The paper's: 8 places, whatever the size.
    for one in placed.iter().filter(|one| one.places == 8 && one.shape != "Mn-In") {
        if one.style != "serial" {
            let line = lines.entry((one.kernel, one.style, one.processors, "8")).or_default();
            line.insert(one.nodes, (one.time.estimate.value, one.time.estimate.u));
        }
    }
    lines.retain(|_, line| line.len() > 2);
    let growth = |line: &Line| {
        let (first, last) = line.first_key_value().zip(line.last_key_value())?;
        Some(last.1.0 / first.1.0)
    };
    for ((kernel, style, p, places), line) in &lines {
        let more = [("p", p.to_string()), ("places", (*places).to_owned())];
        let own = with(&labels(kernel, style), &more);
        let sizes: Vec<_> = line.iter().collect();
        for pair in sizes.windows(2) {
            let labels = with(&own, &[("step", format!("{} to {} nodes", pair[0].0, pair[1].0))]);
            let (value, u) = ratio(*pair[1].1, *pair[0].1);
            facts.uncertain("time at a size over the size before", &labels, value, u);
        }
        let of_by = lines.get(&("by", *style, *p, *places)).and_then(growth);
        if let Some((own_growth, by)) = growth(line).zip(of_by).filter(|_| *kernel != "by") {
            facts.add("growth over the growth of BY", &own, own_growth / by);
        }
    }
}

/// Figure 16: nodes that grow with processors, 64 for each of them, where places are free.
fn with_processors(facts: &mut Facts, rows: &[&Row<'_>]) {
    let weak = |row: &&&Row<'_>| {
        let of_node = row.case.size == Some(64.0 * row.case.processors as f64);
        let own = known(row.case).filter(|own| is_dense(own) && own.style != "serial");
        of_node && own.is_some_and(|own| !own.kernel.starts_with("recursive_"))
    };
    for one in rows.iter().filter(weak) {
        let grown = rows.iter().filter(weak).filter(|other| {
            other.case.function == one.case.function && other.case.processors > one.case.processors
        });
        let Some(next) = grown.min_by_key(|other| other.case.processors) else { continue };
        let Some((own, (a, b))) = known(one.case).zip(time_of(next).zip(time_of(one))) else {
            continue;
        };
        if own.style.starts_with("recursive_") {
            continue;
        }
        let nodes = |row: &Row<'_>| 64 * row.case.processors;
        let step = format!("U{} to U{}", nodes(one), nodes(next));
        let (value, u) = ratio(a, b);
        let labels = with(&labels(own.kernel, own.style), &[("step", step)]);
        facts.uncertain("time of U over the U before", &labels, value, u);
    }
}

/// Figure 19: times in the denser input over those in the sparser one.
fn inputs(facts: &mut Facts, rows: &[&Row<'_>]) {
    for dense in rows {
        let Some(own) = known(dense.case) else { continue };
        if !is_64(dense.case)
            || RINGS.contains(&own.kernel)
            || !is_dense(&own)
            || own.style == "serial"
        {
            continue;
        }
        let sparse = rows.iter().find(|row| {
            row.case.function == dense.case.function
                && row.case.processors == dense.case.processors
                && is_64(row.case)
                && is_sparse(&row.case.point)
        });
        let Some((a, b)) = time_of(dense).zip(sparse.and_then(|row| time_of(row))) else {
            continue;
        };
        let (value, u) = ratio(a, b);
        let more = [("p", dense.case.processors.to_string()), ("places", "free".to_owned())];
        facts.uncertain(INPUTS, &with(&labels(own.kernel, own.style), &more), value, u);
    }
}

/// Figure 19.
pub(super) const INPUTS: &str = "time in Mx-In over time in Mn-In";

/// Figures 15, 17, 18 and 19 where shifts between places take time.
fn at_costly_places(facts: &mut Facts, placed: &[Placed<'_>]) {
    let pair = |time: &Time| (time.estimate.value, time.estimate.u);
    for one in placed.iter().filter(|one| one.style != "serial") {
        let own = with(&labels(one.kernel, one.style), &[("shape", one.shape.to_owned())]);
        let same = |other: &&Placed<'_>| {
            (other.kernel, other.style, other.shape) == (one.kernel, one.style, one.shape)
        };
        // The next configuration of a figure, by what varies in it.
        let next = |is_later: &dyn Fn(&Placed<'_>) -> bool, by: fn(&Placed<'_>) -> usize| {
            placed.iter().filter(same).filter(|other| is_later(other)).min_by_key(|other| by(other))
        };
        let mut add = |quantity, step: String, other: &Placed<'_>| {
            let (value, u) = ratio(pair(other.time), pair(one.time));
            facts.uncertain(quantity, &with(&own, &[("step", step)]), value, u);
        };
        let later = |o: &Placed<'_>| {
            (o.nodes, o.processors) == (one.nodes, one.processors) && o.places > one.places
        };
        if one.nodes == 64
            && let Some(other) = next(&later, |o| o.places)
        {
            let step = format!("{} to {} places", one.places, other.places);
            add("time at places over time at fewer", step, other);
        }
        let own_place = |o: &Placed<'_>| o.nodes == o.places;
        let v64 = |o: &Placed<'_>| own_place(o) && o.nodes == 64 && o.processors == one.processors;
        if own_place(one)
            && one.nodes == 8
            && let Some(other) = next(&v64, |o| o.nodes)
        {
            add("time of V64 over time of V8", "V8 to V64".to_owned(), other);
        }
        let weak = |o: &Placed<'_>| own_place(o) && o.nodes == 64 * o.processors;
        let grown = |o: &Placed<'_>| weak(o) && o.processors > one.processors;
        if weak(one)
            && let Some(other) = next(&grown, |o| o.processors)
        {
            let step = format!("W{} to W{}", one.nodes, other.nodes);
            add("time of W over the W before", step, other);
        }
        let sparse = placed.iter().find(|other| {
            (other.kernel, other.style, other.nodes, other.places, other.processors)
                == (one.kernel, one.style, one.nodes, one.places, one.processors)
                && other.shape == "Mn-In"
        });
        if one.shape == "Mx-In"
            && one.nodes == 64
            && let Some(sparse) = sparse
        {
            let (value, u) = ratio(pair(one.time), pair(sparse.time));
            let more = [("p", one.processors.to_string()), ("places", one.places.to_string())];
            facts.uncertain(INPUTS, &with(&labels(one.kernel, one.style), &more), value, u);
        }
    }
}

/// The input of a benchmark at places: rings have one.
pub(super) fn shape_of(kernel: &str, point: &str) -> &'static str {
    if RINGS.contains(&kernel) { "ring" } else { shape(point) }
}
