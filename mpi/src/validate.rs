//! The rules of Graph500 over ranks: every rank looks at its own vertices and arcs, and asks the owners of its vertices'
//! neighbours for what they found. No rank sees the whole answer, and all get the same verdict.

use plusminus_suite::graph::{Vertex, Weight};

use crate::bfs::Tree;
use crate::graph::Part;
use crate::{Mail, Ranks};

/// What was found at the vertices of other ranks that are neighbours of this rank's.
struct Neighbours<'a> {
    part: &'a Part,
    own: &'a [u32],
    others: Vec<Vertex>,
    found: Vec<u32>,
}

impl<'a> Neighbours<'a> {
    /// Asks for what was found, which is a number for each vertex.
    fn ask(part: &'a Part, own: &'a [u32], ranks: &mut Ranks) -> Self {
        let targets = (0..own.len()).flat_map(|position| part.arcs(position)).map(|arc| arc.0);
        let mut others: Vec<Vertex> =
            targets.filter(|&target| part.position(target).is_none()).collect();
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

    /// What was found at a vertex of this rank or at a neighbour of one.
    fn of(&self, vertex: Vertex) -> u32 {
        match self.part.position(vertex) {
            Some(position) => self.own[position],
            None => self.found[self.others.partition_point(|&other| other < vertex)],
        }
    }
}

/// Are these the distances from a source? Weights must be above zero: then every vertex but the source has to have a
/// nearer neighbour from which an edge leads there exactly, and none from which one leads nearer.
///
/// # Errors
/// Names the rank, and its first vertex that breaks a rule.
pub fn distances(
    part: &Part,
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
        let through = |&(neighbour, weight): &(Vertex, u32)| {
            let from = neighbours.of(neighbour);
            if from == u32::MAX { u32::MAX } else { weight.extend(from) }
        };
        let nearest = part.arcs(position).iter().map(through).min().unwrap_or(u32::MAX);
        match (vertex == source, distance) {
            (true, 0) => Ok(()),
            (true, _) => Err(format!("source {vertex} has distance {distance}, not 0")),
            (false, _) if distance == nearest => Ok(()),
            (false, _) => {
                Err(format!("vertex {vertex} is at {distance}, its neighbours say {nearest}"))
            }
        }
    });
    ranks.agree(verdict)
}

/// Is this a breadth-first tree of a root?
///
/// # Errors
/// Names the rank, and its first vertex that breaks a rule.
pub fn breadth_first(
    part: &Part,
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
