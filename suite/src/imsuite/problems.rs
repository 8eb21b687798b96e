//! The twelve problems that the 48 kernels solve, named as in the paper, and the inputs that they are solved on.
//!
//! ```
//! use plusminus::Problem;
//! use plusminus_suite::imsuite::{mis, problems::Mis};
//!
//! let point = Mis::sweep().into_iter().next().unwrap();
//! assert_eq!(point.to_string(), "sp-min-64");
//! let input = Mis::input(&point);
//! let seed = Mis::instances(&input)[0];
//! assert_eq!(Mis::check(&input, &seed, &mis::serial(&input, &seed)), Ok(()));
//! ```

use std::fmt;

use plusminus::{Problem, Work};

use crate::places::Placement;

use super::bf::Root;
use super::by::Voters;
use super::dr::Route;
use super::dst::Tree;
use super::generate::{self, Shape};
use super::inputs::Inputs;
use super::kc::CommitteeSize;
use super::{
    Election, Identified, Kernel, Original, Ring, RootedTree, Seed, Topology, Weighted, Whole,
};
use super::{bf, by, dp, dr, ds, dst, hs, kc, lcr, mis, mst, vc};

/// A size and a shape of network.
///
/// Up to 1024 nodes the input is the original's for seed 101; larger ones come from the fast generators, for the
/// original's need time and memory of the order of n². Variables change both: see [`inputs`](super::inputs).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// How many nodes.
    pub nodes: usize,
    /// How they are connected.
    pub shape: Shape,
    /// The processors that belong to the point, where both grow together (the paper's U, V and W configurations).
    pub processors: Option<usize>,
    /// At how many places the nodes are, where shifts between them cost time.
    pub placement: Option<Placement>,
}

/// The largest input that is generated as the original does.
const LARGEST_ORIGINAL: usize = 1024;

impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.shape {
            Shape::Complete => "complete",
            Shape::Random => "random",
            Shape::SparseMinimum => "sp-min",
            Shape::SparseMaximum => "sp-max",
            Shape::Chain => "chain",
            Shape::Star => "star",
            Shape::RandomTree => "tree",
            Shape::Ring => "ring",
        };
        let inputs = Inputs::of_environment();
        let shape = inputs.file_name().unwrap_or_else(|| shape.to_owned());
        write!(out, "{shape}-{}{}", self.nodes, inputs.suffix())?;
        if let Some(grain) = super::grain() {
            write!(out, "-by-{grain}")?;
        }
        if let Some(placement) = &self.placement {
            write!(out, "-{placement}")?;
        }
        self.processors.map_or(Ok(()), |processors| write!(out, "-p{processors}"))
    }
}

impl Point {
    /// The original input, if the point is small enough for it.
    fn original(&self, kernel: Kernel) -> Option<Original> {
        let inputs = Inputs::of_environment();
        (self.nodes <= LARGEST_ORIGINAL || inputs.file.is_some())
            .then(|| inputs.original(kernel, self.nodes, self.shape))
    }

    /// The network.
    fn topology(&self, kernel: Kernel) -> Topology {
        let original = self.original(kernel).and_then(|original| original.topology);
        original.unwrap_or_else(|| generate::network(self.shape, self.nodes, seed()))
    }

    /// A network whose nodes have identifiers.
    fn identified(&self, kernel: Kernel) -> Identified {
        let identifiers = match self.original(kernel) {
            Some(original) => original.numbers,
            None => generate::identifiers(self.nodes, seed()),
        };
        Identified { topology: self.topology(kernel), identifiers }
    }

    /// A ring.
    fn ring(&self, kernel: Kernel) -> Ring {
        Ring::new(match self.original(kernel) {
            Some(original) => original.numbers,
            None => generate::identifiers(self.nodes, seed()),
        })
    }
}

/// The seed of generated inputs.
fn seed() -> u64 {
    Inputs::of_environment().seed
}

/// The variable that decides the sizes of a sweep.
pub const NODES_VARIABLE: &str = "PLUSMINUS_IMSUITE_NODES";

/// The points of a sweep: the default, or `PLUSMINUS_IMSUITE_NODES=64,512` or, with the processors that belong to them,
/// `64@1,128@2`, each in both shapes.
///
/// # Panics
/// When the variable cannot be understood.
pub fn points(shapes: [Shape; 2], default: &str) -> Vec<Point> {
    points_at(shapes, default, super::placement::of_environment().copied())
}

/// The same with the nodes at places between which shifts cost time.
///
/// # Panics
/// When the variable cannot be understood.
pub fn points_at(shapes: [Shape; 2], default: &str, placement: Option<Placement>) -> Vec<Point> {
    let name = NODES_VARIABLE;
    let inputs = Inputs::of_environment();
    let mut shapes = inputs.shapes(shapes);
    let mut sizes = std::env::var(name).unwrap_or_else(|_| default.to_owned());
    if let Some(nodes) = inputs.nodes_of_file() {
        // One network, on the processors of the first entry.
        let processors = sizes.split(',').next().and_then(|entry| entry.split_once('@'));
        sizes = processors.map_or(nodes.to_string(), |(_, p)| format!("{nodes}@{p}"));
        shapes[1] = shapes[0];
    }
    let mut points = Vec::new();
    for entry in sizes.split(',') {
        let (nodes, processors) = parse(entry.trim()).unwrap_or_else(|| {
            panic!("{name}: {entry:?} is neither a number of nodes nor nodes@processors")
        });
        for shape in shapes {
            let point = Point { nodes, shape, processors, placement };
            if !points.contains(&point) {
                points.push(point);
            }
        }
    }
    points
}

/// Reads `64` or `64@2`.
fn parse(entry: &str) -> Option<(usize, Option<usize>)> {
    let (nodes, processors) = match entry.split_once('@') {
        Some((nodes, processors)) => (nodes, Some(processors.parse().ok().filter(|&p| p > 0)?)),
        None => (entry, None),
    };
    Some((nodes.parse().ok().filter(|&nodes| nodes > 1)?, processors))
}

/// The paper's two inputs for general networks: Mn-In and Mx-In.
const SPARSE: [Shape; 2] = [Shape::SparseMinimum, Shape::SparseMaximum];

/// The seeds of randomized algorithms: one instance each.
const SEEDS: [Seed; 4] = [Seed(1), Seed(2), Seed(3), Seed(4)];

/// Defines a problem.
macro_rules! problem {
    (
        $(#[$doc:meta])* $name:ident, $shapes:expr, $default:literal,
        $input:ty = |$point:ident| $make:expr,
        $instance:ty = |$of:ident| $instances:expr,
        $output:ty => |$a:ident, $b:ident, $c:ident| $check:expr,
        edges $work:expr
    ) => {
        $(#[$doc])*
        pub struct $name;

        impl Problem for $name {
            type Point = Point;
            type Input = $input;
            type Instance = $instance;
            type Output = $output;

            fn sweep() -> impl IntoIterator<Item = Point> {
                points($shapes, $default)
            }

            fn input($point: &Point) -> $input {
                $make
            }

            fn instances($of: &$input) -> Vec<$instance> {
                $instances
            }

            fn check($a: &$input, $b: &$instance, $c: &$output) -> Result<(), String> {
                $check
            }

            fn work(input: &$input, _: &$instance) -> Work {
                let work: fn(&$input) -> usize = $work;
                Work::edges(work(input) as u64)
            }

            fn processors(point: &Point) -> Vec<usize> {
                point.processors.into_iter().collect()
            }
        }
    };
}

/// The original's root first where the network is one of the original's, then nodes at both ends of the numbering, and
/// one between them.
fn roots(topology: &Topology, kernel: Kernel) -> Vec<Root> {
    let nodes = topology.nodes() as u32;
    let mut roots: Vec<u32> = original_root(topology, kernel).into_iter().collect();
    for node in [0, nodes / 3, nodes - 1] {
        if !roots.contains(&node) {
            roots.push(node);
        }
    }
    roots.into_iter().map(|node| Root::new(topology, node)).collect()
}

/// The root that the original draws after the network, which does not know it: drawn again, to see which network it is.
fn original_root(topology: &Topology, kernel: Kernel) -> Option<u32> {
    SPARSE.into_iter().find_map(|shape| {
        let point = Point { nodes: topology.nodes(), shape, processors: None, placement: None };
        let original = point.original(kernel)?;
        (original.topology.as_ref() == Some(topology)).then_some(original.header)?
    })
}

problem! {
    /// All distances from a root: see [`bf`].
    Bf, SPARSE, "64,512", Topology = |point| point.topology(Kernel::Bf),
    Root = |topology| roots(topology, Kernel::Bf),
    Vec<u32> => |topology, root, distances| bf::check(topology, root, distances),
    edges Topology::edges
}

problem! {
    /// A breadth-first search tree: see [`dst`].
    Dst, SPARSE, "64,512", Topology = |point| point.topology(Kernel::Dst),
    Root = |topology| roots(topology, Kernel::Dst),
    Tree => |topology, root, tree| dst::check(topology, root, tree),
    edges Topology::edges
}

problem! {
    /// Agreement of nodes some of which lie: see [`by`].
    By, SPARSE, "64,128",
    Voters = |point| match point.original(Kernel::By) {
        Some(original) => Voters::from(original),
        None => {
            let (votes, traitors) = generate::votes_and_traitors(point.nodes, seed());
            Voters::new(point.topology(Kernel::By), votes, &traitors)
        }
    },
    Seed = |_voters| SEEDS.to_vec(),
    Vec<Option<u32>> => |voters, _seed, decisions| by::check(voters, decisions),
    edges |voters| voters.topology.edges()
}

problem! {
    /// Routing tables, of equal weights as in the paper up to 1024 nodes: see [`dr`].
    Dr, SPARSE, "64,256",
    Weighted = |point| match point.original(Kernel::Dr) {
        Some(original) => Weighted::from(original),
        None => generate::random_weights(point.topology(Kernel::Dr), 20, seed()),
    },
    Whole = |_network| vec![Whole],
    Vec<Vec<Route>> => |network, _whole, tables| dr::check(network, tables),
    edges |network| network.topology.edges()
}

problem! {
    /// A small dominating set: see [`ds`].
    Ds, SPARSE, "64,4096", Topology = |point| point.topology(Kernel::Ds),
    Seed = |_topology| SEEDS.to_vec(),
    Vec<bool> => |topology, _seed, set| ds::check(topology, set),
    edges Topology::edges
}

problem! {
    /// Committees of at most three nodes, or the number in the variable: see [`kc`].
    Kc, SPARSE, "64,4096", Identified = |point| point.identified(Kernel::Kc),
    CommitteeSize = |_network| vec![CommitteeSize(Inputs::of_environment().committee_size)],
    Vec<u32> => |network, size, committees| kc::check(network, size, committees),
    edges |network| network.topology.edges()
}

problem! {
    /// A leader in any network: see [`dp`].
    Dp, SPARSE, "64,4096", Identified = |point| point.identified(Kernel::Dp),
    Whole = |_network| vec![Whole],
    Election => |network, _whole, election| dp::check(network, election),
    edges |network| network.topology.edges()
}

problem! {
    /// A leader on a ring whose messages go both ways: see [`hs`].
    Hs, [Shape::Ring; 2], "64,512", Ring = |point| point.ring(Kernel::Hs),
    Whole = |_ring| vec![Whole],
    Election => |ring, _whole, election| hs::check(ring, election),
    edges Ring::nodes
}

problem! {
    /// A leader on a ring whose messages go one way: see [`lcr`].
    Lcr, [Shape::Ring; 2], "64,512", Ring = |point| point.ring(Kernel::Lcr),
    Whole = |_ring| vec![Whole],
    Election => |ring, _whole, election| lcr::check(ring, election),
    edges Ring::nodes
}

problem! {
    /// A maximal independent set: see [`mis`].
    Mis, SPARSE, "64,4096", Topology = |point| point.topology(Kernel::Mis),
    Seed = |_topology| SEEDS.to_vec(),
    Vec<bool> => |topology, _seed, set| mis::check(topology, set),
    edges Topology::edges
}

problem! {
    /// The minimum spanning tree: see [`mst`].
    Mst, SPARSE, "64,512",
    Weighted = |point| match point.original(Kernel::Mst) {
        Some(original) => Weighted::from(original),
        None => generate::distinct_weights(point.topology(Kernel::Mst), seed()),
    },
    Whole = |_network| vec![Whole],
    Vec<(u32, u32)> => |network, _whole, tree| mst::check(network, tree),
    edges |network| network.topology.edges()
}

problem! {
    /// A tree in three colors: see [`vc`].
    Vc, [Shape::Chain, Shape::Star], "64,4096",
    RootedTree = |point| match point.original(Kernel::Vc) {
        Some(original) => RootedTree::from(original),
        None => generate::tree(point.shape, point.nodes, None, seed()),
    },
    Whole = |_tree| vec![Whole],
    Vec<u32> => |tree, _whole, colours| vc::check(tree, colours),
    edges |tree| tree.nodes() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_called_rings() {
        let points = Hs::sweep().into_iter().chain(Lcr::sweep());
        let names: Vec<String> = points.map(|point| point.to_string()).collect();
        assert!(
            !names.is_empty() && names.iter().all(|name| name.starts_with("ring-")),
            "{names:?}"
        );
    }
}
