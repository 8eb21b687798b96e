//! The runner of programs that a comparison builds: it is not part of them, so that it needs no flags for layouts. This module
//! decides by names and flags alone.

use std::env;

use super::KEEP_ALL;

/// The crate of the runner.
const CRATE: &str = "plusminus_runner";

/// Does not optimize it.
const FLAGS: [&str; 2] = ["-Copt-level=0", "-Cdebug-assertions=off"];

/// The flags for a crate instead of all `others`, if it is the runner of programs that only serve. Programs in the layout of
/// `cargo bench` have all that it links. In the runner's own repository, it is measured as it is.
pub(super) fn flags(krate: &str, others: &str) -> Option<Vec<String>> {
    let is_apart = krate == CRATE
        && others.split(' ').any(|flag| flag == KEEP_ALL)
        && env::var_os("CARGO_PRIMARY_PACKAGE").is_none();
    is_apart.then(|| FLAGS.map(str::to_owned).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_runner_and_only_in_layouts_of_our_own_is_left_out() {
        let layout = format!("-Ccodegen-units=1 {KEEP_ALL}");
        assert_eq!(flags(CRATE, &layout).unwrap(), FLAGS);
        assert_eq!(flags("plusminus_worker", &layout), None);
        assert_eq!(flags(CRATE, ""), None);
    }
}
