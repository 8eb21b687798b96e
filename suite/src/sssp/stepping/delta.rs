//! Δ-stepping: the search that one thread of a team runs together with the others.
//!
//! The bins, one set per thread, and the fusion of steps follow GAP (Beamer et al.) and Zhang et al., "Optimizing
//! ordered graph algorithms with GraphIt" (CGO 2020); the pull over heavy arcs is explained at
//! [`SplitGraph`](super::SplitGraph).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::SplitGraph;
use super::frontier::Frontier;
use crate::graph::{Csr, Vertex, Weight};
use crate::sssp::bins::Bins;
use crate::sssp::labels::Labels;
use crate::sssp::team::Member;
use crate::sssp::width::Width;

/// A thread with fewer vertices of the current class than this goes on with them by itself, without a barrier; more
/// are shared out.
const FUSED: usize = 1_000;
/// Vertices that a thread takes at a time when it looks at all of them.
const SWEEP: usize = 1 << 11;
/// No class.
const NONE: u64 = u64::MAX;

/// What all threads of a search see.
pub(super) struct Search<'a, W, L> {
    graph: &'a Csr<W>,
    split: Option<&'a SplitGraph<W>>,
    labels: &'a L,
    frontier: &'a Frontier,
    width: Width<W>,
    source: Vertex,
    /// The smallest class that any thread has, voted for in turns.
    votes: [AtomicU64; 2],
    /// How many vertices have been taken in the sweep.
    swept: AtomicUsize,
    threads: usize,
}

/// What a thread keeps from one search to the next.
pub(super) struct Scratch {
    bins: Bins<Vertex>,
    fused: Vec<Vertex>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self { bins: Bins::new(), fused: Vec::new() }
    }
}

impl<'a, W: Weight, L: Labels> Search<'a, W, L> {
    pub(super) fn new(
        (graph, split): (&'a Csr<W>, Option<&'a SplitGraph<W>>),
        labels: &'a L,
        frontier: &'a Frontier,
        width: Width<W>,
        source: Vertex,
        threads: usize,
    ) -> Self {
        let votes = [AtomicU64::new(NONE), AtomicU64::new(NONE)];
        // A split without heavy arcs is the graph itself.
        let split = split.filter(|split| split.heavy.arcs() > 0);
        let swept = AtomicUsize::new(0);
        Self { graph, split, labels, frontier, width, source, votes, swept, threads }
    }

    /// One thread's part of the search.
    pub(super) fn run<const SHARED: bool>(&self, member: &Member<'_>, scratch: &mut Scratch) {
        scratch.bins.clear();
        if member.index == 0 {
            self.labels.lower::<SHARED>(self.source, W::ZERO.to_key(), self.source);
            scratch.bins.push(0, self.source);
        }
        let Some(split) = self.split else {
            self.step::<SHARED>(member, scratch, 0, &[self.graph]);
            return;
        };
        if member.index == 0 {
            // The source pushes its heavy arcs: nobody will pull from it for a small distance's sake.
            self.relax::<SHARED>(self.source, &split.heavy, &mut scratch.bins);
        }
        let turn = self.step::<SHARED>(member, scratch, 0, &[&split.light]);
        member.wait();
        // Classes begin anew.
        scratch.bins.advance(0);
        self.pull::<SHARED>(split, &mut scratch.bins);
        self.step::<SHARED>(member, scratch, turn, &[&split.light, &split.heavy]);
    }

    /// Processes class after class along the arcs of some graphs, until no thread has any. Returns whose turn it is to
    /// be voted for.
    fn step<const SHARED: bool>(
        &self,
        member: &Member<'_>,
        scratch: &mut Scratch,
        mut turn: usize,
        graphs: &[&Csr<W>],
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
                self.process::<SHARED>(vertices, class, graphs, bins);
            });
            let most = if self.threads == 1 { usize::MAX } else { FUSED };
            while (1..most).contains(&bins.current_len()) {
                bins.take_current(fused);
                self.process::<SHARED>(fused, class, graphs, bins);
                fused.clear();
            }
        }
    }

    /// Relaxes the arcs of vertices of one class.
    #[inline]
    fn process<const SHARED: bool>(
        &self,
        vertices: &[Vertex],
        class: u64,
        graphs: &[&Csr<W>],
        bins: &mut Bins<Vertex>,
    ) {
        for &vertex in vertices {
            // A vertex stays in the bins of earlier, larger distances; but it has been processed since.
            if self.width.class(self.labels.get(vertex)) < class {
                continue;
            }
            for graph in graphs {
                self.relax::<SHARED>(vertex, graph, bins);
            }
        }
    }

    /// Relaxes the arcs of a vertex.
    #[inline]
    fn relax<const SHARED: bool>(&self, vertex: Vertex, graph: &Csr<W>, bins: &mut Bins<Vertex>) {
        let from = self.labels.get(vertex);
        for (target, weight) in graph.neighbours(vertex) {
            let key = weight.extend(from);
            if self.labels.lower::<SHARED>(target, key, vertex) {
                bins.push(self.width.class(key), target);
            }
        }
    }

    /// Lets vertices that heavy arcs could improve look along theirs, and keeps those for which an improvement matters
    /// to a neighbour.
    ///
    /// No label but a thread's own vertices' changes meanwhile. A neighbour's may fall after it was looked at; then the
    /// neighbour finds that this vertex's is too large, and is kept.
    fn pull<const SHARED: bool>(&self, split: &SplitGraph<W>, bins: &mut Bins<Vertex>) {
        // Whoever is not the source is at least as far as the lightest arc leads, and a heavy arc leads farther yet.
        let lightest = self.graph.neighbours(self.source).map(|(_, weight)| weight.to_key()).min();
        let near = split.limit.extend(lightest.unwrap_or(0));
        let vertices = self.graph.vertices();
        loop {
            let start = self.swept.fetch_add(SWEEP, Relaxed);
            if start >= vertices {
                return;
            }
            for vertex in start as Vertex..(start + SWEEP).min(vertices) as Vertex {
                let key = self.labels.get(vertex);
                if key > near {
                    self.pull_vertex::<SHARED>(vertex, key, split, bins);
                }
            }
        }
    }

    #[inline]
    fn pull_vertex<const SHARED: bool>(
        &self,
        vertex: Vertex,
        key: u32,
        split: &SplitGraph<W>,
        bins: &mut Bins<Vertex>,
    ) {
        let (mut best, mut parent) = (key, vertex);
        for (neighbour, weight) in split.heavy.neighbours(vertex) {
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
            |(neighbour, weight): (Vertex, W)| weight.extend(best) < self.labels.get(neighbour);
        if split.light.neighbours(vertex).any(improves)
            || split.heavy.neighbours(vertex).any(improves)
        {
            bins.push(self.width.class(best), vertex);
        }
    }
}
