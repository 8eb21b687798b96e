//! Advice about processors and sizes that were not measured: between two algorithms, and by a user's model.

use plusminus::record::{self, Role};
use plusminus_tests::study_support::{Case, document, folder, plusminus, record_of};

/// ω = n, one variant that needs twice the work and keeps its efficiency to 8 processors, and one that is as good as the
/// sequential program on two.
fn two_algorithms() -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for n in [1024.0, 4096.0] {
        let time = 1e3 * n;
        cases.push(Case::of("known::sequential", n, time).role(Role::Reference));
        for p in [1, 2, 4, 8_usize] {
            let few = if p == 1 { time } else { 0.5 * time };
            cases.push(Case::of("known::scalable", n, 2.0 * time / p as f64).on(p));
            cases.push(Case::of("known::lean", n, few).on(p));
        }
    }
    cases
}

#[test]
fn two_algorithms_are_set_against_each_other() {
    let folder = folder("study_two_algorithms");
    let path = folder.join("record.json");
    let run = |more: &[&str]| {
        plusminus(&folder, &[&["study", "record.json", "--json", "s.json"], more].concat())
    };
    record::write(&record_of(&["n log n"], two_algorithms()), &path).unwrap();
    run(&["--machine", "100"])
        .exits(0)
        .says("scenario 1, n = 4096: the highest speedup is that of known::scalable on p = 8")
        .says("the highest efficiency that of known::lean on p = 2")
        .says("predicted to be the faster on fewer than 2 processors");
    let sentences = document(&folder.join("s.json"))["problems"][0]["advice"]["sentences"].clone();
    let throughputs = sentences[1].as_str().unwrap();
    assert!(throughputs.contains("all variants on a machine of 100"), "{throughputs}");
    let first = |name: &str| throughputs.find(name).expect(name);
    assert!(first("known::lean on p = 1") < first("known::scalable on p = 1"), "{throughputs}");
    // Late tasks are in no plan.
    run(&["--deadline", "1e-9"]).exits(0);
    let sentences = document(&folder.join("s.json"))["problems"][0]["advice"]["sentences"].clone();
    assert_eq!(sentences.as_array().unwrap().len(), 1, "{sentences}");
    // One parallel variant has nothing to be set against.
    let mut cases = two_algorithms();
    cases.retain(|case| case.function != "known::lean");
    record::write(&record_of(&["n log n"], cases), &path).unwrap();
    run(&[]).exits(0);
    let sentences = document(&folder.join("s.json"))["problems"][0]["advice"]["sentences"].clone();
    assert!(sentences.as_array().unwrap().is_empty(), "{sentences}");
}

/// T = n/p + 40·lg p microseconds, up and down by a percent: E = n/(n + 40·p·lg p) is 0.8 for n = 160·p·lg p.
#[test]
fn sizes_for_an_efficiency_are_by_the_users_model_first() {
    let folder = folder("study_sizes");
    let mut cases = Vec::new();
    for (index, n) in [64.0, 256.0, 1024.0, 4096.0_f64].into_iter().enumerate() {
        for p in [1, 2, 4_usize] {
            let off = if (index + p) % 2 == 0 { 1.01 } else { 0.99 };
            let time = 1e3 * off * (n / p as f64 + 40.0 * (p as f64).log2());
            cases.push(Case::of("known::parallel", n, time).on(p));
        }
    }
    record::write(&record_of(&[], cases), &folder.join("record.json")).unwrap();
    let run = |more: &[&str]| {
        let arguments = [&["study", "record.json", "--json", "s.json"], more].concat();
        plusminus(&folder, &arguments).exits(0);
        let study = document(&folder.join("s.json"));
        let all = study["problems"][0]["series"][0]["advice"]["sentences"].clone();
        let all: Vec<String> = serde_json::from_value(all).unwrap();
        all.into_iter()
            .filter(|said| said.starts_with("n for relative E = 0.8"))
            .collect::<Vec<_>>()
    };
    for (said, exact) in run(&["--model", "tree: a*n/p + b*log2(p)"]).iter().zip([320.0, 1280.0]) {
        let (_, rest) = said.split_once(": ").unwrap();
        let (n, rest) = rest.split_once(" [").unwrap();
        let (low, rest) = rest.split_once(", ").unwrap();
        let (high, by) = rest.split_once("], by ").unwrap();
        let [n, low, high] = [n, low, high].map(|one| one.parse::<f64>().unwrap());
        assert!(low < n && n < high && low < exact && exact < high, "{said}");
        assert!((n / exact - 1.0).abs() < 0.1 && by.starts_with("tree"), "{said}");
    }
    assert!(run(&[]).iter().all(|said| said.contains("n log n amdahl")));
}
