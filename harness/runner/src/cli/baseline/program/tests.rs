//! Tests of baselines that are measured in pairs, and of the messages when that is impossible.

use super::*;
use crate::{
    analysis::verdict::Verdict,
    engine::{
        Random, Silent,
        simulated::{Fault, Kernel, Noise, SimulatedMachine},
    },
    output::Scratch,
    results::{self, BaselineComparison, ProgramComparison},
};
use plusminus_worker::exit;

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

fn compared(seed: u64, kernels: [Vec<Kernel>; 2]) -> Result<ProgramComparison, String> {
    compared_with(seed, kernels, None)
}

fn compared_with(
    seed: u64,
    kernels: [Vec<Kernel>; 2],
    least_margin: Option<f64>,
) -> Result<ProgramComparison, String> {
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
        least_margin,
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
    Ok(ProgramComparison { outcome: results::outcome(&record), record })
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
            let against = BaselineComparison::Program(Box::new(paired));
            assert_eq!(against.exit_code(), exit::REGRESSION, "seed {seed}");
        }
    }
}

#[test]
fn between_two_layouts_no_change_is_one_that_layouts_make() {
    let exit_code = |paired| BaselineComparison::Program(Box::new(paired)).exit_code();
    for seed in 0..8 {
        let of = |slower| {
            let sides = [1.0, slower].map(|slower| kernels(Noise::quiet(), slower));
            compared_with(seed, sides, Some(LAYOUTS)).unwrap()
        };
        for slower in [1.0 / 1.014, 1.05] {
            let paired = of(slower);
            let row = &paired.outcome.cases[0].rows[0];
            assert_eq!(row.judgement.verdict, Verdict::WithinMargin, "{slower}, seed {seed}");
            assert_eq!(row.margin, LAYOUTS);
            assert_eq!(exit_code(paired), exit::FINE);
        }
        let paired = of(1.25);
        assert_eq!(paired.outcome.cases[0].rows[0].judgement.verdict, Verdict::Slower);
        assert_eq!(exit_code(paired), exit::REGRESSION);
    }
    // About as much as layouts do: no number of blocks makes more of it.
    for seed in 0..8 {
        let sides = [1.0, 1.1].map(|slower| kernels(Noise::busy(), slower));
        let paired = compared_with(seed, sides, Some(LAYOUTS)).unwrap();
        for row in paired.outcome.cases.iter().flat_map(|case| &case.rows) {
            let judgement = row.judgement;
            let changed = matches!(judgement.verdict, Verdict::Slower | Verdict::Faster);
            assert!(!changed || judgement.beyond_margin, "{row:?}");
        }
    }
}

#[test]
fn a_program_against_itself_has_the_margin_asked_for() {
    let folder = Scratch::new("margins");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (old, same, other) = (file("old", "code"), file("same", "code"), file("other", "edoc"));
    assert_eq!(least_margin(&old, &same), None);
    assert_eq!(least_margin(&old, &other), Some(LAYOUTS));
    assert_eq!(least_margin(&old, &folder.join("gone")), Some(LAYOUTS));
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
    assert_eq!(BaselineComparison::Program(Box::new(nothing)).exit_code(), exit::FINE);
}

#[test]
fn a_benchmark_that_fails_in_either_program_is_answered_with_2() {
    let kernel = |name: &str| Kernel::new(name, 1e4).with_noise(Noise::quiet());
    let sick = vec![kernel("a"), kernel("b").failing(0, Fault::Abort)];
    let paired = compared(1, [sick, vec![kernel("a"), kernel("b")]]).unwrap();
    assert!(paired.outcome.cases[1].failure.is_some());
    assert_eq!(paired.outcome.cases[0].rows[0].judgement.verdict, Verdict::WithinMargin);
    assert_eq!(BaselineComparison::Program(Box::new(paired)).exit_code(), exit::FAILED);
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_with_a_reason() {
    let [base, new, _] = programs();
    let machine = SimulatedMachine::new(1).with_program(&new, kernels(Noise::quiet(), 1.0));
    let reason = engine::list(&machine, &base).unwrap_err().to_string();
    assert!(reason.contains("cannot start base"), "{reason}");
}

/// Two sessions of one program, of which only the records are left.
fn stored(seed: u64, [then, now]: [f64; 2], slower: f64) -> results::RecordComparison {
    let sitting = |seed: u64, machine: f64, slower: f64| {
        // The factor by which the machine is slower in this session, for kernels and probes alike.
        let noise = Noise { drift_per_second: 0.0, ..Noise::quiet() };
        let all = kernels(noise, slower).into_iter();
        let all = all.map(|kernel| Kernel { call_ns: machine * kernel.call_ns, ..kernel });
        let simulated = SimulatedMachine::new(seed)
            .with_noise(Noise { sample: 0.003, ..Noise::default() })
            .with_slowness(machine);
        let program = Program::of("only".as_ref());
        let simulated = simulated.with_program(&program, all.collect());
        let cases = engine::list(&simulated, &program).unwrap();
        let configuration = crate::cli::measuring::configuration(&Arguments {
            runs: Some(8),
            seed: Some(seed),
            ..Arguments::default()
        });
        let record = engine::nothing_yet(&cases, &configuration, Manifest::of_machine());
        let system = (&simulated as &dyn Machine, &program);
        engine::measure(&cases, system, &configuration, record, &mut Silent)
    };
    let mut random = Random::new(seed);
    let (a, b) = (random.below(1 << 30) as u64, random.below(1 << 30) as u64);
    let (old, new) = (sitting(a, then, 1.0), sitting(b, now, slower));
    results::compare_records(&new, "old", &old, |_| MARGIN)
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
                assert_eq!(verdict, Verdict::Inconclusive, "{change}: {row:?}");
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
