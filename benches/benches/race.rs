//! The tuned searches beside Dijkstra, and the paper's orderings on the runtime of active messages.

plusminus::main!(plusminus_suite::race);
