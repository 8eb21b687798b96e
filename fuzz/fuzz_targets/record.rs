//! Records from anywhere: a named error, or a record of which every report can be made.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use plusminus::{
    record::{self, AnyRecord, Side},
    report::{View, bencher_lines, json_results, render},
};

fuzz_target!(|data: &[u8]| {
    let record = match record::parse_any(data, Path::new("fuzzed")) {
        Ok(AnyRecord::Measurement(record)) => *record,
        Ok(AnyRecord::Comparison(record)) => record.side(Side::New),
        Err(error) => {
            assert!(error.to_string().contains("fuzzed"));
            return;
        }
    };
    for view in [View::unlimited(), View::default()] {
        assert!(render(&record, None, None, &view).ends_with('\n'));
    }
    bencher_lines(&record);
    json_results(&record, 0, None, None);
});
