//! The characterisation of the paper's §6.1: what every kernel counts on an input, in the mode that does as the original.
//!
//! ```
//! use plusminus_suite::imsuite::{Kernel, characterise};
//! use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
//! use plusminus_suite::places::{Execution, Style};
//!
//! let input = OriginalOptions::new(Kernel::Bf, 64, Shape::SparseMinimum).generate();
//! let how = Execution::new(Style::ForkJoin, 1).on_places(64);
//! assert_eq!(characterise::iterative(input, &how).total().comm(), 1009);
//! ```

use super::bf::{BellmanFord, Root};
use super::by::{Agreement, Voters};
use super::dr::Routing;
use super::ds::LocalGreedy;
use super::dst::SearchTree;
use super::hs::HirschbergSinclair;
use super::kc::CommitteeSize;
use super::kc_faithful::FloodedCommittees;
use super::lcr::ChangRoberts;
use super::mis::Luby;
use super::mst::Fragments;
use super::recursive::{self, counted};
use super::vc::ColeVishkin;
use super::{
    Identified, Kernel, Mode, Original, Ring, RootedTree, Seed, Topology, Weighted, Whole, dp,
};
use crate::places::{Counted, Execution, NodeProgram, Style, execute};

/// Seed of what the faithful modes do not draw from it.
const SEED: Seed = Seed(1);

/// Runs a program and counts.
fn count<P: NodeProgram>(program: &P, how: &Execution) -> Counted {
    execute(program, how).1
}

/// The network of an input, or one without edges.
fn network(input: &Original) -> Topology {
    input.topology.clone().unwrap_or_else(|| Topology::from_edges(input.nodes, []))
}

/// The root of an input.
fn root(input: &Original, topology: &Topology) -> Root {
    Root::new(topology, input.header.unwrap_or(0))
}

/// The counts of the iterative variant of the input's kernel.
pub fn iterative(input: Original, how: &Execution) -> Counted {
    let mode = Mode::Faithful;
    let topology = network(&input);
    match input.kernel {
        Kernel::Bf => count(&BellmanFord::new(&topology, &root(&input, &topology)), how),
        Kernel::Dst => count(&SearchTree::new(&topology, &root(&input, &topology)), how),
        Kernel::By => count(&Agreement::new(&Voters::from(input), &SEED, mode), how),
        Kernel::Dr => count(&Routing::new(&Weighted::from(input), mode), how),
        Kernel::Ds => count(&LocalGreedy::new(&topology, &SEED, mode), how),
        Kernel::Kc => {
            let size = CommitteeSize(input.header.unwrap_or(1));
            count(&FloodedCommittees::new(&Identified::from(input), &size), how)
        }
        Kernel::Dp => count(&dp::Peleg::new(&Identified::from(input)), how),
        Kernel::Hs => count(&HirschbergSinclair::new(&Ring::from(input), mode), how),
        Kernel::Lcr => count(&ChangRoberts::new(&Ring::from(input)), how),
        Kernel::Mis => count(&Luby::new(&topology, &SEED, mode), how),
        Kernel::Mst => count(&Fragments::new(&Weighted::from(input)), how),
        Kernel::Vc => count(&ColeVishkin::new(&RootedTree::from(input), mode), how),
    }
}

/// Returns the counts of the recursive variant of the input's kernel at this number of places. `None` if there is
/// none: seven kernels have none at all, BY and DR none that is clocked. BF on general networks and BY depend on the
/// schedule.
pub fn recursive(input: Original, style: Style, places: usize) -> Option<Counted> {
    let nodes = input.nodes;
    let topology = network(&input);
    let mode = Mode::Faithful;
    let clocked = style == Style::Clocked;
    match input.kernel {
        Kernel::Bf => {
            let root = root(&input, &topology);
            let run = |ledger: &_| recursive::bf::search(&topology, &root, style, ledger);
            Some(counted(nodes, places, run).1)
        }
        Kernel::Dst => {
            let root = root(&input, &topology);
            let run = |ledger: &_| recursive::dst::search(&topology, &root, style, ledger);
            Some(counted(nodes, places, run).1)
        }
        Kernel::Mst => {
            let network = Weighted::from(input);
            let run = |ledger: &_| recursive::mst::span(&network, &Whole, style, ledger);
            Some(counted(nodes, places, run).1)
        }
        Kernel::By if !clocked => {
            let voters = Voters::from(input);
            let run = |ledger: &_| recursive::by::agree(&voters, &SEED, mode, style, ledger);
            Some(counted(nodes, places, run).1)
        }
        Kernel::Dr if !clocked => {
            let network = Weighted::from(input);
            let run = |ledger: &_| recursive::dr::route(&network, mode, style, ledger);
            Some(counted(nodes, places, run).1)
        }
        _ => None,
    }
}
