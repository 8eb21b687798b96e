//! The R-MAT generator against its parameters: the same list for any number of threads, and the right distribution.

use plusminus_suite::generate::{Rmat, Seed};
use plusminus_suite::graph::EdgeList;

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_list_does_not_depend_on_the_number_of_threads() {
    let make = || Rmat::graph500(13, Seed(101)).weighted(255);
    let alone = in_pool(1, make);
    for threads in [2, 7] {
        assert!(in_pool(threads, make) == alone, "{threads} threads");
    }
    assert!(Rmat::graph500(13, Seed(102)).weighted(255) != alone, "the seed does nothing");
}

/// Number of standard deviations that a count of independent events may be off: P < 10⁻⁸.
const LIMIT: f64 = 5.8;

fn assert_count(what: &str, observed: f64, expected: f64, variance: f64) {
    let z = (observed - expected) / variance.sqrt();
    assert!(z.abs() < LIMIT, "{what}: {observed} observed, {expected:.1} expected, z = {z:.2}");
}

/// Chances of the quadrants, after the lower left one was flipped where it is equivalent to the upper right one.
const A: f64 = 0.57;
const B: f64 = 0.19;
const C: f64 = 0.19;
const D: f64 = 0.05;

fn list(scale: u32) -> EdgeList<u32> {
    Rmat::graph500(scale, Seed(101)).weighted(255)
}

#[test]
fn self_loops_are_as_frequent_as_the_diagonal() {
    // All bits of both ends agree: quadrant A or D at every level.
    for scale in [8, 12, 16] {
        let edges = list(scale);
        let n = edges.edges().len() as f64;
        let p = (A + D).powi(scale as i32);
        let loops = edges.edges().iter().filter(|(u, v, _)| u == v).count() as f64;
        assert_count("self-loops", loops, n * p, n * p * (1.0 - p));
    }
}

#[test]
fn degrees_follow_the_bits_of_the_unscrambled_name() {
    // Flips exchange the two ends only, so an edge has a given vertex as one of its *unordered* ends with the chance
    // that the unflipped recursion gives it. A row bit is 1 with chance C + D, a column bit with B + D, and both are
    // 0.24. So the expected number of ends at a vertex whose name has k ones is 2M · 0.24^k · 0.76^(scale − k).
    let scale = 10;
    let edges = list(scale);
    let m = edges.edges().len() as f64;
    let mut degrees = vec![0u64; 1 << scale];
    for &(u, v, _) in edges.edges() {
        degrees[u as usize] += 1;
        degrees[v as usize] += 1;
    }
    degrees.sort_unstable_by(|a, b| b.cmp(a));
    // Renaming hides which vertex is which, but the one whose name is all zeros is by far the largest.
    let one = C + D;
    assert!((one - (B + D)).abs() < 1e-12);
    let top = (1.0 - one).powi(scale as i32);
    // Ends of an edge are not independent: the variance of their sum is at most twice that of independent ends.
    assert_count("largest degree", degrees[0] as f64, 2.0 * m * top, 4.0 * m * top);
    // The ten vertices with a single one come next, and their sum is known better than each.
    let next = 10.0 * one * (1.0 - one).powi(scale as i32 - 1);
    let sum: u64 = degrees[1..=10].iter().sum();
    assert_count("next ten degrees", sum as f64, 2.0 * m * next, 4.0 * m * next);
    // The middle of the distribution: vertices without an edge, each alone with chance (1 − p_k)^2M approximately.
    let isolated = degrees.iter().filter(|&&d| d == 0).count() as f64;
    let (mut expected, mut variance) = (0.0, 0.0);
    for k in 0..=scale {
        let p = one.powi(k as i32) * (1.0 - one).powi((scale - k) as i32);
        let both = diagonal(k, scale);
        // Neither end is the vertex.
        let missed = (1.0 - 2.0 * p + both).powf(m);
        let count = binomial(scale, k);
        expected += count * missed;
        variance += count * missed * (1.0 - missed);
    }
    assert_count("vertices without an edge", isolated, expected, variance);
}

/// The chance that both ends of an edge are one vertex whose name has k ones.
fn diagonal(k: u32, scale: u32) -> f64 {
    D.powi(k as i32) * A.powi((scale - k) as i32)
}

fn binomial(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
}

#[test]
fn duplicates_are_as_frequent_as_the_cells_are_likely() {
    // Expected number of different undirected pairs: the sum over cells of 1 − (1 − p)^M. Cells are counted by how many
    // levels fall into each quadrant before and after the first level where the ends differ.
    let scale = 9u32;
    let edges = list(scale);
    let m = edges.edges().len() as f64;
    let mut pairs: Vec<_> = edges.edges().iter().map(|&(u, v, _)| (u.min(v), u.max(v))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let (mut expected, mut variance) = (0.0, 0.0);
    for_each_cell(scale, &mut |p, count| {
        let missed = (1.0 - p).powf(m);
        expected += count * (1.0 - missed);
        variance += count * missed * (1.0 - missed);
    });
    // Counts of cells are negatively correlated: the sum of variances is an upper bound.
    assert_count("different pairs", pairs.len() as f64, expected, variance);
}

/// Calls with the chance of each kind of cell of the flipped matrix and the number of such cells.
fn for_each_cell(scale: u32, call: &mut impl FnMut(f64, f64)) {
    // On the diagonal for all levels.
    for d in 0..=scale {
        call(D.powi(d as i32) * A.powi((scale - d) as i32), binomial(scale, d));
    }
    // On the diagonal for `before` levels, then off it to the right, then anywhere.
    for before in 0..scale {
        let after = scale - before - 1;
        for d in 0..=before {
            let start = D.powi(d as i32) * A.powi((before - d) as i32) * (B + C);
            for a in 0..=after {
                for b in 0..=after - a {
                    for c in 0..=after - a - b {
                        let rest = after - a - b - c;
                        let p = start
                            * A.powi(a as i32)
                            * B.powi(b as i32)
                            * C.powi(c as i32)
                            * D.powi(rest as i32);
                        let count = binomial(before, d)
                            * binomial(after, a)
                            * binomial(after - a, b)
                            * binomial(after - a - b, c);
                        call(p, count);
                    }
                }
            }
        }
    }
}

#[test]
fn weights_are_uniform() {
    for max in [100u32, 255] {
        let edges = Rmat::graph500(12, Seed(101)).weighted(max);
        let n = edges.edges().len() as f64;
        let mut counts = vec![0u64; max as usize + 1];
        edges.edges().iter().for_each(|&(_, _, w)| counts[w as usize] += 1);
        assert_eq!(counts[0], 0);
        let expected = n / f64::from(max);
        let chi_squared: f64 =
            counts[1..].iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
        // Mean max − 1, variance 2(max − 1).
        let freedom = f64::from(max - 1);
        assert_count("χ² of weights", chi_squared, freedom, 2.0 * freedom);
    }
}

#[test]
fn the_smallest_graphs_can_be_made() {
    for (scale, edge_factor) in [(1, 1), (1, 16), (2, 3), (3, 0)] {
        let edges = Rmat::with_edge_factor(scale, edge_factor, Seed(101)).weighted(255);
        assert_eq!(edges.vertices(), 1 << scale);
        assert_eq!(edges.edges().len() as u64, edge_factor << scale);
        let inside = |&(u, v, w): &(u32, u32, u32)| u.max(v) < 1 << scale && (1..=255).contains(&w);
        assert!(edges.edges().iter().all(inside), "scale {scale}");
    }
}

/// Returns the message of a call that panics.
fn refusal(call: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let error = std::panic::catch_unwind(call).expect_err("nothing was refused");
    *error.downcast::<String>().expect("a message")
}

#[test]
fn impossible_graphs_are_refused_before_memory_is_touched() {
    for scale in [0, 49, u32::MAX] {
        let message = refusal(|| _ = Rmat::graph500(scale, Seed(1)));
        assert_eq!(message, format!("R-MAT scale {scale} is not between 1 and 48"));
    }
    let message = refusal(|| _ = Rmat::graph500(33, Seed(1)).weighted(255));
    assert_eq!(message, "the R-MAT graph of scale 33, edge factor 16: a vertex has 32 bits");
    let message = refusal(|| _ = Rmat::graph500(40, Seed(1)).with_unit_weights_as::<u64>());
    let start = "the edge list of the R-MAT graph of scale 40, edge factor 16 takes 422212.47 GB";
    assert!(message.starts_with(start), "{message}");
    let far_too_large = Rmat::with_edge_factor(32, 1 << 20, Seed(1));
    let message = refusal(|| drop(far_too_large.weighted(255)));
    let start =
        "the edge list of the R-MAT graph of scale 32, edge factor 1048576 takes 54043195.53 GB";
    assert!(message.starts_with(start), "{message}");
    let uncountable = Rmat::with_edge_factor(32, 1 << 40, Seed(1));
    assert_eq!(uncountable.edges(), None);
    let message = refusal(|| drop(uncountable.with_unit_weights()));
    assert!(message.ends_with("takes more bytes than can be counted"), "{message}");
}

#[test]
fn memory_is_foretold() {
    let rmat = Rmat::graph500(20, Seed(1));
    assert_eq!(rmat.edges(), Some(1 << 24));
    // 12 bytes of the list and two arcs of 10 bytes for each edge, 8 bytes for each vertex and one more.
    assert_eq!(rmat.peak_bytes(), Some((32 << 24) + (8 << 20) + 8));
}
