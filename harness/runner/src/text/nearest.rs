//! The nearest known word to one that is misspelt.

use super::spelling::closest;

/// Returns the known word that was probably meant: the nearest, if at most two letters are wrong (Levenshtein distance).
///
/// ```
/// let known = ["runs", "samples"];
/// assert_eq!(plusminus::text::nearest("sampels", known), Some("samples"));
/// assert_eq!(plusminus::text::nearest("wibble", known), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nothing of this length is near, and comparing takes time in the product of the lengths.
    if word.len() > 1_000 { None } else { closest(word, &mut known.into_iter()) }
}

#[cfg(test)]
mod tests {
    use super::super::spelling::distance;

    fn by_definition(from: &[char], to: &[char]) -> usize {
        match (from, to) {
            ([], rest) | (rest, []) => rest.len(),
            ([a, from @ ..], [b, to @ ..]) if a == b => by_definition(from, to),
            ([_, less @ ..], [_, shorter @ ..]) => {
                let replaced = by_definition(less, shorter);
                let left_out = by_definition(less, to);
                1 + replaced.min(left_out).min(by_definition(from, shorter))
            }
        }
    }

    #[test]
    fn distances_are_levenshtein() {
        for (from, to, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("args", "args", 0), ("arg", "args", 1)]
        {
            assert_eq!(distance(from, to), expected, "{from} → {to}");
        }
    }

    proptest::proptest! {
        #[test]
        fn distances_follow_the_definition(from in "[abc]{0,6}", to in "[abc]{0,6}") {
            let chars = |text: &str| text.chars().collect::<Vec<char>>();
            proptest::prop_assert_eq!(distance(&from, &to), by_definition(&chars(&from), &chars(&to)));
        }
    }
}
