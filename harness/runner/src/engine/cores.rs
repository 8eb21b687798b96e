//! Whether a core is shared: on which processor a worker is started, and which runs are repeated. Gets the loads of cores, and
//! touches nothing.
//!
//! Two processors of a system may be two halves of one core, and another guest may use the other half of a virtual processor's
//! core. While both halves work, a kernel takes up to twice as long. That lasts from milliseconds to minutes. No clock of the
//! system shows it, but two loops of arithmetic do.

use std::time::Duration;

use crate::record::CoreLoad;

/// How long a worker may wait for a core of its own.
const PATIENCE: Duration = Duration::from_millis(100);

/// The part of the time so far that may have gone into waiting …
const WAITING: f64 = 0.2;

/// … and the part that may have gone into runs that were repeated.
pub(super) const REPEATING: f64 = 0.5;

const TRIED: usize = 8;

/// The cores so far.
#[derive(Debug, Default)]
pub(super) struct Cores {
    /// The two least loads: the second counts, so that no single look sets what a free core is.
    least: Option<[f64; 2]>,
    waited: Duration,
}

impl Cores {
    /// Returns the first of these processors that has a core of its own, or else the one with the least load. `load_on` looks
    /// at the core of a processor, if that can be done, and `now` tells the time since the begin.
    pub(super) fn choose(
        &mut self,
        processors: &[u32],
        load_on: &mut dyn FnMut(u32) -> Option<f64>,
        now: &dyn Fn() -> Duration,
    ) -> Option<u32> {
        let begin = now();
        // Until a load is known, nothing tells a shared core from a free one: all are tried.
        let mut is_known = self.least.is_some();
        loop {
            let mut best: Option<(f64, u32)> = None;
            for &processor in processors.iter().take(TRIED) {
                let load = load_on(processor)?;
                let looks = self.note(load);
                if best.is_none_or(|(lowest, _)| load < lowest) {
                    best = Some((load, processor));
                }
                if is_known && !looks.is_shared(looks.least) {
                    break;
                }
            }
            let (load, processor) = best?;
            is_known = true;
            let spent = now().saturating_sub(begin);
            let least = self.least.map_or(load, |[_, second]| second);
            let is_shared = CoreLoad { typical: load, least }.is_shared(least);
            if !is_shared || spent >= PATIENCE || !affordable(self.waited + spent, now(), WAITING) {
                self.waited += spent;
                return Some(processor);
            }
        }
    }

    /// Learns from a look at a core.
    pub(super) fn note(&mut self, load: f64) -> CoreLoad {
        let [first, second] = self.least.unwrap_or([load; 2]);
        let least = [first.min(load), second.min(first.max(load))];
        self.least = Some(least);
        CoreLoad { typical: load, least: least[1] }
    }
}

/// Whether what was lost so far is less than this part of the time so far.
pub(super) fn affordable(lost: Duration, now: Duration, part: f64) -> bool {
    lost.as_secs_f64() < part * now.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Chooses among two processors whose cores have these loads at a time since the begin.
    fn chosen(
        cores: &mut Cores,
        now: &Cell<Duration>,
        times: &dyn Fn(u32, Duration) -> f64,
    ) -> u32 {
        let mut load_on = |processor| {
            now.set(now.get() + Duration::from_micros(20));
            Some(times(processor, now.get()))
        };
        cores.choose(&[0, 1], &mut load_on, &|| now.get()).unwrap()
    }

    #[test]
    fn a_processor_with_a_core_of_its_own_is_taken() {
        let (mut cores, now) = (Cores::default(), Cell::new(Duration::from_secs(1)));
        assert_eq!(chosen(&mut cores, &now, &|processor, _| [8.0, 5.0][processor as usize]), 1);
        assert_eq!(cores.note(5.1).least, 5.1, "the second of all looks");
        assert_eq!(cores.note(2.0).least, 5.0, "one look alone changes nothing");
        assert_eq!(chosen(&mut cores, &now, &|processor, _| [5.2, 5.0][processor as usize]), 0);
        let before = now.get();
        assert_eq!(chosen(&mut cores, &now, &|processor, _| [9.0, 5.1][processor as usize]), 1);
        assert_eq!(now.get() - before, Duration::from_micros(40), "one look at each");
        assert_eq!(cores.choose(&[], &mut |_| Some(1.0), &|| now.get()), None);
    }

    #[test]
    fn where_none_is_free_a_worker_waits_for_a_while_and_all_of_them_for_a_part_of_the_time() {
        let (mut cores, now) = (Cores::default(), Cell::new(Duration::from_secs(1)));
        for _ in 0..2 {
            cores.note(5.0);
        }
        let free_from = now.get() + Duration::from_millis(30);
        let times = |_, at: Duration| if at < free_from { 9.0 } else { 5.0 };
        chosen(&mut cores, &now, &times);
        assert!(now.get() >= free_from && now.get() < free_from + Duration::from_millis(1));
        let begin = now.get();
        for _ in 0..1000 {
            chosen(&mut cores, &now, &|processor, _| [9.0, 8.0][processor as usize]);
            now.set(now.get() + Duration::from_millis(1));
        }
        let waited = (now.get() - begin).as_secs_f64() - 1.0;
        assert!(waited > 0.1 && waited < 0.5 * (now.get() - begin).as_secs_f64(), "{waited}");
    }
}
