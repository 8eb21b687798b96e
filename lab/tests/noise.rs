//! The noise of `truth` ends with the process that has started it.
#![cfg(target_os = "linux")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plusminus-lab");

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
fn noise_ends_with_its_runner() {
    let mut truth = Command::new(PROGRAM)
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
        if !fs::read_link(&path).is_ok_and(|exe| exe == Path::new(PROGRAM)) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("the noise goes on without its runner");
}
