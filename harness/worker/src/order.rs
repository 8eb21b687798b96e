//! Putting things in order, compiled once for all of them: a sort of the standard library is compiled for each type that
//! is sorted, and every user pays for each.

use std::cmp::Ordering;

/// The positions `0..count` in the order of a comparison of two positions; equals stay in the order in which they are.
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..count).collect();
    positions.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    positions
}

/// Values in the order of a comparison; equals stay in the order in which they are.
pub fn sorted<T: Copy>(values: &[T], compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    let positions = order(values.len(), &|a, b| compare(&values[a], &values[b]));
    // Pushed one by one: what would collect them is compiled for every type, and is much more.
    let mut found = Vec::with_capacity(values.len());
    for position in positions {
        found.push(values[position]);
    }
    found
}

/// The median of values, as of an odd number of them; 0 of none.
pub fn median(values: &[f64]) -> f64 {
    sorted(values, &f64::total_cmp).get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::{order, sorted};

    #[test]
    fn equals_stay_in_their_order() {
        let things = [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let found = order(things.len(), &|a, b| things[a].0.cmp(&things[b].0));
        assert_eq!(found, [4, 1, 3, 0, 2]);
        let found = sorted(&things, &|a, b| a.0.cmp(&b.0));
        assert_eq!(found, [(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
        assert!(order(0, &|_, _| unreachable!()).is_empty());
    }
}
