//! Instances and runs as a heat map: which instance, which run and which single cell is out of line.

use plusminus::results::Row;
use plusminus_analysis::decomposition::{Cells, Flag, Scale, decompose};

use super::{
    super::plot::{Axis, Cell, Plot},
    cells, short,
};

/// The level of the tests behind the marks, corrected for the number of cells.
const LEVEL: f64 = 0.05;

/// The typical times of a row by run and instance; `None` with fewer than two of either.
pub fn heat_map(row: &Row<'_>) -> Option<Plot> {
    row.time.as_ref()?;
    let (runs, instances) = (row.cells.len(), row.cells.first()?.len());
    if runs < 2 || instances < 2 {
        return None;
    }
    let mean = |at: usize| row.cells.iter().map(|run| run[at]).sum::<f64>() / runs as f64;
    let means: Vec<f64> = (0..instances).map(mean).collect();
    let flat = row.cells.concat();
    let ratio = |(at, time): (usize, &f64)| time / means[at % instances];
    let ratios: Vec<f64> = flat.iter().enumerate().map(ratio).collect();
    // A few tenths of a percent are not to look like much.
    let reach = ratios.iter().map(|ratio| ratio.ln().abs()).fold(0.01, f64::max);
    let mut marks = vec![""; flat.len()];
    if let Ok(table) = Cells::new(&flat, runs, instances, 1)
        && let Ok(parts) = decompose(&table, Scale::Log)
    {
        for flag in parts.flags(LEVEL) {
            match flag {
                Flag::OddCell { run, instance, .. } => marks[run * instances + instance] = "!",
                Flag::Suspect { run, instance, .. } => marks[run * instances + instance] = "?",
                _ => {}
            }
        }
    }
    let cell = |(at, value): (usize, &f64)| Cell {
        x: Cell::around(at % instances),
        y: Cell::around(at / instances),
        value: *value,
        shade: -value.ln() / reach,
        text: marks[at],
    };
    let names: Vec<String> = (1..=instances).map(|number| number.to_string()).collect();
    let runs_named: Vec<String> = row.runs.iter().map(|run| (run + 1).to_string()).collect();
    Some(Plot {
        title: format!("Instances and runs of {}", short(row.label)),
        caption: format!(
            "Each cell is the typical time of an instance in a run, divided by the mean of that instance over all runs: the \
             strongest color is a factor of {:.3}. ! is proven to be out of line (p < {LEVEL} over all cells), ? is suspect.",
            reach.exp()
        ),
        x: Axis::named("instance", &names),
        y: Axis::named("run", &runs_named),
        layers: cells(
            &["faster than its mean", "slower than its mean"],
            &ratios.iter().enumerate().map(cell).collect::<Vec<_>>(),
        ),
        height: (90 + 26 * runs.clamp(3, 30)) as u32,
    })
}
