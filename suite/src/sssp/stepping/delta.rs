//! Δ-stepping: the search that one thread of a team runs together with the others.
//!
//! The bins, one set per thread, and the fusion of steps follow GAP (Beamer et al.) and Zhang et al., "Optimizing
//! ordered graph algorithms with GraphIt" (CGO 2020); the pull over heavy arcs is explained at
//! [`Solver::new`](super::Solver::new).

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::frontier::Frontier;
use crate::agm::Bins;
use crate::graph::{Csr, PackedArc, Parts, Rows, VertexId, Weight, unpack};
use crate::sssp::labels::Labels;
use crate::sssp::width::Width;
use crate::team::Member;

/// A thread with fewer vertices of the current class than this goes on with them by itself, without a barrier; more
/// are shared out.
const FUSED: usize = 1_000;
/// Vertices that a thread takes at a time when it looks at all of them.
const SWEEP: usize = 1 << 11;
/// Rows that are asked for together, so that memory answers for all of them in the time of one.
const BATCH: usize = 16;
/// Bytes of a line of the caches.
const LINE: usize = 64;
/// No class.
const NONE: u64 = u64::MAX;

/// Which arcs of a row are relaxed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    Light,
    Heavy,
}

/// What a search is asked for.
#[derive(Clone, Copy)]
pub(super) struct Parameters<W, V> {
    pub(super) width: Width<W>,
    /// Arcs up to this weight are light; if it is infinite, all are.
    pub(super) limit: W,
    pub(super) source: V,
    pub(super) threads: usize,
}

/// What all threads of a search see.
pub(super) struct Search<'a, W, L: Labels> {
    graph: &'a Csr<W, L::Vertex>,
    /// Its rows, for the loops.
    rows: Rows<'a, <L::Vertex as Parts>::Arc>,
    labels: &'a L,
    frontier: &'a Frontier<L::Vertex>,
    parameters: Parameters<W, L::Vertex>,
    /// Do light arcs come first in each row?
    ordered: bool,
    /// Is a vertex with one arc a leaf, because that arc is there in both directions?
    leaves: bool,
    /// The smallest class that any thread has, voted for in turns.
    votes: [AtomicU64; 2],
    /// How many vertices have been taken in the sweep.
    swept: AtomicUsize,
}

/// What a thread keeps from one search to the next.
pub(super) struct Scratch<V> {
    bins: Bins<V>,
    fused: Vec<V>,
}

impl<V> Scratch<V> {
    pub(super) fn new() -> Self {
        Self { bins: Bins::new(), fused: Vec::new() }
    }
}

impl<'a, W: Weight, V: VertexId, L: Labels<Vertex = V>> Search<'a, W, L> {
    /// Arcs in a line of the caches.
    const ARCS_OF_LINE: usize = LINE / size_of::<V::Arc>();

    pub(super) fn new(
        graph: &'a Csr<W, V>,
        labels: &'a L,
        frontier: &'a Frontier<V>,
        parameters: Parameters<W, V>,
    ) -> Self {
        let votes = [AtomicU64::new(NONE), AtomicU64::new(NONE)];
        let ordered = graph.limit() == parameters.limit;
        let leaves = graph.is_undirected();
        let swept = AtomicUsize::new(0);
        let rows = graph.rows();
        Self { graph, rows, labels, frontier, parameters, ordered, leaves, votes, swept }
    }

    /// One thread's part of the search.
    pub(super) fn run<const SHARED: bool>(&self, member: &Member<'_>, scratch: &mut Scratch<V>) {
        scratch.bins.clear();
        let Parameters { limit, source, .. } = self.parameters;
        if member.index == 0 {
            self.labels.lower::<SHARED>(source, W::ZERO.to_key(), source);
            scratch.bins.push(0, source);
        }
        if limit == W::INFINITE {
            self.step::<SHARED>(member, scratch, 0, Part::All);
            return;
        }
        if member.index == 0 {
            // The source pushes its heavy arcs: nobody will pull from it for a small distance's sake.
            let (from, row) = (self.labels.get(source), self.graph.row(source));
            self.relax::<SHARED>(source, from, row, Part::Heavy, &mut scratch.bins);
        }
        let turn = self.step::<SHARED>(member, scratch, 0, Part::Light);
        member.wait();
        // Classes begin anew.
        scratch.bins.advance(0);
        self.pull::<SHARED>(&mut scratch.bins);
        self.step::<SHARED>(member, scratch, turn, Part::All);
    }

    /// Processes class after class along a part of the arcs, until no thread has any. Returns whose turn it is to be voted
    /// for.
    fn step<const SHARED: bool>(
        &self,
        member: &Member<'_>,
        scratch: &mut Scratch<V>,
        mut turn: usize,
        part: Part,
    ) -> usize {
        let Scratch { bins, fused } = scratch;
        loop {
            if let Some(class) = bins.first_class() {
                self.votes[turn].fetch_min(class, Relaxed);
            }
            member.wait();
            let class = self.votes[turn].load(Relaxed);
            turn ^= 1;
            if member.index == 0 {
                // All have read this vote before the last barrier but one.
                self.votes[turn].store(NONE, Relaxed);
            }
            if class == NONE {
                return turn;
            }
            bins.advance(class);
            self.frontier.publish(member.index, |list| bins.take_current(list));
            member.wait();
            self.frontier.drain(member.index, |vertices| {
                self.process::<SHARED>(vertices, class, part, bins);
            });
            let most = if self.parameters.threads == 1 { usize::MAX } else { FUSED };
            while (1..most).contains(&bins.current_len()) {
                bins.take_current(fused);
                self.process::<SHARED>(fused, class, part, bins);
                fused.clear();
            }
        }
    }

    /// Relaxes the arcs of vertices of one class.
    #[inline]
    fn process<const SHARED: bool>(
        &self,
        vertices: &[V],
        class: u64,
        part: Part,
        bins: &mut Bins<V>,
    ) {
        let mut rows = [(0, 0); BATCH];
        let arcs = self.rows.elements();
        for batch in vertices.chunks(BATCH) {
            self.ask_for_rows(batch, part, &mut rows);
            for (&vertex, &(start, end)) in batch.iter().zip(&rows) {
                // No path goes on where the only arc leads back to where the path comes from.
                let leads_on = !self.leaves || end - start > 1 || vertex == self.parameters.source;
                let from = self.labels.get(vertex);
                // A vertex stays in the bins of earlier, larger distances; but it has been processed since.
                if leads_on && self.parameters.width.class(from) >= class {
                    let row = &arcs[start..end];
                    self.relax::<SHARED>(vertex, from, row, part, bins);
                }
            }
        }
    }

    /// Finds rows and reads the first arcs of each. None of these reads waits for another, while relaxing a row waits for
    /// its own.
    #[inline]
    fn ask_for_rows(&self, batch: &[V], part: Part, rows: &mut [(usize, usize); BATCH]) {
        let arcs = self.rows.elements();
        let mut all = 0;
        for (row, &vertex) in rows.iter_mut().zip(batch) {
            let Range { start, end } = self.rows.range(vertex.index());
            *row = (start, end);
            // Leaves are not looked at.
            if end - start > 1 {
                all ^= arcs[start].key();
            }
            let line = Self::ARCS_OF_LINE;
            if part == Part::All && end - start > 2 * line {
                all ^= arcs[start + line].key() ^ arcs[start + 2 * line].key();
            }
        }
        std::hint::black_box(all);
    }

    /// Relaxes a part of the arcs of a vertex.
    #[inline]
    fn relax<const SHARED: bool>(
        &self,
        vertex: V,
        from: u32,
        row: &[V::Arc],
        part: Part,
        bins: &mut Bins<V>,
    ) {
        let limit = self.parameters.limit;
        for &arc in row {
            let (target, weight) = unpack::<W, _>(arc);
            match part {
                Part::All => {}
                Part::Light if weight <= limit => {}
                Part::Light if self.ordered => break,
                Part::Light => continue,
                Part::Heavy if weight <= limit => continue,
                Part::Heavy => {}
            }
            let key = weight.extend(from);
            if self.labels.lower::<SHARED>(target, key, vertex) {
                bins.push(self.parameters.width.class(key), target);
            }
        }
    }

    /// Lets vertices that heavy arcs could improve look along theirs, and keeps those for which an improvement matters
    /// to a neighbour.
    ///
    /// No label but a thread's own vertices' changes meanwhile. A neighbour's may fall after it was looked at; then the
    /// neighbour finds that this vertex's is too large, and is kept.
    fn pull<const SHARED: bool>(&self, bins: &mut Bins<V>) {
        let Parameters { limit, source, .. } = self.parameters;
        // Whoever is not the source is at least as far as the lightest arc leads, and a heavy arc leads farther yet.
        let lightest = self.graph.neighbours(source).map(|(_, weight)| weight.to_key()).min();
        let near = limit.extend(lightest.unwrap_or(0));
        let vertices = self.graph.vertices();
        loop {
            let start = self.swept.fetch_add(SWEEP, Relaxed);
            if start >= vertices {
                return;
            }
            for vertex in (start..(start + SWEEP).min(vertices)).map(V::from_index) {
                let key = self.labels.get(vertex);
                if key > near {
                    self.pull_vertex::<SHARED>(vertex, key, bins);
                }
            }
        }
    }

    /// Light arcs are looked at too: they improve nothing, and telling them apart takes longer.
    #[inline]
    fn pull_vertex<const SHARED: bool>(&self, vertex: V, key: u32, bins: &mut Bins<V>) {
        let (mut best, mut parent) = (key, vertex);
        let arcs = || self.rows.row(vertex.index()).iter().map(|&arc| unpack::<W, _>(arc));
        for (neighbour, weight) in arcs() {
            let from = self.labels.get(neighbour);
            if from != W::UNREACHED {
                let through = weight.extend(from);
                if through < best {
                    (best, parent) = (through, neighbour);
                }
            }
        }
        if best == key {
            return;
        }
        self.labels.lower::<SHARED>(vertex, best, parent);
        let improves =
            |(neighbour, weight): (V, W)| weight.extend(best) < self.labels.get(neighbour);
        if arcs().any(improves) {
            bins.push(self.parameters.width.class(best), vertex);
        }
    }
}
