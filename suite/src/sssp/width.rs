//! The width Δ of a class of distances.

use crate::graph::{Csr, Degrees, VertexId, WEIGHT_SAMPLE, Weight, split_limit};

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
/// its head, spans one. Searches of grids take a tenth less than with four times as wide classes; to random graphs it makes
/// little difference, and Kronecker graphs get Δ = 1 in any case.
const MEAN_WEIGHTS: f64 = 0.75;

/// The facts about a graph that decide the automatic parameters.
#[derive(Debug, Clone)]
pub(crate) struct Profile<W> {
    /// Evenly spaced weights.
    weights: Vec<W>,
    degrees: Degrees,
    undirected: bool,
}

impl<W: Weight> Profile<W> {
    pub(crate) fn of<V: VertexId>(graph: &Csr<W, V>) -> Self {
        Self {
            weights: graph.every(graph.arcs().div_ceil(WEIGHT_SAMPLE).max(1)),
            degrees: Degrees::of_rows(graph.rows().offsets()),
            undirected: graph.is_undirected(),
        }
    }

    pub(crate) fn degrees(&self) -> Degrees {
        self.degrees
    }

    /// The largest weight of light arcs, if rows are whole: the rule of [`Csr::build`].
    pub(crate) fn limit(&self) -> W {
        if self.undirected { split_limit(self.weights.clone(), &self.degrees) } else { W::INFINITE }
    }

    /// Δ = ¾ · (mean weight) / (arcs that lead on from the head of a typical arc), rounded down to a power of two for
    /// integers, and at least the smallest positive weight that was seen.
    ///
    /// Vertices that many arcs lead to have distances close to one another, and narrow classes then keep their order;
    /// where few arcs meet, wide classes make enough work for all threads.
    pub(crate) fn delta(&self) -> W {
        let positive = || self.weights.iter().copied().filter(|&weight| weight > W::ZERO);
        let mean = positive().map(W::to_real).sum::<f64>() / positive().count().max(1) as f64;
        let wanted = W::width(MEAN_WEIGHTS * mean / self.degrees.at_head(self.undirected).max(1.0));
        let least = positive().min_by_key(|weight| weight.to_key()).unwrap_or(wanted);
        if wanted > W::ZERO { wanted } else { least }
    }
}
