//! Finds the longest line.

/// The longest line of a text.
pub fn longest_line(text: &str) -> &str {
    text.lines().max_by_key(|line| line.len()).unwrap_or("")
}
