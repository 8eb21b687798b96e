//! Records of comparisons from anywhere, as a table, Markdown, a comment and JSON: nothing in them breaks a line that it
//! is in, or is longer than a comment may be.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use plusminus::record::{self, AnyRecord};

/// The most characters that GitHub takes for a comment.
const COMMENT_CHARACTERS: usize = 65_536;

fuzz_target!(|data: &[u8]| {
    let Ok(AnyRecord::Comparison(record)) = record::parse_any(data, Path::new("fuzzed")) else {
        return;
    };
    let [table, markdown, comment, json] = cargo_plusminus::rendered(&record);
    for text in [&table, &markdown, &comment, &json] {
        assert!(text.ends_with('\n'));
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    assert!(comment.chars().count() < COMMENT_CHARACTERS);
});
