//! The engine on simulated machines.

mod comparisons;
mod cores;
mod glances;
mod layouts;
mod phases;
mod runs;
mod shared;

use super::{
    Machine, Program,
    simulated::{Kernel, SimulatedMachine},
};
pub(super) use runs::{configuration, measured_on};

pub(super) fn program() -> Program {
    Program::of("program".as_ref())
}

/// A machine with the programs `base`, `control`, which is a copy of it, and `new`.
fn two_versions(seed: u64, base: Vec<Kernel>, new: Vec<Kernel>) -> SimulatedMachine {
    SimulatedMachine::new(seed)
        .with_program(&Program::of("base".as_ref()), base.clone())
        .with_program(&Program::of("control".as_ref()), base)
        .with_program(&Program::of("new".as_ref()), new)
}

fn no_worker_is_left(machine: &SimulatedMachine) {
    assert_eq!(machine.running(), 0, "workers are left after {:?}", machine.now());
}
