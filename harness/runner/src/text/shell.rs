//! Words as a shell takes them, for commands that can be pasted.

/// Returns a word in quotes if a shell would take it apart or expand it.
///
/// ```
/// assert_eq!(plusminus::text::shell("sort::quick"), "sort::quick");
/// assert_eq!(plusminus::text::shell("a b"), "'a b'");
/// ```
pub fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
