//! Criterion's command line in the words of plusminus. Options of plusminus itself are passed on.

use std::ffi::OsString;

use plusminus_compat::command_line::{Becomes, Known, all_seconds, translate};

/// Criterion's names, and their translations.
const OPTIONS: [Known; 18] = [
    (&["-c", "--colour"], Becomes::Option("--color")),
    (&["-s"], Becomes::Option("--save-baseline")),
    (&["-b"], Becomes::Option("--baseline")),
    (&["--load-baseline"], Becomes::Option("--load")),
    (&["--quick"], Becomes::Words(&["--precision", "5"])),
    (&["-v", "--verbose"], Becomes::Words(&["--verbose"])),
    (&["-n", "--noplot"], Becomes::Nothing),
    (&["--discard-baseline"], Becomes::Nothing),
    (&["--nresamples"], Becomes::NothingOfValue),
    (&["--confidence-level"], Becomes::NothingOfValue),
    (&["--significance-level"], Becomes::NothingOfValue),
    (&["--plotting-backend"], Becomes::NothingOfValue),
    (&["--sample-size"], Becomes::NothingOfValue),
    (
        &["--measurement-time"],
        Becomes::Made(|name, value| all_seconds("--sample-time", name, value)),
    ),
    (&["--warm-up-time"], Becomes::Made(|name, value| all_seconds("--warm-up", name, value))),
    (&["--noise-threshold"], Becomes::Made(noise_threshold)),
    (&["--output-format"], Becomes::Made(output_format)),
    (&["-V", "--version"], Becomes::Words(&["--help"])),
];

/// Translates a command line.
///
/// # Errors
/// A sentence that names the option.
pub(crate) fn translated(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    translate(&OPTIONS, arguments)
}

fn noise_threshold(name: &str, value: &str) -> Result<Vec<String>, String> {
    let part: f64 = value.parse().map_err(|_| format!("{name} takes a number, not `{value}`"))?;
    Ok(vec!["--margin".to_owned(), (100.0 * part).to_string()])
}

fn output_format(name: &str, value: &str) -> Result<Vec<String>, String> {
    match value {
        "bencher" => Ok(vec!["--format".to_owned(), "bencher".to_owned()]),
        "criterion" | "verbose" => Ok(Vec::new()),
        "quiet" => Ok(vec!["--quiet".to_owned()]),
        _ => Err(format!("{name} takes criterion, quiet, verbose or bencher, not `{value}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: &str) -> Result<String, String> {
        let all = translated(line.split_whitespace().map(OsString::from).collect())?;
        Ok(all.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn options_of_criterion_become_ours() {
        for (theirs, ours) in [
            ("--bench -s main -n", "--bench --save-baseline main"),
            ("--bench --baseline=main", "--bench --baseline=main"),
            ("--load-baseline=main a|b", "--load main a|b"),
            ("--sample-size 10 --measurement-time 6", "--sample-time 0.1"),
            ("--noise-threshold=0.05 --nresamples 1000", "--margin 5"),
            ("--output-format bencher --quick", "--format bencher --precision 5"),
            ("--profile-time 10 --exact a(b", "--profile-time 10 --exact a(b"),
            ("--list --format terse --ignored", "--list --format terse --ignored"),
            ("--quiet --nocapture --show-output", "--quiet --nocapture --show-output"),
        ] {
            assert_eq!(line(theirs).as_deref(), Ok(ours), "{theirs}");
        }
        assert!(line("--output-format xml").unwrap_err().contains("not `xml`"));
        assert!(line("--noise-threshold x").unwrap_err().contains("takes a number"));
    }
}
