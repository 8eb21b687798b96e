//! The tuned searches compared with Dijkstra's algorithm.

plusminus::main!(plusminus_suite::race);
