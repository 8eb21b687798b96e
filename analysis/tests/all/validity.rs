//! The simulations of `examples/validity`, small enough for every test run. Seeds are fixed, so a failure means that
//! a formula changed.

use plusminus_analysis::Confidence;

use crate::{
    data::{Blocks, Shape},
    simulate::{self, Planted},
};

#[test]
fn intervals_of_run_means_cover_what_they_promise() {
    for shape in [Shape::Normal, Shape::Hierarchical] {
        for n in [3, 5, 10, 30] {
            let sets = if n == 30 { 1_000 } else { 5_000 };
            let log = simulate::coverage(shape, n, Confidence::P95, sets, 1);
            assert!((0.93..=0.97).contains(&log), "{shape:?} n {n}: log {log}");
            let log = simulate::coverage(shape, n, Confidence::ONE_SIGMA, sets, 2);
            let high = if n == 3 { 0.73 } else { 0.72 };
            assert!((0.655..=high).contains(&log), "{shape:?} n {n}: log {log} at one σ");
        }
    }
}

#[test]
fn pooling_the_samples_of_runs_does_not_cover() {
    // The reason for run means: if this ever covers, the simulation is broken.
    let log = simulate::coverage(Shape::Pooled, 5, Confidence::P95, 500, 3);
    assert!((0.45..0.65).contains(&log), "{log}");
}

#[test]
fn skewed_and_spiked_times_lose_little() {
    for (shape, low) in [(Shape::Lognormal, 0.92), (Shape::Spiked, 0.94)] {
        let log = simulate::coverage(shape, 8, Confidence::P95, 3_000, 4);
        assert!((low..0.985).contains(&log), "{shape:?} {log}");
    }
}

#[test]
fn looking_sixty_times_raises_few_false_alarms() {
    for blocks in [Blocks::Normal, Blocks::HeavyTails, Blocks::Contaminated] {
        let rate = simulate::false_alarms(blocks, 0.05, 3_000, 5);
        assert!(rate <= 0.05, "{blocks:?}: {rate}");
    }
    // The method that it replaces: a t interval after every block.
    assert!(simulate::false_alarms_of_peeking(Blocks::Normal, 1_000, 15) > 0.2);
    // Dependent blocks void the guarantee, and the simulation can see that.
    assert!(simulate::false_alarms(Blocks::Correlated, 0.05, 500, 6) > 0.07);
}

#[test]
fn the_number_of_blocks_to_a_decision_is_as_published() {
    // Mean blocks for a shift, and to prove "within"; a tenth to either side is what 400 comparisons resolve.
    for (spread, change, within, mean) in [
        (0.0045, 0.01, None, 6.7),
        (0.0108, 0.01, None, 14.9),
        (0.0108, 0.02, None, 7.4),
        (0.0239, 0.02, None, 17.3),
        (0.04, 0.05, None, 10.3),
        (0.0045, 0.0, Some(0.01), 7.1),
        (0.0108, 0.0, Some(0.01), 19.4),
        (0.0239, 0.0, Some(0.02), 22.8),
        (0.04, 0.0, Some(0.05), 12.3),
    ] {
        let (got, _) = simulate::blocks_until(change, spread, within, 400, 8);
        assert!((got / mean - 1.0).abs() < 0.1, "{spread} {change} {within:?}: {got}, not {mean}");
    }
}

#[test]
fn a_suite_of_fifty_raises_hardly_any_false_alarm_and_misses_nothing() {
    let outcome = simulate::suite(0.02, 50, 8, 9);
    assert_eq!(outcome.any_false_alarm, 0.0);
    assert!(outcome.power >= 0.97 && outcome.proven_same >= 0.98, "{outcome:?}");
    // Half of these would do if each were judged alone.
    assert!((30.0..38.0).contains(&outcome.blocks), "{outcome:?}");
}

#[test]
fn luck_with_one_layout_is_called_a_change_and_a_layout_for_each_block_averages_it_away() {
    // Each side is faster or slower by 2 % by where the linker puts it.
    let (changed, _) = simulate::layouts(0.0, 0.02, false, 300, 10);
    assert!(changed > 0.5, "{changed}");
    let (changed, _) = simulate::layouts(0.0, 0.02, true, 300, 10);
    assert!(changed <= 0.05, "{changed}");
    let (changed, same) = simulate::layouts(0.05, 0.02, true, 300, 11);
    assert!(changed >= 0.9 && same == 0.0, "{changed} {same}");
}

#[test]
fn flags_are_as_rare_and_as_sharp_as_published() {
    let [instance, cell, _] = simulate::flags(Planted::Nothing, 3, 800, 12);
    assert!(instance < 0.07 && cell < 0.075, "{instance} {cell}");
    for (planted, runs, found) in [
        (Planted::SlowInstance, 2, 0.73),
        (Planted::SlowInstance, 3, 0.98),
        (Planted::OddCell, 3, 0.64),
        (Planted::OddCell, 5, 0.82),
    ] {
        let [_, _, got] = simulate::flags(planted, runs, 800, 13);
        assert!((got - found).abs() < 0.05, "{planted:?} in {runs} runs: {got}, not {found}");
    }
}
