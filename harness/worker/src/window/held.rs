//! How many outputs wait for the end of a window: as many as fit into the memory that they may take, by a look at the
//! process while they wait. The memory that a value owns elsewhere cannot be asked of it.

use crate::sys;

/// The memory that the inputs and outputs of a window may take in all, with what they hold elsewhere.
const HELD_BYTES: u64 = 64 << 20;

/// Known memory of the loaded cases on the instance that is measured.
#[derive(Debug, Default)]
pub(crate) struct Known {
    instance: usize,
    case: usize,
    cases: Vec<Held>,
}

impl Known {
    /// The next samples are those of a loaded case on an instance.
    pub(crate) fn begin(&mut self, case: usize, instance: usize) {
        if self.instance != instance {
            self.cases.clear();
        }
        (self.case, self.instance) = (case, instance);
        if self.cases.len() <= case {
            self.cases.resize(case + 1, Held::default());
        }
    }

    /// Known memory of the case that is measured, if a session has set one.
    pub(crate) fn current(&mut self) -> Option<&mut Held> {
        self.cases.get_mut(self.case)
    }
}

/// How far the windows of a cell have grown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Held {
    /// Calls of the largest window that took no more than it may.
    calls: usize,
    /// Memory of the process in the first window: what a kernel sets up for good when it is first called is in it.
    begin_bytes: Option<u64>,
    /// A larger one would take more.
    full: bool,
}

impl Held {
    /// Calls of the next window at most.
    pub(crate) fn limit(self) -> usize {
        if self.full { self.calls.max(1) } else { self.calls.saturating_mul(2).max(1) }
    }

    /// Notes the memory of the process while a window holds its values.
    fn note(&mut self, bytes: u64) {
        self.full |= self.begin_bytes.is_some_and(|begin| bytes.saturating_sub(begin) > HELD_BYTES);
    }

    /// Notes the memory at the end of a window of `calls` calls.
    fn note_end(&mut self, calls: usize, bytes: u64) {
        self.begin_bytes.get_or_insert(bytes);
        self.note(bytes);
        if !self.full {
            self.calls = self.calls.max(calls);
        }
    }

    /// Looks at the memory of the process before a window of `calls` calls, while it holds its inputs.
    pub(crate) fn look(&mut self, calls: usize) {
        self.if_larger(calls, Self::note);
    }

    /// Looks at it at the end, while the window holds its outputs.
    pub(crate) fn look_at_end(&mut self, calls: usize) {
        self.if_larger(calls, |held, bytes| held.note_end(calls, bytes));
    }

    /// Notes the memory of the process for a window that is larger than all before it.
    fn if_larger(&mut self, calls: usize, note: impl FnOnce(&mut Self, u64)) {
        if !self.full && calls > self.calls {
            // Where the system does not tell, the limits by the size of the values have to do.
            note(self, sys::resident_bytes().unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::window::{Windows, take_sample};

    #[test]
    fn windows_grow_until_they_take_too_much() {
        let mut held = Held::default();
        let limits = (0..10).map(|_| {
            let calls = held.limit();
            // Ten megabytes for each call, and a gigabyte that the first one sets up.
            held.note_end(calls, (1 << 30) + ((calls as u64 * 10) << 20));
            calls
        });
        assert_eq!(limits.collect::<Vec<_>>(), [1, 2, 4, 8, 4, 4, 4, 4, 4, 4]);
        let mut small = Held::default();
        (0..20).for_each(|_| small.note_end(small.limit(), 1 << 20));
        assert_eq!(small.limit(), 1 << 20);
        let mut inputs = Held::default();
        inputs.note(1 << 40);
        inputs.note_end(1, 1 << 30);
        assert_eq!(inputs.limit(), 2, "nothing is known before the first window");
        inputs.note(1 << 31);
        inputs.note_end(2, 1 << 30);
        assert_eq!(inputs.limit(), 1, "inputs are gone at the end of their window");
    }

    #[test]
    fn what_is_known_belongs_to_a_case_on_an_instance() {
        let mut known = Known::default();
        assert_eq!(known.current(), None, "nothing is known without a session");
        let mut at = |case, instance| {
            known.begin(case, instance);
            *known.current().unwrap()
        };
        assert_eq!((at(1, 0).limit(), at(0, 0).limit()), (1, 1));
        known.begin(1, 0);
        known.current().unwrap().look_at_end(1);
        assert_eq!(known.current().unwrap().limit(), 2);
        known.begin(0, 0);
        assert_eq!(known.current().unwrap().limit(), 1);
        known.begin(1, 0);
        assert_eq!(known.current().unwrap().limit(), 2);
        known.begin(1, 5);
        assert_eq!(known.current().unwrap().limit(), 1);
    }

    #[test]
    fn what_values_hold_elsewhere_divides_a_sample_too() {
        struct Large<'a>(
            #[allow(dead_code, reason = "it is there to be held")] Vec<u8>,
            &'a Cell<usize>,
        );
        impl Drop for Large<'_> {
            fn drop(&mut self) {
                self.1.set(self.1.get() - 1);
            }
        }
        let (alive, most) = (Cell::new(0), Cell::new(0));
        let mut kernel = |()| {
            alive.set(alive.get() + 1);
            most.set(most.get().max(alive.get()));
            Large(vec![1; 4 << 20], &alive)
        };
        let mut windows = Windows::default();
        windows.held.begin(0, 0);
        let check = None::<fn(Large<'_>) -> Result<(), String>>;
        let sample = take_sample(&mut windows.ask(100), || (), &mut kernel, check).unwrap();
        // Sixteen of them are what is allowed; other tests in this process may free some memory meanwhile.
        assert!(most.get() <= 64 && sample.windows > 5, "{} at once: {sample:?}", most.get());
    }
}
