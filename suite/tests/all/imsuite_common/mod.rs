//! Shared by the tests of IMSuite: the original inputs, and counted runs of the faithful programs on them.

use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::{Kernel, Original, characterise};
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
    pub(crate) nodes: usize,
    file: Original,
}

impl Case {
    pub(crate) fn new(kernel: Kernel, nodes: usize, shape: &str) -> Self {
        Self::of(original(kernel, nodes, shape))
    }

    /// The faithful mode on any input.
    pub(crate) fn of(file: Original) -> Self {
        Self { nodes: file.nodes, file }
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
        characterise::iterative(self.file.clone(), how)
    }
}
