//! The results of the example and the claims of the document, in words from the numbers.

use plusminus::text::number::{significant, time, time_with_uncertainty};

use super::super::beside::signed_percent;
use super::example::{Measured, Messages, PerPoint, length, off, ratios, side};
use cargo_plusminus::study::document::ScalingRow;

/// The document's times of a grid point, in milliseconds: simple and scaled.
pub(super) const PAPER_MS: [f64; 2] = [0.0120, 0.0112];

pub(super) fn printed(which: usize) -> String {
    format!("{:.4} ms", PAPER_MS[which])
}

pub(super) fn said_of(found: PerPoint) -> String {
    time_with_uncertainty(found.value, Some(found.u))
}

/// A time that a line may put below 0.
pub(super) fn signed(ns: f64) -> String {
    if ns < 0.0 { format!("−{}", time(-ns)) } else { time(ns) }
}

/// The spread of run means of each size, as shares: standard deviation over mean.
pub(super) fn spreads(rows: &[&ScalingRow]) -> Vec<(f64, f64)> {
    let spread = |row: &&ScalingRow| {
        let means = &row.run_means_ns;
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        (means.len() > 1).then(|| (side(row), (squares / (means.len() - 1) as f64).sqrt() / mean))
    };
    rows.iter().filter_map(spread).collect()
}

pub(super) fn variation(rows: &[&ScalingRow]) -> Option<String> {
    let all = spreads(rows);
    let each: Vec<String> =
        all.iter().map(|(side, cv)| format!("{:.2} % at N = {side}", 100.0 * cv)).collect();
    (!each.is_empty()).then(|| each.join(", "))
}

pub(super) fn why_variation(rows: &[&ScalingRow]) -> String {
    let all = spreads(rows);
    let much = all.iter().filter(|(_, cv)| *cv > 0.03).count();
    match (all.len(), much) {
        (0, _) => "There are not several runs.".to_owned(),
        (of, 0) => {
            format!("None of {of} sizes varies by more than the 3 % that the document calls a lot.")
        }
        (of, much) => {
            format!("{much} of {of} sizes vary by more than the 3 % that the document calls a lot.")
        }
    }
}

pub(super) fn why_coefficient(found: Option<PerPoint>, which: usize) -> String {
    found.map_or("There are no times of `whole_grid` on one processor.".to_owned(), |found| {
        format!(
            "The document's is {} times this one. The machines are others; of the coefficients, their ratio compares.",
            significant(PAPER_MS[which] * 1e6 / found.value, 2)
        )
    })
}

/// Nanoseconds of a point at each size.
pub(super) fn of_points<'a>(rows: &'a [&ScalingRow]) -> impl Iterator<Item = (f64, f64)> + 'a {
    rows.iter().filter_map(|row| Some((side(row), row.time_ns.value / row.n?)))
}

pub(super) fn why_ratio(rows: &[&ScalingRow]) -> String {
    let ends = of_points(rows).next().zip(of_points(rows).last());
    let Some(((small, first), (large, last))) = ends.filter(|(a, b)| a.0 < b.0) else {
        return "One size: both fits are the same.".to_owned();
    };
    format!(
        "The simple fit follows the largest N, the scaled one all of them: a point takes {} at N = {small} and {} at N = {large} ({}).",
        time(first),
        time(last),
        signed_percent(last / first - 1.0)
    )
}

/// The fit that is nearer to a time; neither where they are as near as the time is known.
fn better(row: &ScalingRow, simple: PerPoint, scaled: PerPoint) -> &'static str {
    let nearer = off(row, scaled).abs() - off(row, simple).abs();
    if nearer.abs() <= row.time_ns.u.unwrap_or(0.0) / row.time_ns.value {
        "neither"
    } else if nearer > 0.0 {
        "simple"
    } else {
        "scaled"
    }
}

pub(super) fn nearer(
    rows: &[&ScalingRow],
    simple: Option<PerPoint>,
    scaled: Option<PerPoint>,
) -> Option<String> {
    let (simple, scaled) = simple.zip(scaled)?;
    let (first, last) = rows.first().zip(rows.last())?;
    Some(format!(
        "{} at N = {}, {} at N = {}",
        better(first, simple, scaled),
        side(first),
        better(last, simple, scaled),
        side(last)
    ))
}

pub(super) fn why_nearer(
    rows: &[&ScalingRow],
    simple: Option<PerPoint>,
    scaled: Option<PerPoint>,
) -> String {
    let (Some((simple, scaled)), Some((first, last))) =
        (simple.zip(scaled), rows.first().zip(rows.last()))
    else {
        return "There is nothing to fit.".to_owned();
    };
    let same =
        better(first, simple, scaled) == "scaled" && better(last, simple, scaled) == "simple";
    let parts = [(first, "smallest"), (last, "largest")].map(|(row, which)| {
        format!(
            "at the {which} N simple is off by {}, scaled by {}",
            signed_percent(off(row, simple)),
            signed_percent(off(row, scaled))
        )
    });
    let neither = [first, last].iter().any(|row| better(row, simple, scaled) == "neither");
    let begin = match (same, neither) {
        (true, _) => "As the document says",
        (_, true) => "Within the uncertainty of the times both fits are as near",
        _ => "Not as the document says",
    };
    format!("{begin}: {}; {}.", parts[0], parts[1])
}

pub(super) fn why_messages(measured: &Measured<'_>, found: Option<&Messages>) -> String {
    let Some(found) = found else {
        return "A line needs strips at two sizes on several processors, and the whole grid at the same sizes.".to_owned();
    };
    let shortest = measured.sequential.first().map_or(f64::NAN, |row| length(side(row)));
    if found.number_ns <= 0.0 {
        return "t_w is not above 0: what strips take beyond their share of the sequential time does not grow with N."
            .to_owned();
    }
    if found.start_ns <= 0.0 {
        return "t_s is not above 0: what strips take beyond their share of the sequential time grows faster than N.".to_owned();
    }
    format!(
        "Starting a message takes as long as {} numbers; the shortest message has {shortest}.",
        significant(found.start_ns / found.number_ns, 2)
    )
}

pub(super) fn over_processors(
    measured: &Measured<'_>,
    scaled: Option<PerPoint>,
    messages: Option<&Messages>,
) -> Option<String> {
    let all = ratios(measured, scaled?, messages?);
    let squares: f64 = all.iter().map(|(ratio, ..)| ratio.ln().powi(2)).sum();
    (!all.is_empty()).then(|| {
        format!(
            "{} points, off by a factor of {} in the root mean square",
            all.len(),
            significant((squares / all.len() as f64).sqrt().exp(), 3)
        )
    })
}

pub(super) fn why_over_processors(
    measured: &Measured<'_>,
    scaled: Option<PerPoint>,
    messages: Option<&Messages>,
) -> String {
    let worst = scaled.zip(messages).and_then(|(scaled, messages)| {
        let all = ratios(measured, scaled, messages);
        all.into_iter().max_by(|a, b| a.0.ln().abs().total_cmp(&b.0.ln().abs()))
    });
    let neighbours = "The book's grid is a ring, so that every strip has two neighbors; here the strips at the edges have one.";
    worst.map_or(neighbours.to_owned(), |(ratio, side, p)| {
        format!("{neighbours} Farthest off at N = {side}, P = {p}: measured is {} times the model, which has one t_c for all N.", significant(ratio, 3))
    })
}
