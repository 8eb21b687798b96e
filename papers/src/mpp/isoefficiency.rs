//! How much more work more processors need: the document's exercise, T = a·n/p + b·lg p, on the times that were measured.

use std::collections::BTreeMap;

use plusminus::text::number::{significant, time};
use plusminus_analysis::scaling::work_growth;

use super::{super::beside::doubling, laws::Line};
use cargo_plusminus::{
    pages::plot::{Axis, Colour, Layer, Marks, Plot},
    study::document::ScalingRow,
};

/// Efficiencies that curves are drawn for.
const TARGETS: [f64; 3] = [0.5, 0.8, 0.9];

/// Processors that curves are drawn to, beyond the measured ones.
const MOST: f64 = 64.0;

/// The exercise's model of lines of one variant: nanoseconds of a number, and of a step of the tree.
struct Tree {
    number_ns: f64,
    step_ns: f64,
    /// The root mean square of ln(measured/model).
    misfit: f64,
}

impl Tree {
    fn time_ns(&self, n: f64, p: f64) -> f64 {
        self.number_ns * n / p + self.step_ns * p.log2()
    }

    /// n = K·(b/a)·p·lg p.
    fn size(&self, efficiency: f64, p: f64) -> f64 {
        efficiency / (1.0 - efficiency) * self.step_ns / self.number_ns * p * p.log2()
    }
}

/// Sizes, processors and times.
fn points<'a>(lines: &'a [Line<'a>]) -> impl Iterator<Item = (f64, f64, f64)> + 'a {
    let rows = lines.iter().flat_map(|line| line.rows.iter());
    rows.filter_map(|row| Some((row.n?, row.p as f64, row.time_ns.value)))
}

/// Least squares of relative differences, as times range over orders of magnitude.
fn tree(lines: &[Line<'_>]) -> Option<Tree> {
    let (mut xx, mut xy, mut yy, mut x, mut y, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (n, p, time) in points(lines) {
        let (a, b) = (n / p / time, p.log2() / time);
        xx += a * a;
        xy += a * b;
        yy += b * b;
        x += a;
        y += b;
        count += 1.0;
    }
    let determinant = xx * yy - xy * xy;
    let (number_ns, step_ns) = ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant);
    if !(number_ns > 0.0 && step_ns > 0.0 && number_ns.is_finite() && step_ns.is_finite()) {
        return None;
    }
    let mut tree = Tree { number_ns, step_ns, misfit: 0.0 };
    let squares = points(lines).map(|(n, p, time)| (time / tree.time_ns(n, p)).ln().powi(2));
    tree.misfit = (squares.sum::<f64>() / count).sqrt();
    Some(tree)
}

/// Returns the prediction of the exercise's model for these lines.
fn exercise(lines: &[Line<'_>]) -> Option<String> {
    let tree = tree(lines)?;
    let sizes = TARGETS.map(|target| format!("{:.1e} for E = {target}", tree.size(target, 2.0)));
    Some(format!(
        "T = a·n/p + b·lg p with a = {}, b = {}: on 2 processors n = {}",
        time(tree.number_ns),
        time(tree.step_ns),
        sizes.join(", ")
    ))
}

fn why_exercise(lines: &[Line<'_>]) -> String {
    let Some(tree) = tree(lines) else {
        return "The times of these records have no such coefficients above 0.".to_owned();
    };
    let worst = points(lines)
        .map(|(n, p, time)| (time / tree.time_ns(n, p), n, p))
        .max_by(|a, b| a.0.ln().abs().total_cmp(&b.0.ln().abs()));
    let worst = worst.map_or(String::new(), |(ratio, n, p)| {
        format!("; farthest off at n = {n}, p = {p}: {} times what it says", significant(ratio, 3))
    });
    format!(
        "The document counts steps; here b is the time of a step with all that p > 1 adds, b/a = {} numbers. The model misses the \
         times by a factor of {}{worst}.",
        significant(tree.step_ns / tree.number_ns, 2),
        significant(tree.misfit.exp(), 3)
    )
}

/// The overhead of a row.
fn overhead(row: &ScalingRow) -> Option<f64> {
    row.overhead_ns.as_ref().map(|number| number.value).filter(|value| *value > 0.0)
}

/// How often T_o grows from one number of processors to the next, at each size.
fn growths(lines: &[Line<'_>]) -> BTreeMap<(usize, usize), Vec<f64>> {
    let mut found: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for pair in lines.iter().flat_map(|line| line.rows.windows(2)).filter(|pair| pair[0].p > 1) {
        if let Some((before, after)) = overhead(pair[0]).zip(overhead(pair[1])) {
            found.entry((pair[0].p, pair[1].p)).or_default().push(after / before);
        }
    }
    found
}

/// The growth of the overhead and the document's formula for it, and the exercise's model.
pub(super) fn words(lines: &[Line<'_>]) -> Vec<String> {
    let overhead = |p: f64| p * (p.log2() - 1.0);
    let grown = growths(lines).into_iter().filter_map(|((from, to), all)| {
        let low = all.iter().copied().fold(f64::MAX, f64::min);
        let high = all.iter().copied().fold(0.0, f64::max);
        let formula = work_growth(&overhead, from as f64, to as f64).ok()?;
        formula.is_finite().then(|| {
            format!(
                "From p = {from} to p = {to}, T_o grows by {} to {} at {} sizes, and by {} in the document's formula.",
                significant(low, 3),
                significant(high, 3),
                all.len(),
                significant(formula, 3)
            )
        })
    });
    let exercise = exercise(lines).map(|found| format!("{found}. {}", why_exercise(lines)));
    grown.chain(exercise).collect()
}

/// The exercise: S = p/lg p and E = 1/lg p of a sum of p numbers on p processors, to 2²⁰.
pub(super) fn curves() -> Plot {
    let processors = || (1..=20).map(|k| (f64::from(k), f64::from(k).exp2()));
    let speedups: Vec<[f64; 2]> = processors().map(|(lg, p)| [p, p / lg]).collect();
    let efficiencies: Vec<[f64; 2]> = processors().map(|(lg, p)| [p, lg.recip()]).collect();
    let all = speedups.iter().chain(&efficiencies).map(|point| point[1]);
    Plot {
        title: "Speedup and efficiency of a sum of p numbers on p processors".to_owned(),
        caption: "S = p/lg p grows without end, and E = 1/lg p falls to 0. These are formulas of the document's exercise (2.3), \
                  and nothing was measured."
            .to_owned(),
        x: doubling("processors p, logarithmic scale", [2.0, 2f64.powi(20)]),
        y: Axis::log("S and E, logarithmic scale", all),
        layers: [("S = p/lg p", speedups), ("E = 1/lg p", efficiencies)]
            .into_iter()
            .enumerate()
            .flat_map(|(index, (name, points))| {
                let line = Marks::Line(points.clone());
                [
                    Layer::new(name, Colour::Series(index), line),
                    Layer::new(name, Colour::Series(index), Marks::Rings(points)).unnamed(),
                ]
            })
            .collect(),
        height: 320,
    }
}

/// Sizes that keep an efficiency, over p, with the measured efficiencies.
pub(super) fn plots(lines: &[Line<'_>]) -> Vec<Plot> {
    let Some(tree) = tree(lines) else { return Vec::new() };
    let rows: Vec<(f64, f64, f64)> = lines
        .iter()
        .flat_map(|line| line.rows.iter())
        .filter(|row| row.p > 1)
        .filter_map(|row| Some((row.p as f64, row.n?, row.efficiency.as_ref()?.value)))
        .collect();
    let most = rows.iter().map(|(p, ..)| *p).fold(MOST, f64::max);
    let curve = |target: f64| -> Vec<[f64; 2]> {
        let places =
            std::iter::successors(Some(2.0), |p| Some(p * 1.25)).take_while(|p| *p <= most);
        places.map(|p| [p, tree.size(target, p)]).collect()
    };
    let mut sizes: Vec<f64> = rows.iter().map(|(_, n, _)| *n).collect();
    let mut layers = Vec::new();
    for (index, target) in TARGETS.into_iter().enumerate() {
        let curve = curve(target);
        sizes.extend(curve.iter().map(|[_, n]| *n));
        layers.push(Layer::new(format!("E = {target}"), Colour::Series(index), Marks::Line(curve)));
    }
    let measured = rows.iter().map(|(p, n, _)| [*p, *n]).collect();
    layers.push(Layer::new("measured", Colour::Ink, Marks::Rings(measured)));
    let named = rows.iter().map(|(p, n, e)| (p * 1.06, *n, format!("E = {}", significant(*e, 2))));
    layers.push(Layer::new("efficiency", Colour::Ink, Marks::Texts(named.collect())));
    vec![Plot {
        title: "Sizes that keep an efficiency".to_owned(),
        caption: format!(
            "Lines: n = K·(b/a)·p·lg p, K = E/(1 − E), from the fitted a and b; right of p = {} they are what the model says. Rings: \
             what was measured, with its efficiency.",
            rows.iter().map(|(p, ..)| *p).fold(0.0, f64::max)
        ),
        x: doubling("processors p, logarithmic scale", [2.0, most]),
        y: Axis::log("n, logarithmic scale", sizes),
        layers,
        height: 320,
    }]
}
