//! Every kernel names what it counts, and what the registered functions count is what the originals count.

use std::collections::BTreeMap;

use plusminus::__private::{Entry, Subject, VariantSubject, inventory};
use plusminus_suite::imsuite::Kernel;

const TABLE: &str = include_str!("../data/imsuite_counts.txt");

/// The registered variants of IMSuite, by their path in the suite.
fn variants() -> BTreeMap<String, &'static VariantSubject> {
    // Naming the suite makes the linker include it.
    assert_eq!(Kernel::ALL.len(), 12);
    let entries = inventory::iter::<Entry>();
    let variant = |entry: &'static Entry| {
        let module = entry.module.strip_prefix("plusminus_suite::imsuite::")?;
        match &entry.subject {
            Subject::Variant(variant) => Some((format!("{module}::{}", entry.name), variant)),
            _ => None,
        }
    };
    entries.into_iter().filter_map(variant).collect()
}

/// The counts of the first instance of a point, by name.
fn counts(variant: &VariantSubject, point: &str) -> BTreeMap<String, f64> {
    let points = (variant.problem.points)();
    let index = points.iter().position(|other| other.names == [point]).expect("the point is swept");
    let loaded = (variant.problem.load)(index);
    let tally = variant.tally.expect("it names what it counts");
    let tallies = tally(loaded.data(), 0);
    for tally in &tallies {
        let sum: f64 = tally.per_round.iter().sum();
        assert!(tally.per_round.is_empty() || tally.total == sum, "{}", tally.name);
    }
    tallies.into_iter().map(|tally| (tally.name, tally.total)).collect()
}

#[test]
fn all_48_kernels_name_what_they_count() {
    let variants = variants();
    assert_eq!(variants.len(), 48, "{:?}", variants.keys());
    for (name, variant) in &variants {
        let point = (variant.problem.points)()[0].names[0].clone();
        let counts = counts(variant, &point);
        let tasks = counts["tasks"];
        assert_eq!(tasks == 0.0, name.ends_with("::serial"), "{name}: {counts:?}");
        let barriers = counts["barriers"];
        assert_eq!(barriers > 0.0, name.ends_with("::clocked"), "{name}: {counts:?}");
        assert!(counts["remote at 64 places"] > 0.0, "{name}: {counts:?}");
        // The recursive search has no rounds: its tasks run when they can.
        let rounds = name.starts_with("recursive::bf::") || counts["rounds"] >= 1.0;
        assert!(rounds, "{name}: {counts:?}");
    }
}

/// The kernels whose benchmarks run the original's algorithm, on the original's whole input (the first instance of
/// searches is the original's root). Their tallies are the rows of the table of original counts for 64 nodes, a place
/// each. The others are repaired, and count what the repaired algorithm does.
#[test]
fn registered_tallies_are_the_counts_of_the_originals() {
    let variants = variants();
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(' ').collect();
        let same = ["BF", "DST", "DP", "HS", "LCR", "MST"].contains(&cells[0]);
        if !same || cells[1] != "64" {
            continue;
        }
        let point = if cells[2] == "ring" { "ring-64" } else { &format!("{}-64", cells[2]) };
        let comm = cells[8..].iter().find_map(|cell| cell.strip_prefix("64=")).expect("UP");
        let (comm_fa, comm_fac) = comm.split_once(',').expect("FA,FAC");
        for (style, comm, joins) in
            [("fork_join", comm_fa, cells[3]), ("clocked", comm_fac, cells[4])]
        {
            let name = format!("{}::{style}", cells[0].to_lowercase());
            let counts = counts(variants[&name], point);
            let equal = |found: f64, cell: &str| {
                cell == "-" || found == cell.parse::<f64>().expect("a number")
            };
            let shifts = counts["remote at 64 places"] + counts["control at 64 places"];
            assert!(equal(shifts, comm), "{name} of {line}: {counts:?}");
            assert!(equal(counts["joins"], joins), "{name} of {line}: {counts:?}");
            assert!(equal(counts["mutex"], cells[6]), "{name} of {line}: {counts:?}");
            assert!(equal(counts["messages"], cells[7]), "{name} of {line}: {counts:?}");
            rows += 1;
        }
    }
    assert_eq!(rows, 20, "four kernels on two networks and two on a ring, FA and FAC each");
}
