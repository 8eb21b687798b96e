//! A record and a baseline, with a zero between them: a named error, or a comparison that can be printed.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use plusminus::{
    record,
    report::{View, json_results, render},
    results::{BaselineComparison, compare_records},
};

fuzz_target!(|data: &[u8]| {
    let mut halves = data.splitn(2, |&byte| byte == 0);
    let first = halves.next().unwrap_or_default();
    // One half alone is compared with itself.
    let second = halves.next().unwrap_or(first);
    let [Ok(old), Ok(new)] = [first, second].map(|half| record::parse(half, Path::new("fuzzed")))
    else {
        return;
    };
    let compared = BaselineComparison::Record(compare_records(&new, "kept", &old, |_| 0.02));
    for view in [View::unlimited(), View::default()] {
        render(&new, Some(&compared), None, &view);
    }
    json_results(&new, 0, None, Some(&compared));
});
