//! Maps, sets, sorting and searching.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

fn values(n: u64) -> impl Iterator<Item = u64> {
    (0..n / 8).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50)
}

/// Counts in a hash map.
pub fn counts(n: u64) -> u64 {
    let mut counts: HashMap<u64, u64> = HashMap::new();
    values(n).for_each(|value| *counts.entry(value % 64).or_default() += 1);
    counts.values().max().copied().unwrap_or(0)
}

/// Groups in an ordered map.
pub fn groups(n: u64) -> u64 {
    let mut groups: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    values(n).for_each(|value| groups.entry(value % 16).or_default().push(value));
    groups.values().map(|group| group.len() as u64).max().unwrap_or(0)
}

/// A sort that keeps the order of equals.
pub fn sorted(n: u64) -> u64 {
    let mut all: Vec<u64> = values(n).collect();
    all.sort();
    all[all.len() / 2]
}

/// A sort that does not.
pub fn unstable(n: u64) -> u64 {
    let mut all: Vec<u64> = values(n).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all[all.len() / 3]
}

/// Values that are found by halving.
pub fn halving(n: u64) -> u64 {
    let all: Vec<u64> = (0..n).map(|i| i * 3).collect();
    values(n).filter(|value| all.binary_search(value).is_ok()).count() as u64
}

/// The largest, again and again.
pub fn heap(n: u64) -> u64 {
    let mut heap: BinaryHeap<u64> = values(n).collect();
    (0..n / 16).filter_map(|_| heap.pop()).sum()
}

/// Values in both of two sets.
pub fn common(n: u64) -> u64 {
    let one: HashSet<u64> = values(n).collect();
    let other: HashSet<u64> = values(n).map(|value| value / 2).collect();
    one.intersection(&other).count() as u64
}

/// A queue that goes round.
pub fn queue(n: u64) -> u64 {
    let mut queue: VecDeque<u64> = values(n / 4).collect();
    for i in 0..n {
        let first = queue.pop_front().unwrap_or(0);
        queue.push_back(first ^ i);
    }
    queue.iter().sum()
}

/// Gaps between ordered values.
pub fn gaps(n: u64) -> u64 {
    let all: BTreeSet<u64> = values(n).collect();
    all.iter().zip(all.iter().skip(1)).map(|(a, b)| b - a).max().unwrap_or(0)
}

/// No kernel calls this.
pub fn spare_invert(map: &HashMap<u64, u64>) -> HashMap<u64, u64> {
    map.iter().map(|(key, value)| (*value, *key)).collect()
}

/// No kernel calls this either.
pub fn spare_median(values: &mut [u64]) -> u64 {
    values.sort();
    values[values.len() / 2]
}
