//! Which cases stand at the same point of a sweep, whatever their number of processors.

use std::collections::BTreeMap;

use super::Placed;
use crate::record::CaseRecord;
use plusminus_worker::order::{order, sorted};

/// Returns a number for each case, which is equal for cases of the same problem at the same point.
///
/// The name of a point may contain its number of processors, so that the same point on other processors has a
/// different name: a part `p2` or `p=2` of it is skipped. Else points of one size belong together across processors if
/// there are equally many of them with each number: the first with the first, and so on, in the order of the sweep.
/// Otherwise only the same name is the same point.
pub(super) fn places(all: &[Placed<'_>]) -> Vec<usize> {
    let order = order(all.len(), &|a, b| sweep(all[a].case).cmp(&sweep(all[b].case)));
    let names: Vec<String> = all.iter().map(|one| without_processors(one.case)).collect();
    let mut places = vec![0; all.len()];
    let mut next = 0;
    for group in order.chunk_by(|&a, &b| sweep(all[a].case) == sweep(all[b].case)) {
        next = number(all, &names, group, next, &mut places);
    }
    places
}

/// Problem, callers and size: what the points of one sweep over processors share. A function on its own is a problem.
fn sweep(case: &CaseRecord) -> (&str, usize, Option<u64>) {
    let problem = case.problem.as_deref().unwrap_or(&case.function);
    (problem, case.threads, case.size.map(f64::to_bits))
}

/// The name of a point without its number of processors.
fn without_processors(case: &CaseRecord) -> String {
    let number = [format!("p{}", case.processors), format!("p={}", case.processors)];
    let is_other =
        |part: &&str| !number.iter().any(|own| part.trim_end_matches(['-', ',', '_']) == own);
    case.point.split_inclusive(['-', ',', '_']).filter(is_other).collect()
}

/// Numbers the points of one sweep, from `next` on. Answers the number after the last.
fn number(
    all: &[Placed<'_>],
    own: &[String],
    group: &[usize],
    next: usize,
    places: &mut [usize],
) -> usize {
    let point = |index: usize| own[index].as_str();
    let processors = |index: usize| all[index].case.processors;
    // Each (processors, point) once, with its first place in the order of the source.
    let by_point = |index: usize| (processors(index), point(index), index);
    let mut points = sorted(group, &|&a, &b| by_point(a).cmp(&by_point(b)));
    points.dedup_by_key(|index| (processors(*index), point(*index)));
    let by_place = |index: usize| (processors(index), index);
    let points = sorted(&points, &|&a, &b| by_place(a).cmp(&by_place(b)));
    let columns: Vec<&[usize]> = points.chunk_by(|&a, &b| processors(a) == processors(b)).collect();
    let names: Vec<&str> = points.iter().map(|&index| point(index)).collect();
    let mut names = sorted(&names, &Ord::cmp);
    names.dedup();
    // Where every name occurs with every number of processors, the names are the points.
    let by_name = all[group[0]].case.size.is_none()
        || columns.iter().all(|column| column.len() == names.len())
        || columns.iter().any(|column| column.len() != columns[0].len());
    let mut ranks = BTreeMap::new();
    for column in &columns {
        for (rank, &index) in column.iter().enumerate() {
            let by_its_name = names.binary_search(&point(index)).unwrap_or(rank);
            let rank = if by_name { by_its_name } else { rank };
            ranks.insert((processors(index), point(index)), rank);
        }
    }
    for &index in group {
        places[index] = next + ranks[&(processors(index), point(index))];
    }
    next + names.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plusminus_worker::json::FromJson;

    fn case(point: &str, processors: usize) -> CaseRecord {
        CaseRecord {
            name: format!("sort::{point}"),
            function: "sort".to_owned(),
            problem: Some("Sorting".to_owned()),
            point: point.to_owned(),
            size: Some(100.0),
            processors,
            ..CaseRecord::blank()
        }
    }

    fn places_of(points: &[(&str, usize)]) -> Vec<usize> {
        let cases: Vec<CaseRecord> = points.iter().map(|&(name, p)| case(name, p)).collect();
        let placed: Vec<Placed<'_>> =
            cases.iter().map(|case| Placed { case, time: None, record: 0, table: 0 }).collect();
        places(&placed)
    }

    #[test]
    fn a_point_is_the_same_whatever_its_number_of_processors() {
        // The points of the second number stand in another order, and one of them is missing.
        let found = places_of(&[("a-p1", 1), ("b-p1", 1), ("c-p1", 1), ("b-p2", 2), ("a-p2", 2)]);
        assert_eq!(found[0], found[4], "{found:?}");
        assert_eq!(found[1], found[3], "{found:?}");
        assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2], "{found:?}");
        let parts = places_of(&[("p=1,uniform", 1), ("p=1,star", 1), ("p=2,star", 2)]);
        assert!(parts[1] == parts[2] && parts[0] != parts[1], "{parts:?}");
    }

    #[test]
    fn the_number_of_something_else_stays_part_of_the_name() {
        // Neither is `p4` one of two processors, nor `p20` one of twenty where it has two.
        let found = places_of(&[("p4-p2", 2), ("p8-p2", 2), ("p20", 2), ("p4-p1", 1)]);
        assert_eq!(found[0], found[3], "{found:?}");
        assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2], "{found:?}");
    }
}
