//! The engine on simulated machines.

mod comparisons;
mod cores;
mod glances;
mod layouts;
mod phases;
mod runs;
mod shared;

use super::{Machine, Program, simulated::SimulatedMachine};
pub(super) use runs::{configuration, measured_on};

/// The simulated program that most tests measure.
pub(super) fn program() -> Program {
    Program::of("program".as_ref())
}

/// Fails where workers are left.
fn no_worker_is_left(machine: &SimulatedMachine) {
    assert_eq!(machine.running(), 0, "workers are left after {:?}", machine.now());
}
