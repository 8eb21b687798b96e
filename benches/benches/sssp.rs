//! The central experiment of "The Value of Variance" (§5): KLA against Δ-stepping on Graph500 graphs, in
//! weak-scaling pairs of scale and processors, 5 runs × 8 instances.

plusminus::main!(plusminus_suite::sssp);
