//! Whole ways of users, from sources to exit codes: repositories whose versions are built and compared, benches of other
//! harnesses, examples, pages in a browser, and systems that refuse calls. Most of their time goes into building what they
//! need, so `cargo test` leaves them out unless they are asked for: `cargo test --workspace --all-features --test end_to_end`.

mod attributes_examples;
mod changed;
mod command_lines_run;
mod comment;
mod compare_bisect;
mod compare_built;
mod compare_costs;
mod compare_interrupt;
mod compare_selftest;
mod compare_verdicts;
mod compare_versions;
mod compile_fail;
mod contract_callers;
mod drop_in_criterion;
mod drop_in_divan;
mod examples;
mod instructions;
mod linked;
mod linker;
mod pages_browser;
mod places;
mod refused_calls;
mod registered;
mod repository;
mod same_code;
mod scratch;
mod setups;
mod surroundings;
mod texts;
mod why;
