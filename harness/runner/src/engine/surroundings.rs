//! The start of a worker: its command and its environment. Both workers of a pair begin with stacks of the same size,
//! or a longer path would move one against the other in every pair alike.

use std::{
    env,
    ffi::OsString,
    process::{Command, Stdio},
};

use super::machine::{PLACES, Program, Start, Weight};
use plusminus_worker::{
    hand_over::SESSION_VARIABLE,
    processor_request,
    protocol::{
        HEAP_VARIABLE, PADDING_VARIABLE, PLACE_VARIABLE, PROCESSORS_VARIABLES, SEED_VARIABLE,
        WORKER_FLAG,
    },
    sys,
};

/// The name that workers get, whatever the path of the program. A program finds its path among its arguments and
/// keeps it, which moves everything that it allocates later. A copy under a longer name was measured to be up to 1 %
/// faster than the program itself.
const WORKER_NAME: &str = "plusminus-worker";

pub(super) fn command(program: &Program, start: Start) -> Command {
    let count = start.processors.to_string();
    let filled = |word: &OsString| match word.to_str() {
        Some(word) => word.replace(PLACES, &count).into(),
        None => word.clone(),
    };
    let mut words = program.launcher.iter().map(filled).chain(program.runner.iter().cloned());
    let mut command = match words.next() {
        None => {
            let mut command = Command::new(&program.binary);
            sys::name(&mut command, WORKER_NAME);
            command
        }
        Some(first) => {
            let mut command = Command::new(first);
            command.args(words).arg(&program.binary);
            command
        }
    };
    // A runner may stand between this process and the worker, or become the worker: 0 is for whichever it is.
    let parent = if program.runner.is_empty() { std::process::id() } else { 0 };
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    let told: &[&str] = if start.whole_machine { &[] } else { &PROCESSORS_VARIABLES };
    // A runner may be a kernel itself, and have those of its own runner.
    command
        .env_remove(PROCESSORS_VARIABLES[0])
        .env_remove(PLACE_VARIABLE)
        .env_remove(SESSION_VARIABLE);
    command
        .arg(WORKER_FLAG)
        .arg(parent.to_string())
        .envs(told.iter().map(|name| (name, &count)))
        .envs(processor_request::variable())
        .envs(start.place.map(|place| (PLACE_VARIABLE, place.to_string())))
        .env(HEAP_VARIABLE, format!("{:06}+{:03}", start.heap_bytes, start.gap_pages))
        .env(SEED_VARIABLE, start.random_seed.map_or(String::new(), |seed| format!("{seed:020}")))
        .env(PADDING_VARIABLE, "")
        .envs(program.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(if program.show_output { Stdio::inherit() } else { Stdio::piped() });
    command
}

/// Returns the data that the system puts on the stack for a command, as far as it depends on the command.
pub(super) fn weight(command: &Command) -> Weight {
    let mut variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    for (name, value) in command.get_envs() {
        variables.retain(|(known, _)| known != name);
        variables.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    }
    // The name that it gets instead of its path is the same for all.
    let path = command.get_program().len() + 1;
    let arguments: Vec<usize> = command.get_args().map(|argument| argument.len() + 1).collect();
    let texts: usize = variables.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    Weight {
        bytes: path + arguments.iter().sum::<usize>() + texts,
        entries: arguments.len() + variables.len(),
    }
}

/// Fills the environment of a command up to its level, and adds the padding.
pub(super) fn fill(command: &mut Command, start: Start) {
    let own = weight(command);
    let missing = start.level.entries.saturating_sub(own.entries);
    for index in 0..missing {
        command.env(format!("PLUSMINUS_LEVEL_{index:03}"), "");
    }
    let bytes = own.bytes + missing * Weight::FILLER_BYTES;
    let padding = start.level.bytes.saturating_sub(bytes) + start.padding_bytes;
    command.env(PADDING_VARIABLE, "x".repeat(padding));
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn filled(program: &Program, level: Weight) -> Weight {
        let start = Start { level, padding_bytes: 5, ..Start::plain(1) };
        let mut command = command(program, start);
        fill(&mut command, start);
        weight(&command)
    }

    fn plain(program: &Program) -> Weight {
        weight(&command(program, Start::plain(1)))
    }

    #[test]
    fn stacks_of_both_sides_begin_at_one_level_whatever_paths_and_variables_they_have() {
        let short = Program::of(Path::new("/b"));
        let long = Program::of(Path::new("/a/much/longer/folder/bench-0123456789abcdef"))
            .with_variable("CARGO_MANIFEST_DIR", "/a/much/longer/folder");
        let more = Program::of(Path::new("/c")).with_variable("ONE", "").with_variable("TWO", "2");
        for pair in [[&short, &long], [&long, &short], [&short, &more], [&more, &long]] {
            let level = plain(pair[0]).level(plain(pair[1]));
            let [first, second] = pair.map(|program| filled(program, level));
            assert_eq!(first, second);
            assert_eq!(first, Weight { bytes: level.bytes + 5, entries: level.entries });
        }
    }

    #[test]
    fn a_worker_without_a_partner_gets_its_padding_alone() {
        let program = Program::of(Path::new("/b"));
        let (before, after) = (plain(&program), filled(&program, Weight::default()));
        assert_eq!(after, Weight { bytes: before.bytes + 5, ..before });
    }

    #[test]
    fn a_variable_that_takes_the_place_of_another_weighs_once() {
        let name = env::vars_os().map(|(name, _)| name).find(|name| name != PADDING_VARIABLE);
        let name = name.unwrap();
        let with = |value: &str| {
            let mut command = Command::new("/b");
            command.env(&name, value);
            weight(&command)
        };
        assert_eq!(with("abc").bytes, with("").bytes + 3);
        assert_eq!(with("").entries, weight(&Command::new("/b")).entries);
    }
}
