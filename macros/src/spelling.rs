//! Which known word may have been meant. The harness and the attributes each have this file, and a test keeps them equal: a
//! crate of procedural macros exports nothing else, and a third crate would cost every user.

/// The nearest of the known words, if it is near enough to be meant.
pub(crate) fn closest<'a>(word: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let (edits, known) = known.map(|known| (distance(word, known), known)).min()?;
    (edits <= 2 && edits < known.chars().count()).then_some(known)
}

/// The Levenshtein distance: how many letters have to be changed, removed or inserted.
pub(crate) fn distance(from: &str, to: &str) -> usize {
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
