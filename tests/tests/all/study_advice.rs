//! The parts of a study beyond tables of one record: advice, the warning about a beaten reference, several systems,
//! and output on request.

use plusminus::{
    record::{self, Record, Role},
    report::{View, render},
};
use plusminus_tests::study_support::{
    Case, document, folder, near, number, plusminus, record_of, study,
};
use plusminus_tests::workspace;

/// T = n/p + 4·lg p microseconds, and the sequential n, over a grid.
fn grid() -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for n in [64.0_f64, 128.0, 256.0, 512.0, 1024.0] {
        for p in [1, 2, 4_usize] {
            let time = 1e3 * (n * n.log2() / p as f64 + 40.0 * (p as f64).log2());
            cases.push(Case::of("known::parallel", n, time).on(p));
        }
        cases.push(Case::of("known::sequential", n, 1e3 * n * n.log2()).role(Role::Reference));
    }
    cases
}

#[test]
fn a_grid_gets_its_advice() {
    let (outcome, found) = study("study_advice", &record_of(&["n log n amdahl"], grid()));
    outcome
        .says("K = E/(1−E)")
        .says("from p = 2 to p = 4 the overhead of the largest size grows by 4.00")
        .says("one task of the largest size (scenario 1): fastest on p = 4")
        .says("many tasks on a machine of 4 (scenario 2), the best throughput first: p = 1");
    let sentences = found["problems"][0]["series"][0]["advice"]["sentences"].as_array().unwrap();
    assert!(
        sentences.iter().any(|said| said.as_str().unwrap().starts_with("n for relative E = 0.8")),
        "{sentences:?}"
    );
    // The sequential reference has no processors to advise about.
    assert_eq!(
        found["problems"][0]["series"][1]["advice"]["sentences"].as_array().unwrap().len(),
        0
    );
}

#[test]
fn options_of_advice_are_checked_and_used() {
    let folder = folder("study_advice_options");
    record::write(&record_of(&["n log n"], grid()), &folder.join("record.json")).unwrap();
    let run = |more: &[&str]| plusminus(&folder, &[&["study", "record.json"], more].concat());
    run(&["--machine", "100", "--deadline", "1e-9"])
        .exits(0)
        .says("machine of 100")
        .says("none is in time");
    run(&["--efficiency", "1.5"]).exits(2).complains("--efficiency 1.5");
    run(&["--fit"]).exits(0).says("Foster's fits, in ns").says("n log n");
    // A model is no measurement: what it rules out may have been measured.
    let none = "at p = 2: n log n amdahl has none between 32 and 2048";
    run(&["--efficiency", "0.999"]).exits(0).says(none);
    let mut cases = grid();
    let odd = cases.iter_mut().find(|case| case.size == Some(1024.0) && case.processors == 2);
    odd.unwrap().times_ns.iter_mut().for_each(|time| *time *= 0.97);
    record::write(&record_of(&["n log n"], cases), &folder.join("record.json")).unwrap();
    let outcome = run(&["--efficiency", "0.999"]);
    outcome.exits(0).says("but the efficiency was measured at n = 1024");
}

/// Edges per second, and a speedup whose σ is that of pairs of runs, as the table of the study has it.
#[test]
fn a_quantity_is_derived_with_its_uncertainty() {
    let folder = folder("study_derive");
    let of = |function, times: [f64; 3], role| {
        let times_ns = times.map(|ms| 1e6 * ms).to_vec();
        Case { edges: Some(4e6), times_ns, ..Case::of(function, 64.0, 0.0).role(role) }
    };
    let cases = vec![
        of("known::slow", [200.0, 206.0, 203.0], Role::Baseline),
        of("known::fast", [100.0, 102.0, 101.0], Role::Contender),
    ];
    record::write(&record_of(&[], cases), &folder.join("record.json")).unwrap();
    let run = |derive: &str| {
        plusminus(&folder, &["study", "record.json", "--derive", derive, "--json", "study.json"])
    };
    run("edges/s = work/time").exits(0).says("edges/s = work/time").says("|∂/∂time|·u");
    let found = document(&folder.join("study.json"));
    let fast = &found["derived"][0]["rows"][1];
    near(number(fast, "/derived/value"), 4e6 / 0.101, 1e-9);
    // The mean of three has u = 1 ms/√3, and |∂/∂time| is work/time².
    let u = 1e-3 / 3_f64.sqrt();
    near(number(fast, "/derived/u"), 4e6 / 0.101_f64.powi(2) * u, 1e-3);
    near(number(fast, "/inputs/1/sensitivity"), -4e6 / 0.101_f64.powi(2), 1e-6);
    run("S = base/time").exits(0).says("S = base/time");
    let found = document(&folder.join("study.json"));
    let [slow, fast] = [0, 1].map(|row| &found["derived"][0]["rows"][row]);
    assert_eq!(slow["derived"]["value"], 1.0);
    near(number(fast, "/derived/value"), 203.0 / 101.0, 1e-9);
    // Both vary together: base by 3 ms and the variant by 1 ms, in the same direction.
    let apart = (3.0_f64 / 203.0).hypot(1.0 / 101.0) * (203.0 / 101.0) / 3_f64.sqrt();
    let together = (3.0 / 203.0 - 1.0 / 101.0) * (203.0 / 101.0) / 3_f64.sqrt();
    near(number(fast, "/derived/u"), together, 1e-2);
    assert!(number(fast, "/derived/u") < apart / 2.0);
    near(number(fast, "/covariances/0/value"), 1e-6, 1e-3);
    run("x = wrong/time").exits(2).complains("\"wrong\" is not an input");
    run("x = serial/time").exits(2).complains("no configuration of the records has all inputs");
}

/// With `-v`, a benchmark that was measured at four sizes has its Performance Complexity under a power law.
#[test]
fn a_sweep_has_its_performance_complexity() {
    let sizes = [(64.0, 1.02), (128.0, 0.98), (256.0, 1.01), (512.0, 0.99), (1024.0, 1.02)];
    let case = |(n, off): (f64, f64)| Case::of("known::sort", n, 1e3 * n * off);
    let record = record_of(&["linear"], sizes.map(case).into());
    let found = plusminus::results::complexities(&record);
    assert_eq!((found.len(), found[0].sizes), (1, 5));
    near(found[0].law.exponent, 1.0, 0.01);
    assert!((0.01..0.03).contains(&found[0].law.pc_a.value), "{found:?}");
    let printed = |verbose| {
        let view = View { verbose, width: 200, ..View::default() };
        render(&record, None, None, &view)
    };
    let details = printed(true);
    assert!(details.contains("known::sort, 5 sizes: PC_a 0.01"), "{details}");
    assert!(details.contains("PC_a is the typical factor"), "{details}");
    assert!(!printed(false).contains("PC_a"));
    let few = record_of(&["linear"], sizes[..3].iter().copied().map(case).collect());
    assert!(plusminus::results::complexities(&few).is_empty());
}

/// A formula on the command line is fitted like the built-in laws, and appears in table and document.
#[test]
fn a_formula_of_ones_own_is_fitted_with_its_uncertainty() {
    let folder = folder("study_own_model");
    record::write(&record_of(&["linear"], grid()), &folder.join("record.json")).unwrap();
    let run = |model: &str| {
        plusminus(&folder, &["study", "record.json", "--model", model, "--json", "study.json"])
    };
    run("mine: w*n*log2(n)/p + t*log2(p)").exits(0).says("mine").says("w*n*log2(n)/p");
    let found = document(&folder.join("study.json"));
    let models = found["problems"][0]["series"][0]["models"][0]["models"].as_array().unwrap();
    let mine = models.iter().find(|one| one["model"] == "mine").expect("the formula is fitted");
    near(number(mine, "/coefficients/0/value"), 1e3, 1e-6);
    near(number(mine, "/coefficients/1/value"), 4e4, 1e-6);
    assert_eq!(mine["residuals"].as_array().unwrap().len(), 15);
    run("a*b*n").exits(2).complains("linear in its coefficients");
    run("linear: a*n").exits(2).complains("two models are called");
}

/// Variants of the same name in several problems are ranked over all of them, by the configurations of all together.
#[test]
fn variants_are_ranked_over_a_set_of_problems() {
    let mut cases = Vec::new();
    for k in 0..7 {
        let n = 64.0 * f64::from(1 << k);
        let bump = if k % 2 == 0 { 1.5 } else { 1.0 / 1.5 };
        for (smooth, rough, slope) in
            [("one::even", "one::odd", 50.0), ("two::even", "two::odd", 90.0)]
        {
            cases.push(Case::of(smooth, n, slope * n).role(Role::Baseline));
            cases.push(Case::of(rough, n, slope * n * bump / 2.0));
        }
        cases.push(Case::of("three::alone", n, 10.0 * n));
    }
    let mut record = record_of(&["linear"], cases);
    for case in &mut record.cases {
        case.problem = case.function.split("::").next().map(str::to_owned);
    }
    let (outcome, found) = study("study_set", &record);
    outcome
        .exits(0)
        .says("over a set of 2 sweeps, 14 configurations")
        .says("over the set first: even");
    let set = &found["set"];
    assert_eq!((set["base"].as_str(), set["configurations"].as_u64()), (Some("even"), Some(14)));
    let names: Vec<&str> = set["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["problem"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["one", "two"]);
    let [even, odd] = [0, 1].map(|at| &set["variants"][at]);
    assert_eq!((even["variant"].as_str(), odd["variant"].as_str()), (Some("even"), Some("odd")));
    near(number(odd, "/speedup/value"), 2.0 / 1.5_f64.powf(1.0 / 7.0), 1e-3);
    assert!(number(even, "/pc_a/value") < 1e-3, "{even}");
    assert!((0.3..0.6).contains(&number(odd, "/pc_a/value")), "{odd}");
    near(number(even, "/lowest"), 1.0, 1e-12);
}

/// The procedure of DBPP 3.5.3 on a law of the same form, T = t_c·N²·Z with Z = 10. As in the two fits there, t_c is
/// 0.0112 ms for small grids and 0.0120 ms for large ones. The simple fit finds the latter, the scaled one lies near
/// the former, and each predicts its own end better.
#[test]
fn the_finite_difference_example_is_fitted_in_two_ways() {
    let folder = folder("study_finite_difference");
    let sizes = [16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
    let time = |n: f64| 10.0 * n * n * if n > 128.0 { 12_000.0 } else { 11_200.0 };
    let cases = sizes.map(|n| Case::of("grid::step", n, time(n)).role(Role::Baseline)).into();
    record::write(&record_of(&["quadratic"], cases), &folder.join("record.json")).unwrap();
    let formula = "Foster: t_c*10*n^2";
    let arguments = ["study", "record.json", "--fit", "--model", formula, "--json", "study.json"];
    plusminus(&folder, &arguments).exits(0).says("simple fit").says("t_c = 11997");
    let found = document(&folder.join("study.json"));
    let fits = found["problems"][0]["series"][0]["foreign_fits"].as_array().unwrap();
    let fit = fits.iter().find(|fit| fit["model"] == "Foster").expect("the formula is fitted");
    near(number(fit, "/simple/0"), 12_000.0, 1e-3);
    near(number(fit, "/scaled/0"), 11_443.0, 1e-3);
    let error = |row: usize, by: &str| {
        let row = format!("/predicted/{row}");
        (number(fit, &format!("{row}/{by}_ns")) / number(fit, &format!("{row}/measured_ns")) - 1.0)
            .abs()
    };
    assert!(error(0, "scaled") < error(0, "simple") && error(5, "simple") < error(5, "scaled"));
}

#[test]
fn a_reference_that_is_beaten_is_a_warning_here_too() {
    let variant = |function, ns, role| Case::of(function, 64.0, ns).role(role);
    let beaten = vec![
        variant("known::slow", 2e6, Role::Reference),
        variant("known::fast", 1e6, Role::Contender),
    ];
    let (outcome, found) = study("study_beaten", &record_of(&["constant"], beaten));
    outcome
        .says("warning: marked as the sequential reference, but not the fastest at 1 of 1 points");
    near(number(&found, "/problems/0/series/0/scaling/rows/0/speedup_real/value"), 0.5, 1e-9);
    // Another reference may be the fastest.
    let two = vec![
        variant("known::slow", 2e6, Role::Reference),
        variant("known::fast", 1e6, Role::Reference),
    ];
    let (outcome, _) = study("study_two_references", &record_of(&["constant"], two));
    assert!(!outcome.stdout.contains("warning"), "{}", outcome.stdout);
}

#[test]
fn a_reference_is_sequential_at_points_on_several_processors() {
    let at = |function, ns, p, role| {
        let case = Case::of(function, 64.0, ns).on(p).role(role);
        Case { point: format!("64-p{p}"), ..case }
    };
    let cases = vec![
        at("known::parallel", 1.0e6, 2, Role::Contender),
        at("known::sequential", 1.5e6, 2, Role::Reference),
    ];
    let (_, found) = study("study_sequential", &record_of(&["constant"], cases));
    near(number(&found, "/problems/0/series/0/scaling/rows/0/speedup_real/value"), 1.5, 1e-9);
    near(number(&found, "/problems/0/series/0/scaling/rows/0/efficiency/value"), 0.75, 1e-9);
    assert!(found["problems"][0]["series"][1]["scaling"]["rows"][0]["efficiency"].is_null());
}

/// Two variants over six sizes, the second one twice as fast; off the model by a share that differs from size to size.
fn two_variants(off: f64) -> Record {
    let mut cases = Vec::new();
    for (i, wobble) in [0.2, -0.1, 0.15, -0.25, 0.1, -0.05].into_iter().enumerate() {
        let n = 64.0 * 2_f64.powi(i as i32);
        let time = 1e3 * n * n.log2() * (1.0 + off * wobble);
        cases.push(Case::of("known::first", n, time).role(Role::Baseline));
        cases.push(Case::of("known::second", n, time / 2.0));
    }
    record_of(&["n log n"], cases)
}

#[test]
fn systems_are_told_apart_and_ranked() {
    let folder = folder("study_systems");
    record::write(&two_variants(0.1), &folder.join("quiet.json")).unwrap();
    let mut busy = two_variants(1.0);
    busy.manifest.label = Some("busy".to_owned());
    record::write(&busy, &folder.join("busy.json")).unwrap();
    let run = |arguments: &[&str]| plusminus(&folder, &[&["study"], arguments].concat());
    let outcome = run(&["quiet=quiet.json", "busy.json", "--json", "study.json"]);
    outcome
        .exits(0)
        .says("known::first @ quiet")
        .says("known::second @ busy")
        .says("the most transparent first, under n log n: known::");
    let found = document(&folder.join("study.json"));
    let variants = found["problems"][0]["comparisons"][0]["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 4);
    let pc = |at: usize| number(&variants[at], "/transparency/0/pc_a/value");
    assert!(pc(0) < pc(2) && pc(1) < pc(3), "{} {} {} {}", pc(0), pc(1), pc(2), pc(3));
    assert_eq!(found["records"][1]["system"], "busy");
    // Two records of one system are one too many, whatever it is called.
    run(&["one=quiet.json", "one=quiet.json"]).exits(2).complains("NAME=RECORD");
    run(&["one=missing.json"]).exits(2).complains("cannot read missing.json");
    // One system needs no name.
    let alone = run(&["busy.json"]);
    assert!(!alone.stdout.contains(" @ "), "{}", alone.stdout);
}

#[test]
fn times_of_instances_in_runs_are_printed_on_request() {
    let folder = folder("study_table1");
    let path = plusminus_tests::workspace().join("tests/records/schema-1.json");
    let outcome =
        plusminus(&folder, &["study", path.to_str().unwrap(), "--table1", "--json", "study.json"]);
    outcome.exits(0).says("times in ms (VoV, Table 1)").says("source-106");
    let found = document(&folder.join("study.json"));
    let run = &found["cells"][0]["runs"][0];
    assert_eq!(run["times_ns"].as_array().unwrap().len(), 8);
    near(number(run, "/times_ns/6"), 196.359_002e6, 1e-6);
}

/// c of Apex-MAP's models is the user's choice, and accesses per cycle change P̄ and neither PC.
#[test]
fn capacity_and_flat_metric_of_apex_map_are_chosen() {
    let folder = folder("study_apex_chosen");
    let path = workspace().join("tests/records/apex_map.json");
    let run = |more: &[&str]| {
        let arguments = ["study", path.to_str().unwrap(), "--json", "study.json"];
        let outcome = plusminus(&folder, &[&arguments[..], more].concat());
        outcome.exits(0);
        (outcome.stdout, document(&folder.join("study.json")))
    };
    let (text, found) = run(&["--capacity", "256KiB", "--flat", "cycle=2.5"]);
    assert!(
        text.contains(" c=256KiB l₁") && text.contains("in accesses per cycle: P̄ = "),
        "{text}"
    );
    for sweep in found["apex_map"]["sweeps"].as_array().unwrap() {
        assert_eq!(number(sweep, "/models/3/capacity_bytes"), 262_144.0);
        assert_eq!(sweep["models"][3]["capacity_at_bound"], false);
        let configurations = sweep["configurations"].as_array().unwrap();
        let logs = configurations.iter().map(|one| (2.5 * number(one, "/access_ns")).ln());
        let mean = (-logs.sum::<f64>() / configurations.len() as f64).exp();
        near(number(sweep, "/flat/mean_performance"), mean, 1e-9);
        for model in 0..4 {
            for pc in ["pc_a", "pc_r"] {
                let flat = number(sweep, &format!("/flat/pc_r/{model}/{pc}"));
                near(flat, number(sweep, &format!("/models/{model}/{pc}")), 1e-9);
            }
        }
    }
    let (text, found) = run(&["--capacity", "2MiB", "--flat", "micro"]);
    assert!(text.contains("in shares of the fastest stream of micro::bandwidth"), "{text}");
    let share = number(&found, "/apex_map/sweeps/0/flat/mean_performance");
    assert!(share > 0.0 && share < 1.0, "{share}");
    // Two working sets show no capacity, and nothing larger than the memory is a fast level.
    let (text, found) = run(&["--capacity", "micro", "--fit"]);
    assert!(text.contains("is not studied: --capacity micro"), "{text}");
    // Of all benchmarks with several amounts of work, round trips alone are messages.
    let costs = found["message_costs"].as_array().unwrap();
    let of: Vec<&str> = costs.iter().map(|cost| cost["variant"].as_str().unwrap()).collect();
    assert_eq!(of, ["micro::round_trip::polling"]);
    assert_eq!(costs[0]["unit"], "bytes");
    near(number(&costs[0], "/start_up_ns"), 9.0e3, 0.5);
    let (text, _) = run(&["--capacity", "64MiB"]);
    assert!(text.contains("has to be smaller than the memory of 64MiB"), "{text}");
}

/// Work per second is flat for an ideal machine; times that grow with the work are not.
#[test]
fn a_flat_metric_takes_the_work_out_of_the_variation() {
    let folder = folder("study_flat");
    // n units of work in n microseconds, up and down by a tenth.
    let cases = [100.0, 200.0, 400.0, 800.0].into_iter().enumerate().map(|(i, n)| {
        let off = if i % 2 == 0 { 1.1 } else { 1.0 / 1.1 };
        Case { edges: Some(n), ..Case::of("known::sweep", n, 1e3 * n * off) }
    });
    record::write(&record_of(&["linear"], cases.collect()), &folder.join("record.json")).unwrap();
    let run = |metric: &str| {
        let arguments = ["study", "record.json", "--json", "study.json", "--flat", metric];
        plusminus(&folder, &arguments)
    };
    run("second").exits(0).says("in edges per second and processor: P̄ = 1000000, which varies");
    let found = document(&folder.join("study.json"));
    let flat = &found["problems"][0]["series"][0]["flat"];
    near(number(flat, "/mean_performance"), 1e6, 1e-6);
    near(number(flat, "/pc_flat"), 0.1, 1e-4);
    // The line is as far off as the best constant rate: nothing of the rate's variation is resolved.
    near(number(flat, "/pc_r/0/pc_r"), 1_f64.exp_m1(), 1e-2);
    let model = &found["problems"][0]["series"][0]["models"][0]["models"][0];
    assert!(number(model, "/pc_r") < 0.2);
    near(number(flat, "/pc_r/0/pc_a"), number(model, "/pc_a"), 1e-9);
    run("cycle=4").exits(0).says("in edges per cycle and processor: P̄ = 0.00025");
    run("micro").exits(0).says("no micro-kernel measures a peak of edges");
    for wrong in ["cycle=0", "cycle=inf", "cycle=", "cycle=3e9", "cycles", "", "second=1"] {
        run(wrong).exits(2).complains("is no flat metric");
    }
    for wrong in ["", "0B", "7B", "-1KiB", "1e3", "99999999999GiB", "256KiB,", "calibrated"] {
        let arguments = ["study", "record.json", &format!("--capacity={wrong}")];
        plusminus(&folder, &arguments).exits(2).complains("--capacity");
    }
    let arguments = ["study", "record.json", "--capacity", "1MiB"];
    plusminus(&folder, &arguments).exits(2).complains("--capacity is for Apex-MAP");
}
