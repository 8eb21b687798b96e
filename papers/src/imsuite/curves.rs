//! Communication by round (figure 9) and by places (the cost behind figure 15), as curves.

use plusminus::{record::CaseRecord, text::number::significant};

use super::{COMM, Known, RINGS, figure_8::FIGURE_8, is_64, is_dense, of, tally};
use crate::beside::doubling;
use cargo_plusminus::pages::plot::{Axis, Cell, Colour, Layer, Marks, Plot};

/// Returns the counts of one shape of input by round; the version with clocks, as the paper draws.
pub(super) fn by_round<'a>(cases: &[Known<'a>], kernel: &str, sparse: bool) -> Option<&'a [f64]> {
    let style = if kernel == "dr" { "fork_join" } else { "clocked" };
    let rounds = of(cases, kernel, style, sparse, COMM).map(|tally| &tally.per_round[..]);
    rounds.filter(|rounds| !rounds.is_empty())
}

/// Places and the communication with them.
pub(super) fn at_places(case: &CaseRecord) -> Vec<[f64; 2]> {
    let all = case.tallies.iter().flat_map(|one| &one.tallies);
    let mut points: Vec<[f64; 2]> = all
        .filter_map(|tally| {
            let places = tally.name.strip_prefix("comm at ")?.split(' ').next()?;
            Some([places.parse().ok()?, tally.total])
        })
        .collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}

/// The rounds of all kernels and inputs as a heat map: where in its course each one communicates.
pub(super) fn course(cases: &[Known<'_>]) -> Option<Plot> {
    let mut rows: Vec<(String, &[f64])> = Vec::new();
    for (kernel, _) in FIGURE_8 {
        for (name, sparse) in [("Mn-In", true), ("Mx-In", false)] {
            if sparse && RINGS.contains(&kernel) {
                continue;
            }
            let own = by_round(cases, kernel, sparse).filter(|rounds| rounds.len() > 1);
            rows.extend(own.map(|rounds| (format!("{} {name}", kernel.to_uppercase()), rounds)));
        }
    }
    let longest = rows.iter().map(|(_, rounds)| rounds.len()).max()?;
    let mut cells = Vec::new();
    for (index, (_, rounds)) in rows.iter().enumerate() {
        let (most, y) = (rounds.iter().copied().fold(0.0, f64::max), -(index as f64));
        cells.extend(rounds.iter().enumerate().map(|(round, messages)| Cell {
            x: (round as f64 + 0.5, round as f64 + 1.5),
            y: (y - 0.48, y + 0.48),
            value: *messages,
            shade: if most > 0.0 { messages / most } else { 0.0 },
            text: "",
        }));
    }
    let ticks = rows.iter().enumerate().map(|(index, (name, _))| (-(index as f64), name.clone()));
    let y = Axis {
        ticks: ticks.collect(),
        ..Axis::between("kernel and input", 0.5 - rows.len() as f64, 0.5)
    };
    Some(Plot {
        title: "Communication of all kernels by round".to_owned(),
        caption: "Remote messages in each round, 64 nodes, a place for each: the strongest color is the most of a round of that \
                  kernel and input."
            .to_owned(),
        x: Axis::between("round", 0.5, longest as f64 + 0.5),
        y,
        layers: vec![Layer::new("messages", Colour::Series(0), Marks::Cells(cells))],
        height: (90 + 22 * rows.len().max(4)) as u32,
    })
}

/// Communication in each round, in both inputs (figure 9).
pub(super) fn over_rounds(cases: &[Known<'_>]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (kernel, _) in FIGURE_8 {
        let mut layers = Vec::new();
        let (mut rounds, mut highest) = (1, 0.0_f64);
        for (name, sparse, colour) in [("Mn-In", true, 0), ("Mx-In", false, 1)] {
            let is_twice = sparse && RINGS.contains(&kernel);
            let own = by_round(cases, kernel, sparse).filter(|own| own.len() > 1 && !is_twice);
            let Some(own) = own else { continue };
            rounds = rounds.max(own.len());
            highest = own.iter().copied().fold(highest, f64::max);
            let line = own.iter().enumerate().map(|(r, n)| [r as f64 + 1.0, *n]);
            let line: Vec<[f64; 2]> = line.collect();
            let dots = Marks::Points(line.clone());
            layers.push(Layer::new(name, Colour::Series(colour), Marks::Line(line)));
            layers.push(Layer::new(name, Colour::Series(colour), dots).unnamed());
        }
        if !layers.is_empty() {
            plots.push(Plot {
                title: format!("{}: communication by round", kernel.to_uppercase()),
                caption: "Remote messages in each round, 64 nodes, a place for each. (IMSuite, figure 9.)".to_owned(),
                x: Axis::between("round", 1.0, rounds as f64),
                y: Axis::from_zero("messages", [highest]),
                layers,
                height: 240,
            });
        }
    }
    plots
}

/// Returns the communication of a solution with 1, 2, 4 … places (the cost behind figure 15).
pub(super) fn by_places(cases: &[Known<'_>]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (kernel, _) in FIGURE_8 {
        let mut layers = Vec::new();
        let (mut most, mut highest) = (1.0_f64, 0.0_f64);
        for (style, colour) in [("fork_join", 0), ("clocked", 1)] {
            let own = cases.iter().find(|k| {
                k.kernel == kernel
                    && k.style == style
                    && is_64(k.case)
                    && is_dense(k)
                    && tally(k.case, COMM).is_some()
            });
            let Some(own) = own else { continue };
            let points = at_places(own.case);
            most = points.iter().map(|point| point[0]).fold(most, f64::max);
            highest = points.iter().map(|point| point[1]).fold(highest, f64::max);
            let rings = Layer::new(style, Colour::Series(colour), Marks::Rings(points.clone()));
            layers.push(Layer::new(style, Colour::Series(colour), Marks::Line(points)).unnamed());
            layers.push(rings);
        }
        if !layers.is_empty() {
            plots.push(Plot {
                title: format!("{}: communication by places", kernel.to_uppercase()),
                caption: format!(
                    "Remote messages of a solution, 64 nodes in Mx-In, up to {}. (The cost behind IMSuite, figure 15.)",
                    significant(highest, 3)
                ),
                x: doubling("places, logarithmic scale", [1.0, most]),
                y: Axis::from_zero("messages", [highest]),
                layers,
                height: 240,
            });
        }
    }
    plots
}
