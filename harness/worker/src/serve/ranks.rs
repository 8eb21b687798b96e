//! Workers that a launcher starts as several processes at once, such as the ranks of MPI: what a package that connects them
//! builds on. Nothing here knows how they are connected.

use std::{
    io::{Read, Write},
    sync::OnceLock,
};

use crate::{registry, sys};

/// The variable that marks a worker as started by a launcher.
pub const LAUNCHED_VARIABLE: &str = "PLUSMINUS_WORKER_LAUNCHED";

/// Where requests come from.
pub type Requests = Box<dyn Read + Send>;

/// Where answers go.
pub type Answers = Box<dyn Write + Send>;

/// Returns once all processes have come; called before each sample.
static MEET: OnceLock<fn()> = OnceLock::new();

/// Whether a launcher has started this process as a worker.
pub fn launched() -> bool {
    std::env::var_os(LAUNCHED_VARIABLE).is_some()
}

/// Runs this process as one of the workers of a launcher until the requests end, and returns its exit code.
///
/// `connect` is given the channel of this process, and makes of it one by which all hear the same requests, and by which
/// one answer of all reaches the runner. `meet` returns once all have come: samples begin together. `own` and `paths` are
/// what the program's `main!` names.
pub fn serve(
    own: &str,
    paths: &[&str],
    connect: impl FnOnce((Requests, Answers)) -> (Requests, Answers),
    meet: fn(),
) -> i32 {
    registry::choose(own, paths);
    let _ = MEET.set(meet);
    // The launcher is its parent, not the runner.
    super::serve(sys::parent(), connect)
}

/// Waits for the other workers of a launcher, if there are any.
pub(super) fn meet() {
    if let Some(meet) = MEET.get() {
        meet();
    }
}
