//! The tuned searches beside Dijkstra's algorithm.

plusminus::main!(plusminus_suite::race);
