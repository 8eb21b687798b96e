//! Two ways to find a number in a sorted list.

/// Looks at one number after the other.
pub fn scan(list: &[u64], wanted: u64) -> Option<usize> {
    list.iter().position(|&number| number == wanted)
}

/// Halves the list again and again.
pub fn halve(list: &[u64], wanted: u64) -> Option<usize> {
    list.binary_search(&wanted).ok()
}
