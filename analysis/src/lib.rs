//! Every number that plusminus prints comes from a pure function in this crate: samples in, estimates
//! with their uncertainty out. Nothing here knows about files, clocks, terminals or processes.
#![forbid(unsafe_code)]
