//! What the tests of IMSuite share: the original inputs, and counted runs of the faithful programs on them.
#![allow(dead_code)] // each test uses its part

use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::{
    Identified, Kernel, Mode, Original, Ring, RootedTree, Seed, Weighted, bf, by, dp, dr, ds, dst,
    hs, kc_faithful, lcr, mis, mst, vc,
};
use plusminus_suite::places::{Counted, Counts, Execution, NodeProgram, execute};

/// The shape by its name in tables.
pub(crate) fn shape(name: &str) -> Shape {
    match name {
        "complete" => Shape::Complete,
        "random" => Shape::Random,
        "sp-min" => Shape::SparseMinimum,
        "sp-max" | "ring" => Shape::SparseMaximum,
        "chain" => Shape::Chain,
        "star" => Shape::Star,
        "tree" => Shape::RandomTree,
        _ => panic!("{name} is no shape"),
    }
}

/// The original input of a kernel, with K = 3.
pub(crate) fn original(kernel: Kernel, nodes: usize, name: &str) -> Original {
    let mut options = OriginalOptions::new(kernel, nodes, shape(name));
    options.committee_size = Some(3);
    options.generate()
}

/// Runs a program and counts.
pub(crate) fn count_all<P: NodeProgram>(program: &P, how: &Execution) -> (P::Output, Counted) {
    execute(program, how)
}

/// A kernel in the faithful mode on an original input.
pub(crate) struct Case {
    kernel: Kernel,
    pub(crate) nodes: usize,
    file: Original,
}

impl Case {
    pub(crate) fn new(kernel: Kernel, nodes: usize, shape: &str) -> Self {
        Self { kernel, nodes, file: original(kernel, nodes, shape) }
    }

    /// The counts of a run.
    pub(crate) fn count(&self, how: &Execution) -> Counts {
        self.run(how).total()
    }

    /// The counts of every round of a run.
    pub(crate) fn count_rounds(&self, how: &Execution) -> Vec<Counts> {
        self.run(how).rounds().to_vec()
    }

    /// A run of the faithful program.
    pub(crate) fn run(&self, how: &Execution) -> Counted {
        let file = self.file.clone();
        let mode = Mode::Faithful;
        let seed = &Seed(1);
        let network = || file.topology.clone().expect("a network");
        match self.kernel {
            Kernel::Bf | Kernel::Dst => {
                let topology = network();
                let root = bf::Root::new(&topology, file.header.expect("a root"));
                if self.kernel == Kernel::Bf {
                    count_all(&bf::BellmanFord::new(&topology, &root), how).1
                } else {
                    count_all(&dst::SearchTree::new(&topology, &root), how).1
                }
            }
            Kernel::By => count_all(&by::Agreement::new(&Voters::from(file), seed, mode), how).1,
            Kernel::Dr => count_all(&dr::Routing::new(&Weighted::from(file), mode), how).1,
            Kernel::Ds => count_all(&ds::LocalGreedy::new(&network(), seed, mode), how).1,
            Kernel::Kc => {
                let network = Identified::from(file);
                let size = CommitteeSize(3);
                count_all(&kc_faithful::FloodedCommittees::new(&network, &size), how).1
            }
            Kernel::Dp => count_all(&dp::Peleg::new(&Identified::from(file)), how).1,
            Kernel::Hs => count_all(&hs::HirschbergSinclair::new(&Ring::from(file), mode), how).1,
            Kernel::Lcr => count_all(&lcr::ChangRoberts::new(&Ring::from(file)), how).1,
            Kernel::Mis => count_all(&mis::Luby::new(&network(), seed, mode), how).1,
            Kernel::Mst => count_all(&mst::Fragments::new(&Weighted::from(file)), how).1,
            Kernel::Vc => count_all(&vc::ColeVishkin::new(&RootedTree::from(file), mode), how).1,
        }
    }
}
