//! Δ-stepping: the search that one thread of a team runs together with the others.
//!
//! The bins, one set per thread, and the fusion of steps follow GAP (Beamer and others), and Zhang and others,
//! "Optimizing ordered graph algorithms with GraphIt" (CGO 2020). [`Solver::new`](super::Solver::new) explains why
//! heavy arcs come last.

mod heavy;

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::candidates::{Candidates, Found, PIECE};
use super::frontier::Frontier;
use crate::agm::Bins;
use crate::graph::{Csr, PackedArc, Parts, Rows, VertexId, Weight, unpack};
use crate::sssp::labels::Labels;
use crate::sssp::width::Width;
use crate::team::Member;

/// A thread with fewer vertices of the current class than this goes on with them by itself, without a barrier; more
/// are shared out.
const FUSED: usize = 1_000;
/// Classes that it goes on with in a row, the current one included. If few arcs meet, a class has less work than
/// threads wait for one another. Work that was too early for a path of another thread is done again.
const SPAN: u64 = 16;
/// The most arcs, about, that lead on from the vertices of each later class. If many arcs meet, few vertices are much
/// work, which is to be shared out, and paths of other threads soon cover it.
pub(super) const ARCS_ALONE: f64 = 4_000.0;
/// Rows that are asked for together, so that memory answers for all of them in the time of one.
const AHEAD: usize = 64;
/// Rows whose arcs are compared with distances before any distance is lowered.
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

/// The request of a search.
#[derive(Clone, Copy)]
pub(super) struct Parameters<W, V> {
    pub(super) width: Width<W>,
    /// Arcs up to this weight are light; if it is infinite, all are.
    pub(super) limit: W,
    pub(super) source: V,
    /// A thread with fewer vertices of a later class than this may go on with them by itself.
    pub(super) alone: usize,
    /// Are enough vertices leaves that it pays to look at each vertex's row and drop them when they are found?
    pub(super) drops_leaves: bool,
}

/// The state that all threads of a search share.
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
    /// The key up to which heavy arcs are followed from their near ends, not looked at from their far ones.
    boundary: AtomicU32,
    /// How many vertices have been taken in the sweep.
    swept: AtomicUsize,
}

/// The memory that a thread keeps from one search to the next.
pub(super) struct Scratch<V: VertexId> {
    bins: Bins<V>,
    fused: Vec<V>,
    candidates: Candidates<V>,
}

impl<V: VertexId> Scratch<V> {
    pub(super) fn new() -> Self {
        Self { bins: Bins::new(), fused: Vec::new(), candidates: Candidates::new() }
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
        let (boundary, swept) = (AtomicU32::new(0), AtomicUsize::new(0));
        let rows = graph.rows();
        Self { graph, rows, labels, frontier, parameters, ordered, leaves, votes, boundary, swept }
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
            // The source pushes its heavy arcs: no vertex that is near to it looks for them.
            let (from, Range { start, end }) =
                (self.labels.get(source), self.rows.range(source.index()));
            let row = Found { vertex: source, from, start, end };
            self.relax::<SHARED>(&row, Part::Heavy, &mut scratch.bins, &mut scratch.candidates);
            self.lower::<SHARED>(&mut scratch.bins, &mut scratch.candidates);
        }
        let turn = self.step::<SHARED>(member, scratch, 0, Part::Light);
        member.wait();
        // Classes begin anew.
        scratch.bins.advance(0);
        if member.index == 0 {
            self.boundary.store(self.choose_boundary(), Relaxed);
        }
        member.wait();
        self.improve_by_heavy::<SHARED>(scratch);
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
        let Scratch { bins, fused, candidates } = scratch;
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
            if SHARED {
                self.frontier.publish(member.index, |list| bins.take(class, list));
                member.wait();
                self.frontier.drain(member.index, |vertices| {
                    self.process::<SHARED>(vertices, class, part, bins, candidates);
                });
            }
            let mut most = if SHARED { FUSED } else { usize::MAX };
            for class in class..class.saturating_add(SPAN) {
                while (1..most).contains(&bins.len(class)) {
                    bins.take(class, fused);
                    self.process::<SHARED>(fused, class, part, bins, candidates);
                    fused.clear();
                }
                if bins.len(class) > 0 {
                    break;
                }
                most = most.min(self.parameters.alone);
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
        candidates: &mut Candidates<V>,
    ) {
        let mut ranges = [(0, 0); AHEAD];
        let mut rows = [Found::default(); BATCH];
        for ahead in vertices.chunks(AHEAD) {
            self.ask_for_rows(ahead, part, &mut ranges);
            for (batch, ranges) in ahead.chunks(BATCH).zip(ranges.chunks(BATCH)) {
                let found = self.find_rows(batch, ranges, class, &mut rows);
                for row in &rows[..found] {
                    self.relax::<SHARED>(row, part, bins, candidates);
                }
                self.lower::<SHARED>(bins, candidates);
            }
        }
    }

    /// Finds rows and reads the first arcs of each. None of these reads waits for another, while relaxing a row waits for
    /// its own.
    #[inline]
    fn ask_for_rows(&self, ahead: &[V], part: Part, ranges: &mut [(usize, usize); AHEAD]) {
        let arcs = self.rows.elements();
        for (range, &vertex) in ranges.iter_mut().zip(ahead) {
            let Range { start, end } = self.rows.range(vertex.index());
            *range = (start, end);
        }
        let mut all = 0;
        for &(start, end) in &ranges[..ahead.len()] {
            // Leaves are not looked at.
            if end - start > 1 {
                // A row of few arcs may begin at the end of a line.
                all ^= arcs[start].key() ^ arcs[(start + Self::ARCS_OF_LINE).min(end) - 1].key();
            }
            let line = Self::ARCS_OF_LINE;
            if part == Part::All && end - start > 2 * line {
                all ^= arcs[start + line].key() ^ arcs[start + 2 * line].key();
            }
        }
        std::hint::black_box(all);
    }

    /// Picks the vertices that are to be processed. Returns how many there are.
    #[inline]
    fn find_rows(
        &self,
        batch: &[V],
        ranges: &[(usize, usize)],
        class: u64,
        rows: &mut [Found<V>; BATCH],
    ) -> usize {
        let mut found = 0;
        for (&vertex, &(start, end)) in batch.iter().zip(ranges) {
            let from = self.labels.get(vertex);
            rows[found % BATCH] = Found { vertex, from, start, end };
            // No path goes on where the only arc leads back to where the path comes from.
            let leads_on = !self.leaves | (end - start > 1) | (vertex == self.parameters.source);
            // A vertex stays in the bins of earlier, larger distances; but it has been processed since.
            found += usize::from(leads_on & (self.parameters.width.class(from) >= class));
        }
        found
    }

    /// Looks for arcs of a vertex that could lower a distance, and lowers the distances that many arcs wait for.
    #[inline]
    fn relax<const SHARED: bool>(
        &self,
        row: &Found<V>,
        part: Part,
        bins: &mut Bins<V>,
        candidates: &mut Candidates<V>,
    ) {
        let limit = self.parameters.limit;
        let is_light = |&arc: &V::Arc| unpack::<W, _>(arc).1 <= limit;
        let arcs = &self.rows.elements()[row.start..row.end];
        if part == Part::Light && self.ordered {
            let light = arcs.iter().position(|arc| !is_light(arc)).unwrap_or(arcs.len());
            self.compare::<SHARED>(row, &arcs[..light], |_| true, bins, candidates);
            return;
        }
        match part {
            Part::All => self.compare::<SHARED>(row, arcs, |_| true, bins, candidates),
            Part::Light => self.compare::<SHARED>(row, arcs, is_light, bins, candidates),
            Part::Heavy => {
                self.compare::<SHARED>(row, arcs, |arc| !is_light(arc), bins, candidates);
            }
        }
    }

    /// Keeps what some arcs of a vertex could lower.
    #[inline]
    fn compare<const SHARED: bool>(
        &self,
        row: &Found<V>,
        arcs: &[V::Arc],
        wanted: impl Fn(&V::Arc) -> bool,
        bins: &mut Bins<V>,
        candidates: &mut Candidates<V>,
    ) {
        for piece in arcs.chunks(PIECE) {
            for &arc in piece.iter().filter(|arc| wanted(arc)) {
                let (target, weight) = unpack::<W, _>(arc);
                let key = weight.extend(row.from);
                let lowers = key < self.labels.get(target);
                candidates.keep_if::<L>(lowers, target, key, row.vertex);
            }
            if candidates.len > PIECE {
                self.lower::<SHARED>(bins, candidates);
            }
        }
    }

    /// No path goes on from a vertex whose only arc leads back to where the path comes from.
    #[inline]
    fn is_leaf(&self, vertex: V) -> bool {
        self.leaves && self.rows.range(vertex.index()).len() == 1
    }

    /// Lowers distances that are still larger.
    #[inline]
    fn lower<const SHARED: bool>(&self, bins: &mut Bins<V>, candidates: &mut Candidates<V>) {
        for (target, key, parent) in candidates.all() {
            if self.labels.lower::<SHARED>(target, key, parent)
                && !(self.parameters.drops_leaves && self.is_leaf(target))
            {
                bins.push(self.parameters.width.class(key), target);
            }
        }
        candidates.len = 0;
    }
}
