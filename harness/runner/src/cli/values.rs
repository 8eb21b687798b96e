//! The values of options.

use std::{ffi::OsString, str::FromStr};

use lexopt::ValueExt;

use super::arguments::Format;
use crate::{
    output::complain,
    text::{quantity, visible},
};
use plusminus_worker::registry::name::file_name;

pub(super) fn text(value: OsString) -> Result<String, String> {
    value.string().map_err(|error| visible(&error.to_string()))
}

/// The value of an option or variable, with the name of either as the user wrote it, for errors.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) label: &'a str,
    pub(super) value: &'a str,
}

impl Given<'_> {
    /// Reads it with a function whose error is a description of valid values.
    pub(super) fn read<T>(self, read: fn(&str) -> Result<T, String>) -> Result<T, String> {
        read(self.value).map_err(|reason| format!("{} takes {reason}", self.label))
    }

    pub(super) fn count<T: FromStr + Default + PartialEq>(self) -> Result<T, String> {
        match self.read(quantity::number)? {
            count if count == T::default() => {
                Err(format!("{} 0 leaves nothing to measure", self.label))
            }
            count => Ok(count),
        }
    }

    pub(super) fn one_of<T: Copy>(self, words: &[(&str, T)]) -> Result<T, String> {
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == self.value) {
            return Ok(*meant);
        }
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let (last, others) = words.split_last().unwrap_or((&"nothing", &[]));
        let others = others.join(", ");
        Err(format!("{} takes {others} or {last}, not `{}`", self.label, self.value))
    }

    pub(super) fn switch(self) -> Result<bool, String> {
        match self.value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => self.one_of(&[("1", true), ("0", false)]),
        }
    }

    pub(super) fn format(self) -> Result<Format, String> {
        if self.value == "junit" {
            complain("plusminus: no JUnit report is written here; `cargo nextest` makes one\n");
            return Ok(Format::Pretty);
        }
        self.one_of(&[
            ("pretty", Format::Pretty),
            ("terse", Format::Lines),
            ("bencher", Format::Lines),
            ("json", Format::Json),
        ])
    }

    /// Reads the name of a baseline, if it can be kept.
    pub(super) fn baseline(self) -> Result<String, String> {
        let Self { label, value } = self;
        file_name(value).map(|_| value.to_owned()).map_err(|reason| format!("{label}: {reason}"))
    }

    /// Reads a command for the shell, on one line.
    pub(super) fn command(self) -> Result<String, String> {
        let Self { label, value } = self;
        let usable = !value.trim().is_empty() && !value.contains(char::is_control);
        usable.then(|| value.to_owned()).ok_or_else(|| {
            format!(
                "{label} takes a command on one line, such as `mpirun -n {{places}}`, not `{value}`"
            )
        })
    }
}
