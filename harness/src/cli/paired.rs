//! `--baseline NAME`: this program and the one that is kept under the name, measured in turns.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    arguments::Arguments,
    measuring::{ALPHA, MARGIN, Measuring},
};
use crate::{
    engine::{
        self, CaseDescription, CommonCase, ComparisonPosition, ComparisonWatcher, Machine, Program,
        Subject, Versions, Wishes,
    },
    kept::{self, OwnCopy},
    output::{complain, progress_columns},
    record::{ComparisonRecord, ComparisonSettings, Manifest, Record, SideRecord},
    text::Standing,
};

/// The least that a verdict needs.
const LEAST_BLOCKS: u32 = 6;

/// Time for the comparison where no limit is set for the whole.
const LONGEST: Duration = Duration::from_secs(600);

/// A baseline as it was kept.
pub(super) struct Baseline {
    pub(super) name: String,
    pub(super) record: Record,
    /// A copy of its program that goes with this process, or why there is none.
    pub(super) program: Result<OwnCopy, String>,
}

impl Baseline {
    /// Finds what is kept under a name. The run before may have kept nothing yet.
    ///
    /// # Errors
    /// Says which file is missing or damaged, and what to do.
    pub(super) fn find(folder: &Path, name: &str) -> Result<Option<Self>, String> {
        if name == kept::PREVIOUS && !kept::exists(folder, name) {
            return Ok(None);
        }
        let record = kept::read(folder, name)?;
        let program = kept::find_program(folder, name, &record).and_then(|path| {
            // Another process may replace what is kept while this one measures it.
            OwnCopy::of(&path, folder, "base")
                .map_err(|error| format!("{} cannot be copied: {error}", path.display()))
        });
        Ok(Some(Self { name: name.to_owned(), record, program }))
    }
}

/// What is compared, and how.
pub(super) struct Plan<'a> {
    pub(super) base: &'a Program,
    pub(super) new: &'a Program,
    /// A copy of base.
    pub(super) control: Option<&'a Program>,
    /// The benchmarks of this program that are wanted.
    pub(super) wanted: &'a [CaseDescription],
    /// Whether a benchmark of the other one is wanted.
    pub(super) is_wanted: &'a dyn Fn(&CaseDescription) -> bool,
    /// The margin of a benchmark, as a fraction.
    pub(super) margin: &'a dyn Fn(&CaseDescription) -> f64,
    /// What the command line says of samples.
    pub(super) wishes: Wishes,
    /// The time that a call may take, if the command line limits it.
    pub(super) timeout: Option<Duration>,
    pub(super) settings: ComparisonSettings,
    pub(super) sides: [SideRecord; 2],
}

/// Measures both programs in turns until every benchmark is decided, or nothing more may be spent.
///
/// # Errors
/// Says why the program of the baseline cannot be measured.
pub(super) fn measure(
    machine: &dyn Machine,
    plan: Plan<'_>,
    watcher: &mut dyn ComparisonWatcher,
) -> Result<ComparisonRecord, String> {
    let listed = engine::list(machine, plan.base).map_err(|error| error.to_string())?;
    let [base, new] = plan.sides;
    let mut record = ComparisonRecord::new(plan.settings, base, new);
    let mut common = Vec::new();
    let wanted_of_base = || listed.iter().filter(|case| (plan.is_wanted)(case));
    for case in plan.wanted {
        let Some(before) = wanted_of_base().find(|before| before.name == case.name) else {
            record.added.push(case.name.clone());
            continue;
        };
        let mut new = CaseDescription { wishes: plan.wishes.or(case.wishes), ..case.clone() };
        new.timeout = plan.timeout.map(|timeout| timeout.as_secs_f64()).or(case.timeout);
        common.push(CommonCase { base: before.clone(), new, margin: (plan.margin)(case) });
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
///
/// # Errors
/// Says why the program of the baseline cannot be measured.
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
        is_wanted: &|case| {
            arguments.ignored.selects(case.ignore.is_some())
                && arguments.filter.passes(&case.krate, &case.name)
        },
        margin: &|case| {
            let of_case = case.margin.map(|percent| percent / 100.0);
            arguments.margin.or(of_case).filter(|margin| *margin > 0.0).unwrap_or(MARGIN)
        },
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

fn side(name: &str, manifest: &Manifest) -> SideRecord {
    SideRecord { name: name.to_owned(), manifest: manifest.clone() }
}

/// A line on the terminal that says what is being compared; nothing where there is no terminal.
struct Line {
    /// The columns of the terminal; `None` where nothing is shown.
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

/// Comparisons with kept programs on simulated machines.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::verdict::Verdict,
        engine::{
            Random,
            simulated::{Fault, Kernel, Noise, SimulatedMachine},
        },
        exit,
        results::{self, AgainstBaseline, PairedComparison},
    };

    struct Silent;

    impl ComparisonWatcher for Silent {
        fn begin(&mut self, _: ComparisonPosition<'_>) {}
    }

    fn programs() -> [Program; 3] {
        ["base", "new", "control"].map(|name| Program::of(name.as_ref()))
    }

    fn machine(seed: u64, [base, new]: [Vec<Kernel>; 2]) -> SimulatedMachine {
        let [a, b, c] = programs();
        SimulatedMachine::new(seed)
            .with_program(&a, base.clone())
            .with_program(&b, new)
            .with_program(&c, base)
    }

    fn compared(seed: u64, kernels: [Vec<Kernel>; 2]) -> Result<PairedComparison, String> {
        let machine = machine(seed, kernels);
        let [base, new, control] = programs();
        let wanted = engine::list(&machine, &new).unwrap();
        let side = |name| side(name, &Manifest::of_machine());
        let plan = Plan {
            base: &base,
            new: &new,
            control: Some(&control),
            wanted: &wanted,
            is_wanted: &|case| case.name != "unwanted",
            margin: &|_| MARGIN,
            wishes: Wishes::default(),
            timeout: None,
            settings: ComparisonSettings {
                seed,
                margin: MARGIN,
                alpha: ALPHA,
                max_seconds: Some(600.0),
                ..ComparisonSettings::of_blocks(None)
            },
            sides: [side("main"), side("this program")],
        };
        let record = measure(&machine, plan, &mut Silent)?;
        Ok(PairedComparison { outcome: results::outcome(&record), record })
    }

    /// Three kernels, the first slower by a factor.
    fn kernels(noise: Noise, slower: f64) -> Vec<Kernel> {
        let times = [("hash", 3e4 * slower), ("sort", 2e5), ("parse", 90.0)];
        times.map(|(name, ns)| Kernel::new(name, ns).with_noise(noise)).to_vec()
    }

    fn noises() -> [Noise; 4] {
        let quiet = Noise::quiet();
        [
            quiet,
            Noise::busy(),
            Noise { drift_per_second: 0.002, ..quiet },
            Noise { second_mode: (0.3, 0.2), ..quiet },
        ]
    }

    #[test]
    fn a_program_is_not_called_different_from_itself() {
        let (mut alarms, mut comparisons) = (0, 0);
        for noise in noises() {
            for seed in 0..10 {
                let paired = compared(seed, [kernels(noise, 1.0), kernels(noise, 1.0)]).unwrap();
                let rows = paired.outcome.cases.iter().flat_map(|case| &case.rows);
                let alarm = |row: &results::RowResult| {
                    matches!(row.judgement.verdict, Verdict::Slower | Verdict::Faster)
                };
                alarms += usize::from(rows.clone().any(alarm));
                comparisons += 1;
            }
        }
        // α = 5 % of 40 comparisons are 2; more than 7 has a probability below 0.2 %.
        assert!(alarms <= 7, "{alarms} of {comparisons}");
    }

    #[test]
    fn five_percent_are_found_and_answered_with_1() {
        for noise in [Noise::quiet(), Noise { drift_per_second: 0.002, ..Noise::quiet() }] {
            for seed in 0..8 {
                let paired = compared(seed, [kernels(noise, 1.0), kernels(noise, 1.05)]).unwrap();
                let verdict = paired.outcome.cases[0].rows[0].judgement.verdict;
                assert_eq!(verdict, Verdict::Slower, "seed {seed}");
                let against = AgainstBaseline::Paired(Box::new(paired));
                assert_eq!(against.exit_code(), exit::REGRESSION, "seed {seed}");
            }
        }
    }

    #[test]
    fn what_only_one_program_has_is_named() {
        let kernel = |name: &str| Kernel::new(name, 1e4).with_noise(Noise::quiet());
        let base = vec![kernel("both"), kernel("gone"), kernel("unwanted")];
        let paired = compared(1, [base, vec![kernel("fresh"), kernel("both")]]).unwrap();
        assert_eq!(paired.record.added, ["fresh"]);
        assert_eq!(paired.record.removed, ["gone"]);
        assert_eq!(paired.outcome.cases.len(), 1);
        let nothing = compared(1, [vec![kernel("gone")], vec![kernel("fresh")]]).unwrap();
        assert!(nothing.outcome.cases.is_empty());
        assert_eq!(AgainstBaseline::Paired(Box::new(nothing)).exit_code(), exit::FINE);
    }

    #[test]
    fn a_benchmark_that_fails_in_either_program_is_answered_with_2() {
        let kernel = |name: &str| Kernel::new(name, 1e4).with_noise(Noise::quiet());
        let sick = vec![kernel("a"), kernel("b").failing(0, Fault::Abort)];
        let paired = compared(1, [sick, vec![kernel("a"), kernel("b")]]).unwrap();
        assert!(paired.outcome.cases[1].failure.is_some());
        assert_eq!(paired.outcome.cases[0].rows[0].judgement.verdict, Verdict::Same);
        assert_eq!(AgainstBaseline::Paired(Box::new(paired)).exit_code(), exit::FAILED);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error_with_a_reason() {
        let [base, new, _] = programs();
        let machine = SimulatedMachine::new(1).with_program(&new, kernels(Noise::quiet(), 1.0));
        let reason = engine::list(&machine, &base).unwrap_err().to_string();
        assert!(reason.contains("cannot start base"), "{reason}");
    }

    /// Two sittings of one program, of which the records are all that is left.
    fn stored(seed: u64, [then, now]: [f64; 2], slower: f64) -> results::StoredComparison {
        let sitting = |seed: u64, machine: f64, slower: f64| {
            // The machine is so much slower in this sitting, for kernels and probes alike.
            let noise = Noise { drift_per_second: 0.0, ..Noise::quiet() };
            let all = kernels(noise, slower).into_iter();
            let all = all.map(|kernel| Kernel { call_ns: machine * kernel.call_ns, ..kernel });
            let simulated = SimulatedMachine::new(seed)
                .with_noise(Noise { sample: 0.003, ..Noise::default() })
                .with_slowness(machine);
            let program = Program::of("only".as_ref());
            let simulated = simulated.with_program(&program, all.collect());
            let cases = engine::list(&simulated, &program).unwrap();
            let configuration = super::super::measuring::configuration(&Arguments {
                runs: Some(8),
                seed: Some(seed),
                ..Arguments::default()
            });
            let record = engine::nothing_yet(&cases, &configuration, Manifest::of_machine());
            let system = (&simulated as &dyn Machine, &program);
            engine::measure(
                &cases,
                system,
                &configuration,
                record,
                &mut super::super::progress::Silent,
            )
        };
        let mut random = Random::new(seed);
        let (a, b) = (random.below(1 << 30) as u64, random.below(1 << 30) as u64);
        let (old, new) = (sitting(a, then, 1.0), sitting(b, now, slower));
        results::compare_stored(&new, "old", &old, |_| MARGIN)
    }

    #[test]
    fn a_machine_that_changed_between_sittings_is_no_regression() {
        for seed in 0..12 {
            for change in [0.7, 0.95, 1.05, 1.5] {
                let found = stored(seed, [1.0, change], 1.0);
                let machine = found.machine.unwrap();
                assert!(machine.low <= change.ln() && change.ln() <= machine.high, "{machine:?}");
                for row in &found.rows {
                    let verdict = row.compared.judgement.verdict;
                    assert_eq!(verdict, Verdict::Undecided, "{change}: {row:?}");
                    let interval = row.compared.interval.unwrap();
                    assert!(interval.contains(1.0), "the interval covers it: {interval:?}");
                }
            }
        }
    }

    #[test]
    fn a_record_alone_decides_what_the_machine_does_not_explain() {
        for seed in 0..12 {
            let found = stored(seed, [1.0, 1.05], 1.5);
            assert_eq!(found.rows[0].compared.judgement.verdict, Verdict::Slower);
            assert!(
                found.rows[1..].iter().all(|row| row.compared.judgement.verdict != Verdict::Slower)
            );
        }
        assert!(stored(1, [1.0, 1.0], 3.0).has_regression());
    }
}
