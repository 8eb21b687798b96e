//! The parts of an invocation, drawn from one seed.

use std::{fmt, time::Duration};

use crate::{
    engine::{
        Random,
        simulated::{Fault, Kernel, Noise},
    },
    record::Role,
};
use plusminus_worker::protocol::Wishes;

/// The time that a call may take by default.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(super) struct Draw {
    random: Random,
    pub(super) tells: bool,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        // Neighboring seeds begin far from each other.
        Self { random: Random::new(Random::new(seed).bits()), tells: false }
    }

    pub(super) fn tell(&self, what: &dyn fmt::Debug) {
        if self.tells {
            eprintln!("{what:#?}");
        }
    }

    pub(super) fn seed(&mut self) -> u64 {
        self.random.bits()
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    pub(super) fn one_in(&mut self, many: usize) -> bool {
        self.random.below(many) == 0
    }

    pub(super) fn any<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len())]
    }

    /// A number of any magnitude between two.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.random.uniform())
    }

    /// A value, now and then.
    pub(super) fn some<T>(
        &mut self,
        one_in: usize,
        draw: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.one_in(one_in).then(|| draw(self))
    }

    /// When the user interrupts, and by which signal; mostly never.
    pub(super) fn interrupt(&mut self) -> Option<(Duration, i32)> {
        self.some(4, |draw| {
            (Duration::from_secs_f64(draw.between(1e-4, 30.0)), draw.any(&[1, 2, 15]))
        })
    }

    /// No machine drifts over hours as it does over seconds, and samples of seconds take hours; none stretches a sample of
    /// minutes tenfold.
    fn noise(&mut self, slow: bool) -> Noise {
        let quiet = Noise::quiet();
        let all = [
            Noise::default(),
            quiet,
            Noise::busy(),
            Noise { sample: 0.3, tail: 0.7, ..quiet },
            Noise { process: 0.2, ..quiet },
            Noise { second_mode: (0.3, 0.5), ..quiet },
            Noise { drift_per_second: if slow { 0.0 } else { 0.003 }, ..quiet },
            Noise { machine: 0.1, memory: Duration::from_secs(2), ..quiet },
            Noise { warm_up: (1.0, 1000), ..quiet },
            Noise { interruptions_per_second: 1500.0, interruption_ns: 1e5, ..quiet },
            Noise { waiting: 0.7, ..quiet },
        ];
        self.any(&all)
    }

    fn fault(&mut self) -> (u64, Fault) {
        let kinds = [
            Fault::Panic,
            Fault::Abort,
            Fault::Hang,
            Fault::WrongAnswer,
            Fault::Babble,
            Fault::Stale,
            Fault::Nothing,
        ];
        let fault = self.any(&kinds);
        let after = if fault == Fault::Nothing { 0 } else { self.below(300) as u64 };
        (after, fault)
    }

    fn wishes(&mut self) -> Wishes {
        let iterations = self.some(20, |draw| 1 + draw.below(1000) as u64);
        // Seconds of samples of a single short call are a million samples.
        let counted = iterations.is_some() || self.one_in(12);
        let seconds = |draw: &mut Self, one_in: usize, most: f64| {
            draw.some(one_in, |draw| draw.between(1e-4, most)).filter(|_| !counted)
        };
        Wishes {
            samples: counted.then(|| 1 + self.below(30) as u32),
            iterations,
            least_seconds: seconds(self, 20, 1e-2),
            seconds: seconds(self, 8, 2e-2),
            warm_up_seconds: seconds(self, 20, 1e-2),
        }
    }

    /// A suite: tables of one function, or of variants of one problem.
    pub(super) fn suite(&mut self) -> Vec<Kernel> {
        let mut kernels = Vec::new();
        let slow = self.one_in(8);
        for table in 0..1 + self.below(3) {
            let variants = self.any(&[1, 1, 1, 2, 3]);
            let (mut noise, wishes) = (self.noise(slow), self.wishes());
            let call_ns = match slow && table == 0 {
                true => self.between(0.2, 3e9),
                false => self.between(1.0, 2e6),
            };
            if wishes.iterations.is_some_and(|calls| calls as f64 * call_ns > 1e8) {
                (noise.drift_per_second, noise.tail) = (0.0, 0.0);
            }
            let instances: Vec<f64> = match self.one_in(3) {
                true => (0..2 + self.below(2)).map(|_| self.between(0.5, 4.0)).collect(),
                false => vec![1.0],
            };
            let (processors, runs) =
                (self.any(&[1, 1, 1, 2]), self.some(10, |d| d.below(8) as u32));
            for variant in 0..variants {
                let name = format!("t{table}::v{variant}");
                let call_ns = call_ns * if variant == 0 { 1.0 } else { self.between(0.5, 2.0) };
                let mut kernel = Kernel::new(&name, call_ns).with_noise(noise);
                if instances.len() > 1 {
                    kernel = kernel.with_instances(&instances);
                }
                if variants == 1 && self.one_in(8) {
                    kernel = kernel.with_phases(&[("one", 0.3), ("two", 0.6)]);
                }
                if self.one_in(3) {
                    kernel = kernel.doing(self.between(1.0, 1e9), "items");
                }
                kernel.fault = self.some(6, Self::fault);
                // Milliseconds outside of calls of a nanosecond, on a machine that drifts, rightly exceed the time limit.
                kernel.outside_ns = self.any(&[0.0, 0.0, 10.0, 1e3]);
                kernel.helper_threads = self.any(&[0.0, 0.0, 0.0, 0.6]);
                kernel.load = match self.one_in(25) {
                    true => 2 * TIMEOUT,
                    false => Duration::from_micros(self.below(3000) as u64),
                };
                let role = match variant {
                    0 => Role::Baseline,
                    _ => self.any(&[Role::Contender, Role::Contender, Role::Reference]),
                };
                kernels.push(kernel.described(|case| {
                    (case.table, case.processors, case.runs) = (table, processors, runs);
                    case.names_processors = processors > 1;
                    case.wishes = wishes;
                    if variants > 1 {
                        (case.problem, case.role) = (Some(format!("p{table}")), role);
                    }
                }));
            }
        }
        kernels
    }

    /// The next version of a suite: some kernels are faster or slower, fail now, are new or gone.
    pub(super) fn next_version(&mut self, suite: &[Kernel]) -> Vec<Kernel> {
        let mut next = suite.to_vec();
        next.retain(|_| !self.one_in(12));
        for kernel in &mut next {
            if self.one_in(3) {
                kernel.call_ns *= self.any(&[0.7, 0.98, 1.01, 1.05, 2.0]);
            }
            if self.one_in(8) {
                kernel.fault = Some(self.fault());
            }
        }
        if self.one_in(8) {
            next.push(Kernel::new("added", 1e4));
        }
        next
    }
}
