//! Figure 7: the dynamic finish and async operations and the barriers of the kernels, by their formulas.

use super::{
    Known,
    facts::{labels, with},
    figure_8::FIGURE_8,
    of,
};
use crate::fact::Facts;

/// Nodes of the inputs whose counts are compared, their logarithm, and K.
const NODES: f64 = 64.0;
const LOG_NODES: f64 = 6.0;
const K: f64 = 3.0;
/// log* n of 64 nodes: 64, 6, 2.58, 1.37, 0.45.
const LOG_STAR: f64 = 4.0;

/// Properties of a network in the formulas.
#[derive(Clone, Copy, Default)]
struct Network {
    diameter: f64,
    degree: f64,
    edges: f64,
}

/// A formula of figure 7: kernel, style, count, whether it bounds the count instead of being it, and its value.
type Formula = (&'static str, &'static str, &'static str, bool, fn(Network) -> f64);

/// The dynamic finish operations and barriers. Where a logarithm of the network is in a formula, the number of rounds
/// depends on random draws or on weights, and the formula bounds it.
const FORMULAS: [Formula; 34] = [
    ("bf", "fork_join", "joins", false, |of| 2.0 * of.diameter),
    ("bf", "clocked", "joins", false, |of| of.diameter),
    ("bf", "clocked", "barriers", false, |of| of.diameter),
    ("dst", "fork_join", "joins", false, |of| (3.0 * of.diameter + 9.0) * of.diameter / 2.0),
    ("dst", "clocked", "joins", false, |of| (of.diameter + 3.0) * of.diameter),
    ("dst", "clocked", "barriers", false, |of| (of.diameter + 3.0) * of.diameter / 2.0),
    ("by", "fork_join", "joins", false, |of| (NODES / 8.0 + 1.0) * (2.0 * of.diameter + 1.0)),
    ("by", "clocked", "joins", false, |of| (NODES / 8.0 + 1.0) * (of.diameter + 1.0)),
    ("by", "clocked", "barriers", false, |of| (NODES / 8.0 + 1.0) * of.diameter),
    ("dr", "fork_join", "joins", false, |_| 1.0),
    ("ds", "fork_join", "joins", true, |of| 9.0 * of.degree.log2().powi(2) * LOG_NODES),
    ("ds", "clocked", "joins", true, |of| of.degree.log2().powi(2) * LOG_NODES),
    ("ds", "clocked", "barriers", true, |of| 8.0 * of.degree.log2().powi(2) * LOG_NODES),
    ("kc", "fork_join", "joins", false, |_| 5.0 * K * K),
    ("kc", "clocked", "joins", false, |_| 2.0 * K * K + 3.0 * K),
    ("kc", "clocked", "barriers", false, |_| 3.0 * K * K + 3.0 * K),
    ("dp", "fork_join", "joins", false, |of| 8.0 * of.diameter),
    ("dp", "clocked", "joins", false, |of| 2.0 * of.diameter),
    ("dp", "clocked", "barriers", false, |of| 6.0 * of.diameter),
    ("hs", "fork_join", "joins", false, |_| LOG_NODES * (6.0 * NODES + 1.0) + 1.0),
    ("hs", "clocked", "joins", false, |_| 1.0 + LOG_NODES * (2.0 * NODES + 1.0)),
    ("hs", "clocked", "barriers", false, |_| 4.0 * NODES * LOG_NODES),
    ("lcr", "fork_join", "joins", false, |_| 2.0 * NODES + 1.0),
    ("lcr", "clocked", "joins", false, |_| NODES + 1.0),
    ("lcr", "clocked", "barriers", false, |_| NODES + 1.0),
    ("mis", "fork_join", "joins", true, |of| (3.0 * log_4_3(of.edges) + 1.0) * 4.0 + 1.0),
    ("mis", "clocked", "joins", true, |of| 3.0 * log_4_3(of.edges) + 2.0),
    ("mis", "clocked", "barriers", true, |of| 3.0 * (1.0 + 3.0 * log_4_3(of.edges))),
    ("mst", "fork_join", "joins", true, |of| LOG_NODES * (3.0 * of.diameter + 11.0)),
    ("mst", "clocked", "joins", true, |of| LOG_NODES * (2.0 * of.diameter + 6.0)),
    ("mst", "clocked", "barriers", true, |of| LOG_NODES * (2.0 * of.diameter + 7.0)),
    ("vc", "fork_join", "joins", true, |_| 2.0 * LOG_STAR + 9.0),
    ("vc", "clocked", "joins", true, |_| LOG_STAR + 6.0),
    ("vc", "clocked", "barriers", true, |_| LOG_STAR + 3.0),
];

fn log_4_3(edges: f64) -> f64 {
    edges.ln() / (4.0_f64 / 3.0).ln()
}

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
    for (kernel, style, name, bounds, value) in FORMULAS {
        let total = |name| of(cases, kernel, style, false, name).map(|one| one.total);
        let Some(found) = total(name) else { continue };
        let network = || {
            let (diameter, degree) = (total("diameter")?, total("largest degree")?);
            Some(Network { diameter, degree, edges: total("edges")? })
        };
        // Rings and trees have formulas of n alone.
        let value = value(network().unwrap_or_default());
        let quantity = if bounds {
            "count over the formula's bound"
        } else {
            "count over the formula's value"
        };
        if value > 0.0 {
            let labels = with(&labels(kernel, style), &[("count", name.to_owned())]);
            facts.add(quantity, &labels, found / value);
        }
    }
    super::sources::statements(facts);
}
