//! Shortest paths: KLA over Δ-stepping by runtime, filter and weights.

use plusminus::record::{Record, Role};

use super::{Made, each_can_agree_and_differ, outcomes, record_of};
use crate::{Paper, sentence::Outcome};

/// A machine on which S depends on these.
#[derive(Clone, Copy)]
struct Machine {
    /// S of literal tasks, filtered tasks, and both on messages.
    s: [f64; 4],
    /// Times of Δ-stepping in ns: on tasks and on messages.
    delta: [f64; 2],
    /// S of weights to 100 over S of weights to 255.
    light: f64,
    /// The slow instance over the others: of KLA on tasks, of KLA on messages, of Δ-stepping on tasks and on messages.
    odd: [f64; 4],
    /// Factors of KLA in each run.
    runs: [f64; 5],
    /// Whether the slow instance is another one in each run.
    wanders: bool,
    processors: usize,
}

/// As the paper says of its own machine.
const PAPER: Machine = Machine {
    s: [6.0, 6.0, 2.0, 2.0],
    delta: [9e6, 1e6],
    light: 1.0,
    odd: [2.6, 2.0, 1.2, 2.0],
    runs: [0.98, 0.99, 1.0, 1.01, 1.02],
    wanders: false,
    processors: 2,
};

fn record(of: &Machine) -> Record {
    let mut cases = Vec::new();
    let kinds = [
        ("literal_tasks", 0, 0),
        ("filtered_tasks", 1, 0),
        ("literal_messages", 2, 1),
        ("filtered_messages", 3, 1),
        ("literal_ranks", 2, 1),
        ("filtered_ranks", 3, 1),
    ];
    for weights in [255, 100] {
        for (kind, s, runtime) in kinds {
            let light = if weights == 100 { of.light } else { 1.0 };
            for (algorithm, mean, odd) in [
                ("kla", of.s[s] * light * of.delta[runtime], of.odd[runtime]),
                ("delta", of.delta[runtime], of.odd[2 + runtime]),
            ] {
                let times = (0..5).map(|run: usize| {
                    let slow = if of.wanders { run } else { 6 };
                    let of_run = if algorithm == "kla" { of.runs[run] } else { 1.0 };
                    let usual = mean * of_run * 8.0 / (7.0 + odd);
                    (0..8).map(|at| if at == slow { usual * odd } else { usual }).collect()
                });
                cases.push(
                    Made {
                        function: &format!("sssp::{algorithm}_{kind}"),
                        problem: "sssp::ShortestPaths",
                        point: format!("rmat-14-w{weights}-p{}", of.processors),
                        size: None,
                        role: Role::Contender,
                        processors: of.processors,
                        models: &[],
                        instances: (0..8).map(|at| (format!("source-{at}"), Vec::new())).collect(),
                        times: times.collect(),
                    }
                    .case(),
                );
            }
        }
    }
    record_of(cases)
}

#[test]
fn each_sentence_can_agree_and_differ() {
    let opposite = Machine {
        s: [18.0, 0.5, 18.0, 0.4],
        delta: [3e6, 9e6],
        light: 2.0,
        odd: [1.02, 1.02, 1.5, 1.5],
        runs: [1.0, 1.6, 1.0, 1.6, 1.0],
        wanders: true,
        ..PAPER
    };
    let sensitive = Machine { odd: [9.0, 9.0, 1.2, 1.2], ..PAPER };
    let all = [PAPER, opposite, sensitive].map(|machine| record(&machine));
    each_can_agree_and_differ(Paper::Vov, "vov", &all);
}

/// The filter is what makes KLA slow here, on either runtime. So no sentence about runtimes may agree because of it.
#[test]
fn a_filter_is_no_runtime() {
    let filter = Machine { s: [6.0, 2.0, 6.0, 2.0], delta: [9e6, 9e6], ..PAPER };
    let found = outcomes(Paper::Vov, "vov_filter", &record(&filter));
    for name in ["fig-8", "runtimes", "fig-9-literal", "fig-5-filtered"] {
        assert_eq!(found[name], Outcome::Differs, "{name}");
    }
    for name in ["fig-9-filtered", "fig-5-literal"] {
        assert_eq!(found[name], Outcome::Agrees, "{name}");
    }
}

/// u of the mean of 8 instances is √8 times smaller than their spread, and no reading of one may stand for the other.
#[test]
fn rsu_is_of_the_mean() {
    let found = outcomes(Paper::Vov, "vov_rsu", &record(&PAPER));
    assert_eq!((found["rsu"], found["spread"]), (Outcome::Differs, Outcome::Agrees));
}

/// Runs that lie within the paper's bars, and not within those of a mean.
#[test]
fn runs_agree_by_the_bars_that_a_row_names() {
    let scattered = Machine { runs: [0.85, 1.0, 1.0, 1.0, 1.15], ..PAPER };
    let found = outcomes(Paper::Vov, "vov_runs", &record(&scattered));
    assert_eq!(found["figs-5-7-runs"], Outcome::Agrees);
    assert_eq!(found["figs-5-7-runs-sigma"], Outcome::Differs);
}

/// Figures 4 to 7, 10 and 11 are of HPX-5: measurements of messages are in none of their sentences.
#[test]
fn a_figure_has_its_own_runtime() {
    let mut messages = record(&PAPER);
    messages.cases.retain(|case| case.function.ends_with("messages"));
    let found = outcomes(Paper::Vov, "vov_messages", &messages);
    let tested = found.iter().filter(|(_, outcome)| **outcome != Outcome::Untested);
    let tested: Vec<&str> = tested.map(|(name, _)| &**name).collect();
    assert_eq!(tested, ["fig-12", "fig-9-filtered", "fig-9-literal", "fig-9-range", "variability"]);
}

/// Threads that take turns on a processor stand for no nodes.
#[test]
fn threads_in_turns_are_no_runtime() {
    let turns = Machine { processors: 64, ..PAPER };
    let found = outcomes(Paper::Vov, "vov_turns", &record(&turns));
    let tested = found.iter().filter(|(_, outcome)| **outcome != Outcome::Untested);
    let tested: Vec<&str> = tested.map(|(name, _)| &**name).collect();
    assert_eq!(tested, ["fig-9-ranks", "fig-9-ranks-literal"]);
}

#[test]
fn one_processor_is_no_runtime() {
    let found = outcomes(Paper::Vov, "vov_alone", &record(&Machine { processors: 1, ..PAPER }));
    assert!(found.values().all(|outcome| *outcome == Outcome::Untested), "{found:?}");
}
