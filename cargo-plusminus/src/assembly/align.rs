//! Pairs the instructions of two versions of a function.

/// The instructions of each side between the first and the last difference that are paired: time and memory grow with the square.
const MOST: usize = 1_000;

/// Pairs equal texts, and texts that begin with the same word, in their order. Returns the places of both sides row by row.
pub(super) fn aligned(base: &[&str], new: &[&str]) -> Vec<[Option<usize>; 2]> {
    let before = base.iter().zip(new).take_while(|(one, other)| one == other).count();
    let rests = base[before..].iter().rev().zip(new[before..].iter().rev());
    let after = rests.take_while(|(one, other)| one == other).count();
    let ends = [base.len() - after, new.len() - after];
    let mut rows: Vec<[Option<usize>; 2]> = (0..before).map(|at| [Some(at); 2]).collect();
    let between = between(&base[before..ends[0]], &new[before..ends[1]]);
    rows.extend(between.into_iter().map(|row| row.map(|at| at.map(|at| at + before))));
    rows.extend((0..after).map(|at| ends.map(|end| Some(end + at))));
    rows
}

/// The same without what is equal at both ends.
fn between(base: &[&str], new: &[&str]) -> Vec<[Option<usize>; 2]> {
    let [height, width] = [base, new].map(|side| side.len().min(MOST));
    // How well all from a place of base and one of new on can be paired.
    let mut best = vec![vec![0_u32; width + 1]; height + 1];
    for i in (0..height).rev() {
        for j in (0..width).rev() {
            let paired = likeness(base[i], new[j]).map_or(0, |like| like + best[i + 1][j + 1]);
            best[i][j] = paired.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut rows, mut i, mut j) = (Vec::new(), 0, 0);
    while i < height && j < width {
        let like = likeness(base[i], new[j]);
        if like.is_some_and(|like| best[i][j] == like + best[i + 1][j + 1]) {
            rows.push([Some(i), Some(j)]);
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            rows.push([Some(i), None]);
            i += 1;
        } else {
            rows.push([None, Some(j)]);
            j += 1;
        }
    }
    rows.extend((i..base.len()).map(|at| [Some(at), None]));
    rows.extend((j..new.len()).map(|at| [None, Some(at)]));
    rows
}

/// How much two instructions are alike; `None` if they do different things.
fn likeness(base: &str, new: &str) -> Option<u32> {
    if base == new {
        return Some(3);
    }
    (word(base) == word(new)).then_some(1)
}

fn word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(base: &str, new: &str) -> String {
        let sides = [base, new].map(|side| side.split(", ").collect::<Vec<_>>());
        let rows = aligned(&sides[0], &sides[1]);
        // Each side is whole and in its order.
        for side in [0, 1] {
            let places: Vec<usize> = rows.iter().filter_map(|row| row[side]).collect();
            assert!(places.iter().copied().eq(0..sides[side].len()), "{rows:?}");
        }
        let text = |side: usize, at: Option<usize>| at.map_or("-", |at| sides[side][at]);
        let row = |row: &[Option<usize>; 2]| [0, 1].map(|side| text(side, row[side])).join("|");
        rows.iter().map(row).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn instructions_are_paired_by_their_texts_and_then_by_what_they_do() {
        assert_eq!(shown("a, b, c", "a, x, b, c"), "a|a, -|x, b|b, c|c");
        assert_eq!(shown("a, x, b, c", "a, b, c"), "a|a, x|-, b|b, c|c");
        // A register differs.
        assert_eq!(
            shown("mov a, add 1, ret", "mov b, add 1, ret"),
            "mov a|mov b, add 1|add 1, ret|ret"
        );
        // One equal pair is better than two that are alike.
        assert_eq!(shown("m 1, m 2, m 3", "m 3, m 4"), "m 1|-, m 2|-, m 3|m 3, -|m 4");
        assert_eq!(shown("x, y", "p, q"), "x|-, y|-, -|p, -|q");
    }

    #[test]
    fn very_long_functions_are_whole() {
        let all: Vec<String> = (0..2 * MOST).map(|number| format!("i{number}")).collect();
        let base: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut new = base.clone();
        new.reverse();
        let rows = aligned(&base, &new);
        assert_eq!(rows.iter().filter(|row| row[0].is_some()).count(), base.len());
        assert_eq!(rows.iter().filter(|row| row[1].is_some()).count(), new.len());
        assert_eq!(aligned(&[], &[]), Vec::<[Option<usize>; 2]>::new());
    }
}
