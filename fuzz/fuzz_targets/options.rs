//! Command lines and variables, one word a line: a sentence, or what is to be done.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (words, variables): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| !line.starts_with("PLUSMINUS_"));
    if let Err(message) = plusminus::fuzzing::options(&words, &variables) {
        assert!(!message.is_empty());
    }
});
