//! Records and baselines from anywhere: a named error, or a record of which a report can be made.
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run record -- -max_total_time=60`, or with `cargo +nightly` and without the variable.
//! Records to begin with are in `tests/records`: copy them to `fuzz/corpus/record`.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use plusminus::{
    record,
    report::{Style, render},
};

fuzz_target!(|data: &[u8]| {
    match record::parse(data, Path::new("fuzzed")) {
        Ok(record) => assert!(render(&record, Style::Plain).ends_with('\n')),
        Err(error) => assert!(error.to_string().contains("fuzzed")),
    }
});
