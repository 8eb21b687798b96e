//! Every parallel kernel, over and over, on twice as many threads as there are processors. If a step reads data that
//! the same step of another node writes, that shows up now and then as a wrong answer, a panic or a run that never
//! ends.
//!
//! Tasks rarely meet between two instructions, so ledgers and, in builds with debug assertions, boards make them wait there.
//!
//! `PLUSMINUS_IMSUITE_STRESS=200 cargo test -p plusminus-suite --test all imsuite_stress -- --nocapture` repeats
//! everything 200 times; once without it. Prints how many executions of each kernel passed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::recursive::{self, Ledger};
use plusminus_suite::imsuite::{
    Identified, Mode, Ring, RootedTree, Seed, Topology, Weighted, Whole, bf, by, dp, dr, ds, dst,
    hs, kc, lcr, mis, mst, vc,
};
use plusminus_suite::places::{
    Counts, Execution, NodeProgram, Style, Uncounted, execute, shake_boards,
};

/// The variable with the number of repetitions.
const VARIABLE: &str = "PLUSMINUS_IMSUITE_STRESS";

/// The families of networks and their sizes.
const FAMILIES: [(Shape, usize); 8] = [
    (Shape::SparseMinimum, 64),
    (Shape::SparseMaximum, 97),
    (Shape::Random, 64),
    (Shape::Complete, 65),
    (Shape::Chain, 130),
    (Shape::Star, 200),
    (Shape::RandomTree, 160),
    (Shape::SparseMaximum, 256),
];

/// The kernels that have n rounds or look at all pairs of nodes run on networks up to this size.
const LARGEST_FOR_LONG: usize = 130;

/// How often everything is repeated.
fn repetitions() -> u64 {
    match std::env::var(VARIABLE) {
        Err(_) => 1,
        Ok(text) => match text.parse() {
            Ok(0) | Err(_) => panic!("{VARIABLE}: {text:?} is not a number above 0"),
            Ok(repetitions) => repetitions,
        },
    }
}

/// A ledger that makes tasks lose their processor where they touch what others see, a different time in every run.
struct Shaking(AtomicU64);

impl Shaking {
    fn shake(&self) {
        let word = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Relaxed);
        match (word ^ word >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 58 {
            0 => std::thread::yield_now(),
            wait @ 1..8 => (0..wait * 16).for_each(|_| std::hint::spin_loop()),
            _ => {}
        }
    }
}

impl Ledger for Shaking {
    const COUNTS: bool = true;
    fn add(&self, _: Counts) {
        self.shake();
    }
    fn shift(&self, _: u32, _: u32) {
        self.shake();
    }
    fn control(&self, _: u32) {}
    fn round(&self) {}
}

/// One network with everything that the kernels need of it.
struct Inputs {
    root: Root,
    voters: Voters,
    routes: Weighted,
    weighted: Weighted,
    identified: Identified,
    ring: Ring,
    tree: RootedTree,
    topology: Topology,
}

impl Inputs {
    fn new(shape: Shape, nodes: usize, seed: u64) -> Self {
        let names: Vec<u32> =
            generate::identifiers(nodes, seed).iter().map(|name| name - 1).collect();
        let topology = match shape {
            Shape::RandomTree => generate::tree(shape, nodes, Some(3), seed).topology(),
            _ => generate::network(shape, nodes, seed),
        };
        let topology = generate::renumber(&topology, &names);
        let connected = topology.components().iter().all(|&component| component == 0);
        let agora = if connected {
            topology.clone()
        } else {
            generate::network(Shape::SparseMinimum, nodes, seed)
        };
        let (votes, traitors) = generate::votes_and_traitors(nodes, seed);
        Self {
            root: Root::new(&topology, (seed % nodes as u64) as u32),
            voters: Voters::new(agora, votes, &traitors),
            routes: generate::random_weights(topology.clone(), 20, seed),
            weighted: generate::distinct_weights(topology.clone(), seed),
            identified: Identified {
                topology: topology.clone(),
                identifiers: generate::identifiers(nodes, !seed),
            },
            ring: Ring::new(generate::identifiers(nodes, seed)),
            tree: generate::tree(Shape::RandomTree, nodes, Some(1 + (seed % 5) as u32), seed),
            topology,
        }
    }
}

/// Runs kernels of one repetition and counts what has passed.
struct Stress<'a> {
    threads: usize,
    pool: &'a rayon::ThreadPool,
    passed: &'a mut BTreeMap<String, u64>,
    what: String,
}

impl Stress<'_> {
    fn pass(&mut self, kernel: &str, style: Style, answer: Result<(), String>) {
        assert_eq!(answer, Ok(()), "{kernel}, {style:?} on {}", self.what);
        *self.passed.entry(format!("{kernel} {style:?}")).or_default() += 1;
    }

    /// A program in the given styles; each run has a program of its own, as boards are part of it.
    fn iterative<P: NodeProgram<Output: Send>>(
        &mut self,
        kernel: &str,
        styles: &[Style],
        program: impl Fn() -> P + Sync,
        check: impl Fn(&P::Output) -> Result<(), String>,
    ) {
        for &style in styles {
            let how = Execution::new(style, self.threads);
            let (output, Uncounted) = self.pool.install(|| execute(&program(), &how));
            self.pass(kernel, style, check(&output));
        }
    }

    /// A recursive kernel in the given styles, as it is timed or shaken.
    fn recursive<T: Send>(
        &mut self,
        kernel: &str,
        styles: &[Style],
        run: impl Fn(Style) -> T + Sync,
        check: impl Fn(&T) -> Result<(), String>,
    ) {
        for &style in styles {
            let output = self.pool.install(|| run(style));
            self.pass(&format!("recursive {kernel}"), style, check(&output));
        }
    }

    /// All parallel iterative kernels.
    fn iterations(&mut self, inputs: &Inputs, seed: &Seed) {
        let Inputs { root, voters, routes, weighted, identified, ring, tree, topology } = inputs;
        let size = CommitteeSize(3);

        let check = |found: &Vec<u32>| bf::check(topology, root, found);
        self.iterative("BF", &BOTH, || bf::BellmanFord::new(topology, root), check);
        let check = |found: &dst::Tree| dst::check(topology, root, found);
        self.iterative("DST", &BOTH, || dst::SearchTree::new(topology, root), check);
        let check = |found: &Vec<bool>| ds::check(topology, found);
        let program = || ds::LocalGreedy::new(topology, seed, Mode::Repaired);
        self.iterative("DS", &BOTH, program, check);
        let check = |found: &Vec<u32>| kc::check(identified, &size, found);
        self.iterative("KC", &BOTH, || kc::Committees::new(identified, &size), check);
        let check = |found: &_| dp::check(identified, found);
        self.iterative("DP", &BOTH, || dp::Peleg::new(identified), check);
        let check = |found: &Vec<bool>| mis::check(topology, found);
        let program = || mis::Luby::new(topology, seed, Mode::Repaired);
        self.iterative("MIS", &BOTH, program, check);
        let check = |found: &Vec<(u32, u32)>| mst::check(weighted, found);
        self.iterative("MST", &BOTH, || mst::Fragments::new(weighted), check);
        let check = |found: &Vec<u32>| vc::check(tree, found);
        let program = || vc::ColeVishkin::new(tree, Mode::Repaired);
        self.iterative("VC", &BOTH, program, check);
        if topology.nodes() <= LARGEST_FOR_LONG {
            let check = |found: &Vec<Option<u32>>| by::check(voters, found);
            let program = || by::Agreement::new(voters, seed, Mode::Repaired);
            self.iterative("BY", &BOTH, program, check);
            let check = |found: &Vec<Vec<dr::Route>>| dr::check(routes, found);
            let program = || dr::Routing::new(routes, Mode::Repaired);
            self.iterative("DR", &[Style::ForkJoin], program, check);
            let check = |found: &_| hs::check(ring, found);
            let program = || hs::HirschbergSinclair::new(ring, Mode::Repaired);
            self.iterative("HS", &BOTH, program, check);
            let check = |found: &_| lcr::check(ring, found);
            self.iterative("LCR", &BOTH, || lcr::ChangRoberts::new(ring), check);
        }
    }

    /// All parallel recursive kernels.
    fn recursions<L: Ledger>(&mut self, inputs: &Inputs, seed: &Seed, ledger: &L) {
        let Inputs { root, voters, routes, weighted, topology, .. } = inputs;
        let check = |found: &Vec<u32>| bf::check(topology, root, found);
        let run = |style| recursive::bf::search(topology, root, style, ledger);
        self.recursive("BF", &BOTH, run, check);
        let check = |found: &dst::Tree| dst::check(topology, root, found);
        let run = |style| recursive::dst::search(topology, root, style, ledger);
        self.recursive("DST", &BOTH, run, check);
        let check = |found: &Vec<(u32, u32)>| mst::check(weighted, found);
        let run = |style| recursive::mst::span(weighted, &Whole, style, ledger);
        // A small part of the time, and the one that was wrong.
        for _ in 0..4 {
            self.recursive("MST", &BOTH, run, check);
        }
        if topology.nodes() <= LARGEST_FOR_LONG {
            let check = |found: &Vec<Option<u32>>| by::check(voters, found);
            let run = |style| recursive::by::agree(voters, seed, Mode::Repaired, style, ledger);
            self.recursive("BY", &[Style::ForkJoin], run, check);
            let check = |found: &Vec<Vec<dr::Route>>| dr::check(routes, found);
            let run = |style| recursive::dr::route(routes, Mode::Repaired, style, ledger);
            self.recursive("DR", &[Style::ForkJoin], run, check);
        }
    }
}

const BOTH: [Style; 2] = [Style::ForkJoin, Style::Clocked];

/// Repeats kernels on all networks, each time others, and gives how many executions of each passed.
fn stress(kernels: impl Fn(&mut Stress<'_>, &Inputs, u64)) -> BTreeMap<String, u64> {
    let threads = 2 * std::thread::available_parallelism().map_or(2, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let boards = if shake_boards() { "shaken" } else { "as they are" };
    let mut passed = BTreeMap::new();
    for repetition in 0..repetitions() {
        for (family, &(shape, nodes)) in FAMILIES.iter().enumerate() {
            let seed = repetition * FAMILIES.len() as u64 + family as u64;
            let inputs = Inputs::new(shape, nodes, seed);
            let what = format!("{shape:?} of {nodes} nodes, seed {seed}, {threads} threads");
            kernels(&mut Stress { threads, pool: &pool, passed: &mut passed, what }, &inputs, seed);
        }
    }
    let total: u64 = passed.values().sum();
    println!("{total} executions on {threads} threads, boards {boards}, were right: {passed:?}");
    passed
}

#[test]
fn iterative_kernels_are_right_however_their_tasks_meet() {
    let passed = stress(|stress, inputs, seed| stress.iterations(inputs, &Seed(seed)));
    assert_eq!(passed.len(), 12 + 11, "{passed:?}");
}

#[test]
fn recursive_kernels_are_right_however_their_tasks_meet() {
    let passed = stress(|stress, inputs, seed| {
        stress.recursions(inputs, &Seed(seed), &());
        stress.recursions(inputs, &Seed(seed), &Shaking(seed.into()));
    });
    assert_eq!(passed.len(), 5 + 3, "{passed:?}");
}
