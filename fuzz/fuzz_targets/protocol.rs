//! Lines from a worker, and from a runner, that have lost their mind: a message, or a value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plusminus::engine::{Answer, Request};

fuzz_target!(|line: &str| {
    if let Err(message) = Answer::decode(line) {
        assert!(!message.is_empty());
    }
    if let Err(message) = Request::decode(line) {
        assert!(!message.is_empty());
    }
});
