//! FA: the tasks of every phase are forked and joined, on rayon.

use std::sync::{Mutex, PoisonError};

use super::block::{Block, Cut, Ended, Mailroom};
use super::counters::wait_for_shifts;
use super::{Driver, Engine, Execution, Heard, NodeProgram, Style, Tally};
use crate::tasks::in_stretches;

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
        let heard = run_all(&mut self.blocks, &|block| block.run(program, mailroom, phase, only));
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

/// Runs each block in a task of its own.
pub(super) fn run_all<B: Send>(blocks: &mut [B], run: &(dyn Fn(&mut B) -> Heard + Sync)) -> Heard {
    match blocks {
        [] => Heard::NOBODY,
        [one] => run(one),
        several => {
            let (left, right) = several.split_at_mut(several.len() / 2);
            let (left, right) = rayon::join(|| run_all(left, run), || run_all(right, run));
            left.and(right)
        }
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
    let slots: Vec<_> = (0..cut.blocks()).map(|_| Mutex::new(None)).collect();
    in_stretches(cut.blocks(), &|stretch| {
        for index in stretch {
            let block = Block::new(program, index, cut, places, how.workload);
            *slots[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(block);
        }
    });
    let mut blocks = Vec::with_capacity(slots.len());
    for slot in slots {
        blocks.extend(slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    let mut engine = ForkJoin { program, blocks, mailroom: Mailroom::new(cut.blocks()) };
    program.drive(&mut Driver::new(&mut engine, Style::ForkJoin, nodes, places));
    let (ended, counted) = Ended::new(program, engine.blocks);
    (program.output(ended), counted)
}
