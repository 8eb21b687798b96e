//! Runs the Graph500 benchmark over ranks and prints its official results: `mpirun -n RANKS graph500 SCALE [EDGEFACTOR]`.
//! The graph and the search keys are those of the reference implementation.
//!
//! `PLUSMINUS_ROOTS=8` searches from fewer keys than 64. Progress, and what is not official, goes to stderr: among it the memory of the
//! largest part, and what travelled. The first invalid search ends the run without results.

use std::time::Instant;

use plusminus_mpi::graph::Part;
use plusminus_mpi::stepping::Kernel3;
use plusminus_mpi::{Ranks, Traffic, bfs, end_all_at_panic, validate};
use plusminus_suite::generate::{Rmat, Seed, sources_among};
use plusminus_suite::graph::Vertex;
use plusminus_suite::graph500::{KernelTimes, Run};

/// The user seeds of official runs are 2 and 3.
const SEED: Seed = Seed(2);

fn main() -> Result<(), String> {
    let mut ranks = Ranks::begin()?;
    end_all_at_panic();
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: Option<u64>| match arguments.next() {
        Some(text) => text.parse().map_err(|_| format!("{text:?} is not a number")),
        None => default.ok_or_else(|| "usage: graph500 SCALE [EDGEFACTOR]".to_owned()),
    };
    let (scale, edge_factor): (u64, u64) = (number(None)?, number(Some(16))?);
    if !(1..=32).contains(&scale) || edge_factor == 0 {
        return Err(format!(
            "scale {scale} is not between 1 and 32, or edge factor {edge_factor} is 0"
        ));
    }
    let rmat = Rmat::with_edge_factor(scale as u32, edge_factor, SEED);
    let run = run(&rmat, &mut ranks)?;
    if ranks.rank() == 0 {
        print!("{run}");
    }
    Ok(())
}

/// All kernels, from all search keys.
fn run(rmat: &Rmat, ranks: &mut Ranks) -> Result<Run, String> {
    // Each rank makes its share of the edges in pieces and sends them off at once: generation and construction are one.
    let (part, construction_seconds) = timed(ranks, |ranks| Part::<f32>::generate(rmat, 1, ranks));
    let roots = match std::env::var("PLUSMINUS_ROOTS") {
        Err(_) => 64,
        Ok(count) => count.parse().map_err(|_| {
            format!("PLUSMINUS_ROOTS takes a number of search keys, and not {count:?}")
        })?,
    };
    let roots = sources_among(part.vertices(), roots, SEED, |vertex| {
        let degree = part.position(vertex).map_or(0, |position| part.arcs(position).len());
        ranks.sum(degree as u64) > 0
    });
    say(ranks, || {
        let edges = (rmat.edge_factor() << rmat.scale()) as f64;
        format!("generated and constructed in {construction_seconds:.3} s, {edges} edges")
    });
    let most = ranks.each(part.memory_bytes() as u64).into_iter().max().unwrap_or(0);
    let peak = plusminus_suite::memory::peak_bytes().unwrap_or(0);
    let peak = ranks.each(peak).into_iter().max().unwrap_or(0);
    say(ranks, || format!("largest part {most} bytes, peak of its process {peak}"));
    let mut run = Run {
        scale: rmat.scale(),
        edge_factor: rmat.edge_factor(),
        processes: ranks.ranks(),
        generation_seconds: 0.0,
        construction_seconds,
        traversed_edges: Vec::new(),
        breadth_first: KernelTimes::default(),
        shortest_paths: KernelTimes::default(),
    };
    kernel_2(&part, &roots, &mut run, ranks)?;
    kernel_3(&part, &roots, &mut run.shortest_paths, ranks)?;
    Ok(run)
}

fn kernel_2(
    part: &Part<f32>,
    roots: &[Vertex],
    run: &mut Run,
    ranks: &mut Ranks,
) -> Result<(), String> {
    // One untimed search warms up, as in the reference implementation.
    roots.first().map(|&root| bfs::search(part, root, ranks));
    let mut sent = Traffic::default();
    for &root in roots {
        let start = ranks.traffic();
        let (tree, seconds) = timed(ranks, |ranks| bfs::search(part, root, ranks));
        sent += ranks.traffic() - start;
        let (verdict, validation) =
            timed(ranks, |ranks| validate::breadth_first(part, root, &tree, ranks));
        verdict.map_err(|error| invalid("breadth-first search", root, &error))?;
        let reached = (0..tree.parents.len()).filter(|&at| tree.parents[at] != Vertex::MAX);
        let ends = reached.map(|position| part.generated(position)).sum();
        run.traversed_edges.push(ranks.sum(ends) / 2);
        run.breadth_first.search_seconds.push(seconds);
        run.breadth_first.validation_seconds.push(validation);
    }
    tell_traffic("bfs", sent, roots.len(), ranks);
    Ok(())
}

fn kernel_3(
    part: &Part<f32>,
    roots: &[Vertex],
    times: &mut KernelTimes,
    ranks: &mut Ranks,
) -> Result<(), String> {
    let mut kernel = Kernel3::new(part, ranks);
    roots.first().map(|&root| kernel.search(root, ranks));
    let mut sent = Traffic::default();
    for &root in roots {
        let start = ranks.traffic();
        let (tree, seconds) = timed(ranks, |ranks| kernel.search(root, ranks));
        sent += ranks.traffic() - start;
        let (verdict, validation) =
            timed(ranks, |ranks| validate::shortest_paths(part, root, &tree, ranks));
        verdict.map_err(|error| invalid("shortest paths", root, &error))?;
        times.search_seconds.push(seconds);
        times.validation_seconds.push(validation);
    }
    tell_traffic("sssp", sent, roots.len(), ranks);
    Ok(())
}

/// Prints what this rank has sent in a search, in the mean.
fn tell_traffic(kernel: &str, sent: Traffic, searches: usize, ranks: &Ranks) {
    let mean = |count: u64| count / searches.max(1) as u64;
    say(ranks, || {
        format!(
            "{kernel}, each search, rank 0: {} meetings, {} exchanges, {} bytes sent, {} bytes shown",
            mean(sent.meetings),
            mean(sent.exchanges),
            4 * mean(sent.words),
            8 * mean(sent.gathered)
        )
    });
}

/// Prints a line, once.
fn say(ranks: &Ranks, line: impl Fn() -> String) {
    if ranks.rank() == 0 {
        eprintln!("{}", line());
    }
}

fn invalid(kernel: &str, root: Vertex, error: &str) -> String {
    format!("No results printed for invalid run: {kernel} from {root}: {error}")
}

/// Calls a function on all ranks, and gives the seconds until all are done.
fn timed<T>(ranks: &mut Ranks, work: impl FnOnce(&mut Ranks) -> T) -> (T, f64) {
    ranks.barrier();
    let start = Instant::now();
    let result = work(ranks);
    ranks.barrier();
    (result, start.elapsed().as_secs_f64())
}
