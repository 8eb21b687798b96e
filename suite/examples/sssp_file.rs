//! Searches a graph file from several sources and prints what each search took.
//!
//! `cargo run --release -p plusminus-suite --example sssp_file -- k20.wsg --sources 8 --repeat 3 --algorithm split`
//!
//! `--generate 20` instead of a file makes the Graph500 graph of that scale with weights 1 to 255, and prints the
//! memory. The algorithms with Δ-stepping are `split` (light arcs first, on rows that are split by weight), `plain`
//! (the same on whole rows) and `delta` (along all arcs alike). The others are `rho`, `agm` (the Abstract Graph
//! Machine's Δ-stepping, Δ = 1), `kla` (k = 2) and `dijkstra`. `--source 5,7` sets the sources, `--delta 1` replaces
//! the automatic Δ, and `--k 4` the two levels of KLA. `--messages` uses the runtime of active messages for `agm` and
//! `kla`, and `--literal` runs them exactly by the definitions. `--counts` shows what each ordering does instead of
//! times, on both runtimes, literally and filtered; `--check` validates the first search from each source. Threads:
//! `RAYON_NUM_THREADS`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use plusminus_suite::agm::{Ascending, Counts, Filter, Kla, Runtime, Unordered};
use plusminus_suite::generate::{Rmat, Seed, sources};
use plusminus_suite::graph::io::{self, RowOrder};
use plusminus_suite::graph::{Build, Csr, Vertex};
use plusminus_suite::memory;
use plusminus_suite::sssp::stepping::{RhoStepping, Solver};
use plusminus_suite::sssp::{DeltaStepping, dijkstra, search, search_counted, validate};

struct Options {
    file: PathBuf,
    generate: Option<usize>,
    algorithm: String,
    sources: usize,
    named: Vec<usize>,
    repeat: usize,
    delta: Option<u32>,
    k: u32,
    runtime: Runtime,
    filter: Filter,
    check: bool,
    counts: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        file: PathBuf::new(),
        generate: None,
        algorithm: "split".to_owned(),
        sources: 8,
        named: Vec::new(),
        repeat: 1,
        delta: None,
        k: 2,
        runtime: Runtime::Tasks,
        filter: Filter::Filtered,
        check: false,
        counts: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text:?} is not a number"));
        match argument.as_str() {
            "--generate" => options.generate = Some(number(value()?)?),
            "--algorithm" => options.algorithm = value()?,
            "--sources" => options.sources = number(value()?)?,
            "--repeat" => options.repeat = number(value()?)?,
            "--delta" => options.delta = Some(width(&value()?)?),
            "--k" => options.k = width(&value()?)?,
            "--messages" => options.runtime = Runtime::Messages,
            "--literal" => options.filter = Filter::Literal,
            "--source" => {
                let list = value()?;
                let numbers = list.split(',').map(|one| number(one.to_owned()));
                options.named = numbers.collect::<Result<_, _>>()?;
            }
            "--counts" => options.counts = true,
            "--check" => options.check = true,
            file if !file.starts_with('-') => options.file = PathBuf::from(file),
            other => return Err(format!("{other} is not an option")),
        }
    }
    if options.repeat == 0 {
        return Err("--repeat 0: there is nothing to do".to_owned());
    }
    if options.file.as_os_str().is_empty() && options.generate.is_none() {
        return Err("which graph file?".to_owned());
    }
    Ok(options)
}

/// Δ, or k.
fn width(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(width) if width > 0 => Ok(width),
        _ => Err(format!("{text:?} is not a width of at least 1")),
    }
}

fn main() -> Result<(), String> {
    let options = options()?;
    let graph = graph(&options)?;
    let bytes = graph.memory_bytes();
    println!("{} vertices, {} arcs, {bytes} bytes", graph.vertices(), graph.arcs());
    if graph.arcs() > 0 {
        println!("{:.2} bytes per arc", bytes as f64 / graph.arcs() as f64);
    }
    let sources = if options.named.is_empty() {
        sources(&graph, options.sources, Seed(101))
    } else {
        named_sources(&options.named, &graph)?
    };
    if sources.is_empty() {
        return Err("no source: no vertex has a neighbor, or none was asked for".to_owned());
    }
    if options.counts {
        sources.iter().for_each(|&source| show_counts(&graph, source));
        return Ok(());
    }
    let mut search = searcher(&graph, &options)?;
    let mut all = Vec::new();
    for (index, &source) in sources.iter().enumerate() {
        let mut seconds = Vec::new();
        for repetition in 0..options.repeat {
            let start = Instant::now();
            let found = search(source);
            let elapsed: Duration = start.elapsed();
            seconds.push(elapsed.as_secs_f64());
            if options.check && repetition == 0 {
                validate::distances(&graph, source, &found)?;
            }
        }
        let times: Vec<String> = seconds.iter().map(|s| format!("{s:.6}")).collect();
        println!("source {index} {source} {}", times.join(" "));
        all.extend(seconds);
    }
    all.sort_by(f64::total_cmp);
    println!("median {:.6} s, fastest {:.6} s", all[(all.len() - 1) / 2], all[0]);
    Ok(())
}

fn named_sources(named: &[usize], graph: &Csr) -> Result<Vec<Vertex>, String> {
    let vertices = graph.vertices();
    if let Some(source) = named.iter().find(|&&source| source >= vertices) {
        return Err(format!("source {source}: the graph has {vertices} vertices"));
    }
    Ok(named.iter().map(|&source| source as Vertex).collect())
}

fn graph(options: &Options) -> Result<Csr, String> {
    let is_plain = options.algorithm == "plain";
    let start = Instant::now();
    let Some(scale) = options.generate else {
        let announcer = io::Announcer::of_terminal();
        let order = if is_plain { RowOrder::ByTarget } else { RowOrder::LightFirst };
        let heard = |progress| announcer.hear(progress);
        let graph = io::read_file_watched(&options.file, order, &heard)?;
        drop(announcer);
        println!("read in {:.6} s", start.elapsed().as_secs_f64());
        return Ok(graph);
    };
    if !(1..=32).contains(&scale) {
        return Err(format!("scale {scale} is not between 1 and 32"));
    }
    let rmat = Rmat::graph500(scale as u32, Seed(101));
    memory::require(&rmat.to_string(), rmat.peak_bytes())?;
    let edges = rmat.weighted(255);
    let generated = start.elapsed().as_secs_f64();
    let graph = Csr::build(&edges, Build::UNDIRECTED);
    let total = start.elapsed().as_secs_f64();
    println!(
        "generated in {generated:.6} s, built in {:.6} s, together {total:.6} s",
        total - generated
    );
    if let Some(peak) = memory::peak_bytes() {
        let per_edge = peak as f64 / edges.edges().len() as f64;
        println!("peak of the process {peak} bytes ({per_edge:.2} per edge of the list)");
    }
    Ok(if is_plain { graph.split_at(u32::MAX) } else { graph })
}

/// Prints what each ordering does from a source, literally and filtered, on each runtime.
fn show_counts(graph: &Csr, source: Vertex) {
    println!("source {source}, {} threads", rayon::current_num_threads());
    println!(
        "{:<34}{:>11}{:>11}{:>11}{:>12}{:>9}{:>9}{:>8}{:>10}{:>9}",
        "",
        "created",
        "useful",
        "discarded",
        "relaxations",
        "barriers",
        "tasks",
        "stolen",
        "messages",
        "buffers"
    );
    let show = |name: &str, counts: Counts| {
        println!(
            "{name:<34}{:>11}{:>11}{:>11}{:>12}{:>9}{:>9}{:>8}{:>10}{:>9}",
            counts.created,
            counts.useful,
            counts.discarded,
            counts.relaxations,
            counts.barriers,
            counts.tasks,
            counts.stolen,
            counts.messages,
            counts.buffers
        );
    };
    macro_rules! run {
        ($name:expr, $ordering:expr) => {
            for (runtime, on) in [(Runtime::Tasks, "tasks"), (Runtime::Messages, "messages")] {
                for (filter, how) in [(Filter::Literal, "literal"), (Filter::Filtered, "filtered")]
                {
                    let counts = search_counted($ordering, graph, source, runtime, filter).1;
                    show(&format!("{}, {how}, {on}", $name), counts);
                }
            }
        };
    }
    run!("Dijkstra-like", Ascending);
    run!("Δ = 1", DeltaStepping::new(1));
    run!("Δ = 16", DeltaStepping::new(16));
    for k in [1, 2, 4, 8] {
        run!(&format!("KLA, k = {k}"), Kla::new(k));
    }
    run!("unordered", Unordered);
}

type Searcher<'a> = Box<dyn FnMut(Vertex) -> Vec<u32> + 'a>;

fn searcher<'a>(graph: &'a Csr, options: &Options) -> Result<Searcher<'a>, String> {
    Ok(match options.algorithm.as_str() {
        "delta" | "plain" | "split" => {
            let automatic = Solver::new(graph);
            let limit = automatic.limit();
            let mut solver = match options.delta {
                Some(delta) => Solver::with_delta(graph, delta).with_limit(limit),
                None => automatic,
            };
            if options.algorithm == "delta" {
                solver = solver.without_limit();
            }
            let light = 100.0 * graph.light_share(solver.limit());
            println!("delta {}, {light:.1} % light", solver.delta());
            Box::new(move |source| solver.distances(source))
        }
        "rho" => {
            let rho = RhoStepping::new(graph);
            Box::new(move |source| rho.distances(source))
        }
        "agm" => {
            let ordering = DeltaStepping::new(options.delta.unwrap_or(1));
            let (runtime, filter) = (options.runtime, options.filter);
            Box::new(move |source| search(ordering, graph, source, runtime, filter))
        }
        "kla" => {
            let (k, runtime, filter) = (options.k, options.runtime, options.filter);
            Box::new(move |source| search(Kla::new(k), graph, source, runtime, filter))
        }
        "dijkstra" => Box::new(move |source| dijkstra(graph, source)),
        other => return Err(format!("{other} is not an algorithm")),
    })
}
