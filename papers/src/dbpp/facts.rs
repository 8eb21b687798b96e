//! Facts about the finite difference example.

use plusminus::{record::Record, results};
use plusminus_analysis::models::message_line;

use super::example::{Measured, Messages, PerPoint, Source, off, predicted, side};
use crate::fact::{Facts, Labels};
use cargo_plusminus::study::document::ScalingRow;

/// Bytes of a number of the grid.
const NUMBER: f64 = 8.0;

fn labels(row: &ScalingRow) -> Labels {
    vec![("N", side(row).to_string())]
}

/// t_s and t_w by the document's own procedure: the line through times of messages of several lengths, from the round
/// trips of the micro-kernels.
pub(super) fn by_round_trips(records: &[Record]) -> Option<Messages> {
    let tables: Vec<_> = records.iter().flat_map(results::tables).collect();
    let rows = tables.iter().flat_map(|table| &table.rows);
    let polling = rows.filter(|row| row.case.function.ends_with("round_trip::polling"));
    polling.into_iter().find_map(|row| {
        let (mut lengths, mut times) = (Vec::new(), Vec::new());
        for (number, instance) in row.case.instances.iter().enumerate() {
            let work =
                |unit: &str| instance.work.iter().find(|(own, _)| own == unit).map(|one| one.1);
            let trips = work("round trips")?;
            lengths.push(work("bytes")? / trips);
            times.push(row.instance_time(number)?.estimate.value / trips);
        }
        let (start_ns, byte_ns) = message_line(&lengths, &times).ok()?;
        let over_line = lengths
            .iter()
            .zip(&times)
            .map(|(bytes, time)| (bytes / NUMBER, time / (start_ns + byte_ns * bytes)));
        let over_line = over_line.collect();
        let number_ns = NUMBER * byte_ns;
        Some(Messages { start_ns, number_ns, source: Source::RoundTrips, over_line })
    })
}

/// All facts of the records.
pub(super) fn facts(
    measured: &Measured<'_>,
    fits: Option<(PerPoint, PerPoint)>,
    by_trips: Option<&Messages>,
) -> Facts {
    let mut facts = Facts::default();
    for row in &measured.sequential {
        let means = &row.run_means_ns;
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        if means.len() > 1 {
            let spread = (squares / (means.len() - 1) as f64).sqrt();
            facts.add("spread/mean of repeated times", &labels(row), spread / mean);
            let mut sorted = means.clone();
            sorted.sort_by(f64::total_cmp);
            let slowest = sorted[sorted.len() - 1] / sorted[sorted.len() / 2];
            facts.add("slowest run over the median", &labels(row), slowest);
        }
    }
    if let Some((simple, scaled)) = fits {
        facts.add("scaled t_c over simple t_c", &Labels::new(), scaled.value / simple.value);
        for row in &measured.sequential {
            let miss = off(row, scaled);
            facts.add("time over the scaled fit", &labels(row), 1.0 / (1.0 + miss));
        }
        let ends = [
            ("smallest N", measured.sequential.first()),
            ("largest N", measured.sequential.last()),
        ];
        for (end, row) in ends.iter().filter_map(|(end, row)| Some((*end, (*row)?))) {
            let less = off(row, simple).abs() - off(row, scaled).abs();
            let u = row.time_ns.u.map(|u| u / row.time_ns.value);
            let own = vec![("end", end.to_owned()), ("N", side(row).to_string())];
            facts.uncertain("error of the simple fit less that of the scaled", &own, less, u);
        }
    }
    if let Some(messages) = by_trips {
        let Messages { start_ns, number_ns, over_line, .. } = messages;
        for (numbers, ratio) in over_line {
            let own = vec![("numbers", numbers.to_string())];
            facts.add("time of a round trip over the line", &own, *ratio);
        }
        facts.add("t_s of a round trip", &Labels::new(), *start_ns);
        facts.add("t_w of a number", &Labels::new(), *number_ns);
        let Some((_, scaled)) = fits else { return facts };
        for row in measured.strips.iter().filter(|row| row.p > 1) {
            let own = vec![("N", side(row).to_string()), ("P", row.p.to_string())];
            let prediction = predicted(side(row), row.p, scaled, messages);
            let time = row.time_ns.value;
            facts.add("time of strips over the prediction", &own, time / prediction);
            facts.add("time of strips beyond the prediction", &own, time - prediction);
        }
    }
    facts
}
