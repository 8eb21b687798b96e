//! The noise generator: a neighbor that computes and streams through memory in bursts, on every processor.

use std::{
    hint::black_box,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use cargo_plusminus::error::{Result, at};
use plusminus::engine::Random;

/// Shortest and longest burst, and pause.
const BURST_SECONDS: (f64, f64) = (0.005, 3.0);

/// Size of the streamed memory: more than caches hold.
const STREAMED_BYTES: usize = 48 << 20;

/// Options of the generator, which `truth` starts.
#[derive(Debug, clap::Args)]
pub(crate) struct NoiseArguments {
    /// The seed of the bursts.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A running generator; dropping it ends it.
pub(crate) struct Noise(Child);

impl Noise {
    /// Starts it as a process of its own, so that none of its time is ours.
    pub(crate) fn start(program: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("noise").stdin(Stdio::piped()).stdout(Stdio::null());
        Ok(Self(command.spawn().map_err(at("start", program))?))
    }
}

impl Drop for Noise {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Makes noise until standard input ends, which it does when the process that started us is gone, however it ended.
pub(crate) fn make_noise(arguments: &NoiseArguments) -> Result<i32> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    for index in 0..processors {
        let seed = arguments.seed + index as u64;
        thread::spawn(move || bursts(seed));
    }
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    Ok(plusminus::exit::FINE)
}

fn bursts(seed: u64) {
    let mut random = Random::new(seed);
    let mut memory = vec![1_u64; STREAMED_BYTES / size_of::<u64>()];
    loop {
        let end = Instant::now() + duration(&mut random);
        let streams = random.below(2) == 1;
        while Instant::now() < end {
            if streams {
                memory.iter_mut().for_each(|word| *word = word.wrapping_add(1));
                black_box(&memory);
            } else {
                black_box((0..1_000_000_u64).fold(1, |x, i| black_box(x) ^ i.wrapping_mul(3)));
            }
        }
        thread::sleep(duration(&mut random));
    }
}

/// Every order of magnitude between the shortest and the longest is as likely as any other.
fn duration(random: &mut Random) -> Duration {
    let (shortest, longest) = BURST_SECONDS;
    let at = random.below(1 << 30) as f64 / f64::from(1 << 30);
    Duration::from_secs_f64(shortest * (longest / shortest).powf(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_log_uniform() {
        let mut random = Random::new(1);
        let durations: Vec<f64> =
            (0..10_000).map(|_| duration(&mut random).as_secs_f64()).collect();
        assert!(durations.iter().all(|d| (0.005..=3.0).contains(d)));
        // The geometric mean divides them into equal halves: six standard deviations of a binomial are 300.
        let middle = (0.005_f64 * 3.0).sqrt();
        let below = durations.iter().filter(|d| **d < middle).count();
        assert!((4700..=5300).contains(&below), "{below}");
    }
}
