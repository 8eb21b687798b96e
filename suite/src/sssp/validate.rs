//! Is it right? The rules of Graph500 for shortest paths, which decide it without a second search.
//!
//! ```
//! use plusminus_suite::generate::{gnm, Seed};
//! use plusminus_suite::graph::{Build, Csr};
//! use plusminus_suite::sssp::{dijkstra, validate};
//!
//! let graph = Csr::build(&gnm::<u32>(50, 200, 9, Seed(3)), Build::UNDIRECTED);
//! let mut distances = dijkstra(&graph, 7);
//! assert_eq!(validate::distances(&graph, 7, &distances), Ok(()));
//! distances[0] += 1;
//! assert!(validate::distances(&graph, 7, &distances).is_err());
//! ```

use rayon::prelude::*;

use crate::graph::{Csr, Vertex, Weight};

/// Are these all distances from the source?
///
/// They are under three conditions. First, the source has distance zero. Second, no arc leads from a reached vertex
/// to one that is farther than the arc allows. Third, every other reached vertex hangs from the source by *tight*
/// arcs: the distance of their head is exactly that of the tail plus the weight. The second condition makes distances
/// small enough, the third large enough. Vertices that no path reaches must be [`Weight::INFINITE`]. Runs in parallel
/// on the current rayon pool.
///
/// # Errors
/// Names the first vertex or arc, in the order of numbers, that breaks a rule.
pub fn distances<W: Weight>(graph: &Csr<W>, source: Vertex, found: &[W]) -> Result<(), String> {
    if found.len() != graph.vertices() {
        return Err(format!("{} distances for {} vertices", found.len(), graph.vertices()));
    }
    let keys = Keys { graph, found };
    if found.get(source as usize) != Some(&W::ZERO) {
        return Err(match found.get(source as usize) {
            Some(distance) => format!("source {source} has distance {distance}, not 0"),
            None => format!("source {source} is not one of {} vertices", found.len()),
        });
    }
    let vertices = 0..graph.vertices() as Vertex;
    if let Some(error) = vertices.clone().into_par_iter().find_map_first(|v| keys.overlong(v)) {
        return Err(error);
    }
    // In an undirected graph a nearer neighbor with a tight edge is seen from the vertex itself, and a chain of ever
    // nearer ones can only end at the source. Arcs of weight zero and arcs without their reverse need a walk.
    let anchored = graph.is_undirected()
        && vertices.into_par_iter().all(|v| v == source || keys.is_unreached(v) || keys.hangs(v));
    if anchored { Ok(()) } else { keys.walk(source) }
}

/// Is this a tree of shortest paths for these distances, which [`distances`] has accepted?
///
/// The source must be its own parent, and exactly the reached vertices must have parents. A tight arc must join every
/// parent to its child. Going from parent to parent must end at the source: no cycles. `Vertex::MAX` stands for "no
/// parent".
///
/// # Errors
/// Names the first vertex that breaks a rule.
pub fn parents<W: Weight>(
    graph: &Csr<W>,
    source: Vertex,
    found: &[W],
    parents: &[Vertex],
) -> Result<(), String> {
    if parents.len() != graph.vertices() || found.len() != graph.vertices() {
        return Err(format!("{} parents for {} vertices", parents.len(), graph.vertices()));
    }
    if parents.get(source as usize) != Some(&source) {
        return Err(format!("source {source} is not its own parent"));
    }
    let keys = Keys { graph, found };
    let vertices = 0..graph.vertices() as Vertex;
    let broken = vertices.into_par_iter().find_map_first(|v| {
        let parent = parents[v as usize];
        if v == source || (parent == Vertex::MAX && keys.is_unreached(v)) {
            return None;
        }
        if parent == Vertex::MAX {
            return Some(format!("vertex {v} has distance {} but no parent", found[v as usize]));
        }
        if keys.is_unreached(v) {
            return Some(format!("vertex {v} is unreached but has parent {parent}"));
        }
        if parent as usize >= graph.vertices() {
            return Some(format!("vertex {v} has parent {parent}, which does not exist"));
        }
        let tight = !keys.is_unreached(parent) && keys.tight(parent).any(|child| child == v);
        (!tight).then(|| {
            format!("vertex {v} does not hang from its parent {parent} by an edge that fits")
        })
    });
    broken.map_or_else(|| no_cycles(source, parents), Err)
}

/// Does every chain of parents end at the source?
fn no_cycles(source: Vertex, parents: &[Vertex]) -> Result<(), String> {
    let mut ends_well = vec![false; parents.len()];
    ends_well[source as usize] = true;
    let mut on_path = vec![false; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let mut vertex = start as Vertex;
        while vertex != Vertex::MAX && !ends_well[vertex as usize] {
            if on_path[vertex as usize] {
                return Err(format!("vertex {vertex} is its own ancestor"));
            }
            on_path[vertex as usize] = true;
            path.push(vertex);
            vertex = parents[vertex as usize];
        }
        path.drain(..).for_each(|v| ends_well[v as usize] = true);
    }
    Ok(())
}

/// Distances under examination.
struct Keys<'a, W> {
    graph: &'a Csr<W>,
    found: &'a [W],
}

impl<W: Weight> Keys<'_, W> {
    fn is_unreached(&self, vertex: Vertex) -> bool {
        self.found[vertex as usize] == W::INFINITE
    }

    /// The key of a reached vertex.
    fn key(&self, vertex: Vertex) -> u32 {
        self.found[vertex as usize].to_key()
    }

    /// Describes an arc of a vertex that is too long, if there is one, or an invalid distance.
    fn overlong(&self, tail: Vertex) -> Option<String> {
        let distance = self.found[tail as usize];
        // Also rejects floats that are not numbers, and negative ones.
        let is_distance = distance >= W::ZERO;
        if !is_distance {
            return Some(format!("vertex {tail} has distance {distance}"));
        }
        if self.is_unreached(tail) {
            return None;
        }
        let from = self.key(tail);
        let farther = |&(head, weight): &(Vertex, W)| {
            self.is_unreached(head) || weight.extend(from) < self.key(head)
        };
        self.graph.neighbours(tail).find(farther).map(|(head, weight)| {
            let at_head = self.found[head as usize];
            if self.is_unreached(head) {
                format!("vertex {head} is unreached, but its neighbor {tail} is at {distance}")
            } else {
                format!(
                    "vertex {head} is at {at_head}, but edge ({tail}, {head}) of weight {weight} \
                     leads there from {distance}"
                )
            }
        })
    }

    /// Heads of the tight arcs of a reached vertex.
    fn tight(&self, tail: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let from = self.key(tail);
        let fits = move |&(head, weight): &(Vertex, W)| {
            !self.is_unreached(head) && weight.extend(from) == self.key(head)
        };
        self.graph.neighbours(tail).filter(fits).map(|(head, _)| head)
    }

    /// Has a vertex of an undirected graph a strictly nearer neighbor with a tight edge?
    fn hangs(&self, vertex: Vertex) -> bool {
        let key = self.key(vertex);
        self.graph.neighbours(vertex).any(|(near, weight)| {
            let from = self.key(near);
            !self.is_unreached(near) && from < key && weight.extend(from) == key
        })
    }

    /// Walks along tight arcs from the source; who is reached but not met has too small a distance.
    fn walk(&self, source: Vertex) -> Result<(), String> {
        let mut met = vec![false; self.found.len()];
        met[source as usize] = true;
        let mut stack = vec![source];
        while let Some(tail) = stack.pop() {
            for head in self.tight(tail) {
                if !std::mem::replace(&mut met[head as usize], true) {
                    stack.push(head);
                }
            }
        }
        let lost = (0..self.found.len()).find(|&v| !met[v] && !self.is_unreached(v as Vertex));
        lost.map_or(Ok(()), |v| {
            Err(format!("vertex {v} is at {}, but no path is that short", self.found[v]))
        })
    }
}
