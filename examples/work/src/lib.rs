//! Counts words.

/// The number of words of a text.
pub fn words(text: &str) -> usize {
    text.split_whitespace().count()
}
