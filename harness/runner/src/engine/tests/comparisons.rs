//! Blocks of two programs: pairs, rounds, budgets, controls and failures.

use std::{rc::Rc, time::Duration};

use super::{no_worker_is_left, two_versions};
use crate::{
    engine::{
        CommonCase, Judge, Layouts, Machine, Program, Silent, Subject, Versions, compare, list,
        simulated::{Fault, Kernel, Noise, SimulatedMachine},
    },
    record::{
        BlockRecord, ComparedCase, ComparisonRecord, ComparisonSettings, Counter, Manifest,
        MemoryUse, Resources, Side, SideRecord, WorkerRecord,
    },
    results::{Missing, Outlook},
};

/// Wants this number of blocks of everything.
struct Blocks(usize);

impl Judge for Blocks {
    fn begin(&mut self, _: usize) {}

    fn look(&mut self, case: &ComparedCase, _: &[WorkerRecord], _: bool) -> Vec<Outlook> {
        let instances = case.instances.len();
        let blocks =
            |instance| case.blocks.iter().filter(|block| block.base.instance == instance).count();
        let missing = |index| if blocks(index) < self.0 { Missing::Sign } else { Missing::Nothing };
        let mut open: Vec<Outlook> = (0..instances).map(missing).map(Outlook::of).collect();
        if instances > 1 {
            open.push(Outlook::of(Missing::Nothing));
        }
        open
    }
}

pub(super) fn settings() -> ComparisonSettings {
    ComparisonSettings {
        seed: 5,
        max_seconds: Some(600.0),
        ..ComparisonSettings::of_blocks(Some(40))
    }
}

fn compared(base: Vec<Kernel>, new: Vec<Kernel>, blocks: usize) -> ComparisonRecord {
    compared_on(&two_versions(11, base, new), settings(), blocks)
}

pub(super) fn compared_on(
    machine: &SimulatedMachine,
    settings: ComparisonSettings,
    blocks: usize,
) -> ComparisonRecord {
    let record = compared_in(machine, settings, blocks, None);
    no_worker_is_left(machine);
    record
}

pub(super) fn compared_in(
    machine: &dyn Machine,
    settings: ComparisonSettings,
    blocks: usize,
    layouts: Option<Rc<dyn Layouts>>,
) -> ComparisonRecord {
    compared_with(machine, settings, blocks, layouts, &[])
}

/// Compares, with further benchmarks later if the test asks for that.
fn compared_with(
    machine: &dyn Machine,
    settings: ComparisonSettings,
    blocks: usize,
    layouts: Option<Rc<dyn Layouts>>,
    later: &[bool],
) -> ComparisonRecord {
    let [base, new, control] = ["base", "new", "control"].map(|name| Program::of(name.as_ref()));
    let cases = list(machine, &base).unwrap().into_iter().zip(list(machine, &new).unwrap());
    let later = later.iter().copied().chain(std::iter::repeat(false));
    let common = cases.zip(later);
    let common =
        common.map(|((base, new), later)| CommonCase { base, new, margin: 0.02, later }).collect();
    let subject = Subject {
        name: String::new(),
        versions: Versions { base, new, control: Some(control) },
        layouts,
        common,
    };
    let side = |name: &str| SideRecord { name: name.to_owned(), manifest: Manifest::of_machine() };
    let record = ComparisonRecord::new(settings, side("base"), side("new"));
    compare(machine, &[subject], record, &mut Blocks(blocks), &mut Silent)
}

pub(super) fn kernels(slower: f64) -> Vec<Kernel> {
    let quiet = |name: &str, ns: f64| Kernel::new(name, ns).with_noise(Noise::quiet());
    vec![quiet("a", 1000.0 * slower), quiet("b", 2e6).with_instances(&[1.0, 2.0])]
}

#[test]
fn pairs_are_taken_in_turns_with_the_same_sizes() {
    let record = compared(kernels(1.0), kernels(1.5), 6);
    let case = &record.cases[0];
    assert_eq!(case.blocks.len(), 6);
    for block in &case.blocks {
        assert_eq!(block.base.calls, block.new.calls);
        assert!(block.base.calls.is_power_of_two());
        assert_eq!(block.base.wall_ns.len(), 13);
        assert_eq!((block.new.wall_ns.len(), block.order.len()), (13, 13));
        assert_eq!(block.new.worker, block.base.worker.map(|base| base + 1));
    }
    for block in &case.blocks {
        assert!(["bnbnbnbnbnbnb", "nbnbnbnbnbnbn"].contains(&&*block.order), "{}", block.order);
    }
    let begins_alike = |pair: &[BlockRecord]| pair[0].order == pair[1].order;
    assert!(!case.blocks.windows(2).any(begins_alike), "processes begin in turns as well");
    assert_eq!(record.cases[1].blocks.len(), 12, "two instances");
    assert_eq!(record.control.len(), 1);
    assert_eq!(record.workers.len() as u32, 2 * (6 + 6 + 6));
}

#[test]
fn a_slow_kernel_has_150_blocks_before_it_is_given_up() {
    let slow = || vec![Kernel::new("a", 5e7).with_noise(Noise::quiet())];
    let settings = ComparisonSettings { seed: 5, ..ComparisonSettings::of_blocks(None) };
    let record = compared_on(&two_versions(11, slow(), slow()), settings, usize::MAX);
    assert_eq!(record.cases[0].blocks.len(), 150, "each takes more than a fifteenth of 10 s");
}

#[test]
fn a_warm_up_that_is_longer_than_needed_is_shortened() {
    let samples = |slow_calls: u64| {
        let noise = Noise { warm_up: (0.2, slow_calls), ..Noise::quiet() };
        let mut kernel = Kernel::new("a", 1000.0).with_noise(noise);
        kernel.description.wishes.warm_up_seconds = Some(0.03);
        let record = compared(vec![kernel.clone()], vec![kernel], 8);
        let of = |block: usize| record.cases[0].blocks[block].new.warm_up_ns.len();
        [of(1), of(7)]
    };
    let [wished, needed] = samples(0);
    assert!((230..240).contains(&wished) && needed <= 24, "{wished} {needed}");
    // Slow for most of it.
    let late = samples(20_000);
    assert!(late[0] > 150 && late[1] == late[0], "{late:?}");
}

#[test]
fn both_sides_of_a_pair_share_what_is_random_and_no_code() {
    let record = compared(kernels(1.0), kernels(1.0), 8);
    let paddings: Vec<usize> = record.workers.iter().map(|one| one.padding_bytes).collect();
    assert!(paddings.chunks(2).all(|pair| pair[0] == pair[1]));
    let first: Vec<usize> = paddings.chunks(2).map(|pair| pair[0]).collect();
    assert!(first.windows(2).any(|two| two[0] != two[1]), "drawn anew for each block");
}

#[test]
fn a_failure_costs_one_benchmark_and_names_its_side() {
    for fault in [Fault::Panic, Fault::Abort, Fault::Hang, Fault::WrongAnswer, Fault::Babble] {
        for after in [0, 3, 60] {
            let mut new = kernels(1.0);
            new[0] = new[0].clone().failing(after, fault);
            let record = compared(kernels(1.0), new, 6);
            let [a, b] = &record.cases[..] else { panic!("two cases") };
            assert!(b.failures.is_empty() && b.blocks.len() == 12, "{fault:?} after {after}");
            match a.failures.as_slice() {
                [] => assert!(after > 0, "{fault:?} was not seen"),
                [failure] => assert_eq!(failure.side, Some(Side::New)),
                more => panic!("{more:?}"),
            }
        }
    }
}

#[test]
fn different_instances_lie_between_the_sides() {
    let mut new = kernels(1.0);
    new[1] = new[1].clone().with_instances(&[1.0, 2.0, 3.0]);
    let record = compared(kernels(1.0), new, 6);
    let failure = &record.cases[1].failures[0];
    assert_eq!(failure.side, None);
    assert!(failure.failure.cause.to_string().contains("instances differ"), "{failure:?}");
    assert_eq!(record.cases[0].blocks.len(), 6);
}

#[test]
fn what_comes_later_waits_for_all_others_or_has_its_part_of_a_short_time() {
    let machine = two_versions(11, kernels(1.0), kernels(1.0));
    let of = |later: [bool; 2], seconds: f64| {
        let settings = ComparisonSettings { max_seconds: Some(seconds), ..settings() };
        compared_with(&machine, settings, 6, None, &later)
    };
    let blocks = |record: &ComparisonRecord, case: usize| -> Vec<u32> {
        record.cases[case].blocks.iter().map(|block| block.round).collect()
    };
    let record = of([true, false], 600.0);
    let (later, first) = (blocks(&record, 0), blocks(&record, 1));
    assert_eq!((later.len(), first.len()), (6, 12));
    assert!(first.iter().max() < later.iter().min(), "{first:?} {later:?}");
    assert!(later.windows(2).all(|two| two[0] < two[1]), "no round comes twice: {later:?}");
    // Where the time is too short, the others do not use it up.
    let mut shared = 0;
    for tenths in 1..10 {
        let record = of([true, false], f64::from(tenths) / 10.0 * record.seconds);
        let (later, first) = (blocks(&record, 0), blocks(&record, 1));
        assert!(record.out_of_time || later.len() == 6, "{first:?} {later:?}");
        assert!(first.first() <= later.first() || later.is_empty(), "{first:?} {later:?}");
        shared += usize::from(first.len() < 12 && !later.is_empty());
    }
    assert!(shared > 0, "the others had all of the time");
    // With nothing before them, they do not wait.
    let alone = of([true, true], 600.0);
    assert_eq!((blocks(&alone, 0).len(), blocks(&alone, 1).len()), (6, 12));
    no_worker_is_left(&machine);
}

#[test]
fn no_block_begins_after_the_time_is_over() {
    let machine = two_versions(2, kernels(1.0), kernels(1.0));
    let limited = ComparisonSettings { max_seconds: Some(2.0), ..settings() };
    let record = compared_on(&machine, limited, 1000);
    assert!(record.out_of_time);
    assert!(machine.now().as_secs_f64() < 2.5, "{:?}", machine.now());
    assert!(!record.cases[0].blocks.is_empty());
}

#[test]
fn an_interrupt_keeps_whole_blocks() {
    let machine =
        two_versions(2, kernels(1.0), kernels(1.0)).interrupted_after(Duration::from_secs(1), 15);
    let record = compared_on(&machine, settings(), 30);
    assert_eq!(record.interrupted, Some(15));
    let blocks: Vec<_> = record.cases.iter().flat_map(|case| &case.blocks).collect();
    assert!(!blocks.is_empty());
    assert!(blocks.iter().all(|block| block.base.wall_ns.len() == block.new.wall_ns.len()));
}

#[test]
fn kernels_with_threads_of_their_own_are_recognized_and_their_time_is_that_of_all() {
    let mut threaded = kernels(1.0);
    threaded[0].helper_threads = 0.9;
    let record = compared(threaded.clone(), threaded, 6);
    let [first, second] = &record.cases[..2] else { panic!("{:?}", record.cases) };
    assert_eq!((first.processors, second.processors), (2, 1));
    for block in &first.blocks {
        for (cpu, wall) in block.base.cpu_ns.iter().zip(&block.base.wall_ns) {
            assert!(
                cpu.abs_diff(*wall) <= 2,
                "{cpu} {wall}: not the tenth of the thread that calls"
            );
        }
    }
    assert_eq!(first.blocks.len(), 6);
    // A pool of one thread does not make two of one processor that an attribute gives.
    let mut named = kernels(1.0);
    named[0].helper_threads = 0.9;
    named[0].description.names_processors = true;
    assert_eq!(compared(named.clone(), named.clone(), 6).cases[0].processors, 1);
    let (record, _) = super::runs::measured(named, &super::runs::configuration());
    assert_eq!(record.cases[0].processors, 1);
}

#[test]
fn work_that_differs_is_no_change_of_speed() {
    let kernel = |amount: f64| {
        Kernel::new("parser", 10.0 * amount).with_instances(&[1.0, 1.0]).doing(amount, "bytes")
    };
    let record = compared(vec![kernel(10_000.0)], vec![kernel(10_500.0)], 7);
    let outcome = crate::results::outcome(&record);
    for (row, factor) in outcome.cases[0].rows.iter().zip([1.0, 1.0, 2.0]) {
        let work = row.work.as_ref().unwrap();
        assert_eq!(
            (work.unit.as_str(), work.base, work.new),
            ("bytes", 1e4 * factor, 1.05e4 * factor)
        );
        assert!((row.change().unwrap() - 0.05).abs() < 1e-3, "{row:?}");
        assert!(row.change_for_each_unit().unwrap().abs() < 1e-3, "{row:?}");
        let said = crate::report::row_sentence(&outcome.cases[0], row, 0.05);
        assert!(said.contains("Work per call changed") && said.contains("+5.0 %"), "{said}");
    }
    // Each side as a record has its own.
    let amounts = |side| record.side(side).cases[0].instances[1].work[0].1;
    assert_eq!((amounts(Side::Base), amounts(Side::New)), (1e4, 1.05e4));
    // The report lists the kind of work that differs. Work that base does none of has no ratio.
    for of_base in [3.0, 0.0] {
        let mut several = record.clone();
        let case = &mut several.cases[0];
        let all = case.instances.iter_mut().map(|instance| &mut instance.work);
        all.for_each(|work| work.insert(0, ("calls".to_owned(), 3.0)));
        let all = case.base_work.iter_mut();
        all.for_each(|work| work.insert(0, ("calls".to_owned(), of_base)));
        let outcome = crate::results::outcome(&several);
        assert_eq!(outcome.cases[0].rows[0].work.as_ref().unwrap().unit, "bytes");
    }
    // The same work is nothing to speak of.
    let record = compared(vec![kernel(100.0)], vec![kernel(100.0)], 7);
    assert!(record.cases[0].base_work.is_empty());
    assert_eq!(crate::results::outcome(&record).cases[0].rows[0].work, None);
}

fn allocations(count: u64) -> Resources {
    let memory =
        MemoryUse { allocations: count, bytes: 8 * count, peak_bytes: 8, kept_bytes: None };
    Resources { memory: Some(memory), ..Resources::default() }
}

fn with_events(unit: &mut dyn FnMut() -> f64) -> Resources {
    let per_call = 1e6 + 10.0 * unit();
    let counter = Counter { name: "instructions".to_owned(), per_call, counted_share: 1.0 };
    Resources { counters: vec![counter], ..allocations(3) }
}

/// Returns the resources of a call; the argument draws numbers below 1.
type Using = fn(&mut dyn FnMut() -> f64) -> Resources;

#[test]
fn calls_are_counted_in_two_blocks_and_in_six_where_the_sides_differ() {
    let using: [(&str, Using); 5] = [
        ("none", |_| Resources::default()),
        ("same", |_| allocations(3)),
        ("more", |_| allocations(3)),
        ("events", with_events),
        ("long", |_| allocations(3)),
    ];
    let kernels = |more: bool| -> Vec<Kernel> {
        let kernel = |(name, used)| {
            let ns = if name == "long" { 1e10 } else { 1e5 };
            let kernel = Kernel::new(name, ns).with_noise(Noise::quiet()).using(used);
            if more && name == "more" { kernel.using(|_| allocations(4)) } else { kernel }
        };
        using.into_iter().map(kernel).collect()
    };
    let record = compared(kernels(false), kernels(true), 8);
    let counted = |case: &ComparedCase| {
        let counts = |block: &&BlockRecord| {
            assert_eq!(block.base.resources.is_some(), block.new.resources.is_some());
            block.base.resources.is_some()
        };
        case.blocks.iter().filter(counts).count()
    };
    let found: Vec<(&str, usize)> =
        record.cases.iter().map(|case| (case.name.as_str(), counted(case))).collect();
    assert_eq!(found, [("none", 0), ("same", 2), ("more", 6), ("events", 8), ("long", 0)]);
    assert_eq!(counted(&record.control[0]), 0, "the control is for times");
    let outcome = crate::results::outcome(&record);
    let measures = |case: usize| {
        let all = outcome.cases[case].rows[0].measures.iter();
        all.map(|one| (one.name.as_str(), one.judgement.is_exact, one.has_changed())).collect()
    };
    let expected: Vec<(&str, bool, bool)> = vec![
        ("allocations", true, true),
        ("bytes", true, true),
        ("peak", true, false),
        ("memory", false, false),
    ];
    let found: Vec<(&str, bool, bool)> = measures(2);
    assert_eq!(found, expected);
    let found: Vec<(&str, bool, bool)> = measures(3);
    assert!(found.contains(&("instructions", false, false)), "{found:?}");
}

#[test]
fn counts_cost_a_tenth_of_the_time_at_most() {
    let seconds = |call_ns: f64, using: [Using; 2]| {
        let kernels = using.map(|of_side| {
            vec![Kernel::new("k", call_ns).with_noise(Noise::quiet()).using(of_side)]
        });
        let [base, new] = kernels;
        compared(base, new, 6).seconds
    };
    for call_ns in [1e3, 1e5, 1e6, 4e6, 1e7, 5e7, 2e8, 9e8, 2e9] {
        let of_time = seconds(call_ns, [|_| Resources::default(); 2]);
        let same = seconds(call_ns, [|_| allocations(3); 2]) / of_time;
        let more = seconds(call_ns, [|_| allocations(3), |_| allocations(4)]) / of_time;
        assert!(same.max(more) < 1.1, "{call_ns}: {same} {more}");
    }
}

#[test]
fn the_memory_of_a_process_that_measures_several_benchmarks_belongs_to_none() {
    let shared = |kernel: Kernel| kernel.described(|case| case.table = 7);
    let kernels = || kernels(1.0).into_iter().map(shared).collect::<Vec<_>>();
    let outcome = crate::results::outcome(&compared(kernels(), kernels(), 3));
    let all = outcome.cases.iter().flat_map(|case| &case.rows).flat_map(|row| &row.measures);
    assert_eq!(all.filter(|one| one.name == "memory").count(), 0);
}
