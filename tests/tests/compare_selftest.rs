//! What the self-test prints, and that the noise of `truth` ends with whoever has started it.

mod compare_support;

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use compare_support::{Repository, program};
use plusminus_tests::Outcome;

#[test]
fn the_selftest_prints_false_alarms_power_and_a_margin() {
    let repository = Repository::new("selftest");
    let mut command = repository.plusminus(&["selftest", "--max-time", "6", "--quiet"]);
    let outcome = Outcome::of(&command.output().unwrap());
    // A machine on which verdicts cannot be relied on is an answer as well.
    assert!(matches!(outcome.code, Some(0 | 3)), "{}", outcome.both());
    outcome.says("false alarms on identical code: ").says("recommended");
    for slowdown in ["+1.0 %", "+2.0 %", "+3.0 %", "+5.0 %", "+10.0 %"] {
        let line = outcome.stdout.lines().find(|line| line.trim_start().starts_with(slowdown));
        assert!(line.is_some(), "no line for {slowdown}: {}", outcome.both());
    }
}

/// Noise generators that a process has started.
fn noise_of(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(number) = process.file_name().to_string_lossy().parse::<u32>() else { continue };
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let of = after_name.split_whitespace().nth(1).and_then(|parent| parent.parse().ok());
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        if of == Some(parent) && line.ends_with(b"\0noise\0") {
            found.push(number);
        }
    }
    found
}

#[test]
fn noise_ends_with_whoever_has_started_it() {
    let mut truth = Command::new(program())
        .args(["truth", "--condition", "noisy", "--criterion-passes", "0", "--quiet"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let noise = loop {
        if let Some(&noise) = noise_of(truth.id()).first() {
            break noise;
        }
        assert!(truth.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(10));
    };
    // The hardest end there is: it has no time to tidy up.
    truth.kill().unwrap();
    truth.wait().unwrap();
    let path = format!("/proc/{noise}/exe");
    for _ in 0..1000 {
        if !fs::read_link(&path).is_ok_and(|exe| exe == program()) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("the noise goes on without anybody who wants it");
}
