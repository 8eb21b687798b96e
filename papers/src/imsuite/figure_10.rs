//! Figure 10: what recursive kernels count, next to the paper's numbers.

use super::{
    COMM, Known,
    facts::{labels, with},
    figure_8::{FIGURE_8, printed},
    of,
};
use crate::fact::Facts;

/// The counts of a cell, in the order of the figure.
const COUNTS: [&str; 5] = ["tasks", "joins", COMM, "mutex", "barriers"];

/// Kernel, style, and the counts in Mn-In and Mx-In.
type Row = (&'static str, &'static str, [[&'static str; 5]; 2]);

/// Figure 10 of the paper, 64 nodes and places. Thousands are those of BY.
pub(crate) const FIGURE_10: [Row; 8] = [
    ("bf", FA, [["252", "128", "317", "317", "-"], ["2824", "240", "2945", "2945", "-"]]),
    ("dst", FA, [["2201", "256", "2721", "189", "-"], ["1092", "151", "2569", "1279", "-"]]),
    ("by", FA, [["73K", "36K", "74K", "109K", "-"], ["435K", "36K", "442K", "478K", "-"]]),
    ("dr", FA, [["3476", "375", "12469", "0", "-"], ["3699", "279", "12373", "0", "-"]]),
    ("mst", FA, [["1872", "258", "15341", "255", "-"], ["1870", "345", "16460", "255", "-"]]),
    ("bf", FAC, [["126", "64", "317", "317", "64"], ["1615", "140", "3371", "3371", "140"]]),
    ("dst", FAC, [["1689", "248", "2217", "189", "8"], ["836", "147", "2317", "1279", "4"]]),
    ("mst", FAC, [["528", "237", "14026", "255", "21"], ["526", "324", "15159", "255", "21"]]),
];

const FA: &str = "recursive_fork_join";
const FAC: &str = "recursive_clocked";

/// The counts here less the paper's, and what its sentences are about.
pub(super) fn recursions(facts: &mut Facts, cases: &[Known<'_>]) {
    counts(facts, cases);
    ratios(facts, cases);
}

fn counts(facts: &mut Facts, cases: &[Known<'_>]) {
    for (kernel, style, inputs) in FIGURE_10 {
        for (cells, (shape, sparse)) in inputs.iter().zip([("Mn-In", true), ("Mx-In", false)]) {
            for (cell, name) in cells.iter().zip(COUNTS) {
                let (paper, rounding) = printed(cell);
                let here = of(cases, kernel, style, sparse, name).map(|tally| tally.total);
                let Some((paper, here)) = paper.zip(here) else { continue };
                let less = here - paper;
                let less = if less.abs() <= rounding { 0.0 } else { less };
                let more = [("shape", shape.to_owned()), ("count", name.to_owned())];
                let own = with(&labels(kernel, style), &more);
                facts.add("recursive count less the paper's", &own, less);
            }
        }
    }
}

fn ratios(facts: &mut Facts, cases: &[Known<'_>]) {
    for (kernel, _) in FIGURE_8 {
        for style in [FA, FAC] {
            let total = |name, sparse| of(cases, kernel, style, sparse, name).map(|one| one.total);
            let own = labels(kernel, style);
            if let Some((tasks, joins)) = total("tasks", false).zip(total("joins", false)) {
                facts.add("tasks of a join of a recursion", &own, tasks / joins);
            }
            for sparse in [true, false] {
                if let Some((mutex, comm)) = total("mutex", sparse).zip(total(COMM, sparse)) {
                    let shape = if sparse { "Mn-In" } else { "Mx-In" };
                    let labels = with(&own, &[("shape", shape.to_owned())]);
                    facts.add("mutex operations over communication", &labels, mutex / comm);
                }
            }
            if let Some((dense, sparse)) = total("mutex", false).zip(total("mutex", true)) {
                facts.add("mutex operations in Mx-In over those in Mn-In", &own, dense / sparse);
            }
        }
    }
}
