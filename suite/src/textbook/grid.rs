//! A time step of a finite difference method on N × N × Z points, cut into strips of rows whose owners send one
//! another the rows at their edges, as in Foster's example. Nine points of a plane enter each new value, so that two
//! rows of each neighbor are needed. A strip sends two messages of 2·N·Z numbers.

use std::{
    fmt,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use plusminus::{Problem, Work, processor_counts};
use plusminus_macros::bench;

/// Z, the levels of the grid; fixed, as in the document.
const LEVELS: usize = 10;

/// N, the points along a side of a level.
const SIDES: [usize; 4] = [64, 128, 256, 512];

/// How far the nine points reach: two to each side, in both directions of a level.
const REACH: usize = 2;

/// How much of the difference to the neighbors' mean a step adds; all numbers stay exact for a few steps.
const SHARE: f64 = 1.0 / 8.0;

/// A time step on a grid.
///
/// ```
/// use plusminus::Problem;
/// use plusminus_suite::textbook::{FiniteDifference, GridPoint, strips, whole_grid};
///
/// let grid = FiniteDifference::input(&GridPoint { side: 16, processors: 3 });
/// for step in &FiniteDifference::instances(&grid) {
///     FiniteDifference::check(&grid, step, &strips(&grid, step)).unwrap();
///     FiniteDifference::check(&grid, step, &whole_grid(&grid, step)).unwrap();
/// }
/// ```
pub struct FiniteDifference;

/// N and P.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridPoint {
    /// Points along a side.
    pub side: usize,
    /// Processors.
    pub processors: usize,
}

impl fmt::Display for GridPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N{}-Z{LEVELS}-p{}", self.side, self.processors)
    }
}

/// One time step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step;

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("step")
    }
}

/// Values before the step, in rows of N·Z numbers, and room for those after it.
pub struct Grid {
    side: usize,
    before: Vec<f64>,
    strips: Vec<Strip>,
}

/// The rows of one owner.
struct Strip {
    /// The first row and the one after the last.
    rows: (usize, usize),
    after: Mutex<Vec<f64>>,
}

impl Grid {
    fn new(side: usize, count: usize) -> Self {
        let row = side * LEVELS;
        let before = (0..side * row).map(|index| ((index * 7919) % 1021) as f64).collect();
        let strip = |of: usize| {
            let rows = (side * of / count, side * (of + 1) / count);
            Strip { rows, after: Mutex::new(vec![0.0; (rows.1 - rows.0) * row]) }
        };
        Self { side, before, strips: (0..count).map(strip).collect() }
    }

    fn row(&self) -> usize {
        self.side * LEVELS
    }

    /// Rows of the values before the step.
    fn rows(&self, from: usize, to: usize) -> &[f64] {
        &self.before[from * self.row()..to * self.row()]
    }
}

/// Values of rows, and the number of the first of them.
type Part<'a> = (usize, &'a [f64]);

/// The new values of rows from those of parts of the grid that have all rows around them; outside of the grid all is 0.
fn advance(parts: &[Part<'_>], side: usize, rows: (usize, usize), after: &mut [f64]) -> f64 {
    let row = side * LEVELS;
    let empty = vec![0.0; row];
    let of = |index: usize, by: isize| -> &[f64] {
        let found = index.checked_add_signed(by).and_then(|wanted| {
            parts
                .iter()
                .find_map(|(first, part)| part.get(wanted.checked_sub(*first)? * row..)?.get(..row))
        });
        found.unwrap_or(&empty)
    };
    let reach = REACH as isize;
    let mut sum = 0.0;
    for (index, out) in (rows.0..rows.1).zip(after.chunks_exact_mut(row)) {
        let own = of(index, 0);
        let lines =
            [of(index, -reach), of(index, 1 - reach), of(index, reach - 1), of(index, reach)];
        for at in 0..row {
            let beside = |by: usize, left: bool| match left {
                true => at.checked_sub(by * LEVELS).map_or(0.0, |place| own[place]),
                false => own.get(at + by * LEVELS).copied().unwrap_or(0.0),
            };
            let along = beside(1, true) + beside(2, true) + beside(1, false) + beside(2, false);
            let across = lines[0][at] + lines[1][at] + lines[2][at] + lines[3][at];
            let value = own[at] + SHARE * ((along + across) / 8.0 - own[at]);
            out[at] = value;
            sum += value;
        }
    }
    sum
}

impl Problem for FiniteDifference {
    type Point = GridPoint;
    type Input = Grid;
    type Instance = Step;
    /// The sum of all new values.
    type Output = f64;

    fn sweep() -> impl IntoIterator<Item = GridPoint> {
        let all = processor_counts();
        SIDES.into_iter().flat_map(move |side| {
            all.clone().into_iter().map(move |p| GridPoint { side, processors: p })
        })
    }

    fn input(point: &GridPoint) -> Grid {
        Grid::new(point.side, point.processors)
    }

    fn instances(_: &Grid) -> Vec<Step> {
        vec![Step]
    }

    fn check(grid: &Grid, _: &Step, found: &f64) -> Result<(), String> {
        let mut after = vec![0.0; grid.before.len()];
        let expected = advance(&[(0, &grid.before)], grid.side, (0, grid.side), &mut after);
        // Sums of eighths and sixty-fourths of whole numbers are exact in any order.
        if *found == expected { Ok(()) } else { Err(format!("{found} instead of {expected}")) }
    }

    fn work(grid: &Grid, _: &Step) -> Work {
        Work::of("points", grid.before.len() as f64)
    }

    /// N²·Z, the points of the grid.
    fn size(point: &GridPoint) -> Option<f64> {
        Some((point.side * point.side * LEVELS) as f64)
    }

    fn processors(point: &GridPoint) -> Vec<usize> {
        vec![point.processors]
    }
}

/// All rows on one processor, which needs no messages.
#[bench(problem = FiniteDifference, reference)]
pub fn whole_grid(grid: &Grid, _: &Step) -> f64 {
    let each = grid.strips.iter().map(|strip| {
        let mut after = strip.after.lock().unwrap_or_else(PoisonError::into_inner);
        advance(&[(0, &grid.before)], grid.side, strip.rows, &mut after)
    });
    each.sum()
}

/// A strip on each processor: the rows at its edges are sent to its neighbors, theirs are received, and then it advances.
#[bench(problem = FiniteDifference)]
pub fn strips(grid: &Grid, _: &Step) -> f64 {
    let count = grid.strips.len();
    // Strips that are narrower than what the nine points reach would need rows from beyond their neighbors.
    if count == 1 || grid.side < REACH * count {
        return whole_grid(grid, &Step);
    }
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| mpsc::channel()).unzip();
    thread::scope(|scope| {
        let mut others = Vec::new();
        let mut first = None;
        for (own, receiver) in receivers.into_iter().enumerate() {
            let neighbour = |other: usize| senders.get(other).cloned();
            let beside = [own.checked_sub(1).and_then(neighbour), neighbour(own + 1)];
            let task = move || advance_strip(grid, own, beside, &receiver);
            match own {
                0 => first = Some(task),
                _ => others.push(scope.spawn(task)),
            }
        }
        let sum = first.map_or(0.0, |task| task());
        let joined = |other: thread::ScopedJoinHandle<'_, f64>| match other.join() {
            Ok(sum) => sum,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        sum + others.into_iter().map(joined).sum::<f64>()
    })
}

/// Rows that a neighbor sends: whether they lie above the strip that gets them, and their values.
type Message = (bool, Vec<f64>);

/// Runs the owner of a strip in a step.
fn advance_strip(
    grid: &Grid,
    own: usize,
    beside: [Option<mpsc::Sender<Message>>; 2],
    receiver: &mpsc::Receiver<Message>,
) -> f64 {
    let (from, to) = grid.strips[own].rows;
    let [above, below] = beside;
    let expected = usize::from(above.is_some()) + usize::from(below.is_some());
    // Who has gone has panicked, and the panic is passed on by who started it.
    if let Some(above) = above {
        let _ = above.send((false, grid.rows(from, from + REACH).to_vec()));
    }
    if let Some(below) = below {
        let _ = below.send((true, grid.rows(to - REACH, to).to_vec()));
    }
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for (is_above, rows) in receiver.iter().take(expected) {
        *(if is_above { &mut upper } else { &mut lower }) = rows;
    }
    let parts = [(from, grid.rows(from, to)), (from.saturating_sub(REACH), &upper), (to, &lower)];
    let mut after = grid.strips[own].after.lock().unwrap_or_else(PoisonError::into_inner);
    advance(&parts, grid.side, (from, to), &mut after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_say_what_the_whole_grid_says() {
        for side in [4, 9, 16, 33] {
            for processors in 1..=5 {
                let grid = Grid::new(side, processors);
                let whole = whole_grid(&grid, &Step);
                let kept: Vec<Vec<f64>> =
                    grid.strips.iter().map(|strip| strip.after.lock().unwrap().clone()).collect();
                assert_eq!(strips(&grid, &Step), whole, "{side} in {processors}");
                for (strip, kept) in grid.strips.iter().zip(kept) {
                    assert_eq!(*strip.after.lock().unwrap(), kept, "{side} in {processors}");
                }
                FiniteDifference::check(&grid, &Step, &whole).unwrap();
                assert!(FiniteDifference::check(&grid, &Step, &(whole + 1.0)).is_err());
            }
        }
    }

    #[test]
    fn a_point_alone_goes_to_its_eight_neighbours() {
        let mut grid = Grid::new(9, 1);
        grid.before.fill(0.0);
        let middle = 4 * grid.row() + 4 * LEVELS;
        grid.before[middle] = 64.0;
        whole_grid(&grid, &Step);
        let after = grid.strips[0].after.lock().unwrap();
        assert_eq!(after[middle], 56.0);
        assert_eq!(after.iter().filter(|value| **value == 1.0).count(), 8);
        assert_eq!(after.iter().filter(|value| **value != 0.0).count(), 9);
    }
}
