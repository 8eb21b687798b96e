//! Which benchmark of one version is which of the other. Names decide; places in the source explain the rest.

use std::{cmp::Reverse, collections::BTreeMap};

use plusminus::engine::CaseDescription;

/// The benchmarks of two versions, side by side.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Matching {
    /// In both: base and new.
    pub(crate) common: Vec<(CaseDescription, CaseDescription)>,
    /// Only in new.
    pub(crate) added: Vec<String>,
    /// Only in base.
    pub(crate) removed: Vec<String>,
    /// At the same place in the source, under two names: from and to. Not compared, as a place proves nothing.
    pub(crate) renamed: Vec<(String, String)>,
}

/// Matches by name. Unmatched benchmarks at the same place were probably renamed.
pub(crate) fn match_cases(base: Vec<CaseDescription>, new: Vec<CaseDescription>) -> Matching {
    let mut matching = Matching::default();
    let mut old: BTreeMap<String, CaseDescription> =
        base.into_iter().map(|case| (case.name.clone(), case)).collect();
    let mut unknown = Vec::new();
    for case in new {
        match old.remove(&case.name) {
            Some(before) => matching.common.push((before, case)),
            None => unknown.push(case),
        }
    }
    for case in unknown {
        let same_place = |before: &&CaseDescription| {
            (&before.file, before.line, &before.point, before.processors, before.threads)
                == (&case.file, case.line, &case.point, case.processors, case.threads)
        };
        // Of several at one line, the one whose name ends alike: it is the beginning that a group or a function gives.
        let here = old.values().filter(same_place).map(|before| &before.name);
        match here.min_by_key(|before| Reverse(common_ending(before, &case.name))).cloned() {
            Some(before) => {
                old.remove(&before);
                matching.renamed.push((before, case.name));
            }
            None => matching.added.push(case.name),
        }
    }
    matching.removed = old.into_keys().collect();
    matching
}

/// The number of bytes at the end that two names have in common.
fn common_ending(a: &str, b: &str) -> usize {
    a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, line: u32, point: &str) -> CaseDescription {
        CaseDescription {
            name: name.to_owned(),
            krate: "k".to_owned(),
            function: name.to_owned(),
            point: point.to_owned(),
            file: "benches/a.rs".to_owned(),
            line,
            processors: 1,
            threads: 1,
            ..CaseDescription::default()
        }
    }

    #[test]
    fn names_decide_and_places_explain() {
        let base = vec![case("stays", 1, ""), case("old_name", 9, ""), case("gone", 20, "")];
        let new = vec![case("new_name", 9, ""), case("stays", 5, ""), case("fresh", 30, "")];
        let matching = match_cases(base, new);
        assert_eq!(matching.common.len(), 1);
        assert_eq!((matching.common[0].0.line, matching.common[0].1.line), (1, 5));
        assert_eq!(matching.renamed, [("old_name".to_owned(), "new_name".to_owned())]);
        assert_eq!(matching.added, ["fresh"]);
        assert_eq!(matching.removed, ["gone"]);
    }

    #[test]
    fn of_a_renamed_group_each_benchmark_finds_its_own() {
        let of = |group: &str| ["64", "500"].map(|id| case(&format!("{group}/String/{id}"), 9, ""));
        let matching = match_cases(of("access").into(), of("eq").into());
        let renamed =
            ["64", "500"].map(|id| (format!("access/String/{id}"), format!("eq/String/{id}")));
        assert_eq!(matching.renamed, renamed);
    }

    #[test]
    fn every_point_of_a_renamed_benchmark_finds_its_own() {
        let base = vec![case("old::1", 9, "1"), case("old::2", 9, "2")];
        let new = vec![case("new::2", 9, "2"), case("new::1", 9, "1"), case("new::3", 9, "3")];
        let matching = match_cases(base, new);
        let pairs: Vec<(&str, &str)> =
            matching.renamed.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(pairs, [("old::2", "new::2"), ("old::1", "new::1")]);
        assert_eq!(matching.added, ["new::3"]);
    }
}
