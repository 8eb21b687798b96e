//! Lines from a worker, and from a runner, that have lost their mind: a message, or a value that is written and read
//! as itself.
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run protocol -- -max_total_time=60`, or with `cargo +nightly` and without the variable.
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
