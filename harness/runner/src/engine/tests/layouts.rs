//! Programs that are linked anew for each round.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
    time::Duration,
};

use super::{
    comparisons::{compared_in, kernels, settings},
    no_worker_is_left, two_versions,
};
use crate::{
    engine::{
        Layouts, Machine, Program, Start, Versions, Worker, WorkerError,
        simulated::SimulatedMachine,
    },
    record::{BlockRecord, Measurement},
    results::outcome,
};
use plusminus_worker::sys::Placement;

/// Programs with the name of their round; the round `fails_at` cannot be linked.
#[derive(Debug, Default)]
struct Named {
    asked: RefCell<Vec<u32>>,
    fails_at: Option<u32>,
    failed: Cell<bool>,
    /// How often a round is not ready, and for which ones that was asked.
    late: usize,
    polled: RefCell<Vec<u32>>,
}

/// A machine on which a signal ends the linker, and is noticed by nothing before.
struct Pressed<'m>(&'m SimulatedMachine, Rc<Named>);

impl Machine for Pressed<'_> {
    fn start(&self, program: &Program, start: Start) -> Result<Box<dyn Worker>, WorkerError> {
        self.0.start(program, start)
    }

    fn processors(&self) -> usize {
        self.0.processors()
    }

    fn now(&self) -> Duration {
        self.0.now()
    }

    fn interrupt(&self) -> Option<i32> {
        self.1.failed.get().then_some(2)
    }

    fn confine(&self) -> Placement {
        self.0.confine()
    }
}

impl Layouts for Named {
    fn of_round(&self, round: u32) -> Result<Versions, WorkerError> {
        self.asked.borrow_mut().push(round);
        if self.fails_at == Some(round) {
            self.failed.set(true);
            return Err(WorkerError::Protocol("the linker failed".to_owned()));
        }
        let program = |side: &str| Program::of(format!("{side}-{round}").as_ref());
        Ok(Versions {
            base: program("base"),
            new: program("new"),
            control: Some(program("control")),
        })
    }

    fn is_ready(&self, round: u32) -> bool {
        let mut polled = self.polled.borrow_mut();
        polled.push(round);
        polled.iter().filter(|other| **other == round).count() > self.late
    }
}

#[test]
fn an_interrupt_that_ends_the_linker_is_no_failure() {
    let machine = with_layouts(|_| (1.0, 1.0));
    let layouts = Rc::new(Named { fails_at: Some(3), ..Named::default() });
    let pressed = Pressed(&machine, layouts.clone());
    let record = compared_in(&pressed, settings(), 6, Some(layouts));
    no_worker_is_left(&machine);
    assert!(record.cases.iter().any(|case| !case.blocks.is_empty()));
    assert_eq!(record.interrupted, Some(2));
    assert!(record.cases.iter().all(|case| case.failures.is_empty()));
}

/// A machine on which base and new differ in each of ten layouts by the factors of `slower`.
fn with_layouts(slower: fn(u32) -> (f64, f64)) -> SimulatedMachine {
    let mut machine = two_versions(2, kernels(1.0), kernels(1.0));
    for round in 0..10 {
        let (base, new) = slower(round);
        for (side, slower) in [("base", base), ("control", base), ("new", new)] {
            let program = Program::of(format!("{side}-{round}").as_ref());
            machine = machine.with_program(&program, kernels(slower));
        }
    }
    machine
}

#[test]
fn each_round_is_of_a_layout_of_its_own() {
    let machine = with_layouts(|round| (1.0 + 0.1 * f64::from(round % 2), 1.0));
    let layouts = Rc::new(Named::default());
    let record = compared_in(&machine, settings(), 6, Some(layouts.clone()));
    let seen: Vec<(u32, u32)> =
        record.cases[0].blocks.iter().map(|block| (block.round, block.layout)).collect();
    assert_eq!(seen, (0..6).map(|round| (round, round + 1)).collect::<Vec<_>>());
    // Two groups and the control ask in each of six rounds.
    assert_eq!(layouts.asked.borrow().len(), 18);
    let ratio = |block: &BlockRecord| {
        let typical = |side: &Measurement| *side.wall_ns.iter().min().unwrap() as f64;
        typical(&block.new) / typical(&block.base)
    };
    for block in &record.cases[0].blocks {
        let expected = if block.round % 2 == 0 { 1.0 } else { 1.0 / 1.1 };
        assert!((ratio(block) - expected).abs() < 0.04, "{} {}", block.round, ratio(block));
    }
    assert!(record.control[0].blocks.iter().all(|block| (ratio(block) - 1.0).abs() < 0.04));
}

#[test]
fn further_processes_measure_a_layout_while_the_next_is_linked_and_are_one_block() {
    for (late, processes) in [(0, 1), (2, 3), (100, 8)] {
        let machine = with_layouts(|round| (1.0 + 0.1 * f64::from(round % 2), 1.0));
        let layouts = Rc::new(Named { late, ..Named::default() });
        let record = compared_in(&machine, settings(), 2 * processes, Some(layouts));
        assert!(!record.out_of_time);
        let case = &record.cases[0];
        let rounds: Vec<u32> = case.blocks.iter().map(|block| block.round).collect();
        assert_eq!(rounds, [vec![0; processes], vec![1; processes]].concat());
        let workers = case.blocks.iter().map(|block| block.base.worker);
        assert_eq!(workers.collect::<BTreeSet<_>>().len(), 2 * processes, "each is a new one");
        let result = outcome(&record);
        let [of_0, of_1] = &result.cases[0].rows[0].blocks[..] else { panic!("{result:?}") };
        assert!(of_0.log_ratio.abs() < 0.04 && (of_1.log_ratio + 1.1_f64.ln()).abs() < 0.04);
        assert_eq!(of_0.pairs, processes * case.blocks[0].order.len());
    }
}

#[test]
fn a_layout_that_cannot_be_linked_is_a_failure() {
    let machine = with_layouts(|_| (1.0, 1.0));
    let layouts = Rc::new(Named { fails_at: Some(3), ..Named::default() });
    let record = compared_in(&machine, settings(), 6, Some(layouts));
    for case in &record.cases {
        assert_eq!(case.failures.len(), 1, "{:?}", case.failures);
        assert!(case.blocks.iter().all(|block| block.round < 3));
    }
}
