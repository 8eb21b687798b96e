//! Reads the command line: libtest's options as far as they have a meaning here, and our own. Each of our options is
//! also a variable, and a flag overrides its variable.

use std::{env, ffi::OsString};

use lexopt::{Arg, Parser};

use super::{
    arguments::{Action, Arguments},
    known::{self, Known},
    values::{Given, text},
    variables,
};
use crate::text::Pattern;

impl Arguments {
    /// Reads a command line, then the variables for unset options.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let variables = variables::read(env::vars_os())?;
        let value = |name: &str| variables.iter().find(|(known, _)| known == name);
        Self::read(arguments, |name| value(name).map(|(_, value)| value.clone()))
    }

    /// Reads a command line, and variables that are given as `NAME=VALUE`.
    #[cfg(feature = "fuzzing")]
    pub(crate) fn of(words: &[&str], variables: &[&str]) -> Result<Self, String> {
        let pairs = variables.iter().filter_map(|variable| variable.split_once('='));
        let known = variables::read(pairs.map(|(name, value)| (name.into(), value.into())))?;
        let value = |name: &str| known.iter().find(|(known, _)| known == name);
        let words = words.iter().map(OsString::from);
        Self::read(words, |name| value(name).map(|(_, value)| value.clone()))
    }

    fn read(
        arguments: impl IntoIterator<Item = OsString>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let mut parsed = Self::default();
        let given = parsed.set_options(arguments)?;
        if let Some(value) = variable("PLUSMINUS_IN_PROCESS").filter(|value| !value.is_empty()) {
            let given = Given { label: "PLUSMINUS_IN_PROCESS", value: &value };
            parsed.in_process |= given.switch()?;
        }
        parsed.action = action(&given);
        if parsed.action == Action::Test
            && !has(&given, "test")
            && let Some(known) = given.iter().find(|known| known.measures)
        {
            return Err(format!(
                "--{} is about measuring, and without --bench everything is only tested: use `cargo bench`, or add \
                 --bench",
                known.name
            ));
        }
        let senseless = |known: &&Known| Some((known.name, parsed.senseless(known)?));
        if let Some((name, why)) = given.iter().find_map(senseless) {
            return Err(format!("--{name} makes no sense with --in-process: {why}"));
        }
        parsed.set_variables(&given, variable)?;
        match parsed.contradiction() {
            Some(contradiction) => Err(contradiction.to_owned()),
            None => Ok(parsed),
        }
    }

    fn set_options(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Vec<&'static Known>, String> {
        let mut given = Vec::new();
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let name = match argument {
                Arg::Value(filter) => {
                    self.filter.wanted.push(Pattern::new(&text(filter)?));
                    continue;
                }
                Arg::Short(letter) => letter.to_string(),
                Arg::Long(name) => name.to_owned(),
            };
            let known = known::find(&name).ok_or_else(|| known::unknown(&name))?;
            let value = if known.value.is_empty() {
                String::new()
            } else {
                match parser.optional_value() {
                    Some(value) => text(value)?,
                    // An option behind it, such as cargo's own `--bench`, is no value that anybody means.
                    None => match parser.value().ok().map(text).transpose()? {
                        Some(value) if !value.starts_with("--") => value,
                        _ => {
                            return Err(format!(
                                "--{name} needs a value: --{name} {}",
                                known.value
                            ));
                        }
                    },
                }
            };
            (known.set)(self, Given { label: &format!("--{name}"), value: &value })?;
            given.push(known);
        }
        Ok(given)
    }

    fn set_variables(
        &mut self,
        given: &[&Known],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        for known in known::all().filter(|known| !known.variable.is_empty()) {
            // Settings for the measurements of a project do not apply to a look into one process.
            let is_given = has(given, known.name)
                || known.name == "baseline" && has(given, "baseline-lenient");
            if is_given || self.senseless(known).is_some() {
                continue;
            }
            // An empty variable is ignored, so that a user can unset a project's setting.
            let Some(value) = variable(known.variable).filter(|value| !value.is_empty()) else {
                continue;
            };
            let value = Given { label: known.variable, value: &value };
            if !known.value.is_empty() || value.switch()? {
                (known.set)(self, value)?;
            }
        }
        Ok(())
    }

    /// Returns why an option for worker processes makes no sense, if it is given without workers.
    fn senseless(&self, known: &Known) -> Option<&'static str> {
        match self.action {
            Action::Help | Action::Explain | Action::List => None,
            // Lines about tests have no numbers.
            Action::Test if known.name == "format" => None,
            _ => known.not_in_process.filter(|_| self.in_process),
        }
    }

    /// Returns the advice if options contradict each other.
    fn contradiction(&self) -> Option<&'static str> {
        match () {
            () if self.until_decided && self.quick => Some(
                "--quick (or PLUSMINUS_QUICK) takes few runs, and `--until decided` as many as it needs: say one of \
                 them",
            ),
            () if self.layouts && self.baseline.is_some() => Some(
                "--baseline (or PLUSMINUS_BASELINE) takes two programs as they are, and --layouts (or \
                 PLUSMINUS_LAYOUTS) links one again for each run: say one of them; `cargo plusminus compare` compares \
                 two versions over many layouts",
            ),
            () if self.until_decided && self.runs.is_some() => Some(
                "--runs (or PLUSMINUS_RUNS) fixes the number of runs, and `--until decided` leaves it open: say one of \
                 them",
            ),
            () => None,
        }
    }
}

fn has(given: &[&Known], name: &str) -> bool {
    given.iter().any(|known| known.name == name)
}

fn action(given: &[&Known]) -> Action {
    let given = |name| has(given, name);
    match () {
        () if given("help") => Action::Help,
        () if given("explain") => Action::Explain,
        () if given("list") => Action::List,
        () if given("bench") && !given("test") => Action::Bench,
        () => Action::Test,
    }
}

#[cfg(test)]
mod tests;
