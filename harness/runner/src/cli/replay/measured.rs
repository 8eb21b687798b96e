//! `cargo bench` on a simulated machine: what is measured, kept and reported.

use std::{cell::RefCell, env, path::Path, time::Duration};

use super::{Left, disk::SimulatedDisk, draw::Draw, manifest};
use crate::{
    analysis::{Interval, verdict::Verdict},
    cli::{
        arguments::Arguments,
        bench::{exit_code, keep},
        measuring,
        progress::Terminal,
    },
    engine::{
        self, CaseDescription, Configuration, Machine, Program, Relinked,
        simulated::{Kernel, SimulatedMachine},
    },
    record::{AnyRecord, Record, Settings, parse},
    report,
    results::{self, Row},
    text::View,
};
use plusminus_worker::{exit, json::encode};

const FOLDER: &str = "records-of-a-bench";

const LAYOUTS: u32 = 100;

fn configuration(draw: &mut Draw) -> Configuration {
    let max_time = draw.some(3, |draw| Duration::from_secs_f64(draw.between(1e-3, 20.0)));
    let runs = if draw.one_in(4) { None } else { Some(1 + draw.below(5) as u32) };
    let usual = measuring::configuration(&Arguments { runs, max_time, ..Arguments::default() });
    Configuration {
        timeout: draw.some(10, |draw| Duration::from_secs_f64(draw.between(1e-3, 5.0))),
        any_processor: draw.one_in(8),
        once: draw.one_in(12),
        until_decided: draw.one_in(4),
        settings: Settings {
            seed: draw.seed(),
            runs: 5,
            glance: draw.one_in(5),
            precision: runs.is_none().then(|| draw.any(&[0.01, 0.05, 0.001])),
            margin: draw.any(&[0.02, 0.1]),
            ..usual.settings
        },
        ..usual
    }
}

/// A linker that takes its time, and may fail from a run on, or at one.
struct Linker {
    machine: SimulatedMachine,
    cost: Duration,
    fails_at: Option<u32>,
    calls: RefCell<u32>,
}

impl Linker {
    fn draw(draw: &mut Draw, machine: &SimulatedMachine) -> Self {
        Self {
            machine: machine.clone(),
            cost: Duration::from_secs_f64(draw.between(1e-3, 3.0)),
            fails_at: draw.some(2, |draw| draw.below(8) as u32),
            calls: RefCell::new(0),
        }
    }

    fn link(&self) -> Result<(), String> {
        self.machine.pass(self.cost);
        let call = self.calls.replace_with(|calls| *calls + 1);
        if self.fails_at == Some(call) { Err("the linker gave up".to_owned()) } else { Ok(()) }
    }
}

/// The name of the program that is linked for a run.
fn linked(plain: &Path, run: u32) -> Program {
    let (own, suffix) = (std::process::id(), env::consts::EXE_SUFFIX);
    Program::of(format!("{}.{own}-{run}{suffix}", plain.display()).as_ref())
}

pub(super) fn replayed(draw: &mut Draw) -> Left {
    let program = Program::of("program".as_ref());
    let suite = draw.suite();
    let interrupt = draw.interrupt();
    let layouts = draw.one_in(3);
    let mut machine = SimulatedMachine::new(draw.seed()).with_program(&program, suite.clone());
    for run in (0..LAYOUTS).filter(|_| layouts) {
        machine = machine.with_program(&linked(&program.binary, run), suite.clone());
    }
    let cases = engine::list(&machine, &program).map_err(|error| error.to_string())?;
    if let Some((after, signal)) = interrupt {
        machine = machine.interrupted_after(after, signal);
    }
    let disk = SimulatedDisk::draw(draw, &machine);
    let linker = Linker::draw(draw, &machine);
    let fails_to_link = layouts && linker.fails_at.is_some();
    let mut configuration = configuration(draw);
    configuration.settings.layouts = layouts;
    let seed = configuration.settings.seed;
    draw.tell(&(&suite, &configuration, interrupt, linker.fails_at, &disk));
    let relinked = || Relinked::on(machine.clone(), &program.binary, seed, |_, _, _| linker.link());
    let measuring: Box<dyn Machine + '_> = match layouts {
        // Without the first layout there is nothing to measure, and nothing is begun.
        true => match relinked() {
            Ok(relinked) => Box::new(relinked),
            Err(why) => return Ok(why.into_bytes()),
        },
        false => Box::new(machine.clone()),
    };
    let begun = engine::nothing_yet(&cases, &configuration, manifest());
    let clock = || machine.now();
    let folder = Path::new(FOLDER);
    let said = RefCell::new(String::new());
    let say = |text: &str| said.borrow_mut().push_str(text);
    let terminal = Terminal { quiet: true, clock: &clock, say: &say };
    let (record, kept) = keep(begun, (&disk, folder), terminal, |record, watcher| {
        engine::measure(&cases, (&*measuring, &program), &configuration, record, watcher)
    });
    check_processes(&machine)?;
    let left = disk.left_behind()?;
    if disk.is_alive() {
        match &kept {
            Ok(path) if disk.content(path) != Some([encode(&record), b"\n".to_vec()].concat()) => {
                return Err("the file is not the record".to_owned());
            }
            Err(error) if !disk.has_refused() => return Err(format!("for no reason: {error}")),
            _ => {}
        }
    }
    // A measurement has one file.
    if !matches!(left[..], [] | [(_, AnyRecord::Measurement(_))]) {
        return Err(format!("{} files", left.len()));
    }
    let code = exit_code(&record, false, kept.is_ok(), None);
    check_exit_code(code, &record, interrupt, kept.is_ok())?;
    check_failures(&record, &cases, &suite, fails_to_link || configuration.timeout.is_some())?;
    check_rows(&record)?;
    let read = parse(&encode(&record), folder).map_err(|error| error.to_string())?;
    if read != record {
        return Err("a record changes when it is written and read".to_owned());
    }
    let mut trace = encode(&record);
    trace.extend(format!("{code} {:?} {left:?}", machine.now()).into_bytes());
    for columns in [40, 80] {
        let view = View { width: columns, ..View::default() };
        trace.extend(report::render(&record, None, None, &view).into_bytes());
    }
    let json = report::json_results(&record, 0, None, None);
    for line in json.lines() {
        serde_json::from_str::<serde_json::Value>(line).map_err(|error| error.to_string())?;
    }
    trace.extend(json.into_bytes());
    trace.extend(said.take().into_bytes());
    Ok(trace)
}

fn check_processes(machine: &SimulatedMachine) -> Result<(), String> {
    if machine.running() > 0 {
        return Err(format!("{} workers are left", machine.running()));
    }
    if machine.most_running() > 1 {
        return Err(format!("{} workers at one time", machine.most_running()));
    }
    Ok(())
}

fn check_exit_code(
    code: i32,
    record: &Record,
    interrupt: Option<(Duration, i32)>,
    is_kept: bool,
) -> Result<(), String> {
    let planned = interrupt.map(|(_, signal)| signal);
    if record.interrupted.is_some() && record.interrupted != planned {
        return Err(format!("interrupted by {:?}", record.interrupted));
    }
    let failed = record.cases.iter().any(|case| !case.failures.is_empty() && !case.has_nothing());
    let right = match record.interrupted {
        Some(signal) => 128 + signal,
        None if failed || !is_kept => 2,
        None => exit::FINE,
    };
    if code == right { Ok(()) } else { Err(format!("exit code {code}, not {right}")) }
}

/// A benchmark fails only if something was wrong with it, or with one that it shares a process with.
fn check_failures(
    record: &Record,
    cases: &[CaseDescription],
    suite: &[Kernel],
    all_may_fail: bool,
) -> Result<(), String> {
    let is_broken = |table: usize| {
        let of_table = |kernel: &&Kernel| kernel.description.table == table;
        let mut all = suite.iter().filter(of_table);
        all.any(|kernel| kernel.fault.is_some() || kernel.load > Duration::from_secs(100))
    };
    for (case, described) in record.cases.iter().zip(cases) {
        if !case.failures.is_empty() && !all_may_fail && !is_broken(described.table) {
            return Err(format!("{} failed for no reason: {:?}", case.name, case.failures));
        }
    }
    Ok(())
}

/// No number without data, and none outside its own interval.
fn check_rows(record: &Record) -> Result<(), String> {
    for row in results::tables(record).iter().flat_map(|table| &table.rows) {
        let wrong = |what: &str| Err(format!("{}: {what}", row.case.name));
        let Some(time) = &row.time else {
            if row.speedup.is_some() {
                return wrong("a speedup without a time");
            }
            continue;
        };
        let is_measured = row.case.measurements.iter().any(|one| !one.wall_ns.is_empty());
        if !is_measured || row.runs.is_empty() {
            return wrong("a time without samples");
        }
        let value = time.estimate.value;
        let is_possible = value.is_finite() && value > 0.0;
        if !is_possible || !is_inside(value, time.interval()) {
            return wrong("an impossible time");
        }
        if let Some(compared) = &row.speedup {
            check_speedup(row, compared).or_else(|what| wrong(&what))?;
        }
    }
    Ok(())
}

fn check_speedup(row: &Row<'_>, compared: &results::Compared) -> Result<(), String> {
    let judgement = &compared.judgement;
    if !is_inside(compared.speedup.speedup, compared.interval) {
        return Err(format!("S {} outside {:?}", compared.speedup.speedup, compared.interval));
    }
    let decided = judgement.verdict != Verdict::Inconclusive;
    if decided && (judgement.interval.is_none() || row.runs.len() < 2) {
        return Err(format!("{:?} after {} runs", judgement.verdict, row.runs.len()));
    }
    Ok(())
}

pub(super) fn is_inside(value: f64, interval: Option<Interval>) -> bool {
    interval.is_none_or(|interval| interval.low <= value && value <= interval.high)
}
