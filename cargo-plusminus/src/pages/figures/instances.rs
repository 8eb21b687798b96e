//! Instances and runs as a heat map: which instance, which run and which single cell is out of line.

use plusminus::results::Row;
use plusminus_analysis::decomposition::{Cells, Flag, Scale, decompose};

use super::{
    super::plot::{Axis, Cell, Colour, Layer, Marks, Plot},
    short,
};

/// The level of the tests behind the marks, corrected for the number of cells.
const LEVEL: f64 = 0.05;

/// Half of the least range of colors: a few tenths of a percent are not to look like much.
const LEAST: f64 = 0.01;

/// The typical times of a row by run and instance; `None` with fewer than two of either.
pub fn heat_map(row: &Row<'_>) -> Option<Plot> {
    row.time.as_ref()?;
    let (runs, instances) = (row.cells.len(), row.cells.first()?.len());
    if runs < 2 || instances < 2 {
        return None;
    }
    let mean =
        |instance: usize| row.cells.iter().map(|run| run[instance]).sum::<f64>() / runs as f64;
    let means: Vec<f64> = (0..instances).map(mean).collect();
    let ratio = |run: usize, instance: usize| row.cells[run][instance] / means[instance];
    let reach = (0..runs)
        .flat_map(|run| (0..instances).map(move |instance| (run, instance)))
        .map(|(run, instance)| ratio(run, instance).ln().abs())
        .fold(LEAST, f64::max);
    let marks = marks(row, runs, instances);
    let mut cells = Vec::with_capacity(runs * instances);
    for run in 0..runs {
        for instance in 0..instances {
            let around = |at: usize| (at as f64 - 0.48, at as f64 + 0.48);
            cells.push(Cell {
                x: around(instance),
                y: around(run),
                value: ratio(run, instance),
                shade: ratio(run, instance).ln() / reach,
                text: marks[run * instances + instance],
            });
        }
    }
    let numbers = |count: usize| (1..=count).map(|n| n.to_string()).collect::<Vec<_>>();
    let runs_named: Vec<String> = row.runs.iter().map(|run| (run + 1).to_string()).collect();
    Some(Plot {
        title: format!("Instances and runs of {}", short(row.label)),
        caption: format!(
            "Each cell is the typical time of an instance in a run, divided by the mean of that instance over all runs: the \
             strongest color is a factor of {:.3}. ! is proven to be out of line (p < {LEVEL} over all cells), ? is suspect.",
            reach.exp()
        ),
        x: Axis::named("instance", &numbers(instances)),
        y: Axis::named("run", &runs_named),
        layers: vec![
            Layer::new("slower than its mean", Colour::Series(0), Marks::Cells(cells)),
            Layer::new("faster than its mean", Colour::Series(1), Marks::Cells(Vec::new())),
        ],
        height: (90 + 26 * runs.clamp(3, 30)) as u32,
    })
}

/// The mark of each cell.
fn marks(row: &Row<'_>, runs: usize, instances: usize) -> Vec<&'static str> {
    let mut marks = vec![""; runs * instances];
    let flat = row.cells.concat();
    let Ok(cells) = Cells::new(&flat, runs, instances, 1) else { return marks };
    let Ok(parts) = decompose(&cells, Scale::Log) else { return marks };
    for flag in parts.flags(LEVEL) {
        match flag {
            Flag::OddCell { run, instance, .. } => marks[run * instances + instance] = "!",
            Flag::Suspect { run, instance, .. } => marks[run * instances + instance] = "?",
            _ => {}
        }
    }
    marks
}
