//! The runner of programs that a comparison builds: they only serve this process, so that their builds skip it. This module
//! decides by names and flags alone.

use std::env;

const CRATES: [&str; 2] = ["plusminus_runner", "plusminus_program"];

/// Leaves the code of the crate out.
const FLAGS: [&str; 1] = ["--cfg=plusminus_serves_only"];

/// The runner inside a bench program is needed, and is not optimized.
const LINKED: &str = "feature=\"linked\"";
const FLAGS_OF_LINKED: [&str; 2] = ["-Copt-level=0", "-Cdebug-assertions=off"];

/// The flags for a crate instead of all `others`, if it is of the runner. Programs in the layout of `cargo bench` have all that
/// it has. In the runner's own repository, it is measured as it is.
pub(super) fn flags(krate: &str, arguments: &[String], others: &str) -> Option<Vec<String>> {
    let is_apart = CRATES.contains(&krate)
        && !others.is_empty()
        && env::var_os("CARGO_PRIMARY_PACKAGE").is_none();
    let is_linked = arguments.iter().any(|argument| argument == LINKED);
    let flags = if is_linked { FLAGS_OF_LINKED.as_slice() } else { &FLAGS };
    is_apart.then(|| flags.iter().map(|&flag| flag.to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_runner_and_only_in_layouts_of_our_own_is_left_out() {
        let layout = "-Ccodegen-units=1";
        for krate in CRATES {
            assert_eq!(flags(krate, &[], layout).unwrap(), FLAGS);
            assert_eq!(flags(krate, &[], ""), None);
        }
        assert_eq!(flags("plusminus_worker", &[], layout), None);
        let linked = ["--cfg", LINKED].map(str::to_owned);
        assert_eq!(flags(CRATES[0], &linked, layout).unwrap(), FLAGS_OF_LINKED);
    }
}
