//! DR: routing tables by Dijkstra's algorithm, at every node by itself.
//!
//! **Model.** One phase in which every node reads the links of others. **Source.** Tanenbaum, "Computer Networks"; DR of
//! IMSuite. **Time** O(m log n) per node, **messages** O(n·m): a node settles all others by ascending cost, and fetches
//! the links of each. There is no FAC variant, for there is no second phase. **Memory** 24 + 16·n bytes per node.
//!
//! **Repaired**: the next hop to a neighbor is that neighbor; in the original it is the node itself for all direct
//! children of the shortest path tree, so that no packet ever leaves. The original finds next hops by passing them down
//! its tree as many times as the tree is deep, reading links again each time; [`Mode::Faithful`] does and counts so.
//!
//! ```
//! use plusminus_suite::imsuite::{Topology, Weighted, Whole, dr};
//!
//! let triangle = Topology::from_edges(3, [(0, 1), (1, 2), (0, 2)]);
//! let network = Weighted::new(triangle, |a, b| if (a, b) == (0, 2) { 9 } else { 1 });
//! let tables = dr::serial(&network, &Whole);
//! assert_eq!(tables[0][2], dr::Route { cost: 2, hops: 2, next: 1 });
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Mode, UNREACHABLE, Weighted};
use crate::places::{
    Driver, Ended, Engine, NodeProgram, Parts, Tally, Task, Wire, length, pack_u64, take_length,
    take_u64,
};

/// The entry of a routing table for one destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The sum of the weights on the way, `u64::MAX` if there is none.
    pub cost: u64,
    /// The number of edges on the way.
    pub hops: u32,
    /// The neighbor to send to; the node itself for itself.
    pub next: u32,
}

/// No way.
const NO_ROUTE: Route = Route { cost: u64::MAX, hops: UNREACHABLE, next: UNREACHABLE };

/// The node program.
#[derive(Debug, Clone, Copy)]
pub struct Routing<'a> {
    network: &'a Weighted,
    mode: Mode,
}

impl<'a> Routing<'a> {
    /// The tables of a network.
    pub fn new(network: &'a Weighted, mode: Mode) -> Self {
        Self { network, mode }
    }
}

/// Dijkstra's algorithm from a node: its table without the next hops, and the parent of every node in the tree of
/// shortest paths. `settled` is called with every node whose links it needs.
///
/// Of ways of equal cost the one of fewer hops is taken; the faithful mode takes the one that was found last.
pub(super) fn shortest_paths(
    network: &Weighted,
    from: u32,
    mode: Mode,
    mut settled: impl FnMut(u32),
) -> (Vec<Route>, Vec<u32>) {
    let nodes = network.topology.nodes();
    let mut routes = vec![NO_ROUTE; nodes];
    let mut parents = vec![UNREACHABLE; nodes];
    let mut found = 0;
    let mut queue = BinaryHeap::from([Reverse((0_u64, 0_u32, 0_u32, from, from))]);
    while let Some(Reverse((cost, _, hops, node, parent))) = queue.pop() {
        if parents[node as usize] != UNREACHABLE {
            continue;
        }
        parents[node as usize] = parent;
        routes[node as usize] = Route { cost, hops, next: node };
        settled(node);
        for (other, weight) in network.links(node) {
            if parents[other as usize] == UNREACHABLE {
                found += 1;
                let tie = if mode == Mode::Faithful { u32::MAX - found } else { hops + 1 };
                queue.push(Reverse((cost + u64::from(weight), tie, hops + 1, other, node)));
            }
        }
    }
    (routes, parents)
}

impl Routing<'_> {
    /// Fills in the next hops, nearer nodes first.
    fn next_hops<C: Tally>(
        &self,
        task: &mut Task<'_, Self, C>,
        routes: &mut [Route],
        parents: &[u32],
    ) {
        let from = task.id;
        let mut order: Vec<u32> = (0..routes.len() as u32)
            .filter(|&node| node != from && routes[node as usize].hops != UNREACHABLE)
            .collect();
        order.sort_unstable_by_key(|&node| routes[node as usize].hops);
        let depth = order.last().map_or(0, |&node| routes[node as usize].hops);
        for &node in &order {
            let parent = parents[node as usize];
            routes[node as usize].next = match self.mode {
                _ if parent != from => routes[parent as usize].next,
                Mode::Repaired => node,
                Mode::Faithful => from,
            };
            if self.mode == Mode::Faithful {
                // The original looks at every node that it has reached, once more in each of the steps that follow.
                for _ in routes[node as usize].hops..=depth {
                    task.shift(from, node);
                }
            }
        }
    }
}

impl NodeProgram for Routing<'_> {
    type State = Vec<Route>;
    type Link = ();
    type Message = ();
    type Phase = ();
    type Output = Vec<Vec<Route>>;

    fn nodes(&self) -> usize {
        self.network.topology.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.network.topology.neighbours(node)
    }

    fn state(&self, _: u32) -> Vec<Route> {
        Vec::new()
    }

    fn step<C: Tally>(&self, (): (), task: &mut Task<'_, Self, C>) {
        let from = task.id;
        let (mut routes, parents) = shortest_paths(self.network, from, self.mode, |node| {
            // How many links there are, and the links.
            task.shift(from, node);
            task.shift(from, node);
        });
        self.next_hops(task, &mut routes, &parents);
        *task.state = routes;
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        net.round();
        net.phase(());
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<Vec<Route>> {
        ended.map(|_, table, _| table)
    }
}

impl Wire for Route {
    type Words = [u32; 4];

    fn pack(self) -> [u32; 4] {
        let [low, high] = pack_u64(self.cost);
        [low, high, self.hops, self.next]
    }

    fn unpack([low, high, hops, next]: [u32; 4]) -> Option<Self> {
        Some(Self { cost: take_u64(&mut &[low, high][..])?, hops, next })
    }
}

impl Parts for Vec<Vec<Route>> {
    fn pack(&self, words: &mut Vec<u32>) {
        words.extend(length(self.len()));
        self.iter().for_each(|table| table.pack(words));
    }

    fn take_in(&mut self, words: &mut &[u32]) -> Option<()> {
        for _ in 0..take_length(words)? {
            let mut table = Vec::new();
            table.take_in(words)?;
            self.push(table);
        }
        Some(())
    }
}

super::variants!(Dr, Weighted, super::Whole => Vec<Vec<Route>>, |network, _whole| Routing::new(network, Mode::Repaired));

/// Checks that costs are those of shortest paths, and that following the next hops has the cost of the table, in as
/// many hops. The shortest paths are found by relaxing all edges until nothing changes, not by Dijkstra's algorithm.
///
/// # Errors
/// Names the first pair of nodes with a wrong route.
pub fn check(network: &Weighted, tables: &[Vec<Route>]) -> Result<(), String> {
    let nodes = network.topology.nodes();
    super::one_per_node("tables", tables.len(), nodes)?;
    for (from, table) in tables.iter().enumerate() {
        super::one_per_node("routes", table.len(), nodes)?;
        for (to, &cost) in relaxed(network, from as u32).iter().enumerate() {
            let route = table[to];
            if route.cost != cost {
                return Err(format!("{from} to {to}: cost {}, the shortest is {cost}", route.cost));
            }
            if cost == u64::MAX {
                if route != NO_ROUTE {
                    return Err(format!("{from} to {to}: {route:?} although there is no way"));
                }
                continue;
            }
            let walked = walk(network, tables, from as u32, to as u32)
                .map_err(|problem| format!("{from} to {to}: {problem}"))?;
            if walked != (route.cost, route.hops) {
                let (cost, hops) = walked;
                return Err(format!(
                    "{from} to {to}: the table says {route:?}, its way costs {cost} in {hops} hops"
                ));
            }
        }
    }
    Ok(())
}

/// Follows the tables from node to node; the cost and the number of hops.
fn walk(
    network: &Weighted,
    tables: &[Vec<Route>],
    from: u32,
    to: u32,
) -> Result<(u64, u32), String> {
    let (mut node, mut cost, mut hops) = (from, 0, 0);
    while node != to {
        let next = tables[node as usize][to as usize].next;
        let weight = if next == node || next as usize >= tables.len() {
            None
        } else {
            network.weight(node, next)
        };
        cost += u64::from(weight.ok_or(format!("the next hop of node {node} is {next}"))?);
        hops += 1;
        node = next;
        if hops as usize > tables.len() {
            return Err("the way is a circle".to_owned());
        }
    }
    let own = tables[to as usize][to as usize].next;
    if own == to { Ok((cost, hops)) } else { Err(format!("node {to} sends its own mail to {own}")) }
}

/// The cost of the shortest path to every node, by relaxing edges (Bellman, Ford) in the order of a queue.
fn relaxed(network: &Weighted, from: u32) -> Vec<u64> {
    let mut costs = vec![u64::MAX; network.topology.nodes()];
    let mut queue = std::collections::VecDeque::from([from]);
    costs[from as usize] = 0;
    while let Some(node) = queue.pop_front() {
        for (other, weight) in network.links(node) {
            let cost = costs[node as usize] + u64::from(weight);
            if cost < costs[other as usize] {
                costs[other as usize] = cost;
                queue.push_back(other);
            }
        }
    }
    costs
}
