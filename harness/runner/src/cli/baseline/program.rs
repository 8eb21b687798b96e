//! `--baseline NAME`: this program and the one that is kept under the name, measured in turns.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use super::super::{
    arguments::Arguments,
    measuring::{ALPHA, MARGIN, Measuring},
};
use crate::{
    baselines::{self, Found, OwnCopy},
    engine::{
        self, CaseDescription, CommonCase, ComparisonPosition, ComparisonWatcher, Machine, Program,
        Subject, Versions, Wishes,
    },
    output::{complain, progress_columns},
    record::{
        ComparisonRecord, ComparisonSettings, FileBeside, Home, Manifest, Record, SideRecord,
    },
    text::Standing,
};

const LEAST_BLOCKS: u32 = 6;

/// How far the linker's choice of places moves times: nine in ten kernels of `lab/alignment` scatter by less from layout to layout, as the
/// compiler has them (docs/explanation/identical-code.md). A kept program is in one layout, and so is that of today.
const LAYOUTS: f64 = 0.10;

/// Time for the comparison if the whole has no limit.
const LONGEST: Duration = Duration::from_secs(600);

pub(super) struct Baseline {
    pub(super) name: String,
    pub(super) record: Record,
    /// A copy of its program that goes with this process, or why there is none.
    pub(super) program: Result<OwnCopy, String>,
}

impl Baseline {
    /// Finds the program and record under a name, to be compared with a program that uses these files. There may be none if
    /// `may_lack`, and none of a previous run.
    pub(super) fn find(
        home: &Home,
        name: &str,
        may_lack: bool,
        files: &[FileBeside],
    ) -> Result<Option<Self>, String> {
        if (may_lack || name == baselines::PREVIOUS) && !baselines::exists(home, name) {
            return Ok(None);
        }
        let Found { record, folder } = baselines::read(home, name)?;
        let program = baselines::find_program((&folder, name), &record, files).and_then(|path| {
            // Another process may replace what is kept while this one measures it.
            OwnCopy::of(&path, &home.folder(), "base")
                .map_err(|error| format!("{} cannot be copied: {error}", path.display()))
        });
        Ok(Some(Self { name: name.to_owned(), record, program }))
    }
}

pub(super) struct Plan<'a> {
    pub(super) base: &'a Program,
    pub(super) new: &'a Program,
    /// A copy of base.
    pub(super) control: Option<&'a Program>,
    pub(super) wanted: &'a [CaseDescription],
    /// Whether a benchmark of the other one is wanted.
    pub(super) is_wanted: &'a dyn Fn(&CaseDescription) -> bool,
    pub(super) margin: &'a dyn Fn(&CaseDescription) -> f64,
    /// The least margin of any benchmark: [`LAYOUTS`] where the programs are not the same file.
    pub(super) least_margin: Option<f64>,
    pub(super) wishes: Wishes,
    /// The time that a call may take, if the command line limits it.
    pub(super) timeout: Option<Duration>,
    pub(super) settings: ComparisonSettings,
    pub(super) sides: [SideRecord; 2],
}

/// Measures both programs in turns until every benchmark is decided, or nothing more may be spent.
pub(super) fn measure(
    machine: &dyn Machine,
    plan: Plan<'_>,
    watcher: &mut dyn ComparisonWatcher,
) -> Result<ComparisonRecord, String> {
    let listed = engine::list(machine, plan.base).map_err(|error| error.to_string())?;
    let [base, new] = plan.sides;
    let least = plan.least_margin.unwrap_or(0.0);
    let settings = ComparisonSettings { margin: plan.settings.margin.max(least), ..plan.settings };
    let mut record = ComparisonRecord::new(settings, base, new);
    record.least_margin = plan.least_margin;
    let mut common = Vec::new();
    let wanted_of_base = || listed.iter().filter(|case| (plan.is_wanted)(case));
    for case in plan.wanted {
        let Some(before) = wanted_of_base().find(|before| before.name == case.name) else {
            record.added.push(case.name.clone());
            continue;
        };
        let mut new = CaseDescription { wishes: plan.wishes.or(case.wishes), ..case.clone() };
        new.timeout = plan.timeout.map(|timeout| timeout.as_secs_f64()).or(case.timeout);
        let margin = (plan.margin)(case).max(least);
        common.push(CommonCase { base: before.clone(), new, margin, later: false });
    }
    let gone = wanted_of_base().filter(|case| plan.wanted.iter().all(|new| new.name != case.name));
    record.removed = gone.map(|case| case.name.clone()).collect();
    if common.is_empty() {
        return Ok(record);
    }
    let subject = Subject {
        name: String::new(),
        versions: Versions {
            base: plan.base.clone(),
            new: plan.new.clone(),
            control: plan.control.cloned(),
        },
        layouts: None,
        common,
    };
    Ok(engine::compare_until_decided(machine, &[subject], record, watcher))
}

/// Compares the program that was just measured with that of a baseline, by fresh copies of all, as where the system puts a
/// file in memory is no property of the code.
pub(super) fn compare(
    wanted: &[CaseDescription],
    measuring: &Measuring,
    (own, baseline): (&OwnCopy, &Baseline),
    record: &Record,
    arguments: &Arguments,
    max_time: Option<Duration>,
) -> Result<ComparisonRecord, String> {
    let copy = baseline.program.as_ref().map_err(Clone::clone)?;
    let folder = copy.path().parent().and_then(Path::parent).unwrap_or(copy.path());
    let control = OwnCopy::of(copy.path(), folder, "control").ok();
    let program =
        |copy: &OwnCopy| Program { binary: copy.path().to_owned(), ..measuring.program.clone() };
    let (base, new) = (program(copy), program(own));
    let control = control.as_ref().map(program);
    let most = |runs: u32| runs.max(LEAST_BLOCKS);
    let plan = Plan {
        base: &base,
        new: &new,
        control: control.as_ref(),
        wanted,
        is_wanted: &|case| arguments.select(case),
        margin: &|case| {
            let of_case = case.margin.map(|percent| percent / 100.0);
            arguments.margin.or(of_case).filter(|margin| *margin > 0.0).unwrap_or(MARGIN)
        },
        least_margin: least_margin(copy.path(), own.path()),
        wishes: measuring.configuration.wishes,
        timeout: arguments.timeout,
        settings: ComparisonSettings {
            seed: record.settings.seed,
            margin: arguments.margin.unwrap_or(MARGIN),
            alpha: ALPHA,
            max_seconds: Some(max_time.unwrap_or(LONGEST).as_secs_f64()),
            ..ComparisonSettings::of_blocks(arguments.runs.map(most))
        },
        sides: [
            side(&baseline.name, &baseline.record.manifest),
            side("this program", &record.manifest),
        ],
    };
    let mut watcher = Line::new(arguments.quiet);
    let measured = measure(measuring.machine.as_ref(), plan, &mut watcher);
    watcher.end();
    measured
}

/// No margin but those asked for between a program and itself: all of its code is in the same places.
fn least_margin(base: &Path, new: &Path) -> Option<f64> {
    match (fs::read(base), fs::read(new)) {
        (Ok(base), Ok(new)) if base == new => None,
        _ => Some(LAYOUTS),
    }
}

fn side(name: &str, manifest: &Manifest) -> SideRecord {
    SideRecord { name: name.to_owned(), manifest: manifest.clone() }
}

/// A line on the terminal with the current comparison; nothing without a terminal.
struct Line {
    /// The columns of the terminal; `None` without progress.
    columns: Option<usize>,
    last: Option<Instant>,
}

impl Line {
    fn new(quiet: bool) -> Self {
        Self { columns: progress_columns().filter(|_| !quiet), last: None }
    }

    fn end(&self) {
        if self.last.is_some() {
            complain("\r\x1b[2K");
        }
    }
}

impl ComparisonWatcher for Line {
    fn begin(&mut self, position: ComparisonPosition<'_>) {
        let due = self.last.is_none_or(|last| last.elapsed() > Duration::from_millis(200));
        if let Some(columns) = self.columns.filter(|_| due) {
            let ComparisonPosition { spent, left, name, .. } = position;
            let part = position.part();
            let standing = Standing { spent, left, about: "at most", part: &part, name };
            complain(&format!("\r\x1b[2K{}", standing.line(columns)));
            self.last = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests;
