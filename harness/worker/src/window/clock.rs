//! Properties of the clock of this process, measured before the first kernel: its step, its cost, and the loop.

use super::{
    Windows,
    moment::TimeSource,
    sample::{empty_window, take_sample},
};
use crate::{
    order::{median, sorted},
    protocol::Clock,
};

/// Readings of the clock in a row, to see its step.
const READINGS: usize = 500;

/// Windows with nothing in them, to see what every window costs.
const WINDOWS: usize = 51;

/// Loops over an empty kernel, and the calls in each of them.
const LOOPS: usize = 9;
const LOOP_CALLS: u64 = 20_000;

/// Measures the clock. Takes less than a millisecond.
pub(crate) fn calibrate(windows: &mut Windows) -> Clock {
    let source = windows.shared.source;
    let mut times = Vec::with_capacity(READINGS);
    for _ in 0..READINGS {
        times.push(source.now());
    }
    let steps: Vec<u64> = times.windows(2).map(|pair| source.between(pair[0], pair[1])).collect();
    let tick_ns = step(&steps).unwrap_or_else(|| coarse_step(source));
    let empty_ns = (0..WINDOWS).map(|_| empty_window(windows).wall_ns as f64);
    let window_ns = median(&empty_ns.collect::<Vec<f64>>());
    let mut empty = |_: usize| {
        let mut ask = windows.ask(LOOP_CALLS);
        let sample =
            take_sample(&mut ask, || (), &mut |()| (), None::<fn(()) -> Result<(), String>>);
        let wall_ns = sample.map_or(0, |sample| sample.wall_ns) as f64;
        (wall_ns - window_ns).max(0.0) / LOOP_CALLS as f64
    };
    let loop_ns = median(&(0..LOOPS).map(&mut empty).collect::<Vec<f64>>());
    Clock { tick_ns, window_ns, loop_ns }
}

/// The step of a clock: the smallest difference between any two of these intervals, as each of them is a whole
/// number of steps. `None` if the clock did not move.
fn step(intervals: &[u64]) -> Option<f64> {
    // All of them are put in order, as memory must not depend on times: see `Answer::line`.
    let mut values = sorted(intervals, &Ord::cmp);
    values.retain(|&interval| interval > 0);
    values.dedup();
    // The shortest interval itself is the difference to no interval at all.
    let shortest = values.first().copied()?;
    let closest = values.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(shortest);
    Some(closest.min(shortest) as f64)
}

/// The step of a clock that stands still for longer than many readings take.
fn coarse_step(source: TimeSource) -> f64 {
    let start = source.now();
    loop {
        match source.between(start, source.now()) {
            0 => {}
            ns => return ns as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_found_behind_the_cost_of_reading() {
        assert_eq!(
            step(&[20, 30, 20, 50]),
            Some(10.0),
            "ticks of 10 ns, and a cost of two of them"
        );
        assert_eq!(step(&[41, 41, 41]), Some(41.0), "nothing finer was seen");
        assert_eq!(step(&[0, 0, 1000, 0, 2000]), Some(1000.0), "a microsecond clock");
        assert_eq!(step(&[0, 0]), None);
    }

    #[test]
    fn a_calibration_is_usable() {
        let clock = calibrate(&mut Windows::default());
        assert!(clock.tick_ns > 0.0 && clock.window_ns >= 0.0 && clock.loop_ns >= 0.0, "{clock:?}");
        assert!(clock.tick_ns.is_finite() && clock.loop_ns.is_finite());
    }
}
