//! Prints how often intervals cover the truth and verdicts err, on data whose truth is known.
//!
//! `cargo run --release -p plusminus-analysis --example validity` takes about a minute; `-- 0.1` repeats every
//! simulation a tenth as often. Seeds are fixed: the same arguments print the same tables.

mod data;
mod rates;
mod simulate;

use data::{Blocks, Shape};
use plusminus_analysis::Confidence;
use simulate::Planted;

fn main() {
    let effort: f64 = match std::env::args().nth(1).map(|a| a.parse()) {
        None => 1.0,
        Some(Ok(effort)) if effort > 0.0 && effort <= 100.0 => effort,
        Some(_) => {
            eprintln!(
                "usage: validity [EFFORT], a factor for the number of repetitions such as 0.1"
            );
            std::process::exit(2);
        }
    };
    let times = |n: f64| (n * effort).ceil() as usize;
    coverage(times(20_000.0));
    false_alarms(times(20_000.0));
    power(times(4_000.0));
    forecast(times(20_000.0));
    designs(times(2_000.0));
    suites(times(500.0));
    layouts(times(4_000.0));
    flags(times(4_000.0));
}

fn coverage(sets: usize) {
    println!("## Coverage of S = 1.5, {sets} data sets per cell");
    println!("| data | n per side | nominal 68.27 % | nominal 95 % |");
    println!("|---|---|---|---|");
    for shape in Shape::ALL {
        for n in [2, 3, 5, 8, 10, 30] {
            let cell = |confidence| {
                format!("{:.1}", 100.0 * simulate::coverage(shape, n, confidence, sets, 101))
            };
            let (one, two) = (cell(Confidence::ONE_SIGMA), cell(Confidence::P95));
            println!("| {} | {n} | {one} | {two} |", shape.label());
        }
    }
}

fn false_alarms(comparisons: usize) {
    println!("\n## False alarms at 5 %, equals compared, {comparisons} comparisons");
    println!("| blocks | sequence, looked at 60 times | t at every look |");
    println!("|---|---|---|");
    for blocks in Blocks::ALL {
        let sequence = simulate::false_alarms(blocks, 0.05, comparisons, 102);
        let peeking = simulate::false_alarms_of_peeking(blocks, comparisons, 110);
        let shares = [sequence, peeking].map(|s| format!("{:.1} %", 100.0 * s)).join(" | ");
        println!("| {} | {shares} |", blocks.label());
    }
}

fn power(comparisons: usize) {
    println!(
        "\n## Blocks until the sequence decides: mean, 80 % quantile; {comparisons} comparisons"
    );
    println!("| block spread | +1 % | +2 % | +5 % | within 1 % | within 2 % | within 5 % |");
    println!("|---|---|---|---|---|---|---|");
    for spread in [0.0045, 0.0108, 0.0239, 0.04] {
        let cell = |change, within| {
            let (mean, most) = simulate::blocks_until(change, spread, within, comparisons, 104);
            format!("{mean:.1}, {most:.0}")
        };
        let changes = [0.01, 0.02, 0.05].map(|c| cell(c, None)).join(" | ");
        let margins = [0.01, 0.02, 0.05].map(|m| cell(0.0, Some(m))).join(" | ");
        println!("| {:.2} % | {changes} | {margins} |", 100.0 * spread);
    }
}

fn forecast(comparisons: usize) {
    println!(
        "\n## Power for the minimum detectable effect (nominal 80 %), {comparisons} comparisons"
    );
    println!("| blocks | effect of the true spread | effect forecast from a spread seen |");
    println!("|---|---|---|");
    for n in [8, 10, 20, 30, 60] {
        let shares = rates::power_of_the_forecast(n, comparisons, 111)
            .map(|s| format!("{:.1} %", 100.0 * s))
            .join(" | ");
        println!("| {n} | {shares} |");
    }
}

fn designs(repetitions: usize) {
    println!("\n## Other designs, {repetitions} repetitions");
    println!("| question | design | answer |");
    println!("|---|---|---|");
    let question = "mean blocks to prove \"within 2 %\", spread 1.08 %";
    let blocks = rates::blocks_to_same(0.0108, repetitions, 112);
    println!("| {question} | sequence | {blocks:.1} |");
    for correlation in [0.0, 0.5] {
        let table = rates::tables(correlation, repetitions, 113);
        let of = format!("50 t tests, correlation of benchmarks {correlation}");
        for (design, share) in [
            ("any false claim at p < 0.05", table.any_uncorrected),
            ("any after Benjamini–Hochberg", table.any_bh),
            ("false discovery rate of Benjamini–Hochberg", table.false_discovery_rate),
        ] {
            println!("| {of} | {design} | {:.1} % |", 100.0 * share);
        }
    }
    let question = "power for a change of 0.7 spreads, 50 benchmarks, 30 blocks each";
    let [holm, sequence] = rates::power_for_small_effects(repetitions, 114).map(|s| 100.0 * s);
    println!("| {question} | Holm at the end | {holm:.1} % |");
    println!("| {question} | sequence at α/M | {sequence:.1} % |");
}

fn suites(suites: usize) {
    println!("\n## {suites} suites of 50 benchmarks, 5 of them 3 % slower, margin 2 %");
    println!("| block spread | rule | any false alarm | power | proven same | blocks |");
    println!("|---|---|---|---|---|---|");
    for spread in [0.02, 0.03] {
        for (rule, divisor) in [("α each", 1), ("α/M each", 50)] {
            let o = simulate::suite(spread, divisor, suites, 105);
            println!(
                "| {:.0} % | {rule} | {:.1} % | {:.1} % | {:.1} % | {:.1} |",
                100.0 * spread,
                100.0 * o.any_false_alarm,
                100.0 * o.power,
                100.0 * o.proven_same,
                o.blocks
            );
        }
        let (any, power) = rates::suite_holm(spread, suites, 106);
        let (any, power) = (100.0 * any, 100.0 * power);
        println!(
            "| {:.0} % | 30 blocks, Holm | {any:.1} % | {power:.1} % | – | 30 |",
            100.0 * spread
        );
    }
}

fn layouts(comparisons: usize) {
    println!("\n## Placement by layouts, block spread 1 %, {comparisons} comparisons");
    println!("| spread between layouts | layouts | change | faster or slower | same |");
    println!("|---|---|---|---|---|");
    for placement in [0.005, 0.02] {
        for (relinked, label) in [(false, "one"), (true, "one for each block")] {
            for change in [0.0, 0.03, 0.05] {
                let (changed, same) =
                    simulate::layouts(change, placement, relinked, comparisons, 107);
                println!(
                    "| {:.1} % | {label} | +{:.0} % | {:.1} % | {:.1} % |",
                    100.0 * placement,
                    100.0 * change,
                    100.0 * changed,
                    100.0 * same
                );
            }
        }
    }
}

fn flags(tables: usize) {
    println!("\n## Flags in tables of 8 instances, residual 20 %, {tables} tables");
    println!("| planted | runs | any instance flagged | any cell flagged | planted one found |");
    println!("|---|---|---|---|---|");
    for (planted, label) in [
        (Planted::Nothing, "nothing"),
        (Planted::SlowInstance, "an instance ×2"),
        (Planted::OddCell, "a cell ×3"),
    ] {
        for runs in [2, 3, 5, 10] {
            let shares = simulate::flags(planted, runs, tables, 108)
                .map(|s| format!("{:.1} %", 100.0 * s))
                .join(" | ");
            println!("| {label} | {runs} | {shares} |");
        }
    }
}
