//! The functions that a bench program calls if a comparison has built it: it only serves as a worker. All of them become
//! part of their callers, so that a linker reads no object of this crate: each round of a comparison waits for links.

use std::process::ExitCode;

use super::Dialect;
use plusminus_worker::{exit, serve, sys::complain};

/// Serves, or refuses.
#[inline(always)]
pub fn run(_: &str, own: &str, paths: &[&str]) -> ExitCode {
    ExitCode::from(serve_or_refuse(own, paths) as u8)
}

/// Serves, or refuses.
#[inline(always)]
pub fn run_dialect(_: &str, own: &str, paths: &[&str], _: &Dialect<'_>) -> i32 {
    serve_or_refuse(own, paths)
}

#[inline(always)]
fn serve_or_refuse(own: &str, paths: &[&str]) -> i32 {
    match serve::if_asked(own, paths) {
        Some(code) => code,
        None => {
            complain(
                "plusminus: this program was built for a comparison: `cargo bench` builds one that runs by itself\n",
            );
            exit::FAILED
        }
    }
}

/// No package: nothing is recorded.
#[inline(always)]
pub fn package() -> &'static str {
    ""
}

/// No option is read.
#[inline(always)]
pub fn takes_value(_: &str) -> bool {
    false
}
