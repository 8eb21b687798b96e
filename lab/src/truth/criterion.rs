//! criterion's saved-baseline comparison on the same kernels: run, run again against the saved run, and read its
//! output.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use cargo_plusminus::{
    error::{Error, Result, at, error},
    progress::Progress,
    selftest::{DEFAULT_STEPS, STEPS},
};
use plusminus::system::interrupt;

/// The statement of criterion on one kernel compared with the saved run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub(crate) kernel: String,
    pub(crate) word: Word,
    /// Its interval of the change and the middle, as fractions.
    pub(crate) change: Option<[f64; 3]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Regressed,
    Improved,
    WithinNoise,
    NoChange,
}

/// Statements and times of all passes.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) passes: usize,
    pub(super) seconds: f64,
    /// Kernels that a pass measures.
    pub(crate) kernels: usize,
    /// Comparisons of identical code.
    pub(super) identical: Vec<Said>,
    /// By true slowdown in percent.
    pub(super) power: Vec<(u64, Vec<Said>)>,
}

/// How much to measure.
pub(super) struct Wanted<'a> {
    pub(super) passes: usize,
    pub(super) repeats: usize,
    pub(super) slowdowns: &'a [u64],
}

/// Compares identical code pass after pass, then slowdowns of the chain, until the time is up.
pub(super) fn measure(
    program: &Path,
    wanted: &Wanted<'_>,
    until: Instant,
    progress: &mut Progress,
) -> Result<Findings> {
    let home = tempfile::tempdir().map_err(at("write to", &std::env::temp_dir()))?;
    let mut findings = Findings {
        power: wanted.slowdowns.iter().map(|&slowdown| (slowdown, Vec::new())).collect(),
        ..Findings::default()
    };
    let begin = Instant::now();
    let half = begin + until.saturating_duration_since(begin) / 2;
    for pass in 0..wanted.passes {
        if Instant::now() >= half {
            break;
        }
        progress.show(&format!("criterion, pass {}", pass + 1));
        // Each run is compared with the one before, and saved for the one after.
        let arguments = ["--bench", "--save-baseline", "truth"];
        let text = run(program, home.path(), &arguments, DEFAULT_STEPS)?;
        findings.kernels = text.lines().filter(|line| line.contains(TIME)).count();
        findings.identical.extend(read(&text));
        findings.passes += 1;
    }
    findings.seconds = begin.elapsed().as_secs_f64();
    let chain = ["--bench", "--exact", "chain"];
    'power: for repeat in 0..wanted.repeats {
        for (slowdown, said) in &mut findings.power {
            if Instant::now() >= until {
                break 'power;
            }
            progress.show(&format!("criterion, {slowdown} % slower, repeat {}", repeat + 1));
            let save = [&chain[..], &["--save-baseline", "chain"]].concat();
            run(program, home.path(), &save, DEFAULT_STEPS)?;
            let compare = [&chain[..], &["--baseline", "chain"]].concat();
            let steps = DEFAULT_STEPS + DEFAULT_STEPS * *slowdown / 100;
            said.extend(read(&run(program, home.path(), &compare, steps)?));
        }
    }
    Ok(findings)
}

pub(crate) fn run(program: &Path, home: &Path, arguments: &[&str], steps: u64) -> Result<String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("CRITERION_HOME", home)
        .env(STEPS, steps.to_string())
        .env("RAYON_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let output = command.output().map_err(at("run", program))?;
    if let Some(signal) = interrupt() {
        return Err(Error::Interrupted(signal));
    }
    if !output.status.success() {
        return error(format!("{} failed: {}", program.display(), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The text after the name of a kernel.
const TIME: &str = "time:   [";

/// Reads the comparisons in criterion's output.
pub(crate) fn read(text: &str) -> Vec<Said> {
    let mut said = Vec::new();
    let (mut kernel, mut change) = (String::new(), None);
    for line in text.lines() {
        if let Some((name, _)) = line.split_once(TIME) {
            // A long name stands on a line of its own; ours are short.
            kernel = name.trim().to_owned();
            change = None;
        } else if let Some(interval) = line.trim().strip_prefix("change: [") {
            change = percentages(interval);
        }
        let word = match line.trim() {
            "Performance has regressed." => Word::Regressed,
            "Performance has improved." => Word::Improved,
            "Change within noise threshold." => Word::WithinNoise,
            "No change in performance detected." => Word::NoChange,
            _ => continue,
        };
        said.push(Said { kernel: kernel.clone(), word, change });
    }
    said
}

/// Three percentages before a bracket, which may have a real minus sign.
fn percentages(text: &str) -> Option<[f64; 3]> {
    let inner = text.split(']').next()?;
    let mut values = inner
        .split_whitespace()
        .map(|value| value.trim_end_matches('%').replace('−', "-").parse::<f64>());
    let mut next = || Some(values.next()?.ok()? / 100.0);
    Some([next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_criterion_prints_is_read() {
        let text = "strfmt                  time:   [213.30 ns 215.67 ns 217.96 ns]\n\
                    \x20                       change: [−1.2130% −0.3912% +0.4470%] (p = 0.32 > 0.05)\n\
                    \x20                       No change in performance detected.\n\
                    Found 3 outliers among 100 measurements (3.00%)\n\
                    chain                   time:   [1.0 µs 1.1 µs 1.2 µs]\n\
                    \x20                       change: [+1.0% +2.0% +3.0%] (p = 0.00 < 0.05)\n\
                    \x20                       Performance has regressed.\n\
                    new                     time:   [1.0 µs 1.1 µs 1.2 µs]\n";
        let said = read(text);
        assert_eq!(said.len(), 2);
        assert_eq!((said[0].kernel.as_str(), said[0].word), ("strfmt", Word::NoChange));
        let [low, middle, high] = said[0].change.unwrap();
        assert!(low < -0.0121 && middle < -0.0039 && (high - 0.00447).abs() < 1e-9);
        assert_eq!((said[1].kernel.as_str(), said[1].word), ("chain", Word::Regressed));
    }
}
