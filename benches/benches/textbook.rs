//! The worked examples of two documents on parallel performance: a sum in a tree, and a grid in strips.

plusminus::main!(plusminus_suite::textbook);
