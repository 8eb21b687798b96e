//! Pairs of processes that measure several benchmarks, one after the other.

use std::time::Duration;

use super::{Course, group::Group};
use crate::engine::{
    plan::{Kind, by_kind},
    workers::Workers,
};
use plusminus_worker::protocol::Request;

/// Blocks that a pair of processes measures at most, and those of benchmarks whose set-up takes long.
const MOST_BLOCKS: u32 = 8;
const MOST_SLOW_BLOCKS: u32 = 64;

/// A start with set-up from which on that takes long.
pub(super) const SLOW: Duration = Duration::from_millis(100);

/// Identifies processes of which one can measure what the other one can: the subject, and how they are started.
pub(super) type Process = (usize, Kind);

/// Workers that have measured a block, and wait for the next one.
#[derive(Default)]
pub(super) struct Idle<'m> {
    workers: Option<Workers<'m>>,
    process: Option<Process>,
    blocks: u32,
}

impl<'m> Idle<'m> {
    /// Returns them if they are of this process and have not measured enough; else they end.
    pub(super) fn take(&mut self, process: Option<&Process>, slow: bool) -> Option<Workers<'m>> {
        let most = if slow { MOST_SLOW_BLOCKS } else { MOST_BLOCKS };
        let fits = process.is_some() && self.process.as_ref() == process;
        if fits && self.blocks < most && self.workers.is_some() {
            return self.workers.take();
        }
        self.end();
        None
    }

    pub(super) fn keep(&mut self, workers: Workers<'m>, process: Option<Process>) {
        // Pools that both would use have all processors in a new process.
        let apart = workers.are_apart();
        (self.workers, self.process) = (Some(workers), process);
        self.blocks += 1;
        if apart {
            self.end();
        }
    }

    /// Ends them. The rest of their functions has its time, as it may remove files.
    pub(super) fn end(&mut self) {
        self.blocks = 0;
        if let Some(mut workers) = self.workers.take() {
            // All that counts has been measured: a failure here costs nothing.
            let _ = workers.release(&Request::Finish);
            workers.let_go();
        }
    }
}

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

impl Course<'_> {
    /// Brings together the groups that one process can measure, in the order in which the first of each come. Where set-up takes
    /// long they are in the order of the program: a process then goes through it once.
    pub(super) fn by_process(&self, groups: &[usize]) -> Vec<usize> {
        let mut ordered = Vec::new();
        for (process, mut own) in by_kind(groups, |group| self.process_of(group)) {
            if process.is_some() && own.iter().any(|&group| self.groups[group].slow) {
                own.sort_unstable();
            }
            ordered.append(&mut own);
        }
        ordered
    }

    /// The process that a group needs; `None` if it needs one of its own, as those of launchers do. So do all whose memory is gated:
    /// the peak of a process is that of a benchmark if it measured no other.
    pub(super) fn process_of(&self, group: usize) -> Option<Process> {
        let Group { subject, alone, common, .. } = &self.groups[group];
        let case = &common[0].new;
        let program = &self.subjects[*subject].versions.new;
        let launched = !program.for_case(case).launcher.is_empty();
        let is_gated = self.record.settings.least_blocks > 0;
        (!alone && !launched && !is_gated).then(|| (*subject, Kind::of(case)))
    }
}
