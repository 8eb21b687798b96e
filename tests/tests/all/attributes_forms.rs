//! Every form of a benchmark measures, under the name that it should have, and with what belongs to it.

use plusminus::{
    MetricKind,
    record::{self, CaseRecord, Record},
};
use plusminus_tests::Fixture;

fn case<'a>(record: &'a Record, name: &str) -> &'a CaseRecord {
    record.cases.iter().find(|case| case.name == name).unwrap_or_else(|| {
        let names: Vec<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
        panic!("no `{name}` among {names:#?}")
    })
}

#[test]
fn all_forms_are_measured() {
    let fixture = Fixture::new("attributes", "all_forms");
    let arguments = ["bench", "--bench", "forms", "--", "--runs", "2", "--sample-time", "0.001"];
    let outcome = fixture.cargo(&arguments);
    outcome
        .exits(0)
        .says("by_many")
        .says("2 threads")
        .says("probes/call")
        .says("probe rate: probes/s");
    let record = record::read(&fixture.records("forms")[0]).unwrap();
    let names: Vec<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "bare",
            "tuples::1,one",
            "tuples::2,two",
            "named::all ones",
            "named::none",
            "named_in_pairs::few",
            "named_in_pairs::many",
            "named_by_a_function::3 numbers",
            "named_by_a_function::40 numbers",
            "with_numbers::1",
            "with_numbers::2",
            "with_texts::empty",
            "of_libtest::iterates",
            "borrowed::short",
            "borrowed::a longer one",
            "cloned_for_each_call::[3, 1, 2]",
            "cloned_for_each_call::[]",
            "of_a_slice::3",
            "of_a_slice::4",
            "of_an_iterator::6",
            "of_an_iterator::8",
            "of_types::u8",
            "of_types::String",
            "of_types::Vec<Option<u8>>",
            "of_constants::1",
            "of_constants::4",
            "of_named_constants::2",
            "of_named_constants::3",
            "of_named_constants::5",
            "product::HashSet<u32>::4::10",
            "product::HashSet<u32>::4::20",
            "product::HashSet<u32>::8::10",
            "product::HashSet<u32>::8::20",
            "product::BTreeSet<u32>::4::10",
            "product::BTreeSet<u32>::4::20",
            "product::BTreeSet<u32>::8::10",
            "product::BTreeSet<u32>::8::20",
            "pairs_of_types::u8,u16",
            "pairs_of_types::u8,u32",
            "another name, with blanks / and ../ slashes",
            "own_unit",
            "work_of_its_input",
            "asynchronous",
            "asynchronous_with_arguments::1",
            "asynchronous_with_arguments::2",
            "asynchronous_kernel",
            "by_slice::10",
            "by_waiting::10",
            "by_value::10",
            "by_many::10::t1",
            "by_many::10::t2",
            "measured::t1",
            "measured::t2",
            "measured_inside",
        ]
    );
    for case in &record.cases {
        assert!(case.failures.is_empty(), "{}: {:?}", case.name, case.failures);
        assert_eq!(case.measurements.len(), 2, "{}", case.name);
    }
    let work = |name| case(&record, name).instances[0].work.clone();
    assert_eq!(work("tuples::2,two"), [("items".to_owned(), 2.0), ("bytes".to_owned(), 3.0)]);
    assert_eq!(work("another name, with blanks / and ../ slashes"), [("bits".to_owned(), 3e9)]);
    assert_eq!(work("of_libtest::iterates"), [("bytes".to_owned(), 5.0)]);
    assert_eq!(work("own_unit"), [("probes".to_owned(), 3.0), ("items".to_owned(), 1.0)]);
    assert_eq!(work("work_of_its_input"), [("items".to_owned(), 3.0)]);
    assert_eq!(work("of_a_slice::4"), [("items".to_owned(), 4.0)]);
    assert_eq!(work("product::BTreeSet<u32>::8::20"), [("items".to_owned(), 20.0)]);
}

#[test]
fn metrics_and_threads_are_recorded_for_each_sample() {
    let fixture = Fixture::new("attributes", "metrics_and_threads");
    let arguments =
        ["bench", "--bench", "forms", "--", "measured", "--runs", "1", "--samples", "6"];
    let outcome = fixture.cargo(&arguments);
    outcome.exits(0);
    let record = record::read(&fixture.records("forms")[0]).unwrap();
    for (name, threads, per_call) in
        [("measured::t1", 1, 3), ("measured::t2", 2, 3), ("measured_inside", 1, 7)]
    {
        let case = case(&record, name);
        assert_eq!(case.threads, threads);
        assert_eq!(case.metrics[0].kind, MetricKind::Cost);
        let measurement = &case.measurements[0];
        assert_eq!(measurement.wall_ns.len(), 6);
        // Exactly the calls of the windows are counted: no inputs, no drops, and those of all callers.
        let expected = (measurement.calls * threads as u64 * per_call) as f64;
        assert!(
            measurement.metrics[0].iter().all(|&found| found == expected),
            "{name}: {measurement:?}"
        );
        assert_eq!(measurement.threads_ns.len(), if threads == 1 { 0 } else { 6 });
        let shares = measurement.threads_ns.iter().zip(&measurement.late_ns);
        assert_eq!(measurement.late_ns.len(), measurement.threads_ns.len());
        for ((own, late), wall) in shares.zip(&measurement.wall_ns) {
            assert_eq!((own.len(), late.len()), (threads, threads));
            assert!(late.contains(&0), "the first one's begin is the begin of all");
            let ends = own.iter().zip(late).map(|(own, late)| own + late);
            assert!(ends.max() <= Some(*wall), "the last one's end is the end of all");
        }
        assert_eq!(measurement.skew_ns().is_some(), threads > 1);
    }
    assert!(outcome.stdout.contains("measured::t2: its 2 callers begin within "));
    assert!(!outcome.stdout.contains("measured::t1: its"), "{}", outcome.both());
}

#[test]
fn a_metric_that_is_no_number_is_a_failure_with_its_name() {
    let fixture = Fixture::new("attributes", "metric_of_no_number");
    let arguments = ["bench", "--bench", "forms", "--", "not_a_number", "--ignored", "--runs", "1"];
    fixture.cargo(&arguments).exits(2).says(
        "its metric `ratio` went up by NaN in a sample; `read` has to return a finite number",
    );
}

#[test]
fn slow_inputs_are_told_instead_of_waited_for() {
    let fixture = Fixture::new("attributes", "slow_inputs");
    let path = fixture.output.with_extension("log");
    std::fs::create_dir_all(fixture.output.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    let mut command = fixture.command("cargo");
    command.args(["bench", "--bench", "slow", "--", "--runs", "1"]).env("FIXTURE_LOG", &path);
    let outcome = plusminus_tests::Outcome::of(&command.output().expect("cargo is there"));
    outcome
        .exits(2)
        .says("never_ready failed in run 1: timed out")
        .says("never_set_up failed in run 1: timed out");
    let record = record::read(&fixture.records("slow")[0]).unwrap();
    let slow = case(&record, "slowly_ready");
    assert!(slow.failures.is_empty(), "{:?}", slow.failures);
    // The time of a sample is spent on a few inputs, instead of the inputs of half a millisecond of kernel.
    let inputs = std::fs::read_to_string(&path).unwrap().lines().count();
    assert!((1..200).contains(&inputs), "{inputs} inputs");
}
