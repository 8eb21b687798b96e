//! The rules of Graph500 over ranks: every rank looks at its own vertices and arcs, and asks the owners of its vertices'
//! neighbors for what they found. No rank sees the whole answer, and all get the same verdict.

use plusminus_suite::graph::{Vertex, Weight};

use crate::bfs::Tree;
use crate::graph::Part;
use crate::{Mail, Ranks, stepping};

/// Results at the vertices of other ranks that are neighbors of this rank's.
struct Neighbours<'a, W> {
    part: &'a Part<W>,
    own: &'a [u32],
    others: Vec<Vertex>,
    found: Vec<u32>,
}

impl<'a, W: Weight> Neighbours<'a, W> {
    /// Asks for what was found, which is a number for each vertex, at the other ends of all arcs.
    fn ask(part: &'a Part<W>, own: &'a [u32], ranks: &mut Ranks) -> Self {
        let targets = (0..own.len()).flat_map(|position| part.arcs(position)).map(|arc| arc.0);
        Self::ask_of(targets, part, own, ranks)
    }

    /// Asks for what was found at some vertices.
    fn ask_of(
        vertices: impl Iterator<Item = Vertex>,
        part: &'a Part<W>,
        own: &'a [u32],
        ranks: &mut Ranks,
    ) -> Self {
        let mut others: Vec<Vertex> =
            vertices.filter(|&vertex| part.position(vertex).is_none()).collect();
        others.sort_unstable();
        others.dedup();
        let mut questions = Mail::new(ranks);
        others.iter().for_each(|&vertex| questions.push(part.owner(vertex), &[vertex]));
        questions.meet(ranks, [0; 4]);
        let mut answers = Mail::new(ranks);
        for (rank, vertices) in questions.received().enumerate() {
            for &vertex in vertices {
                let position = part.position(vertex).expect("owners are asked");
                answers.push(rank, &[own[position]]);
            }
        }
        answers.meet(ranks, [0; 4]);
        // Owners ascend with vertices, and so the answers come in the order of the questions.
        let found = answers.received().flatten().copied().collect();
        Self { part, own, others, found }
    }

    /// Returns the result at a vertex of this rank or at a neighbor of one.
    fn of(&self, vertex: Vertex) -> u32 {
        match self.part.position(vertex) {
            Some(position) => self.own[position],
            None => self.found[self.others.partition_point(|&other| other < vertex)],
        }
    }
}

/// Are these the distances from a source? Weights must be above zero: then every vertex but the source has to have a
/// nearer neighbor from which an edge leads there exactly, and none from which one leads nearer.
///
/// # Errors
/// Names the rank, and its first vertex that breaks a rule.
pub fn distances<W: Weight>(
    part: &Part<W>,
    source: Vertex,
    found: &[u32],
    ranks: &mut Ranks,
) -> Result<(), String> {
    let fits = found.len() == part.own().len();
    ranks.agree(if fits { Ok(()) } else { Err(format!("{} distances", found.len())) })?;
    let neighbours = Neighbours::ask(part, found, ranks);
    let verdict = (0..found.len()).try_for_each(|position| {
        let vertex = part.own().start + position as Vertex;
        let distance = found[position];
        let through = |&(neighbour, weight): &(Vertex, W)| {
            let from = neighbours.of(neighbour);
            if from == u32::MAX { u32::MAX } else { weight.extend(from) }
        };
        let nearest = part.arcs(position).iter().map(through).min().unwrap_or(u32::MAX);
        match (vertex == source, distance) {
            (true, 0) => Ok(()),
            (true, _) => Err(format!("source {vertex} has distance {distance}, not 0")),
            (false, _) if distance == nearest => Ok(()),
            (false, _) => {
                Err(format!("vertex {vertex} is at {distance}, its neighbors give {nearest}"))
            }
        }
    });
    ranks.agree(verdict)
}

/// Is this a tree of shortest paths from a root, with its distances? Weights may be zero.
///
/// Of parallel edges the part has the lightest, and so a vertex may only hang from its parent by that one.
///
/// # Errors
/// Names the rank, and its first vertex that breaks a rule.
pub fn shortest_paths<W: Weight>(
    part: &Part<W>,
    root: Vertex,
    tree: &stepping::Tree,
    ranks: &mut Ranks,
) -> Result<(), String> {
    let own = part.own().len();
    let fits = tree.keys.len() == own && tree.parents.len() == own;
    ranks.agree(if fits { Ok(()) } else { Err("a vertex without a distance".to_owned()) })?;
    let keys = Neighbours::ask(part, &tree.keys, ranks);
    let verdict = (0..own).try_for_each(|position| {
        let vertex = part.own().start + position as Vertex;
        let (key, parent) = (tree.keys[position], tree.parents[position]);
        let reached = key != u32::MAX;
        if reached != (parent != Vertex::MAX) || (vertex == root && (parent, key) != (root, 0)) {
            return Err(format!("vertex {vertex} has key {key} and parent {parent}"));
        }
        let nearer = |&&(neighbour, weight): &&(Vertex, W)| {
            let from = keys.of(neighbour);
            (from != u32::MAX) != reached || (reached && weight.extend(from) < key)
        };
        if let Some((neighbour, _)) = part.arcs(position).iter().find(nearer) {
            return Err(format!("edge ({vertex}, {neighbour}) leads out of the tree, or nearer"));
        }
        if !reached || vertex == root {
            return Ok(());
        }
        let arcs = part.arcs(position);
        let edge = arcs.binary_search_by_key(&parent, |arc| arc.0).ok().map(|at| arcs[at].1);
        match edge {
            Some(weight) if weight.extend(keys.of(parent)) == key => Ok(()),
            _ => Err(format!(
                "vertex {vertex} does not hang from its parent {parent} by an edge that fits"
            )),
        }
    });
    ranks.agree(verdict)?;
    // A vertex that is as far as its parent could be its own ancestor.
    let above: Vec<Vertex> = (0..own)
        .map(|position| {
            let (vertex, parent) = (part.own().start + position as Vertex, tree.parents[position]);
            let tied = parent != Vertex::MAX && keys.of(parent) == tree.keys[position];
            if tied { parent } else { vertex }
        })
        .collect();
    let verdict = chains_end(part, above, ranks);
    ranks.agree(verdict)
}

/// Do all chains of vertices lead to one that leads to itself? Each step doubles what is known of every chain.
fn chains_end<W: Weight>(
    part: &Part<W>,
    first: Vec<Vertex>,
    ranks: &mut Ranks,
) -> Result<(), String> {
    let vertex_at = |position: usize| part.own().start + position as Vertex;
    let ends: Vec<u32> = (0..first.len()).map(|at| u32::from(first[at] == vertex_at(at))).collect();
    let mut above = first;
    // No chain has more vertices than the graph.
    for _ in 0..=part.vertices().max(1).ilog2() {
        let far = Neighbours::ask_of(above.iter().copied(), part, &above, ranks);
        let farther: Vec<Vertex> = above.iter().map(|&vertex| far.of(vertex)).collect();
        let same = farther == above;
        above = farther;
        if ranks.sum(u64::from(!same)) == 0 {
            break;
        }
    }
    let ends = Neighbours::ask_of(above.iter().copied(), part, &ends, ranks);
    match above.iter().position(|&vertex| ends.of(vertex) == 0) {
        Some(position) => Err(format!("vertex {} is its own ancestor", vertex_at(position))),
        None => Ok(()),
    }
}

/// Is this a breadth-first tree of a root?
///
/// # Errors
/// Names the rank, and its first vertex that breaks a rule.
pub fn breadth_first<W: Weight>(
    part: &Part<W>,
    root: Vertex,
    tree: &Tree,
    ranks: &mut Ranks,
) -> Result<(), String> {
    let fits = tree.levels.len() == part.own().len() && tree.parents.len() == tree.levels.len();
    ranks.agree(if fits { Ok(()) } else { Err("a vertex without a level".to_owned()) })?;
    let levels = Neighbours::ask(part, &tree.levels, ranks);
    let verdict = (0..tree.levels.len()).try_for_each(|position| {
        let vertex = part.own().start + position as Vertex;
        let (level, parent) = (tree.levels[position], tree.parents[position]);
        for &(neighbour, _) in part.arcs(position) {
            let other = levels.of(neighbour);
            if other.abs_diff(level) > 1 {
                return Err(format!(
                    "edge ({vertex}, {neighbour}) joins levels {level} and {other}"
                ));
            }
        }
        if vertex == root {
            return match (level, parent == root) {
                (0, true) => Ok(()),
                _ => Err(format!("root {root} has level {level} and parent {parent}")),
            };
        }
        if (level == u32::MAX) != (parent == Vertex::MAX) {
            return Err(format!("vertex {vertex} has level {level} and parent {parent}"));
        }
        if level == u32::MAX {
            return Ok(());
        }
        // Levels fall from child to parent, so that all chains of parents end, and only the root has level 0.
        let edge = part.arcs(position).binary_search_by_key(&parent, |arc| arc.0).is_ok();
        if edge && level > 0 && levels.of(parent) == level - 1 {
            Ok(())
        } else {
            Err(format!("vertex {vertex} of level {level} does not hang from its parent {parent}"))
        }
    });
    ranks.agree(verdict)
}
