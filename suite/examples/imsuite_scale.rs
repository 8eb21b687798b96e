//! How far the kernels go: every kernel whose work is nearly linear in the edges, once in each style on one large SP-Max
//! network (VC on a random tree), with its answer checked.
//!
//! `cargo run --release -p plusminus-suite --example imsuite_scale -- 100000 [BF,MIS,VC]`
//!
//! Times are single runs of the wall clock, to see the order of magnitude; `cargo bench` is what measures.

use std::time::Instant;

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::generate::{self, DEFAULT_SEED, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::{Identified, Kernel, Mode, Seed, bf, dp, ds, dst, kc, mis, mst, vc};
use plusminus_suite::places::{Execution, NodeProgram, Style, Uncounted, execute};

/// Runs a program in all styles, and prints how long each took.
fn run<P: NodeProgram>(
    kernel: Kernel,
    program: impl Fn() -> P,
    check: impl Fn(&P::Output) -> Result<(), String>,
) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    print!("{:4}", kernel.name());
    let mut verdict = Ok(());
    for style in [Style::Serial, Style::ForkJoin, Style::Clocked] {
        let start = Instant::now();
        let (output, Uncounted) = execute(&program(), &Execution::new(style, processors));
        print!(" {:>9.3} s", start.elapsed().as_secs_f64());
        verdict = verdict.and(check(&output));
    }
    println!(
        "  {}",
        verdict.map_or_else(|problem| format!("WRONG: {problem}"), |()| "right".to_owned())
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let nodes: usize = arguments.next().map_or(100_000, |n| n.parse().expect("a number of nodes"));
    let wanted = arguments.next();
    let wants = |kernel: Kernel| {
        wanted.as_ref().is_none_or(|names| names.split(',').any(|name| name == kernel.name()))
    };
    let start = Instant::now();
    let topology = generate::network(Shape::SparseMaximum, nodes, DEFAULT_SEED);
    println!(
        "SP-Max, {nodes} nodes, {} edges, largest degree {}, generated in {:.1} s",
        topology.edges(),
        topology.max_degree(),
        start.elapsed().as_secs_f64()
    );
    println!("        serial          FA         FAC");
    let root = Root::new(&topology, 0);
    if wants(Kernel::Bf) {
        let check = |found: &Vec<u32>| bf::check(&topology, &root, found);
        run(Kernel::Bf, || bf::BellmanFord::new(&topology, &root), check);
    }
    if wants(Kernel::Dst) {
        let check = |found: &dst::Tree| dst::check(&topology, &root, found);
        run(Kernel::Dst, || dst::SearchTree::new(&topology, &root), check);
    }
    if wants(Kernel::Ds) {
        let program = || ds::LocalGreedy::new(&topology, &Seed(1), Mode::Repaired);
        run(Kernel::Ds, program, |found: &Vec<bool>| ds::check(&topology, found));
    }
    if wants(Kernel::Mis) {
        let program = || mis::Luby::new(&topology, &Seed(1), Mode::Repaired);
        run(Kernel::Mis, program, |found: &Vec<bool>| mis::check(&topology, found));
    }
    let identifiers = generate::identifiers(nodes, DEFAULT_SEED);
    let network = Identified { topology, identifiers };
    if wants(Kernel::Kc) {
        let size = CommitteeSize(3);
        // The members of a committee are looked for one committee after the other: too slow here, tested elsewhere.
        let check =
            |found: &Vec<u32>| if found.len() == nodes { Ok(()) } else { Err("short".into()) };
        run(Kernel::Kc, || kc::Committees::new(&network, &size), check);
    }
    if wants(Kernel::Dp) {
        run(Kernel::Dp, || dp::Peleg::new(&network), |found: &_| dp::check(&network, found));
    }
    if wants(Kernel::Mst) {
        let network = generate::distinct_weights(network.topology, DEFAULT_SEED);
        let check = |found: &Vec<(u32, u32)>| mst::check(&network, found);
        run(Kernel::Mst, || mst::Fragments::new(&network), check);
    }
    if wants(Kernel::Vc) {
        let tree = generate::tree(Shape::RandomTree, nodes, Some(4), DEFAULT_SEED);
        let program = || vc::ColeVishkin::new(&tree, Mode::Repaired);
        run(Kernel::Vc, program, |found: &Vec<u32>| vc::check(&tree, found));
    }
}
