//! Comparisons of two programs on a simulated machine: what is measured, kept, judged and reported.

use std::{fmt, path::Path, rc::Rc, time::Duration};

use super::{Left, disk::SimulatedDisk, draw::Draw, manifest, measured::is_inside};
use crate::{
    analysis::verdict::Verdict,
    engine::{
        CommonCase, Layouts, Machine, Program, Silent, Subject, Versions, WorkerError,
        compare_until_decided, list, simulated::SimulatedMachine,
    },
    record::{
        AnyRecord, ComparisonRecord, ComparisonSettings, Side, SideRecord, parse_any, write_on,
    },
    report,
    results::{self, BaselineComparison, CaseResult, Outcome, ProgramComparison, RowResult},
    text::View,
};
use plusminus_worker::{exit, json::encode};

const FILE: &str = "comparison.json";

/// Blocks before which nothing can be decided.
const LEAST_BLOCKS: usize = 2;

/// A linker that takes its time, and may fail in a round.
struct Linker {
    versions: Versions,
    machine: SimulatedMachine,
    cost: Duration,
    fails_in: Option<u32>,
}

impl fmt::Debug for Linker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a simulated linker")
    }
}

impl Layouts for Linker {
    fn of_round(&self, round: u32) -> Result<Versions, WorkerError> {
        self.machine.pass(self.cost);
        match self.fails_in {
            Some(fails) if round >= fails => {
                Err(WorkerError::Protocol("the linker gave up".to_owned()))
            }
            _ => Ok(self.versions.clone()),
        }
    }

    fn is_ready(&self, round: u32) -> bool {
        round.is_multiple_of(3)
    }
}

fn settings(draw: &mut Draw) -> ComparisonSettings {
    // Mostly few: what happens in a long comparison happens in a short one, and a seed should be quick.
    let blocks = if draw.one_in(8) { None } else { Some(1 + draw.below(14) as u32) };
    ComparisonSettings {
        seed: draw.seed(),
        margin: draw.any(&[0.02, 0.1]),
        max_seconds: Some(draw.between(1e-3, 30.0)),
        ..ComparisonSettings::of_blocks(blocks)
    }
}

pub(super) fn replayed(draw: &mut Draw) -> Left {
    let [base, new, control] = ["base", "new", "control"].map(|name| Program::of(name.as_ref()));
    let old = draw.suite();
    let next = draw.next_version(&old);
    draw.tell(&(&old, &next));
    let mut machine = SimulatedMachine::new(draw.seed())
        .with_program(&base, old.clone())
        .with_program(&new, next)
        .with_program(&control, old);
    let listed = |program| list(&machine, program).map_err(|error| error.to_string());
    let (before, after) = (listed(&base)?, listed(&new)?);
    let interrupt = draw.interrupt();
    if let Some((time, signal)) = interrupt {
        machine = machine.interrupted_after(time, signal);
    }
    let settings = settings(draw);
    draw.tell(&(&settings, interrupt));
    let common = after.into_iter().filter_map(|new| {
        let base = before.iter().find(|base| base.name == new.name)?.clone();
        Some(CommonCase { base, new, margin: settings.margin, later: draw.one_in(6) })
    });
    let common: Vec<CommonCase> = common.collect();
    let control = draw.some(2, |_| control);
    let versions = Versions { base, new, control };
    let linker = Linker {
        versions: versions.clone(),
        machine: machine.clone(),
        cost: Duration::from_secs_f64(draw.between(1e-3, 1.0)),
        fails_in: draw.some(4, |draw| draw.below(12) as u32),
    };
    let layouts = draw.some(2, |_| Rc::new(linker) as Rc<dyn Layouts>);
    let subject = Subject { name: String::new(), common, versions, layouts };
    let side = |name: &str| SideRecord { name: name.to_owned(), manifest: manifest() };
    let record = ComparisonRecord::new(settings, side("base"), side("new"));
    let record = compare_until_decided(&machine, &[subject], record, &mut Silent);
    if machine.running() > 0 || machine.most_running() > 2 {
        return Err(format!("{} of {} workers", machine.running(), machine.most_running()));
    }
    if record.interrupted.is_some() && record.interrupted != interrupt.map(|(_, signal)| signal) {
        return Err(format!("interrupted by {:?}", record.interrupted));
    }
    let disk = SimulatedDisk::draw(draw, &machine);
    check_file(&record, &disk)?;
    let outcome = results::outcome(&record);
    check_outcome(&outcome)?;
    let fails = |_: &CaseResult, row: &RowResult| row.judgement.verdict == Verdict::Slower;
    let code = outcome.exit_code(|_| true, fails);
    check_exit_code(code, &outcome)?;
    let mut trace = encode(&record);
    trace.extend(format!("{code} {:?} {:?}", machine.now(), disk.left_behind()?).into_bytes());
    let new = record.side(Side::New);
    let compared = BaselineComparison::Program(Box::new(ProgramComparison { record, outcome }));
    let view = View { width: 60, ..View::default() };
    trace.extend(report::render(&new, Some(&compared), None, &view).into_bytes());
    let json = report::json_results(&new, 0, None, Some(&compared));
    for line in json.lines() {
        serde_json::from_str::<serde_json::Value>(line).map_err(|error| error.to_string())?;
    }
    trace.extend(json.into_bytes());
    Ok(trace)
}

/// Writes the record over an older one: what is there then is one of both, and whole.
fn check_file(record: &ComparisonRecord, disk: &SimulatedDisk) -> Result<(), String> {
    let path = Path::new(FILE);
    let text = |record: &ComparisonRecord| [encode(record), b"\n".to_vec()].concat();
    let ComparisonRecord { settings, base, new, .. } = record.clone();
    let (old, next) = (text(&ComparisonRecord::new(settings, base, new)), text(record));
    match parse_any(&next, path).map_err(|error| error.to_string())? {
        AnyRecord::Comparison(read) if *read == *record => {}
        _ => return Err("a record changes when it is written and read".to_owned()),
    }
    disk.put(path, old.clone());
    let written = write_on(disk, record, path);
    let now = disk.content(path).ok_or("the old record is lost")?;
    disk.left_behind()?;
    match written {
        Ok(()) if now == next => Ok(()),
        Ok(()) => Err("it is fine without its record".to_owned()),
        Err(_) if disk.has_refused() && (now == old || now == next) => Ok(()),
        Err(error) => Err(format!("for no reason, or in half: {error}")),
    }
}

fn check_outcome(outcome: &Outcome) -> Result<(), String> {
    for case in &outcome.cases {
        for row in &case.rows {
            check_row(row).map_err(|what| format!("{}: {what}", case.name))?;
        }
    }
    Ok(())
}

/// No verdict without data, none that its own interval contradicts, and no estimate outside of that.
fn check_row(row: &RowResult) -> Result<(), String> {
    let (verdict, interval) = (row.judgement.verdict, row.judgement.interval);
    if row.speedup.is_some_and(|speedup| !is_inside(speedup, interval)) {
        return Err(format!("S {:?} outside {interval:?}", row.speedup));
    }
    if verdict == Verdict::Inconclusive {
        return Ok(());
    }
    if row.blocks.len() < LEAST_BLOCKS {
        return Err(format!("{verdict:?} after {} blocks", row.blocks.len()));
    }
    let Some((low, high)) = row.change_interval() else {
        return Err(format!("{verdict:?} without an interval"));
    };
    let within = 1.0 + high < 1.0 + row.margin && 1.0 + low > 1.0 / (1.0 + row.margin);
    let is_borne_out = match verdict {
        Verdict::WithinMargin => within,
        Verdict::Slower => low > 0.0 && !within,
        Verdict::Faster => high < 0.0 && !within,
        Verdict::Inconclusive => true,
    };
    if is_borne_out { Ok(()) } else { Err(format!("{verdict:?} for [{low}, {high}]")) }
}

fn check_exit_code(code: i32, outcome: &Outcome) -> Result<(), String> {
    let failed =
        outcome.cases.iter().any(|case| case.failure.as_ref().is_some_and(|f| !f.is_nothing));
    let slower = || {
        let mut rows = outcome.cases.iter().flat_map(|case| &case.rows);
        rows.any(|row| row.judgement.verdict == Verdict::Slower)
    };
    let is_right = match code {
        exit::FAILED => failed,
        exit::REGRESSION => !failed && slower(),
        exit::UNRELIABLE => !failed && outcome.control.is_some(),
        exit::FINE => !failed && !slower(),
        _ => false,
    };
    if is_right { Ok(()) } else { Err(format!("exit code {code}")) }
}
