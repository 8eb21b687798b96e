//! The width Δ of a class of distances.

use crate::graph::{Csr, WEIGHT_SAMPLE, Weight, split_limit};

/// A width Δ: distances fall into classes ⌊distance/Δ⌋.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Width<W> {
    delta: W,
    /// log₂ Δ of an integer that is a power of two: a shift is cheaper than a division.
    shift: Option<u32>,
}

impl<W: Weight> Width<W> {
    /// # Panics
    /// If Δ is not above zero.
    pub(crate) fn new(delta: W) -> Self {
        assert!(delta.is_legal() && delta > W::ZERO, "Δ = {delta} is not above zero");
        Self { delta, shift: delta.log2_exact() }
    }

    /// The class of a distance.
    #[inline]
    pub(crate) fn class(&self, key: u32) -> u64 {
        match self.shift {
            Some(shift) => u64::from(key >> shift),
            None => W::from_key(key).quotient(self.delta),
        }
    }
}

/// Classes should be so wide that this many times the mean weight, shared among the arcs that a typical arc meets at
/// its head, spans one. A first guess: Kronecker graphs, the only ones tried, get Δ = 1 with it anyway.
const MEAN_WEIGHTS: f64 = 8.0;

/// What the automatic choices of parameters know of a graph.
#[derive(Debug, Clone)]
pub(crate) struct Profile<W> {
    /// Evenly spaced weights, sorted.
    weights: Vec<W>,
    /// Arcs per vertex that has any.
    mean_degree: f64,
    undirected: bool,
    /// Degree of the vertex at the head of a typical arc: Σ degree² / Σ degree.
    head_degree: f64,
}

impl<W: Weight> Profile<W> {
    pub(crate) fn of(graph: &Csr<W>) -> Self {
        let degrees = || (0..graph.vertices() as u32).map(|v| graph.degree(v) as f64);
        let connected = degrees().filter(|&d| d > 0.0).count();
        let arcs = graph.arcs() as f64;
        let mut weights: Vec<W> = graph.every(graph.arcs().div_ceil(WEIGHT_SAMPLE).max(1));
        weights.sort_unstable_by_key(|weight| weight.to_key());
        Self {
            weights,
            mean_degree: arcs / connected.max(1) as f64,
            undirected: graph.is_undirected(),
            head_degree: degrees().map(|d| d * d).sum::<f64>() / arcs.max(1.0),
        }
    }

    /// The largest weight of light arcs, if rows are whole: the rule of [`Csr::build`].
    pub(crate) fn limit(&self) -> W {
        if self.undirected {
            split_limit(self.weights.clone(), self.mean_degree)
        } else {
            W::INFINITE
        }
    }

    /// Δ = 8 · (mean weight) / (degree at the head of a typical arc), rounded down to a power of two for integers,
    /// and at least the smallest positive weight that was seen.
    ///
    /// Vertices that many arcs lead to have distances close to one another, and narrow classes then keep their order;
    /// where few arcs meet, wide classes make enough work for all threads.
    pub(crate) fn delta(&self) -> W {
        let positive = || self.weights.iter().copied().filter(|&weight| weight > W::ZERO);
        let mean = positive().map(W::to_real).sum::<f64>() / positive().count().max(1) as f64;
        let wanted = W::width(MEAN_WEIGHTS * mean / self.head_degree.max(1.0));
        let least = positive().next().unwrap_or(wanted);
        if wanted > W::ZERO { wanted } else { least }
    }
}
