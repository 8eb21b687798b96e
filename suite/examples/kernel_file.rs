//! Runs a kernel on a graph file and prints what each trial took.
//!
//! `cargo run --release -p plusminus-suite --example kernel_file -- bfs k20.wsg --trials 8 --check`
//!
//! Kernels: `bfs` (each trial from another source), `cc` (connected components), `pr` (PageRank), and the references
//! `bfs-reference`, `cc-reference`, `pr-reference`. `--check` validates every result by its definition. Threads:
//! `RAYON_NUM_THREADS`.

use std::path::Path;
use std::time::Instant;

use plusminus_suite::generate::{Seed, sources};
use plusminus_suite::graph::io::{self, RowOrder};
use plusminus_suite::graph::{Adjacency, Vertex};
use plusminus_suite::kernels::{
    breadth_first_search, breadth_first_search_by_queue, check, components_by_union,
    connected_components, page_rank, page_rank_by_definition,
};

fn main() -> Result<(), String> {
    const USAGE: &str = "usage: kernel_file KERNEL FILE [--trials N] [--check]";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, file, options @ ..] = &arguments[..] else { return Err(USAGE.to_owned()) };
    let (mut trials, mut checked) = (1, false);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.as_str() {
            "--check" => checked = true,
            "--trials" => {
                let count = options.next().and_then(|text| text.parse().ok()).filter(|&n| n > 0);
                trials = count.ok_or("--trials needs a number above 0")?;
            }
            other => return Err(format!("{other} is not an option; {USAGE}")),
        }
    }
    let start = Instant::now();
    let announcer = io::Announcer::of_terminal();
    let heard = |progress| announcer.hear(progress);
    let weighted = io::read_file_watched(Path::new(file), RowOrder::ByTarget, &heard)?;
    drop(announcer);
    println!("read in {:.6} s", start.elapsed().as_secs_f64());
    let roots = sources(&weighted, trials, Seed(101));
    let start = Instant::now();
    let graph = Adjacency::of(&weighted);
    drop(weighted);
    println!("without weights in {:.6} s", start.elapsed().as_secs_f64());

    let mut times = Vec::new();
    for trial in 0..trials {
        let start = Instant::now();
        let result = run(kernel, &graph, roots.get(trial).copied())?;
        times.push(start.elapsed().as_secs_f64());
        let source = roots.get(trial).map_or(String::new(), |root| format!(" from {root}"));
        println!("trial {:.6} s{source}", times[trial]);
        if checked {
            match result {
                Found::Tree(root, parents) => check::breadth_first_tree(&graph, root, &parents)?,
                Found::Labels(labels) => check::components(&graph, &labels)?,
                Found::Ranks(ranks) => check::ranks(&graph, &ranks)?,
            }
        }
    }
    times.sort_by(f64::total_cmp);
    println!("median {:.6} s, fastest {:.6} s", times[(times.len() - 1) / 2], times[0]);
    Ok(())
}

/// The result of a kernel.
enum Found {
    Tree(Vertex, Vec<Vertex>),
    Labels(Vec<Vertex>),
    Ranks(Vec<f32>),
}

fn run(kernel: &str, graph: &Adjacency, root: Option<Vertex>) -> Result<Found, String> {
    let root = || root.ok_or("there are fewer vertices with neighbors than trials");
    Ok(match kernel {
        "bfs" => Found::Tree(root()?, breadth_first_search(graph, root()?)),
        "bfs-reference" => Found::Tree(root()?, breadth_first_search_by_queue(graph, root()?)),
        "cc" => Found::Labels(connected_components(graph)),
        "cc-reference" => Found::Labels(components_by_union(graph)),
        "pr" => Found::Ranks(page_rank(graph)),
        "pr-reference" => Found::Ranks(page_rank_by_definition(graph)),
        other => return Err(format!("{other} is not a kernel")),
    })
}
