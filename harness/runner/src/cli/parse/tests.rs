//! Tests of reading command lines and variables.

use std::time::Duration;

use super::*;

fn parse(line: &str) -> Result<Arguments, String> {
    Arguments::read(line.split_whitespace().map(OsString::from), |_| None)
}

#[test]
fn cargo_decides_between_measuring_and_testing() {
    assert_eq!(parse("--bench").unwrap().action, Action::Bench);
    assert_eq!(parse("").unwrap().action, Action::Test);
    assert_eq!(parse("--bench --test").unwrap().action, Action::Test);
    assert_eq!(parse("--list --bench").unwrap().action, Action::List);
}

#[test]
fn what_callers_pass_is_accepted() {
    for line in [
        "--exact a::b --nocapture --bench",
        "--list --format terse --ignored",
        "a b --skip c --skip d -q --test-threads 3 --color always -Z unstable-options --format=json",
        "--shuffle --shuffle-seed 3 --logfile x --fail-fast --include-ignored --no-capture --show-output",
    ] {
        assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
    }
    let filter = parse("a b --skip c").unwrap().filter;
    let wanted: Vec<&str> = filter.wanted.iter().map(Pattern::text).collect();
    assert_eq!(wanted, ["a", "b"]);
}

#[test]
fn mistakes_are_named() {
    for (line, part) in [
        ("--wibble", "`--wibble`"),
        ("-y", "`-y`"),
        ("--runs x", "--runs takes a whole number"),
        ("--runs", "--runs needs a value"),
        ("--save-baseline --bench", "--save-baseline needs a value: --save-baseline NAME"),
        ("--max-time 0", "--max-time takes a number of seconds"),
        ("--max-time nan", "--max-time takes"),
        ("--max-time 5x", "such as 90 or 0.5"),
        ("--memory-limit 3X", "--memory-limit takes a number of bytes"),
        ("--margin -1", "--margin takes a percentage"),
        ("--color blue", "not `blue`"),
        ("--sort size", "--sort takes source, name, time or speedup, not `size`"),
        ("--until bored", "--until takes precise or decided, not `bored`"),
        ("--until decided --runs 3", "fixes the number of runs"),
        ("--clock sundial", "--clock takes os or tsc, not `sundial`"),
        ("--runs 0", "leaves nothing to measure"),
        ("--format xml", "takes pretty, terse, bencher or json"),
        ("--baseline=", "a baseline needs a name"),
        ("--basline x", "did you mean `--baseline`?"),
    ] {
        let line = format!("--bench {line}");
        assert!(parse(&line).unwrap_err().contains(part), "{line}: {:?}", parse(&line));
    }
}

#[test]
fn measuring_needs_to_be_asked_for() {
    for line in ["--runs 3", "--load x", "--save-baseline x", "--in-process --profile-time 3"] {
        assert!(parse(line).unwrap_err().contains("add --bench"), "{line}");
        assert!(parse(&format!("{line} --list")).is_ok(), "{line}");
    }
    assert!(parse("--test --runs 3").is_ok() && parse("--seed 3 --timeout 2").is_ok());
}

#[test]
fn times_and_bytes_have_units() {
    let arguments = parse("--bench --max-time 2m --sample-time 0.5s --memory-limit 512M").unwrap();
    assert_eq!(arguments.max_time, Some(Duration::from_secs(120)));
    assert_eq!(arguments.sample_time, Some(Duration::from_millis(500)));
    assert_eq!(arguments.memory_limit, Some(512 << 20));
}

#[test]
fn a_flag_counts_more_than_its_variable() {
    let with = |line: &str, variables: &[(&str, &str)]| {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Arguments::read(line.split_whitespace().map(OsString::from), variable)
    };
    let seven = [("PLUSMINUS_RUNS", "7"), ("PLUSMINUS_SEED", "7"), ("PLUSMINUS_QUIET", "1")];
    let arguments = with("--bench --runs 3", &seven).unwrap();
    assert_eq!((arguments.runs, arguments.seed, arguments.samples), (Some(3), Some(7), None));
    assert!(arguments.quiet);
    assert_eq!(with("", &[("PLUSMINUS_RUNS", "")]).unwrap().runs, None);
    assert!(!with("", &[("PLUSMINUS_QUIET", "0")]).unwrap().quiet);
    for (name, value) in [("PLUSMINUS_SAMPLES", "x"), ("PLUSMINUS_NOCAPTURE", "maybe")] {
        assert!(with("", &[(name, value)]).unwrap_err().contains(name));
    }
}

#[test]
fn one_process_is_no_measurement() {
    for known in known::all().filter(|known| known.not_in_process.is_some()) {
        let name = known.name;
        let value = match name {
            "instructions" | "any-processor" | "quick" => "",
            "format" => "json",
            "clock" => "tsc",
            "until" => "decided",
            "report" => "html",
            _ => "3",
        };
        let message = parse(&format!("--bench --in-process --{name} {value}")).unwrap_err();
        assert!(message.contains(&format!("--{name} makes no sense with --in-process")));
    }
    // Settings for all measurements of a project do not contradict an option.
    let set = |name: &str| {
        ["PLUSMINUS_RUNS", "PLUSMINUS_BASELINE"].contains(&name).then(|| "3".to_owned())
    };
    let line = ["--bench", "--in-process", "--samples", "3"].map(OsString::from);
    let arguments = Arguments::read(line, set).unwrap();
    assert!(arguments.in_process);
    assert_eq!((arguments.runs, arguments.samples), (None, Some(3)));
    assert_eq!(arguments.baseline, None);
    let by_variable = |name: &str| (name == "PLUSMINUS_IN_PROCESS").then(|| "1".to_owned());
    let runs = ["--bench", "--runs", "3"].map(OsString::from);
    assert!(Arguments::read(runs, by_variable).unwrap_err().contains("--in-process"));
    // A caller that only asks for names is not in the way of the variable.
    let list = ["--list", "--format", "terse"].map(OsString::from);
    assert_eq!(Arguments::read(list, by_variable).unwrap().action, Action::List);
}

#[test]
fn of_two_baselines_the_last_counts_and_a_variable_never() {
    let read = |line: &str| {
        let line = line.split(' ').map(OsString::from);
        let previous = |name: &str| (name == "PLUSMINUS_BASELINE").then(|| "previous".to_owned());
        let arguments = Arguments::read(line, previous).unwrap();
        (arguments.baseline.unwrap(), arguments.baseline_may_lack)
    };
    assert_eq!(read("--bench --baseline-lenient main"), ("main".to_owned(), true));
    assert_eq!(read("--bench --baseline-lenient a --baseline b"), ("b".to_owned(), false));
    assert_eq!(read("--bench"), ("previous".to_owned(), false));
}

#[test]
fn every_variable_is_read() {
    for known in known::all().filter(|known| !known.variable.is_empty()) {
        // No option accepts this, whatever it takes, but for the names of baselines and of programs.
        let read = Arguments::read([], |name| (name == known.variable).then(|| "\u{1}".into()));
        match (known.name, read) {
            ("save-baseline" | "baseline" | "load", Ok(arguments)) => {
                let names = [arguments.save_baseline, arguments.baseline, arguments.load];
                assert!(names.contains(&Some("\u{1}".to_owned())));
            }
            ("launcher", Ok(arguments)) => {
                assert_eq!(arguments.launcher.as_deref(), Some("\u{1}"));
            }
            (_, read) => assert!(read.unwrap_err().contains(known.variable)),
        }
    }
}
