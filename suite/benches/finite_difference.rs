//! One step of a finite difference code on N × N × 10 points: the worked example of fitting a model to measurements in
//! "Designing and Building Parallel Programs", section 3.5.3 (equation 3.2, T = t_c·N²·Z; tables 3.2 and 3.3).
//!
//! `cargo bench -p plusminus-suite --bench finite_difference`, then
//! `cargo plusminus study RECORD --fit --model "Foster: t_c*10*n^2"`.

use std::fmt;

use plusminus::{Problem, Work, bench};
use rayon::prelude::*;

/// Z, the points of a column: fixed, as there.
const COLUMN: usize = 10;

/// A step of the code.
struct FiniteDifference;

impl Problem for FiniteDifference {
    type Point = usize;
    type Input = Grid;
    type Instance = Step;
    type Output = Vec<f64>;

    fn sweep() -> impl IntoIterator<Item = usize> {
        [16, 32, 64, 128, 256, 512]
    }

    fn input(&sides: &usize) -> Grid {
        Grid::new(sides)
    }

    fn instances(_: &Grid) -> Vec<Step> {
        vec![Step]
    }

    fn check(grid: &Grid, _: &Step, found: &Vec<f64>) -> Result<(), String> {
        grid.check(found)
    }

    fn work(grid: &Grid, _: &Step) -> Work {
        Work::of("points", grid.values.len() as f64)
    }

    fn size(&sides: &usize) -> Option<f64> {
        Some(sides as f64)
    }
}

/// The whole grid is stepped once.
struct Step;

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("step")
    }
}

/// N × N columns of [`COLUMN`] points, which goes on at the other side at each end, in whole numbers, so that all sums are
/// exact.
struct Grid {
    sides: usize,
    values: Vec<f64>,
}

impl Grid {
    fn new(sides: usize) -> Self {
        let value = |place: usize| (place.wrapping_mul(2_654_435_761) >> 7 & 1023) as f64;
        Self { sides, values: (0..sides * sides * COLUMN).map(value).collect() }
    }

    /// A row of columns.
    fn row(&self, x: usize) -> &[f64] {
        let length = self.sides * COLUMN;
        &self.values[x * length..(x + 1) * length]
    }

    /// The new values of a row: each point from the nine columns around it, and from the two points above and below it.
    fn step(&self, x: usize, new: &mut [f64]) {
        let rows = [
            self.row((x + self.sides - 1) % self.sides),
            self.row(x),
            self.row((x + 1) % self.sides),
        ];
        for y in 0..self.sides {
            let columns =
                [(y + self.sides - 1) % self.sides, y, (y + 1) % self.sides].map(|y| y * COLUMN);
            let around: [[&[f64]; 3]; 3] = rows.map(|row| columns.map(|at| &row[at..at + COLUMN]));
            let new = &mut new[y * COLUMN..(y + 1) * COLUMN];
            for (z, new) in new.iter_mut().enumerate() {
                let own = around[1][1];
                let level: f64 = around.iter().flatten().map(|column| column[z]).sum();
                *new = level + own[(z + COLUMN - 1) % COLUMN] + own[(z + 1) % COLUMN];
            }
        }
    }

    /// Compares some points with the definition, and the sum of all: each point counts eleven times.
    fn check(&self, found: &[f64]) -> Result<(), String> {
        let (n, all) = (self.sides, self.values.len());
        if found.len() != all {
            return Err(format!("{} points instead of {all}", found.len()));
        }
        let (before, after) = (self.values.iter().sum::<f64>(), found.iter().sum::<f64>());
        if after != 11.0 * before {
            return Err(format!("the sum is {after} instead of 11 · {before}"));
        }
        for place in (0..all).step_by(97) {
            let (x, y, z) = (place / COLUMN / n, place / COLUMN % n, place % COLUMN);
            let at = |x: usize, y: usize, z: usize| {
                self.values[(x % n * n + y % n) * COLUMN + z % COLUMN]
            };
            let mut expected = at(x, y, z + 1) + at(x, y, z + COLUMN - 1);
            for (dx, dy) in (0..9).map(|k| (k / 3, k % 3)) {
                expected += at(x + n - 1 + dx, y + n - 1 + dy, z);
            }
            if found[place] != expected {
                return Err(format!(
                    "point {x}, {y}, {z} is {} instead of {expected}",
                    found[place]
                ));
            }
        }
        Ok(())
    }
}

/// Row after row.
#[bench(problem = FiniteDifference, baseline)]
fn sequential(grid: &Grid, _: &Step) -> Vec<f64> {
    let mut new = vec![0.0; grid.values.len()];
    for (x, row) in new.chunks_mut(grid.sides * COLUMN).enumerate() {
        grid.step(x, row);
    }
    new
}

/// Rows in parallel.
#[bench(problem = FiniteDifference, processors = plusminus::processor_counts())]
fn parallel(grid: &Grid, _: &Step) -> Vec<f64> {
    let mut new = vec![0.0; grid.values.len()];
    let rows = new.par_chunks_mut(grid.sides * COLUMN).enumerate();
    rows.for_each(|(x, row)| grid.step(x, row));
    new
}

plusminus::main!();
