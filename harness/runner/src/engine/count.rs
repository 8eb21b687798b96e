//! Everything that is counted and not timed: resources of a call, and the operations of one solution.

use std::time::Duration;

use super::{
    asking::{About, Stop},
    cells::Cell,
    run::Run,
    sizes::Sizes,
    workers::Workers,
};
use crate::record::{InstanceTally, Resources};
use plusminus_worker::protocol::{Answer, Request, Sampling};

/// Counts the resources of a call of a cell on one side besides time, and checks its output if that is wanted; `None` if
/// nothing can be counted.
pub(super) fn resources(
    workers: &mut Workers<'_>,
    side: usize,
    (case, instance): Cell,
    sizes: Sizes,
    check: bool,
) -> Result<Option<Resources>, Stop> {
    let ask = Sampling { case, instance, calls: sizes.calls, samples: 1, check, stay: false };
    match workers.ask(side, &Request::Count(ask), (case, instance), sizes.expected)? {
        Answer::Counted { resources } => {
            Ok(Some(resources).filter(|found| *found != Resources::default()))
        }
        other => Err(About::side(side).unexpected(&other)),
    }
}

impl Run<'_, '_> {
    /// Counts, in the first run, the resources of a call of a cell besides time.
    pub(super) fn count(
        &mut self,
        workers: &mut Workers<'_>,
        loaded: &[usize],
        (case, instance): Cell,
    ) -> Result<(), Stop> {
        let key = (loaded[case], instance);
        let sizes = self.table.sizes[key];
        if self.run > 0 || self.setting.configuration.once || sizes.warm_up == 0 {
            return Ok(());
        }
        let found = resources(workers, 0, (case, instance), sizes, false)?;
        let index = self.table.cases[key.0].0;
        if let Some(measurement) = self.record.cases[index].measurements.last_mut() {
            measurement.resources = found;
        }
        Ok(())
    }

    /// Has one solution of every instance counted, in the first run, by the variants that can, if that is wanted.
    pub(super) fn tally(
        &mut self,
        workers: &mut Workers<'_>,
        loaded: &[usize],
        instances: usize,
    ) -> Result<(), Stop> {
        let configuration = self.setting.configuration;
        if !configuration.tallies || self.run > 0 || configuration.once {
            return Ok(());
        }
        // A wrong answer has not ended the worker, but the counts of a wrong program are of no interest.
        let still_healthy = self.healthy();
        for (case, &position) in loaded.iter().enumerate() {
            let (index, described) = &self.table.cases[position];
            if !described.has_tally || !still_healthy.contains(&position) {
                continue;
            }
            for instance in 0..instances {
                // An earlier worker may have counted some before it died of another variant.
                if self.record.cases[*index].tallies.iter().any(|of| of.instance == instance) {
                    continue;
                }
                let ask =
                    Sampling { case, instance, calls: 1, samples: 1, check: false, stay: false };
                let sizes = self.table.sizes.get((position, instance));
                let expected = sizes.map_or(Duration::ZERO, |sizes| sizes.expected);
                match workers.ask(0, &Request::Tally(ask), (case, instance), expected)? {
                    Answer::Tallied { tallies } => {
                        self.record.cases[*index].tallies.push(InstanceTally { instance, tallies });
                    }
                    other => return Err(About::default().unexpected(&other)),
                }
            }
        }
        Ok(())
    }
}
