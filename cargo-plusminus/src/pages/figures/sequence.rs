//! How a comparison came to its verdict: the interval after each block, and every pair of samples.

use plusminus::{
    record::ComparedCase, report::verdict_words, results::RowResult, text::number::percent,
};
use plusminus_analysis::Interval;

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot},
    samples::beside,
    short,
};

/// The interval of S after each block, narrowing; `None` without blocks.
pub(crate) fn sequence(
    name: &str,
    row: &RowResult,
    narrowing: &[Option<Interval>],
) -> Option<Plot> {
    let number = |index: usize| index as f64 + 1.0;
    let blocks = row.blocks.iter().enumerate();
    let blocks: Vec<[f64; 2]> =
        blocks.map(|(index, block)| [number(index), (-block.log_ratio).exp()]).collect();
    let margins = [1.0 / (1.0 + row.margin), 1.0 + row.margin];
    // The first intervals are as wide as the world: the axis has the blocks, and the last interval.
    let last = narrowing.last().copied().flatten().map_or([1.0, 1.0], |i| [i.low, i.high]);
    let heights = blocks.iter().map(|block| block[1]).chain(margins).chain(last);
    let y = Axis::ratios("S = base / new", heights);
    // An interval holds until the next block.
    let band = narrowing.iter().enumerate().filter_map(|(index, interval)| {
        let [low, high] = interval.map(|i| [i.low, i.high].map(|end| end.clamp(y.low, y.high)))?;
        Some([-0.5, 0.5].map(|half| [number(index) + half, low, high]))
    });
    let band = Marks::Band(band.flatten().collect());
    let interval = row.judgement.interval.map_or("no interval yet".to_owned(), |interval| {
        format!("[{:.4}, {:.4}]", interval.low, interval.high)
    });
    (!blocks.is_empty()).then(|| Plot {
        title: format!("How the verdict on {} came about", short(name)),
        caption: format!(
            "After {} blocks: {}, S in {interval}. The interval may be looked at after every block: it holds at all of them \
             together. Where it is wider than the axis it is cut. Margin {}.",
            row.blocks.len(),
            verdict_words(row.judgement.verdict, row.margin),
            percent(row.margin)
        ),
        x: Axis::between("blocks", 0.5, row.blocks.len() as f64 + 0.5),
        y,
        layers: vec![
            Layer::new("margin", Colour::Series(2), Marks::Strip(Along::Y, margins[0], margins[1])),
            Layer::new("interval of S so far", Colour::Series(0), band),
            Layer::new("no change", Colour::Muted, Marks::Rule(Along::Y, 1.0)),
            Layer::new("ratio of one block", Colour::Series(1), Marks::Points(blocks)),
        ],
        height: 280,
    })
}

/// Every pair of samples of a benchmark, by block; `None` without any.
pub(crate) fn pairs(case: &ComparedCase) -> Option<Plot> {
    let mut runs: Vec<u32> = case.blocks.iter().map(|block| block.base.run).collect();
    runs.sort_unstable();
    runs.dedup();
    let mut points = Vec::new();
    for block in &case.blocks {
        let number = runs.partition_point(|run| *run < block.base.run) as f64 + 1.0;
        let count = block.base.wall_ns.len();
        let pairs = block.base.call_ns().zip(block.new.call_ns()).enumerate();
        let pairs = pairs.filter(|(_, (base, new))| *base > 0.0 && *new > 0.0);
        points.extend(pairs.map(|(k, (base, new))| [beside(number, 0.7, k, count), base / new]));
    }
    (!points.is_empty()).then(|| Plot {
        title: format!("Every pair of samples of {}", short(&case.name)),
        caption: "One sample of the base over the sample of the new version that was taken in turn with it, by block, on a \
                  logarithmic scale around 1."
            .to_owned(),
        x: Axis::between("block", 0.5, runs.len() as f64 + 0.5),
        y: Axis::ratios("base / new", points.iter().map(|point| point[1])),
        layers: vec![
            Layer::new("no change", Colour::Muted, Marks::Rule(Along::Y, 1.0)),
            Layer::new("pair of samples", Colour::Series(0), Marks::Points(points)),
        ],
        height: 260,
    })
}
