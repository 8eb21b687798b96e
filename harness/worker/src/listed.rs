//! Collecting into vectors, compiled once for each type of elements: `collect` of the standard library is compiled for each
//! chain of adapters, and every user pays for each. Not for code between two readings of the clock.

/// Collects an iterator into a vector.
pub trait Listed: Iterator {
    /// All elements that are left.
    fn listed(self) -> Vec<Self::Item>;
}

impl<I: Iterator> Listed for I {
    fn listed(mut self) -> Vec<I::Item> {
        all_of(&mut || self.next())
    }
}

#[inline(never)]
fn all_of<T>(next: &mut dyn FnMut() -> Option<T>) -> Vec<T> {
    let mut all = Vec::new();
    while let Some(element) = next() {
        all.push(element);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::Listed;

    #[test]
    fn lists_are_those_of_the_standard_library() {
        let odd = || (0..100).filter(|number| number % 2 == 1).map(|number| number.to_string());
        assert_eq!(odd().listed(), odd().collect::<Vec<_>>());
        assert!(std::iter::empty::<u8>().listed().is_empty());
    }
}
