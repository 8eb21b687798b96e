//! Steps in the time of a benchmark over many commits: where it changed, by how much, and with which certainty.
//!
//! A point is a measurement with its own σ, and between measurements on different days the machine changes by an
//! amount that nobody has measured. So the variance of a point is σᵢ² + τ², and τ² is estimated from the series
//! itself (Paule and Mandel 1982). A step between two groups of points is a covariate of a random-effects regression,
//! tested by t with n − 2 degrees of freedom (Knapp and Hartung 2003). Places of steps are searched by binary
//! segmentation (Vostrikova 1981) over the whole series and over seeded intervals of it (Kovács et al. 2023), which
//! find levels that did not last.
//!
//! The probability of any report about a series without a step is at most α, however often one looks while it grows.
//! A series of n points spends α/(n(n − 1)), which adds up to α, shared by all places that are tried. Neighboring
//! points that resemble each other widen the interval ([`crate::serial::inflation`]).
//!
//! ```
//! use plusminus_analysis::history::{Point, steps};
//!
//! // Logarithms of times: twelve around 1, and then eight that are 20 % longer.
//! let noise = [0.3, -1.1, 0.8, -0.2, 1.2, -0.7, 0.1, -0.5, 0.9, -0.9];
//! let points: Vec<Point> = (0..20)
//!     .map(|at| Point { position: at, log_time: if at < 12 { 0.0 } else { 0.2 } + 0.01 * noise[at % 10], u: Some(0.005) })
//!     .collect();
//! let found = steps(&points, &[], 0.05).unwrap();
//! assert_eq!(found.steps.len(), 1);
//! assert_eq!(found.steps[0].position, 12);
//! assert!(found.steps[0].interval.low > 0.1);
//! ```

mod contrast;

use crate::{
    error::{Result, check_finite, check_probability},
    interval::Interval,
};
use contrast::{Contrast, contrast};

/// A time of one benchmark at one place of the series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The place, such as the number of the commit: points are in its order, and those of the same place have no step
    /// between them.
    pub position: usize,
    /// The logarithm of the time.
    pub log_time: f64,
    /// Its standard uncertainty, which is the relative one of the time; `None` if it is unknown: then the largest of
    /// the series is used.
    pub u: Option<f64>,
}

/// The result of a paired comparison of two neighboring places, which replaces their times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The earlier of the two places; the other one is the next.
    pub after: usize,
    /// The logarithm of the time at the later place over that at the earlier one.
    pub log_change: f64,
    /// Its standard uncertainty.
    pub u: f64,
}

/// A proven change between two places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The first place of the new level.
    pub position: usize,
    /// The last place of the old level that has a point.
    pub after: usize,
    /// The logarithm of the new time over the old one.
    pub log_change: f64,
    /// Its standard uncertainty.
    pub u: f64,
    /// The interval of the logarithm, at the level that the whole search is held to. It excludes 0.
    pub interval: Interval,
    /// The probability of a step this large in a series without one, at any look.
    pub p: f64,
}

/// The findings about a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// The proven steps in order.
    pub steps: Vec<Step>,
    /// By how much measurements of the same code differ between sessions, as a standard deviation of the logarithm,
    /// beyond their own σ; `None` for fewer than three points.
    pub between: Option<f64>,
    /// The logarithm of the level at each point.
    pub levels: Vec<f64>,
}

/// The least number of points on either side of a step: a single odd session is not a step.
pub const LEAST_POINTS: usize = 3;

/// The newest points that are searched: with more of them the search takes long, and old steps are known.
pub const MOST_POINTS: usize = 500;

/// Finds the steps of a series. `links` replace the times between their two places: no step is searched there, and what
/// they say is taken out of the points before the search.
///
/// # Errors
/// When a number is not finite, a σ negative, α no probability, or points are not in the order of their places.
pub fn steps(points: &[Point], links: &[Link], alpha: f64) -> Result<Steps> {
    check(points, links, alpha)?;
    let all = points;
    let points = &points[points.len().saturating_sub(MOST_POINTS)..];
    let left_out = all.len() - points.len();
    let series = Series::new(points, links);
    let mut search = Search::new(&series, alpha);
    let mut places = Vec::new();
    search.within(0, points.len(), &mut places);
    places.sort_unstable();
    let steps = search.settled(&mut places);
    let ends = ends(&places, points.len());
    let between = (points.len() >= LEAST_POINTS).then(|| series.between(&ends).sqrt());
    let levels = series.levels(&ends);
    let first = levels.first().copied().unwrap_or(0.0);
    Ok(Steps { steps, between, levels: [vec![first; left_out], levels].concat() })
}

fn check(points: &[Point], links: &[Link], alpha: f64) -> Result<()> {
    check_probability("alpha", alpha)?;
    let numbers = |point: &Point| [point.log_time, point.u.unwrap_or(0.0)];
    check_finite(&points.iter().flat_map(numbers).collect::<Vec<f64>>())?;
    check_finite(&links.iter().flat_map(|link| [link.log_change, link.u]).collect::<Vec<f64>>())?;
    let us = points.iter().filter_map(|point| point.u).chain(links.iter().map(|link| link.u));
    if let Some((index, value)) = us.enumerate().find(|(_, u)| *u < 0.0) {
        let reason = "a standard uncertainty must not be negative";
        return Err(crate::Error::Invalid { index, value, reason });
    }
    match points.windows(2).position(|pair| pair[0].position > pair[1].position) {
        None => Ok(()),
        Some(index) => Err(crate::Error::Invalid {
            index: index + 1,
            value: points[index + 1].position as f64,
            reason: "points must be in the order of their places",
        }),
    }
}

/// The ends of the levels: 0, every place of a step, and the number of points.
fn ends(places: &[usize], count: usize) -> Vec<usize> {
    [&[0], places, &[count]].concat()
}

/// The points without the links' changes, and the facts about each.
struct Series {
    /// Logarithms of times, with the changes of all links before them taken out.
    values: Vec<f64>,
    /// The steps that were taken out of each.
    taken: Vec<f64>,
    /// σ² of each.
    variances: Vec<f64>,
    /// Of each link, the first point behind it, and its σ².
    links: Vec<(usize, f64)>,
    /// The points at which a new level may begin.
    places: Vec<usize>,
    positions: Vec<usize>,
}

impl Series {
    fn new(points: &[Point], links: &[Link]) -> Self {
        let before = |point: &Point| {
            let at = point.position;
            links.iter().filter(move |link| link.after < at)
        };
        let taken: Vec<f64> =
            points.iter().map(|point| before(point).map(|link| link.log_change).sum()).collect();
        let largest = points.iter().filter_map(|point| point.u).fold(0.0, f64::max);
        let linked = |from: usize, to: usize| {
            (from..to).all(|place| links.iter().any(|link| link.after == place))
        };
        let is_place = |at: &usize| {
            let (from, to) = (points[at - 1].position, points[*at].position);
            from < to && !linked(from, to)
        };
        let behind = |link: &Link| points.partition_point(|point| point.position <= link.after);
        Self {
            values: points.iter().zip(&taken).map(|(point, sum)| point.log_time - sum).collect(),
            variances: points.iter().map(|point| point.u.unwrap_or(largest).powi(2)).collect(),
            links: links.iter().map(|link| (behind(link), link.u * link.u)).collect(),
            places: (1..points.len()).filter(is_place).collect(),
            positions: points.iter().map(|point| point.position).collect(),
            taken,
        }
    }

    /// The step at a point within a range, if there are enough points on both sides.
    fn contrast(&self, from: usize, at: usize, to: usize) -> Option<Contrast> {
        let enough = at - from >= LEAST_POINTS && to - at >= LEAST_POINTS;
        enough.then(|| {
            let range = from..to;
            contrast(&self.values[range.clone()], &self.variances[range], at - from, |shares| {
                let of_link = |(behind, variance): &(usize, f64)| {
                    let first = behind.clamp(&from, &to) - from;
                    shares[first..].iter().sum::<f64>().powi(2) * variance
                };
                self.links.iter().map(of_link).sum()
            })
        })
    }

    /// τ² of all levels together.
    fn between(&self, ends: &[usize]) -> f64 {
        contrast::between(&self.values, &self.variances, ends)
    }

    /// Returns the level at each point, including the links' changes.
    fn levels(&self, ends: &[usize]) -> Vec<f64> {
        let tau = self.between(ends);
        let of_level = |pair: &[usize]| {
            let range = pair[0]..pair[1];
            let mean =
                contrast::mean(&self.values[range.clone()], &self.variances[range.clone()], tau);
            self.taken[range].iter().map(move |taken| mean + taken).collect::<Vec<f64>>()
        };
        ends.windows(2).flat_map(of_level).collect()
    }
}

struct Search<'a> {
    series: &'a Series,
    /// Intervals of points to look at, in addition to the whole series.
    seeded: Vec<(usize, usize)>,
    /// The error probability of each test of the whole series, and of each within an interval.
    alpha_whole: f64,
    alpha_seeded: f64,
    /// The factor that turns p into that of the whole search.
    alpha: f64,
}

impl<'a> Search<'a> {
    fn new(series: &'a Series, alpha: f64) -> Self {
        let n = series.values.len();
        let seeded = seeded(n, 2 * LEAST_POINTS);
        let inside = |from: usize, to: usize| {
            let tried = from + LEAST_POINTS..(to + 1).saturating_sub(LEAST_POINTS);
            series.places.iter().filter(|at| tried.contains(at)).count()
        };
        let whole = inside(0, n).max(1) as f64;
        let parts = seeded.iter().map(|(from, to)| inside(*from, *to)).sum::<usize>().max(1) as f64;
        // The share of this look: over all lengths of a series, 1/(n(n − 1)) adds up to 1.
        let look = alpha / (n.max(2) * (n.max(2) - 1)) as f64;
        let (alpha_whole, alpha_seeded) = (look / 2.0 / whole, look / 2.0 / parts);
        Self { series, seeded, alpha_whole, alpha_seeded, alpha }
    }

    /// Adds the steps between two points of the series, the clearest first.
    fn within(&mut self, from: usize, to: usize, places: &mut Vec<usize>) {
        let inside = self.seeded.iter().filter(|(a, b)| from <= *a && *b <= to);
        let ranges = inside.map(|(a, b)| (*a, *b, self.alpha_seeded));
        let tried = std::iter::once((from, to, self.alpha_whole)).chain(ranges);
        let best = tried
            .filter_map(|(a, b, alpha)| self.clearest(a, b, alpha))
            .filter(|found| found.excess < 1.0)
            .min_by(|one, other| one.excess.total_cmp(&other.excess));
        let Some(best) = best else { return };
        places.push(best.at);
        self.within(from, best.at, places);
        self.within(best.at, to, places);
    }

    /// The clearest step of a range of points.
    fn clearest(&self, from: usize, to: usize, alpha: f64) -> Option<Found> {
        let places = self.series.places.iter().filter(|at| from < **at && **at < to);
        let by_t = |one: &(usize, Contrast), other: &(usize, Contrast)| {
            one.1.t().abs().total_cmp(&other.1.t().abs())
        };
        let (at, contrast) = places
            .filter_map(|at| Some((*at, self.series.contrast(from, *at, to)?)))
            .max_by(by_t)?;
        Some(Found { at, excess: contrast.widened().p() / alpha })
    }

    /// The steps between levels as they were found in the end; one that is no longer clear goes.
    fn settled(&self, places: &mut Vec<usize>) -> Vec<Step> {
        let n = self.series.values.len();
        // A level that did not last is clear within an interval only.
        let alpha = self.alpha_whole.min(self.alpha_seeded);
        loop {
            let ends = ends(places, n);
            let found: Vec<Option<Contrast>> = ends
                .windows(3)
                .map(|three| {
                    self.series.contrast(three[0], three[1], three[2]).map(Contrast::widened)
                })
                .collect();
            let p = |contrast: &Option<Contrast>| contrast.as_ref().map_or(1.0, Contrast::p);
            let worst = (0..found.len()).max_by(|a, b| p(&found[*a]).total_cmp(&p(&found[*b])));
            match worst {
                Some(worst) if p(&found[worst]) > alpha => {
                    places.remove(worst);
                }
                _ => {
                    let known = places.iter().zip(found);
                    return known.filter_map(|(at, c)| Some(self.step(*at, &c?, alpha))).collect();
                }
            }
        }
    }

    fn step(&self, at: usize, contrast: &Contrast, alpha: f64) -> Step {
        Step {
            position: self.series.positions[at],
            after: self.series.positions[at - 1],
            log_change: contrast.difference,
            u: contrast.u,
            interval: contrast.interval(alpha),
            p: (contrast.p() / alpha * self.alpha).min(1.0),
        }
    }
}

/// A place with what its step comes to: below 1, p is below what may be spent.
struct Found {
    at: usize,
    excess: f64,
}

/// Returns the seeded intervals (Kovács, Bühlmann, Li and Munk 2023) of `n` points that are shorter than all of them, and no
/// shorter than `least`: their lengths shrink by √2, at distances of half a length.
fn seeded(n: usize, least: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut length = n as f64 / std::f64::consts::SQRT_2;
    while length >= least as f64 {
        let whole = length.ceil() as usize;
        // As many as cover everything at distances of half a length.
        let count = 2 * ((n as f64 / length).ceil() as usize) - 1;
        for index in 0..count {
            let from = if count == 1 { 0 } else { index * (n - whole) / (count - 1) };
            found.push((from, from + whole));
        }
        length /= std::f64::consts::SQRT_2;
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|(from, to)| to - from < n);
    found
}

#[cfg(test)]
mod tests {
    use super::seeded;

    #[test]
    fn every_short_level_lies_within_an_interval_that_is_not_much_longer() {
        for n in [0, 1, 5, 6, 7, 20, 100] {
            let all = seeded(n, 6);
            assert!(all.iter().all(|(from, to)| from + 6 <= *to && *to <= n), "{n}: {all:?}");
        }
        let all = seeded(100, 6);
        for from in 0..90 {
            let around = all.iter().filter(|(a, b)| *a <= from && from + 10 <= *b);
            let shortest = around.map(|(a, b)| b - a).min().unwrap();
            assert!(shortest <= 36, "{from}: {shortest}");
        }
    }
}
