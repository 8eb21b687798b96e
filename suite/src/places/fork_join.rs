//! FA: the tasks of every phase are forked and joined, on rayon.

use rayon::prelude::*;

use super::block::{Block, Cut, Ended, Mailroom};
use super::counters::wait_for_shifts;
use super::{Driver, Engine, Execution, Heard, NodeProgram, Style, Tally};

struct ForkJoin<'a, P: NodeProgram, C> {
    program: &'a P,
    blocks: Vec<Block<P, C>>,
    mailroom: Mailroom<P>,
}

impl<P: NodeProgram, C: Tally> Engine<P> for ForkJoin<'_, P, C>
where
    P::State: Send,
{
    type Tally = C;

    fn execute(&mut self, phase: P::Phase, only: Option<u32>) -> Heard {
        let (program, mailroom) = (self.program, &self.mailroom);
        let heard = self
            .blocks
            .par_iter_mut()
            .with_max_len(1)
            .map(|block| block.run(program, mailroom, phase, only))
            .reduce(|| Heard::NOBODY, Heard::and);
        wait_for_shifts(self.blocks.iter_mut().map(|block| &mut block.tally));
        heard
    }

    fn tally(&mut self) -> &mut C {
        &mut self.blocks[0].tally
    }

    fn round(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.tally.round());
    }
}

/// Runs a program with this number of blocks of nodes for each thread.
pub(super) fn execute<P: NodeProgram, C: Tally>(
    program: &P,
    how: &Execution,
    blocks: usize,
) -> (P::Output, C) {
    let nodes = program.nodes();
    let places = how.places_of(nodes);
    let cut = Cut::new(nodes, how.processors * blocks);
    let blocks = (0..cut.blocks())
        .into_par_iter()
        .map(|index| Block::new(program, index, cut, places, how.workload))
        .collect();
    let mut engine = ForkJoin { program, blocks, mailroom: Mailroom::new(cut.blocks()) };
    program.drive(&mut Driver::new(&mut engine, Style::ForkJoin, nodes, places));
    let (ended, counted) = Ended::new(program, engine.blocks);
    (program.output(ended), counted)
}
