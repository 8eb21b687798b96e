//! What records hold of any parallel system: speedups, overheads and efficiencies; and the formulas of the document.

use plusminus::text::visible;
use plusminus_analysis::{
    models::{Model, Observation, fit},
    scaling::{AmdahlFraction, work_growth},
};

use super::laws::Line;
use crate::fact::{Facts, Labels, ratio};
use cargo_plusminus::study::document::{Number, ScalingRow, Series};

fn pair(number: &Number) -> (f64, Option<f64>) {
    (number.value, number.u)
}

fn labels(row: &ScalingRow, variant: &str) -> Labels {
    let n = row.n.map_or_else(|| visible(&row.point), |n| n.to_string());
    vec![("variant", variant.to_owned()), ("n", n), ("p", row.p.to_string())]
}

/// All facts: of the formulas, of each row, of each two numbers of processors, and of sizes that grow with them.
///
/// ω is the fastest program that is marked as sequential, by n: a parallel one on one processor may be faster.
pub(super) fn facts(
    lines: &[(String, Line<'_>)],
    diagonals: &[(String, Line<'_>)],
    marked: &[&ScalingRow],
) -> Facts {
    let mut facts = Facts::default();
    formulas(&mut facts);
    for (variant, line) in lines {
        let one = line.rows.iter().find(|row| row.p == 1);
        let omega = one.and_then(|one| {
            let same = marked.iter().filter(|row| row.n == one.n && row.n.is_some());
            same.map(|row| pair(&row.time_ns)).min_by(|a, b| a.0.total_cmp(&b.0))
        });
        if let Some((one, omega)) = one.zip(omega) {
            let (value, u) = ratio(pair(&one.time_ns), omega);
            facts.uncertain("T(n, 1) over ω", &labels(one, variant), value, u);
        }
        line.rows.iter().for_each(|row| of_row(&mut facts, row, variant));
        for (index, few) in line.rows.iter().enumerate() {
            line.rows[index + 1..].iter().for_each(|many| of_pair(&mut facts, few, many, variant));
        }
        amdahl(&mut facts, line, variant);
    }
    for (variant, line) in diagonals {
        let Some(one) = line.rows.first().filter(|row| row.p == 1) else { continue };
        for row in line.rows.iter().filter(|row| row.p > 1) {
            let (value, u) = ratio(pair(&one.time_ns), pair(&row.time_ns));
            facts.uncertain("scaled speedup over p", &labels(row, variant), value, u);
        }
    }
    facts
}

fn formulas(facts: &mut Facts) {
    let add = |facts: &mut Facts, name: String, value: f64| {
        facts.add("the formula's value", &vec![("example", name)], value);
    };
    for p in [5, 10] {
        let s = AmdahlFraction::new(0.1).map_or(f64::NAN, |tenth| tenth.speedup(p));
        add(facts, format!("S on {p} by Amdahl's law with ω_s = 0.1"), s);
    }
    let overhead = |p: f64| p * (p.log2() - 1.0);
    for from in [8.0, 1024.0] {
        let grown = work_growth(&overhead, from, 2.0 * from).unwrap_or(f64::NAN);
        add(facts, format!("growth of work from {from} to {} processors", 2.0 * from), grown);
    }
}

fn of_row(facts: &mut Facts, row: &ScalingRow, variant: &str) {
    let own = labels(row, variant);
    let Some(real) = &row.speedup_real else { return };
    if row.p == 1 {
        return;
    }
    facts.uncertain("real S", &own, real.value, real.u);
    let p = row.p as f64;
    facts.uncertain("E = S/p", &own, real.value / p, real.u.map(|u| u / p));
}

/// What changes from fewer processors to more.
fn of_pair(facts: &mut Facts, few: &ScalingRow, many: &ScalingRow, variant: &str) {
    let mut own = labels(many, variant);
    own[2].1 = format!("{} and {}", few.p, many.p);
    let (p, more) = (few.p as f64, many.p as f64);
    if let Some((before, after)) = few.overhead_ns.as_ref().zip(many.overhead_ns.as_ref())
        && before.value > 0.0
        && after.value > 0.0
    {
        let (value, u) = ratio(pair(after), pair(before));
        let by = more / p;
        facts.uncertain("growth of T_o over growth of p", &own, value / by, u.map(|u| u / by));
    }
    if let Some((few_e, many_e)) = few.efficiency.as_ref().zip(many.efficiency.as_ref()) {
        // Of the larger number of processors each of the fewer takes the steps of ⌈p/p'⌉.
        let guaranteed = more / (p * (more / p).ceil());
        let (value, u) = ratio(pair(few_e), pair(many_e));
        let scaled = (value / guaranteed, u.map(|u| u / guaranteed));
        facts.uncertain(
            "E on fewer processors over what E on more guarantees",
            &own,
            scaled.0,
            scaled.1,
        );
    }
}

/// Times over those of Amdahl's law, fitted to all of them.
fn amdahl(facts: &mut Facts, line: &Line<'_>, variant: &str) {
    let observed: Vec<Observation> = line
        .rows
        .iter()
        .map(|row| Observation::of_processors(row.p as f64, row.time_ns.value))
        .collect();
    let Ok(fit) = fit(Model::Amdahl, &observed, &Default::default()) else { return };
    for row in line.rows.iter().filter(|row| row.p > 1) {
        if let Ok(time) = fit.predict(1.0, row.p as f64) {
            let (value, u) = ratio(pair(&row.time_ns), (time, Some(0.0)));
            facts.uncertain("T over Amdahl's law", &labels(row, variant), value, u);
        }
    }
}

/// Two variants of a problem at the same n: the one with the highest speedup, and the one with the highest efficiency on
/// fewer processors. On still fewer, the time of the first over that of the second.
pub(super) fn scenarios(facts: &mut Facts, series: &[&Series]) {
    let rows = |one: &Series, n: f64| -> Vec<(usize, f64, f64)> {
        let own = one.scaling.rows.iter().filter(|row| row.n == Some(n));
        own.filter_map(|row| {
            Some((row.p, row.time_ns.value, row.speedup_real.as_ref()?.value / row.p as f64))
        })
        .collect()
    };
    for (index, a) in series.iter().enumerate() {
        for b in &series[index + 1..] {
            let mut sizes: Vec<f64> = a.scaling.rows.iter().filter_map(|row| row.n).collect();
            sizes.dedup();
            for n in sizes {
                for (first, second) in [(a, b), (b, a)] {
                    scenario(
                        facts,
                        (&first.variant, rows(first, n)),
                        (&second.variant, rows(second, n)),
                        n,
                    );
                }
            }
        }
    }
}

type Measured<'a> = (&'a str, Vec<(usize, f64, f64)>);

fn scenario(facts: &mut Facts, first: Measured<'_>, second: Measured<'_>, n: f64) {
    let fastest =
        |rows: &[(usize, f64, f64)]| rows.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let best = |rows: &[(usize, f64, f64)]| rows.iter().copied().max_by(|a, b| a.2.total_cmp(&b.2));
    let (Some(a1), Some(b1)) = (fastest(&first.1), fastest(&second.1)) else { return };
    let (Some(a2), Some(b2)) = (best(&first.1), best(&second.1)) else { return };
    // The first has the highest speedup on p₁, the second the highest efficiency on p₂ < p₁.
    if a1.1 >= b1.1 || b2.2 <= a2.2 || b2.0 >= a1.0 {
        return;
    }
    for (p, time, _) in first.1.iter().filter(|row| row.0 < b2.0) {
        if let Some(other) = second.1.iter().find(|row| row.0 == *p) {
            let labels = vec![
                ("variants", format!("{} and {}", visible(first.0), visible(second.0))),
                ("n", n.to_string()),
                ("p", p.to_string()),
            ];
            facts.add(
                "time of the fastest variant over that of the most efficient",
                &labels,
                time / other.1,
            );
        }
    }
}
