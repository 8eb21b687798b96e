//! The workers that measure at one time: one, or one of each of two programs, with the same cases loaded. Only one of
//! them is asked at a time.

use std::time::Duration;

use super::{
    Random,
    asking::{self, About, Stop, ask},
    cells::Cell,
    machine::{Machine, Start, TO_END, Weight, Worker},
    plan::{Kind, Plan},
    seen::Seen,
};
use crate::record::{Clock, CoreLoad, InstanceRecord, WorkerRecord};
use plusminus_worker::{
    json::FromJson,
    order::sorted,
    protocol::RawSample,
    protocol::{Answer, Extras, Load, Request, Sampling},
    sys::Placement,
};

/// Bytes of a page, within which addresses decide about conflicts in caches.
const PAGE_BYTES: usize = 4096;

/// The most pages by which heaps move: allocators take them from the heap itself.
const HEAP_PAGES: usize = 24;

const GAP_PAGES: usize = 256;

/// Time between two looks at the core: they take about a hundredth of it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

pub(crate) struct Workers<'m> {
    machine: &'m dyn Machine,
    kind: Kind,
    sides: Vec<Side>,
    timeouts: Vec<Duration>,
    /// Whether kernels may have threads that have to share the one processor.
    may_crowd: bool,
    /// Whether each worker is several processes, which tell their times one by one.
    pub(crate) launched: bool,
    /// Whether one thread of each calls the kernels.
    one_caller: bool,
    /// Whether all sides rest in their waits, as threads of one have gone on in its waits.
    pub(crate) rests: bool,
    /// Looks at the core since the cases were loaded, and when the last one was.
    looks: Vec<CoreLoad>,
    looked: Option<Duration>,
    /// Keeps the runner where its workers are.
    placement: Placement,
}

/// Why workers could not be started and loaded, and the facts about the started ones.
pub(crate) struct NotStarted {
    pub(crate) stop: Stop,
    pub(crate) facts: Vec<WorkerRecord>,
}

struct Side {
    worker: Box<dyn Worker>,
    facts: WorkerRecord,
    seen: Seen,
    /// Whether its other threads are kept off the processor of the runner.
    apart: bool,
}

impl Side {
    fn note(&mut self, samples: &[RawSample], spent: Duration) {
        let theirs: u64 =
            samples.iter().map(|sample| sample.wall_ns.saturating_add(sample.outside_ns)).sum();
        self.facts.samples += samples.len() as u64;
        let spent = u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX);
        self.facts.protocol_ns += spent.saturating_sub(theirs);
        self.seen.look(samples);
    }
}

impl<'m> Workers<'m> {
    /// Has workers load the cases of a plan: idle ones that are done with others, or new ones, started in random order.
    /// Returns them with the instances of each side, or the error with the facts about the started workers.
    pub(crate) fn start(
        plan: &Plan<'_, 'm>,
        idle: Option<Self>,
        random: &mut Random,
    ) -> Result<(Self, Vec<Vec<InstanceRecord>>), NotStarted> {
        let (mut workers, started) = match idle {
            Some(idle) => (idle.renewed(plan), Ok(())),
            None => {
                let mut new = Self::none(plan);
                let started = new.start_all(plan, random);
                (new, started)
            }
        };
        match started.and_then(|()| workers.load_all(plan, random)) {
            Ok(instances) => Ok((workers, instances)),
            Err(stop) => Err(NotStarted { stop, facts: workers.facts() }),
        }
    }

    /// Returns the workers of a plan before any is started.
    fn none(plan: &Plan<'_, 'm>) -> Self {
        let first = plan.cases[0][0];
        // A launcher places its processes itself.
        let launched = plan.started().any(|program| !program.launcher.is_empty());
        let placement = match plan.placed && !launched {
            true => plan.machine.confine(),
            false => Placement::anywhere(),
        };
        Self {
            machine: plan.machine,
            kind: Kind::of(first),
            sides: Vec::new(),
            timeouts: plan.timeouts.clone(),
            may_crowd: plan.may_crowd(),
            launched,
            one_caller: plan.has_one_caller(),
            rests: false,
            looks: Vec::new(),
            looked: None,
            placement,
        }
    }

    /// Returns workers that are done with their cases as those of a plan.
    fn renewed(mut self, plan: &Plan<'_, 'm>) -> Self {
        self.timeouts.clone_from(&plan.timeouts);
        self.may_crowd = plan.may_crowd();
        self.one_caller = plan.has_one_caller();
        self.rests = false;
        self.looks.clear();
        for Side { facts, seen, .. } in &mut self.sides {
            *seen = Seen::default();
            *facts = WorkerRecord {
                run: plan.run,
                used: true,
                clock: facts.clock,
                processor: facts.processor,
                padding_bytes: facts.padding_bytes,
                ..WorkerRecord::blank()
            };
        }
        self
    }

    pub(crate) fn fit(&self, kind: &Kind) -> bool {
        self.kind == *kind
    }

    fn start_all(&mut self, plan: &Plan<'_, '_>, random: &mut Random) -> Result<(), Stop> {
        // A worker that is confined inherits the processor of the runner.
        let place = self.placement.processor().filter(|_| !self.kind.confined);
        let shared = Start {
            place,
            padding_bytes: plan.padding_bytes,
            fixed_addresses: plan.fixed_addresses,
            // Keys place the entries of hash maps, and random inputs decide what is done. Both sides of a pair have the same.
            random_seed: (plan.programs.len() > 1).then(|| random.bits()),
            ..Start::of(plan.cases[0][0])
        };
        let weights = plan.started().map(|program| plan.machine.weight(&program, shared));
        let level = weights.reduce(Weight::level).unwrap_or_default();
        // Within a page the heap lies alike on both sides. Where pages lie depends on the sizes of the programs: each side
        // has its own, and other ones in each block.
        let within_page = random.below(PAGE_BYTES);
        let mut started: Vec<Option<Side>> = plan.programs.iter().map(|_| None).collect();
        for side in shuffled(plan.programs.len(), random) {
            let heap_bytes = within_page + PAGE_BYTES * random.below(HEAP_PAGES);
            let start = Start { level, heap_bytes, gap_pages: random.below(GAP_PAGES), ..shared };
            let worker = plan.machine.start(&plan.program(side), start);
            let worker = worker.map_err(|error| About::side(side).error(error, String::new()))?;
            let facts = WorkerRecord {
                run: plan.run,
                clock: Some(worker.clock()),
                processor: self.placement.processor(),
                padding_bytes: plan.padding_bytes,
                ..WorkerRecord::blank()
            };
            let (seen, apart) = (Seen::default(), false);
            started[side] = Some(Side { worker, facts, seen, apart });
        }
        self.sides = started.into_iter().flatten().collect();
        Ok(())
    }

    fn load_all(
        &mut self,
        plan: &Plan<'_, '_>,
        random: &mut Random,
    ) -> Result<Vec<Vec<InstanceRecord>>, Stop> {
        let mut instances = vec![Vec::new(); self.sides.len()];
        for side in shuffled(self.sides.len(), random) {
            let load = Request::Load(Load::of(&plan.cases[side]));
            let about = About::side(side);
            let allowed = self.longest_timeout();
            let worker = self.sides[side].worker.as_mut();
            match ask(worker, &load, allowed, about)? {
                Answer::Loaded { instances: found } => instances[side] = found,
                other => return Err(about.unexpected(&other)),
            }
        }
        Ok(instances)
    }

    fn longest_timeout(&self) -> Duration {
        self.timeouts.iter().copied().max().unwrap_or_default()
    }

    pub(crate) fn count(&self) -> usize {
        self.sides.len()
    }

    /// The clock of the side whose clock is the coarsest.
    pub(crate) fn clock(&self) -> Clock {
        let coarsest = |a: Clock, b: Clock| Clock {
            tick_ns: a.tick_ns.max(b.tick_ns),
            window_ns: a.window_ns.max(b.window_ns),
            loop_ns: a.loop_ns.max(b.loop_ns),
        };
        let clocks = self.sides.iter().map(|side| side.worker.clock());
        clocks.reduce(coarsest).unwrap_or(super::process::UNKNOWN)
    }

    pub(crate) fn sample(
        &mut self,
        side: usize,
        sampling: Sampling,
        expected: Duration,
    ) -> Result<Vec<RawSample>, Stop> {
        let about = About::cell(side, (sampling.case, sampling.instance));
        let allowed = self.allowed(&sampling, expected);
        let asked = self.machine.now();
        let asked_side = &mut self.sides[side];
        let samples = asking::sample(asked_side.worker.as_mut(), sampling, allowed, about)?;
        asked_side.note(&samples, self.machine.now().saturating_sub(asked));
        self.settle(side);
        Ok(samples)
    }

    /// Looks whether threads of a side have gone on, which is about to wait. If its kernel never waits for them they only disturb
    /// it: always in the same way from other processors, while on its own one they would take turns with it.
    fn settle(&mut self, side: usize) {
        // One side may keep the threads of the other one from going on.
        if self.sides.len() > 1 && self.sides.iter().any(|side| side.worker.goes_on()) {
            self.rest();
        }
        let side = &mut self.sides[side];
        if self.rests && self.one_caller && !side.apart && side.seen.computes() {
            side.apart = true;
            side.worker.keep_threads_off();
        }
    }

    /// Whether other benchmarks would find threads of these kept off a processor.
    pub(crate) fn are_apart(&self) -> bool {
        self.sides.iter().any(|side| side.apart)
    }

    /// Has all sides rest while they wait, until other cases are loaded.
    pub(crate) fn rest(&mut self) {
        if !std::mem::replace(&mut self.rests, true) {
            self.sides.iter_mut().for_each(|side| side.worker.rest());
        }
    }

    /// Takes samples of a cell on both sides at once. That of this number is asked first.
    pub(crate) fn sample_both(
        &mut self,
        leads: usize,
        sampling: Sampling,
        expected: Duration,
    ) -> Result<[Vec<RawSample>; 2], Stop> {
        let abouts = [0, 1].map(|side| About::cell(side, (sampling.case, sampling.instance)));
        let allowed = self.allowed(&sampling, expected).saturating_mul(2);
        let asked = self.machine.now();
        let [base, new] = self.sides.as_mut_slice() else {
            return Err(abouts[0].misuse("only two programs can be measured at once"));
        };
        let mut workers =
            [(base.worker.as_mut() as _, abouts[0]), (new.worker.as_mut() as _, abouts[1])];
        workers.rotate_left(leads);
        let mut both = asking::sample_both(workers, sampling, allowed)?;
        both.rotate_left(leads);
        let spent = self.machine.now().saturating_sub(asked);
        self.sides.iter_mut().zip(&both).for_each(|(side, samples)| side.note(samples, spent));
        Ok(both)
    }

    /// The time that samples may take. The time-out is for one call; what is known to take long gets that, many times over, on top.
    fn allowed(&self, sampling: &Sampling, expected: Duration) -> Duration {
        let known = expected.saturating_mul(sampling.samples.saturating_mul(10));
        self.timeouts[sampling.case].saturating_add(known)
    }

    /// Whether both sides begin on one processor, and the system lets them stay there.
    pub(crate) fn share_one_processor(&self) -> bool {
        self.placement.processor().is_some() && self.kind.processors == 1 && !self.launched
    }

    pub(crate) fn extras(&mut self, side: usize, cell: Cell) -> Result<Extras, Stop> {
        match self.ask(side, &Request::Extras, cell, Duration::ZERO)? {
            Answer::Extras(extras) => Ok(extras),
            other => Err(About::cell(side, cell).unexpected(&other)),
        }
    }

    /// Asks one side about a cell, with time for so long a call.
    pub(crate) fn ask(
        &mut self,
        side: usize,
        request: &Request,
        cell: Cell,
        expected: Duration,
    ) -> Result<Answer, Stop> {
        let allowed = self.timeouts[cell.0].saturating_add(expected.saturating_mul(10));
        ask(self.sides[side].worker.as_mut(), request, allowed, About::cell(side, cell))
    }

    pub(crate) fn note_usage(&mut self) -> Result<(), Stop> {
        let allowed = self.longest_timeout();
        for (index, Side { worker, facts, seen, .. }) in self.sides.iter_mut().enumerate() {
            let about = About::side(index);
            match ask(worker.as_mut(), &Request::Usage, allowed, about)? {
                Answer::Usage { peak_rss_bytes, counting, outputs } => {
                    let outputs = outputs.unwrap_or_default();
                    (facts.unchecked, facts.unlike) = (outputs.unchecked, outputs.unlike);
                    // The most memory that a process had may have been for what it measured before.
                    facts.peak_rss_bytes = peak_rss_bytes.filter(|_| !facts.used);
                    facts.counting = counting;
                    facts.beside = Some(seen.beside()).filter(|_| self.may_crowd);
                }
                other => return Err(about.unexpected(&other)),
            }
        }
        Ok(())
    }

    pub(crate) fn processors(&self) -> usize {
        self.machine.processors()
    }

    /// Has all sides let go of their inputs, by this request.
    pub(crate) fn release(&mut self, request: &Request) -> Result<(), Stop> {
        let allowed = self.longest_timeout();
        for (index, Side { worker, .. }) in self.sides.iter_mut().enumerate() {
            let about = About::side(index);
            match ask(worker.as_mut(), request, allowed, about)? {
                Answer::Finished => {}
                other => return Err(about.unexpected(&other)),
            }
        }
        Ok(())
    }

    /// Has all sides, which are done with their cases, end by themselves when these are dropped.
    pub(crate) fn let_go(&mut self) {
        self.sides.iter_mut().for_each(|side| side.worker.let_go(TO_END));
    }

    /// Looks at the core that all sides measure on, unless that was done just now. No request is open meanwhile.
    pub(crate) fn look_at_core(&mut self) {
        let now = self.machine.now();
        if self.looked.is_none_or(|last| now >= last + BETWEEN_LOOKS) {
            self.looked = Some(now);
            self.looks.extend(self.machine.core(&self.placement));
        }
    }

    pub(crate) fn facts(&self) -> Vec<WorkerRecord> {
        let core = typical(&self.looks);
        self.sides.iter().map(|side| WorkerRecord { core, ..side.facts.clone() }).collect()
    }
}

/// The median of looks at a core, and the least load that the last of them knew.
fn typical(looks: &[CoreLoad]) -> Option<CoreLoad> {
    let loads = sorted(looks, &|a, b| a.typical.total_cmp(&b.typical));
    Some(CoreLoad { least: looks.last()?.least, ..*loads.get(loads.len() / 2)? })
}

pub(super) fn shuffled(sides: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sides).collect();
    random.shuffle(&mut order);
    order
}
