//! A neighbor on the core of the measuring processor.

use std::time::Duration;

use super::{
    comparisons::{compared_on, settings},
    configuration, measured_on, no_worker_is_left, program, two_versions,
};
use crate::{
    engine::{
        Configuration, Machine,
        simulated::{Kernel, Neighbor, Noise, SimulatedMachine},
    },
    record::{BlockRecord, Record},
    results,
};

fn measured(seed: u64, share: f64, configuration: &Configuration) -> (Record, Duration) {
    let neighbor = Neighbor { phase: Duration::from_millis(300), share, factor: 1.6 };
    let kernel = |name: &str| Kernel::new(name, 1000.0).with_noise(Noise::quiet());
    let machine = SimulatedMachine::new(seed)
        .with_program(&program(), vec![kernel("a"), kernel("b"), kernel("c")])
        .with_neighbor(neighbor);
    machine.pass(Duration::from_secs(seed));
    let begin = machine.now();
    let record = measured_on(&machine, configuration);
    no_worker_is_left(&machine);
    let spent = machine.now() - begin;
    (record, spent)
}

fn times(record: &Record) -> Vec<f64> {
    let tables = results::tables(record);
    tables
        .iter()
        .flat_map(|table| &table.rows)
        .map(|row| row.time.as_ref().unwrap().estimate.value)
        .collect()
}

#[test]
fn a_neighbor_that_comes_and_goes_changes_no_time() {
    let mut within = 0;
    for seed in 0..40 {
        let (record, _) = measured(seed, 0.4, &configuration());
        for (case, time) in record.cases.iter().zip(times(&record)) {
            let mut cells: Vec<_> = case.measurements.iter().map(|one| one.run).collect();
            let runs = cells.len();
            cells.sort_unstable();
            cells.dedup();
            assert!(cells.len() == runs && runs >= 5, "one try of each run: {runs}");
            within += usize::from((time / 1000.0 - 1.0).abs() < 0.02);
        }
    }
    // All of them, but for invocations that have a neighbor from begin to end.
    assert!(within >= 100, "{within} of 120");
}

#[test]
fn a_number_of_runs_that_is_set_is_that_of_processes() {
    let fixed = Configuration { runs: Some(4), ..configuration() };
    for seed in 0..10 {
        let (record, _) = measured(seed, 0.5, &fixed);
        assert_eq!(record.workers.len(), 3 * 4);
    }
}

#[test]
fn repeating_takes_a_part_of_the_time_only_and_the_limit_holds() {
    let limited = Configuration { max_time: Some(Duration::from_millis(400)), ..configuration() };
    for seed in 0..20 {
        let (_, alone) = measured(seed, 0.0, &configuration());
        let (record, crowded) = measured(seed, 0.7, &configuration());
        // Each run takes 1.6 times as long, there may be more of them, and a third of them may be repeated.
        assert!(crowded < 16 * alone, "{crowded:?}, {alone:?}");
        assert!(times(&record).iter().all(|time| *time > 980.0 && *time < 1650.0));
        let (_, spent) = measured(seed, 0.7, &limited);
        assert!(spent < Duration::from_millis(500), "{spent:?}");
    }
}

#[test]
fn blocks_of_a_comparison_begin_on_a_free_core() {
    let shared = |share: f64, seed: u64| {
        let neighbor = Neighbor { phase: Duration::from_millis(300), share, factor: 1.6 };
        let kernels = || vec![Kernel::new("a", 1000.0).with_noise(Noise::quiet())];
        let machine = two_versions(seed, kernels(), kernels()).with_neighbor(neighbor);
        let begin = machine.now();
        let record = compared_on(&machine, settings(), 20);
        let blocks: Vec<_> = record.cases.iter().flat_map(|case| &case.blocks).collect();
        assert_eq!(blocks.len(), 20);
        // A call takes 1.0 µs, or 1.6 while the neighbor works.
        let is_shared = |block: &&&BlockRecord| {
            let sum: u64 = block.base.wall_ns.iter().sum();
            sum as f64 > 1300.0 * (block.base.calls * block.base.wall_ns.len() as u64) as f64
        };
        let shared = blocks.iter().filter(is_shared).count();
        (shared, (machine.now() - begin).as_secs_f64())
    };
    let (mut all, mut longest) = (0, 0.0_f64);
    for seed in 0..10 {
        let (number, seconds) = shared(0.3, seed);
        all += number;
        longest = longest.max(seconds / shared(0.0, seed).1);
    }
    assert!(all <= 20, "{all} of 200 blocks, where a neighbor works 30 % of the time");
    assert!(longest < 2.5, "{longest} times as long");
}
