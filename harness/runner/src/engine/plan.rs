//! Which workers are to be started, and what they are to load.

use std::{borrow::Cow, time::Duration};

use super::machine::{Machine, Program};
use plusminus_worker::protocol::CaseDescription;

/// The workers to start: programs in the order of the sides, and the cases that they load.
pub(crate) struct Plan<'p, 'm> {
    pub(crate) machine: &'m dyn Machine,
    pub(crate) programs: &'p [&'p Program],
    pub(crate) run: u32,
    pub(crate) cases: Vec<Vec<&'p CaseDescription>>,
    pub(crate) timeouts: Vec<Duration>,
    /// Whether workers stay where the runner is, or begin there.
    pub(crate) placed: bool,
    /// Whether addresses are random, apart from the padding.
    pub(crate) fixed_addresses: bool,
    pub(crate) padding_bytes: usize,
}

impl<'p> Plan<'p, '_> {
    /// How the program of a side is started for its cases, which have one launcher.
    pub(super) fn program(&self, side: usize) -> Cow<'p, Program> {
        self.programs[side].for_case(self.cases[side][0])
    }

    pub(super) fn started(&self) -> impl Iterator<Item = Cow<'p, Program>> {
        (0..self.programs.len()).map(|side| self.program(side))
    }

    /// Whether one thread of each process calls the kernels.
    pub(super) fn has_one_caller(&self) -> bool {
        self.cases.iter().flatten().all(|case| case.threads == 1)
    }

    /// Whether threads of a kernel may have to share one processor: a pool of one thread may do everything where the attribute
    /// names the processors.
    pub(super) fn may_crowd(&self) -> bool {
        let first = self.cases[0][0];
        first.confined && !first.names_processors
    }
}

/// Brings together those of one kind, in the order in which the first of each kind comes.
pub(super) fn by_kind<K: PartialEq>(
    all: &[usize],
    kind: impl Fn(usize) -> K,
) -> Vec<(K, Vec<usize>)> {
    let mut kinds: Vec<(K, Vec<usize>)> = Vec::new();
    for &one in all {
        let own = kind(one);
        match kinds.iter_mut().find(|(known, _)| *known == own) {
            Some((_, alike)) => alike.push(one),
            None => kinds.push((own, vec![one])),
        }
    }
    kinds
}

/// The start that cases must have in common for one worker to measure them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(super) processors: usize,
    launcher: Option<String>,
    /// Whether the workers may use the processor of the runner only.
    pub(super) confined: bool,
    /// Whether thread pools get no number of processors.
    whole_machine: bool,
}

impl Kind {
    pub(crate) fn of(case: &CaseDescription) -> Self {
        let CaseDescription { processors, confined, whole_machine, .. } = *case;
        Self { processors, launcher: case.launcher.clone(), confined, whole_machine }
    }
}
