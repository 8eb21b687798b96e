//! The tests of the suite's public interface, which they name as a user would. Files say what they test; folders hold what several of
//! them use. Allocations are counted for `imsuite_memory`.

mod agm_definition;
mod all_searches;
mod apex_distribution;
mod apex_kernels;
mod apex_parallel;
mod graph_files;
mod imsuite_common;
mod imsuite_golden;
mod imsuite_inputs;
mod imsuite_larger;
mod imsuite_memory;
mod imsuite_mutations;
mod imsuite_places;
mod imsuite_procedures;
mod imsuite_random;
mod imsuite_stress;
mod imsuite_tallies;
mod imsuite_workload;
mod kernels;
mod micro;
mod ranked;
mod rmat;
mod shortest_paths;
mod stepping;
mod wide_vertices;
