//! Streaming over arrays: the operations of McCalpin's STREAM, and a running sum.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use plusminus::{Problem, Work};
use plusminus_macros::bench;
use rayon::prelude::*;

use crate::Bytes;
use crate::apex_map::element;

/// The factor of scale and triad.
const FACTOR: f64 = 0.25;

/// Bytes per second of long, regular walks over arrays that are larger than the caches, or fit into them.
///
/// A point is the size of *one* array: 256 KiB for the caches, 128 MiB for memory. STREAM asks for arrays of four
/// times the last cache; where that is larger, the numbers for memory are too good. Throughput counts the bytes that
/// the operation names, as STREAM does; a store that first fetches its line moves more.
pub struct Bandwidth;

impl Problem for Bandwidth {
    type Point = Bytes;
    type Input = StreamArrays;
    type Instance = Operation;
    type Output = Streamed;

    fn sweep() -> impl IntoIterator<Item = Bytes> {
        [Bytes(256 << 10), Bytes(128 << 20)]
    }

    fn input(size: &Bytes) -> StreamArrays {
        StreamArrays::new((size.0 / 8) as usize)
    }

    fn instances(_: &StreamArrays) -> Vec<Operation> {
        Operation::ALL.to_vec()
    }

    fn check(arrays: &StreamArrays, operation: &Operation, found: &Streamed) -> Result<(), String> {
        arrays.check(*operation, *found)
    }

    fn work(arrays: &StreamArrays, operation: &Operation) -> Work {
        let words = arrays.first.len() as f64;
        Work::of("bytes", words * 8.0 * operation.arrays_touched() as f64)
            .and(Work::of("words", words))
    }
}

/// The operation on every word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// s ← s + a: additions one after another, each waiting for the last. The gap of Apex-MAP's scalar forms at R = 1.
    Sum,
    /// c ← a.
    Copy,
    /// c ← q·a.
    Scale,
    /// c ← a + b.
    Add,
    /// c ← a + q·b.
    Triad,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sum, Self::Copy, Self::Scale, Self::Add, Self::Triad];

    /// How many arrays are read or written.
    pub fn arrays_touched(self) -> usize {
        match self {
            Self::Sum => 1,
            Self::Copy | Self::Scale => 2,
            Self::Add | Self::Triad => 3,
        }
    }

    /// Returns the stored value for two words.
    fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Sum | Self::Copy => a,
            Self::Scale => FACTOR * a,
            Self::Add => a + b,
            Self::Triad => a + FACTOR * b,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Copy => "copy",
            Self::Scale => "scale",
            Self::Add => "add",
            Self::Triad => "triad",
        })
    }
}

/// Two arrays to read and one to write. Unlike STREAM's, no operation reads what another has written, so that the
/// values are the same however often and in whatever order they run.
#[derive(Debug)]
pub struct StreamArrays {
    first: Vec<f64>,
    second: Vec<f64>,
    written: Mutex<Vec<f64>>,
}

impl StreamArrays {
    fn new(words: usize) -> Self {
        let fill = |array| (0..words).map(|word| f64::from(element(array, word))).collect();
        Self { first: fill(0), second: fill(1), written: Mutex::new(vec![-1.0; words]) }
    }

    /// The array that operations write.
    ///
    /// # Panics
    /// When an operation is running.
    pub fn written(&self) -> MutexGuard<'_, Vec<f64>> {
        self.written.try_lock().expect(
            "streaming writes one array for the whole process: measure it without the option `threads`",
        )
    }

    fn check(&self, operation: Operation, found: Streamed) -> Result<(), String> {
        if operation == Operation::Sum {
            // Sums of whole numbers below 2^16 are exact, whatever the order.
            let expected: f64 = self.first.iter().map(|value| *value as u64).sum::<u64>() as f64;
            return if found == Streamed::Sum(expected) {
                Ok(())
            } else {
                Err(format!("sum: {found:?}, but must be {expected}"))
            };
        }
        let written = self.written();
        let wrong = (0..written.len())
            .find(|word| written[*word] != operation.value(self.first[*word], self.second[*word]));
        match wrong {
            None => Ok(()),
            Some(word) => Err(format!("{operation}: word {word} is {}", written[word])),
        }
    }
}

/// The result of an operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Streamed {
    /// The sum over the first array.
    Sum(f64),
    /// All words are written.
    Written,
}

/// Applies an operation to a stretch of the arrays.
#[inline]
fn stream(operation: Operation, first: &[f64], second: &[f64], written: &mut [f64]) {
    // One loop for each operation, so that the compiler sees it without a branch inside.
    let zipped = written.iter_mut().zip(first).zip(second);
    match operation {
        Operation::Sum => unreachable!("a sum writes nothing"),
        // Compilers replace STREAM's loop by a copy, whose stores may go around the caches. The others' stores do
        // not.
        Operation::Copy => written.copy_from_slice(first),
        Operation::Scale => zipped.for_each(|((c, a), _)| *c = Operation::Scale.value(*a, 0.0)),
        Operation::Add => zipped.for_each(|((c, a), b)| *c = Operation::Add.value(*a, *b)),
        Operation::Triad => zipped.for_each(|((c, a), b)| *c = Operation::Triad.value(*a, *b)),
    }
}

/// On the calling thread.
#[bench(problem = Bandwidth, baseline)]
pub fn stream_on_one(arrays: &StreamArrays, operation: &Operation) -> Streamed {
    if *operation == Operation::Sum {
        return Streamed::Sum(arrays.first.iter().sum());
    }
    stream(*operation, &arrays.first, &arrays.second, &mut arrays.written());
    Streamed::Written
}

/// In equal stretches, one for each thread of rayon's pool, which a measurement starts with p threads.
#[bench(problem = Bandwidth, processors = plusminus::processor_counts())]
pub fn stream_on_all_processors(arrays: &StreamArrays, operation: &Operation) -> Streamed {
    let stretch = arrays.first.len().div_ceil(rayon::current_num_threads()).max(1);
    if *operation == Operation::Sum {
        let sums = arrays.first.par_chunks(stretch).map(|words| words.iter().sum::<f64>());
        return Streamed::Sum(sums.sum());
    }
    let mut written = arrays.written();
    written
        .par_chunks_mut(stretch)
        .zip(arrays.first.par_chunks(stretch))
        .zip(arrays.second.par_chunks(stretch))
        .for_each(|((written, first), second)| stream(*operation, first, second, written));
    Streamed::Written
}
