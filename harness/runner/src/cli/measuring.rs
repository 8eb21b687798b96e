//! The engine as the command line wants it: machine, program and configuration.

use std::time::Duration;

use super::{
    Target,
    arguments::{Action, Arguments},
};
use crate::{
    engine::{
        self, CaseDescription, Configuration, InProcess, Machine, Program, RealMachine, Relinked,
        Watcher, Wishes,
    },
    record::{Home, Manifest, Record, Settings},
    text::{quantity::fresh_seed, without_secrets},
};
use plusminus_worker::protocol::{Build, CLOCK_VARIABLE, MEMORY_VARIABLE};

const RUNS: u32 = 5;

/// The half width of a 95 % interval, as a fraction of the time, for which runs are added by default.
const PRECISION: f64 = 0.01;

const QUICK_RUNS: u32 = 5;

/// Seconds of samples in a run in quick mode.
const QUICK_SECONDS: f64 = 0.002;

/// The uncertainty of quick mode, as a fraction: milliseconds do not show how the machine behaves at other times. It
/// is half the width of a rectangular distribution.
const QUICK_PRECISION: f64 = 0.05;

/// Changes up to here are ignored by default.
pub(super) const MARGIN: f64 = 0.02;

/// The accepted probability of a wrong claim in a table.
pub(super) const ALPHA: f64 = 0.05;

pub(super) struct Measuring {
    pub(super) machine: Box<dyn Machine>,
    pub(super) program: Program,
    pub(super) configuration: Configuration,
    /// The name of the clock of windows, for the manifest.
    clock: &'static str,
    build: Build,
    words: Vec<String>,
}

impl Measuring {
    /// Workers of a program, or the session of the process that has started this one.
    pub(super) fn new(
        target: &Target<'_>,
        arguments: &Arguments,
        here: Option<InProcess>,
    ) -> Result<Self, String> {
        let binary = &target.binary;
        let mut program = Program::of(binary);
        program.show_output = arguments.show_output;
        program = program.with_launcher(arguments.launcher.as_deref().unwrap_or_default());
        if let Some(bytes) = arguments.memory_limit {
            program = program.with_variable(MEMORY_VARIABLE, bytes.to_string());
        }
        if arguments.counter {
            program = program.with_variable(CLOCK_VARIABLE, "tsc");
        }
        let configuration = configuration(arguments);
        let machine: Box<dyn Machine> = match here {
            Some(here) => Box::new(here),
            None if configuration.settings.layouts => {
                Box::new(Relinked::new(binary, configuration.settings.seed)?)
            }
            None => Box::new(RealMachine::new()),
        };
        let clock = if arguments.counter { "tsc" } else { "os" };
        Ok(Self {
            machine,
            program,
            configuration,
            clock,
            build: target.build.clone(),
            words: target.words.clone(),
        })
    }

    /// The same, calling everything once.
    pub(super) fn once(mut self) -> Self {
        self.configuration.once = true;
        self.configuration.instructions = false;
        self
    }

    pub(super) fn manifest(&self, home: &Home) -> Manifest {
        let clock = Some(self.clock.to_owned());
        let arguments = without_secrets(&self.words);
        Manifest { clock, arguments, ..Manifest::of_now(&self.program.binary, &self.build, home) }
    }

    pub(super) fn nothing_yet(&self, cases: &[CaseDescription], manifest: Manifest) -> Record {
        engine::nothing_yet(cases, &self.configuration, manifest)
    }

    pub(super) fn measure(
        &self,
        cases: &[CaseDescription],
        record: Record,
        watcher: &mut dyn Watcher,
    ) -> Record {
        let machine = self.machine.as_ref();
        engine::measure(cases, (machine, &self.program), &self.configuration, record, watcher)
    }
}

pub(super) fn configuration(arguments: &Arguments) -> Configuration {
    let runs = if arguments.in_process { Some(1) } else { arguments.runs };
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    let quick = |value: f64| arguments.quick.then_some(value);
    let default_runs = if arguments.quick { QUICK_RUNS } else { RUNS };
    // More runs do not reduce what quick mode cannot see.
    let precision = match arguments.quick {
        true => Some(QUICK_PRECISION),
        false => runs.is_none().then(|| arguments.precision.unwrap_or(PRECISION)),
    };
    Configuration {
        wishes: Wishes {
            samples: arguments.samples,
            iterations: arguments.iterations,
            least_seconds: seconds(arguments.min_time),
            seconds: seconds(arguments.sample_time).or(quick(QUICK_SECONDS)),
            warm_up_seconds: seconds(arguments.warm_up),
        },
        runs,
        max_time: arguments.max_time,
        timeout: arguments.timeout,
        memory_limit: arguments.memory_limit,
        any_processor: arguments.any_processor,
        tallies: arguments.tallies,
        instructions: arguments.instructions,
        once: false,
        until_decided: arguments.until_decided,
        settings: Settings {
            seed: arguments.seed.unwrap_or_else(fresh_seed),
            runs: runs.unwrap_or(default_runs),
            glance: arguments.quick,
            in_process: arguments.in_process,
            // Where nothing is measured, nothing is linked.
            layouts: arguments.layouts
                && arguments.action == Action::Bench
                && arguments.load.is_none(),
            precision,
            max_seconds: seconds(arguments.max_time),
            margin: arguments.margin.unwrap_or(MARGIN),
            alpha: ALPHA,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{
            Silent,
            simulated::{Kernel, Noise, SimulatedMachine},
        },
        report,
    };

    fn reported(max_time: Option<Duration>) -> String {
        let program = Program::of("only".as_ref());
        let noise = Noise { process: 0.3, ..Noise::quiet() };
        let kernel = Kernel::new("scattered", 1e5).with_noise(noise);
        let machine = SimulatedMachine::new(1).with_program(&program, vec![kernel]);
        let cases = engine::list(&machine, &program).unwrap();
        let arguments = Arguments { seed: Some(1), max_time, ..Arguments::default() };
        let configuration = configuration(&arguments);
        let record = engine::nothing_yet(&cases, &configuration, Manifest::of_machine());
        let system = (&machine as &dyn Machine, &program);
        let record = engine::measure(&cases, system, &configuration, record, &mut Silent);
        report::render(&record, None, None, &report::View::unlimited())
    }

    #[test]
    fn a_glance_claims_no_more_than_it_sees_whatever_is_wished() {
        let precision = |quick, runs, precision| {
            let arguments = Arguments { quick, runs, precision, ..Arguments::default() };
            configuration(&arguments).settings.precision
        };
        assert_eq!(precision(true, None, None), Some(QUICK_PRECISION));
        assert_eq!(precision(true, None, Some(0.01)), Some(QUICK_PRECISION));
        assert_eq!(precision(true, Some(9), None), Some(QUICK_PRECISION));
        assert_eq!(precision(false, None, Some(0.02)), Some(0.02));
        assert_eq!(precision(false, Some(9), None), None);
    }

    #[test]
    fn more_time_is_advised_only_where_it_gives_more() {
        let hurried = reported(Some(Duration::from_millis(250)));
        assert!(hurried.contains("allow more: --max-time"), "{hurried}");
        let patient = reported(Some(Duration::from_secs(3600)));
        assert!(!patient.contains("allow more: --max-time"), "{patient}");
        assert!(patient.contains("allow more: --runs 80"), "{patient}");
    }
}
