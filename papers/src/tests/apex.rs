//! Apex-MAP on machines whose law is known.

use clap::Parser;
use plusminus::record::{self, CaseRecord, Record, Role};
use plusminus_analysis::random::Random;
use plusminus_tests::study_support::folder;

use super::{Made, each_can_agree_and_differ, outcomes, record_of};
use crate::{Arguments, Paper, sentence::Outcome};

const ALPHAS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0];

/// A sweep on a machine: l and g of both levels in ns, c in bytes, and the scatter around the law at small, medium and large L.
struct Law {
    function: &'static str,
    near: [f64; 2],
    far: [f64; 2],
    capacity: f64,
    scatter: [f64; 3],
    /// Whether all α and L were measured, in 512 MiB.
    whole: bool,
}

fn case(law: &Law) -> CaseRecord {
    let memory: f64 = if law.whole { 536_870_912.0 } else { 67_108_864.0 };
    let processors = if law.function.contains("parallel") { 2 } else { 1 };
    let mut random = Random::new(7);
    let (mut instances, mut times) = (Vec::new(), Vec::new());
    for (index, alpha) in ALPHAS.iter().enumerate() {
        for power in 0..=16 {
            if !law.whole && (index % 2 == 1 || power % 2 == 1) {
                continue;
            }
            let length = f64::from(1 << power);
            let hit = (law.capacity / memory).powf(*alpha);
            let level = |[l, g]: [f64; 2]| (l + g * (length - 1.0)) / length;
            let off = law.scatter[3 * power / 17] * random.normal();
            times.push((hit * level(law.near) + (1.0 - hit) * level(law.far)) * off.exp());
            let work = vec![("accesses".to_owned(), processors as f64)];
            instances.push((format!("alpha={alpha},L={length}"), work));
        }
    }
    Made {
        function: law.function,
        problem: if processors == 2 { "apex_map::ParallelApexMap" } else { "apex_map::ApexMap" },
        point: if processors == 2 { "made,p=2" } else { "made" }.to_owned(),
        size: Some(memory / 8.0),
        role: Role::Contender,
        processors,
        models: &["apex-map"],
        instances,
        times: vec![times; 2],
    }
    .case()
}

/// The micro-kernels of the kept record, which fitted coefficients are set against.
fn micro() -> Vec<CaseRecord> {
    let path = plusminus_tests::workspace().join("tests/records/apex_map.json");
    let mut cases = record::read(&path).unwrap().cases;
    cases.retain(|case| case.function.starts_with("micro::"));
    cases
}

fn record(laws: &[Law]) -> Record {
    record_of(laws.iter().map(case).chain(micro()).collect())
}

const SERIAL: &str = "apex_map::serial::fused_array";
const ELEMENTS: &str = "apex_map::parallel::shared_array";
const BLOCKS: &str = "apex_map::parallel::block_copy";
const MESSAGES: &str = "apex_map::parallel::message";

/// Parallel styles by what is far, and their scatter.
fn styles(elements: (f64, f64), blocks: (f64, f64), messages: (f64, f64)) -> Vec<Law> {
    [(ELEMENTS, elements), (BLOCKS, blocks), (MESSAGES, messages)]
        .map(|(function, (far, scatter))| Law {
            function,
            near: [far / 100.0, 0.6],
            far: [far, 0.6],
            capacity: 1e8,
            scatter: [scatter; 3],
            whole: true,
        })
        .into()
}

fn serial(near: [f64; 2], far: [f64; 2], capacity: f64, scatter: [f64; 3], whole: bool) -> Law {
    Law { function: SERIAL, near, far, capacity, scatter, whole }
}

#[test]
fn each_sentence_can_agree_and_differ() {
    let mut as_printed = styles((3e4, 0.1), (6e4, 0.02), (9e4, 0.2));
    as_printed.push(serial([4.0, 0.7], [90.0, 1.4], 262_144.0, [0.02, 0.2, 0.02], true));
    // Time depends on temporal locality alone, and messages are the flattest.
    let flat = |function, far: f64, scatter: f64| Law {
        function,
        near: [2e3, 2e3],
        far: [far, far],
        capacity: 1.6e7,
        scatter: [scatter; 3],
        whole: false,
    };
    let mut opposite =
        vec![flat(ELEMENTS, 9e4, 0.02), flat(BLOCKS, 6e4, 0.1), flat(MESSAGES, 2e4, 0.02)];
    opposite.push(serial([900.0, 900.0], [3e6, 3e6], 16_777_216.0, [0.2, 0.02, 0.2], true));
    // Blocks of any memory alike: nothing but L matters.
    let lengths = Law {
        function: ELEMENTS,
        near: [500.0, 0.6],
        far: [500.0, 0.6],
        capacity: 1.6e7,
        scatter: [0.05; 3],
        whole: false,
    };
    let alone = serial([500.0, 0.6], [500.0, 0.6], 262_144.0, [0.05; 3], false);
    // The latencies and gaps of the micro-kernels.
    let plausible = serial([1.3, 0.8], [27.0, 1.4], 262_144.0, [0.02; 3], true);
    let records =
        [record(&as_printed), record(&opposite), record(&[lengths, alone]), record(&[plausible])];
    each_can_agree_and_differ(Paper::Pc, "pc", &records);
}

/// Each sentence about styles is of one model. Messages are highest under model 0, and blocks lowest under model 3: on the
/// same machine, neither is so under the other model.
#[test]
fn a_sentence_is_about_its_own_model() {
    let laws = styles((4e4, 0.3), (1e5, 0.02), (2e5, 0.1));
    let found = outcomes(Paper::Pc, "pc_models", &record(&laws));
    for name in ["messages-model-0", "elements-model-0", "blocks-model-3"] {
        assert_eq!(found[name], Outcome::Agrees, "{name}");
    }
    let other = styles((1e5, 0.02), (4e4, 0.3), (2e4, 0.1));
    let found = outcomes(Paper::Pc, "pc_other_models", &record(&other));
    for name in ["messages-model-0", "elements-model-0", "blocks-model-3"] {
        assert_eq!(found[name], Outcome::Differs, "{name}");
    }
}

/// `NAME=RECORD` twice: the page ranks variants on both systems, and describes its residuals.
#[test]
fn systems_are_ranked_on_a_page() {
    let folder = folder("papers_systems");
    let law = |scatter: f64| serial([4.0, 0.7], [90.0, 1.4], 262_144.0, [scatter; 3], true);
    let paths = [("alone", 0.02), ("busy", 0.2)].map(|(name, scatter)| {
        let path = folder.join(format!("{name}.json"));
        record::write(&record(&[law(scatter)]), &path).unwrap();
        format!("{name}={}", path.display())
    });
    let output = folder.to_str().unwrap();
    let arguments = ["plusminus-papers", "pc", "--output", output, "--from", &paths[0], &paths[1]];
    assert_eq!(crate::run(&Arguments::parse_from(arguments)).unwrap(), 0);
    let page = std::fs::read_to_string(folder.join("pc.html")).unwrap();
    let ranking = page.split("variants by PC_a under model 3").nth(1).expect("a ranking");
    let at = |system: &str| ranking.find(&format!("fused_array @ {system}")).expect(system);
    assert!(at("alone") < at("busy"), "the machine that scatters less comes first");
    assert!(page.contains("squares there") && page.contains("which draw squares of these"));
}
