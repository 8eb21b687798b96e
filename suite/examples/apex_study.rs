//! Prints the Performance Complexity study of records that hold sweeps of Apex-MAP and, for the check of
//! plausibility, micro-kernels.

use std::path::Path;
use std::process::ExitCode;

use plusminus::record;
use plusminus_suite::apex_map::study::report;
use plusminus_suite::study::{Measured, measured};

fn main() -> ExitCode {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    if paths.is_empty() {
        eprintln!("which record? Give the paths that `cargo bench` printed");
        return ExitCode::from(2);
    }
    let read = |path: &std::ffi::OsString| {
        let record = record::read(Path::new(path));
        record.map(|record| measured(&record)).map_err(|error| error.to_string())
    };
    let configurations: Result<Vec<Vec<Measured>>, String> = paths.iter().map(read).collect();
    match configurations.and_then(|configurations| report(&configurations.concat())) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
