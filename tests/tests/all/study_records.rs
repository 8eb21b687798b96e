//! Studies of records whose answer is known: published vectors, and laws put in.

use std::collections::BTreeSet;

use plusminus::record::{self, Cause, Failure, Record, Role};
use plusminus_tests::study_support::{
    Case, document, empty, folder, near, number, plusminus, record_of, study,
};
use plusminus_tests::workspace;
use serde_json::Value;

/// Times in ms for n = 64 … 8192 that grow as n log n.
const GROWING: [f64; 8] = [3.92, 9.21, 20.6, 46.9, 103.5, 226.0, 498.0, 1071.0];
/// Times in s for p = 1 … 64 that end in a knee.
const KNEE: [f64; 7] = [100.6, 52.1, 28.9, 17.0, 11.7, 10.35, 12.95];

fn growing(models: &[&str]) -> Record {
    let size = |i: usize| 64.0 * 2_f64.powi(i as i32);
    let base = GROWING
        .iter()
        .enumerate()
        .map(|(i, ms)| Case::of("known::base", size(i), ms * 1e6).role(Role::Baseline));
    // Twice as fast, and rougher: up and down by a factor of 1.2.
    let rough = GROWING.iter().enumerate().map(|(i, ms)| {
        let off = if i % 2 == 0 { 1.2 } else { 1.0 / 1.2 };
        let mut case = Case::of("known::rough", size(i), ms * 0.5e6 * off);
        // Not the same disturbances in the same runs.
        case.times_ns.reverse();
        case
    });
    record_of(models, base.chain(rough).collect())
}

#[test]
fn n_log_n_is_found_with_the_published_numbers() {
    let models = ["n log n", "linear", "constant", "power law"];
    let (outcome, found) = study("study_n_log_n", &growing(&models));
    insta::assert_snapshot!(outcome.stdout);
    let best = &found["problems"][0]["series"][0]["models"][0]["models"];
    assert_eq!(best[0]["model"], "n log n");
    // Times are whole nanoseconds, so that not all digits of the vector survive.
    near(number(best, "/0/coefficients/0/value"), 10_131.163_583, 1e-7);
    near(number(best, "/0/pc_a"), 0.007_914_232_3, 1e-5);
    near(number(best, "/0/aicc"), -71.088_587_46, 1e-6);
    let of = |model: &str| -> Value {
        let list = best.as_array().unwrap();
        list.iter().find(|one| one["model"] == model).unwrap().clone()
    };
    near(number(&of("linear"), "/pc_a"), 0.279_294_950_8, 1e-6);
    near(number(&of("constant"), "/pc_r"), 1.718_281_828_5, 1e-9);
    near(number(&of("power law"), "/coefficients/1/value"), 1.154_166_883_1, 1e-7);
    near(number(&of("power law"), "/coefficients/1/u"), 0.006_886_525_4, 1e-4);
    // u of three runs 0.998, 1, 1.002 is 0.002/√3.
    near(number(best, "/0/pc_noise"), (0.002 / 3_f64.sqrt()).exp_m1(), 1e-4);
    let compared = &found["problems"][0]["comparisons"][0];
    assert_eq!(compared["configurations"], 8);
    let rough = &compared["variants"][1];
    near(number(rough, "/speedup_geometric_mean/value"), 2.0, 1e-6);
    assert_eq!(number(rough, "/transparency/0/below_base"), 0.0);
    outcome.says("known::rough against known::base: faster").says("less transparent");
}

#[test]
fn a_knee_is_found_with_the_published_numbers() {
    let cases = KNEE.iter().enumerate().map(|(i, seconds)| {
        let case = Case::of("known::knee", 1000.0, seconds * 1e9).on(1 << i);
        Case { point: "only".to_owned(), ..case }
    });
    let (outcome, found) = study("study_knee", &record_of(&[], cases.collect()));
    insta::assert_snapshot!(outcome.stdout);
    let series = &found["problems"][0]["series"][0];
    assert_eq!(series["scaling"]["sweep"], "strong");
    let expected = [0.0358, 0.0497, 0.0503, 0.0574, 0.0739, 0.1149];
    for (row, expected) in expected.iter().enumerate() {
        let at = format!("/scaling/rows/{}/karp_flatt/value", row + 1);
        assert!((number(series, &at) - expected).abs() < 6e-5, "{at}");
    }
    assert_eq!(series["scaling"]["rows"][0]["karp_flatt"], Value::Null);
    let models = series["models"][0]["models"].as_array().unwrap();
    let of = |model: &str| models.iter().find(|one| one["model"] == model).unwrap();
    assert_eq!(models[0]["model"], "usl");
    near(number(of("usl"), "/coefficients/0/value"), 101.257_452_101e9, 1e-8);
    near(number(of("usl"), "/usl/contention/value"), 0.037_523_612_851, 1e-7);
    near(number(of("usl"), "/usl/coherency/value"), 0.001_177_037_988, 1e-7);
    near(number(of("usl"), "/usl/peak/value"), 28.595_638_756_3, 1e-7);
    near(number(of("usl"), "/pc_a"), 0.011_164_383, 1e-6);
    near(number(of("usl"), "/leave_one_out"), 0.033_365_651, 1e-6);
    near(number(of("amdahl"), "/pc_a"), 0.144_428_748_9, 1e-7);
    near(number(of("amdahl"), "/serial_fraction_of_sequential_time/value"), 0.096_320_604_5, 1e-7);
    near(number(of("ideal"), "/pc_a"), 1.048_986_175, 1e-7);
}

/// Work grows with p; a tenth of the parallel time is sequential.
fn weak() -> Record {
    let time = |p: usize| {
        let wobble = if p == 2 || p == 8 { 1.001 } else { 0.999 };
        1e6 * p as f64 / (p as f64 - 0.1 * (p as f64 - 1.0)) * wobble
    };
    let case = |p: usize| {
        let case = Case::of("known::weak", 1000.0 * p as f64, time(p)).on(p);
        Case { edges: Some(16_000.0 * p as f64), ..case }
    };
    record_of(&["constant", "gustafson", "amdahl"], [1, 2, 4, 8, 16].map(case).into())
}

#[test]
fn weak_scaling_is_recognised() {
    let (outcome, found) = study("study_weak", &weak());
    insta::assert_snapshot!(outcome.stdout);
    let series = &found["problems"][0]["series"][0];
    assert_eq!(series["scaling"]["sweep"], "weak");
    assert_eq!(series["scaling"]["work"], "edges");
    let last = &series["scaling"]["rows"][4];
    near(number(last, "/speedup_scaled/value"), 16.0 - 0.1 * 15.0, 1e-3);
    near(number(last, "/efficiency/value"), (16.0 - 0.1 * 15.0) / 16.0, 1e-3);
    assert_eq!(
        (last["against"].as_str(), number(last, "/work_per_processor")),
        (Some("scaled"), 1.0)
    );
    let models = &series["models"][0];
    assert_eq!(models["models"][0]["model"], "gustafson");
    near(number(models, "/models/0/serial_fraction_of_parallel_time/value"), 0.1, 0.03);
    assert_eq!(models["refused"][0]["model"], "amdahl");
}

#[test]
fn without_p_1_there_is_no_relative_speedup_but_a_real_one() {
    let parallel = |p: usize| {
        let case = Case::of("known::parallel", 1000.0, 1e6 / p as f64 + 1e4).on(p);
        Case { point: "only".to_owned(), ..case }
    };
    let mut cases: Vec<Case<'_>> = [2, 4].map(parallel).into();
    let (outcome, found) = study("study_without_one", &record_of(&[], cases));
    outcome.says("p = 1 was not measured").says("no model can be fitted");
    let row = &found["problems"][0]["series"][0]["scaling"]["rows"][0];
    assert_eq!((&row["speedup_relative"], &row["efficiency"]), (&Value::Null, &Value::Null));
    cases = [2, 4].map(parallel).into();
    let reference = Case::of("known::sequential", 1000.0, 0.9e6).role(Role::Reference);
    cases.push(Case { point: "only".to_owned(), ..reference });
    let (outcome, found) = study("study_with_reference", &record_of(&[], cases));
    insta::assert_snapshot!(outcome.stdout);
    let row = &found["problems"][0]["series"][0]["scaling"]["rows"][0];
    near(number(row, "/speedup_real/value"), 0.9 / 0.51, 1e-6);
    near(number(row, "/overhead_ns/value"), 2.0 * 0.51e6 - 0.9e6, 1e-6);
    assert_eq!(row["against"], "real");
}

#[test]
fn one_point_is_refused_with_its_reason() {
    let record = record_of(&["n log n", "linear"], vec![Case::of("known::one", 64.0, 1e3)]);
    let (outcome, found) = study("study_one_point", &record);
    outcome.says("one configuration").says("are too few");
    let models = &found["problems"][0]["series"][0]["models"][0];
    assert_eq!(models["models"].as_array().unwrap().len(), 0);
    assert_eq!(models["refused"].as_array().unwrap().len(), 2);
    assert!(models["refused"][0]["reason"].as_str().unwrap().contains("too few"), "{models}");
}

#[test]
fn a_single_run_has_no_uncertainty_and_no_noise_floor() {
    let mut record = growing(&["n log n", "linear"]);
    record.cases.iter_mut().for_each(|case| case.measurements.truncate(1));
    let (outcome, found) = study("study_single_run", &record);
    outcome.says("a single run has no uncertainty").says("noise floor not known");
    let series = &found["problems"][0]["series"][0];
    assert_eq!(series["scaling"]["rows"][0]["time_ns"]["u"], Value::Null);
    assert_eq!(series["models"][0]["pc_noise"], Value::Null);
    outcome.says("cannot be told from a single run");
}

#[test]
fn what_failed_is_left_out_and_named() {
    let mut record = growing(&["n log n", "linear"]);
    let (run, instance, output) = (0, Some(0), String::new());
    let cause = Cause::WrongAnswer { message: "place 3 holds 7\u{1b}[2J".to_owned() };
    record.cases[2].failures.push(Failure { run, instance, cause, output });
    let (outcome, found) = study("study_failed", &record);
    outcome.says("known::base::n256@1 is skipped: wrong answer: place 3 holds 7");
    assert!(!outcome.stdout.contains('\u{1b}'));
    let rows = found["problems"][0]["series"][0]["scaling"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    assert_eq!(found["problems"][0]["comparisons"][0]["configurations"], 7);
}

#[test]
fn the_same_configuration_twice_in_a_record_counts_once_and_is_named() {
    let mut record = growing(&["n log n", "linear"]);
    let mut again = record.cases[1].clone();
    again.name += " again";
    record.cases.push(again);
    let (outcome, found) = study("study_twice", &record);
    outcome
        .says("known::base::n128@1 again is skipped: a different configuration has the same point");
    assert_eq!(found["problems"][0]["series"][0]["scaling"]["rows"].as_array().unwrap().len(), 8);
}

#[test]
fn points_without_a_size_say_what_to_do() {
    let mut record = growing(&["n log n"]);
    record.cases.iter_mut().for_each(|case| case.size = None);
    let (outcome, _) = study("study_no_size", &record);
    outcome.says("points without a size").says("let the problem tell the `size` of a point");
}

#[test]
fn unknown_models_are_answered_with_all_names() {
    let folder = folder("study_unknown");
    record::write(&growing(&["n log m"]), &folder.join("record.json")).unwrap();
    let outcome = plusminus(&folder, &["study", "record.json", "--json", "study.json"]);
    outcome.exits(2).complains("\"n log m\"").complains("\"n log n\"").complains("\"amdahl\"");
    assert!(!folder.join("study.json").exists(), "no document of a study that failed");
    let outcome = plusminus(&folder, &["study", "record.json", "--models", "linear,usl,nope"]);
    outcome.exits(2).complains("\"nope\"");
    let outcome = plusminus(&folder, &["study", "record.json", "--models", "Linear,n log n"]);
    outcome.exits(0).says("n log n");
    let outcome = plusminus(&folder, &["study", "--list-models"]);
    outcome.exits(0).says("n log n amdahl").says("T = c·n·log n");
}

#[test]
fn damaged_and_repeated_records_are_named() {
    let folder = folder("study_damaged");
    let path = folder.join("record.json");
    record::write(&growing(&["n log n"]), &path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(folder.join("half.json"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(folder.join("study.json"), "old").unwrap();
    let outcome = plusminus(&folder, &["study", "half.json", "--json", "study.json"]);
    outcome.exits(2).complains("half.json").complains("end of file");
    assert_eq!(std::fs::read(folder.join("study.json")).unwrap(), b"old");
    let outcome = plusminus(&folder, &["study", "record.json", "record.json"]);
    outcome.exits(2).complains("give only one of them");
    plusminus(&folder, &["study"]).exits(2).complains("RECORD");
    record::write(&empty(), &path).unwrap();
    plusminus(&folder, &["study", "record.json"]).exits(2).complains("nothing to study");
    let outcome = plusminus(&folder, &["study", "missing.json"]);
    outcome.exits(2).complains("cannot read missing.json");
}

#[test]
fn a_third_parameter_makes_sweeps_of_their_own() {
    let mut cases = Vec::new();
    for (weight, factor) in [(255, 1.0), (100, 0.8)] {
        for (i, ms) in GROWING.iter().enumerate() {
            let case = Case::of("known::weighted", 64.0 * 2_f64.powi(i as i32), ms * 1e6 * factor);
            cases.push(Case { point: format!("{i}-w{weight}"), ..case });
        }
    }
    let (_, found) = study("study_families", &record_of(&["n log n", "linear"], cases));
    let series = found["problems"][0]["series"].as_array().unwrap();
    let sweeps: Vec<&str> = series.iter().map(|s| s["sweep"].as_str().unwrap()).collect();
    assert_eq!(sweeps, ["0-w255 … 7-w255", "0-w100 … 7-w100"]);
    let c = |at: usize| number(&series[at], "/models/0/models/0/coefficients/0/value");
    near(c(1) / c(0), 0.8, 1e-7);
}

/// Every path of a document with the type of its value.
fn paths(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    let kind = match value {
        // A field that is missing in this record may exist in others.
        Value::Null => return,
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(list) => {
            list.iter().for_each(|one| paths(one, &format!("{at}[]"), found));
            return;
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, one)| paths(one, &format!("{at}.{name}"), found));
            return;
        }
    };
    found.insert(format!("{at}: {kind}"));
}

#[test]
fn the_document_has_the_fields_that_are_documented() {
    let mut found = BTreeSet::new();
    let (_, of_weak) = study("study_schema_weak", &weak());
    let (_, of_growing) = study("study_schema_growing", &growing(&[]));
    for one in [
        of_weak,
        of_growing,
        published("study_schema_published").1,
        apex_map("study_schema_apex_map").1,
    ] {
        assert_eq!((&one["schema"], &one["kind"]), (&1.into(), &"plusminus-study".into()));
        paths(&one, "", &mut found);
    }
    let list: Vec<String> = found.into_iter().collect();
    insta::assert_snapshot!(list.join("\n"));
    let page = std::fs::read_to_string(workspace().join("suite/book/study.md")).unwrap();
    for path in &list {
        let name = path.split(':').next().unwrap().rsplit('.').next().unwrap().replace("[]", "");
        assert!(
            page.contains(&format!("`{name}`")),
            "suite/book/study.md does not explain `{name}`"
        );
    }
}

fn published(test: &str) -> (String, Value) {
    let folder = folder(test);
    let path = workspace().join("tests/records/schema-1.json");
    let arguments = ["study", path.to_str().unwrap(), "--json", "study.json"];
    let outcome = plusminus(&folder, &arguments);
    outcome.exits(0);
    (outcome.stdout, document(&folder.join("study.json")))
}

#[test]
fn table_1_of_the_value_of_variance_run_by_run() {
    let (text, found) = published("study_published");
    insta::assert_snapshot!(text);
    let table = &found["run_wise"][0];
    // Runs 2 and 5 of Table 1; the record has whole nanoseconds.
    near(number(table, "/runs/0/base/time_ns/u"), 15.965_291_729_82e6, 1e-6);
    near(number(table, "/runs/0/base/spread_ns"), 45.156_664_183_12e6, 1e-6);
    near(number(table, "/runs/0/base/rsu"), 0.181_258_496_306, 1e-6);
    near(number(table, "/runs/1/base/rsu"), 0.096_413_676_600, 1e-6);
    near(number(table, "/runs/0/base/cv"), 0.512_676_447_544, 1e-6);
    assert_eq!(number(table, "/pairs"), 1.0);
    let variance = |side: &str| number(table, &format!("/runs/0/{side}/rsu")).powi(2);
    let sigma =
        number(table, "/runs/0/speedup/value") * (variance("base") + variance("variant")).sqrt();
    near(number(table, "/runs/0/speedup/u"), sigma, 1e-12);
}

fn apex_map(test: &str) -> (String, Value) {
    let folder = folder(test);
    let path = workspace().join("tests/records/apex_map.json");
    let arguments = ["study", path.to_str().unwrap(), "--json", "study.json"];
    let outcome = plusminus(&folder, &arguments);
    outcome.exits(0);
    (outcome.stdout, document(&folder.join("study.json")))
}

/// The expected PCs come from another program (Levenberg–Marquardt in Python), as in the suite's own test.
#[test]
fn a_record_of_apex_map_gets_its_own_study() {
    let (text, found) = apex_map("study_apex_map");
    let sweeps = found["apex_map"]["sweeps"].as_array().unwrap();
    let nested = sweeps
        .iter()
        .find(|sweep| sweep["variant"].as_str().unwrap().ends_with("nested_scalar"))
        .unwrap();
    for (model, expected) in [0.979_930, 0.873_718, 0.477_871, 0.211_309].iter().enumerate() {
        near(number(nested, &format!("/models/{model}/pc_a")), *expected, 1e-5);
        let residuals = nested["models"][model]["residuals"].as_array().unwrap().len();
        assert_eq!(residuals, nested["configurations"].as_array().unwrap().len());
    }
    near(number(nested, "/models/3/coefficients/2/value"), 17.289_508, 1e-3);
    assert!(number(nested, "/models/3/coefficients/2/u") > 0.0);
    let rankings = found["apex_map"]["rankings"].as_array().unwrap();
    assert_eq!(rankings.len() % 4, 0);
    assert!(rankings.iter().all(|one| number(one, "/variants/0/pc_a/u") > 0.0));
    assert!(
        text.contains("Apex-MAP: Performance Complexity") && text.contains("rows α, columns L")
    );
    // Its points are swept over α and L: no table over n.
    let problems = found["problems"].as_array().unwrap();
    assert!(problems.iter().all(|one| !one["problem"].as_str().unwrap().contains("ApexMap")));
}
