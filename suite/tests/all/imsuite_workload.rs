//! Work that is injected into the tasks of recursive kernels is done once by each task that fork/join counts, in all
//! styles, and changes no answer. Everything is counted, nothing timed.

use std::sync::Mutex;

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::recursive::{self, Ledger, Loaded};
use plusminus_suite::imsuite::{Mode, Seed, Topology, Weighted, Whole, bf, by, dr, dst, mst};
use plusminus_suite::places::{Counts, Style, Workload};

const ALL: [Style; 3] = [Style::Serial, Style::ForkJoin, Style::Clocked];
const UNCLOCKED: [Style; 2] = [Style::Serial, Style::ForkJoin];

/// Counts tasks and their reports.
#[derive(Default)]
struct Probe(Mutex<Seen>);

#[derive(Debug, Default, Clone)]
struct Seen {
    counts: Counts,
    /// Works by node.
    works: Vec<u64>,
    shifts: u64,
}

impl Seen {
    fn works(&self) -> u64 {
        self.works.iter().sum()
    }
}

impl Ledger for Probe {
    const COUNTS: bool = true;
    fn add(&self, counts: Counts) {
        self.0.lock().unwrap().counts += counts;
    }
    fn shift(&self, _: u32, _: u32) {
        self.0.lock().unwrap().shifts += 1;
    }
    fn control(&self, _: u32) {}
    fn round(&self) {}
    fn work(&self, node: u32) {
        let works = &mut self.0.lock().unwrap().works;
        if works.len() <= node as usize {
            works.resize(node as usize + 1, 0);
        }
        works[node as usize] += 1;
    }
}

/// Returns the observations of a run with a workload, whose packets must all have arrived.
fn seen(
    topology: &Topology,
    workload: Workload,
    run: impl FnOnce(&Loaded<'_, Probe>) -> Result<(), String> + Send,
) -> Seen {
    let probe = Probe::default();
    let loaded = Loaded::new(&probe, workload, topology);
    // Clocked recursions that run at once need pools of their own.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    assert_eq!(pool.install(|| run(&loaded)), Ok(()), "{workload}");
    let packets = loaded.packets_read();
    let seen = probe.0.into_inner().unwrap();
    let packets_per_task = if let Workload::Messages(packets) = workload { packets } else { 0 };
    // A node without neighbors sends nothing.
    let sending = |node: &usize| topology.degree(*node as u32) > 0;
    let works = (0..seen.works.len()).filter(sending).map(|node| seen.works[node]).sum::<u64>();
    assert_eq!(packets, works * u64::from(packets_per_task), "{workload}");
    assert_eq!(seen.counts.messages, packets, "{workload}");
    seen
}

/// The workloads that are tried.
const WORKLOADS: [Workload; 7] = [
    Workload::Messages(0),
    Workload::Messages(1),
    Workload::Messages(7),
    Workload::Arithmetic(0),
    Workload::Arithmetic(3),
    Workload::Cache(0),
    Workload::Cache(200),
];

/// Runs a kernel in all its styles with all workloads. In fork/join every task works once; where the tasks do not depend
/// on their order, the other styles do the same work, node by node.
fn every_task_works_once(
    what: &str,
    topology: &Topology,
    styles: &[Style],
    ordered: bool,
    run: impl Fn(Style, &Loaded<'_, Probe>) -> Result<(), String> + Sync,
) {
    let mut expected: Option<Vec<u64>> = None;
    for workload in WORKLOADS {
        for &style in styles {
            let seen = seen(topology, workload, |loaded| run(style, loaded));
            let name = format!("{what}, {style:?}, {workload}");
            assert!(seen.works() > 0, "{name}");
            match style {
                Style::ForkJoin => assert_eq!(seen.works(), seen.counts.tasks, "{name}"),
                Style::Clocked => assert!(seen.works() >= seen.counts.tasks, "{name}"),
                Style::Serial => assert_eq!(seen.counts.tasks, 0, "{name}"),
            }
            if ordered {
                let expected = expected.get_or_insert_with(|| seen.works.clone());
                assert_eq!(*expected, seen.works, "{name}");
            }
        }
    }
}

/// Networks: trees, dense ones, one of two nodes, one with nodes apart, and one with a single node.
fn networks() -> Vec<(String, Topology)> {
    let shapes = [
        (Shape::SparseMinimum, 40),
        (Shape::SparseMaximum, 33),
        (Shape::Complete, 12),
        (Shape::Chain, 21),
        (Shape::Star, 70),
        (Shape::Chain, 2),
    ];
    let mut all: Vec<_> = shapes
        .iter()
        .map(|&(shape, nodes)| (format!("{shape:?} {nodes}"), generate::network(shape, nodes, 5)))
        .collect();
    all.push(("apart".to_owned(), Topology::from_edges(9, [(0, 1), (1, 2), (5, 7)])));
    all.push(("alone".to_owned(), Topology::from_edges(1, [])));
    all
}

#[test]
fn bf_tasks_work_once() {
    for (name, topology) in networks() {
        let root = Root::new(&topology, topology.nodes() as u32 / 2);
        let tree = topology.edges() < topology.nodes();
        if topology.degree(root.node) == 0 {
            // The driver's own visit is no task, and nothing else happens.
            continue;
        }
        every_task_works_once(&format!("BF {name}"), &topology, &ALL, tree, |style, loaded| {
            let found = recursive::bf::search(&topology, &root, style, loaded);
            bf::check(&topology, &root, &found)
        });
        // Clocked tasks live through two steps.
        let clocked = seen(&topology, Workload::Messages(2), |loaded| {
            recursive::bf::search(&topology, &root, Style::Clocked, loaded);
            Ok(())
        });
        assert_eq!(clocked.works(), 2 * clocked.counts.tasks, "{name}");
    }
}

#[test]
fn dst_tasks_work_once() {
    for (name, topology) in networks() {
        let root = Root::new(&topology, topology.nodes() as u32 / 2);
        every_task_works_once(&format!("DST {name}"), &topology, &ALL, true, |style, loaded| {
            let found = recursive::dst::search(&topology, &root, style, loaded);
            dst::check(&topology, &root, &found)
        });
    }
}

#[test]
fn by_tasks_work_once() {
    for (name, topology) in networks() {
        if topology.components().iter().any(|&component| component != 0) {
            continue;
        }
        let nodes = topology.nodes();
        let (votes, _) = generate::votes_and_traitors(nodes.max(2), 5);
        // Without traitors the votes that arrive do not depend on their way.
        let voters = Voters::new(topology.clone(), votes[..nodes].to_vec(), &[]);
        every_task_works_once(
            &format!("BY {name}"),
            &topology,
            &UNCLOCKED,
            true,
            |style, loaded| {
                let found = recursive::by::agree(&voters, &Seed(3), Mode::Repaired, style, loaded);
                by::check(&voters, &found)
            },
        );
    }
}

#[test]
fn dr_tasks_work_once() {
    for (name, topology) in networks() {
        let network = generate::random_weights(topology.clone(), 20, 5);
        every_task_works_once(
            &format!("DR {name}"),
            &topology,
            &UNCLOCKED,
            true,
            |style, loaded| {
                let found = recursive::dr::route(&network, Mode::Repaired, style, loaded);
                dr::check(&network, &found)
            },
        );
    }
}

#[test]
fn mst_tasks_work_once() {
    for (name, topology) in networks() {
        let network: Weighted = generate::distinct_weights(topology.clone(), 5);
        every_task_works_once(&format!("MST {name}"), &topology, &ALL, true, |style, loaded| {
            let found = recursive::mst::span(&network, &Whole, style, loaded);
            mst::check(&network, &found)
        });
    }
}

/// The function that benchmarks are made of adds as many messages as there are tasks, and no other count.
#[test]
fn counted_workloads_add_their_messages_only() {
    let network = generate::distinct_weights(generate::network(Shape::SparseMaximum, 64, 5), 5);
    for style in ALL {
        let count = |workload| {
            let run =
                || recursive::mst::counted_with_workload(&network, &Whole, style, 64, workload);
            rayon::ThreadPoolBuilder::new().build().expect("a pool").install(run).total()
        };
        let none = count(Workload::None);
        for workload in [Workload::Arithmetic(5), Workload::Cache(100)] {
            assert_eq!(count(workload), none, "{style:?} {workload}");
        }
        let more = count(Workload::Messages(3));
        let works = count(Workload::Messages(1)).messages - none.messages;
        assert!(works > 0 && (style != Style::ForkJoin || works == none.tasks), "{style:?}");
        assert_eq!(more.messages - none.messages, 3 * works, "{style:?}");
        // Every node has a place of its own, so every message is remote.
        assert_eq!(more.remote - none.remote, 3 * works, "{style:?}");
        assert_eq!(Counts { messages: none.messages, remote: none.remote, ..more }, none);
    }
}

/// Tens of thousands of packets per task arrive, without a queue.
#[test]
fn many_packets_arrive() {
    let pair = Topology::from_edges(2, [(0, 1)]);
    let root = Root::new(&pair, 0);
    let seen = seen(&pair, Workload::Messages(50_000), |loaded| {
        let found = recursive::bf::search(&pair, &root, Style::ForkJoin, loaded);
        bf::check(&pair, &root, &found)
    });
    assert_eq!((seen.counts.messages, seen.counts.tasks), (4 * 50_000, 4));
}

#[test]
fn empty_networks_have_no_tasks_and_more_places_than_nodes_are_as_many() {
    let empty = generate::distinct_weights(Topology::from_edges(0, []), 5);
    let small = generate::distinct_weights(generate::network(Shape::Star, 9, 5), 5);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    for (style, workload) in ALL.into_iter().flat_map(|style| WORKLOADS.map(|load| (style, load))) {
        let count = |network: &Weighted, places| {
            let run =
                || recursive::mst::counted_with_workload(network, &Whole, style, places, workload);
            pool.install(run).total()
        };
        let none = count(&empty, 4);
        assert_eq!((none.tasks, none.messages), (0, 0), "{style:?} {workload}");
        assert_eq!(count(&small, 9), count(&small, 1_000_000), "{style:?} {workload}");
    }
}
