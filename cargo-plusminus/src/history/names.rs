//! Which benchmark of which bench target the times and pairs of a history are of. Pure.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Entry, Pair, Target, Timed};

/// A benchmark of a bench target of a package; unknown parts are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    pub(super) package: &'a str,
    pub(super) bench: &'a str,
    pub(super) name: &'a str,
}

/// Everything that an entry has of one benchmark.
#[derive(Debug)]
pub(super) struct Own<'a> {
    pub(super) entry: &'a Entry,
    pub(super) times: Vec<&'a Timed>,
    pub(super) pairs: Vec<&'a Pair>,
}

impl<'a> Own<'a> {
    fn of(entry: &'a Entry) -> Self {
        Self { entry, times: Vec::new(), pairs: Vec::new() }
    }
}

/// The entries of a history by machine and benchmark.
pub(super) type ByBenchmark<'a> = BTreeMap<(&'a str, Key<'a>), Vec<Own<'a>>>;

pub(super) fn by_benchmark(entries: &[Entry]) -> ByBenchmark<'_> {
    let mut known: BTreeMap<&str, Known<'_>> = BTreeMap::new();
    for entry in entries {
        let keys = said(entry);
        known.entry(&entry.machine).or_default().0.extend(keys.filter(|key| !key.bench.is_empty()));
    }
    let mut all = ByBenchmark::new();
    for entry in entries {
        let known = &known[entry.machine.as_str()];
        let mut own: BTreeMap<Key<'_>, Own<'_>> = BTreeMap::new();
        for time in &entry.times {
            let key = known.resolved(key(entry, &time.target, &time.benchmark));
            own.entry(key).or_insert_with(|| Own::of(entry)).times.push(time);
        }
        for pair in &entry.pairs {
            let key = known.resolved(key(entry, &pair.target, &pair.benchmark));
            own.entry(key).or_insert_with(|| Own::of(entry)).pairs.push(pair);
        }
        for (key, own) in own {
            all.entry((entry.machine.as_str(), key)).or_default().push(own);
        }
    }
    all
}

/// Returns the benchmarks of an entry, under its names.
fn said(entry: &Entry) -> impl Iterator<Item = Key<'_>> {
    let times = entry.times.iter().map(|time| key(entry, &time.target, &time.benchmark));
    times.chain(entry.pairs.iter().map(|pair| key(entry, &pair.target, &pair.benchmark)))
}

fn key<'a>(entry: &'a Entry, target: &'a Option<Target>, name: &'a str) -> Key<'a> {
    let (package, bench) = match target {
        Some(target) => (target.package.as_deref(), target.bench.as_str()),
        None => (entry.package.as_deref(), entry.bench.as_str()),
    };
    Key { package: package.unwrap_or_default(), bench, name }
}

/// The benchmarks of a machine of which the bench target is known.
#[derive(Debug, Default)]
struct Known<'a>(BTreeSet<Key<'a>>);

impl<'a> Known<'a> {
    /// The benchmark that a record means which does not say its package, or its target: the only one that it can be. If there
    /// are several, or none, it stays by itself.
    fn resolved(&self, key: Key<'a>) -> Key<'a> {
        if !key.package.is_empty() {
            return key;
        }
        if !key.bench.is_empty() {
            let same = |known: &&Key<'a>| known.bench == key.bench && known.name == key.name;
            return self.only(same).unwrap_or(key);
        }
        // Comparisons of several targets have them in front of the names.
        if let Some((target, name)) = key.name.split_once(": ") {
            let same = |known: &&Key<'a>| {
                let bench = match target.split_once('/') {
                    Some((package, bench)) if package == known.package => bench,
                    _ => target,
                };
                known.name == name && known.bench == bench
            };
            if let Some(known) = self.only(same) {
                return known;
            }
        }
        self.only(|known| known.name == key.name).unwrap_or(key)
    }

    /// The only benchmark of which something holds. One that does not say its package is the same as the only one that does.
    fn only(&self, is_it: impl Fn(&&Key<'a>) -> bool) -> Option<Key<'a>> {
        let found: Vec<Key<'a>> = self.0.iter().filter(is_it).copied().collect();
        let packaged = |key: &&Key<'a>| !key.package.is_empty();
        let named: Vec<Key<'a>> = found.iter().filter(packaged).copied().collect();
        match (&named[..], &found[..]) {
            ([one], _) if found.iter().all(|other| other.bench == one.bench) => Some(*one),
            ([], [one]) => Some(*one),
            _ => None,
        }
    }
}

/// Returns names for people, each as short as uniqueness allows.
pub(super) fn labels<'a>(keys: impl Iterator<Item = Key<'a>>) -> BTreeMap<Key<'a>, String> {
    let keys: BTreeSet<Key<'a>> = keys.collect();
    let label = |key: &Key<'a>| {
        let same: Vec<&Key<'_>> = keys.iter().filter(|other| other.name == key.name).collect();
        let benches: BTreeSet<&str> = same.iter().map(|key| key.bench).collect();
        match (same.len(), key.bench, key.package) {
            (1, ..) | (_, "", _) => key.name.to_owned(),
            (count, bench, package) if count == benches.len() || package.is_empty() => {
                format!("{bench}: {}", key.name)
            }
            (_, bench, package) => format!("{package}/{bench}: {}", key.name),
        }
    };
    keys.iter().map(|key| (*key, label(key))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &'static str) -> Key<'static> {
        let mut parts = text.splitn(3, ' ');
        let mut next = || parts.next().unwrap().trim_matches('-');
        Key { package: next(), bench: next(), name: next() }
    }

    fn known(texts: &[&'static str]) -> Known<'static> {
        Known(texts.iter().map(|text| key(text)).collect())
    }

    #[test]
    fn packages_and_targets_keep_benchmarks_of_one_name_apart() {
        let known = known(&["a small sort", "a large sort", "b small sort"]);
        for text in ["a small sort", "a large sort", "b small sort", "c small sort"] {
            assert_eq!(known.resolved(key(text)), key(text));
        }
    }

    #[test]
    fn what_does_not_say_its_package_joins_the_only_one_that_it_can_be() {
        let known =
            known(&["a small sort", "a large sort", "a both sort", "b both sort", "- old sort"]);
        assert_eq!(known.resolved(key("- small sort")), key("a small sort"));
        assert_eq!(known.resolved(key("- both sort")), key("- both sort"));
        assert_eq!(known.resolved(key("- old sort")), key("- old sort"));
        assert_eq!(known.resolved(key("- - small: sort")), key("a small sort"));
        assert_eq!(known.resolved(key("- - b/both: sort")), key("b both sort"));
        assert_eq!(known.resolved(key("- - both: sort")), key("- - both: sort"));
        assert_eq!(known.resolved(key("- - sort")), key("- - sort"));
    }

    #[test]
    fn an_unnamed_target_joins_the_only_one() {
        assert_eq!(known(&["a small sort"]).resolved(key("- - sort")), key("a small sort"));
        assert_eq!(known(&["- small sort"]).resolved(key("- - sort")), key("- small sort"));
        // The older record without a package is of the same target.
        let both = known(&["a small sort", "- small sort"]);
        assert_eq!(both.resolved(key("- - sort")), key("a small sort"));
        assert_eq!(both.resolved(key("- small sort")), key("a small sort"));
    }

    #[test]
    fn labels_are_as_short_as_tells_benchmarks_apart() {
        let keys = ["a small sort", "a large sort", "a small only", "a x map", "b x map"];
        let labels = labels(keys.into_iter().map(key));
        let of = |text: &'static str| labels[&key(text)].as_str();
        assert_eq!(of("a small only"), "only");
        assert_eq!(of("a small sort"), "small: sort");
        assert_eq!(of("b x map"), "b/x: map");
    }
}
