//! One side of a comparison as a record of its own, so that whatever reads records reads comparisons.

use super::{BlockRecord, ComparedCase, ComparisonRecord, Side, SideFailure};
use crate::record::{CaseRecord, Record, SCHEMA, Settings};
use plusminus_worker::json::FromJson;

impl ComparisonRecord {
    /// One side as the record of a measurement of its own, in which every block is a run.
    ///
    /// Runs were added while the comparison was inconclusive, so its cases are marked as measured until decided. It
    /// contains the failures of this side and the failures that concern both.
    pub fn side(&self, side: Side) -> Record {
        let manifest = match side {
            Side::Base => &self.base.manifest,
            Side::New => &self.new.manifest,
        };
        let settings = &self.settings;
        Record {
            schema: SCHEMA,
            manifest: manifest.clone(),
            settings: Settings {
                seed: settings.seed,
                runs: settings.maximum_blocks,
                max_seconds: settings.max_seconds,
                margin: settings.margin,
                alpha: settings.alpha,
                ..Settings::blank()
            },
            interrupted: self.interrupted,
            order: Vec::new(),
            workers: self.workers.clone(),
            cases: self.cases.iter().map(|case| case.side(side)).collect(),
        }
    }
}

impl ComparedCase {
    fn side(&self, side: Side) -> CaseRecord {
        let of = |block: &BlockRecord| match side {
            Side::Base => block.base.clone(),
            Side::New => block.new.clone(),
        };
        let mut instances = self.instances.clone();
        if side == Side::Base {
            for (instance, work) in instances.iter_mut().zip(&self.base_work) {
                instance.work.clone_from(work);
            }
        }
        let here = |failed: &&SideFailure| failed.side.is_none_or(|other| other == side);
        CaseRecord {
            name: self.name.clone(),
            function: self.function.clone(),
            problem: self.problem.clone(),
            point: self.point.clone(),
            size: self.size,
            models: self.models.clone(),
            processors: self.processors,
            threads: self.threads,
            metrics: self.metrics.clone(),
            instances,
            until_decided: true,
            measurements: self.blocks.iter().map(of).collect(),
            failures: self.failures.iter().filter(here).map(|f| f.failure.clone()).collect(),
            ..CaseRecord::blank()
        }
    }
}
