//! Records and baselines from anywhere: a named error, or a record of which a report can be made.
//! `cargo +nightly fuzz run record`
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
