//! Places between which shifts cost time: the same answers and counts in every style, and traces that agree with counts.
//! Nothing here looks at a clock.

use std::time::Duration;

use super::imsuite_common::Case;
use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::{Kernel, Weighted, Whole, bf, lcr, mst};
use plusminus_suite::imsuite::{Original, Ring};
use plusminus_suite::places::{Execution, Grain, Placement, Places, ShiftCost, Style};

/// So little that tests take no time.
const COST: ShiftCost =
    ShiftCost { latency: Duration::from_nanos(20), gap: Duration::from_nanos(5) };

fn shape(kernel: Kernel) -> &'static str {
    match kernel {
        Kernel::Hs | Kernel::Lcr => "ring",
        Kernel::Vc => "tree",
        _ => "sp-max",
    }
}

#[test]
fn what_shifts_cost_changes_no_count() {
    for kernel in Kernel::ALL {
        let case = Case::new(kernel, 16, shape(kernel));
        for style in [Style::ForkJoin, Style::Clocked] {
            for grain in Grain::ALL {
                let how = Execution::new(style, 2).on_places(5).with_grain(grain);
                let free = case.count_rounds(&how);
                let paid = case.count_rounds(&how.with_shift_cost(COST));
                assert_eq!(paid, free, "{kernel} {style:?} by {grain}");
            }
        }
    }
}

#[test]
fn answers_at_places_are_right_in_every_style() {
    let of =
        |kernel| -> Original { OriginalOptions::new(kernel, 32, Shape::SparseMaximum).generate() };
    let ring = Ring::from(of(Kernel::Lcr));
    let network = Weighted::from(of(Kernel::Mst));
    let root = bf::Root::new(&network.topology, 3);
    for places in [Some(1), Some(7), None] {
        let placement = Placement { places, cost: COST };
        for style in [Style::Serial, Style::ForkJoin, Style::Clocked] {
            let distances = bf::at_places(&network.topology, &root, style, &placement);
            assert_eq!(bf::check(&network.topology, &root, &distances), Ok(()), "{placement}");
            let election = lcr::at_places(&ring, &Whole, style, &placement);
            assert_eq!(lcr::check(&ring, &election), Ok(()), "{placement}");
            let tree = mst::at_places(&network, &Whole, style, &placement);
            assert_eq!(mst::check(&network, &tree), Ok(()), "{placement}");
        }
    }
}

/// A trace has as many lines between places as the counters say, and as many messages.
#[test]
fn traces_agree_with_counts() {
    for kernel in Kernel::ALL {
        let case = Case::new(kernel, 32, shape(kernel));
        for places in [1, 5, 32] {
            let how = Execution::new(Style::ForkJoin, 1).on_places(places);
            let counted = case.run(&how.clone().traced());
            assert_eq!(
                counted.rounds(),
                case.run(&how).rounds(),
                "{kernel}: tracing counts the same"
            );
            let of = Places::new(32, places);
            let trace = counted.trace();
            let remote = |from, to| of.of(from) != of.of(to);
            for (number, round) in counted.rounds().iter().enumerate() {
                let number = number as u32 + 1;
                // Adds the counts of the time ahead of the first round to it.
                let here = |at: u32| at == number || (number == 1 && at == 0);
                let lines = trace.iter().filter(|shift| here(shift.round));
                let crossing =
                    lines.clone().filter(|shift| remote(shift.source, shift.destination));
                assert_eq!(crossing.count() as u64, round.remote, "{kernel} at {places}, {number}");
                let messages = lines.filter(|shift| shift.message).count() as u64;
                assert_eq!(messages, round.messages, "{kernel} at {places}, round {number}");
            }
            assert!(trace.is_sorted(), "{kernel}");
        }
    }
}

/// On a ring whose messages go one way, everything is known beforehand: n lines in each of n rounds.
#[test]
fn the_trace_of_a_ring_is_its_definition() {
    let trace =
        Case::new(Kernel::Lcr, 8, "ring").run(&Execution::new(Style::ForkJoin, 1).traced()).trace();
    assert_eq!(trace.len(), 64);
    for (number, shift) in trace.iter().enumerate() {
        let (round, source) = (number as u32 / 8 + 1, number as u32 % 8);
        assert_eq!((shift.round, shift.source), (round, source));
        assert_eq!((shift.destination, shift.bytes, shift.message), ((source + 1) % 8, 4, true));
    }
}

/// The one task of a serial program goes to the nodes of a phase at other places, and solves the same with the same messages.
#[test]
fn a_serial_program_pays_for_places() {
    for kernel in Kernel::ALL {
        let case = Case::new(kernel, 32, shape(kernel));
        let at = |places| case.count(&Execution::new(Style::Serial, 1).on_places(places));
        let (one, all) = (at(1), at(32));
        assert_eq!((one.comm(), one.tasks, all.tasks), (0, 0, 0), "{kernel}");
        assert!(all.control >= 31, "{kernel}: {all:?}");
        assert_eq!((one.messages, one.mutex), (all.messages, all.mutex), "{kernel}");
    }
}
