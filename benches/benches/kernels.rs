//! Breadth-first search, connected components and PageRank on Graph500 graphs, tuned and by reference.

plusminus::main!(plusminus_suite::kernels);
