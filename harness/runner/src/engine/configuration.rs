//! How an invocation measures: the command line, and the wishes of attributes.

use std::time::Duration;

use super::asking::CaseError;
use crate::record::{Cause, Settings};
use plusminus_worker::protocol::{CaseDescription, Wishes};

/// The time that a call may take unless a flag or an attribute sets it.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

/// How to measure. Precedence: flag, then attribute, then default or calibration.
#[derive(Debug, Clone)]
pub(crate) struct Configuration {
    pub(crate) wishes: Wishes,
    pub(crate) runs: Option<u32>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory_limit: Option<u64>,
    /// Let workers for one processor use any, instead of confining them to that of the runner.
    pub(crate) any_processor: bool,
    /// Have every variant that can tell count one solution of each instance, in the first run.
    pub(crate) tallies: bool,
    /// Have the instructions of each benchmark counted under valgrind, after all runs.
    pub(crate) instructions: bool,
    /// Call everything once and check it, without measuring.
    pub(crate) once: bool,
    /// Measure variants until it is decided how they compare with the baseline, instead of until their times are precise.
    pub(crate) until_decided: bool,
    pub(crate) settings: Settings,
}

impl Configuration {
    /// Returns whether the tables of a run take turns in one worker, instead of having one each. Quick mode saves the
    /// cost of starting processes.
    pub(super) fn shares_workers(&self) -> bool {
        self.settings.glance && !self.settings.in_process && !self.once
    }

    /// Runs of a case that a flag or its attribute has fixed.
    pub(super) fn fixed_runs_of(&self, case: &CaseDescription) -> Option<u32> {
        if self.once { Some(1) } else { self.runs.or(case.runs) }
    }

    /// Runs of a case to begin with: as fixed, else the default.
    pub(super) fn runs_of(&self, case: &CaseDescription) -> u32 {
        self.fixed_runs_of(case).unwrap_or(self.settings.runs).max(1)
    }

    pub(super) fn timeout_of(&self, case: &CaseDescription) -> Duration {
        self.timeout.unwrap_or_else(|| timeout_of(case))
    }

    /// Returns the cause of a failure, with the limit of memory if it has ended the worker.
    pub(super) fn explained(&self, error: &CaseError) -> Cause {
        match (&error.cause, self.memory_limit) {
            (Cause::Died { how }, Some(limit)) if error.output.contains("memory allocation of") => {
                let how = format!(
                    "{how}: it needed more than the {limit} bytes that `--memory-limit` allows"
                );
                Cause::Died { how }
            }
            (cause, _) => cause.clone(),
        }
    }
}

/// Time-out of a case by its attribute, or the default.
pub(super) fn timeout_of(case: &CaseDescription) -> Duration {
    let seconds = case.timeout.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    seconds.map_or(DEFAULT_TIMEOUT, |seconds| {
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    })
}
