//! What is counted and not timed: resources of a call, and what one solution does.

use std::time::Duration;

use super::{
    super::{cells::Cell, child::Worker},
    Pass, Stop, unexpected,
};
use crate::{
    record::{InstanceTally, Resources},
    worker::protocol::{Answer, Request, Sampling},
};

impl Pass<'_> {
    /// Counts, in the first run, what a call of a cell uses besides time.
    pub(super) fn count(
        &mut self,
        worker: &mut Worker,
        (position, instance): Cell,
    ) -> Result<(), Stop> {
        let sizes = self.table.sizes[(position, instance)];
        if self.run > 0 || self.configuration.once || sizes.warm_up == 0 {
            return Ok(());
        }
        let Some(case) = self.loaded.iter().position(|&loaded| loaded == position) else {
            return Ok(());
        };
        let calls = sizes.calls;
        let ask = Sampling { case, instance, calls, samples: 1, check: false };
        let allowed = self.timeout(position) + sizes.expected.saturating_mul(10);
        match self.ask(worker, &Request::Count(ask), Some(position), Some(instance), allowed)? {
            Answer::Counted { resources } => {
                let index = self.table.cases[position].0;
                if let Some(measurement) = self.record.cases[index].measurements.last_mut() {
                    measurement.resources =
                        Some(resources).filter(|found| *found != Resources::default());
                }
                Ok(())
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Has one solution of every instance counted, in the first run, by the variants that can, if that is wanted.
    pub(super) fn tally(
        &mut self,
        worker: &mut Worker,
        healthy: &[usize],
        instances: usize,
    ) -> Result<(), Stop> {
        if !self.configuration.tallies || self.run > 0 || self.configuration.once {
            return Ok(());
        }
        // A wrong answer has not ended the worker, but what a wrong program does is of no interest.
        let still_healthy = self.healthy();
        for (case, &position) in healthy.iter().enumerate() {
            let (index, ref named) = self.table.cases[position];
            if !named.has_tally() || !still_healthy.contains(&position) {
                continue;
            }
            for instance in 0..instances {
                // An earlier worker may have counted some before it died of another variant.
                if self.record.cases[index].tallies.iter().any(|of| of.instance == instance) {
                    continue;
                }
                let ask = Sampling { case, instance, calls: 1, samples: 1, check: false };
                let expected = self
                    .table
                    .sizes
                    .get((position, instance))
                    .map_or(Duration::ZERO, |s| s.expected);
                let allowed = self.timeout(position) + expected.saturating_mul(10);
                let request = Request::Tally(ask);
                match self.ask(worker, &request, Some(position), Some(instance), allowed)? {
                    Answer::Tallied { tallies } => {
                        self.record.cases[index].tallies.push(InstanceTally { instance, tallies });
                    }
                    other => return Err(unexpected(&other)),
                }
            }
        }
        Ok(())
    }
}
