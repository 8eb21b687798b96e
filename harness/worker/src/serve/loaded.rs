//! An input that is loaded: the code that owns it runs, and serves the requests about it until the runner lets go.
//! The function of a bencher and the variants of a problem answer the same requests.

use std::io;

use super::{Session, panics::guarded};
use crate::{
    Work,
    bencher::{Bencher, Host, Sampler},
    exit,
    protocol::{Answer, Failed, InstanceRecord, Request, Sampling, Tally},
    registry::{Case, Subject, VariantSubject},
    sys,
    window::{Calibration, Compared, Comparison},
};

pub(super) type Counter<'a> = dyn FnMut(&Sampling) -> Option<Vec<Tally>> + 'a;

impl Session {
    pub(super) fn run_loaded(&mut self, found: &[Case]) -> io::Result<()> {
        let point = found[0].told.point_index;
        self.windows.callers = found[0].told.threads;
        self.metrics = found.iter().map(|case| case.options.metrics.clone()).collect();
        self.phases = found.iter().map(|case| case.options.phases.clone()).collect();
        self.work = found[0].options.work.clone().unwrap_or_default();
        match &found[0].entry.subject {
            Subject::Function(function) => {
                self.run_function(&mut |bencher| (function.run)(point, bencher))?;
            }
            Subject::Variant(_) => self.run_variants(found, point)?,
            Subject::Registered(_) => unreachable!("`find` hands out these by their names"),
        }
        // No function waits for the next benchmark.
        self.paused = false;
        Ok(())
    }

    pub(super) fn run_function(&mut self, function: &mut dyn FnMut(Bencher<'_>)) -> io::Result<()> {
        (self.served, self.optional) = (false, false);
        let mut outcome = Ok(());
        let run = guarded(|| function(Bencher::new(self, &mut outcome)));
        if let Err(panic) = run {
            return self.fail(panic);
        }
        if !self.served && self.optional {
            return self.fail(Failed::Nothing);
        }
        if !self.served {
            return self.misuse(
                "the function returned without calling `Bencher::bench`, so there was nothing to measure",
            );
        }
        outcome
    }

    fn run_variants(&mut self, found: &[Case], point: usize) -> io::Result<()> {
        let variants: Vec<&VariantSubject> = found
            .iter()
            .filter_map(|case| match &case.entry.subject {
                Subject::Variant(variant) => Some(variant),
                Subject::Function(_) | Subject::Registered(_) => None,
            })
            .collect();
        let compared = found.iter().zip(&variants).map(|(case, variant)| Compared {
            name: case.told.name.clone(),
            compare: (variant.compare)(),
        });
        let compared = compared.collect();
        let loaded = match guarded(|| (variants[0].problem.load)(point)) {
            Ok(loaded) => loaded,
            Err(panic) => return self.fail(panic),
        };
        if loaded.instances.is_empty() {
            return self.misuse("the problem has no instances at this point");
        }
        let names = loaded.instances.iter().map(|(name, _)| name.clone()).collect();
        self.windows.answers = Comparison::of(compared, names);
        let describe = |(name, work): &(String, Work)| InstanceRecord {
            name: name.clone(),
            work: work.counts().to_vec(),
        };
        self.answer(&Answer::Loaded {
            instances: loaded.instances.iter().map(describe).collect(),
        })?;
        self.take_requests(
            &mut |ask| {
                let sample = variants[ask.case].sample;
                sample(loaded.data.as_ref(), ask)
            },
            &mut |ask| {
                variants[ask.case].tally.map(|tally| tally(loaded.data.as_ref(), ask.instance))
            },
        )?;
        match guarded(|| drop(loaded)) {
            Ok(()) => Ok(()),
            Err(panic) => self.fail(panic),
        }
    }

    /// Answers that the benchmark cannot be measured as it is written.
    pub(super) fn misuse(&mut self, message: &str) -> io::Result<()> {
        self.fail(Failed::Misuse { message: message.to_owned() })
    }

    pub(super) fn take_requests(
        &mut self,
        sampler: &mut Sampler<'_>,
        counter: &mut Counter<'_>,
    ) -> io::Result<()> {
        loop {
            match self.next_request()? {
                Some(Request::Sample(ask)) => self.sample(&ask, sampler)?,
                Some(Request::Count(ask)) => self.count(&ask, sampler)?,
                Some(Request::Tally(ask)) => self.tally(&ask, counter)?,
                Some(Request::Phases(ask)) => self.phases(&ask, sampler)?,
                Some(Request::Usage) => {
                    let peak_rss_bytes = sys::peak_rss_bytes();
                    let counting = self.counter.as_ref().map(Calibration::checked);
                    let outputs = Some(self.windows.answers.take());
                    self.answer(&Answer::Usage { peak_rss_bytes, counting, outputs })?;
                }
                Some(Request::Extras) => {
                    let extras = std::mem::take(&mut self.extras);
                    self.answer(&Answer::Extras(extras))?;
                }
                Some(Request::Finish) => return Ok(()),
                Some(Request::Pause) => {
                    self.paused = true;
                    return Ok(());
                }
                // The runner is gone.
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
                Some(
                    Request::Load(_) | Request::List | Request::Build | Request::Processors(_),
                ) => {
                    return self.misuse("an input is loaded already");
                }
            }
        }
    }
}

impl Host for Session {
    fn work(&self) -> &Work {
        &self.work
    }

    fn callers(&self) -> usize {
        self.windows.callers
    }

    fn make_optional(&mut self) {
        self.optional = true;
    }

    fn serve(&mut self, work: &Work, sampler: &mut Sampler<'_>) -> io::Result<()> {
        if std::mem::replace(&mut self.served, true) {
            return self.misuse("the function called `Bencher::bench` twice; write two benchmarks");
        }
        let instance = InstanceRecord { name: String::new(), work: work.counts().to_vec() };
        self.answer(&Answer::Loaded { instances: vec![instance] })?;
        self.take_requests(sampler, &mut |_| None)
    }

    /// Ends the process, as foreign code may have left anything behind; or the session, where the process waits for the
    /// runner's exit code.
    fn fail(&mut self, reason: Failed) -> io::Result<()> {
        self.answer(&Answer::Failed(reason))?;
        if self.shared {
            return Err(io::Error::other("a kernel has failed"));
        }
        std::process::exit(exit::FAILED);
    }
}
