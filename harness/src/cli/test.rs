//! Test mode, `cargo test --benches`: everything once at its smallest point, checked and not timed.

use std::time::Instant;

use super::{
    arguments::{Arguments, Format},
    measuring::Measuring,
    progress::Silent,
};
use crate::{
    engine::InProcess,
    exit,
    record::{CaseRecord, Manifest},
    registry::Case,
    report, sys,
    worker::describe,
};

/// Runs cases once, and prints one line for each in the manner of libtest.
pub(super) fn test(
    selected: Vec<Case>,
    known: usize,
    arguments: &Arguments,
    here: Option<InProcess>,
) -> i32 {
    let filtered = known - selected.len();
    let selected = if arguments.filter.exact { selected } else { smallest_points(selected) };
    let json = arguments.format == Format::Json;
    if json {
        print!("{}", report::json_started(selected.len()));
    } else {
        let plural = if selected.len() == 1 { "" } else { "s" };
        println!("\nrunning {} benchmark{plural}", selected.len());
    }
    let measuring = match Measuring::new(arguments, here) {
        Ok(measuring) => measuring.once(),
        Err(message) => {
            eprintln!("plusminus: {message}");
            return exit::FAILED;
        }
    };
    if !arguments.in_process {
        sys::catch_interrupts();
    }
    let begin = Instant::now();
    let manifest = Manifest::of_now(&measuring.program.binary, "");
    let cases = describe(&selected);
    let record = measuring.measure(&cases, measuring.nothing_yet(&cases, manifest), &mut Silent);
    for case in &record.cases {
        print_result(case, json);
    }
    let failed = record.cases.iter().filter(|case| !case.failures.is_empty()).count();
    // What an interrupt, or a failure in the only process, has left out is neither.
    let passed = |case: &&CaseRecord| case.failures.is_empty() && !case.measurements.is_empty();
    let passed = record.cases.iter().filter(passed).count();
    if json {
        print!("{}", report::json_tested(passed, failed, filtered, begin.elapsed().as_secs_f64()));
    } else {
        let result = if failed == 0 { "ok" } else { "FAILED" };
        println!(
            "\ntest result: {result}. {passed} passed; {failed} failed; 0 ignored; 0 measured; {filtered} filtered out\n"
        );
    }
    match record.interrupted {
        Some(signal) => exit::INTERRUPTED + signal,
        None if failed > 0 => exit::FAILED,
        None => exit::FINE,
    }
}

fn print_result(case: &CaseRecord, json: bool) {
    let name = &case.name;
    if json {
        print!("{}", report::json_test("test", "started", name, None));
        let cause = case.failures.first().map(|failure| failure.cause.to_string());
        let event = match cause {
            Some(_) => "failed",
            None if case.measurements.is_empty() => "ignored",
            None => "ok",
        };
        print!("{}", report::json_test("test", event, name, cause.as_deref()));
        return;
    }
    match case.failures.first() {
        None if case.measurements.is_empty() => println!("test {name} ... not run"),
        None => println!("test {name} ... ok"),
        Some(failure) => {
            println!("test {name} ... FAILED");
            eprintln!("{name}: {}", failure.cause);
            if !failure.output.is_empty() {
                eprintln!("---- what it printed ----\n{}", failure.output.trim_end());
            }
        }
    }
}

/// The first selected point of every benchmark, with every number of processors.
fn smallest_points(cases: Vec<Case>) -> Vec<Case> {
    let smallest = |case: &Case| {
        let of_same = cases.iter().filter(|other| std::ptr::eq(other.entry, case.entry));
        of_same.map(|other| other.point).min() == Some(case.point)
    };
    cases.iter().filter(|case| smallest(case)).cloned().collect()
}
