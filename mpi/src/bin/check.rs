//! Checks that everything over ranks is right, on as many as a launcher starts: `mpirun -n 4 check`. `mpi/run` calls it.
//!
//! Every rank solves the same inputs alone, on threads with the same places, and compares answers and counts. Prints a
//! line for each subject, and exits with 1 at the first that is wrong. With the name of a rank and a way to fail,
//! `check panic 1`, that rank fails instead, for the test of what happens then.

use plusminus_mpi::bfs::Direction;
use plusminus_mpi::graph::Part;
use plusminus_mpi::search::{Mode, search, search_on_workers};
use plusminus_mpi::stepping::{self, Kernel3};
use plusminus_mpi::{Ranks, bfs, end_all_at_panic, validate};
use plusminus_suite::agm::{Ascending, Kla, Ordering, Successor, Unordered};
use plusminus_suite::generate::{Rmat, Seed as GraphSeed};
use plusminus_suite::graph::{Build, Csr, Vertex, Weight};
use plusminus_suite::graph500;
use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::{
    Identified, Ring, Seed, Whole, bf, by, dp, dr, ds, dst, hs, kc, lcr, mis, mst, vc,
};
use plusminus_suite::places::{Counted, Execution, Style, Wire};
use plusminus_suite::sssp::{DeltaStepping, dijkstra};

fn main() {
    let mut ranks = Ranks::begin().unwrap_or_else(|error| panic!("{error}"));
    end_all_at_panic();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [way, who] = &arguments[..] {
        fail(way, who.parse() == Ok(ranks.rank()), &ranks);
    }
    let verdict =
        kernels(&mut ranks).and_then(|()| graphs(&mut ranks)).and_then(|()| cycles(&mut ranks));
    if let Err(error) = verdict {
        if ranks.rank() == 0 {
            eprintln!("check: {error}");
        }
        drop(ranks);
        std::process::exit(1);
    }
}

/// Fails on one rank, while the others wait for it.
fn fail(way: &str, me: bool, ranks: &Ranks) {
    match way {
        "panic" if me => panic!("asked to"),
        "die" if me => std::process::abort(),
        "hang" if me => loop {
            std::thread::park();
        },
        "panic" | "die" | "hang" => ranks.barrier(),
        _ => panic!("`{way}` is none of panic, die, hang"),
    }
}

/// Prints that a result is right, once all ranks agree.
fn told(what: &str, verdict: Result<(), String>, ranks: &mut Ranks) -> Result<(), String> {
    ranks.agree(verdict).map_err(|error| format!("{what}: {error}"))?;
    if ranks.rank() == 0 {
        println!("{what}: ok");
    }
    Ok(())
}

/// Runs a kernel over the ranks with some places and threads, and compares it with threads alone.
macro_rules! same {
    ($ranks:expr, $name:literal, $kernel:ident, $input:expr, $instance:expr, |$a:ident, $b:ident, $c:ident| $check:expr) => {{
        let (input, instance) = (&$input, &$instance);
        let expected = $kernel::serial(input, instance);
        let number = $ranks.ranks();
        let mut verdict = Ok(());
        for (places, threads, table) in [
            (number, 1, true),
            (3 * number + 1, 1, true),
            (2 * number, 2, true),
            (number, 1, false),
        ] {
            for style in [Style::ForkJoin, Style::Clocked] {
                $ranks.tell_all_lengths(table);
                let how = Execution::new(style, threads).on_places(places);
                let counts = $kernel::counted(input, instance, style, places);
                let (found, counted) = $kernel::over::<Counted, _>(input, instance, &how, $ranks);
                let ($a, $b, $c) = (input, instance, &found);
                verdict = verdict.and($check).and(if found != expected {
                    Err(format!("another answer than on threads, {places} places"))
                } else if counted.rounds() != counts.rounds() {
                    Err(format!("{:?} counted, {:?} on threads", counted.total(), counts.total()))
                } else {
                    Ok(())
                });
            }
        }
        $ranks.tell_all_lengths(true);
        told($name, verdict, $ranks)?;
    }};
}

/// The iterative kernels of IMSuite.
fn kernels(ranks: &mut Ranks) -> Result<(), String> {
    let nodes = 60;
    let topology = generate::network(Shape::SparseMaximum, nodes, 7);
    let (votes, traitors) = generate::votes_and_traitors(nodes, 7);
    let root = Root::new(&topology, 3);
    let identifiers = generate::identifiers(nodes, 8);
    let identified = Identified { topology: topology.clone(), identifiers: identifiers.clone() };
    let voters = Voters::new(topology.clone(), votes, &traitors);
    let ring = Ring::new(identifiers);
    same!(ranks, "IMSuite BF", bf, topology, root, |a, b, c| bf::check(a, b, c));
    same!(ranks, "IMSuite DST", dst, topology, root, |a, b, c| dst::check(a, b, c));
    same!(ranks, "IMSuite BY", by, voters, Seed(1), |a, _b, c| by::check(a, c));
    let routes = generate::random_weights(topology.clone(), 20, 7);
    same!(ranks, "IMSuite DR", dr, routes, Whole, |a, _b, c| dr::check(a, c));
    same!(ranks, "IMSuite DS", ds, topology, Seed(2), |a, _b, c| ds::check(a, c));
    same!(ranks, "IMSuite KC", kc, identified, CommitteeSize(3), |a, b, c| kc::check(a, b, c));
    same!(ranks, "IMSuite DP", dp, identified, Whole, |a, _b, c| dp::check(a, c));
    same!(ranks, "IMSuite HS", hs, ring, Whole, |a, _b, c| hs::check(a, c));
    same!(ranks, "IMSuite LCR", lcr, ring, Whole, |a, _b, c| lcr::check(a, c));
    same!(ranks, "IMSuite MIS", mis, topology, Seed(3), |a, _b, c| mis::check(a, c));
    let weighted = generate::distinct_weights(topology.clone(), 7);
    same!(ranks, "IMSuite MST", mst, weighted, Whole, |a, _b, c| mst::check(a, c));
    let tree = generate::tree(Shape::RandomTree, nodes, Some(3), 7);
    same!(ranks, "IMSuite VC", vc, tree, Whole, |a, _b, c| vc::check(a, c));
    Ok(())
}

/// Graphs of Graph500, and the searches on them.
fn graphs(ranks: &mut Ranks) -> Result<(), String> {
    for scale in [1, 4, 9] {
        let rmat = Rmat::graph500(scale, GraphSeed(5));
        let part = Part::generate(&rmat, 255, ranks);
        let whole = Csr::build(&rmat.weighted(255), Build::UNDIRECTED);
        let same = part.own().all(|vertex| {
            let arcs = part.arcs((vertex - part.own().start) as usize);
            arcs.iter().copied().eq(whole.neighbours_by_target(vertex))
        });
        let verdict = if same { Ok(()) } else { Err("another row than on threads".to_owned()) };
        told(&format!("R-MAT of scale {scale}, in parts"), verdict, ranks)?;
        let mut roots = plusminus_suite::generate::sources(&whole, 3, GraphSeed(5));
        kernel_3_of_floats(&rmat, &roots, ranks)?;
        // One without edges, if there is one.
        roots.extend((0..whole.vertices() as Vertex).find(|&vertex| whole.degree(vertex) == 0));
        for root in roots {
            let place = Place { scale, root, whole: &whole, part: &part };
            place.breadth_first(ranks)?;
            place.kernel_3(ranks)?;
            place.shortest("Dijkstra's order", &Ascending, ranks)?;
            place.shortest("Δ-stepping, Δ = 1", &DeltaStepping::new(1), ranks)?;
            place.shortest("Δ-stepping, Δ = 24", &DeltaStepping::new(24), ranks)?;
            place.shortest("KLA, k = 1", &Kla::new(1), ranks)?;
            place.shortest("KLA, k = 2", &Kla::new(2), ranks)?;
            place.shortest("no order", &Unordered, ranks)?;
        }
    }
    Ok(())
}

/// A graph, whole and in parts, and where to search from.
struct Place<'a> {
    scale: u32,
    root: Vertex,
    whole: &'a Csr,
    part: &'a Part,
}

impl Place<'_> {
    fn named(&self, what: &str) -> String {
        format!("{what} from {} at scale {}", self.root, self.scale)
    }

    /// Breadth-first search: levels as on threads, and the validation accepts it, and nothing else.
    fn breadth_first(&self, ranks: &mut Ranks) -> Result<(), String> {
        for direction in [Direction::Either, Direction::TopDown, Direction::BottomUp] {
            self.breadth_first_by(direction, ranks)?;
        }
        Ok(())
    }

    fn breadth_first_by(&self, direction: Direction, ranks: &mut Ranks) -> Result<(), String> {
        let what = self.named(&format!("breadth-first search, {direction:?}"));
        let tree = bfs::search_by(direction, self.part, self.root, ranks);
        let levels = levels(self.whole, self.root);
        let own = self.part.own();
        let same = tree.levels[..] == levels[own.start as usize..own.end as usize];
        let verdict = if same { Ok(()) } else { Err("another level than on threads".to_owned()) };
        told(&what, verdict, ranks)?;
        let verdict = validate::breadth_first(self.part, self.root, &tree, ranks);
        told(&format!("validation of {what}"), verdict, ranks)?;
        let mut wrong = tree.clone();
        if let Some(position) =
            wrong.levels.iter().rposition(|&level| level > 0 && level < u32::MAX)
        {
            wrong.levels[position] += 2;
        }
        self.refused(
            wrong != tree,
            validate::breadth_first(self.part, self.root, &wrong, ranks),
            ranks,
        )
    }

    /// Shortest paths by an ordering, to the letter and filtered: distances as Dijkstra's.
    fn shortest<O>(&self, name: &str, ordering: &O, ranks: &mut Ranks) -> Result<(), String>
    where
        O: Ordering<Item: Wire + Successor>,
    {
        let expected = dijkstra(self.whole, self.root);
        let own = self.part.own();
        let expected = &expected[own.start as usize..own.end as usize];
        for mode in [Mode::Literal, Mode::Filtered] {
            let what = self.named(&format!("{name}, {mode:?}"));
            let (found, counts) = search(ordering, self.part, self.root, mode, ranks);
            let same = found == expected;
            let verdict =
                if same { Ok(()) } else { Err("another distance than Dijkstra's".to_owned()) };
            told(&what, verdict, ranks)?;
            let [created, processed] =
                [counts.created, counts.useful + counts.discarded].map(|count| ranks.sum(count));
            // Filtered items may be dropped by the owner as they arrive.
            let kept =
                if mode == Mode::Literal { created == processed } else { created >= processed };
            let verdict =
                if kept { Ok(()) } else { Err(format!("{created} items, {processed} processed")) };
            told(&format!("items of {what}"), verdict, ranks)?;
            let verdict = validate::distances(self.part, self.root, &found, ranks);
            told(&format!("validation of {what}"), verdict, ranks)?;
            let mut wrong = found.clone();
            if let Some(position) = wrong.iter().position(|&key| key < u32::MAX) {
                wrong[position] += 1;
            }
            let verdict = validate::distances(self.part, self.root, &wrong, ranks);
            self.refused(wrong != found, verdict, ranks)?;
            for workers in [1, 2, 3] {
                let (found, counts) =
                    search_on_workers(ordering, self.part, self.root, mode, workers, ranks);
                let [created, processed, sent] =
                    [counts.created, counts.useful + counts.discarded, counts.messages]
                        .map(|count| ranks.sum(count));
                let verdict = if found != expected {
                    Err("another distance than Dijkstra's".to_owned())
                } else if created < processed || (mode == Mode::Literal && created > processed) {
                    Err(format!("{created} items, {processed} processed"))
                } else if sent == 0 && self.whole.degree(self.root) > 0 && workers > 1 {
                    Err("nothing was sent from one worker to another".to_owned())
                } else {
                    Ok(())
                };
                told(&format!("{what}, {workers} workers on each rank"), verdict, ranks)?;
            }
        }
        Ok(())
    }

    /// Kernel 3: distances as Dijkstra's, and the validation accepts the tree, and nothing else.
    fn kernel_3(&self, ranks: &mut Ranks) -> Result<(), String> {
        let expected = dijkstra(self.whole, self.root);
        let own = self.part.own();
        let expected = &expected[own.start as usize..own.end as usize];
        let automatic = Kernel3::new(self.part, ranks);
        let wide = Kernel3::with_ordering(self.part, DeltaStepping::new(100), ranks);
        let delta = DeltaStepping::new(2);
        let forgetful = Kernel3::remembering(64, self.part, delta, ranks);
        for (name, mut kernel) in
            [("its own Δ", automatic), ("Δ = 100", wide), ("64 slots", forgetful)]
        {
            let what = self.named(&format!("kernel 3, {name}"));
            kernel.search(self.root, ranks);
            let tree = kernel.search(self.root, ranks);
            let same = tree.keys == expected;
            let verdict =
                if same { Ok(()) } else { Err("another distance than Dijkstra's".to_owned()) };
            told(&what, verdict, ranks)?;
            let verdict = validate::shortest_paths(self.part, self.root, &tree, ranks);
            told(&format!("validation of {what}"), verdict, ranks)?;
            let spoilt = tree.keys.iter().rposition(|&key| key > 0 && key < u32::MAX);
            for what in 0..2 {
                let mut wrong = tree.clone();
                match (spoilt, what) {
                    (Some(position), 0) => wrong.keys[position] += 1,
                    (Some(position), _) => wrong.parents[position] = own.start + position as Vertex,
                    (None, _) => {}
                }
                let verdict = validate::shortest_paths(self.part, self.root, &wrong, ranks);
                self.refused(wrong != tree, verdict, ranks)?;
            }
        }
        Ok(())
    }

    /// Checks that an answer that some rank has spoilt was refused.
    fn refused(
        &self,
        spoilt: bool,
        verdict: Result<(), String>,
        ranks: &mut Ranks,
    ) -> Result<(), String> {
        if ranks.sum(u64::from(spoilt)) > 0 && verdict.is_ok() {
            return Err(self.named("a wrong answer was accepted"));
        }
        Ok(())
    }
}

/// Kernel 3 with the weights of Graph500: its distances are those of threads.
fn kernel_3_of_floats(rmat: &Rmat, roots: &[Vertex], ranks: &mut Ranks) -> Result<(), String> {
    let part = Part::<f32>::generate(rmat, 1, ranks);
    let built = graph500::construct(&rmat.with_unit_weights());
    let mut kernel = Kernel3::new(&part, ranks);
    let mut on_threads = graph500::Kernel3::new(&built);
    for &root in roots {
        let what = format!("kernel 3 of {rmat} from {root}");
        let tree = kernel.search(root, ranks);
        let own = part.own().start as usize..part.own().end as usize;
        let expected = &on_threads.search(root).distances[own];
        let same = tree.keys.iter().zip(expected).all(|(&key, &d)| f32::from_key(key) == d);
        told(&what, if same { Ok(()) } else { Err("another distance".to_owned()) }, ranks)?;
        let verdict = validate::shortest_paths(&part, root, &tree, ranks);
        told(&format!("validation of {what}"), verdict, ranks)?;
    }
    Ok(())
}

/// Of two vertices with an edge of no weight, each could be the parent of the other: the validation sees it.
fn cycles(ranks: &mut Ranks) -> Result<(), String> {
    let edges = [(0, 1, 0.5_f32), (2, 3, 0.0), (1, 2, 0.25)];
    let mine = if ranks.rank() == 0 { &edges[..] } else { &[] };
    let part = Part::of_edges(4, mine, ranks);
    let own = part.own().start as usize..part.own().end as usize;
    let keys: Vec<u32> = [0.0, 0.5, 0.75, 0.75].map(f32::to_key)[own.clone()].to_vec();
    for (parents, right) in [([0, 0, 1, 2], true), ([0, 0, 3, 2], false)] {
        let tree = stepping::Tree { keys: keys.clone(), parents: parents[own.clone()].to_vec() };
        let verdict = validate::shortest_paths(&part, 0, &tree, ranks);
        if verdict.is_ok() != right {
            return Err(format!("a tree with parents {parents:?}: {verdict:?}"));
        }
    }
    told("trees with edges of no weight", Ok(()), ranks)
}

/// Levels of a breadth-first tree, found on threads.
fn levels(whole: &Csr, root: Vertex) -> Vec<u32> {
    let adjacency = plusminus_suite::graph::Adjacency::of(whole);
    let parents = graph500::breadth_first_search(&adjacency, root);
    let mut levels = vec![u32::MAX; parents.len()];
    levels[root as usize] = 0;
    let mut queue = vec![root];
    let mut children = vec![Vec::new(); parents.len()];
    for (vertex, &parent) in parents.iter().enumerate() {
        if parent != Vertex::MAX && vertex as Vertex != root {
            children[parent as usize].push(vertex as Vertex);
        }
    }
    while let Some(vertex) = queue.pop() {
        for &child in &children[vertex as usize] {
            levels[child as usize] = levels[vertex as usize] + 1;
            queue.push(child);
        }
    }
    levels
}
