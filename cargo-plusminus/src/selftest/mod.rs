//! `cargo plusminus selftest`: what verdicts are worth on this machine. Compares this program with itself, with and
//! without a slowdown of known size, and says which margin the machine deserves.

mod trial;
mod verdict_counts;

use std::time::{Duration, Instant};

use plusminus::{
    exit,
    output::print,
    text::{
        number::{change, duration, percent},
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
/// What the kernels are called, and what sizes one of them.
pub use plusminus_kernels::{DEFAULT_STEPS, KERNELS, STEPS};
pub use trial::{Limits, Trial, TrialResult, this_program};
pub use verdict_counts::VerdictCounts;

/// Slowdowns that are injected, in percent.
const SLOWDOWNS: [u64; 5] = [1, 2, 3, 5, 10];

/// Margins that can be recommended. The layout of a binary alone moves times by up to about 1.5 %.
const MARGINS: [f64; 5] = [0.02, 0.03, 0.05, 0.1, 0.2];

/// Blocks that a proof of "same" may take for a margin to be recommended.
const COMFORTABLE_BLOCKS: usize = 20;

/// What to spend on it.
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

/// Runs the self-test.
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
    let lines = truths.zip(counts).map(|(truth, counts)| {
        let mut cells = vec![change(truth as f64 / 100.0)];
        cells.extend(counts.cells());
        cells
    });
    let table = table::plain(
        &[&["true change"][..], &VerdictCounts::TITLES[..]].concat(),
        &lines.collect::<Vec<_>>(),
    );
    let wrong = alarms.alarms();
    let spread = alarms.spreads.iter().copied().fold(0.0, f64::max);
    let recommended = MARGINS.iter().copied().find(|margin| {
        blocks_to_prove(spread, *margin, arguments.alpha).is_some_and(|n| n <= COMFORTABLE_BLOCKS)
    });
    let advice = match recommended {
        // Nothing was seen to scatter, which is no proof that nothing does.
        _ if alarms.judged == 0 => {
            "no margin can be recommended: the time was too short for a verdict on identical code; allow more with \
             --max-time"
                .to_owned()
        }
        Some(margin) => format!("recommended margin on this machine: {}", percent(margin)),
        None => "no margin up to 20 % can be recommended: blocks scatter too much; stop other programs and try \
                 again"
            .to_owned(),
    };
    format!(
        "{}\n\nfalse alarms on identical code: {wrong} of {} verdicts; margin {}, α {} over a suite\n\
         largest scatter of blocks: {}\n{advice}\n(spent {}; layouts of binaries are not part of this: they move \
         times by up to about 1.5 %)\n",
        table,
        alarms.judged,
        percent(arguments.margin),
        arguments.alpha,
        if alarms.judged == 0 { "unknown".to_owned() } else { percent(spread) },
        duration(spent.as_secs_f64()),
    )
}

/// Blocks until the interval around no change lies within the margin, if they scatter so much.
fn blocks_to_prove(spread: f64, margin: f64, alpha: f64) -> Option<usize> {
    let reach = |n: usize| Some(sequence_factor(n, alpha, 1.0)? * spread / (n as f64).sqrt());
    (6..1000).find(|&n| reach(n).is_some_and(|reach| reach <= margin.ln_1p()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noisier_machines_need_more_blocks_and_larger_margins() {
        // The table of blocks that prove "same" by scatter and margin: 6, 17 to 23, 45 to 60.
        assert!(blocks_to_prove(0.0045, 0.02, 0.05).unwrap() <= 7);
        assert!((14..=24).contains(&blocks_to_prove(0.0239, 0.02, 0.05).unwrap()));
        assert!((35..=62).contains(&blocks_to_prove(0.04, 0.02, 0.05).unwrap()));
        assert!(blocks_to_prove(0.04, 0.05, 0.05).unwrap() < 16);
    }
}
