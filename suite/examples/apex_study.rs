//! Prints the Performance Complexity study of records that hold sweeps of Apex-MAP and, for the check of
//! plausibility, micro-kernels.

use std::path::Path;
use std::process::ExitCode;

use plusminus::record;
use plusminus_analysis::complexity::ApexModel;
use plusminus_suite::apex_map::study::{Calibration, Study, ranking, sweeps};
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
    match configurations.and_then(|configurations| study(&configurations.concat())) {
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

fn study(measured: &[Measured]) -> Result<String, String> {
    let calibration = Calibration::of(measured);
    let mut studies = Vec::new();
    let mut text = String::new();
    for sweep in sweeps(measured)? {
        let study = Study::of(sweep).map_err(|error| error.to_string())?;
        text += &format!("{study}");
        for check in calibration.check(&study) {
            text += &format!("{check}\n");
        }
        text.push('\n');
        studies.push(study);
    }
    let mut points: Vec<String> = studies.iter().map(|study| study.sweep.point.clone()).collect();
    points.sort();
    points.dedup();
    for point in points {
        let same: Vec<Study> =
            studies.iter().filter(|study| study.sweep.point == point).cloned().collect();
        for model in ApexModel::ALL {
            let ranking = ranking(&same, model, 101).map_err(|error| error.to_string())?;
            text += &format!("{point}, {model:?}\n{ranking}\n");
        }
    }
    Ok(text)
}
