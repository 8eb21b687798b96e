//! Runs a command while a neighbor occupies part of the last-level cache: another "system" on the same machine.
//!
//! `cargo run --release -p plusminus-suite --example neighbour -- --share 0.5 --label half-cache -- cargo bench --bench NAME`
//!
//! The neighbor is a thread that writes to one word of every line of a buffer, over and over, until the command ends.
//! The command gets the label as `PLUSMINUS_SYSTEM`, which records keep, so that `cargo plusminus study` separates
//! the two. `--bytes` names the size of the buffer itself, where the system does not tell the size of its caches.

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

struct Options {
    bytes: Option<usize>,
    share: f64,
    label: String,
    command: Vec<String>,
}

fn options() -> Result<Options, String> {
    let mut options =
        Options { bytes: None, share: 0.5, label: "neighbour".to_owned(), command: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--share" => {
                let text = value()?;
                let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                options.share = share.ok_or(format!("{text:?} is no share between 0 and 1"))?;
            }
            "--bytes" => {
                let text = value()?;
                let bytes = text.parse().map_err(|_| format!("{text:?} is no number of bytes"))?;
                options.bytes = Some(bytes);
            }
            "--label" => options.label = value()?,
            "--" => options.command = arguments.by_ref().collect(),
            other => return Err(format!("{other} is not an option; the command comes after --")),
        }
    }
    if options.command.is_empty() {
        return Err("which command? It comes after --".to_owned());
    }
    Ok(options)
}

/// Returns the size of the largest cache of the first processor, by Linux.
fn last_level_cache() -> Option<usize> {
    let size = |index: usize| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
        let text = std::fs::read_to_string(path).ok()?;
        let kibibytes: usize = text.trim().strip_suffix('K')?.parse().ok()?;
        Some(kibibytes << 10)
    };
    (0..8).filter_map(size).max()
}

/// Writes to every line of a buffer until told to stop; counts the passes.
fn occupy(bytes: usize, stop: &AtomicBool, passes: &AtomicU64) {
    let mut words = vec![0_u64; (bytes / 8).max(1)];
    while !stop.load(Relaxed) {
        words.iter_mut().step_by(8).for_each(|word| *word = word.wrapping_add(1));
        black_box(&mut words);
        passes.fetch_add(1, Relaxed);
    }
}

fn main() -> Result<ExitCode, String> {
    let options = options()?;
    let bytes = match (options.bytes, last_level_cache()) {
        (Some(bytes), _) => bytes,
        (None, Some(cache)) => (options.share * cache as f64) as usize,
        (None, None) => return Err("the size of the caches is not known here: give --bytes".into()),
    };
    eprintln!("neighbor: {bytes} bytes, system {:?}", options.label);
    let (stop, passes) = (AtomicBool::new(false), AtomicU64::new(0));
    let status = std::thread::scope(|scope| {
        scope.spawn(|| occupy(bytes, &stop, &passes));
        let mut command = Command::new(&options.command[0]);
        command.args(&options.command[1..]).env("PLUSMINUS_SYSTEM", &options.label);
        let status = command.status();
        stop.store(true, Relaxed);
        status
    });
    let status = status.map_err(|error| format!("{}: {error}", options.command[0]))?;
    eprintln!("neighbor: {} passes over its buffer", passes.load(Relaxed));
    Ok(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)))
}
