//! How samples are distributed: a dot for each of a hundred quantiles, so that every mode is seen.

use plusminus::results::Row;

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
    Some(Plot {
        title: format!("Distribution of the samples of {}", short(row.label)),
        caption: format!(
            "{each}, at its quantile, divided by {reference}; the lowest and highest half percent are not drawn. Two heaps \
             are two modes: the time of such a benchmark lies between them, where few samples are."
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
