//! The study of Apex-MAP: it is of the suite's problems, known machines are recovered, a real record agrees with an independent program, and
//! variants are ranked by what makes them unpredictable.

use std::sync::OnceLock;

use cargo_plusminus::study::apex::{
    Calibration, DECLARED, MICRO_KERNELS, Sample, Study, Sweep, ranking, sweeps,
};
use cargo_plusminus::study::measured::{Measured, measured, system_of};
use plusminus::Problem;
use plusminus::record::{self, Record};
use plusminus_analysis::Estimate;
use plusminus_analysis::apex_map::ApexModel;
use plusminus_analysis::random::Random;
use plusminus_suite::apex_map::{ApexMap, Locality, Parameters, parallel::ParallelApexMap};
use plusminus_suite::micro;

const WORDS: usize = 64 << 17;

/// A machine with two levels, l₁ = 4, g₁ = 0.5, l₂ = 120, g₂ = 2 ns and c = 256 KiB, measured with this much noise.
fn machine(name: &str, noise: f64, seed: u64) -> Sweep {
    let mut random = Random::new(seed);
    let samples = Locality::sweep()
        .map(|locality| {
            let (length, hit) =
                (locality.block_words as f64, (32_768.0 / WORDS as f64).powf(locality.alpha));
            let near = (4.0 + 0.5 * (length - 1.0)) / length;
            let far = (120.0 + 2.0 * (length - 1.0)) / length;
            let time = (hit * near + (1.0 - hit) * far) * (noise * random.normal()).exp();
            let Locality { alpha, block_words } = locality;
            Sample { alpha, block_words, seconds_per_access: time * 1e-9, rsu: noise }
        })
        .collect();
    Sweep::new(name, "64MiB", WORDS, samples)
}

fn study(sweep: Sweep) -> Study {
    Study::of(sweep).unwrap()
}

/// Measured on a busy machine and cut down to one sample for each of two runs: data to compute with, no result.
fn record() -> Record {
    record::read(&plusminus_tests::workspace().join("tests/records/apex_map.json")).unwrap()
}

/// Fitted once: with leave-one-out it is the dearest part of these tests.
fn studies_of_record() -> Vec<Study> {
    static STUDIES: OnceLock<Vec<Study>> = OnceLock::new();
    let fit = || sweeps(&measured(&record())).unwrap().into_iter().map(study).collect();
    STUDIES.get_or_init(fit).clone()
}

#[test]
fn a_known_machine_is_recovered_within_its_uncertainties() {
    for seed in 0..3 {
        let study = study(machine("invented", 0.05, seed));
        let combined = &study.model(ApexModel::Combined).fit;
        assert_eq!(combined.capacity, Some(32_768.0), "seed {seed}");
        for (found, truth) in combined.coefficients.iter().zip([4.0, 0.5, 120.0, 2.0]) {
            let off = (found.value - truth).abs() / found.u.unwrap();
            assert!(off < 4.0, "seed {seed}: {found:?} instead of {truth}");
        }
        // 5 % of noise is what is left.
        let pc = study.model(ApexModel::Combined).complexity;
        assert!((pc.pc_a - 0.05).abs() < 0.01, "seed {seed}: {}", pc.pc_a);
        assert!(pc.noise.unwrap().pc_a_corrected < 0.02, "seed {seed}");
    }
}

#[test]
fn each_model_that_knows_more_is_nearer_and_a_perfect_one_is_called_so() {
    let study = study(machine("invented", 0.05, 1));
    let pc = ApexModel::ALL.map(|model| study.model(model).complexity.pc_a);
    assert!(pc[0] > pc[1] && pc[0] > pc[2] && pc[1] > pc[3] && pc[2] > pc[3], "{pc:?}");
    let noisier: Vec<Sample> =
        study.sweep.samples.iter().map(|sample| Sample { rsu: 0.07, ..*sample }).collect();
    let doubted = Study::of(Sweep { samples: noisier, ..study.sweep.clone() }).unwrap();
    let text = doubted.to_string();
    let marked: Vec<&str> =
        text.lines().filter(|line| line.contains("not distinguishable")).collect();
    assert!(marked.len() == 1 && marked[0].starts_with("  3 both"), "{text}");
}

#[test]
fn residuals_belong_to_their_configurations() {
    let mut sweep = machine("invented", 0.0, 1);
    let odd = sweep
        .samples
        .iter()
        .position(|sample| (sample.alpha, sample.block_words) == (0.25, 64))
        .unwrap();
    sweep.samples[odd].seconds_per_access *= 2.0;
    let study = study(sweep);
    let residuals = &study.model(ApexModel::Combined).residuals;
    for (index, residual) in residuals.iter().enumerate() {
        assert_eq!(*residual > 0.3, index == odd, "{index}: {residual}");
    }
    let map: Vec<String> = study.to_string().lines().map(str::to_string).collect();
    let row = map.iter().find(|line| line.trim_start().starts_with("0.25 ")).unwrap();
    let cell: f64 = row.split_whitespace().nth(1 + 6).unwrap().parse().unwrap();
    assert!(cell > 80.0, "{row}");
}

/// The same record through another program: Levenberg–Marquardt on logarithms in Python, c at the same places.
#[test]
fn a_real_record_agrees_with_an_independent_program() {
    let expected: [(&str, [f64; 4], f64, [f64; 4]); 3] = [
        (
            "nested_scalar",
            [0.979930, 0.873718, 0.477871, 0.211309],
            64.0,
            [1.999632, 0.798937, 17.289508, 1.091047],
        ),
        (
            "fused_array",
            [1.282747, 1.077680, 0.776462, 0.364873],
            8192.0,
            [1.638505, 0.857468, 38.529410, 1.276388],
        ),
        (
            "nested_array",
            [2.269955, 1.841419, 0.856184, 0.226474],
            256.0,
            [2.117632, 0.173797, 23.310947, 0.515540],
        ),
    ];
    let studies = studies_of_record();
    assert_eq!(studies.len(), 3);
    for (name, pc, capacity, coefficients) in expected {
        let study = studies.iter().find(|study| study.sweep.variant.ends_with(name)).unwrap();
        for (model, expected) in ApexModel::ALL.into_iter().zip(pc) {
            let found = study.model(model).complexity.pc_a;
            assert!((found - expected).abs() < 2e-6, "{name} {model:?}: {found}, not {expected}");
        }
        let combined = study.model(ApexModel::Combined);
        assert_eq!(combined.capacity_bytes(), Some(capacity), "{name}");
        assert_eq!(combined.capacity_at_bound, capacity == 64.0, "{name}");
        for (found, expected) in combined.fit.coefficients.iter().zip(coefficients) {
            let found = found.value;
            assert!((found / expected - 1.0).abs() < 1e-4, "{name}: {found}, not {expected}");
        }
    }
}

#[test]
fn sweeps_of_a_record_have_their_memory_runs_and_times() {
    let record = record();
    for sweep in sweeps(&measured(&record)).unwrap() {
        assert_eq!((sweep.memory_words, sweep.samples.len()), (WORDS, 170));
        assert_eq!(sweep.run_means.len(), 2);
        let case = record.cases.iter().find(|case| case.function == sweep.variant).unwrap();
        // The last configuration by hand: two runs of one sample each, 2^20 words a call.
        let times: Vec<f64> = case
            .measurements
            .iter()
            .filter(|measurement| measurement.instance == 169)
            .map(|measurement| measurement.wall_ns[0] as f64 / measurement.calls as f64)
            .collect();
        let expected = (times[0] + times[1]) / 2.0 * 1e-9 / f64::from(1 << 20);
        let found = sweep.samples[169];
        assert_eq!((found.alpha, found.block_words), (0.001, 65_536));
        assert!((found.seconds_per_access / expected - 1.0).abs() < 1e-12);
        let rsu = (times[0] - times[1]).abs() / (times[0] + times[1]);
        assert!((found.rsu - rsu).abs() < 1e-12, "{} {rsu}", found.rsu);
    }
}

#[test]
fn a_parallel_sweep_is_seen_from_one_processor() {
    let mut record = record();
    record.cases.truncate(1);
    let case = &mut record.cases[0];
    case.function = "apex_map::parallel::message".to_string();
    case.problem = Some("apex_map::parallel::ParallelApexMap".to_string());
    let serial = sweeps(&measured(&self::record())).unwrap().remove(0);
    case.point = "32MiB,p=2".to_string();
    case.processors = 2;
    case.size = ParallelApexMap::size(&"32MiB,p=2".parse().unwrap());
    let parallel = sweeps(&measured(&record)).unwrap().remove(0);
    assert_eq!(parallel.memory_words, WORDS);
    let ratio = parallel.samples[5].seconds_per_access / serial.samples[5].seconds_per_access;
    assert!((ratio - 2.0).abs() < 1e-12, "two processors worked for the whole call: {ratio}");
}

#[test]
fn what_is_no_sweep_is_named() {
    let mut record = record();
    record.cases[0].instances[3].name = "alpha=7,L=1".to_string();
    let error = sweeps(&measured(&record)).unwrap_err();
    assert!(error.contains("alpha=7,L=1"), "{error}");
    record.cases[0].instances[3].name = "alpha=1,L=8".to_string();
    record.cases[0].size = None;
    let error = sweeps(&measured(&record)).unwrap_err();
    assert!(error.contains("nested_scalar") && error.contains("`size`"), "{error}");
    record.cases.drain(..3);
    assert_eq!(sweeps(&measured(&record)).unwrap(), []);
    let mut negative = machine("invented", 0.1, 3);
    negative.samples[17].rsu = f64::NAN;
    let error = Study::of(negative).unwrap_err().to_string();
    assert!(error.contains("position 17"), "{error}");
}

#[test]
fn the_quieter_variant_ranks_first_and_equal_ones_share_the_chances() {
    let studies: Vec<Study> = [("rough", 0.3, 1), ("smooth", 0.05, 2), ("also rough", 0.3, 3)]
        .map(|(name, noise, seed)| study(machine(name, noise, seed)))
        .into();
    let ranking = ranking(&studies, ApexModel::Combined, 7).unwrap();
    assert_eq!(ranking.ranked[0].variant, "smooth");
    assert_eq!(ranking.ranked[0].lowest, 1.0);
    for ranked in &ranking.ranked {
        // The standard error of a root mean square over 170 normal residuals r is r/√(2·170).
        let expected = (1.0 + ranked.pc_a.value) * (1.0 + ranked.pc_a.value).ln() / 340f64.sqrt();
        let found = ranked.pc_a.u.unwrap();
        assert!((0.6..1.6).contains(&(found / expected)), "{}: {found}", ranked.variant);
        assert_eq!(ranked.speedup, None, "no runs, no speedup");
    }
    let again = cargo_plusminus::study::apex::ranking(&studies, ApexModel::Combined, 7);
    assert_eq!(again.unwrap(), ranking, "the same seed gives the same σ");
    let pair = cargo_plusminus::study::apex::ranking(
        &[studies[0].clone(), studies[2].clone()],
        ApexModel::Combined,
        7,
    )
    .unwrap();
    let chances: f64 = pair.ranked.iter().map(|ranked| ranked.lowest).sum();
    assert!((chances - 1.0).abs() < 1e-9 && pair.ranked[1].lowest > 0.001, "{pair}");
}

#[test]
fn only_sweeps_over_the_same_configurations_can_be_ranked() {
    let whole = study(machine("whole", 0.1, 1));
    let mut part = machine("part", 0.1, 2);
    part.samples.truncate(160);
    let error = ranking(&[whole, study(part)], ApexModel::Flat, 1).unwrap_err().to_string();
    assert!(error.contains("same configurations"), "{error}");
    assert!(ranking(&[], ApexModel::Flat, 1).is_err());
}

#[test]
fn speed_stands_beside_transparency() {
    let studies = studies_of_record();
    let ranking = ranking(&studies, ApexModel::Combined, 101).unwrap();
    let base = studies[0].sweep.run_means.iter().sum::<f64>();
    for ranked in &ranking.ranked {
        let study = studies.iter().find(|study| study.sweep.variant == ranked.variant).unwrap();
        match &ranked.speedup {
            None => assert_eq!(ranked.variant, studies[0].sweep.variant),
            Some(speedup) => {
                let expected = base / study.sweep.run_means.iter().sum::<f64>();
                assert!((speedup.value / expected - 1.0).abs() < 1e-12);
                assert!(speedup.u.is_some());
            }
        }
    }
    let text = ranking.to_string();
    assert!(text.contains("nested_scalar") && text.contains("1 (base)"), "{text}");
}

#[test]
fn coefficients_are_compared_with_the_kernels_that_measure_the_same() {
    let calibration = Calibration::of(&measured(&record()));
    let studies = studies_of_record();
    let checks = |study: &Study| -> Vec<(String, String)> {
        let checks = calibration.check(study);
        checks.iter().map(|check| (check.coefficient.to_string(), check.measure.clone())).collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
    };
    assert_eq!(
        checks(&studies[0]),
        pairs(&[
            ("l₁", "independent read, 16KiB"),
            ("g₁", "running sum, each word, 256KiB"),
            ("l₂", "independent read, 64MiB"),
            ("g₂", "running sum, each word, 128MiB"),
        ])
    );
    assert_eq!(checks(&studies[1])[3], pairs(&[("g₂", "copy, each word, 128MiB")])[0]);
    assert_eq!(checks(&studies[2]).len(), 2, "nothing does what the fused array form does");
    let mut message = studies[0].clone();
    message.sweep.variant = "apex_map::parallel::message".to_string();
    for (processors, far) in [
        (1, "independent read, 64MiB"),
        (2, "round trip, polling, 8B"),
        (16, "round trip, polling, 8B"),
    ] {
        message.sweep.processors = processors;
        assert_eq!(checks(&message)[2].1, far, "{processors}");
    }
    assert!(Calibration::default().check(&studies[0]).is_empty());
    let check = &calibration.check(&studies[0])[0];
    assert!(check.within_factor_two && (check.ratio() - 1.48).abs() < 0.01, "{check}");
}

/// The name of a problem in records: the path of its type without the crate.
fn problem_of<P: Problem>() -> &'static str {
    let full = std::any::type_name::<P>();
    full.split_once("::").map_or(full, |(_, path)| path)
}

#[test]
fn what_the_suite_declares_is_what_the_study_looks_for() {
    assert_eq!(ApexMap::models(), [DECLARED]);
    assert_eq!(ParallelApexMap::models(), [DECLARED]);
    let point: Parameters = "64MiB".parse().unwrap();
    assert_eq!(ApexMap::size(&point), Some(WORDS as f64));
    assert_eq!(ParallelApexMap::size(&"32MiB,p=2".parse().unwrap()), Some(WORDS as f64));
    let micro_kernels = [
        problem_of::<micro::RandomReads>(),
        problem_of::<micro::Bandwidth>(),
        problem_of::<micro::RoundTrip>(),
    ];
    assert_eq!(micro_kernels, MICRO_KERNELS);
}

#[test]
fn a_capacity_that_is_given_is_kept_and_not_fitted() {
    let sweep = machine("invented", 0.05, 1);
    let sought = Study::with_capacities(sweep.clone(), &[1024.0, 32_768.0, 1e6]).unwrap();
    let given = Study::with_capacities(sweep.clone(), &[32_768.0]).unwrap();
    let [sought, kept] = [&sought, &given].map(|study| study.model(ApexModel::Combined));
    assert_eq!([sought.fit.capacity, kept.fit.capacity], [Some(32_768.0); 2]);
    assert!(!sought.capacity_at_bound && !kept.capacity_at_bound);
    assert_eq!(sought.complexity.pc_a, kept.complexity.pc_a);
    // One coefficient less to pay for.
    assert!(kept.complexity.pc_a_adjusted < sought.complexity.pc_a_adjusted);
    let edge = Study::with_capacities(sweep.clone(), &[1e6, 32_768.0]).unwrap();
    assert!(edge.model(ApexModel::Combined).capacity_at_bound);
    for wrong in [&[][..], &[0.0], &[f64::NAN]] {
        assert!(Study::with_capacities(sweep.clone(), wrong).is_err(), "{wrong:?}");
    }
}

/// Random reads of working sets in KiB, in nanoseconds, on a system.
fn reads(times: &[(u64, f64)], system: &str) -> Vec<Measured> {
    let read = |&(kibibytes, nanoseconds): &(u64, f64)| Measured {
        variant: format!("micro::reads::random_reads{system}"),
        problem: problem_of::<micro::RandomReads>().to_owned(),
        point: format!("{kibibytes}KiB"),
        size: None,
        models: Vec::new(),
        instance: "independent".to_owned(),
        processors: 1,
        call: Estimate { value: nanoseconds * 1e-9, u: None, degrees_of_freedom: None },
        runs: Vec::new(),
        work: 1.0,
    };
    times.iter().map(read).collect()
}

#[test]
fn random_reads_show_the_capacity_of_the_fast_level() {
    let capacity = |times: &[(u64, f64)]| Calibration::of(&reads(times, "")).capacity_bytes();
    // Halfway between 1 and 16 ns is 4 ns.
    let steps = [(16, 1.0), (64, 1.1), (256, 1.3), (1024, 3.9), (4096, 6.0), (65_536, 16.0)];
    assert_eq!(capacity(&steps), Some(1024 << 10));
    let mut shuffled = steps;
    shuffled.reverse();
    assert_eq!(capacity(&shuffled), Some(1024 << 10));
    assert_eq!(capacity(&[(16, 1.0), (64, 1.1), (256, 1.3)]), None, "one level");
    assert_eq!(capacity(&steps[..1]), None);
    assert_eq!(capacity(&[]), None);
}

/// Micro-kernels of a system that has a name are found by their function.
#[test]
fn a_system_in_the_name_does_not_hide_what_was_measured() {
    let on = |system: &str| -> Vec<Measured> {
        let named = |one: Measured| Measured { variant: one.variant + system, ..one };
        measured(&record()).into_iter().map(named).collect()
    };
    let mut study = studies_of_record()[1].clone();
    let plain = Calibration::of(&on("")).check(&study);
    study.sweep.variant += " @ a @ b";
    assert_eq!(Calibration::of(&on(" @ a @ b")).check(&study), plain);
    assert_eq!(system_of(&study.sweep.variant), Some("a @ b"));
    let (word, byte) = Calibration::of(&on(" @ x")).peak_ns().unwrap();
    assert!(word > 0.0 && byte > 0.0 && byte < word, "{word} {byte}");
}
