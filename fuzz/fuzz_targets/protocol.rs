//! Lines from a worker, and from a runner, that have lost their mind: a message, or a value that is written and read
//! as itself.
//! `cargo +nightly fuzz run protocol`
#![no_main]

use libfuzzer_sys::fuzz_target;
use plusminus::__runner::{Answer, Request};

fuzz_target!(|line: &str| {
    if let Err(message) = Answer::decode(line) {
        assert!(!message.is_empty());
    }
    if let Err(message) = Request::decode(line) {
        assert!(!message.is_empty());
    }
});
