//! Over the crates hashbrown, indexmap, smallvec and itertools.

use hashbrown::{HashMap, HashSet};
use indexmap::IndexMap;
use itertools::Itertools;
use smallvec::SmallVec;

fn values(n: u64) -> impl Iterator<Item = u64> + Clone {
    (0..n / 8).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50)
}

/// Counts in a hash map.
pub fn counts(n: u64) -> u64 {
    let mut counts: HashMap<u64, u64> = HashMap::new();
    values(n).for_each(|value| *counts.entry(value % 100).or_insert(0) += value);
    counts.values().copied().max().unwrap_or(0)
}

/// Members of a set.
pub fn members(n: u64) -> u64 {
    let set: HashSet<u64> = values(n).collect();
    (0..n).filter(|i| set.contains(i)).count() as u64
}

/// A map that keeps its order.
pub fn kept(n: u64) -> u64 {
    let mut map: IndexMap<u64, u64> = values(n).map(|value| (value % 50, value)).collect();
    map.sort_keys();
    map.get_index(map.len() / 2).map_or(0, |(_, value)| *value)
}

/// Short vectors without allocation.
pub fn short(n: u64) -> u64 {
    values(n).map(|value| {
        let digits: SmallVec<[u8; 8]> = (0..value % 12).map(|i| i as u8).collect();
        u64::from(digits.iter().sum::<u8>())
    }).sum()
}

/// Groups of neighbors.
pub fn neighbours(n: u64) -> u64 {
    let groups = values(n).chunk_by(|value| value / 4096);
    groups.into_iter().map(|(key, group)| key * group.count() as u64).sum()
}

/// Pairs of different values.
pub fn pairs(n: u64) -> u64 {
    values(n / 8).tuple_combinations().filter(|(a, b)| a > b).count() as u64
}

/// Two orders merged.
pub fn merged(n: u64) -> u64 {
    (0..n / 2).map(|i| i * 2).merge((0..n / 2).map(|i| i * 3)).dedup().count() as u64
}

/// The smallest few.
pub fn smallest(n: u64) -> u64 {
    values(n).k_smallest(9).sum()
}

/// Values joined into a text.
pub fn joined(n: u64) -> u64 {
    values(n / 4).unique().map(|value| value % 1000).join(",").len() as u64
}

/// No kernel calls this.
pub fn spare_inverted(map: &HashMap<u64, u64>) -> HashMap<u64, u64> {
    map.iter().map(|(key, value)| (*value, *key)).collect()
}

/// No kernel calls this either.
pub fn spare_sorted(values: &[u64]) -> Vec<u64> {
    values.iter().copied().sorted().dedup().collect()
}
