//! Becomes the runner of bench programs, where the feature asks for one.

use std::process::ExitCode;

#[cfg(feature = "runner")]
fn main() -> ExitCode {
    plusminus_program::main()
}

#[cfg(not(feature = "runner"))]
fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=PLUSMINUS_RUNNER_PROGRAM=");
    ExitCode::SUCCESS
}
