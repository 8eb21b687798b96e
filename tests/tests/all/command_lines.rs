//! The command lines in pages for users: each of ours is one that the programs understand, as it stands there.
//! `command_lines_run.rs` runs them.

use std::{fs, process::Command};

use plusminus_tests::command_support::{lines, pages};
use plusminus_tests::{Outcome, program};

/// The words of a line, as a shell takes them apart: nothing of it is run.
fn words(line: &str) -> Vec<String> {
    let script = format!("printf '%s\\0' {}", line.replace(['<', '>', '&', ';', '|'], "_"));
    let outcome = Outcome::of(&Command::new("bash").arg("-c").arg(script).output().unwrap());
    let text = &outcome.exits(0).stdout;
    let words: Vec<String> = text.split('\0').map(str::to_owned).collect();
    words[..words.len() - 1].to_vec()
}

/// The words of a command, without variables in front of it, and without `git bisect run`.
fn command(words: &[String]) -> &[String] {
    let first = words.iter().position(|word| word == "cargo").unwrap_or(words.len());
    &words[first..]
}

#[test]
fn every_command_line_of_ours_is_understood() {
    let (mut of_subcommand, mut of_benches) = (0, 0);
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for line in lines(&text) {
            let all = words(&line);
            let place = format!("{}: {line}", page.display());
            match command(&all) {
                [_, plusminus, options @ ..] if plusminus == "plusminus" => {
                    let outcome = understood(options);
                    assert_eq!(outcome.code, Some(0), "{place}: {}", outcome.both());
                    of_subcommand += 1;
                }
                // There the options are those of criterion and divan.
                [_, bench, ..]
                    if bench == "bench" && page.ends_with("from-criterion-or-divan.md") => {}
                [_, bench, options @ ..] if bench == "bench" => {
                    let own = options.iter().skip_while(|word| *word != "--").skip(1);
                    // As cargo calls the program.
                    let own: Vec<&str> = own.map(String::as_str).chain(["--bench"]).collect();
                    let read = plusminus::fuzzing::options(&own, &[]);
                    assert!(read.is_ok(), "{place}: {read:?}");
                    of_benches += 1;
                }
                _ => {}
            }
        }
    }
    assert!(of_subcommand >= 25 && of_benches >= 12, "{of_subcommand} and {of_benches}");
}

/// Whether the subcommand knows every option: asked for help at the end, it reads all of them and does nothing.
fn understood(options: &[String]) -> Outcome {
    let end = options.iter().position(|word| word == "--").unwrap_or(options.len());
    let mut asked = Command::new(program());
    asked.arg("plusminus").args(&options[..end]).arg("--help").args(&options[end..]);
    Outcome::of(&asked.output().unwrap())
}

#[test]
fn a_line_that_is_not_understood_is_found() {
    let wrong = ["compare", "--no-such-option"].map(str::to_owned);
    assert_ne!(understood(&wrong).code, Some(0));
    assert_eq!(words("cargo bench -- 'a b' c # d"), ["cargo", "bench", "--", "a b", "c"]);
    assert_eq!(lines("x\n```console\n$ a\nb\n```\n```sh\nc \\\n d\n```\n"), ["a", "c   d"]);
}
