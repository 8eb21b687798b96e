//! Rates that the design rests on, compared with the published ones. Seeds are fixed, so a failure means that a
//! formula has changed. The bands are the resolution of the repetitions.
#![cfg(feature = "models")]

#[path = "../../examples/validity/rates.rs"]
#[allow(dead_code)]
mod of_families;

use crate::{
    data::Blocks,
    simulate::{self, Planted},
    support,
};

#[test]
fn false_alarms_of_the_sequence_on_every_kind_of_blocks() {
    for (blocks, published) in [
        (Blocks::Normal, 0.026),
        (Blocks::HeavyTails, 0.016),
        (Blocks::Contaminated, 0.016),
        (Blocks::Regimes, 0.018),
        (Blocks::Skewed, 0.073),
        (Blocks::Exponential, 0.12),
        (Blocks::Correlated, 0.13),
    ] {
        let rate = simulate::false_alarms(blocks, 0.05, 3_000, 21);
        assert!((rate - published).abs() < 0.015, "{blocks:?}: {rate}, published {published}");
    }
}

#[test]
fn sharing_the_error_with_the_signs_costs_less_than_one_block() {
    // The t sequence with all of it takes 8.1 blocks.
    let blocks = of_families::blocks_to_same(0.0108, 2_000, 22);
    assert!((8.1..9.1).contains(&blocks), "{blocks}");
}

#[test]
fn a_forecast_effect_is_found_about_four_times_in_five() {
    for n in [8, 10, 20, 30, 60] {
        let [known, forecast] = of_families::power_of_the_forecast(n, 3_000, 23);
        assert!((0.745..0.88).contains(&known), "{n} blocks: {known}");
        // A spread that was estimated from few blocks may be too small by chance.
        assert!((0.66..0.86).contains(&forecast), "{n} blocks: {forecast}");
    }
}

#[test]
fn tables_without_correction_mislead_and_are_for_exploring_only_with_one() {
    let apart = of_families::tables(0.0, 300, 24);
    assert!((apart.any_uncorrected - 0.89).abs() < 0.05, "{apart:?}");
    assert!((0.02..0.07).contains(&apart.false_discovery_rate), "{apart:?}");
    assert!((0.08..0.30).contains(&apart.any_bh), "{apart:?}");
    let together = of_families::tables(0.5, 300, 25);
    assert!((together.any_uncorrected - 0.61).abs() < 0.07, "{together:?}");
}

#[test]
fn small_effects_are_found_less_often_than_by_a_test_that_spends_everything() {
    let [holm, sequence] = of_families::power_for_small_effects(200, 26);
    assert!((holm - 0.58).abs() < 0.05 && (sequence - 0.24).abs() < 0.05, "{holm} {sequence}");
}

#[test]
fn a_single_odd_cell_is_seldom_taken_for_a_sensitive_instance() {
    for (runs, found) in [(2, 0.43), (3, 0.64), (5, 0.82), (10, 0.89)] {
        let [instance, _, got] = simulate::flags(Planted::OddCell, runs, 1_500, 27);
        assert!((got - found).abs() < 0.04, "{runs} runs: {got}, published {found}");
        assert!(instance < 0.09, "{runs} runs: {instance}");
    }
    let [_, _, all] = simulate::flags(Planted::SlowInstance, 5, 800, 28);
    assert!(all > 0.99, "{all}");
    for runs in [2, 3, 5, 10] {
        let [instance, cell, _] = simulate::flags(Planted::Nothing, runs, 1_500, 29);
        assert!(instance < 0.065 && cell < 0.075, "{runs} runs: {instance} {cell}");
    }
}

#[test]
fn corrections_reject_what_is_published_and_do_not_depend_on_the_order() {
    let part = &support::vectors()["multiplicity"];
    let p = support::list(&part["p_values"]);
    let level = support::number(&part["level"]);
    let count = |rejected: Vec<bool>| rejected.iter().filter(|r| **r).count() as f64;
    assert_eq!(count(of_families::holm(&p, level)), support::number(&part["holm_rejects"]));
    let expected = support::number(&part["benjamini_hochberg_rejects"]);
    assert_eq!(count(of_families::benjamini_hochberg(&p, level)), expected);
    let p = [0.03, 0.0002, 0.5, 0.011, 0.2, 0.004];
    assert_eq!(of_families::holm(&p, 0.05), [false, true, false, true, false, true]);
    assert_eq!(of_families::benjamini_hochberg(&p, 0.05), [true, true, false, true, false, true]);
}
