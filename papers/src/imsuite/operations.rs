//! Figure 7: the dynamic finish and async operations and the barriers of the kernels.

use super::{
    Known,
    facts::{labels, with},
    figure_8::FIGURE_8,
    of,
};
use crate::fact::Facts;

/// Nodes of the inputs whose counts are compared.
const NODES: f64 = 64.0;
/// log n.
const LOG_NODES: f64 = 6.0;

/// Dynamic finish operations and barriers that figure 7 gives as formulas of n alone: kernel, style, count, and the value.
const FORMULAS: [(&str, &str, &str, f64); 7] = [
    ("dr", "fork_join", "joins", 1.0),
    ("lcr", "fork_join", "joins", 2.0 * NODES + 1.0),
    ("lcr", "clocked", "joins", NODES + 1.0),
    ("lcr", "clocked", "barriers", NODES + 1.0),
    ("hs", "fork_join", "joins", LOG_NODES * (6.0 * NODES + 1.0) + 1.0),
    ("hs", "clocked", "joins", 1.0 + LOG_NODES * (2.0 * NODES + 1.0)),
    ("hs", "clocked", "barriers", 4.0 * NODES * LOG_NODES),
];

/// Figure 7: what its formulas have in common, and those without properties of the network.
pub(super) fn operations(facts: &mut Facts, cases: &[Known<'_>]) {
    for (kernel, _) in FIGURE_8 {
        let total = |style, name| of(cases, kernel, style, false, name).map(|one| one.total);
        for style in ["fork_join", "clocked"] {
            if let Some((tasks, joins)) = total(style, "tasks").zip(total(style, "joins")) {
                facts.add("async over finish operations", &labels(kernel, style), tasks / joins);
            }
        }
        let own = vec![("kernel", kernel.to_uppercase())];
        if let Some((fac, fa)) = total("clocked", "joins").zip(total("fork_join", "joins")) {
            facts.add("finish operations of FAC over those of FA", &own, fac / fa);
            if let Some(barriers) = total("clocked", "barriers") {
                let over = (fac + barriers) / fa;
                facts.add("finish operations and barriers of FAC over finish of FA", &own, over);
            }
        }
    }
    for (kernel, style, name, value) in FORMULAS {
        if let Some(found) = of(cases, kernel, style, false, name) {
            let labels = with(&labels(kernel, style), &[("count", name.to_owned())]);
            facts.add("count over the formula's value", &labels, found.total / value);
        }
    }
}
