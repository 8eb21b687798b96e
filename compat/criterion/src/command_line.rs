//! Criterion's command line in the words of plusminus. Options of plusminus itself are passed on.

use std::{ffi::OsString, time::Duration};

use crate::settings::{samples, share};

/// What becomes of an option of criterion that plusminus calls otherwise, or does not have.
enum Becomes {
    /// This flag.
    Flag(&'static str),
    /// This option, with the value.
    Option(&'static str),
    /// Nothing, with or without a value.
    Nothing { value: bool },
    /// What a function makes of the value.
    Made(fn(&str) -> Result<Vec<String>, String>),
}

/// Criterion's names, and what becomes of them.
const OPTIONS: [(&[&str], Becomes); 21] = [
    (&["-c", "--colour"], Becomes::Option("--color")),
    (&["-s"], Becomes::Option("--save-baseline")),
    (&["-b", "--baseline-lenient"], Becomes::Option("--baseline")),
    (&["--load-baseline"], Becomes::Option("--load")),
    (&["--quick"], Becomes::Made(|_| Ok(vec!["--precision".to_owned(), "5".to_owned()]))),
    (&["-v", "--verbose"], Becomes::Nothing { value: false }),
    (&["-n", "--noplot"], Becomes::Nothing { value: false }),
    (&["--discard-baseline"], Becomes::Nothing { value: false }),
    (&["--nresamples"], Becomes::Nothing { value: true }),
    (&["--confidence-level"], Becomes::Nothing { value: true }),
    (&["--significance-level"], Becomes::Nothing { value: true }),
    (&["--plotting-backend"], Becomes::Nothing { value: true }),
    (&["--sample-size"], Becomes::Made(sample_size)),
    (&["--measurement-time"], Becomes::Made(|value| time("--sample-time", value))),
    (&["--warm-up-time"], Becomes::Made(|value| time("--warm-up", value))),
    (&["--noise-threshold"], Becomes::Made(noise_threshold)),
    (&["--output-format"], Becomes::Made(output_format)),
    (&["-V", "--version"], Becomes::Flag("--help")),
    (&["--quiet"], Becomes::Flag("--quiet")),
    (&["--nocapture"], Becomes::Flag("--nocapture")),
    (&["--show-output"], Becomes::Flag("--show-output")),
];

/// Options whose value may look like an option.
const WITH_VALUE: [&str; 24] = [
    "--skip",
    "--runs",
    "--samples",
    "--iterations",
    "--sample-time",
    "--min-time",
    "--warm-up",
    "--precision",
    "--until",
    "--max-time",
    "--clock",
    "--memory-limit",
    "--profile-time",
    "--profiler",
    "--timeout",
    "--seed",
    "--save-baseline",
    "--baseline",
    "--load",
    "--margin",
    "--format",
    "--color",
    "--test-threads",
    "-Z",
];

/// Translates a command line, and checks its filters, which are regular expressions.
///
/// # Errors
/// A sentence that names the option or filter.
pub(crate) fn translate(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let exact = arguments.iter().any(|argument| argument == "--exact");
    let mut translated = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str() else {
            translated.push(argument);
            continue;
        };
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (text, None),
        };
        let known = OPTIONS.iter().find(|(names, _)| names.contains(&name));
        let mut value = || {
            let next = || arguments.next()?.into_string().ok();
            attached.clone().or_else(next).ok_or_else(|| format!("{name} needs a value"))
        };
        match known.map(|(_, becomes)| becomes) {
            Some(Becomes::Flag(flag)) => translated.push(flag.into()),
            Some(Becomes::Option(option)) => {
                translated.extend([OsString::from(option), value()?.into()]);
            }
            Some(Becomes::Nothing { value: false }) => {}
            Some(Becomes::Nothing { value: true }) => drop(value()?),
            Some(Becomes::Made(make)) => {
                let value = if name == "--quick" { String::new() } else { value()? };
                translated.extend(make(&value)?.into_iter().map(OsString::from));
            }
            None if attached.is_none() && WITH_VALUE.contains(&name) => {
                let value = arguments.next();
                translated.push(argument);
                translated.extend(value);
            }
            None => {
                if !text.starts_with('-') && !exact {
                    check(text)?;
                }
                translated.push(argument);
            }
        }
    }
    Ok(translated)
}

fn check(filter: &str) -> Result<(), String> {
    let wrong = |error| format!("the filter `{filter}` is no regular expression: {error}");
    regex_lite::Regex::new(filter).map(drop).map_err(wrong)
}

/// Whether a filter, which has been checked, selects an id.
pub(crate) fn matches(filter: &str, id: &str) -> bool {
    regex_lite::Regex::new(filter).is_ok_and(|expression| expression.is_match(id))
}

/// Whether this process is one that measures, and says so: not a worker, and neither a list nor a test.
pub(crate) fn is_measuring() -> bool {
    let given = |flag: &str| std::env::args_os().any(|argument| argument == flag);
    given("--bench") && !["--list", "--test", "--help", "-h"].into_iter().any(given)
}

fn sample_size(value: &str) -> Result<Vec<String>, String> {
    let all =
        value.parse().map_err(|_| format!("--sample-size takes a whole number, not `{value}`"))?;
    let each = samples(all);
    Ok(each.map_or_else(Vec::new, |each| vec!["--samples".to_owned(), each.to_string()]))
}

fn time(option: &str, value: &str) -> Result<Vec<String>, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let all = seconds.ok_or_else(|| format!("expected a number of seconds, not `{value}`"))?;
    Ok(vec![option.to_owned(), share(all).as_secs_f64().to_string()])
}

fn noise_threshold(value: &str) -> Result<Vec<String>, String> {
    let part: f64 =
        value.parse().map_err(|_| format!("--noise-threshold takes a number, not `{value}`"))?;
    Ok(vec!["--margin".to_owned(), (100.0 * part).to_string()])
}

fn output_format(value: &str) -> Result<Vec<String>, String> {
    match value {
        "bencher" => Ok(vec!["--format".to_owned(), "bencher".to_owned()]),
        "criterion" | "verbose" => Ok(Vec::new()),
        "quiet" => Ok(vec!["--quiet".to_owned()]),
        _ => Err(format!(
            "--output-format takes criterion, quiet, verbose or bencher, not `{value}`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Result<String, String> {
        let words = line.split_whitespace().map(OsString::from).collect();
        let all = translate(words)?;
        Ok(all.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn options_of_criterion_become_ours() {
        for (theirs, ours) in [
            ("--bench -s main -n", "--bench --save-baseline main"),
            ("--bench --baseline=main", "--bench --baseline=main"),
            ("--load-baseline=main a|b", "--load main a|b"),
            ("--sample-size 10 --measurement-time 6", "--samples 2 --sample-time 0.1"),
            ("--sample-size 200", ""),
            ("--noise-threshold=0.05 --nresamples 1000", "--margin 5"),
            ("--output-format bencher --quick", "--format bencher --precision 5"),
            ("--profile-time 10 --exact a(b", "--profile-time 10 --exact a(b"),
            ("--list --format terse --ignored", "--list --format terse --ignored"),
        ] {
            assert_eq!(translated(theirs).as_deref(), Ok(ours), "{theirs}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("a(b", "`a(b` is no regular expression"),
            ("--sample-size x", "--sample-size takes a whole number"),
            ("--measurement-time", "needs a value"),
            ("--output-format xml", "not `xml`"),
        ] {
            assert!(translated(line).unwrap_err().contains(part), "{line}");
        }
    }

    #[test]
    fn filters_are_regular_expressions() {
        assert!(matches("^a/.*3$", "a/b/3") && !matches("^b", "a/b") && matches("b|c", "a/b"));
    }
}
