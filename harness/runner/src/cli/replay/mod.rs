//! Replay: one seed is one whole invocation on a simulated machine with a simulated disk, and the same seed is the same
//! invocation, byte for byte. It draws the suite, the noise, the kernels that fail, the options, the moment of an interrupt, a
//! linker that is slow or fails, and a disk that refuses, is full, or outlives the process.
//!
//! ```console
//! $ PLUSMINUS_TEST_SEED=17 cargo test -p plusminus-runner --all-features replay
//! $ PLUSMINUS_TEST_SEEDS=0..1000000 cargo test --release -p plusminus-runner --all-features replay
//! ```

mod compared;
mod disk;
mod draw;
mod measured;

use std::{
    env,
    ops::Range,
    panic::{self, AssertUnwindSafe},
    sync::OnceLock,
    thread,
};

use draw::Draw;

use crate::record::Manifest;

const SEED: &str = "PLUSMINUS_TEST_SEED";

/// Seeds of a run of all tests: a few seconds.
const SEEDS: u64 = 100;

/// Every seed that this divides is replayed a second time, to see that nothing but the seed decides.
const TWICE: u64 = 4;

/// The most seeds that a failure lists.
const NAMED: usize = 5;

/// The traces that an invocation left behind, as text: a replay has to give the same.
type Left = Result<Vec<u8>, String>;

/// The circumstances of a measurement: the same at any time.
fn manifest() -> Manifest {
    static MACHINE: OnceLock<Manifest> = OnceLock::new();
    MACHINE.get_or_init(Manifest::of_machine).clone()
}

fn replayed(seed: u64) -> Left {
    let mut draw = Draw::new(seed);
    // A run of one seed prints the seed's draws, to help find its fault.
    draw.tells = env::var_os(SEED).is_some();
    if draw.one_in(2) { measured::replayed(&mut draw) } else { compared::replayed(&mut draw) }
}

fn fault(seed: u64) -> Option<String> {
    let once = || {
        let replayed = panic::catch_unwind(AssertUnwindSafe(|| replayed(seed)));
        replayed.unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or(panic.downcast_ref::<&str>().map(|&said| said.to_owned()));
            Err(format!("it panics: {}", said.unwrap_or_default()))
        })
    };
    if !seed.is_multiple_of(TWICE) {
        return once().err();
    }
    match (once(), once()) {
        (Err(first), _) => Some(first),
        (Ok(first), Ok(second)) if first == second => None,
        (Ok(first), Ok(second)) => {
            let at = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
            let part = |all: &[u8]| {
                let near: Vec<u8> =
                    all[at.saturating_sub(60)..].iter().take(160).copied().collect();
                String::from_utf8_lossy(&near).into_owned()
            };
            Some(format!("the same seed differs: {}\n  {}", part(&first), part(&second)))
        }
        (Ok(_), Err(second)) => Some(format!("only the second time: {second}")),
    }
}

/// The seeds that the variables ask for: one, or a range.
fn seeds() -> Range<u64> {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text:?} is no seed"));
    if let Ok(one) = env::var(SEED) {
        return number(&one)..number(&one) + 1;
    }
    match env::var("PLUSMINUS_TEST_SEEDS") {
        Err(_) => 0..SEEDS,
        Ok(range) => {
            let (first, end) = range.split_once("..").expect("a range such as 0..1000");
            number(first)..number(end)
        }
    }
}

#[test]
fn every_seed_replays_without_a_fault() {
    let seeds = seeds();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let some = |thread: usize| {
        let own = seeds.clone().skip(thread).step_by(threads);
        let failed = own.filter_map(|seed| Some((seed, fault(seed)?)));
        failed.take(NAMED).collect::<Vec<_>>()
    };
    let some = &some;
    let failed: Vec<(u64, String)> = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || some(thread))).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let line = |(seed, fault): &(u64, String)| {
        format!("{SEED}={seed} cargo test -p plusminus-runner --all-features replay\n  {fault}\n")
    };
    assert!(failed.is_empty(), "\n{}", failed.iter().map(line).collect::<String>());
}
