//! Inputs of IMSuite: which options the kernels have, and which shapes.

use std::fs;

use clap::ValueEnum;
use plusminus_suite::imsuite::{
    Kernel,
    generate::{DEFAULT_SEED, OriginalOptions, RouteWeights, Shape},
};

use super::{Result, Target, error};

/// The format holds an n × n matrix, so that larger files are of no use.
const MOST_NODES: usize = 16_384;
/// Rings are lists.
const MOST_NODES_OF_A_RING: usize = 10_000_000;

/// Options of the original generators.
#[derive(Debug, clap::Args)]
pub(super) struct Imsuite {
    /// The kernel: BF, DST, BY, DR, DS, KC, DP, HS, LCR, MIS, MST or VC.
    #[arg(value_parser = kernel)]
    kernel: Kernel,
    /// Nodes.
    #[arg(short, long, default_value_t = 16)]
    nodes: usize,
    /// How they are connected; rings (HS, LCR) have no shape.
    #[arg(long, value_enum)]
    shape: Option<ShapeName>,
    /// Seed of the stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// The largest number of children of a tree node; drawn where absent.
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..))]
    max_children: Option<u32>,
    /// K of KC; drawn where absent (3 for complete and random networks, as in the original).
    #[arg(short, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    k: Option<u32>,
    /// Weights of DR.
    #[arg(long, value_enum)]
    weights: Option<Weights>,
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShapeName {
    /// Every pair is an edge (the original's -cplt).
    Complete,
    /// Every pair is an edge with probability one half, and for VC a random tree (-rn).
    Random,
    /// A random tree (-spmin).
    SpMin,
    /// The same tree and random edges up to n·⌊log₂ n⌋ − 1 (-spmax).
    SpMax,
    /// VC: every node has one child (-chain).
    Chain,
    /// VC: the root has all others as children (-star).
    Star,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Weights {
    /// All 1 (-weq).
    Equal,
    /// Uniform below 20·n (-wrn).
    Random,
}

/// Reads a kernel's name.
fn kernel(name: &str) -> std::result::Result<Kernel, String> {
    let found = Kernel::ALL.into_iter().find(|kernel| kernel.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let known: Vec<&str> = Kernel::ALL.iter().map(|kernel| kernel.name()).collect();
        format!("the kernels are {}", known.join(", "))
    })
}

impl Imsuite {
    pub(super) fn write(&self) -> Result<String> {
        let options = self.options()?;
        self.target.check()?;
        let input = options.generate();
        self.target.write(|path| fs::write(path, input.write()))?;
        let edges = input
            .topology
            .as_ref()
            .map_or_else(String::new, |topology| format!(", {} edges", topology.edges()));
        let path = self.target.output.display();
        Ok(format!("{path}: {} on {} nodes{edges}", self.kernel, self.nodes))
    }

    /// The options as the suite has them, if they fit together.
    fn options(&self) -> Result<OriginalOptions> {
        let (kernel, nodes) = (self.kernel, self.nodes);
        let ring = matches!(kernel, Kernel::Hs | Kernel::Lcr);
        let most = if ring { MOST_NODES_OF_A_RING } else { MOST_NODES };
        if !(2..=most).contains(&nodes) {
            return error(format!(
                "{nodes} nodes: an input of {kernel} has from 2 to {most}; for larger networks use the generators in \
                 plusminus_suite::imsuite::generate, which need no file"
            ));
        }
        let refuse = |option: &str, is: &str| error(format!("{option} is an option of {is} only"));
        if self.k.is_some() && kernel != Kernel::Kc {
            return refuse("-k", "KC");
        }
        if self.weights.is_some() && kernel != Kernel::Dr {
            return refuse("--weights", "DR");
        }
        if let Some(k) = self.k.filter(|k| *k as usize > nodes) {
            return error(format!("K = {k} is more than the {nodes} nodes"));
        }
        let shape = self.shape()?;
        let draws_tree = matches!(shape, Shape::SparseMinimum | Shape::SparseMaximum);
        if self.max_children.is_some() && !draws_tree {
            return refuse("--max-children", "sp-min and sp-max networks");
        }
        // n·⌊log₂ n⌋ − 1 edges are more than there are pairs.
        if shape == Shape::SparseMaximum
            && nodes * nodes.ilog2() as usize > nodes * (nodes - 1) / 2 + 1
        {
            return error(format!(
                "sp-max networks have n·⌊log₂ n⌋ − 1 edges, which {nodes} nodes have no room for"
            ));
        }
        Ok(OriginalOptions {
            seed: self.seed,
            max_children: self.max_children,
            committee_size: self.k,
            route_weights: match self.weights {
                Some(Weights::Random) => RouteWeights::Random,
                Some(Weights::Equal) | None => RouteWeights::Equal,
            },
            ..OriginalOptions::new(kernel, nodes, shape)
        })
    }

    /// The shape, if the kernel has it.
    fn shape(&self) -> Result<Shape> {
        let kernel = self.kernel;
        match (kernel, self.shape) {
            (Kernel::Hs | Kernel::Lcr, None) => Ok(Shape::Random),
            (Kernel::Hs | Kernel::Lcr, Some(_)) => {
                error(format!("{kernel} runs on a ring, which has no --shape"))
            }
            (Kernel::Vc, None | Some(ShapeName::Random)) => Ok(Shape::RandomTree),
            (Kernel::Vc, Some(ShapeName::Chain)) => Ok(Shape::Chain),
            (Kernel::Vc, Some(ShapeName::Star)) => Ok(Shape::Star),
            (Kernel::Vc, Some(_)) => {
                error("VC colors a tree: --shape is random, chain or star".to_owned())
            }
            (_, None | Some(ShapeName::Random)) => Ok(Shape::Random),
            (_, Some(ShapeName::Complete)) => Ok(Shape::Complete),
            (_, Some(ShapeName::SpMin)) => Ok(Shape::SparseMinimum),
            (_, Some(ShapeName::SpMax)) => Ok(Shape::SparseMaximum),
            (_, Some(ShapeName::Chain | ShapeName::Star)) => {
                error(format!("{kernel} runs on a network: chain and star are trees of VC"))
            }
        }
    }
}
