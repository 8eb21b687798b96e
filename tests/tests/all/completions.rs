//! Completions as the shells make them: of `cargo plusminus …` as typed, together with cargo's own completions.
#![cfg(unix)]

use std::{path::Path, process::Command};

use plusminus_tests::{Outcome, program, workspace};

/// A folder with a script of the shell, and cargo's words for it.
fn script(shell: &str, name: &str) -> std::path::PathBuf {
    let folder = workspace().join("target/fixtures/outputs/completions").join(shell);
    std::fs::create_dir_all(&folder).unwrap();
    let made = Command::new(program()).args(["plusminus", "completions", shell]).output().unwrap();
    assert!(made.status.success());
    let path = folder.join(name);
    std::fs::write(&path, made.stdout).unwrap();
    path
}

/// Runs a script in a shell. Without the shell it does nothing but print that.
fn shell(name: &str, text: &str, file: &Path) -> Option<Outcome> {
    let mut command = Command::new(name);
    let options: &[&str] = match name {
        "bash" => &["--norc", "--noprofile"],
        "fish" => &["--no-config"],
        _ => &["-f"],
    };
    match command.args(options).arg("-c").arg(text).env("FILE", file).output() {
        Ok(output) => Some(Outcome::of(&output)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: there is no {name}");
            None
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Bash's completion of the last word of a line, with a completion of cargo's own that was there before.
const BASH: &str = r#"
_of_cargo() { COMPREPLY=("of-cargo-$2"); }
complete -F _of_cargo cargo
source "$FILE"
source "$FILE"
completed() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    local pattern='-F ([^ ]+)'
    [[ $(complete -p "$1") =~ $pattern ]] || { echo "nothing completes $1"; return; }
    "${BASH_REMATCH[1]}" "$1" "${@: -1}" "${@: -2:1}"
    echo "$*: ${COMPREPLY[*]}"
}
completed cargo plusminus compare --ma
completed cargo +nightly plusminus compare --ma
completed cargo plusminus compare --format ''
completed cargo plusminus ex
completed cargo plusminus history ''
completed cargo-plusminus compare --ma
completed cargo bu
completed cargo build plusminus --ma
"#;

#[test]
fn bash_completes_what_stands_behind_cargo_plusminus() {
    let file = script("bash", "plusminus.bash");
    let Some(outcome) = shell("bash", BASH, &file) else { return };
    outcome
        .exits(0)
        .says(
            "cargo +nightly plusminus compare --ma: --manifest-path --margin --max-time --max-blocks\n"
                .trim_start(),
        )
        .says("cargo plusminus compare --ma: --manifest-path --margin --max-time --max-blocks\n")
        .says("cargo plusminus compare --format : table json markdown\n")
        .says("cargo plusminus ex: export explain\n")
        .says("add show check")
        .says("cargo-plusminus compare --ma: --manifest-path --margin --max-time --max-blocks\n")
        .says("cargo bu: of-cargo-bu\n")
        .says("cargo build plusminus --ma: of-cargo---ma\n");
    assert!(outcome.stderr.is_empty(), "{}", outcome.both());
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!text.contains("guard"), "a part of `compare` that is no command of the user's");
}

#[test]
fn bash_needs_no_completion_of_cargos_own() {
    let file = script("bash", "alone.bash");
    let text = BASH.replace("complete -F _of_cargo cargo\n", "");
    let Some(outcome) = shell("bash", &text, &file) else { return };
    outcome.exits(0).says("cargo plusminus ex: export explain\n").says("cargo bu: \n");
}

#[test]
fn fish_completes_what_stands_behind_cargo_plusminus() {
    let file = script("fish", "plusminus.fish");
    let text = "source $FILE; for line in 'cargo plusminus compare --ma' 'cargo +nightly plusminus ex' 'cargo-plusminus ex' \
                'cargo plusminus compare --format '\necho \"$line:\" (complete -C \"$line\" | string split -f1 \\t)\nend";
    let Some(outcome) = shell("fish", text, &file) else { return };
    for (line, words) in [
        (
            "cargo plusminus compare --ma:",
            &["--manifest-path", "--margin", "--max-time", "--max-blocks"][..],
        ),
        ("cargo +nightly plusminus ex:", &["explain", "export"]),
        ("cargo-plusminus ex:", &["explain", "export"]),
        ("cargo plusminus compare --format :", &["table", "json", "markdown"]),
    ] {
        let found = outcome.stdout.lines().find_map(|told| told.strip_prefix(line));
        let found = found.unwrap_or_else(|| panic!("{}", outcome.both()));
        let mut found: Vec<&str> = found.split_whitespace().collect();
        found.sort_unstable();
        let mut words = words.to_vec();
        words.sort_unstable();
        assert_eq!(found, words, "{line} {}", outcome.both());
    }
}

#[test]
fn zsh_has_the_function_that_cargos_own_completions_call() {
    let file = script("zsh", "_cargo-plusminus");
    let text = std::fs::read_to_string(&file).unwrap();
    // `_cargo` of the toolchain calls the function of this name with the words behind `cargo`; `compinit` finds the file.
    assert!(text.starts_with("#compdef cargo-plusminus\n"), "{text}");
    let defined = "source $FILE 2>/dev/null; (( $+functions[_cargo-plusminus] )) && echo defined";
    let Some(outcome) = shell("zsh", defined, &file) else { return };
    outcome.says("defined");
}
