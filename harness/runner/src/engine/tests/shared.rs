//! Processes of a comparison that measure several benchmarks.

use super::{
    comparisons::{compared_on, settings},
    two_versions,
};
use crate::{
    engine::simulated::{Fault, Kernel, Noise},
    record::{ComparisonRecord, ComparisonSettings},
    results::{CaseRows, Decided, Missing},
};

const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/// Compares twelve kernels with themselves in three rounds. Returns the number of started processes as well.
fn compared(change: impl Fn(usize, Kernel) -> Kernel) -> (ComparisonRecord, usize) {
    compared_by(settings(), 3, change)
}

fn compared_by(
    settings: ComparisonSettings,
    blocks: usize,
    change: impl Fn(usize, Kernel) -> Kernel,
) -> (ComparisonRecord, usize) {
    let kernels: Vec<Kernel> = (0..NAMES.len())
        .map(|at| change(at, Kernel::new(NAMES[at], 1000.0).with_noise(Noise::quiet())))
        .collect();
    let machine = two_versions(3, kernels.clone(), kernels);
    let record = compared_on(&machine, settings, blocks);
    (record, machine.started())
}

/// Pilots, the blocks of the control, and lists of both sides.
const OTHERS: usize = 2 * NAMES.len() + 2 * 3;

#[test]
fn a_process_measures_eight_benchmarks_of_a_round_once_each() {
    let (record, started) = compared(|_, kernel| kernel);
    assert_eq!(started - OTHERS, 3 * 2 * 2 + 2, "two pairs of processes for twelve benchmarks");
    for case in &record.cases {
        let workers = case.blocks.iter().flat_map(|block| [block.base.worker, block.new.worker]);
        let workers: std::collections::BTreeSet<_> = workers.map(Option::unwrap).collect();
        assert_eq!((case.blocks.len(), workers.len()), (3, 6), "{}", case.name);
        assert!(case.failures.is_empty());
    }
    let fresh = record.workers.iter().filter(|worker| !worker.used).count();
    assert_eq!((record.workers.len(), fresh), (2 * 3 * 13, 2 * 3 * 3));
    let orders = |round: u32| {
        let of_round = |case: usize| {
            let blocks = &record.cases[case].blocks;
            blocks.iter().find(|block| block.round == round).unwrap().base.run
        };
        (0..NAMES.len()).map(of_round).collect::<Vec<u32>>()
    };
    let ranks = |runs: Vec<u32>| {
        runs.iter().map(|run| run - runs.iter().min().unwrap()).collect::<Vec<_>>()
    };
    assert_ne!(ranks(orders(0)), ranks(orders(1)), "others come before it in each round");
}

#[test]
fn a_gate_on_memory_has_each_benchmark_in_processes_of_its_own() {
    let gated = ComparisonSettings { least_blocks: 3, ..settings() };
    let (record, _) = compared_by(gated, 3, |_, kernel| kernel);
    let of_blocks = record.cases.iter().flat_map(|case| &case.blocks);
    let workers: Vec<usize> =
        of_blocks.flat_map(|block| [block.base.worker, block.new.worker]).flatten().collect();
    let each: std::collections::BTreeSet<_> = workers.iter().collect();
    assert_eq!((workers.len(), each.len()), (2 * 3 * NAMES.len(), 2 * 3 * NAMES.len()));
    assert!(record.workers.iter().all(|worker| !worker.used && worker.peak_rss_bytes.is_some()));
}

#[test]
fn a_gate_on_memory_has_twice_the_blocks_where_they_depend_on_each_other() {
    // So that times need no more blocks than that.
    let gated = ComparisonSettings { least_blocks: 12, alpha: 0.5, ..settings() };
    let (mut record, _) = compared_by(gated, 24, |_, kernel| kernel);
    let wants_more = |peak: fn(usize) -> u64, blocks: usize| {
        let mut workers = record.workers.clone();
        let mut case = record.cases[0].clone();
        case.blocks.truncate(blocks);
        for (number, block) in case.blocks.iter().enumerate() {
            workers[block.new.worker.unwrap()].peak_rss_bytes = Some((16 << 20) + peak(number));
        }
        let mut rows = CaseRows::new(&case);
        let by = Decided::of_suite(&record.settings, case.margin, 1);
        rows.take_rounds(&case, &workers, &by);
        rows.outlook(&by)[0].missing != Missing::Nothing
    };
    let alike = |number| (number as u64 % 2) << 12;
    let drifting = |number| (number as u64) << 12;
    assert_eq!([11, 12].map(|blocks| wants_more(alike, blocks)), [true, false]);
    assert_eq!([12, 23, 24].map(|blocks| wants_more(drifting, blocks)), [true, true, false]);
    // A row of the record has the blocks that it had when measuring it ended, although all of them no longer depend on each other.
    for (number, block) in record.cases[0].blocks.iter().enumerate() {
        let peak = if number < 12 { drifting(number) } else { alike(number) << 8 };
        record.workers[block.new.worker.unwrap()].peak_rss_bytes = Some((16 << 20) + peak);
    }
    let row = &crate::results::outcome(&record).cases[0].rows[0];
    assert!((13..24).contains(&row.blocks.len()), "{}", row.blocks.len());
}

#[test]
fn a_benchmark_that_others_make_fail_gets_processes_of_its_own() {
    let (record, _) = compared(|at, kernel| match at {
        4 => kernel.failing(0, Fault::Stale),
        _ => kernel,
    });
    for case in &record.cases {
        assert!(case.failures.is_empty() && case.blocks.len() == 3, "{}", case.name);
    }
}
