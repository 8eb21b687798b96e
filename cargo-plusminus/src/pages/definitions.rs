//! What the words and columns of a page mean: each number of a page leads to one of these.

/// A word with its meaning.
#[derive(Debug)]
pub(crate) struct Definition {
    /// A part of the address within the page.
    pub(crate) id: &'static str,
    pub(crate) term: &'static str,
    pub(crate) text: &'static str,
}

const fn definition(id: &'static str, term: &'static str, text: &'static str) -> Definition {
    Definition { id, term, text }
}

/// All of them, in the order in which a page lists them.
pub(crate) const ALL: [Definition; 18] = [
    definition(
        "sample",
        "sample",
        "The wall time of a number of calls between two readings of the clock, divided by that number.",
    ),
    definition(
        "run",
        "runs",
        "Fresh processes that measured the benchmark. The run is the unit of replication: samples within one process \
         are not independent of each other.",
    ),
    definition(
        "time",
        "time ± σ",
        "The time of one call: the median of the samples of each instance in each run, averaged over the instances, and \
         then over the runs. σ is the standard uncertainty of that mean, from how much the runs differ (n − 1 degrees of \
         freedom), with what the clock and resembling neighbours add.",
    ),
    definition(
        "interval",
        "95 % interval",
        "A range made so that 95 of 100 such ranges contain the true value, if runs are independent. Where runs were added \
         until something was decided, it holds after any number of them.",
    ),
    definition(
        "spread",
        "spread",
        "The standard deviation of single instances in single runs. It does not shrink with more runs, and is no \
         uncertainty of the time.",
    ),
    definition("rsu", "RSU", "Relative standard uncertainty: σ of the time divided by the time."),
    definition("rate", "rate", "The work that a call is said to do, per second of its time."),
    definition(
        "speedup",
        "S ± σ",
        "The time of the baseline divided by that of the variant: 2 means twice as fast. σ uses that the same processes \
         measured both, where they did.",
    ),
    definition(
        "real",
        "real S",
        "The speedup over the fastest variant that was measured on one processor at the same point.",
    ),
    definition(
        "relative",
        "relative S",
        "The speedup of a variant on p processors over the same variant on one.",
    ),
    definition(
        "efficiency",
        "efficiency",
        "Speedup divided by the number of processors; never cut off at 1.",
    ),
    definition(
        "overhead",
        "overhead",
        "T_o = p·T − ω: the time of all processors together beyond that of the sequential program. Below 0 where the speedup \
         is more than p.",
    ),
    definition(
        "verdict",
        "verdict",
        "faster or slower: proven, at the stated α, that the time changed. within ±2 %: proven that it changed by no more \
         than the margin. inconclusive: neither is proven.",
    ),
    definition("margin", "margin", "The largest relative change that counts as none."),
    definition(
        "detectable",
        "detectable change",
        "The smallest change that a measurement with this uncertainty finds in 4 of 5 cases.",
    ),
    definition(
        "block",
        "blocks",
        "Fresh pairs of processes, one of each version, whose samples were taken in turns.",
    ),
    definition(
        "change",
        "change",
        "The time of the new version over that of the base, less 1: +5 % takes longer.",
    ),
    definition(
        "pc",
        "PC_a",
        "Performance Complexity: the mean absolute error of a fitted model on the logarithmic scale, as a factor less 1. 0 \
         means that the model tells the performance exactly.",
    ),
];

/// The definition that belongs to the title of a column.
pub(crate) fn of(title: &str) -> Option<&'static Definition> {
    let aliases = [("speedup S ± σ", "S ± σ"), ("base ± σ", "time ± σ"), ("new ± σ", "time ± σ")];
    let title = aliases.iter().find(|(alias, _)| *alias == title).map_or(title, |(_, term)| term);
    let is_rate = title.ends_with("/s");
    ALL.iter().find(|known| known.term == title || (is_rate && known.id == "rate"))
}
