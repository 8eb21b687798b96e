//! ρ-stepping: every step processes about the ρ nearest vertices of the frontier (Dong, Gu, Sun, Zhang: "Efficient
//! stepping algorithms and implementations for parallel shortest paths", SPAA 2021). It needs no Δ.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::frontier::Frontier;
use crate::graph::{Csr, Vertex, Weight};
use crate::sssp::labels::{Distances, Labels};
use crate::team::{self, Member};

/// Keys that all threads together draw to estimate the ρth smallest.
const SAMPLE: usize = 1_000;

/// Searches a graph by ρ-stepping.
#[derive(Debug, Clone, Copy)]
pub struct RhoStepping<'a, W = u32> {
    graph: &'a Csr<W>,
    rho: usize,
}

impl<'a, W: Weight> RhoStepping<'a, W> {
    /// Steps of about ρ = 2¹⁸ vertices.
    pub fn new(graph: &'a Csr<W>) -> Self {
        Self::with_rho(graph, 1 << 18)
    }

    /// Steps of about ρ vertices.
    ///
    /// # Panics
    /// If ρ is zero.
    pub fn with_rho(graph: &'a Csr<W>, rho: usize) -> Self {
        assert!(rho > 0, "steps of no vertices make no progress");
        Self { graph, rho }
    }

    /// All distances from a source, in parallel on as many threads as the current rayon pool has.
    ///
    /// # Panics
    /// If the graph has no such vertex.
    pub fn distances(&self, source: Vertex) -> Vec<W> {
        let threads = rayon::current_num_threads();
        let mut labels = Distances::default();
        labels.reset(self.graph.vertices());
        labels.lower::<false>(source, W::ZERO.to_key(), source);
        let mut frontier = Frontier::default();
        frontier.for_threads(threads);
        frontier.publish(0, |list| list.push(source));
        let waiting: Vec<AtomicBool> =
            (0..self.graph.vertices()).map(|v| AtomicBool::new(v == source as usize)).collect();
        let search = Search {
            graph: self.graph,
            rho: self.rho,
            threads,
            labels,
            frontier,
            waiting,
            total: [AtomicUsize::new(1), AtomicUsize::new(0)],
            sample: Mutex::new(Vec::new()),
            threshold: AtomicU32::new(u32::MAX),
        };
        team::run(threads, |member| search.run(member));
        search.labels.distances()
    }
}

struct Search<'a, W> {
    graph: &'a Csr<W>,
    rho: usize,
    threads: usize,
    labels: Distances,
    frontier: Frontier,
    /// Is a vertex in the frontier?
    waiting: Vec<AtomicBool>,
    /// Vertices in the frontier, of this step and the next in turns.
    total: [AtomicUsize; 2],
    sample: Mutex<Vec<Drawn>>,
    /// Vertices up to this key are processed.
    threshold: AtomicU32,
}

/// A key of the sample.
struct Drawn {
    key: u32,
    /// How many vertices of the frontier it speaks for.
    stands_for: usize,
}

impl<W: Weight> Search<'_, W> {
    fn run(&self, member: &Member<'_>) {
        let mut turn = 0;
        let mut next = Vec::new();
        loop {
            let total = self.total[turn].load(Ordering::Relaxed);
            if total == 0 {
                return;
            }
            let threshold = self.threshold.load(Ordering::Relaxed);
            self.frontier.drain(member.index, |vertices| {
                for &vertex in vertices {
                    self.process(vertex, threshold, &mut next);
                }
            });
            // The one to count in was read by all a barrier ago, and is read again two barriers from here.
            turn ^= 1;
            self.total[turn].fetch_add(next.len(), Ordering::Relaxed);
            self.draw(&next);
            member.wait();
            if member.index == 0 {
                self.total[turn ^ 1].store(0, Ordering::Relaxed);
                self.choose(self.total[turn].load(Ordering::Relaxed));
            }
            self.frontier.publish(member.index, |list| std::mem::swap(list, &mut next));
            member.wait();
        }
    }

    /// Relaxes the arcs of a vertex, or keeps it for later.
    fn process(&self, vertex: Vertex, threshold: u32, next: &mut Vec<Vertex>) {
        if self.labels.get(vertex) > threshold {
            next.push(vertex);
            return;
        }
        // Leaves the frontier before its key is read: a thread that lowers the key and still finds it waiting did so
        // before this exchange, which therefore shows the lower key.
        self.waiting[vertex as usize].swap(false, Ordering::AcqRel);
        let from = self.labels.get(vertex);
        for (target, weight) in self.graph.neighbours(vertex) {
            if self.labels.lower::<true>(target, weight.extend(from), vertex)
                && !self.waiting[target as usize].swap(true, Ordering::AcqRel)
            {
                next.push(target);
            }
        }
    }

    /// Adds evenly spaced keys of a thread's share of the next frontier to the sample.
    fn draw(&self, next: &[Vertex]) {
        let step = next.len().div_ceil(SAMPLE / self.threads + 1).max(1);
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = next.iter().step_by(step);
        sample
            .extend(drawn.map(|&vertex| Drawn { key: self.labels.get(vertex), stands_for: step }));
    }

    /// Sets the threshold to about the ρth smallest key of the next frontier.
    fn choose(&self, total: usize) {
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        let mut threshold = u32::MAX;
        if total > self.rho {
            sample.sort_unstable_by_key(|drawn| drawn.key);
            let mut below = 0;
            // At least the smallest key drawn passes, so that every step processes a vertex.
            let last = sample.iter().find(|drawn| {
                below += drawn.stands_for;
                below >= self.rho
            });
            threshold = last.map_or(u32::MAX, |drawn| drawn.key);
        }
        sample.clear();
        self.threshold.store(threshold, Ordering::Relaxed);
    }
}
