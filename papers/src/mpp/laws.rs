//! Amdahl's law, Gustafson's law and the Universal Scalability Law, fitted to what was measured, with bands that say how far
//! the uncertainty of the times moves them.

use plusminus::text::{
    number::{significant, with_uncertainty},
    visible,
};
use plusminus_analysis::models::{self, Fit, FitOptions, Model, Observation};

use cargo_plusminus::{
    pages::{
        plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
        plots::span,
    },
    study::document::ScalingRow,
};

/// How many times the most measured processors a law is drawn to: beyond that it is meaningless.
const BEYOND: f64 = 2.0;

/// Points of a curve.
const STEPS: usize = 41;

/// A variant at one size, over p.
pub(super) struct Line<'a> {
    pub(super) name: String,
    pub(super) rows: Vec<&'a ScalingRow>,
}

/// A time on p processors, with its uncertainty.
#[derive(Debug, Clone, Copy)]
struct Timed {
    p: f64,
    time: f64,
    u: f64,
}

/// A law with what was found.
pub(super) struct Law {
    pub(super) model: Model,
    /// Its parameters, in words.
    pub(super) said: String,
    /// The parameter that distinguishes laws of the same kind: the serial share, or the contention.
    pub(super) share: f64,
    /// Measured speedups over those of the law, by p: none where p alone determines it.
    pub(super) ratios: Vec<(f64, f64)>,
    curve: Vec<[f64; 3]>,
}

/// Returns the speedup over one processor by a law on p: of the same problem, or of one that grows with p.
fn speedup(fit: &Fit, p: f64) -> Option<f64> {
    let (one, many) = (fit.predict(1.0, 1.0).ok()?, fit.predict(1.0, p).ok()?);
    let grown = if fit.model == Model::Gustafson { p } else { 1.0 };
    Some(grown * one / many)
}

fn fitted(model: Model, times: &[Timed]) -> Result<Fit, String> {
    let observed: Vec<Observation> =
        times.iter().map(|timed| Observation::of_processors(timed.p, timed.time)).collect();
    models::fit(model, &observed, &FitOptions::default()).map_err(|error| error.to_string())
}

/// A law on these times: its curve, and for each place how far it moves when each time moves by its standard uncertainty.
fn law(model: Model, times: &[Timed]) -> Result<Law, String> {
    let fit = fitted(model, times)?;
    let moved: Vec<Fit> = (0..times.len())
        .filter_map(|index| {
            let mut other = times.to_vec();
            other[index].time += other[index].u;
            fitted(model, &other).ok()
        })
        .collect();
    let last = times.iter().map(|timed| timed.p).fold(1.0, f64::max) * BEYOND;
    let curve = (0..STEPS).filter_map(|step| {
        let p = 1.0 + (last - 1.0) * step as f64 / (STEPS - 1) as f64;
        let s = speedup(&fit, p)?;
        let squares = moved.iter().filter_map(|other| Some((speedup(other, p)? - s).powi(2)));
        let band = squares.sum::<f64>().sqrt();
        Some([p, s, band])
    });
    let one = times.iter().find(|timed| timed.p == 1.0);
    let ratios = times.iter().filter(|timed| timed.p > 1.0).filter_map(|timed| {
        let grown = if model == Model::Gustafson { timed.p } else { 1.0 };
        Some((timed.p, grown * one?.time / timed.time / speedup(&fit, timed.p)?))
    });
    let (said, share) = said(&fit);
    Ok(Law { model, said, share, ratios: ratios.collect(), curve: curve.collect() })
}

/// The parameters of a law as its document names them, and the one that comes first.
fn said(fit: &Fit) -> (String, f64) {
    use plusminus_analysis::models::SerialFraction;
    if let Some(usl) = fit.usl() {
        let number =
            |estimate: plusminus_analysis::Estimate| with_uncertainty(estimate.value, estimate.u);
        let peak = usl.peak.map_or(String::new(), |peak| format!(", most at p = {}", number(peak)));
        let said = format!(
            "contention {}, coherency {}{peak}",
            number(usl.contention),
            number(usl.coherency)
        );
        return (said, usl.contention.value);
    }
    match fit.serial_fraction() {
        Some(SerialFraction::OfSequentialTime(share)) => {
            let limit = if share.value > 0.0 {
                format!("at most {}", significant(1.0 / share.value, 3))
            } else {
                "no limit".to_owned()
            };
            (format!("ω_s = {}, S {limit}", with_uncertainty(share.value, share.u)), share.value)
        }
        Some(SerialFraction::OfParallelTime(share)) => {
            let said = with_uncertainty(share.value, share.u);
            (format!("serial share of the parallel time {said}"), share.value)
        }
        None => (fit.model.formula().to_owned(), f64::NAN),
    }
}

/// The laws of a line, and why others could not be fitted.
pub(super) struct Found {
    pub(super) laws: Vec<Law>,
    pub(super) refused: Vec<Refused>,
}

/// A law that is not given for a line.
#[derive(Debug)]
pub(super) struct Refused {
    /// The law and how it was to be found.
    pub(super) what: String,
    /// The line, and a number that belongs to it alone.
    pub(super) line: String,
    pub(super) reason: String,
}

/// A law that is given for none of some lines, for the same reason.
pub(super) struct Group {
    said: String,
    lines: Vec<String>,
}

impl Group {
    /// The sentence with the names of all lines.
    pub(super) fn whole(&self) -> String {
        format!("{}: {}", self.said, self.lines.join("; "))
    }

    /// The sentence for a cell of a table: many lines are counted.
    pub(super) fn counted(&self) -> String {
        match &self.lines[..] {
            [_] | [_, _] => self.whole(),
            more => format!("{}: {} lines", self.said, more.len()),
        }
    }
}

/// Refusals, those of the same law and reason together.
pub(super) fn refusals(all: &[Refused]) -> Vec<Group> {
    let mut groups: Vec<(&Refused, Vec<&str>)> = Vec::new();
    for one in all {
        let same = |group: &&mut (&Refused, Vec<&str>)| {
            group.0.what == one.what && group.0.reason == one.reason
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.1.push(&one.line),
            None => groups.push((one, vec![&one.line])),
        }
    }
    let group = |(one, lines): &(&Refused, Vec<&str>)| Group {
        said: format!("{}, {}", one.what, one.reason),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    groups.iter().map(group).collect()
}

fn found(tried: &[Model], times: &[Timed], name: &str) -> Found {
    let (mut laws, mut refused) = (Vec::new(), Vec::new());
    for model in tried {
        match law(*model, times) {
            Ok(law) => laws.push(law),
            Err(reason) => {
                let what = format!("{} is not fitted", model.name());
                refused.push(Refused { what, line: visible(name), reason });
            }
        }
    }
    Found { laws, refused }
}

/// Amdahl's law and the Universal Scalability Law on a line of strong scaling, with their figure.
pub(super) fn strong(line: &Line<'_>, title: &str) -> (Found, Option<Plot>) {
    let times: Vec<Timed> = line.rows.iter().map(|row| timed(row)).collect();
    let mut found = found(&[Model::Amdahl, Model::Usl], &times, &line.name);
    let last = line.rows.last().filter(|row| row.p > 1);
    let share = last.and_then(|row| {
        // Karp and Flatt: (1/S − 1/p)/(1 − 1/p).
        let (s, p) = (row.speedup_relative.as_ref()?, row.p as f64);
        let rest = 1.0 - 1.0 / p;
        let u = s.u.unwrap_or(0.0) / (s.value * s.value) / rest;
        Some(((1.0 / s.value - 1.0 / p) / rest, u))
    });
    or_solved(&mut found, line, Model::Amdahl, last.map_or(1.0, |row| row.p as f64), share);
    // One processor is what the others are compared with.
    let one = Span { at: 1.0, value: 1.0, sigma: None, interval: None };
    let measured = line.rows.iter().filter_map(|row| match row.p {
        1 => Some(one),
        p => Some(span(p as f64, row.speedup_relative.as_ref()?)),
    });
    let measured: Vec<Span> = measured.collect();
    let caption = "Relative speedup with σ (thick) and 95 % interval (thin), and laws that were fitted to the times.";
    let plot = figure(&found, measured, format!("{title}: {}", line.name), caption);
    (found, plot)
}

/// A law whose share p processors determine by themselves, where there are too few of them for a fit; the band is how far the
/// standard uncertainty of the share moves it.
/// A share that is none is the error.
fn solved(model: Model, last: f64, (share, u): (f64, f64)) -> Result<Law, String> {
    if !(0.0..=1.0).contains(&share) {
        return Err(significant(share, 3));
    }
    let speedup = |share: f64, p: f64| match model {
        Model::Gustafson => p - (p - 1.0) * share,
        _ => 1.0 / (share + (1.0 - share) / p),
    };
    let curve = (0..STEPS).map(|step| {
        let p = 1.0 + (last * BEYOND - 1.0) * step as f64 / (STEPS - 1) as f64;
        let s = speedup(share, p);
        [p, s, (speedup((share + u).min(1.0), p) - s).abs()]
    });
    let name = if model == Model::Gustafson { "serial share of the parallel time" } else { "ω_s" };
    let said = format!("{name} = {}, by p = {last} alone", with_uncertainty(share, Some(u)));
    Ok(Law { model, said, share, ratios: Vec::new(), curve: curve.collect() })
}

/// Replaces a rejected fit by the values that the most processors determine.
fn or_solved(
    found: &mut Found,
    line: &Line<'_>,
    model: Model,
    last: f64,
    share: Option<(f64, f64)>,
) {
    if found.laws.iter().any(|law| law.model == model) {
        return;
    }
    match share.map(|share| solved(model, last, share)) {
        Some(Ok(law)) => found.laws.insert(0, law),
        Some(Err(share)) => found.refused.push(Refused {
            what: format!("{} has no share by p = {last} alone", model.name()),
            line: format!("{} ({share})", visible(&line.name)),
            reason: "as it would not lie between 0 and 1".to_owned(),
        }),
        None => {}
    }
}

/// Gustafson's law on points whose work grows with p, with its figure.
pub(super) fn weak(line: &Line<'_>, title: &str) -> (Found, Option<Plot>) {
    let times: Vec<Timed> = line.rows.iter().map(|row| timed(row)).collect();
    let mut found = found(&[Model::Gustafson], &times, &line.name);
    let one = times.iter().find(|timed| timed.p == 1.0).copied();
    let measured = times.iter().filter_map(|timed| {
        let one = one?;
        let value = timed.p * one.time / timed.time;
        let relative = (one.u / one.time).hypot(timed.u / timed.time);
        // One processor is what the others are compared with.
        let ends = (value * (1.0 - relative), value * (1.0 + relative));
        let sigma = (timed.p > 1.0).then_some(ends);
        Some(Span { at: timed.p, value, sigma, interval: None })
    });
    let measured: Vec<Span> = measured.collect();
    if let Some(last) = measured.last().filter(|span| span.at > 1.0) {
        let u = last.sigma.map_or(0.0, |(low, high)| (high - low) / 2.0);
        let share = ((last.at - last.value) / (last.at - 1.0), u / (last.at - 1.0));
        or_solved(&mut found, line, Model::Gustafson, last.at, Some(share));
    }
    let caption =
        "Scaled speedup p·T(n, 1)/T(n·p, p) with σ, and Gustafson's law, fitted to the times.";
    let plot = figure(&found, measured, format!("{title}: {}", line.name), caption);
    (found, plot)
}

fn timed(row: &ScalingRow) -> Timed {
    Timed { p: row.p as f64, time: row.time_ns.value, u: row.time_ns.u.unwrap_or(0.0) }
}

fn figure(found: &Found, measured: Vec<Span>, title: String, caption: &str) -> Option<Plot> {
    let last = measured.iter().map(|span| span.at).fold(1.0, f64::max);
    if found.laws.is_empty() || measured.len() < 2 {
        return None;
    }
    let high = last * BEYOND;
    let mut heights = vec![last];
    let ideal = vec![[1.0, 1.0], [last, last]];
    let mut layers = vec![Layer::new("S = p", Colour::Muted, Marks::Line(ideal))];
    for (index, law) in found.laws.iter().enumerate() {
        let colour = Colour::Series(index + 1);
        let band = law.curve.iter().map(|[p, s, u]| [*p, (s - u).max(0.0), s + u]);
        let curve = law.curve.iter().map(|[p, s, _]| [*p, *s]);
        heights.extend(law.curve.iter().map(|[_, s, u]| s + u));
        let name = law.model.name();
        layers.push(
            Layer::new(format!("{name}, band"), colour, Marks::Band(band.collect())).unnamed(),
        );
        layers.push(Layer::new(name, colour, Marks::Line(curve.collect())));
    }
    heights.extend(measured.iter().flat_map(Span::ends));
    layers.push(Layer::new("measured", Colour::Series(0), Marks::Spans(Along::Y, measured)));
    Some(Plot {
        title,
        caption: format!(
            "{caption} A band is how far the standard uncertainty of the times moves a law; that the law is the right one is \
             not in it. Right of p = {last} nothing was measured."
        ),
        x: Axis::between("processors p", 0.5, high + 0.5),
        y: Axis::from_zero("speedup S", heights),
        layers,
        height: 320,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(of: impl Fn(f64) -> f64, relative: f64) -> Vec<Timed> {
        let at = |p: f64| Timed { p, time: of(p), u: relative * of(p) };
        [1.0, 2.0, 4.0, 8.0].map(at).to_vec()
    }

    /// The document's program: 90 % of 100 seconds is parallel.
    #[test]
    fn amdahls_law_of_the_document_is_found() {
        let law = law(Model::Amdahl, &times(|p| 10.0 + 90.0 / p, 0.0)).unwrap();
        let at = |wanted: f64| law.curve.iter().find(|[p, ..]| (p - wanted).abs() < 0.2).unwrap();
        assert!((at(5.0)[1] - 3.57).abs() < 0.1 && (at(10.0)[1] - 5.26).abs() < 0.1);
        assert!(law.said.contains("ω_s = 0.1") && law.said.contains("at most 10"), "{}", law.said);
        assert!(law.curve.iter().all(|[.., band]| *band == 0.0), "exact times have no band");
    }

    #[test]
    fn a_band_grows_with_the_uncertainty_and_away_from_one_processor() {
        let of = |relative: f64| law(Model::Amdahl, &times(|p| 10.0 + 90.0 / p, relative)).unwrap();
        let (small, large) = (of(0.001), of(0.01));
        let last = |law: &Law| law.curve.last().unwrap()[2];
        assert!(last(&small) > 0.0 && last(&large) > 8.0 * last(&small));
        assert!(large.curve[0][2] < last(&large));
    }

    #[test]
    fn what_cannot_be_fitted_is_named_with_its_reason() {
        let two = [Timed { p: 1.0, time: 10.0, u: 0.1 }, Timed { p: 2.0, time: 6.0, u: 0.1 }];
        let found = found(&[Model::Amdahl, Model::Usl], &two, "tree");
        assert_eq!((found.laws.len(), found.refused.len()), (0, 2), "{:?}", found.refused);
        assert_eq!(
            (&*found.refused[1].what, &*found.refused[1].line),
            ("usl is not fitted", "tree")
        );
    }

    #[test]
    fn lines_that_are_refused_for_the_same_reason_are_one_sentence() {
        let refused = |line: &str, reason: &str| Refused {
            what: "usl is not fitted".to_owned(),
            line: line.to_owned(),
            reason: reason.to_owned(),
        };
        let all = [refused("a", "too few"), refused("b", "no fit"), refused("c", "too few")];
        assert_eq!(
            refusals(&all).iter().map(Group::whole).collect::<Vec<_>>(),
            ["usl is not fitted, too few: a; c", "usl is not fitted, no fit: b"]
        );
    }

    #[test]
    fn two_processors_determine_a_share_by_themselves() {
        let mut found = Found { laws: Vec::new(), refused: Vec::new() };
        let line = Line { name: "tree".to_owned(), rows: Vec::new() };
        or_solved(&mut found, &line, Model::Amdahl, 2.0, Some((0.1, 0.01)));
        let [.., [p, s, band]] = found.laws[0].curve[..] else { panic!("no curve") };
        assert!((p - 4.0).abs() < 1e-12 && (s - 1.0 / (0.1 + 0.9 / 4.0)).abs() < 1e-12);
        assert!(band > 0.0 && found.laws[0].said.contains("0.100"), "{}", found.laws[0].said);
        assert!(solved(Model::Amdahl, 2.0, (1.5, 0.0)).is_err());
        assert!(solved(Model::Gustafson, 2.0, (-0.1, 0.0)).is_err());
    }
}
