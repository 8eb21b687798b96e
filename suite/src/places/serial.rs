//! One block, one thread, no tasks: the variant that real speedups are measured against. At several places, its one task
//! makes every shift, one after the other.

use super::block::{Block, Cut, Ended, Mailroom};
use super::counters::wait_for_shifts;
use super::{Driver, Engine, Execution, Heard, NodeProgram, Style, Tally};

struct Serial<'a, P: NodeProgram, C> {
    program: &'a P,
    block: Block<P, C>,
    mailroom: Mailroom<P>,
}

impl<P: NodeProgram, C: Tally> Engine<P> for Serial<'_, P, C> {
    type Tally = C;

    fn execute(&mut self, phase: P::Phase, only: Option<u32>) -> Heard {
        let heard = self.block.run(self.program, &self.mailroom, phase, only);
        wait_for_shifts([&mut self.block.tally]);
        heard
    }

    fn tally(&mut self) -> &mut C {
        &mut self.block.tally
    }

    fn round(&mut self) {
        self.block.tally.round();
    }
}

pub(super) fn execute<P: NodeProgram, C: Tally>(program: &P, how: &Execution) -> (P::Output, C) {
    let nodes = program.nodes();
    let places = how.places_of(nodes).in_one_task();
    let block = Block::new(program, 0, Cut::new(nodes, 1), places, how.workload);
    let mut engine = Serial { program, block, mailroom: Mailroom::new(1) };
    program.drive(&mut Driver::new(&mut engine, Style::Serial, nodes, places));
    let (ended, counted) = Ended::new(program, vec![engine.block]);
    (program.output(ended), counted)
}
