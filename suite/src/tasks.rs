//! Forks work to threads and to tasks of the pool, by functions behind a reference: what the standard library and rayon do for
//! a fork is compiled once, and not for every algorithm. May use nothing else of the suite.

use std::{
    iter,
    ops::Range,
    panic,
    sync::{Mutex, PoisonError},
    thread,
};

use rayon::iter::plumbing::{Consumer, Folder, Producer, Reducer, bridge_producer_consumer};

/// Runs a function on this number of threads at once, the calling one as number 0, until all have returned.
///
/// # Panics
/// If one of them panics, with what it says.
pub(crate) fn on_threads(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|index| scope.spawn(move || work(index))).collect();
        work(0);
        for other in others {
            if let Err(panic) = other.join() {
                panic::resume_unwind(panic);
            }
        }
    });
}

/// Runs a function as [`on_threads`] does, and answers what it does, in the order of the numbers.
pub(crate) fn of_threads<T: Send>(threads: usize, work: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..threads).map(|_| Mutex::new(None)).collect();
    on_threads(threads, &|index| {
        let answer = work(index);
        *slots[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    });
    let mut answers = Vec::with_capacity(threads);
    for slot in slots {
        answers.extend(slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    answers
}

/// Runs a function on every thread of the pool, with the thread's number and that of threads.
pub(crate) fn on_pool(work: &(dyn Fn(usize, usize) + Sync)) {
    rayon::broadcast(|thread| work(thread.index(), thread.num_threads()));
}

/// Has tasks of the pool go through the numbers below a count, as rayon's loops do: a thread that has nothing to do gets
/// half of another one's stretch.
pub(crate) fn in_stretches(count: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    bridge_producer_consumer(count, Stretch { range: 0..count, work }, Done);
}

/// Numbers in a row, and what to do with each stretch of them.
struct Stretch<'a> {
    range: Range<usize>,
    work: &'a (dyn Fn(Range<usize>) + Sync),
}

impl Producer for Stretch<'_> {
    type Item = ();
    type IntoIter = iter::Empty<()>;

    fn into_iter(self) -> Self::IntoIter {
        (self.work)(self.range);
        iter::empty()
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        let (begin, middle, end) = (self.range.start, self.range.start + index, self.range.end);
        let of = |range| Stretch { range, work: self.work };
        (of(begin..middle), of(middle..end))
    }
}

/// Collects nothing.
struct Done;

impl Consumer<()> for Done {
    type Folder = Self;
    type Reducer = Self;
    type Result = ();

    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (Self, Self, Self)
    }

    fn into_folder(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        false
    }
}

impl Folder<()> for Done {
    type Result = ();

    fn consume(self, (): ()) -> Self {
        self
    }

    fn complete(self) {}

    fn full(&self) -> bool {
        false
    }
}

impl Reducer<()> for Done {
    fn reduce(self, (): (), (): ()) {}
}
