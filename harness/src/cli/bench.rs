//! `cargo bench`: measures, keeps the record, prints the report.

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher, Hasher},
    io::IsTerminal,
};

use super::{arguments::Arguments, progress::Progress};
use crate::{
    exit,
    record::{self, Manifest, Settings, output_directory},
    registry::Case,
    report::{self, Style},
    runner::{self, Configuration},
    sys,
};

/// Fresh processes where nobody says otherwise.
const RUNS: u32 = 5;

/// The half width of a 95 % interval, as a fraction of the time, for which runs are added where nobody says otherwise.
const PRECISION: f64 = 0.01;

/// Changes up to here count as none where nobody says otherwise: the layout of a binary alone moves times so much.
const MARGIN: f64 = 0.02;

/// The accepted probability of a wrong claim in a table.
const ALPHA: f64 = 0.05;

/// How the command line wants things measured.
///
/// # Errors
/// Where this program cannot find itself.
pub(super) fn configuration(arguments: &Arguments) -> Result<Configuration, String> {
    let binary = env::current_exe()
        .map_err(|error| format!("cannot find this program's own file: {error}"))?;
    Ok(Configuration {
        binary,
        runs: arguments.runs,
        samples: arguments.samples,
        sample_time: arguments.sample_time,
        max_time: arguments.max_time,
        memory_limit: arguments.memory_limit,
        min_time: arguments.min_time,
        iterations: arguments.iterations,
        warm_up: arguments.warm_up,
        timeout: arguments.timeout,
        show_output: arguments.show_output,
        tallies: arguments.tallies,
        once: false,
        settings: Settings {
            seed: arguments.seed.unwrap_or_else(seed),
            runs: arguments.runs.unwrap_or(RUNS),
            precision: arguments.runs.is_none().then(|| arguments.precision.unwrap_or(PRECISION)),
            max_seconds: arguments.max_time.map(|limit| limit.as_secs_f64()),
            margin: arguments.margin.unwrap_or(MARGIN),
            alpha: ALPHA,
        },
    })
}

/// A seed nobody has chosen, short enough to be typed again.
fn seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// Measures cases and reports. Answers the exit code.
pub(super) fn bench(selected: Vec<Case>, arguments: &Arguments) -> i32 {
    if selected.is_empty() {
        return exit::FINE;
    }
    let configuration = match configuration(arguments) {
        Ok(configuration) => configuration,
        Err(message) => {
            eprintln!("plusminus: {message}");
            return exit::FAILED;
        }
    };
    let folder = output_directory(&configuration.binary);
    let bench =
        folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let manifest = Manifest::of_now(&configuration.binary, &bench);
    let path = record::new_path(&folder, &manifest.started, manifest.commit.as_deref());
    if arguments.tallies && !selected.iter().any(Case::has_tally) {
        eprintln!(
            "plusminus: none of these benchmarks can count what it does: a variant of a problem names a function for \
             that, with `tally = path` in its `#[bench]`"
        );
        return exit::FAILED;
    }
    let mut progress = Progress::new(arguments.quiet, path.clone());
    sys::catch_interrupts();
    let before = record::Before::now();
    let mut record = runner::measure(selected, &configuration, manifest, &mut progress);
    progress.end();
    before.until_now(&mut record.manifest);
    let written = record::write(&record, &path);
    let coloured = arguments.color.unwrap_or_else(|| {
        std::io::stdout().is_terminal()
            && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    });
    print!("{}", report::render(&record, if coloured { Style::Coloured } else { Style::Plain }));
    match &written {
        Ok(()) => println!("record: {}", path.display()),
        Err(error) => eprintln!("plusminus: {error}; the report above is all there is"),
    }
    let failed = record.cases.iter().any(|case| !case.failures.is_empty());
    match record.interrupted {
        Some(signal) => exit::INTERRUPTED + signal,
        None if failed || written.is_err() => exit::FAILED,
        None => exit::FINE,
    }
}
