//! One record has one x ± u: the report of `--load`, `--format json`, `study` and `compare --from` print the same estimate
//! and interval for every time and ratio, over fixtures and seeded simulated records of every kind.

use std::{collections::BTreeMap, path::Path};

use plusminus::{
    record::{self, ComparisonRecord, Record, Side},
    report::{View, json_results, render},
    results::{self, Row, Time},
    text::number::{significant, time_with_uncertainty, with_uncertainty},
};
use plusminus_tests::workspace;
use serde_json::{Value, json};

use plusminus_tests::study_support::{document, folder, in_columns, plusminus};

/// A small generator (Steele, Lea & Flood 2014, SplitMix64), so that records are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Near enough to a normal value.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// A record of three variants over sizes and processors. The seed decides about instances, runs, pilots, drift, clocks,
/// interruptions and looks.
fn simulated(seed: u64) -> Record {
    let mut random = Random(seed);
    let instances = 1 + seed as usize % 3;
    let runs = 3 + (seed as usize * 5) % 18;
    let pilot = (seed.is_multiple_of(2) && runs > 5).then_some(5);
    let drift = if seed.is_multiple_of(3) { 0.02 } else { 0.0 };
    let looked = seed % 7 == 3;
    let mut states = vec![0.0; runs];
    for run in 1..runs {
        states[run] = 0.8 * states[run - 1] + drift * random.normal();
    }
    let mut cases = Vec::new();
    for (function, role, factor, processors) in [
        ("known::plain", "baseline", 1.0, vec![1]),
        ("known::quick", "contender", 0.7, vec![1, 2]),
        ("known::simple", "reference", 1.3, vec![1]),
    ] {
        for p in processors {
            for size in [1000.0, 2000.0, 4000.0] {
                let mut measurements = Vec::new();
                for (run, state) in states.iter().enumerate() {
                    for instance in 0..instances {
                        let own = 0.01 * random.normal() + state;
                        let call = size * factor * (1.0 + instance as f64) / p as f64 * own.exp();
                        let samples: Vec<(u64, u64)> = (0..9)
                            .map(|_| {
                                let cpu = 64.0 * call * (1.0 + 0.002 * random.normal());
                                let hit = seed % 4 == 1 && random.uniform() < 0.4;
                                let wall = 1.003 * cpu + if hit { 4e6 } else { 0.0 };
                                (wall as u64, cpu as u64)
                            })
                            .collect();
                        let (wall, cpu): (Vec<u64>, Vec<u64>) = samples.into_iter().unzip();
                        measurements.push(json!({
                            "run": run, "instance": instance, "worker": 0, "calls": 64,
                            "wall_ns": wall, "cpu_ns": cpu, "switches": [],
                        }));
                    }
                }
                // Some points tell their number of processors in their names, as those of the suite do.
                let point = match seed % 2 {
                    0 => format!("n{size}"),
                    _ => format!("n{size}-p{p}"),
                };
                cases.push(json!({
                    "name": format!("{function}::{point}::p{p}"), "function": function,
                    "problem": "Known", "point": point, "size": size, "models": ["linear"],
                    "role": role, "processors": p, "pilot_runs": pilot, "until_decided": looked,
                    "instances": (0..instances).map(|i| json!({
                        "name": if instances == 1 { String::new() } else { format!("i{i}") },
                        "work": [["items", size]],
                    })).collect::<Vec<Value>>(),
                    "measurements": measurements, "failures": [],
                }));
            }
        }
    }
    let path = workspace().join("tests/records/schema-1.json");
    let mut whole = document(&path);
    whole["order"] = json!([]);
    whole["settings"]["precision"] = if pilot.is_some() { json!(0.01) } else { Value::Null };
    whole["workers"] = json!([{
        "run": 0, "clock": {"tick_ns": 1.0, "window_ns": 25.0, "loop_ns": 0.3}, "padding_bytes": 0,
        "peak_rss_bytes": null, "samples": 1, "protocol_ns": 1,
    }]);
    whole["cases"] = json!(cases);
    record::parse(whole.to_string().as_bytes(), &path).expect("the format of a record")
}

/// The fixture with every time of the new side changed by a seeded factor.
fn compared(seed: u64) -> ComparisonRecord {
    let path = workspace().join("tests/records/comparison-1.json");
    let mut found = record::read_comparison(&path).unwrap();
    let mut random = Random(seed);
    for block in found.cases.iter_mut().flat_map(|case| &mut case.blocks) {
        let factor = 1.0 + 0.01 * (seed % 5) as f64 + 0.004 * random.normal();
        for times in [&mut block.new.wall_ns, &mut block.new.cpu_ns] {
            times.iter_mut().for_each(|ns| *ns = (*ns as f64 * factor) as u64);
        }
    }
    found
}

/// Two numbers that were computed once, one of them written and read again.
#[track_caller]
fn same(found: &Value, expected: Option<f64>, what: &str) {
    match expected {
        None => assert!(found.is_null(), "{what}: {found} instead of nothing"),
        Some(expected) => {
            let found = found.as_f64().unwrap_or_else(|| panic!("{what}: {found}"));
            assert!(
                (found - expected).abs() <= 1e-13 * expected.abs(),
                "{what}: {found} {expected}"
            );
        }
    }
}

/// Asserts that a row of a comparison has the times of both sides, moved to its ratio. Returns value and uncertainty of each.
#[track_caller]
fn same_times(found: &Value, times: &[Time; 2], what: &str) -> [[f64; 2]; 2] {
    let [base, new] = times.each_ref().map(|time| time.estimate.value);
    let apart = (found["speedup"].as_f64().unwrap() * new / base).sqrt();
    let moved = |side: &str, time: &Time, factor: f64| {
        let interval = time.interval().unwrap();
        let u = time.estimate.u.unwrap();
        let expected = [time.estimate.value, u, interval.low, interval.high];
        for (name, expected) in ["mean_ns", "u_ns", "low_95_ns", "high_95_ns"].iter().zip(expected)
        {
            let found = found[side][name].as_f64().unwrap_or_else(|| panic!("{what}: {name}"));
            let expected = expected * factor;
            assert!((found / expected - 1.0).abs() < 1e-12, "{what}: {name} {found} {expected}");
        }
        [time.estimate.value * factor, u * factor]
    };
    [moved("base", &times[0], apart), moved("new", &times[1], 1.0 / apart)]
}

#[track_caller]
fn same_time(found: &Value, names: [&str; 4], time: &Time, what: &str) {
    let interval = time.interval();
    same(&found[names[0]], Some(time.estimate.value), what);
    same(&found[names[1]], time.estimate.u, what);
    same(&found[names[2]], interval.map(|interval| interval.low), what);
    same(&found[names[3]], interval.map(|interval| interval.high), what);
}

/// Returns a time as a table prints it.
fn printed(time: &Time) -> String {
    time_with_uncertainty(time.estimate.value, time.estimate.u)
}

fn rows<'t, 'a>(tables: &'t [results::TableResults<'a>]) -> Vec<&'t Row<'a>> {
    tables.iter().flat_map(|table| &table.rows).collect()
}

/// Checks the report and the JSON lines of a bench binary. Returns how many numbers were compared.
fn check_bench(record: &Record, name: &str) -> usize {
    let tables = results::tables(record);
    let report = render(record, None, None, &View::unlimited());
    let lines: BTreeMap<String, Value> = json_results(record, 0, None, None)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| Some((line["name"].as_str()?.to_owned(), line)))
        .collect();
    let mut numbers = 0;
    for row in rows(&tables) {
        let what = format!("{name}: {}", row.case.name);
        let line = &lines[&row.case.name];
        let Some(time) = &row.time else { continue };
        same_time(line, ["mean_ns", "u_ns", "low_95_ns", "high_95_ns"], time, &what);
        // A line has the value with as many digits, and the uncertainty in percent.
        let all = printed(time);
        let (value, rest) = all.split_once(" ± ").unwrap();
        let unit = rest.split_whitespace().next_back().unwrap();
        let u = time.estimate.u.unwrap() / time.estimate.value;
        let shown = format!("{value} {unit} ±");
        let percent = format!("{} %", significant(100.0 * u, 2));
        assert!(report.contains(&shown) && report.contains(&percent), "{what}: {all} in {report}");
        let mut ratios = Vec::new();
        if let Some(compared) = &row.speedup {
            let interval = compared.interval;
            let sigma = compared.speedup.sigma.unwrap();
            let text = format!("σ of S {}", significant(sigma, 2));
            ratios.push((&line["speedup"], compared.speedup, interval, text));
        }
        for (at, speedup) in
            [("real", row.real.as_ref().map(|real| real.speedup)), ("relative", row.relative)]
        {
            let Some(speedup) = speedup else { continue };
            let interval = speedup.log_interval(plusminus::analysis::Confidence::P95);
            let text = with_uncertainty(speedup.speedup, speedup.sigma);
            ratios.push((&line[at], speedup, interval, text));
        }
        for (line, speedup, interval, text) in ratios {
            same(&line["value"], Some(speedup.speedup), &what);
            same(&line["sigma"], speedup.sigma, &what);
            same(&line["low_95"], interval.map(|interval| interval.low), &what);
            same(&line["high_95"], interval.map(|interval| interval.high), &what);
            assert!(report.contains(&text), "{what}: {text} in {report}");
            numbers += 1;
        }
        numbers += 1;
    }
    numbers
}

/// Checks the study of a record that is in a file.
fn check_study(record: &Record, folder: &Path, file: &str) -> usize {
    let tables = results::tables(record);
    let outcome = plusminus(folder, &["study", file, "--json", "study.json"]);
    outcome.exits(0);
    let study = document(&folder.join("study.json"));
    let mut numbers = 0;
    for row in rows(&tables) {
        let Some(time) = &row.time else { continue };
        let case = row.case;
        let what = format!("study of {file}: {}", case.name);
        let problem = case.problem.as_ref().unwrap_or(&case.function);
        let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let found: Vec<Value> = array(&study["problems"])
            .into_iter()
            .filter(|one| one["problem"] == json!(problem))
            .flat_map(|one| array(&one["series"]))
            .filter(|one| one["variant"] == json!(case.function))
            .flat_map(|one| array(&one["scaling"]["rows"]))
            .filter(|one| one["point"] == json!(case.point) && one["p"] == json!(case.processors))
            .collect();
        let [found] = &found[..] else { panic!("{what}: {} rows", found.len()) };
        same_time(&found["time_ns"], ["value", "u", "low_95", "high_95"], time, &what);
        outcome.says(&printed(time));
        let real = row.real.as_ref().map(|real| real.speedup);
        for (at, speedup) in [("speedup_real", real), ("speedup_relative", row.relative)] {
            let Some(speedup) = speedup else {
                assert!(found[at].is_null(), "{what}: {}", found[at]);
                continue;
            };
            let interval = speedup.log_interval(plusminus::analysis::Confidence::P95);
            same(&found[at]["value"], Some(speedup.speedup), &what);
            same(&found[at]["u"], speedup.sigma, &what);
            same(&found[at]["low_95"], interval.map(|interval| interval.low), &what);
            same(&found[at]["high_95"], interval.map(|interval| interval.high), &what);
            numbers += 1;
        }
        numbers += 1;
    }
    numbers
}

#[test]
fn records_have_the_same_numbers_in_reports_json_and_studies() {
    let folder = folder("same_numbers");
    let mut numbers = 0;
    for seed in 0..30 {
        let record = simulated(seed);
        let file = format!("record-{seed}.json");
        record::write(&record, &folder.join(&file)).unwrap();
        let read = record::read(&folder.join(&file)).unwrap();
        assert_eq!(read, record, "nothing is lost by writing it");
        numbers += check_bench(&read, &file) + check_study(&read, &folder, &file);
        let tables = results::tables(&record);
        assert!(rows(&tables).iter().all(|row| row.time.is_some()), "{file}");
        let relative = rows(&tables).iter().filter(|row| row.relative.is_some()).count();
        assert_eq!(relative, 3, "{file}: T(n, 1) is found, whatever points are called");
    }
    let published = record::read(&workspace().join("tests/records/schema-1.json")).unwrap();
    numbers += check_bench(&published, "schema-1.json");
    assert!(numbers > 1000, "{numbers}");
}

#[test]
fn comparisons_have_the_same_numbers_in_all_reports() {
    let folder = folder("same_numbers_of_comparisons");
    for seed in 0..6 {
        let record = compared(seed);
        let file = format!("comparison-{seed}.json");
        record::write_comparison(&record, &folder.join(&file)).unwrap();
        let (base, new) = (record.side(Side::Base), record.side(Side::New));
        check_bench(&base, &file);
        check_bench(&new, &file);
        check_study(&new, &folder, &file);
        let arguments = ["compare", "--from", &file, "--json", "report.json", "-v"];
        // Wide enough for no number to be parted from its uncertainty.
        let outcome = in_columns("1000", &folder, &arguments);
        assert!(matches!(outcome.code, Some(0 | 1 | 3)), "{}", outcome.both());
        let report = document(&folder.join("report.json"));
        let tables = [results::tables(&base), results::tables(&new)];
        // Both times of a row are moved to the ratio of its pairs: each gives half of the way.
        for (base, new) in rows(&tables[0]).into_iter().zip(rows(&tables[1])) {
            let what = format!("{file}: {}", base.case.name);
            let cases = report["benchmarks"].as_array().unwrap();
            let case = cases.iter().find(|one| one["name"] == json!(base.case.name)).unwrap();
            let found = case["rows"].as_array().unwrap();
            let whole = [base, new].map(|row| row.time.clone().unwrap());
            for moved in same_times(&found[found.len() - 1], &whole, &what) {
                outcome.says(&time_with_uncertainty(moved[0], Some(moved[1])));
            }
            for (instance, one) in found.iter().enumerate().take(base.case.instances.len()) {
                let times = [base, new].map(|row| row.instance_time(instance).unwrap());
                same_times(one, &times, &what);
            }
        }
        // The change lies in its interval, and what is printed is what is written.
        for row in report["benchmarks"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|case| case["rows"].as_array().unwrap())
        {
            let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"));
            let change = number("change");
            assert!(number("change_low") <= change && change <= number("change_high"), "{row}");
            let text = with_uncertainty(number("speedup"), row["speedup_sigma"].as_f64());
            outcome.says(&text);
        }
    }
}

#[test]
fn many_instances_take_no_quadratic_time() {
    const INSTANCES: usize = 200_000;
    let path = workspace().join("tests/records/schema-1.json");
    let mut record = record::read(&path).unwrap();
    let case = &mut record.cases[0];
    case.instances = (0..INSTANCES)
        .map(|i| record::InstanceRecord { name: format!("i{i}"), work: Vec::new() })
        .collect();
    let mut random = Random(1);
    // In any order: run and instance say what belongs together.
    case.measurements = (0..2 * INSTANCES as u64)
        .map(|cell| {
            let (run, instance) = ((cell % 2) as u32, (cell / 2) as usize * 7 % INSTANCES);
            let wall_ns = vec![(1e6 + 1e4 * random.normal()) as u64];
            record::Measurement {
                run,
                instance,
                calls: 1,
                windows: 1,
                wall_ns,
                ..Default::default()
            }
        })
        .collect();
    record.cases.truncate(1);
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let tables = results::tables(&record);
        let row = &tables[0].rows[0];
        let _ = sender.send((row.runs.len(), row.cells[0].len(), row.estimate().unwrap().value));
    });
    // One look at every other instance for each takes many minutes here, and n log n a second: the limit only ends a
    // test that would hang.
    let found = receiver.recv_timeout(std::time::Duration::from_secs(120));
    let (runs, instances, time) = found.expect("the analysis ends");
    assert_eq!((runs, instances), (2, INSTANCES));
    assert!((time - 1e6).abs() < 1e3);
}
