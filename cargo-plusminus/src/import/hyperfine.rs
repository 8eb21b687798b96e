//! The file of `hyperfine --export-json`: whole programs, a fresh process for each time.

use std::path::Path;

use plusminus::record::{Cause, Failure, Measurement};
use serde::Deserialize;

use super::{Imported, case, json};
use crate::error::{Result, error};

#[derive(Deserialize)]
struct File {
    results: Vec<Command>,
}

/// One command. Times are in seconds.
#[derive(Deserialize)]
struct Command {
    command: String,
    times: Option<Vec<f64>>,
    #[serde(default)]
    exit_codes: Vec<Option<i32>>,
}

/// Reads all commands. Each time is that of a process of its own, which is a run.
pub(super) fn read(path: &Path) -> Result<Imported> {
    let file: File = json(path, "hyperfine")?;
    let mut cases = Vec::new();
    for command in file.results {
        let times = command.times.unwrap_or_default();
        if times.iter().any(|seconds| !(*seconds >= 0.0 && *seconds < 1e9)) {
            return error(format!("{}: a time of a command is impossible", path.display()));
        }
        let measurement = |(run, seconds): (usize, &f64)| Measurement {
            run: run as u32,
            calls: 1,
            windows: 1,
            wall_ns: vec![(seconds * 1e9).round() as u64],
            ..Measurement::default()
        };
        let measurements = times.iter().enumerate().map(measurement).collect();
        let mut imported = case(&command.command, Vec::new(), measurements);
        let failed = command.exit_codes.iter().enumerate().find(|(_, code)| **code != Some(0));
        if let Some((run, code)) = failed {
            let how = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            imported.failures.push(Failure {
                run: run as u32,
                instance: None,
                cause: Cause::Died { how },
                output: String::new(),
            });
        }
        cases.push(imported);
    }
    Ok(Imported {
        source: "hyperfine".to_owned(),
        cases,
        limits: vec![
            "commands were measured one after the other and not in turns: what drifted meanwhile is in their differences and in no \
             uncertainty",
            "the time of a command includes that of starting it, and of the shell where there was one, less what hyperfine took \
             off for the shell",
        ],
    })
}
