//! Facts about any parallel system: speedups, overheads and efficiencies; and the formulas of the document.

use plusminus::text::visible;
use plusminus_analysis::{
    models::{Model, Observation, fit},
    scaling::{AmdahlFraction, work_growth},
};

use super::{Parallel, laws::Line};
use crate::fact::{Facts, Labels, ratio};
use cargo_plusminus::study::document::{Number, ScalingRow};

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
    for (variant, line) in lines {
        of_sizes(&mut facts, line, lines, variant);
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
    if let Some(overhead) = &row.overhead_ns {
        facts.uncertain("T_o", &own, overhead.value, overhead.u);
    }
    facts.uncertain("real S", &own, real.value, real.u);
    let p = row.p as f64;
    facts.uncertain("E = S/p", &own, real.value / p, real.u.map(|u| u / p));
}

/// Changes from fewer processors to more.
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

/// E at the next larger size over E, on the same processors (Eq. 8: a larger ω may improve it).
fn of_sizes(facts: &mut Facts, line: &Line<'_>, lines: &[(String, Line<'_>)], variant: &str) {
    let n = |line: &Line<'_>| line.rows.first().and_then(|row| row.n);
    let larger = lines.iter().filter(|(name, other)| name == variant && n(other) > n(line));
    let Some((_, next)) =
        larger.min_by(|a, b| n(&a.1).unwrap_or(0.0).total_cmp(&n(&b.1).unwrap_or(0.0)))
    else {
        return;
    };
    for row in line.rows.iter().filter(|row| row.p > 1) {
        let same = next.rows.iter().find(|other| other.p == row.p);
        let both = same.and_then(|other| other.efficiency.as_ref()).zip(row.efficiency.as_ref());
        if let Some((large, small)) = both {
            let (value, u) = ratio(pair(large), pair(small));
            facts.uncertain("E at the next size over E", &labels(row, variant), value, u);
        }
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
pub(super) fn scenarios(facts: &mut Facts, series: &[Parallel<'_>]) {
    for (index, a) in series.iter().enumerate() {
        for b in &series[index + 1..] {
            let mut sizes: Vec<f64> = a.rows.iter().filter_map(|row| row.n).collect();
            sizes.dedup();
            for n in sizes {
                for (first, second) in [(a, b), (b, a)] {
                    scenario(facts, &Variant::of(first, n), &Variant::of(second, n), n);
                }
            }
        }
    }
}

/// A variant at one size, by its processors.
struct Variant<'a> {
    name: &'a str,
    rows: Vec<Placed>,
}

#[derive(Clone, Copy)]
struct Placed {
    p: usize,
    time: f64,
    efficiency: (f64, f64),
}

impl<'a> Variant<'a> {
    fn of(series: &Parallel<'a>, n: f64) -> Self {
        let rows = series.rows.iter().filter(|row| row.n == Some(n)).filter_map(|row| {
            let (s, p) = (row.speedup_real.as_ref()?, row.p as f64);
            let efficiency = (s.value / p, s.u.unwrap_or(0.0) / p);
            Some(Placed { p: row.p, time: row.time_ns.value, efficiency })
        });
        Self { name: series.variant, rows: rows.collect() }
    }

    fn fastest(&self) -> Option<Placed> {
        self.rows.iter().copied().min_by(|a, b| a.time.total_cmp(&b.time))
    }

    /// On the most processors that keep its highest efficiency within 2 u: by Lemma 2.1, fewer have none that is lower.
    fn most_efficient(&self) -> Option<Placed> {
        let best = self.rows.iter().max_by(|a, b| a.efficiency.0.total_cmp(&b.efficiency.0))?;
        let keeps = |one: &&Placed| {
            let (lost, u) = (best.efficiency.0 - one.efficiency.0, best.efficiency.1);
            lost <= 2.0 * u.hypot(one.efficiency.1)
        };
        self.rows.iter().filter(keeps).max_by_key(|one| one.p).copied()
    }
}

fn scenario(facts: &mut Facts, first: &Variant<'_>, second: &Variant<'_>, n: f64) {
    let (Some(a1), Some(b1)) = (first.fastest(), second.fastest()) else { return };
    let (Some(a2), Some(b2)) = (first.most_efficient(), second.most_efficient()) else { return };
    // The first has the highest speedup on p₁, the second the highest efficiency on p₂ < p₁.
    if a1.time >= b1.time || b2.efficiency.0 <= a2.efficiency.0 || b2.p >= a1.p {
        return;
    }
    let labels = |p: String| {
        let variants = format!("{} and {}", visible(first.name), visible(second.name));
        vec![("variants", variants), ("n", n.to_string()), ("p", p)]
    };
    for one in first.rows.iter().filter(|row| row.p < b2.p) {
        if let Some(other) = second.rows.iter().find(|row| row.p == one.p) {
            facts.add(
                "time of the fastest variant over that of the most efficient",
                &labels(one.p.to_string()),
                one.time / other.time,
            );
        }
    }
    // Eq. 5, with ⌊⌋: as many tasks at once as the measured processors hold.
    let most = first.rows.iter().chain(&second.rows).map(|row| row.p).max().unwrap_or(1);
    let throughput = |one: Placed| (most / one.p) as f64 / one.time;
    facts.add(
        "throughput of the most efficient variant over that of the fastest",
        &labels(format!("{} and {}", b2.p, a1.p)),
        throughput(b2) / throughput(a1),
    );
}
