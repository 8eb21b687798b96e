//! Apex-MAP: the surface T(α, L), its lines, the residuals of each model, and Performance Complexity.

use plusminus::text::number::{significant, time};

use super::{
    super::plot::{Axis, Cell, Colour, Layer, Marks, Plot, Span},
    named_rows, short, span,
};
use crate::study::apex::{ApexRanking, ApexSweep};

/// The figures of one variant at one point.
pub(crate) fn sweep(sweep: &ApexSweep) -> Vec<Plot> {
    let name = format!("{}, {}", short(&sweep.variant), short(&sweep.point));
    let times = || sweep.configurations.iter().map(|c| c.access_ns);
    let (low, high) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    let range = (high / low).ln();
    let shade = |t: f64| (t, if range > 0.0 { (t / low).ln() / range } else { 0.5 });
    let caption = format!(
        "Time of one access by temporal locality α (below is more reuse) and block length L. The faintest cell is {}, the strongest \
         {}; shades are logarithmic. (Performance Complexity, figure 1.)",
        time(low),
        time(high)
    );
    let names = ["time of an access"].into_iter();
    let surface = map(sweep, format!("T(α, L): {name}"), caption, names, times().map(shade));
    let residuals = sweep.models.iter().map(|model| {
        let reach = model.residuals.iter().map(|r| r.abs()).fold(0.01, f64::max);
        let title = format!("Residuals of model {} ({}): {name}", model.model, model.name);
        let caption = format!(
            "ln(measured/predicted) of each configuration: the strongest colour is a factor of {:.2}. PC_a = {}. (Performance \
             Complexity, figures 4 and 8.)",
            reach.exp(),
            significant(model.pc.pc_a, 3)
        );
        let names = ["slower than predicted", "faster than predicted"].into_iter();
        map(sweep, title, caption, names, model.residuals.iter().map(|r| (*r, r / reach)))
    });
    let first = [surface, lines(sweep, &name)].into_iter();
    first.chain(residuals).chain(coefficients(sweep, &name)).collect()
}

/// A heat map over L and α of values with their shades, in the order of the configurations.
fn map(
    sweep: &ApexSweep,
    title: String,
    caption: String,
    names: impl Iterator<Item = &'static str>,
    values: impl Iterator<Item = (f64, f64)>,
) -> Plot {
    let sorted = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let alphas = sorted(sweep.configurations.iter().map(|c| c.alpha).collect());
    let lengths = sorted(sweep.configurations.iter().map(|c| c.block_words as f64).collect());
    let around = |list: &[f64], value: f64| {
        let at = list.partition_point(|other| *other < value) as f64;
        (at - 0.5, at + 0.5)
    };
    let cells = sweep.configurations.iter().zip(values).map(|(c, (value, shade))| Cell {
        x: around(&lengths, c.block_words as f64),
        y: around(&alphas, c.alpha),
        value,
        shade,
        text: "",
    });
    let mut cells: Vec<Cell> = cells.collect();
    let layers = names.enumerate().map(|(index, name)| {
        Layer::new(name, Colour::Series(index), Marks::Cells(std::mem::take(&mut cells)))
    });
    let layers = layers.collect();
    let labels =
        |list: &[f64], of: fn(f64) -> String| list.iter().map(|v| of(*v)).collect::<Vec<_>>();
    Plot {
        title,
        caption,
        x: Axis::named("L in words", &labels(&lengths, |length| length.to_string())),
        y: Axis::named("α", &labels(&alphas, |alpha| significant(alpha, 2))),
        layers,
        height: 320,
    }
}

fn lines(sweep: &ApexSweep, name: &str) -> Plot {
    let mut sorted: Vec<_> = sweep.configurations.iter().collect();
    sorted.sort_by(|a, b| a.alpha.total_cmp(&b.alpha).then(a.block_words.cmp(&b.block_words)));
    let mut layers = Vec::new();
    for (index, line) in sorted.chunk_by(|a, b| a.alpha == b.alpha).enumerate() {
        let points: Vec<[f64; 2]> =
            line.iter().map(|c| [c.block_words as f64, c.access_ns]).collect();
        let alpha = format!("α = {}", significant(line[0].alpha, 2));
        let (colour, dots) = (Colour::Series(index), Marks::Rings(points.clone()));
        layers.push(Layer::new(format!("{alpha}, measured"), colour, dots).unnamed());
        layers.push(Layer::new(alpha, colour, Marks::Line(points)));
    }
    Plot {
        title: format!("T(α, L) as lines: {name}"),
        caption: "Time of one access over the block length, a line for each α; both scales are logarithmic. Colors repeat: \
                  from top to bottom α falls."
            .to_owned(),
        x: Axis::log("L in words", sorted.iter().map(|c| c.block_words as f64)),
        y: Axis::log("time of an access in ns", sorted.iter().map(|c| c.access_ns)),
        layers,
        height: 360,
    }
}

/// The coefficients of every model, such as latency and gap.
fn coefficients(sweep: &ApexSweep, name: &str) -> Option<Plot> {
    let all = sweep.models.iter().flat_map(|model| {
        model.coefficients.iter().map(move |coefficient| {
            let value = time(coefficient.number.value);
            let name = format!("model {}, {}: {value}", model.model, short(&coefficient.name));
            (0, name, span(0.0, &coefficient.number))
        })
    });
    let all: Vec<(usize, String, Span)> = all.collect();
    let ends = || all.iter().flat_map(|(.., span)| Span { interval: None, ..*span }.ends());
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    (!all.is_empty()).then(|| {
        named_rows(
            format!("Fitted latencies and gaps: {name}"),
            "Coefficients of the models in nanoseconds, with their standard uncertainty. (Performance Complexity, figures 5 \
             and 9.)"
                .to_owned(),
            Axis::between("ns", 1.05 * low, 1.05 * high),
            Vec::new(),
            &[("coefficient ± u", Colour::Series(0))],
            all,
        )
    })
}

/// Variants by Performance Complexity under one model.
pub(crate) fn ranking(ranking: &ApexRanking) -> Plot {
    let rows = ranking.variants.iter().map(|one| {
        let name = format!("{}: {}", short(&one.variant), significant(one.pc_a.value, 3));
        (0, name, Span { interval: None, ..span(0.0, &one.pc_a) })
    });
    let rows: Vec<(usize, String, Span)> = rows.collect();
    named_rows(
        format!("Performance Complexity, model {}: {}", ranking.model, short(&ranking.point)),
        "PC_a of each variant; a bar is ± σ over resampled configurations. Lower is more transparent. (Performance Complexity, \
         figures 2, 3, 6 and 7.)"
            .to_owned(),
        Axis::from_zero("PC_a", rows.iter().flat_map(|(.., span)| span.ends())),
        Vec::new(),
        &[("PC_a ± σ", Colour::Series(0))],
        rows,
    )
}
