//! Runs algorithms of the crate `graph` on a `.wsg` file and prints their times, for `lab/graphs`, which makes the project
//! that this is built in: `graph-crate FILE DELTA TRIALS SOURCE…`. Rows are sorted; making them is not in the times.

use std::time::Instant;

use graph::prelude::*;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |index: usize| arguments[index].parse::<usize>().expect("a number");
    let arcs = arcs(&std::fs::read(&arguments[1]).expect("a graph file"));
    let weighted: DirectedCsrGraph<u32, (), f32> = GraphBuilder::new()
        .csr_layout(CsrLayout::Sorted)
        .edges_with_values(arcs.iter().copied())
        .build();
    for index in 4..arguments.len() {
        let config = DeltaSteppingConfig::new(number(index), number(2) as f32);
        timed("sssp", || delta_stepping(&weighted, config));
    }
    drop(weighted);
    let graph: DirectedCsrGraph<u32> = GraphBuilder::new()
        .csr_layout(CsrLayout::Sorted)
        .edges(arcs.iter().map(|&(from, to, _)| (from, to)))
        .build();
    drop(arcs);
    for _ in 0..number(3) {
        timed("cc", || wcc_afforest(&graph, WccConfig::default()).to_vec());
        timed("pr", || page_rank(&graph, PageRankConfig::new(100, 1e-4, 0.85)));
    }
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) {
    let start = Instant::now();
    let result = std::hint::black_box(work());
    println!("{what} {:.6}", start.elapsed().as_secs_f64());
    drop(result);
}

/// The arcs of a GAP graph with weights.
fn arcs(bytes: &[u8]) -> Vec<(u32, u32, f32)> {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
    let vertices = word(9) as usize;
    let first = 17 + 8 * (vertices + 1);
    let start = |vertex: usize| word(17 + 8 * vertex) as usize;
    let rows = (0..vertices).flat_map(|from| (start(from)..start(from + 1)).map(move |arc| (from, arc)));
    rows.map(|(from, arc)| {
        let arc = word(first + 8 * arc);
        (from as u32, arc as u32, (arc >> 32) as f32)
    })
    .collect()
}
