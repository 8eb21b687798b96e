//! Turns the entries of a history into one series for each benchmark on each machine, with its changes. Pure.

use std::collections::BTreeMap;

use plusminus::text::number::counted;
use plusminus_analysis::{
    Confidence, Interval,
    history::{Link, Point, Step, Steps, steps},
};

use super::{
    Level,
    entry::{Commit, Entry, Pair, probe_level},
    names::{self, Own},
};

#[derive(Debug)]
pub(super) struct Series<'a> {
    pub(super) machine: &'a str,
    /// Its name, with the bench target in front if others have the same name.
    pub(super) benchmark: String,
    pub(super) places: Vec<Place<'a>>,
    pub(super) times: Vec<Measured<'a>>,
    /// Comparisons of neighboring commits.
    pub(super) links: Vec<(usize, &'a Pair)>,
    /// Comparisons of commits with others between them, which are not used.
    pub(super) unused: usize,
    pub(super) found: Steps,
    pub(super) changes: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place<'a> {
    pub(super) commit: &'a Commit,
    /// The time of the commit, or of the measurement if that is unknown.
    pub(super) when: &'a str,
}

#[derive(Debug)]
pub(super) struct Measured<'a> {
    pub(super) place: usize,
    pub(super) ns: f64,
    pub(super) u_ns: Option<f64>,
    pub(super) entry: &'a Entry,
}

/// How a change is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Both versions were measured in turns.
    Pair,
    /// By the times of several sessions.
    Times,
}

#[derive(Debug)]
pub(super) struct Change {
    /// The last place of the old level.
    pub(super) after: usize,
    /// The first place of the new level.
    pub(super) place: usize,
    pub(super) by: By,
    pub(super) log_change: f64,
    pub(super) u: f64,
    /// Of the logarithm, including the possible effect of the machine.
    pub(super) interval: Option<Interval>,
    /// Whether it is proven to be one of the code, and not within the margin.
    pub(super) is_proven: bool,
    pub(super) notes: Vec<String>,
}

impl Change {
    pub(super) fn is_slower(&self) -> bool {
        self.log_change > 0.0
    }
}

/// The series of all benchmarks on all machines, by machine, package, bench target and name.
pub(super) fn all(entries: &[Entry], level: Level) -> Vec<Series<'_>> {
    let by_benchmark = names::by_benchmark(entries);
    let labels = names::labels(by_benchmark.keys().map(|(_, key)| *key));
    let count = by_benchmark.len().max(1);
    let level = Level { alpha: level.alpha / count as f64, ..level };
    by_benchmark
        .iter()
        .map(|((machine, key), own)| of_benchmark(machine, labels[key].clone(), own, level))
        .collect()
}

fn of_benchmark<'a>(
    machine: &'a str,
    benchmark: String,
    own: &[Own<'a>],
    level: Level,
) -> Series<'a> {
    let entries: Vec<&Entry> = own.iter().map(|own| own.entry).collect();
    let entries = entries.as_slice();
    let places = places(entries);
    let at = |commit: &Commit, entry: &Entry| {
        let id = identity(commit, entry);
        places.iter().position(|(known, _)| *known == id)
    };
    let times = times(own, &at);
    let (links, unused) = links(own, &at);
    let points: Vec<Point> = times
        .iter()
        .map(|time| Point {
            position: time.place,
            log_time: time.ns.ln(),
            u: time.u_ns.map(|u| u / time.ns),
        })
        .collect();
    let linked: Vec<Link> = links
        .iter()
        .map(|(after, pair)| Link { after: *after, log_change: pair.log_change, u: pair.u })
        .collect();
    // Entries are checked when they are read: all numbers are finite, and the times are in order.
    let found = steps(&points, &linked, level.alpha);
    let found = found.unwrap_or(Steps { steps: Vec::new(), between: None, levels: Vec::new() });
    let mut changes: Vec<Change> =
        links.iter().filter_map(|(after, pair)| by_pair(*after, pair)).collect();
    changes.extend(found.steps.iter().map(|step| by_times(step, &times, level.margin)));
    changes.sort_by_key(|change| change.place);
    for change in &mut changes {
        change.notes.extend(circumstances(change, entries, &at));
    }
    let places = places.into_iter().map(|(_, place)| place).collect();
    Series { machine, benchmark, places, times, links, unused, found, changes }
}

/// Identifies a commit. A work tree that differed from its commit is a place of its own.
fn identity<'a>(commit: &'a Commit, entry: &'a Entry) -> (&'a str, &'a str) {
    (&commit.name, if commit.dirty { &entry.measured } else { "" })
}

/// Returns the commits of some entries in their order, each with its identity.
fn places<'a>(entries: &[&'a Entry]) -> Vec<((&'a str, &'a str), Place<'a>)> {
    let mut found: BTreeMap<(&str, &str), Place<'_>> = BTreeMap::new();
    for entry in entries {
        for commit in std::iter::once(&entry.commit).chain(&entry.base) {
            let place =
                Place { commit, when: commit.committed.as_deref().unwrap_or(&entry.measured) };
            let known = found.entry(identity(commit, entry)).or_insert_with(|| place.clone());
            let is_better = match (&known.commit.committed, &commit.committed) {
                (None, Some(_)) => true,
                (None, None) => place.when < known.when,
                (Some(_), _) => false,
            };
            if is_better {
                *known = place;
            }
        }
    }
    let mut places: Vec<_> = found.into_iter().collect();
    // The names keep the order the same on every machine if nothing else does.
    let key = |(id, place): &((&'a str, &'a str), Place<'a>)| {
        (place.when, place.commit.dirty, place.commit.ancestors, *id)
    };
    places.sort_by(|a, b| key(a).cmp(&key(b)));
    places
}

/// Returns the times of a benchmark by place. Times of comparisons are used for commits without other measurements.
fn times<'a>(own: &[Own<'a>], at: &impl Fn(&Commit, &Entry) -> Option<usize>) -> Vec<Measured<'a>> {
    let mut times: Vec<(bool, Measured<'a>)> = Vec::new();
    for Own { entry, times: of_entry, .. } in own {
        for time in of_entry {
            let commit = if time.of_base { entry.base.as_ref() } else { Some(&entry.commit) };
            let Some(place) = commit.and_then(|commit| at(commit, entry)) else { continue };
            let measured = Measured { place, ns: time.ns, u_ns: time.u_ns, entry };
            times.push((entry.base.is_none(), measured));
        }
    }
    let alone: Vec<usize> =
        times.iter().filter(|(alone, _)| *alone).map(|(_, time)| time.place).collect();
    times.retain(|(is_alone, time)| *is_alone || !alone.contains(&time.place));
    let mut times: Vec<Measured<'a>> = times.into_iter().map(|(_, time)| time).collect();
    times.sort_by(|a, b| (a.place, &a.entry.measured).cmp(&(b.place, &b.entry.measured)));
    times
}

/// For each pair of neighbors the comparison that is most certain, and how many are of commits that are none.
fn links<'a>(
    own: &[Own<'a>],
    at: &impl Fn(&Commit, &Entry) -> Option<usize>,
) -> (Vec<(usize, &'a Pair)>, usize) {
    let mut best: BTreeMap<usize, &Pair> = BTreeMap::new();
    let mut unused = 0;
    for Own { entry, pairs, .. } in own {
        for &pair in pairs {
            let ends =
                entry.base.as_ref().and_then(|base| at(base, entry)).zip(at(&entry.commit, entry));
            match ends {
                Some((from, to)) if from + 1 == to => {
                    let known = best.entry(from).or_insert(pair);
                    if pair.u < known.u {
                        *known = pair;
                    }
                }
                _ => unused += 1,
            }
        }
    }
    (best.into_iter().collect(), unused)
}

/// The change that a comparison has proven, if it has.
fn by_pair(after: usize, pair: &Pair) -> Option<Change> {
    Entry::is_step(pair).then(|| Change {
        after,
        place: after + 1,
        by: By::Pair,
        log_change: pair.log_change,
        u: pair.u,
        interval: pair.interval.map(|(low, high)| Interval { low, high }),
        is_proven: true,
        notes: vec![format!("{} of processes", counted(pair.blocks, "pair"))],
    })
}

/// A step of the times, including the possible effect of the machine.
fn by_times(step: &Step, times: &[Measured<'_>], margin: f64) -> Change {
    let of_level = |inside: &dyn Fn(usize) -> bool| -> Vec<&Entry> {
        times.iter().filter(|time| inside(time.place)).map(|time| time.entry).collect()
    };
    let old = of_level(&|place| place <= step.after);
    let new = of_level(&|place| place >= step.position);
    let mut notes = Vec::new();
    let machine = machine(&old, &new);
    if machine.is_none() {
        notes.push(
            "no probes of the machine are known on both sides: a lasting change of the machine would look the same".to_owned(),
        );
    }
    let known = machine.unwrap_or(Interval { low: 0.0, high: 0.0 });
    let interval =
        Interval { low: step.interval.low - known.high, high: step.interval.high - known.low };
    let limit = margin.ln_1p();
    let is_within = interval.low > -limit && interval.high < limit;
    if interval.contains(0.0) {
        notes.push("the probes changed as well: it may be the machine".to_owned());
    } else if is_within {
        notes.push("within the margin".to_owned());
    }
    Change {
        after: step.after,
        place: step.position,
        by: By::Times,
        log_change: step.log_change,
        u: step.u,
        interval: Some(interval),
        is_proven: !interval.contains(0.0) && !is_within,
        notes,
    }
}

/// Returns the possible effect of the machine on all times, as a range of the logarithm that contains 0. It ranges
/// from the largest gain of any probe to the largest loss. `None` if too few entries have probes.
fn machine(old: &[&Entry], new: &[&Entry]) -> Option<Interval> {
    let mut found: Option<Interval> = None;
    let names = new.iter().flat_map(|entry| &entry.probes).map(|probe| probe.name.as_str());
    let names: std::collections::BTreeSet<&str> = names.collect();
    for name in names {
        let of = |entries: &[&Entry]| {
            probe_level(entries, name)?.interval(Confidence::P95).filter(|i| i.width().is_finite())
        };
        let (Some(before), Some(after)) = (of(old), of(new)) else { continue };
        let known = found.unwrap_or(Interval { low: 0.0, high: 0.0 });
        // Both ends of both intervals at once would be rarer than 1 in 20.
        let middle = (after.low + after.high - before.low - before.high) / 2.0;
        let reach = (before.width() / 2.0).hypot(after.width() / 2.0);
        found = Some(Interval {
            low: known.low.min(middle - reach),
            high: known.high.max(middle + reach),
        });
    }
    found
}

/// Returns other changes between the two places of a change.
fn circumstances(
    change: &Change,
    entries: &[&Entry],
    at: &impl Fn(&Commit, &Entry) -> Option<usize>,
) -> Vec<String> {
    let last = |place: usize| {
        entries
            .iter()
            .rev()
            .find(|entry| entry.base.is_none() && at(&entry.commit, entry) == Some(place))
    };
    let (Some(old), Some(new)) = (last(change.after), last(change.place)) else {
        return Vec::new();
    };
    if change.by == By::Pair {
        return Vec::new();
    }
    let pairs =
        [("the compiler", &old.rustc, &new.rustc), ("the system", &old.system, &new.system)];
    let differing = pairs.iter().filter(|(_, old, new)| old != new);
    differing.map(|(what, old, new)| format!("{what} was `{old}` and is `{new}`")).collect()
}
