//! Counts on inputs of 128 to 512 nodes against computations of their own: closed forms of distances that are
//! searched for here, a ring that is walked token by token, colors that are computed without messages. The closed
//! forms for 64 nodes agree with `imsuite_golden.rs`, which has the counts of a model of the original programs.

use std::collections::VecDeque;

use super::imsuite_common::{Case, original};
use plusminus_suite::imsuite::{Kernel, Topology};
use plusminus_suite::places::{Counts, Execution, Style};

const SIZES: [usize; 4] = [64, 128, 256, 512];
const SHAPES: [&str; 2] = ["sp-min", "sp-max"];

/// Counts of the faithful program by fork and join, and by clocks.
fn both(kernel: Kernel, nodes: usize, shape: &str, places: usize) -> [Counts; 2] {
    let case = Case::new(kernel, nodes, shape);
    [Style::ForkJoin, Style::Clocked]
        .map(|style| case.count(&Execution::new(style, 1).on_places(places)))
}

/// Distances from a node by a queue.
fn distances(topology: &Topology, root: u32) -> Vec<u64> {
    let mut found = vec![u64::MAX; topology.nodes()];
    let mut queue = VecDeque::from([root]);
    found[root as usize] = 0;
    while let Some(node) = queue.pop_front() {
        for &other in topology.neighbours(node) {
            if found[other as usize] == u64::MAX {
                found[other as usize] = found[node as usize] + 1;
                queue.push_back(other);
            }
        }
    }
    found
}

fn eccentricity(topology: &Topology, root: u32) -> u64 {
    *distances(topology, root).iter().max().unwrap()
}

/// Bellman–Ford: every node passes its distance on once, and the driver forks twice (FA) or once (FAC) a level.
#[test]
fn bellman_ford_counts_its_levels_and_edges() {
    for nodes in SIZES {
        for shape in SHAPES {
            let input = original(Kernel::Bf, nodes, shape);
            let (topology, root) = (input.topology.unwrap(), input.header.unwrap());
            let levels = eccentricity(&topology, root);
            for places in [1, 8, nodes] {
                let block = (nodes / places) as u32;
                let elsewhere = (nodes - nodes / places) as u64;
                let crossing = |node: u32| {
                    let others = topology.neighbours(node).iter();
                    others.filter(|&&other| other / block != node / block).count() as u64
                };
                let crossing: u64 = (0..nodes as u32).map(crossing).sum();
                let called = u64::from(root / block != 0);
                let [fa, fac] = both(Kernel::Bf, nodes, shape, places);
                let what = format!("{nodes} {shape} at {places} places");
                assert_eq!((fa.joins, fa.barriers), (2 * levels, 0), "{what}");
                assert_eq!((fac.joins, fac.barriers), (levels, levels), "{what}");
                assert_eq!(fa.comm(), 2 * levels * elsewhere + crossing + called, "{what}");
                assert_eq!(fac.comm(), levels * elsewhere + crossing + called, "{what}");
                let messages = 2 * topology.edges() as u64;
                assert_eq!([fa.mutex, fac.mutex], [messages; 2], "{what}");
                assert_eq!([fa.tasks, fac.tasks], [fa.joins, fac.joins].map(|j| j * nodes as u64));
            }
        }
    }
}

/// Values that depend on distances or on K alone.
#[test]
fn joins_and_barriers_follow_from_distances() {
    for nodes in SIZES {
        for shape in SHAPES {
            let joins = |kernel| {
                let [fa, fac] = both(kernel, nodes, shape, 1);
                assert_eq!(fa.barriers, 0);
                (fa.joins, fac.joins, fac.barriers)
            };
            let tree = original(Kernel::Dst, nodes, shape);
            let d = eccentricity(tree.topology.as_ref().unwrap(), tree.header.unwrap());
            let phases = (d * d + 3 * d) / 2;
            assert_eq!(
                joins(Kernel::Dst),
                ((3 * d * d + 9 * d) / 2 + 3, 2 * phases + 2, phases + 1)
            );

            let committees = 3;
            let squares = committees * committees;
            let expected =
                (5 * squares + 1, 2 * squares + 3 * committees + 1, 3 * squares - 3 * committees);
            assert_eq!(joins(Kernel::Kc), expected);

            let election = original(Kernel::Dp, nodes, shape);
            let largest = (0..nodes).max_by_key(|&node| election.numbers[node]).unwrap();
            let pulses = 3 * eccentricity(election.topology.as_ref().unwrap(), largest as u32) + 2;
            assert_eq!(joins(Kernel::Dp), (4 * pulses, pulses, 3 * pulses), "DP {nodes} {shape}");
        }
    }
}

/// Byzantine agreement floods for radius rounds, n/8 + 1 times.
#[test]
fn agreement_floods_for_the_radius() {
    for nodes in [64, 128] {
        for shape in SHAPES {
            let topology = original(Kernel::By, nodes, shape).topology.unwrap();
            let radius = (0..nodes as u32).map(|node| eccentricity(&topology, node)).min().unwrap();
            let iterations = nodes as u64 / 8 + 1;
            let [fa, fac] = both(Kernel::By, nodes, shape, 1);
            assert_eq!(fa.joins, iterations * (2 * radius + 1), "{nodes} {shape}");
            assert_eq!(fac.joins, iterations * (radius + 1), "{nodes} {shape}");
            assert_eq!(fac.barriers, iterations * radius, "{nodes} {shape}");
        }
    }
}

/// Counts the messages of Hirschberg and Sinclair's election, token by token. In phase k a candidate sends one to
/// either side. It goes on for 2^k nodes or up to the first with a larger number, and comes back if it got that far.
fn tokens(numbers: &[u32]) -> u64 {
    let nodes = numbers.len();
    let mut candidates: Vec<usize> = (0..nodes).collect();
    let mut messages = 0;
    for phase in 0..nodes.ilog2() {
        let reach = 1_usize << phase;
        candidates.retain(|&candidate| {
            let mut survives = true;
            for step in [1, nodes - 1] {
                let larger =
                    |hop: &usize| numbers[(candidate + hop * step) % nodes] > numbers[candidate];
                let stopped = (1..=reach).find(larger);
                messages += stopped.unwrap_or(2 * reach) as u64;
                survives &= stopped.is_none();
            }
            survives
        });
    }
    messages
}

#[test]
fn elections_on_rings_follow_their_tokens() {
    for nodes in SIZES {
        let n = nodes as u64;
        let ring = original(Kernel::Lcr, nodes, "ring").numbers;
        let leader = (0..nodes).max_by_key(|&node| ring[node]).unwrap();
        let called = u64::from(leader != 0);
        let [fa, fac] = both(Kernel::Lcr, nodes, "ring", nodes);
        assert_eq!((fa.joins, fac.joins, fac.barriers), (2 * n + 1, n + 1, n));
        assert_eq!([fa.messages, fac.messages], [n * n; 2]);
        assert_eq!(fa.comm(), (2 * n + 1) * (n - 1) + n * n + called);
        assert_eq!(fac.comm(), (n + 1) * (n - 1) + n * n + called);

        // The leader tells both neighbors, and each half of the ring passes that on, to its far end and one beyond.
        let messages = tokens(&original(Kernel::Hs, nodes, "ring").numbers) + n + 2;
        let phases = u64::from(nodes.ilog2());
        let [fa, fac] = both(Kernel::Hs, nodes, "ring", nodes);
        assert_eq!([fa.messages, fac.messages], [messages; 2], "HS {nodes}");
        assert_eq!(fa.joins, phases + 6 * (n - 1) + 1);
        assert_eq!((fac.joins, fac.barriers), (phases + 2 * (n - 1) + 1, 4 * (n - 1)));
        assert_eq!(fa.comm(), fa.joins * (n - 1) + messages);
        assert_eq!(fac.comm(), fac.joins * (n - 1) + messages);
    }
}

/// Rounds of Cole and Vishkin until six colors are left, without a message.
fn rounds_to_six_colours(parents: &[u32], root: u32) -> u64 {
    let mut colours: Vec<u32> = (0..parents.len() as u32).collect();
    colours[root as usize] = 0;
    for round in 1.. {
        let next = |node: usize| {
            if node as u32 == root {
                return colours[node];
            }
            let different = (colours[node] ^ colours[parents[node] as usize]).trailing_zeros();
            2 * different + (colours[node] >> different & 1)
        };
        colours = (0..parents.len()).map(next).collect();
        if colours.iter().all(|&colour| colour < 6) {
            return round;
        }
    }
    unreachable!("colors shrink in every round")
}

#[test]
fn colourings_end_when_six_colours_are_left() {
    for nodes in SIZES {
        for shape in ["chain", "star", "tree"] {
            let input = original(Kernel::Vc, nodes, shape);
            let rounds = rounds_to_six_colours(&input.numbers, input.header.unwrap_or(0));
            let [fa, fac] = both(Kernel::Vc, nodes, shape, 1);
            assert_eq!(fa.joins, 2 * rounds + 9, "VC {nodes} {shape}");
            assert_eq!((fac.joins, fac.barriers), (rounds + 6, rounds + 3), "VC {nodes} {shape}");
        }
    }
}

/// Rounds of randomized kernels and phases of trees: both styles agree on them, whatever they are. Their values for
/// smaller inputs are in `imsuite_procedures`.
#[test]
fn both_styles_have_the_same_rounds() {
    for nodes in [128, 256] {
        for shape in SHAPES {
            let [fa, fac] = both(Kernel::Mis, nodes, shape, 8);
            let rounds = fac.joins - 1;
            assert_eq!(
                (fa.joins, fac.barriers),
                (4 * rounds + 1, 3 * rounds),
                "MIS {nodes} {shape}"
            );
            assert_eq!([fa.messages, fa.mutex], [fac.messages, fac.mutex], "MIS {nodes} {shape}");
            let [fa, fac] = both(Kernel::Ds, nodes, shape, 8);
            assert_eq!((fac.joins, fa.joins * 8), (1, fac.barriers * 9), "DS {nodes} {shape}");
            assert_eq!([fa.messages, fa.mutex], [fac.messages, fac.mutex], "DS {nodes} {shape}");
            let [fa, fac] = both(Kernel::Mst, nodes, shape, 8);
            assert!(fac.joins < fa.joins, "MST {nodes} {shape}");
            assert_eq!([fa.messages, fa.mutex], [fac.messages, fac.mutex], "MST {nodes} {shape}");
            let dr = Case::new(Kernel::Dr, nodes, shape);
            let counts = dr.count(&Execution::new(Style::ForkJoin, 1).on_places(nodes));
            assert_eq!((counts.joins, counts.tasks, counts.mutex), (1, nodes as u64, 0));
        }
    }
}
