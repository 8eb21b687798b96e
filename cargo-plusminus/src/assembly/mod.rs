//! The machine code of changed functions, side by side: instructions of base and new, aligned by their operations rather than
//! by their addresses. Takes the bytes of two programs for x86-64, and gives texts for a record.

mod align;
mod decode;

use std::{collections::HashSet, path::Path};

use plusminus::record::{ChangedFunction, Listing, ListingRow};
use plusminus_same_code::Change;

use decode::Instruction;

use crate::changed_function::kept;

/// Functions that are looked up, and those of them that are listed.
const LOOKED_UP: usize = 30;
const LISTED: usize = 10;

/// Rows of all functions together, and of each: a page of three explanations stays below 1 MB.
const ROWS: usize = 800;
const ROWS_OF_EACH: usize = 400;

/// Rows without a difference that are listed before and after one with.
const AROUND: usize = 3;

/// Returns the instructions of the first functions that have different ones, by their symbols in both programs. `tops` are the
/// folders of the sources of base and new.
pub(crate) fn listings(
    programs: [&[u8]; 2],
    changes: &[&Change],
    tops: [&Path; 2],
) -> Vec<Listing> {
    let changes = &changes[..changes.len().min(LOOKED_UP)];
    let symbols: HashSet<&str> = changes.iter().map(|change| change.symbol.as_str()).collect();
    let found = [0, 1].map(|side| decode::functions(programs[side], &symbols, tops[side]));
    let (mut listings, mut left) = (Vec::new(), ROWS);
    for change in changes {
        let sides = found.each_ref().map(|side| side.get(&change.symbol));
        let sides = sides.map(|side| side.map_or(&[][..], Vec::as_slice));
        let Some(listing) = listing(kept(change), sides, left.min(ROWS_OF_EACH)) else { continue };
        left -= listing.rows.len();
        listings.push(listing);
        if left == 0 || listings.len() == LISTED {
            break;
        }
    }
    listings
}

/// The listing of a function with at most this number of rows; `None` if no instruction differs.
fn listing(function: ChangedFunction, sides: [&[Instruction]; 2], most: usize) -> Option<Listing> {
    let texts = sides.map(|side| side.iter().map(|one| one.text.as_str()).collect::<Vec<&str>>());
    let pairs = align::aligned(&texts[0], &texts[1]);
    let mut numbers = sides.map(|side| vec![0; side.len()]);
    for (number, pair) in (1_usize..).zip(&pairs) {
        for (numbers, at) in numbers.iter_mut().zip(pair) {
            at.iter().for_each(|&at| numbers[at] = number);
        }
    }
    let text = |side: usize, at: usize| {
        let Instruction { text, jump, .. } = &sides[side][at];
        jump.map_or_else(|| text.clone(), |to| format!("{text} {}", numbers[side][to]))
    };
    let row = |pair: &[Option<usize>; 2]| [0, 1].map(|side| pair[side].map(|at| text(side, at)));
    let all: Vec<[Option<String>; 2]> = pairs.iter().map(row).collect();
    let differs: Vec<bool> = all.iter().map(|[base, new]| base != new).collect();
    let is_near = |at: usize| {
        let end = differs.len().min(at + AROUND + 1);
        differs[at.saturating_sub(AROUND)..end].contains(&true)
    };
    let rows_in_all = all.len();
    let mut rows: Vec<ListingRow> = Vec::new();
    let mut before: [Option<&str>; 2] = [None; 2];
    let near = all.into_iter().enumerate().filter(|(at, _)| is_near(*at));
    for (at, [base, new]) in near.take(most) {
        if rows.last().is_some_and(|last| last.number < at) {
            before = [None; 2];
        }
        let [base_source, new_source] = [0, 1].map(|side| {
            let source = pairs[at][side].and_then(|index| sides[side][index].source.as_deref())?;
            (before[side].replace(source) != Some(source)).then(|| source.to_owned())
        });
        rows.push(ListingRow { number: at + 1, base, new, base_source, new_source });
    }
    let differing_in_all = differs.iter().filter(|differs| **differs).count();
    (differing_in_all > 0).then_some(Listing { function, rows_in_all, differing_in_all, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions as `text@source` or `text>place`, which goes to the instruction at this place.
    fn instructions(texts: &[&str]) -> Vec<Instruction> {
        let of = |text: &&str| {
            let (text, source) = text.split_once('@').unwrap_or((text, ""));
            let (text, jump) = text.split_once('>').unwrap_or((text, ""));
            let source = (!source.is_empty()).then(|| source.to_owned());
            Instruction { text: text.to_owned(), jump: jump.parse().ok(), source }
        };
        texts.iter().map(of).collect()
    }

    fn listed(base: &[&str], new: &[&str], most: usize) -> Option<Listing> {
        let function =
            ChangedFunction { how: "changed".to_owned(), name: "f".to_owned(), place: None };
        listing(function, [&instructions(base), &instructions(new)], most)
    }

    fn shown(listing: &Listing) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let row =
            |row: &ListingRow| format!("{} {}|{}", row.number, text(&row.base), text(&row.new));
        listing.rows.iter().map(row).collect()
    }

    #[test]
    fn a_jump_to_the_same_place_is_the_same_wherever_that_is() {
        let base = ["xor eax, eax", "add eax, 1", "jne row>1", "ret"];
        let new = ["xor eax, eax", "nop", "add eax, 1", "jne row>2", "ret"];
        let listing = listed(&base, &new, 9).unwrap();
        let rows = ["1 xor eax, eax|xor eax, eax", "2 -|nop", "3 add eax, 1|add eax, 1"];
        assert_eq!(shown(&listing)[..3], rows);
        assert_eq!(shown(&listing)[3..], ["4 jne row 3|jne row 3", "5 ret|ret"]);
        assert_eq!((listing.rows_in_all, listing.differing_in_all), (5, 1));
        // One that goes elsewhere differs.
        let elsewhere = ["xor eax, eax", "nop", "add eax, 1", "jne row>1", "ret"];
        assert_eq!(listed(&base, &elsewhere, 9).unwrap().differing_in_all, 2);
        assert_eq!(listed(&base, &base, 9), None);
    }

    #[test]
    fn rows_far_from_a_difference_are_left_out_and_sources_said_again_behind_them() {
        let mut base = vec!["inc eax@a:1"; 30];
        base[0] = "mov eax, 1@a:1";
        let mut new = base.clone();
        (new[0], new[29]) = ("mov eax, 2@a:1", "dec eax@a:1");
        let listing = listed(&base, &new, 99).unwrap();
        let numbers: Vec<usize> = listing.rows.iter().map(|row| row.number).collect();
        assert_eq!((&numbers[..4], numbers.len()), (&[1, 2, 3, 4][..], 9));
        let said: Vec<usize> = listing
            .rows
            .iter()
            .filter(|row| row.base_source.as_deref() == Some("a:1"))
            .map(|row| row.number)
            .collect();
        assert_eq!(said, [1, numbers[4]]);
        let short = listed(&base, &new, 2).unwrap();
        assert_eq!((short.rows.len(), short.differing_in_all), (2, listing.differing_in_all));
    }

    #[test]
    fn a_function_that_one_side_has_is_listed_alone() {
        let listing = listed(&[], &["ret"], 9).unwrap();
        assert_eq!(shown(&listing), ["1 -|ret"]);
    }

    #[test]
    fn programs_that_are_not_understood_have_no_listing() {
        let change = Change {
            how: plusminus_same_code::How::Changed,
            name: "f".to_owned(),
            symbol: "f".to_owned(),
            place: None,
        };
        let found = listings([b"no program", b""], &[&change], [Path::new("/"); 2]);
        assert_eq!(found, []);
    }
}
