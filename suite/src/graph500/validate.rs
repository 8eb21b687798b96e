//! The validation of Graph500's specification, on the edges as they were generated, in parallel.
//!
//! There are five rules. Rule 1: the parents form a tree, without cycles. Rule 2: tree edges fit, one level for a
//! breadth-first search, the edge's weight for shortest paths. Rule 3: the ends of every input edge differ by no more
//! than that, or neither is reached. Rule 4: the tree spans exactly the root's component, which rules 3 and 1 imply.
//! Rule 5: every tree edge is an input edge.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::{EdgeList, SharedVertex, VertexId, Weight};
use crate::sssp::stepping::ShortestPathTree;

/// Is this a breadth-first tree from the root?
///
/// # Errors
/// Names the first vertex or edge found that breaks a rule.
pub fn breadth_first<W: Weight, V: VertexId>(
    edges: &EdgeList<W, V>,
    root: V,
    parents: &[V],
) -> Result<(), String> {
    let levels = levels(edges.vertices(), root, parents)?;
    let rule = |from: V, to: V, _: W| -> Result<(bool, bool), String> {
        let (a, b) = (levels[from.index()].index(), levels[to.index()].index());
        if a.abs_diff(b) > 1 {
            return Err(format!("edge ({from}, {to}) joins levels {a} and {b}"));
        }
        // An edge is a tree edge for the end that is one level below.
        Ok((b + 1 == a, a + 1 == b))
    };
    edges_fit(edges, root, parents, rule)
}

/// Is this a tree of shortest paths from the root, with its distances?
///
/// # Errors
/// Names the first vertex or edge found that breaks a rule.
pub fn shortest_paths<W: Weight, V: VertexId>(
    edges: &EdgeList<W, V>,
    root: V,
    tree: &ShortestPathTree<W, V>,
) -> Result<(), String> {
    let ShortestPathTree { distances, parents } = tree;
    // The levels themselves do not matter, but that there are any: the tree has no cycles.
    levels(edges.vertices(), root, parents)?;
    if distances.len() != parents.len() {
        return Err(format!("{} distances for {} vertices", distances.len(), parents.len()));
    }
    if distances[root.index()] != W::ZERO {
        return Err(format!("the root {root} has distance {}", distances[root.index()]));
    }
    let odd = (0..parents.len()).into_par_iter().find_first(|&v| {
        let distance = distances[v];
        let is_distance = distance >= W::ZERO;
        !is_distance || (distance == W::INFINITE) != (parents[v] == V::NONE)
    });
    if let Some(v) = odd {
        return Err(format!("vertex {v} has distance {} and parent {}", distances[v], parents[v]));
    }
    let rule = |from: V, to: V, weight: W| -> Result<(bool, bool), String> {
        let (a, b) = (distances[from.index()].to_key(), distances[to.index()].to_key());
        let (from_a, from_b) = (weight.extend(a), weight.extend(b));
        if from_a < b || from_b < a {
            let ends = (distances[from.index()], distances[to.index()]);
            return Err(format!("edge ({from}, {to}) of weight {weight} joins distances {ends:?}"));
        }
        Ok((from_b == a, from_a == b))
    };
    edges_fit(edges, root, parents, rule)
}

/// The level of every vertex, `NONE` if it is unreached, if the parents form a tree from the root (rule 1). Levels are numbers
/// below that of vertices, and so of the same type.
fn levels<V: VertexId>(vertices: usize, root: V, parents: &[V]) -> Result<Vec<V>, String> {
    if parents.len() != vertices {
        return Err(format!("{} parents for {vertices} vertices", parents.len()));
    }
    if parents.get(root.index()) != Some(&root) {
        return Err(format!("the root {root} is not its own parent"));
    }
    let levels: Vec<V::Shared> = (0..vertices).map(|_| V::Shared::new(V::NONE)).collect();
    levels[root.index()].store(V::from_index(0));
    // Climbs from a vertex to the first whose level is known, then gives levels to all on the way. Threads may climb the
    // same way at once: they write the same levels.
    let climb = |start: usize| -> Option<String> {
        let mut path = Vec::new();
        let mut vertex = V::from_index(start);
        while levels[vertex.index()].load() == V::NONE {
            let parent = parents[vertex.index()];
            if parent == V::NONE && path.is_empty() {
                return None;
            }
            if parent.index() >= vertices {
                return Some(format!("vertex {vertex} has parent {parent}, which does not exist"));
            }
            if parents[parent.index()] == V::NONE {
                return Some(format!("vertex {vertex} has parent {parent}, which is unreached"));
            }
            path.push(vertex);
            if path.len() >= vertices {
                return Some(format!("vertex {vertex} is its own ancestor"));
            }
            vertex = parent;
        }
        let mut level = levels[vertex.index()].load().index();
        for vertex in path.into_iter().rev() {
            level += 1;
            levels[vertex.index()].store(V::from_index(level));
        }
        None
    };
    match (0..vertices).into_par_iter().find_map_any(climb) {
        Some(error) => Err(error),
        None => Ok(levels.into_iter().map(SharedVertex::into_inner).collect()),
    }
}

/// Do all edges obey a rule, and is every tree edge one of them that fits (rules 2 to 5)?
///
/// The rule returns whether an edge between reached vertices fits as a tree edge of its first and of its second end.
fn edges_fit<W: Weight, V: VertexId>(
    edges: &EdgeList<W, V>,
    root: V,
    parents: &[V],
    rule: impl Fn(V, V, W) -> Result<(bool, bool), String> + Sync,
) -> Result<(), String> {
    let hangs: Vec<AtomicBool> = parents.iter().map(|_| AtomicBool::new(false)).collect();
    let broken = edges.edges().par_iter().find_map_any(|&(from, to, weight)| {
        let reached = |vertex: V| parents[vertex.index()] != V::NONE;
        match (reached(from), reached(to)) {
            (false, false) => None,
            (true, true) => match rule(from, to, weight) {
                Err(error) => Some(error),
                Ok((fits_from, fits_to)) => {
                    if fits_from && parents[from.index()] == to {
                        hangs[from.index()].store(true, Relaxed);
                    }
                    if fits_to && parents[to.index()] == from {
                        hangs[to.index()].store(true, Relaxed);
                    }
                    None
                }
            },
            _ => Some(format!("edge ({from}, {to}) leaves the tree")),
        }
    });
    if let Some(error) = broken {
        return Err(error);
    }
    let loose = (0..parents.len())
        .into_par_iter()
        .find_any(|&v| v != root.index() && parents[v] != V::NONE && !hangs[v].load(Relaxed));
    loose.map_or(Ok(()), |v| {
        Err(format!("vertex {v} does not hang from its parent {} by an edge that fits", parents[v]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Rmat, Seed, gnm};
    use crate::graph::Vertex;
    use crate::graph500::{Kernel3, breadth_first_search, construct, search_keys, traversed_edges};

    const NONE: Vertex = Vertex::NONE;

    #[test]
    fn right_trees_pass() {
        for seed in (0..4).map(Seed) {
            for edges in
                [Rmat::graph500(9, seed).with_unit_weights(), gnm::<f32>(300, 250, 1, seed)]
            {
                let built = construct(&edges);
                let mut kernel = Kernel3::new(&built);
                for root in search_keys(&built, seed).into_iter().take(5) {
                    let parents = breadth_first_search(&built.adjacency, root);
                    assert_eq!(breadth_first(&edges, root, &parents), Ok(()));
                    let tree = kernel.search(root);
                    assert_eq!(shortest_paths(&edges, root, &tree), Ok(()));
                    let counts = [&parents, &tree.parents].map(|p| traversed_edges(&edges, p));
                    assert_eq!(counts[0], counts[1]);
                }
            }
        }
    }

    /// The reference implementation counts 1048079 edges from every root of its graph of scale 16.
    #[test]
    fn traversed_edges_are_those_of_the_reference_implementation() {
        let edges = Rmat::graph500(16, Seed(2)).with_unit_weights();
        let built = construct(&edges);
        let root = search_keys(&built, Seed(2))[0];
        let parents = breadth_first_search(&built.adjacency, root);
        assert_eq!(traversed_edges(&edges, &parents), 1_048_079);
    }

    fn small() -> (EdgeList<f32>, Vertex) {
        let edges = gnm::<f32>(50, 60, 1, Seed(6));
        let root = search_keys(&construct(&edges), Seed(6))[0];
        (edges, root)
    }

    #[test]
    fn every_wrong_parent_of_a_breadth_first_search_is_found() {
        let (edges, root) = small();
        let right = breadth_first_search(&construct(&edges).adjacency, root);
        let levels = levels(50, root, &right).unwrap();
        let joined = |a: u32, b: u32| {
            edges.edges().iter().any(|&(u, v, _)| (u, v) == (a, b) || (v, u) == (a, b))
        };
        for vertex in 0..50u32 {
            for wrong in (0..51).chain([NONE]) {
                let mut parents = right.clone();
                parents[vertex as usize] = wrong;
                // A parent on the level above is another right one.
                let legal = wrong == right[vertex as usize]
                    || (vertex != root
                        && levels[vertex as usize] != NONE
                        && wrong < 50
                        && joined(vertex, wrong)
                        && levels[wrong as usize] + 1 == levels[vertex as usize]);
                let verdict = breadth_first(&edges, root, &parents);
                assert_eq!(verdict.is_ok(), legal, "parent {wrong} of {vertex}: {verdict:?}");
            }
        }
        assert!(breadth_first(&edges, root, &right[1..]).is_err(), "too few");
    }

    #[test]
    fn every_wrong_distance_or_parent_of_shortest_paths_is_found() {
        let (edges, root) = small();
        let built = construct(&edges);
        let right = Kernel3::new(&built).search(root);
        for vertex in 0..50 {
            let distance = right.distances[vertex];
            for wrong in [distance * 1.01 + 0.001, distance * 0.99 - 0.001, f32::NAN, f32::INFINITY]
            {
                let mut tree = right.clone();
                tree.distances[vertex] = wrong;
                let verdict = shortest_paths(&edges, root, &tree);
                assert_eq!(verdict.is_ok(), tree.distances == right.distances, "{vertex} {wrong}");
            }
            for wrong in (0..51).chain([NONE]) {
                let mut tree = right.clone();
                tree.parents[vertex] = wrong;
                // Random weights: no two paths are equally short.
                let verdict = shortest_paths(&edges, root, &tree);
                assert_eq!(verdict.is_ok(), tree.parents == right.parents, "{vertex} {wrong}");
            }
        }
    }

    #[test]
    fn cycles_are_found_even_where_everything_else_fits() {
        let edges = EdgeList::new(4, vec![(0, 1, 0.5f32), (2, 3, 0.0), (1, 2, 0.25)]).unwrap();
        let tree =
            ShortestPathTree { distances: vec![0.0, 0.5, 0.75, 0.75], parents: vec![0, 0, 3, 2] };
        let error = shortest_paths(&edges, 0, &tree).unwrap_err();
        assert!(error.contains("its own ancestor"), "{error}");
        let right = ShortestPathTree { parents: vec![0, 0, 1, 2], ..tree };
        assert_eq!(shortest_paths(&edges, 0, &right), Ok(()));
    }
}
