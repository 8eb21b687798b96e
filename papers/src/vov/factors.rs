//! One factor at a time: how much of ln S is the runtime's, the filter's, and a run's.

use std::collections::{BTreeMap, BTreeSet};

use plusminus::text::number::{percent, with_uncertainty};
use plusminus_analysis::{random::Random, summary::summarize};

use super::facts::IN_TURNS;
use crate::fact::{Fact, Facts};
use cargo_plusminus::pages::{Section, Table};

/// Resamples of runs for an interval.
const RESAMPLES: usize = 1000;

/// Pairs of runtimes that a table compares. Messages are between threads of one process; ranks are processes.
const RUNTIMES: [[&str; 2]; 3] = [["tasks", "messages"], ["tasks", "ranks"], ["messages", "ranks"]];

const FILTERS: [&str; 2] = ["literal", "filtered"];

/// ln S of each run, by runtime and filter.
type Cells = [[Vec<f64>; 2]; 2];

/// Two runtimes, with threads and ranks that have a processor each or take turns.
fn pairs() -> impl Iterator<Item = [String; 2]> {
    let turns = ["", IN_TURNS].into_iter();
    turns.flat_map(|turns| RUNTIMES.map(|pair| pair.map(|one| format!("{one}{turns}"))))
}

/// The share of each factor in ln S at each setting. Its u is half the distance to the farther end of its interval.
pub(super) fn shares_of_all(facts: &mut Facts) {
    const FACTORS: [&str; 4] = ["runtime", "filter", "both together", "runs"];
    for pair in pairs() {
        for (setting, cells) in complete(facts, [&pair[0], &pair[1]]) {
            let all = FACTORS.iter().zip(shares(&cells)).zip(intervals(&cells));
            for ((factor, share), (low, high)) in all {
                let labels = vec![
                    ("factor", (*factor).to_owned()),
                    ("runtimes", pair.join(" and ")),
                    ("setting", setting.clone()),
                ];
                let u = (share - low).max(high - share) / 2.0;
                facts.uncertain("share of ln S", &labels, share, Some(u));
            }
        }
    }
}

/// The tables: S of each runtime and filter where all four were measured, and the shares. `None` without such rows.
pub(super) fn section(facts: &Facts) -> Option<Section> {
    let tables = pairs().filter_map(|pair| table(facts, [&pair[0], &pair[1]]));
    let tables: Vec<Table> = tables.collect();
    (!tables.is_empty()).then(|| Section {
        title: "One factor at a time: runtime and filter".to_owned(),
        paragraphs: vec![
            "The paper changes the runtime and, because the runtimes differ, what is filtered. Here each is changed by \
             itself. A share is that of the sum of squares of ln S, over runtime, filter and run; its interval holds \
             95 % of 1,000 resamples of the runs. Threads or ranks in turns outnumber the processors."
                .to_owned(),
        ],
        tables,
        ..Section::default()
    })
}

/// The table of two runtimes.
fn table(facts: &Facts, runtimes: [&str; 2]) -> Option<Table> {
    let rows: Vec<Vec<String>> = complete(facts, runtimes)
        .into_iter()
        .map(|(setting, cells)| {
            let mut row = vec![setting];
            let each = (0..2).flat_map(|a| (0..2).map(move |b| (a, b)));
            row.extend(each.map(|(a, b)| typical(&cells[a][b])));
            row.extend(shares(&cells).into_iter().zip(intervals(&cells)).map(
                |(share, (low, high))| {
                    let [share, low, high] = [share, low, high].map(percent);
                    let bare = |end: &str| end.trim_end_matches(" %").to_owned();
                    format!("{} [{}, {}] %", bare(&share), bare(&low), bare(&high))
                },
            ));
            row
        })
        .collect();
    let mut titles = vec!["bench, weights, scale, p".to_owned()];
    titles.extend(runtimes.iter().flat_map(|on| FILTERS.map(|filter| format!("S {filter}, {on}"))));
    titles.extend(
        ["share of the runtime", "share of the filter", "share of both together", "share of runs"]
            .map(str::to_owned),
    );
    let [one, other] = runtimes;
    (!rows.is_empty()).then(|| Table {
        caption: format!(
            "S ± σ over the runs, of KLA over Δ-stepping on {one} and {other}, and the shares of factors"
        ),
        titles,
        rows,
    })
}

/// Settings with runs of both runtimes and both filters.
fn complete(facts: &Facts, runtimes: [&str; 2]) -> BTreeMap<String, Cells> {
    let setting = |fact: &Fact| {
        ["bench", "weights", "scale", "p"].map(|label| fact.label(label).unwrap_or("–")).join(", ")
    };
    let settings: BTreeSet<String> = facts.of("S of a run").map(setting).collect();
    let cells = settings.into_iter().filter_map(|wanted| {
        let cell = |a: usize, b: usize| -> Vec<f64> {
            let of_cell = |fact: &&Fact| {
                let levels = [("runtime", runtimes[a]), ("filter", FILTERS[b])];
                setting(fact) == wanted
                    && levels.iter().all(|(factor, level)| fact.label(factor) == Some(*level))
            };
            facts.of("S of a run").filter(of_cell).map(|fact| fact.value.ln()).collect()
        };
        let cells = [[cell(0, 0), cell(0, 1)], [cell(1, 0), cell(1, 1)]];
        cells.iter().flatten().all(|runs| !runs.is_empty()).then_some((wanted, cells))
    });
    cells.collect()
}

/// The geometric mean of S over runs with its standard error, from ln S of each.
fn typical(logarithms: &[f64]) -> String {
    let s = mean(logarithms).exp();
    let u = summarize(logarithms).ok().and_then(|summary| summary.u);
    with_uncertainty(s, u.map(|u| s * u))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Shares of runtime, filter, their interaction and runs in the sum of squares of ln S.
fn shares(cells: &Cells) -> [f64; 4] {
    let of = |a: usize, b: usize| mean(&cells[a][b]);
    let runtime = (of(0, 0) + of(0, 1) - of(1, 0) - of(1, 1)) / 4.0;
    let filter = (of(0, 0) - of(0, 1) + of(1, 0) - of(1, 1)) / 4.0;
    let both = (of(0, 0) - of(0, 1) - of(1, 0) + of(1, 1)) / 4.0;
    let count = cells.iter().flatten().map(Vec::len).sum::<usize>() as f64;
    let within: f64 = cells
        .iter()
        .flatten()
        .map(|runs| runs.iter().map(|one| (one - mean(runs)).powi(2)).sum::<f64>())
        .sum();
    let squares = [count * runtime.powi(2), count * filter.powi(2), count * both.powi(2), within];
    let total: f64 = squares.iter().sum();
    squares.map(|one| if total > 0.0 { one / total } else { 0.0 })
}

/// 95 % of each share over resampled runs.
fn intervals(cells: &Cells) -> [(f64, f64); 4] {
    let mut random = Random::new(101);
    let mut again = |runs: &Vec<f64>| -> Vec<f64> {
        runs.iter().map(|_| runs[random.below(runs.len())]).collect()
    };
    let all: Vec<[f64; 4]> = (0..RESAMPLES)
        .map(|_| {
            let [[a, b], [c, d]] = cells;
            shares(&[[again(a), again(b)], [again(c), again(d)]])
        })
        .collect();
    [0, 1, 2, 3].map(|which| {
        let mut own: Vec<f64> = all.iter().map(|shares| shares[which]).collect();
        own.sort_by(f64::total_cmp);
        (own[RESAMPLES / 40], own[RESAMPLES - 1 - RESAMPLES / 40])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_that_acts_alone_has_all_of_the_share() {
        let of = |filter: f64| vec![filter, filter];
        let cells = [[of(2.0), of(1.0)], [of(2.0), of(1.0)]];
        assert_eq!(shares(&cells), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(intervals(&cells)[1], (1.0, 1.0));
        // Runtime and filter of the same size, and no run like the next.
        let noisy = [[vec![2.1, 1.9], vec![1.1, 0.9]], [vec![1.1, 0.9], vec![0.1, -0.1]]];
        let found = shares(&noisy);
        assert!((found[0] - found[1]).abs() < 1e-12 && found[2] < 1e-12 && found[3] > 0.0);
    }
}
