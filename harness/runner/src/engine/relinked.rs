//! A machine on which the program is linked again for each run, with its functions and constants in another order. The
//! subcommand links: nothing that knows linkers is in the build of a bench binary.

use std::{
    cell::{Cell, RefCell},
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use super::{
    Random,
    machine::{Machine, Program, Start, Worker, WorkerError},
    process::RealMachine,
};
use crate::record::CoreLoad;
use plusminus_worker::sys::{Placement, Probed};

/// The variable with the program of the subcommand, if that has started cargo.
pub const SUBCOMMAND_VARIABLE: &str = "PLUSMINUS_SUBCOMMAND";

/// Returns the folder next to a program with the files that it was linked from, if the subcommand has had it built.
pub fn link_folder(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".link");
    name.into()
}

/// Has the subcommand link a program again: the program, a seed, and the file to write.
type Link = fn(&Path, u32, &Path) -> Result<(), String>;

#[derive(Debug)]
pub(crate) struct Relinked<M = RealMachine, L = Link> {
    machine: M,
    plain: PathBuf,
    seed: u64,
    link: L,
    runs: Cell<u32>,
    /// The program of the present run, or why there is none.
    current: RefCell<Result<Temporary, String>>,
}

/// A file that goes when this is dropped.
#[derive(Debug)]
pub(super) struct Temporary(pub(super) PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Relinked {
    pub(crate) fn new(program: &Path, seed: u64) -> Result<Self, String> {
        if !link_folder(program).is_dir() {
            return Err(
                "this program has one layout, as it is not known how it was linked: run `cargo plusminus layouts` instead \
                 of `cargo bench`, with the same arguments"
                    .to_owned(),
            );
        }
        Self::on(RealMachine::new(), program, seed, link as Link)
    }
}

impl<M, L: Fn(&Path, u32, &Path) -> Result<(), String>> Relinked<M, L> {
    pub(crate) fn on(machine: M, plain: &Path, seed: u64, link: L) -> Result<Self, String> {
        let plain = plain.to_owned();
        let none = RefCell::new(Err(String::new()));
        let this = Self { machine, plain, seed, link, runs: Cell::new(0), current: none };
        let first = this.linked(0)?;
        *this.current.borrow_mut() = Ok(first);
        Ok(this)
    }

    fn linked(&self, run: u32) -> Result<Temporary, String> {
        let mut name = self.plain.as_os_str().to_owned();
        name.push(format!(".{}-{run}{}", std::process::id(), env::consts::EXE_SUFFIX));
        let file = Temporary(name.into());
        // Neither 0, by which linkers choose a seed themselves, nor too large for them.
        let seed = 1 + Random::new(self.seed.wrapping_add(u64::from(run))).below((1 << 31) - 1);
        (self.link)(&self.plain, seed as u32, &file.0).map(|()| file)
    }
}

impl<M: Machine, L: Fn(&Path, u32, &Path) -> Result<(), String>> Machine for Relinked<M, L> {
    fn begin_run(&self) {
        let run = self.runs.replace(self.runs.get() + 1);
        if run > 0 {
            let linked = self.linked(run);
            *self.current.borrow_mut() = linked;
        }
    }

    fn start(&self, program: &Program, start: Start) -> Result<Box<dyn Worker>, WorkerError> {
        if program.binary != self.plain {
            return self.machine.start(program, start);
        }
        match &*self.current.borrow() {
            Ok(Temporary(binary)) => {
                let program = Program { binary: binary.clone(), ..program.clone() };
                self.machine.start(&program, start)
            }
            // The signal that ends the measurement also ends a linker.
            Err(why) => Err(match self.machine.interrupt() {
                Some(signal) => WorkerError::Interrupted(signal),
                None => WorkerError::Protocol(why.clone()),
            }),
        }
    }

    fn processors(&self) -> usize {
        self.machine.processors()
    }

    fn now(&self) -> Duration {
        self.machine.now()
    }

    fn interrupt(&self) -> Option<i32> {
        self.machine.interrupt()
    }

    fn probe(&self) -> Vec<Probed> {
        self.machine.probe()
    }

    fn confine(&self) -> Placement {
        self.machine.confine()
    }

    fn core(&self, placement: &Placement) -> Option<CoreLoad> {
        self.machine.core(placement)
    }
}

fn link(program: &Path, seed: u32, output: &Path) -> Result<(), String> {
    let cargo = || env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let run = Command::new(env::var_os(SUBCOMMAND_VARIABLE).unwrap_or_else(cargo))
        .args(["plusminus", "link", "--seed"])
        .arg(seed.to_string())
        .arg("--output")
        .arg(output)
        .arg("--")
        .arg(program)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run cargo plusminus: {error}"))?;
    if run.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&run.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    let last = last.unwrap_or("`cargo plusminus link` failed and said nothing");
    Err(last.strip_prefix("plusminus: ").unwrap_or(last).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{
            simulated::{Kernel, SimulatedMachine},
            tests::{configuration, measured_on, program},
        },
        record::Cause,
    };

    const RUNS: u32 = 6;

    fn name(run: u32) -> PathBuf {
        let plain = program().binary;
        format!("{}.{}-{run}{}", plain.display(), std::process::id(), env::consts::EXE_SUFFIX)
            .into()
    }

    /// A machine on which each layout has a speed of its own.
    fn machine() -> SimulatedMachine {
        let with = |machine: SimulatedMachine, (name, ns): (PathBuf, f64)| {
            machine.with_program(&Program::of(&name), vec![Kernel::new("k", ns)])
        };
        let runs = (0..RUNS).map(|run| (name(run), 1000.0 + 100.0 * f64::from(run)));
        let plain = (program().binary, 50.0);
        runs.chain([plain]).fold(SimulatedMachine::new(1), with)
    }

    fn measured(link: Link) -> Result<crate::record::CaseRecord, String> {
        let relinked = Relinked::on(machine(), &program().binary, 5, link)?;
        let mut configuration = configuration();
        configuration.runs = Some(RUNS);
        Ok(measured_on(&relinked, &configuration).cases.remove(0))
    }

    #[test]
    fn each_run_is_one_of_a_layout_of_its_own() {
        let case = measured(|_, seed, _| (seed > 0).then_some(()).ok_or_else(String::new)).unwrap();
        let times = case.measurements.iter().map(|one| one.call_ns().next().unwrap());
        for (run, time) in times.enumerate() {
            let own = 1000.0 + 100.0 * run as f64;
            assert!((time / own - 1.0).abs() < 0.02, "run {run}: {time}");
        }
        assert_eq!(case.measurements.len(), RUNS as usize);
    }

    #[test]
    fn a_program_that_cannot_be_linked_again_is_not_measured_in_place_of_one_that_is() {
        let refused = measured(|_, _, _| Err("no lld".to_owned()));
        assert_eq!(refused.unwrap_err(), "no lld");
        let later = |_: &Path, _: u32, output: &Path| {
            let third = output.to_string_lossy().ends_with(&name(3).display().to_string());
            if third { Err("the disk is full".to_owned()) } else { Ok(()) }
        };
        let case = measured(later).unwrap();
        assert_eq!(case.failures.len(), 1);
        assert_eq!(case.failures[0].run, 3);
        let cause = &case.failures[0].cause;
        assert!(matches!(cause, Cause::Worker { message } if message == "the disk is full"));
    }
}
