//! The runner as a program of its own: the build script of `plusminus`, which cargo builds without optimization, because that is
//! how it builds what users do not run. It knows files of the build, and nothing about benchmarks.

use std::{env, fs, path::Path, process::ExitCode};

/// The `main` of the build script. A bench program that starts it with a command line for the runner gets that; cargo gets
/// the place where this program is kept.
pub fn main() -> ExitCode {
    if let Some(code) = asked() {
        return ExitCode::from(code as u8);
    }
    println!("cargo:rerun-if-changed=build.rs");
    // Programs that a comparison builds are not run by it.
    if cfg!(plusminus_serves_only) {
        println!("cargo:rustc-env=PLUSMINUS_RUNNER_PROGRAM=");
        return ExitCode::SUCCESS;
    }
    let Ok(folder) = env::var("OUT_DIR") else {
        eprintln!("this is the runner of plusminus: `cargo bench` starts it");
        return ExitCode::from(2);
    };
    let path = format!("{folder}/plusminus-runner{}", env::consts::EXE_SUFFIX);
    if let Err(error) = keep(Path::new(&path)) {
        eprintln!("cannot write {path}: {error}");
        return ExitCode::FAILURE;
    }
    println!("cargo:rerun-if-changed={path}");
    println!("cargo:rustc-env=PLUSMINUS_RUNNER_PROGRAM={path}");
    ExitCode::SUCCESS
}

/// Runs the command line, if it is one for the runner.
#[cfg(not(plusminus_serves_only))]
fn asked() -> Option<i32> {
    plusminus_runner::run_asked(env::args_os().skip(1))
}

#[cfg(plusminus_serves_only)]
fn asked() -> Option<i32> {
    None
}

/// Copies this program. The copy is as old as the program: cargo runs a build script again if a file is newer than its start,
/// or is gone.
fn keep(path: &Path) -> std::io::Result<()> {
    let own = env::current_exe()?;
    // One that is there may be running, and cannot be written.
    let _ = fs::remove_file(path);
    fs::copy(&own, path)?;
    fs::File::options().write(true).open(path)?.set_modified(own.metadata()?.modified()?)
}
