//! All 48 kernels on random inputs: networks of several families under permuted numbers, of sizes that are no powers of
//! two, on 1, 2 and 7 threads and at 1, 3 and n places. Every answer is checked by definition; the iterative variants
//! must give the same answer whatever executes them.

use std::fmt::Debug;

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::recursive;
use plusminus_suite::imsuite::{
    Identified, Mode, Ring, RootedTree, Seed, Topology, Weighted, Whole, bf, by, dp, dr, ds, dst,
    hs, kc, lcr, mis, mst, vc,
};
use plusminus_suite::places::{Counted, Execution, Grain, NodeProgram, Style, Workload, execute};

/// Random inputs per kernel: every combination of threads and places with every family.
const INPUTS: u64 = 54;

/// The variables of an input.
struct Trial {
    number: u64,
    nodes: usize,
    processors: usize,
    places: usize,
    topology: Topology,
    /// New numbers of nodes.
    names: Vec<u32>,
}

impl Trial {
    fn new(number: u64) -> Self {
        // 2 to 40 nodes, never a power of two but for the smallest.
        let mut nodes = 2 + (number * 7 % 39) as usize;
        if nodes.is_power_of_two() && nodes > 2 {
            nodes += 1;
        }
        let shapes = [
            Shape::SparseMinimum,
            Shape::SparseMaximum,
            Shape::Random,
            Shape::Complete,
            Shape::Chain,
            Shape::Star,
        ];
        let shape = shapes[(number / 9 % 6) as usize];
        let names: Vec<u32> =
            generate::identifiers(nodes, number).iter().map(|name| name - 1).collect();
        let topology = generate::renumber(&generate::network(shape, nodes, number), &names);
        let processors = [1, 2, 7][(number % 3) as usize];
        let places = [1, 3, nodes][(number / 3 % 3) as usize];
        Self { number, nodes, processors, places, topology, names }
    }

    fn identified(&self) -> Identified {
        let identifiers = generate::identifiers(self.nodes, !self.number);
        Identified { topology: self.topology.clone(), identifiers }
    }

    fn root(&self) -> Root {
        Root::new(&self.topology, (self.number % self.nodes as u64) as u32)
    }

    /// A connected network: where the trial's is not, a tree.
    fn voters(&self) -> Voters {
        let connected = self.topology.components().iter().all(|&component| component == 0);
        let topology = if connected {
            self.topology.clone()
        } else {
            generate::network(Shape::SparseMinimum, self.nodes, self.number)
        };
        let (mut votes, traitors) = generate::votes_and_traitors(self.nodes, self.number);
        if self.number.is_multiple_of(4) {
            // All good nodes agree from the start.
            votes.fill((self.number / 4 % 2) as u32);
        }
        Voters::new(topology, votes, &traitors)
    }

    fn tree(&self) -> RootedTree {
        let limit = 1 + (self.number % 5) as u32;
        let tree = generate::tree(Shape::RandomTree, self.nodes, Some(limit), self.number);
        let mut parents = vec![0; self.nodes];
        for (node, &parent) in tree.parents.iter().enumerate() {
            parents[self.names[node] as usize] = self.names[parent as usize];
        }
        RootedTree::new(self.names[0], parents)
    }

    /// How this trial runs a style: with each grain in turn, and one in four with more work in each task.
    fn how(&self, style: Style) -> Execution {
        let workload = match self.number % 16 {
            3 => Workload::Arithmetic(10),
            7 => Workload::Cache(256),
            11 => Workload::Messages(2),
            _ => Workload::None,
        };
        let mut how =
            Execution::new(style, self.processors).on_places(self.places).with_workload(workload);
        let grains = [None, Some(Grain::Node), Some(Grain::Block), Some(Grain::Processor)];
        how.grain = grains[(self.number / 5 % 4) as usize];
        how
    }
}

/// Runs something in the pools of 1, 2 and 7 threads.
struct Pools([rayon::ThreadPool; 3]);

impl Pools {
    fn new() -> Self {
        Self([1, 2, 7].map(|threads| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")
        }))
    }

    fn run<T: Send>(&self, trial: &Trial, run: impl FnOnce() -> T + Send) -> T {
        self.0[(trial.number % 3) as usize].install(run)
    }
}

/// Runs a program in the given styles, checks the answers and that they are the same.
fn iterative<P: NodeProgram>(
    pools: &Pools,
    trial: &Trial,
    styles: &[Style],
    program: impl Fn() -> P + Sync,
    check: impl Fn(&P::Output) -> Result<(), String>,
) where
    P::Output: Send + PartialEq + Debug,
{
    let run = |how: Execution| {
        // Boards are part of a program: every run needs one of its own.
        let (output, counted): (P::Output, Counted) =
            pools.run(trial, || execute(&program(), &how));
        (output, counted.total())
    };
    let (expected, serial) = run(trial.how(Style::Serial));
    assert_eq!(check(&expected), Ok(()), "serial, trial {}", trial.number);
    assert_eq!((serial.tasks, serial.joins, serial.barriers), (0, 0, 0));
    for &style in styles {
        let (output, counts) = run(trial.how(style));
        assert_eq!(output, expected, "{style:?}, trial {}", trial.number);
        assert_eq!(counts.messages, serial.messages, "{style:?}, trial {}", trial.number);
        assert_eq!((counts.mutex, counts.remote), (serial.mutex, serial.remote));
        assert_eq!(counts.tasks, counts.joins * trial.nodes as u64);
        assert!(trial.places > 1 || counts.comm() == 0, "{counts:?} at one place");
    }
}

/// Runs a recursive kernel in the given styles and checks the answers.
fn recursion<T: Send>(
    pools: &Pools,
    trial: &Trial,
    styles: &[Style],
    run: impl Fn(Style) -> T + Sync,
    check: impl Fn(&T) -> Result<(), String>,
) {
    for &style in styles {
        let output = pools.run(trial, || run(style));
        assert_eq!(check(&output), Ok(()), "recursive {style:?}, trial {}", trial.number);
    }
}

const BOTH: [Style; 2] = [Style::ForkJoin, Style::Clocked];
const ALL: [Style; 3] = [Style::Serial, Style::ForkJoin, Style::Clocked];
const UNCLOCKED: [Style; 2] = [Style::Serial, Style::ForkJoin];

/// Runs a test on all trials.
fn trials(mut test: impl FnMut(&Pools, &Trial)) {
    let pools = Pools::new();
    (0..INPUTS).for_each(|number| test(&pools, &Trial::new(number)));
}

#[test]
fn bf_is_right() {
    trials(|pools, trial| {
        let (graph, root) = (&trial.topology, trial.root());
        let check = |found: &Vec<u32>| bf::check(graph, &root, found);
        iterative(pools, trial, &BOTH, || bf::BellmanFord::new(graph, &root), check);
        let run = |style| recursive::bf::search(graph, &root, style, &());
        recursion(pools, trial, &ALL, run, check);
    });
}

#[test]
fn dst_is_right() {
    trials(|pools, trial| {
        let (graph, root) = (&trial.topology, trial.root());
        let check = |tree: &dst::Tree| dst::check(graph, &root, tree);
        iterative(pools, trial, &BOTH, || dst::SearchTree::new(graph, &root), check);
        let run = |style| recursive::dst::search(graph, &root, style, &());
        recursion(pools, trial, &ALL, run, check);
    });
}

#[test]
fn by_is_right() {
    trials(|pools, trial| {
        let (voters, seed) = (trial.voters(), Seed(trial.number));
        let check = |found: &Vec<Option<u32>>| by::check(&voters, found);
        let program = || by::Agreement::new(&voters, &seed, Mode::Repaired);
        iterative(pools, trial, &BOTH, program, check);
        let run = |style| recursive::by::agree(&voters, &seed, Mode::Repaired, style, &());
        recursion(pools, trial, &UNCLOCKED, run, check);
    });
}

#[test]
fn dr_is_right() {
    trials(|pools, trial| {
        let max = if trial.number.is_multiple_of(2) { 1 } else { 50 };
        let network = generate::random_weights(trial.topology.clone(), max, trial.number);
        let check = |found: &Vec<Vec<dr::Route>>| dr::check(&network, found);
        let program = || dr::Routing::new(&network, Mode::Repaired);
        iterative(pools, trial, &[Style::ForkJoin], program, check);
        let run = |style| recursive::dr::route(&network, Mode::Repaired, style, &());
        recursion(pools, trial, &UNCLOCKED, run, check);
    });
}

#[test]
fn ds_is_right() {
    trials(|pools, trial| {
        let (graph, seed) = (&trial.topology, Seed(trial.number));
        let check = |found: &Vec<bool>| ds::check(graph, found);
        let program = || ds::LocalGreedy::new(graph, &seed, Mode::Repaired);
        iterative(pools, trial, &BOTH, program, check);
    });
}

#[test]
fn kc_is_right() {
    trials(|pools, trial| {
        // Now and then a committee that could hold all nodes.
        let size = 1 + (trial.number * 5 % 12) as u32;
        let size = CommitteeSize(if trial.number.is_multiple_of(10) { 41 } else { size });
        let network = trial.identified();
        let check = |found: &Vec<u32>| kc::check(&network, &size, found);
        iterative(pools, trial, &BOTH, || kc::Committees::new(&network, &size), check);
    });
}

#[test]
fn dp_is_right() {
    trials(|pools, trial| {
        let network = trial.identified();
        let check = |found: &_| dp::check(&network, found);
        iterative(pools, trial, &BOTH, || dp::Peleg::new(&network), check);
    });
}

#[test]
fn hs_is_right() {
    trials(|pools, trial| {
        let ring = Ring::new(generate::identifiers(trial.nodes, trial.number));
        let check = |found: &_| hs::check(&ring, found);
        let program = || hs::HirschbergSinclair::new(&ring, Mode::Repaired);
        iterative(pools, trial, &BOTH, program, check);
    });
}

#[test]
fn lcr_is_right() {
    trials(|pools, trial| {
        let ring = Ring::new(generate::identifiers(trial.nodes, trial.number));
        let check = |found: &_| lcr::check(&ring, found);
        iterative(pools, trial, &BOTH, || lcr::ChangRoberts::new(&ring), check);
    });
}

#[test]
fn mis_is_right() {
    trials(|pools, trial| {
        let (graph, seed) = (&trial.topology, Seed(trial.number));
        let check = |found: &Vec<bool>| mis::check(graph, found);
        let program = || mis::Luby::new(graph, &seed, Mode::Repaired);
        iterative(pools, trial, &BOTH, program, check);
    });
}

#[test]
fn mst_is_right() {
    trials(|pools, trial| {
        let network: Weighted = generate::distinct_weights(trial.topology.clone(), trial.number);
        let check = |found: &Vec<(u32, u32)>| mst::check(&network, found);
        iterative(pools, trial, &BOTH, || mst::Fragments::new(&network), check);
        let run = |style| recursive::mst::span(&network, &Whole, style, &());
        recursion(pools, trial, &ALL, run, check);
    });
}

#[test]
fn vc_is_right() {
    trials(|pools, trial| {
        let tree = trial.tree();
        let check = |found: &Vec<u32>| vc::check(&tree, found);
        iterative(pools, trial, &BOTH, || vc::ColeVishkin::new(&tree, Mode::Repaired), check);
    });
}

/// Faithful HS elects several leaders on rings whose size is no power of two; the repaired one does not.
#[test]
fn faithful_elections_fail_where_the_original_does() {
    let mut wrong = 0;
    for seed in 0..50 {
        let ring = Ring::new(generate::identifiers(96, seed));
        let run = |mode| {
            let program = hs::HirschbergSinclair::new(&ring, mode);
            execute::<_, Counted>(&program, &Execution::serial()).0
        };
        assert_eq!(hs::check(&ring, &run(Mode::Repaired)), Ok(()));
        wrong += u32::from(hs::check(&ring, &run(Mode::Faithful)).is_err());
    }
    assert!(wrong > 0, "⌊log₂ 96⌋ phases were enough for 50 rings");
}

/// A task that panics ends the run in all styles, and leaves no thread waiting.
#[test]
fn panics_get_through() {
    struct Bomb(Topology);
    impl NodeProgram for Bomb {
        type State = ();
        type Link = ();
        type Message = ();
        type Phase = u32;
        type Output = ();
        fn nodes(&self) -> usize {
            self.0.nodes()
        }
        fn neighbours(&self, node: u32) -> &[u32] {
            self.0.neighbours(node)
        }
        fn state(&self, _: u32) {}
        fn step<C: plusminus_suite::places::Tally>(
            &self,
            phase: u32,
            task: &mut plusminus_suite::places::Task<'_, Self, C>,
        ) {
            assert!(phase < 3 || task.id != 5, "the bomb went off");
        }
        fn drive<E: plusminus_suite::places::Engine<Self>>(
            &self,
            net: &mut plusminus_suite::places::Driver<'_, Self, E>,
        ) {
            for phase in 0..10 {
                net.phase(phase);
            }
        }
        fn output(&self, _: plusminus_suite::places::Ended<'_, Self>) {}
    }
    let bomb = Bomb(generate::network(Shape::Star, 9, 1));
    for style in ALL {
        for grain in Grain::ALL {
            let how = Execution::new(style, 3).with_grain(grain);
            let run = std::panic::AssertUnwindSafe(|| execute::<_, Counted>(&bomb, &how).0);
            assert!(std::panic::catch_unwind(run).is_err(), "{style:?} by {grain}");
        }
    }
}
