//! The sum of n numbers on p processors: each adds n/p of them, and the sums are added in a tree.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use plusminus::{Problem, Work, processor_counts};
use plusminus_macros::bench;

use crate::team;

/// Binary logarithms of how many numbers there are: in pairs, of which one has twice as many, as weak scaling needs.
const SIZES: [u32; 6] = [13, 14, 17, 18, 21, 22];

/// Adding n numbers.
///
/// ```
/// use plusminus::Problem;
/// use plusminus_suite::textbook::{Sum, SumPoint, one_after_another, tree};
///
/// let numbers = Sum::input(&SumPoint { numbers: 1000, processors: 3 });
/// for total in &Sum::instances(&numbers) {
///     Sum::check(&numbers, total, &tree(&numbers, total)).unwrap();
///     Sum::check(&numbers, total, &one_after_another(&numbers, total)).unwrap();
/// }
/// ```
pub struct Sum;

/// How many numbers, on how many processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumPoint {
    /// n.
    pub numbers: usize,
    /// p.
    pub processors: usize,
}

impl fmt::Display for SumPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}-p{}", self.numbers, self.processors)
    }
}

/// The numbers, small and whole so that their sum is exact in every order.
pub struct Numbers {
    values: Vec<f64>,
    processors: usize,
}

/// The one thing that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total;

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("total")
    }
}

/// Returns the number at a place.
fn value(index: usize) -> u32 {
    (index % 1021) as u32
}

impl Problem for Sum {
    type Point = SumPoint;
    type Input = Numbers;
    type Instance = Total;
    type Output = f64;

    fn sweep() -> impl IntoIterator<Item = SumPoint> {
        let all = processor_counts();
        SIZES.into_iter().flat_map(move |size| {
            all.clone().into_iter().map(move |p| SumPoint { numbers: 1 << size, processors: p })
        })
    }

    fn input(point: &SumPoint) -> Numbers {
        let values = (0..point.numbers).map(|index| f64::from(value(index))).collect();
        Numbers { values, processors: point.processors }
    }

    fn instances(_: &Numbers) -> Vec<Total> {
        vec![Total]
    }

    fn check(numbers: &Numbers, _: &Total, found: &f64) -> Result<(), String> {
        let expected: u64 = (0..numbers.values.len()).map(|index| u64::from(value(index))).sum();
        if *found == expected as f64 {
            Ok(())
        } else {
            Err(format!("{found} instead of {expected}"))
        }
    }

    fn work(numbers: &Numbers, _: &Total) -> Work {
        Work::items(numbers.values.len() as u64)
    }

    fn size(point: &SumPoint) -> Option<f64> {
        Some(point.numbers as f64)
    }

    fn processors(point: &SumPoint) -> Vec<usize> {
        vec![point.processors]
    }
}

/// In eight lanes, so that an addition need not wait for the one before it.
fn added(values: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let chunks = values.chunks_exact(lanes.len());
    let rest: f64 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// All numbers, on one processor.
#[bench(problem = Sum, reference)]
pub fn one_after_another(numbers: &Numbers, _: &Total) -> f64 {
    added(&numbers.values)
}

/// A part of the numbers on each processor, and lg p steps in which half of the processors with a sum get another
/// one's.
#[bench(problem = Sum)]
pub fn tree(numbers: &Numbers, _: &Total) -> f64 {
    let (n, p) = (numbers.values.len(), numbers.processors);
    let sums: Vec<Mutex<f64>> = (0..p).map(|_| Mutex::new(0.0)).collect();
    let of = |index: usize| sums[index].lock().unwrap_or_else(PoisonError::into_inner);
    team::run(p, |member| {
        let own = member.index;
        *of(own) = added(&numbers.values[n * own / p..n * (own + 1) / p]);
        let mut step = 1;
        while step < p {
            member.wait();
            if own.is_multiple_of(2 * step) && own + step < p {
                let other = *of(own + step);
                *of(own) += other;
            }
            step *= 2;
        }
    });
    *of(0)
}

/// Each processor adds its part, and the first one adds all of their sums: one barrier, and p − 1 additions after it.
#[bench(problem = Sum)]
pub fn gather(numbers: &Numbers, _: &Total) -> f64 {
    let (n, p) = (numbers.values.len(), numbers.processors);
    let sums: Vec<Mutex<f64>> = (0..p).map(|_| Mutex::new(0.0)).collect();
    let of = |index: usize| sums[index].lock().unwrap_or_else(PoisonError::into_inner);
    team::run(p, |member| {
        let own = member.index;
        *of(own) = added(&numbers.values[n * own / p..n * (own + 1) / p]);
        member.wait();
    });
    (0..p).map(|index| *of(index)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_added_once_on_any_number_of_processors() {
        for numbers in [0, 1, 7, 1000, 4099] {
            for processors in 1..=9 {
                let input = Sum::input(&SumPoint { numbers, processors });
                Sum::check(&input, &Total, &tree(&input, &Total)).unwrap();
                Sum::check(&input, &Total, &gather(&input, &Total)).unwrap();
                Sum::check(&input, &Total, &one_after_another(&input, &Total)).unwrap();
                assert!(Sum::check(&input, &Total, &-1.0).is_err());
            }
        }
    }
}
