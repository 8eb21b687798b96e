//! A problem, and two variants that solve it.

use plusminus::{Problem, Work, bench};

/// Where is a number in a sorted list?
pub struct Search;

impl Problem for Search {
    /// How long the list is.
    type Point = usize;
    /// The list, built once for each process and never timed.
    type Input = Vec<u64>;
    /// The wanted number. Every variant gets the same ones.
    type Instance = u64;
    type Output = Option<usize>;

    fn sweep() -> impl IntoIterator<Item = usize> {
        [16, 4_096]
    }

    fn input(n: &usize) -> Vec<u64> {
        (0..*n as u64).map(|i| 2 * i).collect()
    }

    fn instances(list: &Vec<u64>) -> Vec<u64> {
        vec![0, list.len() as u64, 1]
    }

    fn check(list: &Vec<u64>, wanted: &u64, found: &Option<usize>) -> Result<(), String> {
        let right = match found {
            Some(place) => list.get(*place) == Some(wanted),
            None => !list.contains(wanted),
        };
        if right { Ok(()) } else { Err(format!("{wanted} is not at {found:?}")) }
    }

    fn work(list: &Vec<u64>, _: &u64) -> Work {
        Work::items(list.len() as u64)
    }
}

#[bench(problem = Search, baseline)]
fn scan(list: &Vec<u64>, wanted: &u64) -> Option<usize> {
    variants::scan(list, *wanted)
}

#[bench(problem = Search)]
fn halve(list: &Vec<u64>, wanted: &u64) -> Option<usize> {
    variants::halve(list, *wanted)
}

plusminus::main!();
