//! The values of options: each function takes the option's name as the user wrote it, for its error.

use std::ffi::OsString;

use lexopt::ValueExt;

use super::arguments::Format;
use crate::{
    output::complain,
    registry::name::file_name,
    text::{Sort, quantity, visible},
};

pub(super) fn text(value: OsString) -> Result<String, String> {
    value.string().map_err(|error| visible(&error.to_string()))
}

/// A number that is not 0.
pub(super) fn count<T: std::str::FromStr + Default + PartialEq>(
    name: &str,
    value: &str,
) -> Result<T, String> {
    let count = quantity::number(value).map_err(|reason| format!("{name} takes {reason}"))?;
    if count == T::default() {
        Err(format!("{name} 0 leaves nothing to measure"))
    } else {
        Ok(count)
    }
}

/// Whether a variable turns something on.
pub(super) fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(format!("{name} takes 1 or 0, not `{value}`")),
    }
}

pub(super) fn format(name: &str, value: &str) -> Result<Format, String> {
    match value {
        "pretty" => Ok(Format::Pretty),
        "terse" | "bencher" => Ok(Format::Lines),
        "json" => Ok(Format::Json),
        "junit" => {
            complain("plusminus: no JUnit report is written here; `cargo nextest` makes one\n");
            Ok(Format::Pretty)
        }
        _ => Err(format!("{name} takes pretty, terse, bencher or json, not `{value}`")),
    }
}

/// The order of lines.
pub(super) fn sort(name: &str, value: &str) -> Result<Sort, String> {
    match value {
        "source" => Ok(Sort::Source),
        "name" => Ok(Sort::Name),
        "time" => Ok(Sort::Time),
        "speedup" => Ok(Sort::Speedup),
        _ => Err(format!("{name} takes source, name, time or speedup, not `{value}`")),
    }
}

/// Whether measuring goes on until comparisons are decided.
pub(super) fn until(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "precise" => Ok(false),
        "decided" => Ok(true),
        _ => Err(format!("{name} takes precise or decided, not `{value}`")),
    }
}

/// Whether a page is made of the record.
pub(super) fn report(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "html" => Ok(true),
        "none" => Ok(false),
        _ => Err(format!("{name} takes html or none, not `{value}`")),
    }
}

/// Whether a clock is the processor's counter.
pub(super) fn counter(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "os" => Ok(false),
        "tsc" => Ok(true),
        _ => Err(format!("{name} takes os or tsc, not `{value}`")),
    }
}

/// The name of a baseline, if it can be kept.
pub(super) fn baseline(name: &str, value: &str) -> Result<String, String> {
    file_name(value).map(|_| value.to_owned()).map_err(|reason| format!("{name}: {reason}"))
}

/// A command for the shell, on one line.
pub(super) fn command(name: &str, value: &str) -> Result<String, String> {
    let usable = !value.trim().is_empty() && !value.contains(char::is_control);
    usable.then(|| value.to_owned()).ok_or_else(|| {
        format!("{name} takes a command on one line, such as `mpirun -n {{places}}`, not `{value}`")
    })
}

pub(super) fn color(name: &str, value: &str) -> Result<Option<bool>, String> {
    match value {
        "auto" => Ok(None),
        "always" => Ok(Some(true)),
        "never" => Ok(Some(false)),
        _ => Err(format!("{name} takes auto, always or never, not `{value}`")),
    }
}
