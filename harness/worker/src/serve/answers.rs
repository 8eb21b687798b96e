//! Answers of a session while an input is loaded: samples, times of phases, and counts.

use std::io;

use super::{
    Session,
    loaded::Counter,
    panics::{bounded, guarded},
    ranks,
};
use crate::{
    bencher::{Host, Sampler},
    metric::Metrics,
    protocol::{Answer, Extras, Failed, PhaseTimes, RawSample, Sampling},
    sys::{self, StartingPlace},
    window::{Ask, Windows, WrongAnswer, phases, resources},
};

fn asked<'w>(ask: &Sampling, windows: &'w mut Windows) -> Ask<'w> {
    let &Sampling { case, instance, calls, check, .. } = ask;
    Ask { case, instance, calls, at_once: usize::MAX, check, windows }
}

fn wrong(WrongAnswer(message): WrongAnswer) -> Failed {
    Failed::WrongAnswer { message: bounded(&message) }
}

/// The fault of a metric that is no number any more: no report could say by how much it went up.
fn not_finite(metrics: &Metrics, sums: &[f64]) -> Option<Failed> {
    let at = sums.iter().position(|sum| !sum.is_finite())?;
    let message = format!(
        "its metric `{}` went up by {} in a sample; `read` has to return a finite number",
        metrics.0[at].name(),
        sums[at]
    );
    Some(Failed::Misuse { message: bounded(&message) })
}

impl Session {
    pub(super) fn sample(&mut self, ask: &Sampling, sampler: &mut Sampler<'_>) -> io::Result<()> {
        let mut samples = Vec::with_capacity(ask.samples.min(1 << 16) as usize);
        let metrics = self.metrics.get(ask.case).map_or(&[][..], |metrics| &metrics.0);
        self.windows.watch(metrics);
        self.windows.held.begin(ask.case, ask.instance);
        let (watched, threaded) = (!metrics.is_empty(), self.windows.callers > 1);
        self.extras = Extras::default();
        for index in 0..ask.samples {
            let one = Sampling { check: ask.check && index == 0, ..ask.clone() };
            match self.one_sample(&one, sampler) {
                Ok(sample) => {
                    samples.push(sample);
                    if watched {
                        let sums = self.windows.take_sums();
                        if let Some(failed) = not_finite(&self.metrics[ask.case], &sums) {
                            return self.fail(failed);
                        }
                        self.extras.metrics.push(sums);
                    }
                    if threaded {
                        let shares = self.windows.take_shares();
                        self.extras.threads_ns.push(shares.own_ns);
                        self.extras.late_ns.push(shares.late_ns);
                    }
                }
                Err(failed) => return self.fail_or_go_on(failed),
            }
        }
        self.answer(&Answer::Sampled { samples })
    }

    fn one_sample(
        &mut self,
        ask: &Sampling,
        sampler: &mut Sampler<'_>,
    ) -> Result<RawSample, Failed> {
        ranks::meet();
        self.place.iter().for_each(StartingPlace::take_back);
        self.windows.stay(self.place.filter(|_| ask.stay));
        let outcome = guarded(|| sampler(&mut asked(ask, &mut self.windows)));
        sys::leave_if_forked(self.process);
        if sys::forked_and_returned() {
            let message = "the kernel forked, and the child process came back from it as well; it has to exit, or \
                           run another program"
                .to_owned();
            return Err(Failed::Misuse { message });
        }
        outcome?.map_err(wrong)
    }

    /// A wrong answer ends its case only; everything else ends the process.
    fn fail_or_go_on(&mut self, failed: Failed) -> io::Result<()> {
        match failed {
            Failed::WrongAnswer { .. } => self.answer(&Answer::Failed(failed)),
            failed => self.fail(failed),
        }
    }

    pub(super) fn phases(&mut self, ask: &Sampling, sampler: &mut Sampler<'_>) -> io::Result<()> {
        let names = self.phases.get(ask.case).cloned().unwrap_or_default();
        let mut times = PhaseTimes::default();
        self.windows.held.begin(ask.case, ask.instance);
        for _ in 0..ask.samples {
            phases::TIMES.ask(&names, self.windows.source());
            let outcome = self.one_sample(&Sampling { check: false, ..ask.clone() }, sampler);
            phases::TIMES.stop();
            match outcome {
                Ok(sample) => {
                    if let Err(message) = phases::TIMES.take(sample.wall_ns, &mut times) {
                        return self.misuse(&message);
                    }
                }
                Err(failed) => return self.fail_or_go_on(failed),
            }
        }
        self.answer(&Answer::Phased { times })
    }

    pub(super) fn count(&mut self, ask: &Sampling, sampler: &mut Sampler<'_>) -> io::Result<()> {
        let mut sample = |windows: &mut Windows, calls| {
            sampler(&mut asked(&Sampling { calls, ..ask.clone() }, windows)).map(drop)
        };
        match guarded(|| resources::count(&mut self.windows, ask.calls, &mut sample)) {
            Ok(Ok(resources)) => self.answer(&Answer::Counted { resources }),
            Ok(Err(answer)) => self.answer(&Answer::Failed(wrong(answer))),
            Err(panic) => self.fail(panic),
        }
    }

    pub(super) fn tally(&mut self, ask: &Sampling, counter: &mut Counter<'_>) -> io::Result<()> {
        let tallies = match guarded(|| counter(ask)) {
            Ok(Some(tallies)) => tallies,
            Ok(None) => {
                return self.misuse("it names no function with `tally = path`");
            }
            Err(Failed::Panicked { message }) => {
                let message = format!("in its tally: {message}");
                return self.fail(Failed::Panicked { message });
            }
            Err(other) => return self.fail(other),
        };
        if let Some(odd) = tallies.iter().find(|tally| !tally.is_finite()) {
            return self.misuse(&format!(
                "its tally of `{}` is no finite number; count only what happens",
                odd.name
            ));
        }
        self.answer(&Answer::Tallied { tallies })
    }
}
