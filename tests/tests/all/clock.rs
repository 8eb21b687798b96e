//! `--clock`: the processor's counter is the clock where it is proven to be one, and refused with the reason elsewhere.

use plusminus::record;
use plusminus_tests::{Fixture, Outcome};

/// Whether the counter can be proven here, by the same facts as the harness, read another way.
fn proven() -> bool {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpuinfo = read("/proc/cpuinfo");
    let count = |part: &str| cpuinfo.matches(part).count();
    cfg!(all(target_arch = "x86_64", target_os = "linux"))
        && count("processor\t") > 0
        && count(" constant_tsc ") == count("processor\t")
        && count(" nonstop_tsc ") == count("processor\t")
        && read("/sys/devices/system/clocksource/clocksource0/current_clocksource") == "tsc\n"
}

fn bench(test: &str, line: &str) -> (Outcome, Fixture) {
    let fixture = Fixture::new("faults", test);
    let mut command = fixture.command(fixture.bench_binary("looked_at").to_str().unwrap());
    command.arg("--bench").args(line.split_whitespace());
    (Outcome::of(&command.output().unwrap()), fixture)
}

const LINE: &str = "shared tells --skip processors --runs 2 --samples 5 --iterations 100000";

#[test]
fn the_counter_is_used_where_it_is_proven_and_refused_elsewhere() {
    let (outcome, fixture) = bench("clock_tsc", &format!("--clock tsc {LINE}"));
    if !proven() {
        eprintln!("the refusal is tested: the counter is not proven here");
        outcome.exits(2).complains("--clock tsc is not possible: the processor's counter is not");
        return;
    }
    outcome.exits(0).says("clock: the processor's counter (TSC), ").says(" ppm");
    let record = record::read(&fixture.records("looked_at")[0]).unwrap();
    assert_eq!(record.manifest.clock.as_deref(), Some("tsc"));
    assert_eq!(record.workers.len(), 4);
    for worker in &record.workers {
        let counting = worker.counting.unwrap();
        // No processor counts slower, or faster; and a millisecond of calibration is known to a thousandth.
        assert!((1e7..1e11).contains(&counting.hertz), "{counting:?}");
        assert!(counting.u_relative > 0.0 && counting.u_relative < 1e-3, "{counting:?}");
        assert!(counting.drift.is_some() && counting.is_steady(), "{counting:?}");
    }
    // A thread cannot have more CPU time, which the operating system measures by its own clock, than there was time.
    let alone = record.cases.iter().filter(|case| case.threads == 1);
    for measurement in alone.flat_map(|case| &case.measurements) {
        let pairs = || measurement.wall_ns.iter().zip(&measurement.cpu_ns);
        assert_eq!(pairs().count(), 5);
        // The reading of the CPU time itself, and its step, lie outside of the window.
        assert!(pairs().all(|(&wall, &cpu)| cpu < 2 * wall + 10_000), "{measurement:?}");
    }
    let (outcome, _) = bench("clock_tsc_here", "--clock tsc --in-process --exact tells");
    outcome.exits(2).complains("--clock makes no sense with --in-process");
}

#[test]
fn the_clock_of_the_system_is_the_usual_one() {
    let (outcome, fixture) = bench("clock_os", LINE);
    outcome.exits(0).says("clock: that of the operating system.");
    let record = record::read(&fixture.records("looked_at")[0]).unwrap();
    assert_eq!(record.manifest.clock.as_deref(), Some("os"));
    assert!(record.workers.iter().all(|worker| worker.counting.is_none()));
}
