//! `cargo plusminus selftest`: the accuracy of verdicts on this machine. Compares this program with itself, with and
//! without a slowdown of known size, and prints the margin that the machine supports.

mod trial;
mod verdict_counts;

use std::time::{Duration, Instant};

use plusminus::{
    exit,
    output::print,
    text::{
        number::{change, counted, duration, percent},
        quantity,
    },
};
use plusminus_analysis::verdict::sequence_factor;

use crate::{
    compare::{alpha, margin},
    error::{Error, Result},
    progress::Progress,
    report::table,
};

pub use crate::own_program::this_program;
/// The names of the kernels, and the size of one of them.
pub use plusminus_kernels::{DEFAULT_STEPS, KERNELS, STEPS};
pub use trial::{Limits, Trial, TrialResult};
pub use verdict_counts::VerdictCounts;

/// Slowdowns that are injected, in percent.
const SLOWDOWNS: [u64; 5] = [1, 2, 3, 5, 10];

/// Margins that can be recommended. The layout of a binary alone moves times by up to about 1.5 %.
const MARGINS: [f64; 5] = [0.02, 0.03, 0.05, 0.1, 0.2];

/// Blocks that a proof of "within the margin" may take for a margin to be recommended.
const COMFORTABLE_BLOCKS: usize = 20;

/// The share of the comparisons of identical code that such a proof has to be possible for.
const MOST: f64 = 0.9;

/// The time and the blocks to spend on it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Spend this long in all, such as 90, 1.5m or 1h.
    #[arg(long, default_value = "2m", value_name = "DURATION", value_parser = quantity::time)]
    max_time: Duration,
    /// Ignore changes up to this, in percent.
    #[arg(long, default_value = "2", value_name = "PERCENT", value_parser = margin)]
    margin: f64,
    /// Accept this probability of a wrong claim.
    #[arg(long, default_value_t = 0.05, value_parser = alpha)]
    alpha: f64,
    /// Set the seed of every random order.
    #[arg(long, default_value_t = 1, value_parser = quantity::seed)]
    seed: u64,
    /// Print no progress.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let program = this_program()?;
    let begin = Instant::now();
    let budget = arguments.max_time;
    let mut progress = Progress::new(arguments.quiet);
    let limits = |seed, budget: Duration| Limits {
        margin: arguments.margin,
        alpha: arguments.alpha,
        maximum_blocks: None,
        budget,
        seed,
    };
    // A third of the time for false alarms on all kernels, the rest for the power curve.
    let mut alarms = VerdictCounts::default();
    let mut seed = arguments.seed;
    let identical = Trial::identical(&program)?;
    while begin.elapsed() < budget / 3 {
        seed += 1;
        let left = (budget / 2).saturating_sub(begin.elapsed());
        let result = identical.measure(&limits(seed, left), &mut progress)?;
        result.benchmarks.iter().for_each(|(_, counts)| alarms.merge(counts));
    }
    let mut power = vec![VerdictCounts::default(); SLOWDOWNS.len()];
    'power: for pass in 0.. {
        for (counts, percent) in power.iter_mut().zip(SLOWDOWNS) {
            // Each is tried once at least. A time that is too short for a verdict ends all the same.
            if begin.elapsed() >= budget && pass > 0 {
                break 'power;
            }
            seed += 1;
            let slower = Trial::slower_chain(&program, percent)?;
            let result = slower.measure(&limits(seed, budget / 6), &mut progress)?;
            result.benchmarks.iter().for_each(|(_, one)| counts.merge(one));
        }
    }
    progress.end();
    print(&render(arguments, &alarms, &power, begin.elapsed())).map_err(Error::Message)?;
    let wrong = alarms.alarms();
    // More alarms on identical code than α allows for in the suite means that verdicts here are not to be relied on.
    let tolerated = (arguments.alpha * alarms.judged as f64).ceil() as usize;
    Ok(if wrong > tolerated.max(1) { exit::UNRELIABLE } else { exit::FINE })
}

fn render(
    arguments: &Arguments,
    alarms: &VerdictCounts,
    power: &[VerdictCounts],
    spent: Duration,
) -> String {
    let truths = std::iter::once(0).chain(SLOWDOWNS);
    let counts = std::iter::once(alarms).chain(power);
    let all: Vec<(f64, &VerdictCounts)> =
        truths.map(|percent| percent as f64 / 100.0).zip(counts).collect();
    let lines = all.iter().map(|(truth, counts)| {
        let mut cells = vec![change(*truth)];
        cells.extend(counts.cells());
        cells
    });
    let table = table::plain(
        &[&["true change"][..], &VerdictCounts::TITLES[..]].concat(),
        &lines.collect::<Vec<_>>(),
    );
    let alpha = arguments.alpha;
    let mut text = format!(
        "{table}\n\nfalse alarms on identical code: {} of {}; margin {}, α {alpha} over a suite\n",
        alarms.alarms(),
        counted(alarms.judged, "verdict"),
        percent(arguments.margin),
    );
    text.extend(all.iter().filter_map(|(truth, counts)| missed(*truth, counts, alpha)));
    text += &format!("{}\n{}\n", found(&all[1..]), advice(alarms, alpha));
    text += &format!(
        "(spent {}; layouts of binaries are not part of this: they move times by up to about 1.5 %)\n",
        duration(spent.as_secs_f64())
    );
    text
}

/// The intervals without the truth, if there are any.
fn missed(truth: f64, counts: &VerdictCounts, alpha: f64) -> Option<String> {
    let missed = counts.intervals - counts.covered;
    let allowed = (alpha * counts.intervals as f64).ceil() as usize;
    let judged = if missed > allowed { ", which is more than α allows" } else { "" };
    (missed > 0).then(|| {
        let (all, truth) = (counts.intervals, change(truth));
        format!("intervals that miss the true change of {truth}: {missed} of {all}{judged}\n")
    })
}

/// The smallest slowdown from which on every verdict was `slower`.
fn found(power: &[(f64, &VerdictCounts)]) -> String {
    let always =
        |(_, counts): &&(f64, &VerdictCounts)| counts.judged > 0 && counts.slower == counts.judged;
    let least = power.iter().rev().take_while(always).last();
    least.map_or("no slowdown was found every time".to_owned(), |(truth, _)| {
        format!("slowdowns found every time: from {} on", change(*truth))
    })
}

/// Returns the margin to use here, and its reason.
fn advice(alarms: &VerdictCounts, alpha: f64) -> String {
    // Nothing was seen to scatter, which is no proof that nothing does.
    if alarms.judged == 0 {
        return "no margin can be recommended: the time was too short for a verdict on identical code; allow more with \
                --max-time"
            .to_owned();
    }
    let mut spreads = alarms.spreads.clone();
    spreads.sort_unstable_by(f64::total_cmp);
    let at = ((spreads.len() as f64 * MOST).ceil() as usize).saturating_sub(1);
    let spread = spreads.get(at).copied().unwrap_or(0.0);
    let error = alarms.errors.iter().fold(0.0_f64, |largest, error| largest.max(error.abs()));
    let recommended = MARGINS.iter().copied().find(|margin| {
        let blocks = blocks_to_prove(spread, *margin, alpha);
        error <= *margin && blocks.is_some_and(|n| n <= COMFORTABLE_BLOCKS)
    });
    let seen = format!(
        "blocks of identical code scattered by up to {} in {} of the comparisons, and the largest error was {}",
        percent(spread),
        percent(MOST),
        percent(error)
    );
    match recommended {
        Some(margin) => format!("recommended margin on this machine: {}: {seen}", percent(margin)),
        None => format!(
            "no margin up to 20 % can be recommended: {seen}; stop other programs and try again"
        ),
    }
}

/// Blocks until the interval around no change lies within the margin, if they scatter so much.
fn blocks_to_prove(spread: f64, margin: f64, alpha: f64) -> Option<usize> {
    let reach = |n: usize| Some(sequence_factor(n, alpha, 1.0)? * spread / (n as f64).sqrt());
    (6..1000).find(|&n| reach(n).is_some_and(|reach| reach <= margin.ln_1p()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identical(spreads: &[f64], errors: &[f64]) -> VerdictCounts {
        let (spreads, errors) = (spreads.to_vec(), errors.to_vec());
        VerdictCounts { judged: spreads.len(), spreads, errors, ..VerdictCounts::default() }
    }

    #[test]
    fn the_margin_follows_from_what_was_found() {
        let mut spreads = vec![0.004; 29];
        spreads.push(0.067);
        let of = |spreads: &[f64], errors: &[f64]| advice(&identical(spreads, errors), 0.05);
        let said = of(&spreads, &[0.001, -0.004]);
        assert!(said.starts_with("recommended margin on this machine: 2.0 %: blocks"), "{said}");
        assert!(said.ends_with("the largest error was 0.40 %"), "{said}");
        let said = of(&spreads, &[0.001, -0.035]);
        assert!(said.starts_with("recommended margin on this machine: 5.0 %"), "{said}");
        let said = of(&[0.9; 9], &[0.3]);
        assert!(said.starts_with("no margin up to 20 % can be recommended: blocks"), "{said}");
        assert!(of(&[], &[]).contains("--max-time"));
    }

    #[test]
    fn what_missed_and_what_was_found_is_reported() {
        let of = |slower, covered| VerdictCounts {
            judged: 17,
            slower,
            covered,
            intervals: 17,
            ..VerdictCounts::default()
        };
        let said = missed(0.05, &of(17, 13), 0.05).unwrap();
        let expected =
            "intervals that miss the true change of +5.0 %: 4 of 17, which is more than α allows\n";
        assert_eq!(said, expected);
        assert!(missed(0.05, &of(17, 16), 0.05).unwrap().ends_with(": 1 of 17\n"));
        assert_eq!(missed(0.05, &of(17, 17), 0.05), None);
        let (all, some) = (of(17, 17), of(16, 17));
        let power = [(0.01, &all), (0.02, &some), (0.03, &all), (0.05, &all)];
        assert_eq!(found(&power), "slowdowns found every time: from +3.0 % on");
        assert_eq!(found(&power[..2]), "no slowdown was found every time");
    }

    #[test]
    fn noisier_machines_need_more_blocks_and_larger_margins() {
        // The table of blocks that prove "same" by scatter and margin: 6, 17 to 23, 45 to 60.
        assert!(blocks_to_prove(0.0045, 0.02, 0.05).unwrap() <= 7);
        assert!((14..=24).contains(&blocks_to_prove(0.0239, 0.02, 0.05).unwrap()));
        assert!((35..=62).contains(&blocks_to_prove(0.04, 0.02, 0.05).unwrap()));
        assert!(blocks_to_prove(0.04, 0.05, 0.05).unwrap() < 16);
    }
}
