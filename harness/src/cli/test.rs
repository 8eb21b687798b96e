//! Test mode, `cargo test --benches`: everything once at its smallest point, checked and not timed.

use super::arguments::Arguments;
use crate::{
    exit,
    record::{Manifest, Record},
    registry::Case,
    runner::{self, Configuration, Position, Watcher},
    sys,
};

/// Nothing is shown or written while testing.
struct Silent;

impl Watcher for Silent {
    fn begin(&mut self, _: Position<'_>) {}
    fn finished_run(&mut self, _: &Record) {}
}

/// Runs cases once, and prints one line for each in the manner of libtest.
pub(super) fn test(selected: Vec<Case>, known: usize, arguments: &Arguments) -> i32 {
    let filtered = known - selected.len();
    let selected = if arguments.filter.exact { selected } else { smallest_points(selected) };
    println!(
        "\nrunning {} benchmark{}",
        selected.len(),
        if selected.len() == 1 { "" } else { "s" }
    );
    let configuration = match super::bench::configuration(arguments) {
        Ok(configuration) => Configuration { once: true, ..configuration },
        Err(message) => {
            eprintln!("plusminus: {message}");
            return exit::FAILED;
        }
    };
    sys::catch_interrupts();
    let manifest = Manifest::of_now(&configuration.binary, "");
    let record = runner::measure(selected, &configuration, manifest, &mut Silent);
    let mut failed = 0;
    for case in &record.cases {
        match case.failures.first() {
            None if case.measurements.is_empty() => println!("test {} ... not run", case.name),
            None => println!("test {} ... ok", case.name),
            Some(failure) => {
                failed += 1;
                println!("test {} ... FAILED", case.name);
                eprintln!("{}: {}", case.name, failure.cause);
                if !failure.output.is_empty() {
                    eprintln!("---- what it printed ----\n{}", failure.output.trim_end());
                }
            }
        }
    }
    let passed = record.cases.len() - failed;
    let result = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {result}. {passed} passed; {failed} failed; 0 ignored; 0 measured; {filtered} filtered out\n"
    );
    match record.interrupted {
        Some(signal) => exit::INTERRUPTED + signal,
        None if failed > 0 => exit::FAILED,
        None => exit::FINE,
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
