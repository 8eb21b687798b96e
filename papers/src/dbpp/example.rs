//! The finite difference example as it was measured, and the two models of it: computation of a point, and messages.

use plusminus_analysis::models::{Model, Observation, message_line};

use cargo_plusminus::study::document::{Document, ScalingRow};

/// Z, as in the document.
pub(super) const LEVELS: f64 = 10.0;

/// The measurements of the example.
pub(super) struct Measured<'a> {
    /// The whole grid on one processor, from small to large.
    pub(super) sequential: Vec<&'a ScalingRow>,
    /// Strips, by size and processors.
    pub(super) strips: Vec<&'a ScalingRow>,
}

/// N of a row, whose n is N²·Z.
pub(super) fn side(row: &ScalingRow) -> f64 {
    (row.n.unwrap_or(f64::NAN) / LEVELS).sqrt()
}

pub(super) fn measured(document: &Document) -> Measured<'_> {
    let of = |name: &str| -> Vec<&ScalingRow> {
        let series = document.problems.iter().flat_map(|problem| &problem.series);
        let own = series.filter(|series| series.variant.rsplit("::").next() == Some(name));
        let mut rows: Vec<&ScalingRow> =
            own.flat_map(|series| &series.scaling.rows).filter(|row| row.n.is_some()).collect();
        rows.sort_by(|a, b| {
            (a.p, a.n).partial_cmp(&(b.p, b.n)).unwrap_or(std::cmp::Ordering::Equal)
        });
        rows
    };
    let mut sequential = of("whole_grid");
    sequential.retain(|row| row.p == 1);
    Measured { sequential, strips: of("strips") }
}

/// A coefficient of T = t_c·N²·Z with how far the uncertainties of the times move it, in nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct PerPoint {
    pub(super) value: f64,
    pub(super) u: f64,
}

pub(super) type Criterion =
    fn(Model, &[Observation]) -> plusminus_analysis::Result<plusminus_analysis::models::ForeignFit>;

pub(super) fn per_point(rows: &[&ScalingRow], by: Criterion) -> Option<PerPoint> {
    let times: Vec<(f64, f64, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.n?, row.time_ns.value, row.time_ns.u.unwrap_or(0.0))))
        .collect();
    let fitted = |moved: Option<usize>| {
        let observed = times.iter().enumerate().map(|(index, (n, time, u))| {
            Observation::of_size(*n, time + if moved == Some(index) { *u } else { 0.0 })
        });
        let observed: Vec<Observation> = observed.collect();
        by(Model::Linear, &observed).ok()?.coefficients.first().copied()
    };
    let value = fitted(None).filter(|value| *value > 0.0)?;
    let squares = (0..times.len()).filter_map(|index| Some((fitted(Some(index))? - value).powi(2)));
    Some(PerPoint { value, u: squares.sum::<f64>().sqrt() })
}

/// The times that t_s and t_w were fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Round trips between two threads, before strips are looked at.
    RoundTrips,
    /// The times of strips beyond their share: messages, but also starts of threads, imbalance and caches.
    Strips,
}

/// The book's model: computation, and messages of 2·N·Z numbers to each neighbor.
pub(super) struct Messages {
    pub(super) start_ns: f64,
    pub(super) number_ns: f64,
    pub(super) source: Source,
    /// Numbers of messages that were timed, and their times over the line.
    pub(super) over_line: Vec<(f64, f64)>,
}

/// Neighbors of a strip that has most: the example's grid ends at its edges.
pub(super) fn neighbours(p: usize) -> f64 {
    p.saturating_sub(1).min(2) as f64
}

pub(super) fn length(side: f64) -> f64 {
    2.0 * side * LEVELS
}

/// Returns the remaining times of strips without the share of the sequential time, for each message.
pub(super) fn messages(measured: &Measured<'_>) -> Option<Messages> {
    let rest = measured.strips.iter().filter(|row| row.p > 1).filter_map(|row| {
        let whole = measured.sequential.iter().find(|one| one.n == row.n)?;
        let left = row.time_ns.value - whole.time_ns.value / row.p as f64;
        Some((length(side(row)), left / neighbours(row.p)))
    });
    let (lengths, times): (Vec<f64>, Vec<f64>) = rest.unzip();
    let (start_ns, number_ns) = message_line(&lengths, &times).ok()?;
    Some(Messages { start_ns, number_ns, source: Source::Strips, over_line: Vec::new() })
}

/// Returns the model's prediction for N and P.
pub(super) fn predicted(side: f64, p: usize, scaled: PerPoint, messages: &Messages) -> f64 {
    let each = messages.start_ns + messages.number_ns * length(side);
    scaled.value * side * side * LEVELS / p as f64 + neighbours(p) * each
}

/// How far a fit is off at a size: predicted over measured, less 1.
pub(super) fn off(row: &ScalingRow, fit: PerPoint) -> f64 {
    fit.value * row.n.unwrap_or(f64::NAN) / row.time_ns.value - 1.0
}
