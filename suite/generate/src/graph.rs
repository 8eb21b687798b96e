//! Graphs: DIMACS, Matrix Market, SNAP edge lists and GAP's files, by the ending of the name.

use plusminus_suite::{
    generate::{Rmat, Seed, gnm, grid, path, star},
    graph::{Build, Csr, EdgeList, io},
};

use super::{Result, Target, error};

/// Beyond this number of edges construction needs more memory than machines have that one shares.
const MOST_EDGES: u64 = 1 << 32;

/// The arguments of all graphs.
#[derive(Debug, clap::Args)]
struct Common {
    /// Weights are uniform in 1 to this; `.sg` files drop them.
    #[arg(long, value_name = "W", default_value_t = 255, value_parser = clap::value_parser!(u32).range(1..i64::from(u32::MAX)))]
    max_weight: u32,
    /// Seed of the stream.
    #[arg(long, default_value_t = 101)]
    seed: u64,
    /// Keeps edges as arcs in the direction in which they were drawn.
    #[arg(long)]
    directed: bool,
    /// Keeps edges from a vertex to itself.
    #[arg(long)]
    keep_self_loops: bool,
    /// Keeps several edges between the same ends; otherwise the lightest stays.
    #[arg(long)]
    keep_parallel_edges: bool,
    #[command(flatten)]
    target: Target,
}

/// Options of Graph500 graphs.
#[derive(Debug, clap::Args)]
pub(super) struct Graph500 {
    /// Binary logarithm of the number of vertices.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=31))]
    scale: u32,
    /// Edges drawn for each vertex.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    edge_factor: u64,
    #[command(flatten)]
    common: Common,
}

/// Options of random graphs.
#[derive(Debug, clap::Args)]
pub(super) struct Random {
    /// Vertices.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..i64::from(1 << 30)))]
    vertices: u32,
    /// Edges that are drawn, both ends uniformly.
    #[arg(long)]
    edges: u64,
    #[command(flatten)]
    common: Common,
}

/// Options of grids.
#[derive(Debug, clap::Args)]
pub(super) struct Grid {
    /// Rows.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rows: u32,
    /// Columns.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    columns: u32,
    #[command(flatten)]
    common: Common,
}

/// Options of paths and stars.
#[derive(Debug, clap::Args)]
pub(super) struct Line {
    /// Vertices.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..i64::from(1 << 30)))]
    vertices: u32,
    #[command(flatten)]
    common: Common,
}

impl Graph500 {
    pub(super) fn write(&self) -> Result<String> {
        let edges = self.edge_factor.checked_mul(1 << self.scale);
        few_enough(edges)?;
        let common = &self.common;
        let rmat = Rmat::with_edge_factor(self.scale, self.edge_factor, Seed(common.seed));
        common.write(|| rmat.weighted(common.max_weight))
    }
}

impl Random {
    pub(super) fn write(&self) -> Result<String> {
        few_enough(Some(self.edges))?;
        let common = &self.common;
        common.write(|| {
            let (n, m) = (self.vertices as usize, self.edges as usize);
            gnm(n, m, common.max_weight, Seed(common.seed))
        })
    }
}

impl Grid {
    pub(super) fn write(&self) -> Result<String> {
        let vertices = u64::from(self.rows) * u64::from(self.columns);
        if vertices >= 1 << 31 {
            return error(format!(
                "{} rows of {} columns are {vertices} vertices; a grid has fewer than 2^31",
                self.rows, self.columns
            ));
        }
        let common = &self.common;
        common.write(|| grid(self.rows, self.columns, common.max_weight, Seed(common.seed)))
    }
}

impl Line {
    pub(super) fn write_path(&self) -> Result<String> {
        let common = &self.common;
        common.write(|| path(self.vertices, common.max_weight, Seed(common.seed)))
    }

    pub(super) fn write_star(&self) -> Result<String> {
        let common = &self.common;
        common.write(|| star(self.vertices, common.max_weight, Seed(common.seed)))
    }
}

fn few_enough(edges: Option<u64>) -> Result<()> {
    match edges {
        Some(edges) if edges <= MOST_EDGES => Ok(()),
        _ => error(format!("more than {MOST_EDGES} edges: choose a smaller scale or edge factor")),
    }
}

impl Common {
    /// Draws, builds and writes a graph; returns what to print.
    fn write(&self, draw: impl FnOnce() -> EdgeList<u32>) -> Result<String> {
        self.target.check()?;
        if io::Format::of(&self.target.output).is_none() {
            return error(format!(
                "{}: the ending tells the format, and is one of .gr (DIMACS), .mtx (Matrix Market), .el, .wel, .txt, \
                 .edges (SNAP edge list), .sg and .wsg (GAP), each with .gz after it or without",
                self.target.output.display()
            ));
        }
        let build = Build {
            undirected: !self.directed,
            keep_self_loops: self.keep_self_loops,
            keep_parallel_edges: self.keep_parallel_edges,
        };
        let graph: Csr<u32> = Csr::build(&draw(), build);
        self.target.write(|path| io::write_file(&graph, path).map_err(std::io::Error::other))?;
        Ok(format!(
            "{}: {} vertices, {} arcs",
            self.target.output.display(),
            graph.vertices(),
            graph.arcs()
        ))
    }
}
