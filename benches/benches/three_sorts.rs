//! Three sorts over sizes and processors: the worked example of a study that is not Apex-MAP.
//!
//! `cargo bench -p plusminus-benches --bench three_sorts`, then give the record to the example `three_sorts_study` of `papers/`.

use std::fmt;

use plusminus::{Problem, Work, bench};
use plusminus_suite::apex_map::Drand48;
use rayon::slice::ParallelSliceMut;

/// Numbers in ascending order.
struct Sorting;

impl Problem for Sorting {
    type Point = usize;
    type Input = Sorted;
    type Instance = Shuffled;
    type Output = Vec<u64>;

    fn sweep() -> impl IntoIterator<Item = usize> {
        (5..=10).map(|half| 1 << (2 * half))
    }

    fn input(n: &usize) -> Sorted {
        Sorted((0..*n as u64).collect())
    }

    fn instances(Sorted(numbers): &Sorted) -> Vec<Shuffled> {
        (1..=3).map(|seed| Shuffled::new(numbers, seed)).collect()
    }

    fn check(Sorted(expected): &Sorted, _: &Shuffled, found: &Vec<u64>) -> Result<(), String> {
        match expected.iter().zip(found).position(|(expected, found)| expected != found) {
            None if expected.len() == found.len() => Ok(()),
            None => Err(format!("{} numbers instead of {}", found.len(), expected.len())),
            Some(place) => Err(format!("place {place} holds {}", found[place])),
        }
    }

    fn work(Sorted(numbers): &Sorted, _: &Shuffled) -> Work {
        Work::items(numbers.len() as u64)
    }

    fn size(n: &usize) -> Option<f64> {
        Some(*n as f64)
    }
}

/// The right result.
struct Sorted(Vec<u64>);

/// The same numbers in another order; a kernel gets a fresh copy for every call.
#[derive(Clone)]
struct Shuffled {
    numbers: Vec<u64>,
    seed: u32,
}

impl Shuffled {
    fn new(numbers: &[u64], seed: u32) -> Self {
        let (mut numbers, mut random) = (numbers.to_vec(), Drand48::new(seed));
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, (random.uniform() * (last + 1) as f64) as usize);
        }
        Self { numbers, seed }
    }
}

impl fmt::Display for Shuffled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shuffle{}", self.seed)
    }
}

#[bench(problem = Sorting, baseline)]
fn stable(_: &Sorted, mut list: Shuffled) -> Vec<u64> {
    list.numbers.sort();
    list.numbers
}

#[bench(problem = Sorting)]
fn unstable(_: &Sorted, mut list: Shuffled) -> Vec<u64> {
    list.numbers.sort_unstable();
    list.numbers
}

#[bench(problem = Sorting, processors = plusminus::processor_counts())]
fn parallel(_: &Sorted, mut list: Shuffled) -> Vec<u64> {
    list.numbers.par_sort_unstable();
    list.numbers
}

plusminus::main!();
