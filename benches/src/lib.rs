//! The suite under `cargo bench`: each bench target names one room of the suite.
//! Nothing is defined here; the problems and variants are the suite's.
