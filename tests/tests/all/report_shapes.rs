//! The shape of reports: pure functions over fixed records, at every width, in colors or not, in Unicode or ASCII.

use plusminus::{
    record::{self, Cause, Clock, CoreLoad, Failure, Measurement, Record, WorkerRecord},
    report::{Style, View, explain, render},
    results::{self, BaselineComparison},
    text::Sort,
    text::width,
};
use plusminus_tests::workspace;

/// Times of one call in runs, in nanoseconds.
fn benchmark(name: &str, times_ns: &[u64]) -> record::CaseRecord {
    let measurement = |(run, &time): (usize, &u64)| Measurement {
        run: run as u32,
        calls: 1,
        windows: 1,
        // Ten quiet samples.
        wall_ns: (0..10).map(|i| time + i * time / 100_000).collect(),
        ..Measurement::default()
    };
    let mut case = template();
    case.name = name.to_owned();
    case.function = name.to_owned();
    case.problem = None;
    case.role = record::Role::Contender;
    case.instances = vec![record::InstanceRecord { name: String::new(), work: Vec::new() }];
    case.measurements = times_ns.iter().enumerate().map(measurement).collect();
    case
}

fn template() -> record::CaseRecord {
    let mut case = stored_record().cases.remove(0);
    case.measurements.clear();
    case.failures.clear();
    case.point = String::new();
    case.size = None;
    case.processors = 1;
    case
}

fn stored_record() -> Record {
    record::read(&workspace().join("tests/records/schema-1.json")).unwrap()
}

fn empty() -> Record {
    let mut record = stored_record();
    record.cases.clear();
    record.order.clear();
    record.workers.clear();
    record.manifest.seconds = Some(33.0);
    record.manifest.load_after = Some(0.1);
    record
}

/// Five runs around a time, each 1 % from the next.
fn around(ns: u64) -> Vec<u64> {
    [99, 101, 100, 102, 98].iter().map(|part| ns * part / 100).collect()
}

fn one() -> Record {
    Record { cases: vec![benchmark("parse", &around(12_345))], ..empty() }
}

/// 55 functions, with every kind of note that a record can cause.
fn many() -> Record {
    let mut record = empty();
    record.cases = (0..55)
        .map(|n| {
            benchmark(
                &format!("module::{n}::a_function_with_a_name::{}", 10 << (n % 20)),
                &around(1_000 + 777 * n),
            )
        })
        .collect();
    let fail = |message: &str| Failure {
        run: 0,
        instance: Some(0),
        cause: Cause::Panicked { message: message.to_owned() },
        output: "thread main\nbacktrace".to_owned(),
    };
    record.cases[3].failures.push(fail(&format!(
        "index out of bounds{} at src/lib.rs:12:5",
        ": the len is 3".repeat(40)
    )));
    record.cases[4].measurements.clear();
    // Too short for the clock.
    record.workers.push(WorkerRecord {
        clock: Some(Clock { tick_ns: 1.0, window_ns: 20.0, loop_ns: 10.0 }),
        beside: Some(0.5),
        processor: Some(0),
        ..worker()
    });
    for cell in &mut record.cases[5].measurements {
        *cell = Measurement { worker: Some(0), wall_ns: vec![90; 10], ..cell.clone() };
    }
    // Threads of its own, interrupted, without a steady state, slowing, and with a pilot that was not enough.
    record.cases[6].measurements.iter_mut().for_each(|cell| cell.worker = Some(0));
    for cell in &mut record.cases[7].measurements {
        cell.cpu_ns = cell.wall_ns.clone();
        cell.wall_ns.iter_mut().skip(2).for_each(|wall| *wall *= 3);
    }
    record
        .workers
        .push(WorkerRecord { core: Some(CoreLoad { typical: 1.3, least: 0.7 }), ..worker() });
    record.cases[52].measurements.iter_mut().for_each(|cell| cell.worker = Some(1));
    for case in &mut record.cases[8..50] {
        case.measurements.iter_mut().for_each(|cell| cell.wall_ns = saw(cell.wall_ns[0]));
    }
    for cell in &mut record.cases[50].measurements {
        let begin = cell.wall_ns[0];
        cell.wall_ns = (0..40).map(|i| begin * if i < 20 { 10 } else { 13 } / 10 + i % 3).collect();
    }
    record.settings.precision = Some(0.01);
    record.cases[51] = benchmark("imprecise", &[1_000, 2_000, 1_500, 1_100, 1_900, 1_300]);
    record.cases[51].pilot_runs = Some(5);
    let manifest = &mut record.manifest;
    manifest.opt_level = "0".to_owned();
    manifest.cores = 2;
    manifest.others_seconds = Some(20.0);
    manifest.governor = Some("powersave".to_owned());
    manifest.steal_ticks = Some(1_000);
    manifest.swapped_pages = Some(4);
    manifest.clock_source = Some("hpet".to_owned());
    manifest.address_randomisation = Some("0".to_owned());
    manifest.other_run = Some("sort, process 7".to_owned());
    record.interrupted = Some(2);
    record
}

/// A series that is still getting faster when it ends.
fn saw(ns: u64) -> Vec<u64> {
    // Four levels, the last of which is too short to be a steady state.
    (0..48).map(|i| ns + ns * (3 - i / 13) * 3 / 10 + i % 3).collect()
}

fn worker() -> WorkerRecord {
    let text = br#"{"run": 0, "padding_bytes": 0, "samples": 1, "protocol_ns": 0}"#;
    let mut whole: serde_json::Value = serde_json::from_slice(
        &std::fs::read(workspace().join("tests/records/schema-1.json")).unwrap(),
    )
    .unwrap();
    whole["workers"] =
        serde_json::json!([serde_json::from_slice::<serde_json::Value>(text).unwrap()]);
    let record = record::parse(whole.to_string().as_bytes(), std::path::Path::new("made")).unwrap();
    record.workers.into_iter().next().unwrap()
}

/// Four variants at two points, with work.
pub(crate) fn problem() -> Record {
    let mut record = empty();
    for (point, scale) in [("rmat-14-w255", 1), ("rmat-15-w255", 2)] {
        for (place, (function, ns, role)) in [
            ("sssp::kla", 2_820_000, record::Role::Baseline),
            ("sssp::delta_stepping", 1_539_000, record::Role::Contender),
            ("sssp::dijkstra_heap", 2_800_000, record::Role::Reference),
            ("sssp::bellman_ford", 9_170_000, record::Role::Contender),
        ]
        .into_iter()
        .enumerate()
        {
            // Different deviations for all: else ratios would be exact.
            let mut times = around(ns * scale);
            times.rotate_left(place);
            let mut case = benchmark(&format!("{function}::{point}"), &times);
            case.function = function.to_owned();
            case.problem = Some("sssp::problem::ShortestPaths".to_owned());
            case.point = point.to_owned();
            case.role = role;
            case.instances[0].work = vec![("edges".to_owned(), 213_000.0)];
            record.cases.push(case);
        }
    }
    record
}

fn against_a_baseline() -> (Record, BaselineComparison) {
    let with = |times: [u64; 3]| Record {
        cases: ["sort::quick::1000", "sort::merge::1000", "sort::heap::1000"]
            .iter()
            .zip(times)
            .map(|(name, ns)| benchmark(name, &around(ns)))
            .chain([benchmark("sort::new_one", &around(10))])
            .collect(),
        ..empty()
    };
    let (old, new) = (with([10_000, 20_000, 30_000]), with([15_000, 20_010, 21_000]));
    let mut old = Record { cases: old.cases[..3].to_vec(), ..old };
    old.manifest.cpu = Some("Another".to_owned());
    old.manifest.started = "2026-01-31T12:34:56Z".to_owned();
    let stored = results::compare_records(&new, "before", &old, |_| 0.02);
    (new, BaselineComparison::Record(stored))
}

fn failures() -> Record {
    let mut record = many();
    record.cases = record.cases[3..7].to_vec();
    record.interrupted = None;
    record
}

/// Widths at which reports are looked at.
const WIDTHS: [usize; 7] = [20, 33, 40, 60, 80, 100, 140];

const PATH: &str = "target/plusminus/sort/records/2026-01-31T123456Z.json";

/// Shows a record in every way. Panics where a line is too wide, or the colors change anything but colors.
fn shown(record: &Record, stored: Option<&BaselineComparison>) -> String {
    let mut all = String::new();
    for columns in WIDTHS {
        for unicode in [true, false] {
            for verbose in [false, true] {
                let view = View { width: columns, unicode, verbose, ..View::default() };
                let plain = render(record, stored, Some(PATH), &view);
                assert_narrow(&plain, columns);
                assert!(unicode || plain.is_ascii(), "{plain}");
                let coloured =
                    render(record, stored, Some(PATH), &View { style: Style::Coloured, ..view });
                assert_eq!(without_colours(&coloured), plain, "color is never the only sign");
                let is_kept = match verbose {
                    true => columns == 80 && unicode && record.cases.len() < 10,
                    false => columns >= 40 && (unicode || columns == 80),
                };
                if is_kept {
                    let letters = if unicode { "Unicode" } else { "ASCII" };
                    let detail = if verbose { ", -v" } else { "" };
                    all.push_str(&format!("--- {columns} columns, {letters}{detail}\n{plain}"));
                }
                if columns == 80 && !verbose && unicode {
                    let marked = coloured.replace('\u{1b}', "␛");
                    all.push_str(&format!("--- 80 columns, in colors\n{marked}"));
                }
            }
        }
    }
    all
}

/// Panics where a line is wider than asked for, unless it is a single word: a name, a path or a command.
#[track_caller]
pub(crate) fn assert_narrow(report: &str, columns: usize) {
    for line in report.lines().filter(|line| width(line) > columns) {
        let is_command = line.trim_start().starts_with("`cargo ") || line.starts_with("Details:");
        let is_word = line.split_whitespace().count() == 1 || line.starts_with("Raw data:");
        assert!(is_word || is_command, "{} of {columns}: {line}", width(line));
    }
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain + rest
}

#[test]
fn an_instance_with_more_work_is_no_news() {
    // Times of three texts, of which the last takes a factor longer than its words tell.
    let of = |factor: f64| {
        let mut case = benchmark("count", &[]);
        let words = [5_000.0, 10_000.0, 20_000.0];
        let instance = |words| record::InstanceRecord {
            name: format!("{words} words"),
            work: vec![("words".to_owned(), words)],
        };
        case.instances = words.map(instance).into();
        let off = [1.0, 1.004, 0.997, 1.002, 0.998];
        for (run, off) in off.into_iter().enumerate() {
            for (at, words) in words.into_iter().enumerate() {
                let ns = words * off * if at == 2 { factor } else { 1.0 };
                case.measurements.push(Measurement {
                    instance: at,
                    ..benchmark("", &[ns as u64]).measurements.remove(0)
                });
                case.measurements.last_mut().unwrap().run = run as u32;
            }
        }
        let mut record = empty();
        record.cases.push(case);
        render(&record, None, None, &View { verbose: true, ..View::unlimited() })
    };
    let said = of(1.0);
    assert!(said.contains("count") && !said.contains("consistently"), "{said}");
    let said = of(1.5);
    assert!(
        said.contains(
            "instance 3 (20000 words) is consistently slow for count, for its words: ×1.5"
        ),
        "{said}"
    );
}

#[test]
fn one_benchmark() {
    insta::assert_snapshot!(shown(&one(), None));
}

#[test]
fn a_load_that_was_over_before_the_measurement_is_not_noted() {
    let mut record = one();
    record.manifest.cores = 2;
    record.manifest.load_before = Some(9.0);
    record.manifest.others_seconds = Some(1.0);
    let text = shown(&record, None);
    assert!(!text.contains("busy machine"), "{text}");
    record.manifest.others_seconds = Some(20.0);
    let text = render(&record, None, None, &View { width: 10_000, ..View::default() });
    assert!(text.contains("busy machine: other programs used 30.3 % of the CPU time"), "{text}");
}

#[test]
fn fifty_five_benchmarks_with_every_kind_of_note() {
    let record = many();
    let text = shown(&record, None);
    insta::assert_snapshot!(text);
    let short = render(&record, None, Some("record.json"), &View::default());
    assert_eq!(short.matches("warning: ").count(), 3, "{short}");
    let wide = View { width: 10_000, ..View::default() };
    let all = render(&record, None, None, &wide);
    // A panic is printed whole.
    let panic = format!("index out of bounds{} at src/lib.rs:12:5", ": the len is 3".repeat(40));
    assert!(all.contains(&panic), "{all}");
    for note in [
        "too fast to measure",
        "not measured",
        "interrupted",
        "debug build",
        "concurrent measurement",
        "busy machine",
        "stolen time",
        "swapping",
        "governor",
        "slow clock",
        "fixed addresses",
        "threads shared one CPU",
        "slowing down",
        "no steady state",
        "interrupted samples",
        "shared core",
        "below target precision",
        "poor repeatability",
    ] {
        let is_named = |line: &str| {
            line.starts_with(&format!("warning: {note}: "))
                || line.starts_with("and ") && line.contains(note)
        };
        assert!(all.lines().any(is_named), "{note}: {all}");
        assert!(explain(note).is_ok(), "{note}");
    }
}

#[test]
fn a_problem_with_four_variants_and_two_points() {
    insta::assert_snapshot!(shown(&problem(), None));
}

#[test]
fn lines_come_in_the_order_that_is_asked_for() {
    let order = |record: &Record, sort: Sort| -> Vec<String> {
        let text = render(record, None, None, &View { sort, ..View::default() });
        let rows = text
            .lines()
            .take_while(|line| !line.contains("benchmarks in ") && !line.contains(": "));
        let lines = rows.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
    };
    let (record, failed) = (problem(), failures());
    let of_source = order(&record, Sort::Source);
    let table = of_source.len() / 2;
    let by_name = order(&record, Sort::Name);
    assert!(by_name[..table].is_sorted() && by_name[table..].is_sorted(), "{by_name:?}");
    let by_time = order(&record, Sort::Time);
    assert_ne!(by_time, of_source);
    // Within a problem, the fastest has the largest speedup.
    assert_eq!(by_time, order(&record, Sort::Speedup));
    // A benchmark without a time comes last, and everything stays there.
    let (before, after) = (order(&failed, Sort::Source), order(&failed, Sort::Time));
    assert_eq!(before.len(), after.len());
}

#[test]
fn a_comparison_with_a_baseline() {
    let (record, stored) = against_a_baseline();
    insta::assert_snapshot!(shown(&record, Some(&stored)));
}

#[test]
fn failed_benchmarks() {
    insta::assert_snapshot!(shown(&failures(), None));
}

#[test]
fn every_word_of_a_short_report_can_be_explained() {
    let (baseline, stored) = against_a_baseline();
    let wide = View { width: 10_000, ..View::default() };
    let mut asked = 0;
    for (record, stored) in [
        (one(), None),
        (many(), None),
        (problem(), None),
        (baseline, Some(&stored)),
        (failures(), None),
    ] {
        let text = render(&record, stored, Some("x.json"), &wide);
        for line in text.lines() {
            // The label of a warning, the words of a verdict, the counts of the summary, and the heads.
            let words: Vec<&str> = match line.split_once(": ") {
                Some(("warning", rest)) => rest.split(": ").take(1).collect(),
                Some((front, rest)) if front.contains(" benchmarks in ") => {
                    rest.split(", ").collect()
                }
                _ if line.starts_with("   ") => line.split("  ").collect(),
                _ if line.starts_with("  ") => {
                    line.split("  ").skip(2).last().into_iter().collect()
                }
                _ => Vec::new(),
            };
            for word in words {
                let word = word.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
                let word = word.split(", may be").next().unwrap();
                let is_number = word.contains(['%', ']', '/']) && !word.starts_with("within");
                if word.is_empty() || is_number || word.starts_with(['.', '!', '±']) {
                    continue;
                }
                let ends_scale = word.chars().all(|c| c.is_ascii_digit() || c == '.');
                assert!(ends_scale || explain(word).is_ok(), "{word:?} of {line:?}");
                asked += 1;
            }
        }
    }
    assert!(asked > 30, "{asked}");
}

/// 67 benchmarks with the names of a suite that was ported from elsewhere: long ones, that differ in the middle, and of three
/// groups.
fn suite() -> Record {
    let mut record = empty();
    let documents = ["bom_primary", "bom_secondary", "large_primary", "large_secondary"];
    let steps = ["read", "write", "read_with_namespaces", "read_to_string_and_back"];
    record.cases = (0..67)
        .map(|n| {
            let (document, step) = (documents[n % 4], steps[n / 4 % 4]);
            let group =
                ["macrobenches", "microbenches::attributes", "macrobenches::whole_files"][n % 3];
            let name = format!("{group}::{step}/tests/documents/sample_{n}_{document}.xml");
            benchmark(&name, &around(1_000 + 777 * n as u64))
        })
        .collect();
    record
}

/// Returns the names of the rows of a report, after the heading of their group: names on a line of their own, and
/// others.
fn printed_names(report: &str) -> Vec<String> {
    let mut heading = String::new();
    let mut names = Vec::new();
    for line in report.lines().take_while(|line| !line.is_empty()) {
        match line.strip_prefix("  ") {
            None => heading = line.split(" · ").next().unwrap().to_owned(),
            Some(row) if row.starts_with(' ') => {}
            Some(row) => names.push(format!("{heading}::{}", row.split("  ").next().unwrap())),
        }
    }
    names
}

#[test]
fn no_two_rows_have_the_same_name_at_any_width() {
    let (baseline, stored) = against_a_baseline();
    for (record, stored) in [(suite(), None), (many(), None), (baseline, Some(&stored))] {
        for columns in WIDTHS {
            let view = View { width: columns, ..View::default() };
            let report = render(&record, stored, Some(PATH), &view);
            assert_narrow(&report, columns);
            assert!(report.contains(PATH), "a path is whole: {report}");
            let mut names = printed_names(&report);
            assert_eq!(names.len(), record.cases.len(), "{columns}: {report}");
            names.sort();
            names.dedup();
            assert_eq!(names.len(), record.cases.len(), "{columns}: {report}");
        }
    }
    insta::assert_snapshot!(shown(&suite(), None));
}

#[test]
fn counts_add_up_to_the_benchmarks() {
    let (baseline, stored) = against_a_baseline();
    for (record, stored) in [
        (suite(), None),
        (many(), None),
        (problem(), None),
        (failures(), None),
        (stored_record(), None),
        (baseline, Some(&stored)),
    ] {
        let wide = View { width: 10_000, ..View::default() };
        let report = render(&record, stored, None, &wide);
        let summary = report.lines().rev().find(|line| line.contains(" benchmark")).unwrap();
        let number = |text: &str| text.split_whitespace().next().unwrap().parse::<usize>().unwrap();
        let all = number(summary);
        assert_eq!(all, record.cases.len());
        if let Some((_, counts)) = summary.split_once(": ") {
            assert_eq!(counts.split(", ").map(number).sum::<usize>(), all, "{summary}");
        }
    }
}
