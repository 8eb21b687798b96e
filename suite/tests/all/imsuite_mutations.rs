//! The validators reject wrong answers: at least five corruptions of a right one per kernel, each with a reason.

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::dr::Route;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::{
    Election, Identified, Ring, RootedTree, Seed, Topology, UNREACHABLE, Whole, bf, by, dp, dr, ds,
    dst, hs, kc, lcr, mis, mst, vc,
};

/// A corruption: what it does, and how.
type Corruption<'a, T> = (&'a str, &'a dyn Fn(&mut T));

/// Checks that the answer is right and that no corruption of it is.
fn rejects<T: Clone + PartialEq>(
    right: &T,
    check: impl Fn(&T) -> Result<(), String>,
    corruptions: &[Corruption<'_, T>],
) {
    assert_eq!(check(right), Ok(()));
    assert!(corruptions.len() >= 5, "only {} corruptions", corruptions.len());
    for (what, corrupt) in corruptions {
        let mut wrong = right.clone();
        corrupt(&mut wrong);
        assert!(wrong != *right, "{what} changes nothing");
        let reason = check(&wrong).expect_err(what);
        assert!(reason.contains(|c: char| c.is_ascii_digit()), "{what}: {reason:?} names nothing");
    }
}

const NODES: usize = 30;

fn network() -> Topology {
    generate::network(Shape::SparseMaximum, NODES, 5)
}

#[test]
fn bf_rejects() {
    // Two components: a path of 5 and an edge.
    let graph = Topology::from_edges(7, [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)]);
    let root = Root::new(&graph, 1);
    rejects(
        &bf::serial(&graph, &root),
        |found| bf::check(&graph, &root, found),
        &[
            ("too near", &|found| found[4] = 2),
            ("too far", &|found| found[2] += 1),
            ("the root is not at 0", &|found| found[1] = 1),
            ("reaches the unreachable", &|found| found[5] = 4),
            ("does not reach", &|found| found[3] = UNREACHABLE),
            ("too few", &|found| found.truncate(6)),
            ("too many", &|found| found.push(0)),
        ],
    );
}

#[test]
fn dst_rejects() {
    let graph = network();
    let root = Root::new(&graph, 3);
    let tree = dst::serial(&graph, &root);
    let deep = tree.levels.iter().position(|&level| level == 2).expect("a node at level 2");
    let stranger = (0..NODES as u32)
        .find(|&other| !graph.has_edge(deep as u32, other) && tree.levels[other as usize] == 1)
        .expect("a node at level 1 that is no neighbor");
    let sibling = graph.neighbours(deep as u32).iter().find(|&&n| tree.levels[n as usize] == 2);
    rejects(
        &tree,
        |tree| dst::check(&graph, &root, tree),
        &[
            ("a parent that is no neighbor", &|tree| tree.parents[deep] = stranger),
            ("a parent that does not exist", &|tree| tree.parents[deep] = 1_000),
            ("no parent", &|tree| tree.parents[deep] = UNREACHABLE),
            ("a parent at the same level", &|tree| {
                tree.parents[deep] = *sibling.expect("a neighbor at level 2");
            }),
            ("a wrong level", &|tree| tree.levels[deep] = 3),
            ("the root has a parent", &|tree| tree.parents[3] = deep as u32),
            ("a child is forgotten", &|tree| {
                tree.children.pop();
            }),
            ("a child twice", &|tree| {
                let first = tree.children[0];
                tree.children.push(first);
            }),
            ("another's child", &|tree| tree.children[0].0 ^= 1),
        ],
    );
}

#[test]
fn by_rejects() {
    let (_, traitors) = generate::votes_and_traitors(NODES, 5);
    let voters = Voters::new(network(), vec![1; NODES], &traitors);
    let good = (0..NODES).find(|&node| !voters.traitor[node]).expect("a good node");
    let last = (0..NODES).rfind(|&node| !voters.traitor[node]).expect("a good node");
    rejects(
        &by::serial(&voters, &Seed(1)),
        |found| by::check(&voters, found),
        &[
            ("undecided", &|found| found[last] = None),
            ("the first is undecided", &|found| found[good] = None),
            ("one disagrees", &|found| found[last] = Some(0)),
            ("all decide against their votes", &|found| found.fill(Some(0))),
            ("no vote", &|found| found[last] = Some(2)),
            ("nobody decides", &|found| found.fill(None)),
            ("too few", &|found| found.truncate(3)),
        ],
    );
}

#[test]
fn dr_rejects() {
    let network = generate::random_weights(network(), 20, 5);
    let (from, to) = (0..NODES)
        .flat_map(|from| (0..NODES).map(move |to| (from, to)))
        .find(|&(from, to)| dr::serial(&network, &Whole)[from][to].hops == 3)
        .expect("a way of three hops");
    let tables = dr::serial(&network, &Whole);
    let detour = network
        .topology
        .neighbours(from as u32)
        .iter()
        .copied()
        .find(|&next| {
            let weight = u64::from(network.weight(from as u32, next).expect("an edge"));
            weight + tables[next as usize][to].cost > tables[from][to].cost
        })
        .expect("a neighbor that is a detour");
    rejects(
        &tables,
        |tables| dr::check(&network, tables),
        &[
            ("too cheap", &|tables: &mut Vec<Vec<Route>>| tables[from][to].cost -= 1),
            ("too dear", &|tables| tables[from][to].cost += 1),
            ("too few hops", &|tables| tables[from][to].hops = 2),
            ("the next hop is itself", &|tables| tables[from][to].next = from as u32),
            ("the next hop is the destination", &|tables| tables[from][to].next = to as u32),
            ("a detour", &|tables| tables[from][to].next = detour),
            ("no next hop", &|tables| tables[from][to].next = UNREACHABLE),
            ("no way", &|tables| {
                tables[from][to] = Route { cost: u64::MAX, hops: UNREACHABLE, next: UNREACHABLE };
            }),
            ("own mail goes away", &|tables| tables[to][to].next = from as u32),
            ("a row is short", &|tables| {
                tables[from].pop();
            }),
        ],
    );
}

#[test]
fn ds_rejects() {
    // A path of 9 needs 3 members; a star of many leaves needs one.
    let path = Topology::from_edges(9, (0..8).map(|node| (node, node + 1)));
    let set: Vec<bool> = (0..9).map(|node| node % 3 == 1).collect();
    rejects(
        &set,
        |set| ds::check(&path, set),
        &[
            ("the first is missing", &|set| set[1] = false),
            ("the middle is missing", &|set| set[4] = false),
            ("the last is missing", &|set| set[7] = false),
            ("moved away", &|set| set.swap(7, 8)),
            ("empty", &|set| set.fill(false)),
            ("too few", &|set| set.truncate(8)),
        ],
    );
    let star = generate::network(Shape::Star, 500, 1);
    let everyone_but_the_middle: Vec<bool> = (0..500).map(|node| node > 0).collect();
    assert!(ds::check(&star, &everyone_but_the_middle).is_err(), "500 members where one will do");
    assert_eq!(ds::dominates(&star, &everyone_but_the_middle), Ok(()));
}

#[test]
fn kc_rejects() {
    let identifiers = generate::identifiers(NODES, 5);
    let network = Identified { topology: network(), identifiers };
    let size = CommitteeSize(4);
    let right = kc::serial(&network, &size);
    let full = (0..NODES as u32)
        .find(|&c| right.iter().filter(|&&other| other == c).count() == 4)
        .expect("a committee of four");
    let outside = (0..NODES).find(|&node| right[node] == node as u32).expect("a single");
    let outside = if outside as u32 == full { outside + 1 } else { outside };
    rejects(
        &right,
        |found| kc::check(&network, &size, found),
        &[
            ("five members", &|found| {
                let free =
                    (0..NODES).find(|&node| found[node] == node as u32 && node as u32 != full);
                found[free.expect("a single")] = full;
            }),
            ("no committee", &|found| found[outside] = u32::MAX),
            ("a committee that does not exist", &|found| found[outside] = NODES as u32),
            ("the leader leaves", &|found| found[full as usize] = outside as u32),
            ("a committee that is not its own", &|found| {
                let member = (0..NODES).find(|&n| found[n] == full && n as u32 != full);
                let member = member.expect("a member");
                found[outside] = member as u32;
            }),
            ("too few", &|found| found.truncate(5)),
        ],
    );
    // Members must be near: the ends of a path are not, although the committee is small enough.
    let path = Topology::from_edges(6, (0..5).map(|node| (node, node + 1)));
    let path = Identified { topology: path, identifiers: (1..=6).collect() };
    assert_eq!(kc::check(&path, &CommitteeSize(3), &[0, 0, 0, 3, 3, 3]), Ok(()));
    assert!(kc::check(&path, &CommitteeSize(3), &[0, 0, 2, 3, 4, 0]).is_err(), "too far");
    assert!(
        kc::check(&path, &CommitteeSize(6), &[0, 0, 0, 3, 3, 3]).is_err(),
        "one could hold all"
    );
}

/// Corruptions of any election.
fn election_rejects(right: &Election, check: impl Fn(&Election) -> Result<(), String>) {
    let winner = right.leaders[0] as usize;
    let loser = (winner + 1) % right.leaders.len();
    rejects(
        right,
        check,
        &[
            ("one follows another", &|found| found.leaders[loser] = loser as u32),
            ("all follow another", &|found| found.leaders.fill(loser as u32)),
            ("one follows nobody", &|found| found.leaders[loser] = u32::MAX),
            ("two leaders", &|found| found.elected[loser] = true),
            ("no leader", &|found| found.elected[winner] = false),
            ("the wrong one is elected", &|found| found.elected.swap(winner, loser)),
            ("too few", &|found| found.leaders.truncate(1)),
        ],
    );
}

#[test]
fn elections_reject() {
    let ring = Ring::new(generate::identifiers(NODES, 5));
    election_rejects(&hs::serial(&ring, &Whole), |found| hs::check(&ring, found));
    election_rejects(&lcr::serial(&ring, &Whole), |found| lcr::check(&ring, found));
    let network = Identified { topology: network(), identifiers: generate::identifiers(NODES, 5) };
    election_rejects(&dp::serial(&network, &Whole), |found| dp::check(&network, found));
}

#[test]
fn mis_rejects() {
    let graph = network();
    let right = mis::serial(&graph, &Seed(1));
    let member = right.iter().position(|&member| member).expect("a member");
    let other = right.iter().position(|&member| !member).expect("no member");
    rejects(
        &right,
        |set| mis::check(&graph, set),
        &[
            ("one is missing", &|set| set[member] = false),
            ("one too many", &|set| set[other] = true),
            ("empty", &|set| set.fill(false)),
            ("everyone", &|set| set.fill(true)),
            ("the others", &|set| set.iter_mut().for_each(|member| *member = !*member)),
            ("too few", &|set| set.truncate(5)),
        ],
    );
}

#[test]
fn mst_rejects() {
    let network = generate::distinct_weights(network(), 5);
    let right = mst::serial(&network, &Whole);
    let graph = &network.topology;
    let has = |a: u32, b: u32| right.contains(&(a, b)) || right.contains(&(b, a));
    let spare = (0..NODES as u32)
        .flat_map(|a| graph.neighbours(a).iter().map(move |&b| (a, b)))
        .find(|&(a, b)| !has(a, b))
        .expect("an edge outside of the tree");
    // A leaf of the tree with a second neighbor may hang there instead: a tree, but a heavier one.
    let degree = |node: u32| right.iter().filter(|&&(a, b)| a == node || b == node).count();
    let (leaf, instead) = (0..NODES as u32)
        .filter(|&leaf| degree(leaf) == 1)
        .find_map(|leaf| Some((leaf, *graph.neighbours(leaf).iter().find(|&&n| !has(leaf, n))?)))
        .expect("a leaf with another neighbor");
    let stranger = (0..NODES as u32)
        .find(|&other| other != leaf && !graph.has_edge(leaf, other))
        .expect("no neighbor");
    let edge = right.iter().position(|&(a, b)| a == leaf || b == leaf).expect("its edge");
    rejects(
        &right,
        |tree| mst::check(&network, tree),
        &[
            ("an edge is missing", &|tree| {
                tree.pop();
            }),
            ("an edge too many", &|tree| tree.push(spare)),
            ("an edge twice", &|tree| tree[0] = tree[1]),
            ("an edge that does not exist", &|tree| tree[edge] = (leaf, stranger)),
            ("a heavier tree", &|tree| tree[edge] = (leaf, instead)),
            ("a node that does not exist", &|tree| tree[0].1 = 1_000),
            ("empty", &|tree| tree.clear()),
        ],
    );
}

#[test]
fn vc_rejects() {
    let tree = RootedTree::new(2, vec![2, 0, 2, 2, 3, 4, 4]);
    rejects(
        &vc::serial(&tree, &Whole),
        |colours| vc::check(&tree, colours),
        &[
            ("like the parent", &|colours| colours[5] = colours[4]),
            ("like a child", &|colours| colours[4] = colours[6]),
            ("the root like a child", &|colours| colours[2] = colours[0]),
            ("a fourth color", &|colours| colours[1] = 3),
            ("no color", &|colours| colours[1] = u32::MAX),
            ("one color", &|colours| colours.fill(1)),
            ("too few", &|colours| colours.truncate(2)),
        ],
    );
}
