//! Workers that measure several benchmarks of a function that registers them.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use plusminus::engine::{Answer, Request, WORKER_FLAG};
use plusminus_tests::Fixture;

fn load(name: &str, sections: &str) -> Request {
    let load = format!(r#"{{"load":{{"cases":["{name}"],"sections":{sections}}}}}"#);
    Request::decode(&load).unwrap()
}

#[test]
fn a_function_is_called_once_for_benchmarks_in_its_order() {
    let fixture = Fixture::new("drop-in", "registered_worker");
    fs::create_dir_all(&fixture.output).unwrap();
    let set_ups = fixture.output.join("set-ups");
    let mut worker = Command::new(fixture.bench_binary("registered"))
        .args([WORKER_FLAG, &std::process::id().to_string()])
        .env("SET_UPS", &set_ups)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = worker.stdin.take().unwrap();
    let mut answers = BufReader::new(worker.stdout.take().unwrap()).lines();
    let mut ask = |request: Option<Request>| {
        if let Some(request) = request {
            requests.write_all(&request.line()).unwrap();
        }
        Answer::decode(&answers.next().unwrap().unwrap()).unwrap()
    };
    let ran = || fs::read_to_string(&set_ups).unwrap_or_default();
    assert!(matches!(ask(None), Answer::Ready { .. }));
    let of_function = |name: &str| format!("squares::{name}");
    // In its order, back to the first, one with an attribute, and the last one again.
    let names = ["sum::2", "sum::3", "shared::t2", "sum::2", "", "shared::t1"];
    for (name, calls) in names.into_iter().zip([1, 1, 1, 2, 2, 3]) {
        let name = if name.is_empty() { "written".to_owned() } else { of_function(name) };
        let loaded = ask(Some(load(&name, "null")));
        assert!(matches!(loaded, Answer::Loaded { .. }), "{name}: {loaded:?}");
        assert_eq!(ran(), "x".repeat(calls), "{name}");
        assert!(matches!(ask(Some(Request::Pause)), Answer::Finished), "{name}");
    }
    // Of the sections within a section, only the one with the benchmark runs.
    let within = [
        ("first", "[0,0]", ""),
        ("third", "[1,1]", ""),
        ("behind", "[0]", "x"),
        ("second", "[0,1]", "xy"),
    ];
    let mut all = ran();
    for (name, sections, more) in within {
        let loaded = ask(Some(load(&of_function(name), sections)));
        assert!(matches!(loaded, Answer::Loaded { .. }), "{name}: {loaded:?}");
        all.push_str(more);
        assert_eq!(ran(), all, "{name}");
        assert!(matches!(ask(Some(Request::Pause)), Answer::Finished), "{name}");
    }
    // The rest of the function runs before the answer.
    assert!(matches!(ask(Some(Request::Finish)), Answer::Finished));
    let failed = ask(Some(load(&of_function("sum::4"), "null")));
    assert!(format!("{failed:?}").contains("no benchmark named"), "{failed:?}");
    drop(requests);
    assert!(!worker.wait().unwrap().success());
}
