use plusminus::{Problem, bench};

struct Sum;

impl Problem for Sum {
    type Point = usize;
    type Input = Vec<u64>;
    type Instance = u64;
    type Output = u64;

    fn sweep() -> impl IntoIterator<Item = usize> {
        [10]
    }

    fn input(n: &usize) -> Vec<u64> {
        vec![1; *n]
    }

    fn instances(_: &Vec<u64>) -> Vec<u64> {
        vec![1]
    }
}

struct Unfinished;

impl Problem for Unfinished {
    type Point = usize;
    type Input = ();
    type Instance = u64;
    type Output = u64;

    fn input(_: &usize) {}
}

struct NoProblem;

#[bench(problem = Sum)]
fn fits(numbers: &[u64], factor: &u64) -> u64 {
    numbers.iter().sum::<u64>() * factor
}

#[bench(problem = NoProblem)]
fn of_no_problem(_: &(), _: &()) {}

#[bench(problem = Sum)]
fn wrong_input(numbers: &[u32], factor: &u64) -> u64 {
    numbers.len() as u64 * factor
}

#[bench(problem = Sum)]
fn wrong_instance(numbers: &[u64], factor: &str) -> u64 {
    (numbers.len() + factor.len()) as u64
}

#[bench(problem = Sum)]
fn wrong_output(_: &[u64], _: &u64) -> String {
    String::new()
}

#[bench(problem = Sum)]
fn too_few(_: &[u64]) -> u64 {
    1
}

#[bench(problem = Sum)]
fn takes_the_input(_: Vec<u64>, _: &u64) -> u64 {
    1
}

#[bench(problem = Sum)]
fn changes_the_input(_: &mut Vec<u64>, _: &u64) -> u64 {
    1
}

#[bench(problem = Sum, args = [1])]
fn with_arguments(_: &[u64], _: &u64) -> u64 {
    1
}

#[bench(problem = Sum, items = 1)]
fn with_work(_: &[u64], _: &u64) -> u64 {
    1
}

#[bench(problem = Sum, baseline, reference)]
fn both_roles(_: &[u64], _: &u64) -> u64 {
    1
}

#[bench(baseline)]
fn baseline_of_nothing() {}

fn main() {}
