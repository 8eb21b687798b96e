//! The same documents as an independent library writes and reads, and errors that name the place.

use proptest::prelude::*;
use serde_json::json;

use plusminus_runner::record::{CaseRecord, Cause, MetricRecord, Role, Step};
use plusminus_worker::{
    json::{FromJson, ToJson, decode, encode},
    protocol::{Answer, Failed, Request, Sampling},
};

fn written(value: &dyn ToJson) -> String {
    String::from_utf8(encode(value)).unwrap()
}

fn wrong<T: FromJson>(text: &str) -> String {
    decode::<T>(text.as_bytes()).err().unwrap_or_else(|| panic!("{text} was read")).to_string()
}

proptest! {
    #[test]
    fn numbers_are_written_as_others_write_them(bits: u64, small in -1e-3..1e-3_f64, large in -1e18..1e18_f64) {
        for number in [f64::from_bits(bits), small, large, large.round()] {
            let (ours, theirs) = (written(&number), serde_json::to_string(&number).unwrap());
            // Where two numbers of as few digits lie equally near, each library takes another one.
            prop_assert_eq!(ours.len(), theirs.len());
            prop_assert_eq!(ours.find(['.', 'e', '+']), theirs.find(['.', 'e', '+']));
            if number.is_finite() {
                prop_assert_eq!(theirs.parse::<f64>().unwrap(), number);
                prop_assert_eq!(decode::<f64>(ours.as_bytes()).unwrap().to_bits(), number.to_bits());
            }
        }
        prop_assert_eq!(decode::<u64>(written(&bits).as_bytes()).unwrap(), bits);
    }

    #[test]
    fn texts_are_written_as_others_write_them(text: String) {
        prop_assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        prop_assert_eq!(decode::<String>(written(&text).as_bytes()).unwrap(), text);
    }

    #[test]
    fn nothing_from_outside_is_fatal(bytes: Vec<u8>, start in 0_usize..400, length in 0_usize..40) {
        let _ = decode::<Answer>(&bytes);
        let mut whole = case().to_string().into_bytes();
        let end = (start + length).min(whole.len());
        whole.splice(start.min(end)..end, bytes);
        if let Err(error) = decode::<CaseRecord>(&whole) {
            prop_assert!(!error.to_string().chars().any(char::is_control), "{error}");
        }
    }
}

#[test]
fn the_edges_of_exponents_are_as_before() {
    for (number, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1e-5, "0.00001"),
        (9.9e-6, "9.9e-6"),
        (1e-4, "0.0001"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (f64::MAX, "1.7976931348623157e+308"),
        (f64::NAN, "null"),
        (f64::INFINITY, "null"),
    ] {
        assert_eq!(written(&number), text);
        assert_eq!(serde_json::to_string(&number).unwrap(), text);
    }
}

/// A case as the first version of the format has it, without all that later versions have added.
fn case() -> serde_json::Value {
    json!({
        "name": "a::1", "function": "a", "problem": null, "point": "1", "role": "baseline", "processors": 1,
        "instances": [{"name": "i", "work": [["edges", 3]]}],
        "measurements": [{
            "run": 0, "instance": 0, "calls": 1, "wall_ns": [5, 7], "cpu_ns": [], "switches": [],
            "resources": {"memory": null, "counters": [], "absent": []},
        }],
        "failures": [{"run": 0, "instance": null, "cause": {"timed_out": {"seconds": 2.5}}, "output": ""}],
        "of a later version": {"deep": [[{"unknown": [1, "]", null]}]]},
    })
}

#[test]
fn what_is_missing_or_unknown_does_no_harm_where_versions_differ() {
    let read: CaseRecord = decode(case().to_string().as_bytes()).unwrap();
    assert_eq!((read.threads, read.measurements[0].windows), (1, 1));
    assert_eq!((read.size, read.role), (None, Role::Baseline));
    assert_eq!(read.instances[0].work, [("edges".to_owned(), 3.0)]);
    assert_eq!(read.failures[0].cause, Cause::TimedOut { seconds: 2.5 });
    let again = written(&read);
    assert_eq!(decode::<CaseRecord>(again.as_bytes()).unwrap(), read);
    assert!(
        !again.contains("threads_ns") && !again.contains("tallies"),
        "empty, so left out: {again}"
    );
    assert!(again.contains("\"models\":[]") && again.contains("\"size\":null"), "{again}");
}

#[test]
fn requests_and_answers_have_the_form_of_the_protocol() {
    let sampling =
        Sampling { case: 1, instance: 2, calls: u64::MAX, samples: 4, check: true, stay: true };
    for (request, form) in [
        (Request::List, json!("list")),
        (
            Request::Count(sampling),
            json!({"count": {"case": 1, "instance": 2, "calls": u64::MAX, "samples": 4, "check": true, "stay": true}}),
        ),
    ] {
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&request.line()).unwrap(), form);
        assert_eq!(Request::decode(&form.to_string()), Ok(request));
    }
    let failed = Answer::Failed(Failed::WrongAnswer { message: "a \"b\"\n".to_owned() });
    assert_eq!(written(&failed), r#"{"failed":{"wrong_answer":{"message":"a \"b\"\n"}}}"#);
    assert_eq!(Answer::decode(&written(&failed)), Ok(failed));
    assert_eq!(Request::decode(r#"{"list":null}"#), Ok(Request::List));
    let usage = Answer::Usage { peak_rss_bytes: None, counting: None, outputs: None };
    assert_eq!(Answer::decode(r#"{"usage":{}}"#), Ok(usage));
}

#[test]
fn errors_name_the_place_and_what_is_wrong_there() {
    let with = |pointer: &str, value: serde_json::Value| {
        let mut case = case();
        *case.pointer_mut(pointer).unwrap() = value;
        wrong::<CaseRecord>(&case.to_string())
    };
    for (pointer, value, words) in [
        (
            "/measurements/0/wall_ns/1",
            json!(-1),
            "measurements[0].wall_ns[1]: expected a whole number within the limits of u64, found `-1`",
        ),
        (
            "/measurements/0/calls",
            json!(1.5),
            "measurements[0].calls: expected a whole number within the limits of u64, found `1.5`",
        ),
        (
            "/measurements/0/calls",
            json!("1"),
            "measurements[0].calls: expected a number, found a text",
        ),
        ("/measurements/0/resources", json!({}), "measurements[0].resources.counters: is missing"),
        (
            "/instances/0/work/0",
            json!(["edges"]),
            "instances[0].work[0]: expected two values, found fewer",
        ),
        (
            "/instances/0/work/0",
            json!(["edges", 1, 2]),
            "instances[0].work[0][2]: expected two values, found more",
        ),
        ("/name", json!(null), "name: expected a text, found null"),
        (
            "/role",
            json!("king\u{1b}"),
            "role: expected one of contender, baseline, reference, found `king\\u{1b}`",
        ),
        ("/failures/0/cause", json!("died"), "failures[0].cause.died: lacks its fields"),
        (
            "/failures/0/cause",
            json!({}),
            "failures[0].cause: expected the name of a variant, found an empty object",
        ),
        (
            "/failures/0/cause/timed_out/seconds",
            json!("long"),
            "failures[0].cause.timed_out.seconds: expected a number, found a text",
        ),
    ] {
        assert_eq!(with(pointer, value), words);
    }
    assert_eq!(wrong::<Step>("[]"), "expected an object, found a list");
    assert_eq!(wrong::<Step>(r#"{"run": 1, "instance": 0}"#), "cases: is missing");
    assert_eq!(wrong::<Step>(r#"{"run": 1, "run": 1}"#), "run: is there twice");
    assert_eq!(wrong::<f64>("1e999"), "expected a number within the limits of f64, found `1e999`");
    assert_eq!(wrong::<Request>(r#"{"list":1}"#), "list: has no value");
    assert_eq!(
        wrong::<Request>(r#"{"list":null,"usage":null}"#),
        "list: expected one variant, found more"
    );
    assert_eq!(wrong::<MetricRecord>("{\n "), "no JSON: Unexpected end of file at line 2 column 2");
    assert!(wrong::<f64>("1 2").contains("line 1 column 3"), "{}", wrong::<f64>("1 2"));
    assert!(wrong::<f64>(&"9".repeat(1000)).ends_with("…`"));
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{{\"x\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(wrong::<Step>(&deep).contains("stack size"), "the library has a limit");
}
