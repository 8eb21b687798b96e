//! One block: a fresh process of each side, asked in turn, one measuring at a time.

use std::{ffi::OsString, time::Duration};

use plusminus::{
    __runner::{Answer, Instance, Load, Random, RawSample, Request, Sampling, Worker},
    record::{self, MUCH_BESIDE},
};

use super::{
    pairs::PairOfSamples,
    plan::Plan,
    side::{Problem, Side, ask, sample, unexpected},
};

/// Base or new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Base,
    New,
}

impl Which {
    const BOTH: [Self; 2] = [Self::Base, Self::New];

    /// The same in a record.
    pub(crate) fn side(self) -> record::Side {
        match self {
            Self::Base => record::Side::Base,
            Self::New => record::Side::New,
        }
    }

    /// In an order decided by a coin.
    fn shuffled(random: &mut Random) -> [Self; 2] {
        let mut both = Self::BOTH;
        random.shuffle(&mut both);
        both
    }
}

/// Why a block was given up.
#[derive(Debug)]
pub(super) struct Trouble {
    /// The side.
    pub(super) which: Which,
    /// Index into the loaded cases; `None` if it concerns all of them.
    pub(super) case: Option<usize>,
    pub(super) problem: Problem,
}

/// A worker of each side with the same cases loaded.
pub(super) struct TwoWorkers {
    base: Worker,
    new: Worker,
    allowed: Duration,
}

/// The samples of one cell in one block.
pub(super) struct CellSamples {
    pub(super) pairs: Vec<PairOfSamples>,
    /// All samples of base in their order, warm-up included.
    pub(super) base: Vec<RawSample>,
    /// All samples of new.
    pub(super) new: Vec<RawSample>,
}

impl TwoWorkers {
    /// Starts both in random order, with environments of random size, and has them load cases.
    ///
    /// Answers the instances of each side: base, new.
    pub(super) fn start(
        sides: (&Side, &Side),
        processors: usize,
        names: [&[String]; 2],
        allowed: Duration,
        random: &mut Random,
    ) -> Result<(Self, [Vec<Instance>; 2]), Trouble> {
        let (mut base, mut new) = (None, None);
        for which in Which::shuffled(random) {
            let padding = random.below(4096);
            let (side, place) = match which {
                Which::Base => (sides.0, &mut base),
                Which::New => (sides.1, &mut new),
            };
            let whole = |problem| Trouble { which, case: None, problem };
            *place = Some(side.start(processors, padding).map_err(whole)?);
        }
        let (Some(base), Some(new)) = (base, new) else {
            unreachable!("both sides have been started");
        };
        let mut workers = Self { base, new, allowed };
        let mut instances = [Vec::new(), Vec::new()];
        for which in Which::shuffled(random) {
            let index = usize::from(which == Which::New);
            let request = Request::Load(Load { cases: names[index].to_vec() });
            let whole = |problem| Trouble { which, case: None, problem };
            match ask(workers.of(which), &request, allowed).map_err(whole)? {
                Answer::Loaded { instances: found } => instances[index] = found,
                other => return Err(whole(unexpected(&other))),
            }
        }
        Ok((workers, instances))
    }

    fn of(&mut self, which: Which) -> &mut Worker {
        match which {
            Which::Base => &mut self.base,
            Which::New => &mut self.new,
        }
    }

    /// Samples of one side.
    pub(super) fn sample(
        &mut self,
        which: Which,
        sampling: Sampling,
        expected_ns: f64,
    ) -> Result<Vec<RawSample>, Trouble> {
        let case = sampling.case;
        // The time-out is for one call; what is known to take long gets that, many times over, on top.
        let known = Duration::from_secs_f64(10.0 * expected_ns * f64::from(sampling.samples) / 1e9);
        let allowed = self.allowed.saturating_add(known);
        sample(self.of(which), &Request::Sample(sampling), allowed).map_err(|problem| Trouble {
            which,
            case: Some(case),
            problem,
        })
    }

    /// Warms both sides up and takes the pairs of a block, each in an order decided by a coin.
    pub(super) fn cell(
        &mut self,
        case: usize,
        instance: usize,
        plan: &Plan,
        random: &mut Random,
    ) -> Result<CellSamples, Trouble> {
        let ask = |samples, check| Sampling { case, instance, calls: plan.calls, samples, check };
        let mut found = CellSamples { pairs: Vec::new(), base: Vec::new(), new: Vec::new() };
        if plan.warm_up > 0 {
            for which in Which::shuffled(random) {
                // Every process checks an output: a fast wrong answer must not win.
                let samples = self.sample(which, ask(plan.warm_up, true), plan.whole_ns)?;
                found.of(which).extend(samples);
            }
        }
        for index in 0..plan.pairs {
            let check = plan.warm_up == 0 && index == 0;
            for which in Which::shuffled(random) {
                let samples = self.sample(which, ask(1, check), plan.whole_ns)?;
                found.of(which).extend(samples);
            }
            if let (Some(&base), Some(&new)) = (found.base.last(), found.new.last()) {
                found.pairs.push(PairOfSamples { base, new });
            }
        }
        Ok(found)
    }

    /// Whether threads that kernels started did much of the work of either process.
    pub(super) fn threaded(&mut self) -> Result<bool, Trouble> {
        let mut found = false;
        for which in Which::BOTH {
            let allowed = self.allowed;
            let whole = |problem| Trouble { which, case: None, problem };
            match ask(self.of(which), &Request::Usage, allowed).map_err(whole)? {
                Answer::Usage { beside, .. } => {
                    found |= beside.is_some_and(|part| part > MUCH_BESIDE);
                }
                other => return Err(whole(unexpected(&other))),
            }
        }
        Ok(found)
    }

    /// Lets both go.
    pub(super) fn finish(mut self) -> Result<(), Trouble> {
        for which in Which::BOTH {
            let allowed = self.allowed;
            let whole = |problem| Trouble { which, case: None, problem };
            match ask(self.of(which), &Request::Finish, allowed).map_err(whole)? {
                Answer::Finished => {}
                other => return Err(whole(unexpected(&other))),
            }
        }
        Ok(())
    }
}

impl CellSamples {
    fn of(&mut self, which: Which) -> &mut Vec<RawSample> {
        match which {
            Which::Base => &mut self.base,
            Which::New => &mut self.new,
        }
    }
}

/// A variable as a side takes it.
pub(crate) fn variable(name: &str, value: impl Into<OsString>) -> (OsString, OsString) {
    (name.into(), value.into())
}
