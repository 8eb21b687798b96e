//! Kernels that every harness measures in the same way: ten of different kinds, and four tiny ones for the clock.
//! Nothing here knows any harness.

pub mod kernels;
pub mod tiny;
