//! Test mode, `cargo test --benches`: everything once, checked and not timed; of a problem, its first point.

use std::time::Instant;

use super::{
    Target,
    arguments::{Arguments, Format},
    measuring::Measuring,
};
use crate::{
    engine::{InProcess, Silent},
    output::{complain, print},
    record::{CaseRecord, Home, Manifest},
    report::{self, Finished},
    text::{block, number::counted, sentence},
};
use plusminus_worker::{exit, protocol::CaseDescription, sys};

/// Runs cases once, and prints one line for each in the manner of libtest. Returns the exit code.
pub(super) fn test(
    target: &Target<'_>,
    selected: Vec<CaseDescription>,
    arguments: &Arguments,
    here: Option<InProcess>,
) -> Result<i32, String> {
    let filtered = target.cases.len() - selected.len();
    let cases = if arguments.filter.exact { selected } else { first_points(selected) };
    let json = arguments.format == Format::Json;
    if json {
        print(&report::json_started(cases.len()))?;
    } else {
        print(&format!("\nrunning {}\n", counted(cases.len(), "benchmark")))?;
    }
    let measuring = Measuring::new(target, arguments, here)?.once();
    if !arguments.in_process {
        sys::catch_interrupts();
    }
    let begin = Instant::now();
    let binary = &measuring.program.binary;
    let manifest = Manifest::of_now(binary, &target.build, &Home::of(binary, ""));
    let record = measuring.measure(&cases, measuring.nothing_yet(&cases, manifest), &mut Silent);
    for case in &record.cases {
        print(&result(case, json))?;
    }
    let failed = record.cases.iter().filter(|case| case.has_failed()).count();
    let ignored = record.cases.iter().filter(|case| case.has_nothing()).count();
    // Benchmarks that an interrupt, or a failure in the only process, has skipped are neither.
    let passed = |case: &&CaseRecord| case.failures.is_empty() && !case.measurements.is_empty();
    let tested = Finished {
        passed: record.cases.iter().filter(passed).count(),
        failed,
        ignored,
        filtered_out: filtered,
        interrupted: record.interrupted,
        seconds: begin.elapsed().as_secs_f64(),
        ..Finished::default()
    };
    print(&if json { tested.line() } else { summary(&tested, record.cases.len()) })?;
    Ok(match record.interrupted {
        Some(signal) => exit::INTERRUPTED + signal,
        None if failed > 0 => exit::FAILED,
        None => exit::FINE,
    })
}

/// The last line, in libtest's words.
fn summary(tested: &Finished<'_>, selected: usize) -> String {
    let Finished { passed, failed, ignored, filtered_out, interrupted, .. } = tested;
    let result = match (failed, interrupted) {
        (_, Some(_)) => "INTERRUPTED",
        (0, None) => "ok",
        (_, None) => "FAILED",
    };
    let stopped = interrupted.map_or(String::new(), |signal| {
        format!(
            "; interrupted by signal {signal}, {} not run",
            selected - passed - failed - ignored
        )
    });
    format!(
        "\ntest result: {result}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {filtered_out} filtered \
         out{stopped}\n\n"
    )
}

/// Returns the lines of a case. The output of a failed one goes to standard error.
fn result(case: &CaseRecord, json: bool) -> String {
    let failure = case.failures.first();
    if json {
        let cause = failure.map(|failure| failure.cause.to_string());
        let event = match cause {
            Some(_) if case.has_nothing() => "ignored",
            Some(_) => "failed",
            None if case.measurements.is_empty() => "ignored",
            None => "ok",
        };
        let cause = cause.map(|cause| sentence(&cause));
        let started = report::json_test("test", "started", &case.name, None);
        return started + &report::json_test("test", event, &case.name, cause.as_deref());
    }
    // Names are made visible and bounded where they are made; programs look for the whole one here.
    let name = sentence(&case.name);
    let word = match failure {
        None if case.measurements.is_empty() => "not run",
        None => "ok",
        Some(_) if case.has_nothing() => "ignored",
        Some(failure) => {
            let mut said = format!("{name}: {}\n", sentence(&failure.cause.to_string()));
            if !failure.output.is_empty() {
                said.push_str(&format!("---- what it printed ----\n{}", block(&failure.output)));
            }
            complain(&said);
            "FAILED"
        }
    };
    format!("test {name} ... {word}\n")
}

/// All benchmarks with every number of processors; of a problem's points, whose inputs may take long to make, the first selected.
fn first_points(cases: Vec<CaseDescription>) -> Vec<CaseDescription> {
    let place = |case: &CaseDescription| (case.krate.clone(), case.function.clone(), case.line);
    // Points come in the order of their sweep.
    let is_wanted = |case: &&CaseDescription| {
        let first = cases.iter().find(|other| place(other) == place(case));
        case.problem.is_none() || first.is_none_or(|first| first.point == case.point)
    };
    cases.iter().filter(is_wanted).cloned().collect()
}
