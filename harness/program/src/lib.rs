//! The runner as a program of its own: the build script of `plusminus`, which cargo builds without optimization, because that is
//! how it builds what users do not run. It knows files of the build, and nothing about benchmarks.

use std::{env, fs, path::Path, process::ExitCode};

/// The `main` of the build script. A bench program that starts it with a command line for the runner gets that; cargo gets
/// the place where this program is kept.
pub fn main() -> ExitCode {
    if let Some(code) = plusminus_runner::run_asked(env::args_os().skip(1)) {
        return ExitCode::from(code as u8);
    }
    let folder = env::var("OUT_DIR").unwrap_or_default();
    let path = format!("{folder}/plusminus-runner{}", env::consts::EXE_SUFFIX);
    if let Err(error) = keep(Path::new(&path)) {
        eprintln!("cannot write {path}: {error}");
        return ExitCode::FAILURE;
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=PLUSMINUS_RUNNER_PROGRAM={path}");
    ExitCode::SUCCESS
}

/// Keeps this program's file under a second name.
fn keep(path: &Path) -> std::io::Result<()> {
    let own = env::current_exe()?;
    // One that is there may be running, and cannot be written.
    let _ = fs::remove_file(path);
    fs::hard_link(&own, path).or_else(|_| fs::copy(&own, path).map(drop))
}
