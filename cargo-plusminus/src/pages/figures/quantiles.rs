//! How samples are distributed: a dot for each of a hundred quantiles, so that every mode is seen.

use plusminus::{
    record::{BlockRecord, ComparedCase, Measurement},
    results::Row,
    text::number::time,
};
use plusminus_analysis::summary;

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot},
    samples::typical_samples,
    short,
};

/// Dots of a plot; with fewer samples each of them is one.
const DOTS: usize = 100;

/// Columns of dots.
const COLUMNS: f64 = 60.0;

/// The quantile dots of a row; `None` for fewer than two samples.
pub(crate) fn quantiles(row: &Row<'_>) -> Option<Plot> {
    let (sorted, reference) = typical_samples(row)?;
    let each = match sorted.len() {
        count if count > DOTS => format!("Each dot is 1 % of {count} samples"),
        _ => "Each dot is one sample".to_owned(),
    };
    let heaps = match row.case.instances.len() {
        0 | 1 => {
            "Two heaps are two modes: the time of such a benchmark lies between them, where few samples are."
        }
        _ => "Heaps may be modes, or instances that take different times.",
    };
    distribution(
        format!("Distribution of the samples of {}", short(row.label)),
        format!(
            "{each}, at its quantile, divided by {reference}; the lowest and highest half percent are not drawn. {heaps}"
        ),
        ["sample / time", "the time"],
        &[("quantile", &sorted)],
    )
}

/// The quantile dots of both sides of a comparison, one above the other; `None` for fewer than two samples of either.
pub(crate) fn sides(case: &ComparedCase) -> Option<Plot> {
    let of = |side: fn(&BlockRecord) -> &Measurement| {
        let mut all: Vec<f64> =
            case.blocks.iter().flat_map(|block| side(block).call_ns()).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let sides = [of(|block| &block.base), of(|block| &block.new)];
    let reference = summary::quantile(&sides[0], 0.5).ok().filter(|median| *median > 0.0)?;
    let [base, new] = sides.map(|side| side.iter().map(|ns| ns / reference).collect::<Vec<f64>>());
    distribution(
        format!("Samples of both versions of {}", short(&case.name)),
        format!(
            "Each dot is one sample, or 2 % of more than {}, at its quantile, divided by {}. Base is above, new below. Two \
             heaps of one color are two modes, or two instances.",
            DOTS / 2,
            time(reference)
        ),
        ["sample / median of base", "median of base"],
        &[("base", &base), ("new", &new)],
    )
}

/// The quantile dots of sorted samples around 1, those of the first above; `None` with fewer than two of any.
fn distribution(
    title: String,
    caption: String,
    [x, one]: [&str; 2],
    all: &[(&str, &[f64])],
) -> Option<Plot> {
    if all.iter().any(|(_, sorted)| sorted.len() < 2) {
        return None;
    }
    let quantiles = all.iter().map(|(_, sorted)| -> Vec<f64> {
        let count = sorted.len().min(DOTS / all.len());
        (0..count).map(|k| sorted[(2 * k + 1) * sorted.len() / (2 * count)]).collect()
    });
    let quantiles: Vec<Vec<f64>> = quantiles.collect();
    let x = Axis::ratios(x, quantiles.concat());
    let (mut layers, mut below) = (Vec::new(), 0.0);
    for (index, (name, _)) in all.iter().enumerate().rev() {
        let (mut dots, tallest) = stacked(&quantiles[index], x.high.ln());
        dots.iter_mut().for_each(|dot| dot[1] += below);
        below += tallest + if index > 0 { 2.0 } else { 1.0 };
        layers.push(Layer::new(*name, Colour::Series(index), Marks::Points(dots)));
    }
    layers.push(Layer::new(one, Colour::Muted, Marks::Rule(Along::X, 1.0)));
    layers.reverse();
    let mut y = Axis::between("dots", 0.0, below);
    if all.len() > 1 {
        (y.title, y.ticks) = Default::default();
    }
    Some(Plot { title, caption, x, y, layers, height: 240 })
}

/// Values in rising order as dots above each other, in columns that are equally wide on the log scale from −reach to reach.
fn stacked(values: &[f64], reach: f64) -> (Vec<[f64; 2]>, f64) {
    let width = 2.0 * reach / COLUMNS;
    let column = |value: f64| (value.max(f64::MIN_POSITIVE).ln() / width).round();
    let mut dots: Vec<[f64; 2]> = Vec::with_capacity(values.len());
    let (mut last, mut height, mut tallest) = (f64::NAN, 0.0, 0.0_f64);
    for &value in values {
        height = if column(value) == last { height + 1.0 } else { 1.0 };
        last = column(value);
        tallest = tallest.max(height);
        dots.push([(last * width).exp(), height]);
    }
    (dots, tallest)
}

#[cfg(test)]
mod tests {
    use super::stacked;

    #[test]
    fn equal_values_stand_above_each_other() {
        let (dots, tallest) = stacked(&[0.9, 0.9, 0.9, 1.1, 1.1], 1.1_f64.ln());
        let heights: Vec<f64> = dots.iter().map(|dot| dot[1]).collect();
        assert_eq!((heights, tallest), (vec![1.0, 2.0, 3.0, 1.0, 2.0], 3.0));
        assert_eq!(dots[0][0], dots[2][0]);
    }
}
