//! Comparisons of programs with themselves, and with slower ones, on simulated machines that disturb them in every
//! way that the models know. Impossible results do not occur, and results with probability α occur no more often than
//! that.
//!
//! A million verdicts, in an hour or two: `VERDICTS=1000000 cargo test --release -p plusminus --all-features --test
//! simulated_comparisons -- --nocapture`. Without the variable there are five hundred.

use std::{env, thread, time::Duration};

use plusminus::{
    analysis::verdict::{Doubt, Verdict},
    engine::{
        CommonCase, Program, Silent, Subject, Versions, compare_until_decided, list,
        simulated::{Kernel, Noise, SimulatedMachine},
    },
    exit,
    record::{ComparisonRecord, ComparisonSettings, Manifest, SideRecord},
    report,
    results::{self, CaseResult, Outcome, RowResult},
    text::number::percent,
};

const ALPHA: f64 = 0.05;
const MARGIN: f64 = 0.02;

/// How many times as long the slower kernel takes, where there is one.
const SLOWER: f64 = 1.05;

/// Benchmarks of a suite.
const SUITE: usize = 4;

/// The name of a model, and how it disturbs.
fn models() -> [(&'static str, Noise); 7] {
    let quiet = Noise::quiet();
    [
        ("normal", quiet),
        ("lognormal, with a long tail", Noise { sample: 0.1, tail: 0.7, ..quiet }),
        ("bimodal processes", Noise { second_mode: (0.3, 0.2), ..quiet }),
        ("drifting", Noise { drift_per_second: 0.01, ..quiet }),
        ("autocorrelated", Noise { machine: 0.05, memory: Duration::from_secs(2), ..quiet }),
        ("interrupted", Noise { interruptions_per_second: 200.0, ..quiet }),
        ("all of it", Noise { second_mode: (0.2, 0.1), drift_per_second: 0.002, ..Noise::busy() }),
    ]
}

fn kernels(noise: Noise, slower: f64) -> Vec<Kernel> {
    let times = [("hash", 3e4 * slower), ("sort", 2e5), ("parse", 90.0), ("walk", 4e6)];
    times.map(|(name, ns)| Kernel::new(name, ns).with_noise(noise)).to_vec()
}

/// A suite against a version of it whose first kernel is slower by a factor.
fn compared(seed: u64, noise: Noise, slower: f64) -> Outcome {
    let [base, new, control] = ["base", "new", "control"].map(|name| Program::of(name.as_ref()));
    let machine = SimulatedMachine::new(seed)
        .with_program(&base, kernels(noise, 1.0))
        .with_program(&new, kernels(noise, slower))
        .with_program(&control, kernels(noise, 1.0));
    let settings = ComparisonSettings { seed, ..ComparisonSettings::of_blocks(None) };
    results::outcome(&measured(&machine, settings))
}

/// Measures the programs `base` and `new` of a machine until they are decided.
fn measured(machine: &SimulatedMachine, settings: ComparisonSettings) -> ComparisonRecord {
    let [base, new, control] = ["base", "new", "control"].map(|name| Program::of(name.as_ref()));
    let common =
        |case| CommonCase { base: Clone::clone(&case), new: case, margin: MARGIN, later: false };
    let subject = Subject {
        name: String::new(),
        common: list(machine, &base).unwrap().into_iter().map(common).collect(),
        versions: Versions { base, new, control: Some(control) },
        layouts: None,
    };
    let settings =
        ComparisonSettings { margin: MARGIN, alpha: ALPHA, max_seconds: Some(600.0), ..settings };
    let side = |name: &str| SideRecord { name: name.to_owned(), manifest: Manifest::of_machine() };
    let record = ComparisonRecord::new(settings, side("base"), side("new"));
    compare_until_decided(machine, &[subject], record, &mut Silent)
}

/// The findings in many suites.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    suites: usize,
    verdicts: usize,
    /// Suites with a verdict that is not true.
    alarms: usize,
    /// Verdicts that nothing has changed, of what has not.
    same: usize,
    /// Slower kernels that were found, and their number.
    slower: (usize, usize),
    /// Estimates outside of their own interval.
    outside: usize,
    /// Verdicts that contradict their printed interval.
    contradictory: usize,
    /// Suites with an interval that does not contain the truth.
    missed: usize,
    /// Suites of which no verdict is trusted.
    unreliable: usize,
}

fn add(a: Found, b: Found) -> Found {
    Found {
        suites: a.suites + b.suites,
        verdicts: a.verdicts + b.verdicts,
        alarms: a.alarms + b.alarms,
        same: a.same + b.same,
        slower: (a.slower.0 + b.slower.0, a.slower.1 + b.slower.1),
        outside: a.outside + b.outside,
        contradictory: a.contradictory + b.contradictory,
        missed: a.missed + b.missed,
        unreliable: a.unreliable + b.unreliable,
    }
}

fn look(outcome: &Outcome, slower: bool) -> Found {
    let mut found = Found { suites: 1, ..Found::default() };
    let (mut alarm, mut missed) = (false, false);
    for (index, row) in outcome.cases.iter().flat_map(|case| &case.rows).enumerate() {
        found.verdicts += 1;
        found.outside += usize::from(!is_inside(row));
        found.contradictory += usize::from(!is_borne_out(row));
        let truth = if slower && index == 0 { 1.0 / SLOWER } else { 1.0 };
        missed |= row.judgement.interval.is_some_and(|interval| !interval.contains(truth));
        let verdict = row.judgement.verdict;
        if slower && index == 0 {
            found.slower = (usize::from(verdict == Verdict::Slower), 1);
            // Beyond the margin, "same" is as wrong as "faster".
            alarm |= matches!(verdict, Verdict::Faster | Verdict::WithinMargin);
        } else {
            alarm |= matches!(verdict, Verdict::Slower | Verdict::Faster);
            found.same += usize::from(verdict == Verdict::WithinMargin);
        }
    }
    (found.alarms, found.missed) = (usize::from(alarm), usize::from(missed));
    let fails = |_: &CaseResult, row: &RowResult| row.judgement.verdict == Verdict::Slower;
    found.unreliable = usize::from(outcome.exit_code(|_| true, fails) == exit::UNRELIABLE);
    found
}

fn is_inside(row: &RowResult) -> bool {
    match (row.judgement.interval, row.speedup) {
        (Some(interval), Some(speedup)) => interval.low <= speedup && speedup <= interval.high,
        _ => true,
    }
}

/// Whether the verdict is the one that the interval that is shown leads to.
fn is_borne_out(row: &RowResult) -> bool {
    let verdict = row.judgement.verdict;
    let Some((low, high)) = row.change_interval() else { return verdict == Verdict::Inconclusive };
    let within = 1.0 + high < 1.0 + MARGIN && 1.0 + low > 1.0 / (1.0 + MARGIN);
    match verdict {
        Verdict::WithinMargin => within,
        Verdict::Slower => low > 0.0 && !within,
        Verdict::Faster => high < 0.0 && !within,
        // A row that contradicts itself proves nothing, whatever its interval.
        Verdict::Inconclusive => (!within && low <= 0.0 && high >= 0.0) || !row.doubts.is_empty(),
    }
}

/// Compares `suites` suites of one model, on all processors.
fn found(number: usize, noise: Noise, suites: usize) -> Found {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let some = |thread: usize| {
        let suites = (thread..suites).step_by(threads);
        suites.fold(Found::default(), |found, suite| {
            // Every fourth suite has a slower kernel.
            let slower = suite % 4 == 3;
            let seed = (number as u64) << 40 | suite as u64;
            let outcome = compared(seed, noise, if slower { SLOWER } else { 1.0 });
            add(found, look(&outcome, slower))
        })
    };
    thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || some(thread))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).fold(Found::default(), add)
    })
}

#[test]
fn verdicts_on_known_truths_keep_what_they_promise() {
    let verdicts: usize = env::var("VERDICTS").ok().map_or(500, |count| count.parse().unwrap());
    let models = models();
    let each = verdicts.div_ceil(SUITE * models.len());
    let mut all = Vec::new();
    for (number, (name, noise)) in models.into_iter().enumerate() {
        let found = found(number, noise, each);
        println!("{name}: {found:?}");
        all.push((name, found));
    }
    println!("in all: {:?}", all.iter().map(|(_, found)| *found).fold(Found::default(), add));
    for (name, found) in all {
        assert_eq!(found.outside, 0, "{name}: estimates outside of their own interval");
        assert_eq!(found.contradictory, 0, "{name}: verdicts that contradict their interval");
        assert_eq!(found.unreliable, 0, "{name}: exit 3, though the control is a copy");
        // Four standard deviations of a binomial above α.
        let n = found.suites as f64;
        let most = ALPHA * n + 4.0 * (ALPHA * (1.0 - ALPHA) * n).sqrt();
        assert!(found.alarms as f64 <= most, "{name}: {} of {n} suites", found.alarms);
        assert!(found.missed as f64 <= most, "{name}: {} of {n} suites", found.missed);
    }
}

/// How many of sixty comparisons of a kernel of four milliseconds with itself, slower by a factor, say that a quantile of its
/// calls changed.
fn changed_quantiles(noise: Noise, slower: f64) -> usize {
    let changed = |seed: &u64| {
        let program = |name: &str| Program::of(name.as_ref());
        let kernel = |slower: f64| vec![Kernel::new("walk", 4e6 * slower).with_noise(noise)];
        let machine = SimulatedMachine::new(*seed)
            .with_program(&program("base"), kernel(1.0))
            .with_program(&program("new"), kernel(slower))
            .with_program(&program("control"), kernel(1.0));
        let settings =
            ComparisonSettings { seed: *seed, ..ComparisonSettings::of_blocks(Some(60)) };
        let outcome = results::outcome(&measured(&machine, settings));
        let measures = &outcome.cases[0].rows[0].measures;
        assert!(measures.iter().any(|measure| measure.name == "p50"), "samples are calls");
        measures.iter().any(results::Measure::has_changed)
    };
    (0..60).filter(changed).count()
}

#[test]
fn quantiles_change_with_the_code_and_not_with_the_speed_of_processes() {
    // Half of the processes take twice as long, as kernels do whose threads share a core or do not.
    let two_speeds = Noise { second_mode: (0.5, 0.7), ..Noise::quiet() };
    // One in twenty may be, and four standard deviations of that.
    let false_alarms = changed_quantiles(two_speeds, 1.0);
    assert!(false_alarms <= 9, "{false_alarms} of 60");
    let found = changed_quantiles(Noise::quiet(), 1.1);
    assert!(found >= 57, "{found} of 60");
}

/// Comparisons of one kernel with itself 3 % slower, where one process in fourteen is in a mode that is slower by a
/// quarter, as sorts are by what a processor has learnt of their branches.
fn compared_with_modes(seed: u64, time_ns: f64, wished: Option<u32>) -> ComparisonRecord {
    let noise = Noise { process: 0.015, second_mode: (0.07, 0.22), ..Noise::quiet() };
    let program = |name: &str| Program::of(name.as_ref());
    let kernel = |slower: f64| vec![Kernel::new("sort", time_ns * slower).with_noise(noise)];
    let machine = SimulatedMachine::new(seed)
        .with_program(&program("base"), kernel(1.0))
        .with_program(&program("new"), kernel(1.03))
        .with_program(&program("control"), kernel(1.0));
    let settings = ComparisonSettings { seed, ..ComparisonSettings::of_blocks(wished) };
    measured(&machine, settings)
}

#[test]
fn a_rare_mode_of_processes_hides_no_slowdown_of_three_percent() {
    let slower = (0..60).filter(|&seed| {
        let outcome = results::outcome(&compared_with_modes(seed, 2e4, Some(60)));
        outcome.cases[0].rows[0].judgement.verdict == Verdict::Slower
    });
    let slower = slower.count();
    assert!(slower >= 57, "{slower} of 60");
}

#[test]
fn a_change_as_large_as_the_margin_is_given_up_before_its_time_is_over() {
    let noise = Noise { process: 0.02, ..Noise::quiet() };
    let (mut all, mut wrong) = (0, 0);
    for seed in 0..20 {
        let program = |name: &str| Program::of(name.as_ref());
        let kernel = |slower: f64| vec![Kernel::new("sort", 2e4 * slower).with_noise(noise)];
        let machine = SimulatedMachine::new(seed)
            .with_program(&program("base"), kernel(1.0))
            .with_program(&program("new"), kernel(1.0 + MARGIN))
            .with_program(&program("control"), kernel(1.0));
        let record = measured(&machine, ComparisonSettings::of_blocks(None));
        let outcome = results::outcome(&record);
        let row = &outcome.cases[0].rows[0];
        // Ten seconds would be more than three hundred blocks.
        assert!((6..=200).contains(&row.blocks.len()), "{} blocks", row.blocks.len());
        wrong += usize::from(
            row.judgement.beyond_margin || row.judgement.verdict == Verdict::WithinMargin,
        );
        assert!(row.judgement.minimum_detectable_effect.is_some(), "what it would have seen");
        all += row.blocks.len();
    }
    assert!(all < 20 * 100, "{all} blocks");
    // One in twenty may be, and four standard deviations of that.
    assert!(wrong <= 4, "{wrong} of 20");
    let long = compared_with_modes(1, 2e7, None).cases[0].blocks.len();
    assert!(long <= 60, "{long}: blocks of 0.8 s");
}

#[test]
fn a_benchmark_has_its_own_time_however_many_share_its_process() {
    let further = |seed: &u64| {
        let kernels = |slower: f64| -> Vec<Kernel> {
            let scattered = Noise { process: 0.08, ..Noise::quiet() };
            let others = (0..39).map(|row| Kernel::new(&format!("k{row}"), 2e6));
            let one = Kernel::new("scattered", 2e6 * slower).with_noise(scattered);
            others.chain([one]).map(|kernel| kernel.described(|case| case.table = 0)).collect()
        };
        let machine = SimulatedMachine::new(*seed)
            .with_program(&Program::of("base".as_ref()), kernels(1.0))
            .with_program(&Program::of("new".as_ref()), kernels(1.05))
            .with_program(&Program::of("control".as_ref()), kernels(1.0));
        let settings = ComparisonSettings { seed: *seed, ..ComparisonSettings::of_blocks(None) };
        let outcome = results::outcome(&measured(&machine, settings));
        let row = &outcome.cases[39].rows[0];
        assert_eq!(row.judgement.verdict, Verdict::Slower, "{} blocks", row.blocks.len());
        // Blocks of all forty take two seconds: ten would be five of them.
        row.blocks.len() > 60
    };
    let further = (0..10).filter(further).count();
    assert!(further >= 5, "{further} of 10");
}

/// A machine of a suite, and a program of it, by what disturbs it.
fn disturbed() -> [(&'static str, [Noise; 2]); 7] {
    let quiet = Noise::quiet();
    // Each of two processes of a block lies off in half of the blocks that do.
    let off = |share: f64| Noise { second_mode: (share / 2.0, 0.5), ..quiet };
    let one_sided = |share: f64| [quiet, Noise { second_mode: (share, 0.5), ..quiet }];
    [
        ("clean", [quiet; 2]),
        ("3 % off", [off(0.03); 2]),
        ("8 % off", [off(0.08); 2]),
        ("3 % off, one side", one_sided(0.03)),
        ("two speeds", [Noise { second_mode: (0.3, 0.2), ..quiet }; 2]),
        ("drifting", [Noise { drift_per_second: 0.01, ..quiet }; 2]),
        ("autocorrelated", [Noise { machine: 0.05, memory: Duration::from_secs(2), ..quiet }; 2]),
    ]
}

/// The relative change of the typical time of a row of a suite.
fn change_of(row: usize) -> f64 {
    [0.0, 0.0, 0.05, 0.0, -0.04, 0.004][row % 6]
}

/// Compares a suite of this number of rows, with at most 40 blocks each. Returns its rows that were decided rightly,
/// whether any was wrong, and the estimates outside of their intervals.
fn suite(seed: u64, rows: usize, [base, new]: [Noise; 2]) -> (usize, bool, usize) {
    let program = |name: &str| Program::of(name.as_ref());
    let kernels = |noise: Noise, changed: bool| -> Vec<Kernel> {
        let kernel = |row: usize| {
            let change = if changed { change_of(row) } else { 0.0 };
            let kernel = Kernel::new(&format!("k{row}"), 5e5 * (1.0 + change)).with_noise(noise);
            kernel.described(|case| case.table = row)
        };
        (0..rows).map(kernel).collect()
    };
    let machine = SimulatedMachine::new(seed)
        .with_program(&program("base"), kernels(base, false))
        .with_program(&program("new"), kernels(new, true))
        .with_program(&program("control"), kernels(base, false));
    let settings = ComparisonSettings { seed, ..ComparisonSettings::of_blocks(Some(40)) };
    let outcome = results::outcome(&measured(&machine, settings));
    let (mut right, mut wrong, mut outside) = (0, false, 0);
    for (index, row) in outcome.cases.iter().flat_map(|case| &case.rows).enumerate() {
        let change = change_of(index);
        let is_true = match row.judgement.verdict {
            Verdict::Slower => change > 0.0,
            Verdict::Faster => change < 0.0,
            Verdict::WithinMargin => change.abs() < MARGIN,
            Verdict::Inconclusive => false,
        };
        right += usize::from(is_true);
        wrong |= !is_true && row.judgement.verdict != Verdict::Inconclusive;
        outside += usize::from(!is_inside(row));
    }
    (right, wrong, outside)
}

/// Compares as many suites as `SUITES` says, of 1 to 100 rows. A hundred thousand take more than an hour on two processors:
/// `SUITES=100000 cargo test --release -p plusminus-runner --all-features --config profile.release.package.plusminus-runner.opt-level=3
/// --config profile.release.package.plusminus-analysis.opt-level=3 --test simulated_comparisons suites -- --nocapture`
#[test]
fn suites_of_any_size_are_decided_rightly_within_forty_blocks() {
    let asked = env::var("SUITES").ok().map(|count| count.parse::<usize>().unwrap());
    let (suites, largest) = asked.map_or((140, 12), |suites| (suites, 100));
    let models = disturbed();
    let each = suites.div_ceil(models.len());
    for (number, (name, noises)) in models.into_iter().enumerate() {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let some = |thread: usize| {
            let mut sum = [0; 4];
            for index in (thread..each).step_by(threads) {
                let rows = 1 + (index * 37) % largest;
                let (right, wrong, outside) =
                    suite((number * 10_000_019 + index) as u64, rows, noises);
                let found = [rows, right, usize::from(wrong), outside];
                sum.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
            }
            sum
        };
        let [rows, right, wrong, outside] = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || some(thread))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).fold([0; 4], |mut sum, one| {
                sum.iter_mut().zip(one).for_each(|(sum, found)| *sum += found);
                sum
            })
        });
        let share = right as f64 / rows as f64;
        println!(
            "{name}: {each} suites, {wrong} with a wrong verdict; {rows} rows, {share:.4} right"
        );
        assert_eq!(outside, 0, "{name}: estimates outside of their own interval");
        let n = each as f64;
        let most = ALPHA * n + 4.0 * (ALPHA * (1.0 - ALPHA) * n).sqrt();
        assert!(wrong as f64 <= most, "{name}: {wrong} of {n} suites");
        // Of the others only errors count here: forty blocks are too few for them.
        let least = match name {
            "clean" | "3 % off" | "3 % off, one side" => 0.95,
            "drifting" | "autocorrelated" => 0.9,
            _ => continue,
        };
        assert!(share >= least, "{name}: {share}");
    }
}

#[test]
fn times_and_change_of_a_row_agree() {
    for (_, noise) in models() {
        let outcome = compared(5, noise, 1.02);
        for row in outcome.cases.iter().flat_map(|case| &case.rows) {
            let [base, new] =
                row.times.as_ref().unwrap().each_ref().map(|time| time.estimate.value);
            let change = row.change().unwrap();
            assert!((new / base - 1.0 - change).abs() < 1e-9, "{base} → {new}, {change}");
        }
    }
}

#[test]
fn a_sentence_has_one_confidence_and_one_direction() {
    for (seed, slower) in [(1, 1.6), (2, 4.0), (3, 1.0 / 1.6), (4, 0.2)] {
        let outcome = compared(seed, Noise::quiet(), slower);
        let (case, row) = (&outcome.cases[0], &outcome.cases[0].rows[0]);
        let (low, high) = row.change_interval().unwrap();
        let sentence = report::row_sentence(case, row, ALPHA);
        // A change that is "at least" is the nearer end of the printed interval, as a part of the time of base.
        let least = match slower > 1.0 {
            true => format!("is at least {} slower: time +", percent(low)),
            false => {
                format!("is faster, by at least {} of the time of base: time −", percent(-high))
            }
        };
        assert!(sentence.contains(&least), "{least}: {sentence}");
        let (_, ends) =
            report::change_with_interval(row.change().unwrap(), (low, high), row.margin);
        let interval = format!("(95 % interval {ends})");
        assert!(sentence.contains(&interval), "{interval}: {sentence}");
        // A failed check takes the verdict back, whatever the interval says: the sentence names it.
        let mut doubtful = row.clone();
        doubtful.judgement.verdict = Verdict::Inconclusive;
        doubtful.doubts.push(Doubt::Drift { t: 5.0 });
        let sentence = report::row_sentence(case, &doubtful, ALPHA);
        assert!(sentence.contains(" is inconclusive (drift): "), "{sentence}");
    }
}
