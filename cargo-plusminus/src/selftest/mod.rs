//! `cargo plusminus selftest`: what verdicts are worth on this machine. Compares this program with itself, with and
//! without a slowdown of known size, and says which margin the machine deserves.

mod tally;

use std::{
    env,
    path::PathBuf,
    time::{Duration, Instant},
};

use plusminus::{
    __runner::{Listed, interrupt},
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
    error::{Error, Result, at},
    kernels,
    measure::{
        self, CaseResult, Outcome, Problem, RowResult, Settings, Side, Subject, Version, variable,
    },
    progress::Progress,
};
pub(crate) use tally::Tally;

/// Slowdowns that are injected, in percent.
const SLOWDOWNS: [u64; 5] = [1, 2, 3, 5, 10];

/// Margins that can be recommended. The layout of a binary alone moves times by up to about 1.5 %.
const MARGINS: [f64; 5] = [0.02, 0.03, 0.05, 0.1, 0.2];

/// Blocks that a proof of "same" may take for a margin to be recommended.
const COMFORTABLE_BLOCKS: usize = 20;

/// What to spend on it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Time to spend in all, such as 90, 1.5m or 1h.
    #[arg(long, default_value = "2m", value_name = "TIME", value_parser = quantity::time)]
    max_time: Duration,
    /// Changes up to this count as none, in percent.
    #[arg(long, default_value = "2", value_name = "PERCENT", value_parser = margin)]
    margin: f64,
    /// Accepted probability of a wrong claim.
    #[arg(long, default_value_t = 0.05, value_parser = alpha)]
    alpha: f64,
    /// The seed of every random order.
    #[arg(long, default_value_t = 1, value_parser = quantity::seed)]
    seed: u64,
    /// No progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the self-test.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let program = env::current_exe().map_err(at("find", &PathBuf::from("this program")))?;
    let begin = Instant::now();
    let budget = arguments.max_time;
    let mut progress = Progress::new(arguments.quiet);
    let settings = |seed, left: Duration| Settings {
        margin: arguments.margin,
        margin_for_all: true,
        alpha: arguments.alpha,
        maximum_blocks: 60,
        budget: left,
        seed,
    };
    // A third of the time for false alarms on all kernels, the rest for the power curve.
    let mut alarms = Tally::default();
    let mut spread: f64 = 0.0;
    let mut seed = arguments.seed;
    let identical = subject(&program, None, is_ours)?;
    while begin.elapsed() < budget / 3 {
        seed += 1;
        let left = (budget / 2).saturating_sub(begin.elapsed());
        let outcome = measured(&identical, &settings(seed, left), &mut progress)?;
        for row in rows(&outcome) {
            alarms.count(row, 0.0);
            spread = spread.max(tally::block_spread(row).unwrap_or(0.0));
        }
    }
    let mut power = vec![Tally::default(); SLOWDOWNS.len()];
    'power: for pass in 0.. {
        for (tally, slowdown) in power.iter_mut().zip(SLOWDOWNS) {
            // Each is tried once at least. A time that is too short for a verdict ends all the same.
            if begin.elapsed() >= budget && pass > 0 {
                break 'power;
            }
            seed += 1;
            let slower = subject(&program, Some(slowdown), |case| case.name == CHAIN)?;
            let outcome = measured(&slower, &settings(seed, budget / 6), &mut progress)?;
            for row in rows(&outcome) {
                tally.count(row, slowdown as f64 / 100.0);
            }
        }
    }
    progress.end();
    print(&render(arguments, &alarms, &power, spread, begin.elapsed())).map_err(Error::Message)?;
    let wrong = alarms.alarms();
    // More alarms on identical code than α allows for in the suite means that verdicts here are not to be relied on.
    let tolerated = (arguments.alpha * alarms.judged as f64).ceil() as usize;
    Ok(if wrong > tolerated.max(1) { exit::UNRELIABLE } else { exit::FINE })
}

/// The kernel whose time is proportional to a number.
pub(crate) const CHAIN: &str = "kernels::chain";

/// Whether a kernel was made to be judged: the suite, which this program links for its inputs, brings others.
pub(crate) fn is_ours(case: &Listed) -> bool {
    case.name.starts_with("kernels::")
}

/// This program against itself, new with a chain that is longer by so many percent.
pub(crate) fn subject(
    program: &std::path::Path,
    slowdown: Option<u64>,
    wanted: impl Fn(&Listed) -> bool,
) -> Result<Subject> {
    let base = Side::of(program);
    let mut new = base.clone();
    if let Some(percent) = slowdown {
        let steps = kernels::DEFAULT_STEPS + kernels::DEFAULT_STEPS * percent / 100;
        new.variables.push(variable(kernels::STEPS, steps.to_string()));
    }
    let cases = measure::list(&base).map_err(|problem| match problem {
        Problem::Interrupted(signal) => Error::Interrupted(signal),
        Problem::Failed(message) => {
            Error::Message(format!("the self-test cannot start: {message}"))
        }
    })?;
    let common =
        cases.into_iter().filter(|case| wanted(case)).map(|case| (case.clone(), case)).collect();
    Ok(Subject {
        name: String::new(),
        versions: vec![Version { base, new }],
        control: None,
        common,
    })
}

/// Measures, and hands an interrupt on.
pub(crate) fn measured(
    subject: &Subject,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Outcome> {
    let outcome = measure::measure(std::slice::from_ref(subject), settings, progress);
    match outcome.interrupted.or_else(interrupt) {
        Some(signal) => Err(Error::Interrupted(signal)),
        None => match outcome.cases.iter().find_map(|case| case.failure.as_ref()) {
            Some(failure) => Err(Error::Message(format!("a kernel failed: {}", failure.message))),
            None => Ok(outcome),
        },
    }
}

/// The verdicts on benchmarks as a whole.
pub(crate) fn rows(outcome: &Outcome) -> impl Iterator<Item = &RowResult> {
    outcome.cases.iter().filter_map(|case: &CaseResult| case.rows.last())
}

fn render(
    arguments: &Arguments,
    alarms: &Tally,
    power: &[Tally],
    spread: f64,
    spent: Duration,
) -> String {
    let truths = std::iter::once(0).chain(SLOWDOWNS);
    let tallies = std::iter::once(alarms).chain(power);
    let lines = truths.zip(tallies).map(|(truth, tally)| {
        let mut cells = vec![change(truth as f64 / 100.0)];
        cells.extend(tally.cells());
        cells
    });
    let table = crate::report::table::plain(
        &[&["true change"][..], &Tally::TITLES[..]].concat(),
        &lines.collect::<Vec<_>>(),
    );
    let wrong = alarms.alarms();
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
