//! Which known word somebody may have meant.

/// The nearest of the known words, if it is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (letters, known) = known.map(|known| (distance(word, known), known)).min()?;
    (letters <= 2 && letters < known.len()).then_some(known)
}

/// How many letters have to be changed, left out or put in (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshtein() {
        for (from, to, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("args", "args", 0), ("arg", "args", 1)]
        {
            assert_eq!(distance(from, to), expected, "{from} → {to}");
        }
    }

    #[test]
    fn only_near_words_are_meant() {
        let known = || ["args", "samples"].into_iter();
        assert_eq!(nearest("arg", known()), Some("args"));
        assert_eq!(nearest("sampels", known()), Some("samples"));
        assert_eq!(nearest("wibble", known()), None);
    }
}
