//! Runs the Graph500 benchmark and prints its official results.
//!
//! `cargo run --release -p plusminus-suite --example graph500 -- SCALE [EDGEFACTOR] [--vertices 64]`
//!
//! Vertices are numbers of 32 bits, which is what this machine can hold graphs of, or of 64, as the rules want at least 48. Threads: `RAYON_NUM_THREADS`. Results go to stdout, progress and what is not official to stderr: among it the memory
//! of the edge list, of the graph, and of the process at its peak. The first invalid search ends the run without results.

use std::time::Instant;

use plusminus_suite::generate::{Rmat, Seed};
use plusminus_suite::graph::{EdgeList, VertexId};
use plusminus_suite::graph500::{
    Constructed, Kernel3, KernelTimes, Run, breadth_first_search, construct, peak_bytes,
    search_keys, traversed_edges, validate,
};
use plusminus_suite::memory;

/// The user seeds of official runs are 2 and 3.
const SEED: Seed = Seed(2);

const USAGE: &str = "usage: graph500 SCALE [EDGEFACTOR] [--vertices 32|64]";

fn main() -> Result<(), String> {
    let mut numbers = Vec::new();
    let mut bits = 32;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let number = |text: String| text.parse().map_err(|_| format!("{text:?} is not a number"));
        match argument.as_str() {
            "--vertices" => bits = number(arguments.next().ok_or(USAGE)?)?,
            _ => numbers.push(number(argument)?),
        }
    }
    let (scale, edge_factor): (u64, u64) = match numbers[..] {
        [scale] => (scale, 16),
        [scale, edge_factor] => (scale, edge_factor),
        _ => return Err(USAGE.to_owned()),
    };
    let largest = match bits {
        32 => 32,
        64 => 48,
        _ => return Err(format!("vertices of {bits} bits; there are 32 and 64")),
    };
    if !(1..=largest).contains(&scale) {
        return Err(format!("scale {scale} is not between 1 and {largest}"));
    }
    if edge_factor == 0 {
        return Err("edge factor 0: without edges there is nothing to search".to_owned());
    }
    let rmat = Rmat::with_edge_factor(scale as u32, edge_factor, SEED);
    let run = if bits == 64 { run::<u64>(&rmat)? } else { run::<u32>(&rmat)? };
    print!("{run}");
    Ok(())
}

/// Runs the benchmark with vertices of one type.
fn run<V: VertexId>(rmat: &Rmat) -> Result<Run, String> {
    let bytes = rmat.edges().and_then(|edges| peak_bytes::<V>(1 << rmat.scale(), edges));
    memory::require(&rmat.to_string(), bytes)?;
    eprintln!("threads {}, vertices of {} bits", rayon::current_num_threads(), V::BITS);
    let (edges, generation_seconds) = timed(|| rmat.with_unit_weights_as::<V>());
    let (built, construction_seconds) = timed(|| construct(&edges));
    show_memory(&edges, &built);
    let roots = search_keys(&built, SEED);
    eprintln!("generated in {generation_seconds:.3} s, constructed in {construction_seconds:.3} s");
    let (breadth_first, traversed_edges) = kernel_2(&edges, &built, &roots)?;
    let shortest_paths = kernel_3(&edges, &built, &roots)?;
    Ok(Run {
        scale: rmat.scale(),
        edge_factor: rmat.edge_factor(),
        // Its threads are not ranks.
        processes: 1,
        generation_seconds,
        construction_seconds,
        traversed_edges,
        breadth_first,
        shortest_paths,
    })
}

/// Prints the bytes of what was constructed, and the most that the process has had so far.
fn show_memory<V: VertexId>(edges: &EdgeList<f32, V>, built: &Constructed<V>) {
    let count = edges.edges().len() as f64;
    let show = |what: &str, bytes: u64| {
        eprintln!("{what:<36}{bytes:>14} bytes{:>8.2} per edge", bytes as f64 / count);
    };
    show("edge list", size_of_val(edges.edges()) as u64);
    show("graph", built.graph.memory_bytes() as u64);
    show("graph without weights, for kernel 2", built.adjacency.memory_bytes() as u64);
    match memory::peak_bytes() {
        Some(peak) => show("peak of the process", peak),
        None => eprintln!("peak of the process: not known on this system"),
    }
}

fn kernel_2<V: VertexId>(
    edges: &EdgeList<f32, V>,
    built: &Constructed<V>,
    roots: &[V],
) -> Result<(KernelTimes, Vec<u64>), String> {
    let mut times = KernelTimes::default();
    let mut traversed = Vec::new();
    // One untimed search warms up, as in the reference implementation.
    roots.first().map(|&root| breadth_first_search(&built.adjacency, root));
    for &root in roots {
        let (parents, seconds) = timed(|| breadth_first_search(&built.adjacency, root));
        let (verdict, validation) = timed(|| validate::breadth_first(edges, root, &parents));
        verdict.map_err(|error| invalid("breadth-first search", root, &error))?;
        times.search_seconds.push(seconds);
        times.validation_seconds.push(validation);
        traversed.push(traversed_edges(edges, &parents));
    }
    Ok((times, traversed))
}

fn kernel_3<V: VertexId>(
    edges: &EdgeList<f32, V>,
    built: &Constructed<V>,
    roots: &[V],
) -> Result<KernelTimes, String> {
    let mut times = KernelTimes::default();
    let mut kernel = Kernel3::new(built);
    roots.first().map(|&root| kernel.search(root));
    for &root in roots {
        let (tree, seconds) = timed(|| kernel.search(root));
        let (verdict, validation) = timed(|| validate::shortest_paths(edges, root, &tree));
        verdict.map_err(|error| invalid("shortest paths", root, &error))?;
        times.search_seconds.push(seconds);
        times.validation_seconds.push(validation);
    }
    Ok(times)
}

fn invalid(kernel: &str, root: impl VertexId, error: &str) -> String {
    format!("No results printed for invalid run: {kernel} from {root}: {error}")
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
