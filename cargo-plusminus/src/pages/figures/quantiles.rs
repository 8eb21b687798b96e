//! How samples are distributed: a dot for each of a hundred quantiles, so that every mode is seen.

use plusminus::{
    record::{ComparedCase, Measurement},
    results::Row,
    text::number::time,
};
use plusminus_analysis::summary;

use super::{
    super::plot::{Along, Axis, Colour, Layer, Marks, Plot},
    short, typical_samples,
};

/// Dots of a plot; with fewer samples each of them is one.
const DOTS: usize = 100;

/// Columns of dots.
const COLUMNS: f64 = 60.0;

/// The quantile dots of a row; `None` for fewer than two samples.
pub(crate) fn quantiles(row: &Row<'_>) -> Option<Plot> {
    let (sorted, reference) = typical_samples(row)?;
    if sorted.len() < 2 {
        return None;
    }
    let count = sorted.len().min(DOTS);
    let quantile = |k: usize| sorted[(2 * k + 1) * sorted.len() / (2 * count)];
    let values: Vec<f64> = (0..count).map(quantile).collect();
    let x = Axis::ratios("sample / time", values.iter().copied());
    let (dots, tallest) = stacked(&values, x.high.ln());
    let each = if sorted.len() > DOTS {
        format!("Each dot is 1 % of {} samples", sorted.len())
    } else {
        "Each dot is one sample".to_owned()
    };
    let heaps = match row.case.instances.len() {
        0 | 1 => {
            "Two heaps are two modes: the time of such a benchmark lies between them, where few samples are."
        }
        _ => "Heaps may be modes, or instances that take different times.",
    };
    Some(Plot {
        title: format!("Distribution of the samples of {}", short(row.label)),
        caption: format!(
            "{each}, at its quantile, divided by {reference}; the lowest and highest half percent are not drawn. {heaps}"
        ),
        x,
        y: Axis::between("dots", 0.0, tallest + 1.0),
        layers: vec![
            Layer::new("the time", Colour::Muted, Marks::Rule(Along::X, 1.0)),
            Layer::new("quantile", Colour::Series(0), Marks::Points(dots)),
        ],
        height: 220,
    })
}

/// The quantile dots of both sides of a comparison, one above the other; `None` for fewer than two samples of either.
pub(crate) fn sides(case: &ComparedCase) -> Option<Plot> {
    let of = |side: fn(&plusminus::record::BlockRecord) -> &Measurement| {
        let mut all: Vec<f64> =
            case.blocks.iter().flat_map(|block| side(block).call_ns()).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let (base, new) = (of(|block| &block.base), of(|block| &block.new));
    if base.len().min(new.len()) < 2 {
        return None;
    }
    let reference = summary::quantile(&base, 0.5).ok().filter(|median| *median > 0.0)?;
    let values = |sorted: &[f64]| -> Vec<f64> {
        let count = sorted.len().min(DOTS / 2);
        (0..count).map(|k| sorted[(2 * k + 1) * sorted.len() / (2 * count)] / reference).collect()
    };
    let (base, new) = (values(&base), values(&new));
    let x = Axis::ratios("sample / median of base", base.iter().chain(&new).copied());
    let (mut base, below) = stacked(&base, x.high.ln());
    let (new, above) = stacked(&new, x.high.ln());
    base.iter_mut().for_each(|dot| dot[1] += above + 2.0);
    let mut y = Axis::between("", 0.0, above + below + 3.0);
    y.ticks.clear();
    Some(Plot {
        title: format!("Samples of both versions of {}", short(&case.name)),
        caption: format!(
            "Each dot is one sample, or 2 % of more than {}, at its quantile, divided by {}. Base is above, new below. \
             Two heaps of one color are two modes, or two instances.",
            DOTS / 2,
            time(reference)
        ),
        x,
        y,
        layers: vec![
            Layer::new("median of base", Colour::Muted, Marks::Rule(Along::X, 1.0)),
            Layer::new("base", Colour::Series(0), Marks::Points(base)),
            Layer::new("new", Colour::Series(1), Marks::Points(new)),
        ],
        height: 260,
    })
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
