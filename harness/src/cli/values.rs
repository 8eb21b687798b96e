//! The values of options: each function takes the option's name as the user wrote it, for its error.

use std::{ffi::OsString, time::Duration};

use lexopt::ValueExt;

use super::arguments::Format;
use crate::registry::name::file_name;

pub(super) fn text(value: OsString) -> Result<String, String> {
    value.string().map_err(|error| error.to_string())
}

/// A number that is not 0.
pub(super) fn count<T: std::str::FromStr + Default + PartialEq>(
    name: &str,
    value: &str,
) -> Result<T, String> {
    let count = number(name, value)?;
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
            eprintln!("plusminus: no JUnit report is written here; `cargo nextest` makes one");
            Ok(Format::Pretty)
        }
        _ => Err(format!("{name} takes pretty, terse, bencher or json, not `{value}`")),
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

/// A time that may be 0.
pub(super) fn seconds_or_none(name: &str, value: &str) -> Result<Duration, String> {
    if value.trim().parse() == Ok(0.0) { Ok(Duration::ZERO) } else { seconds(name, value) }
}

pub(super) fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{name} takes a whole number that is not too large, not `{value}`"))
}

pub(super) fn seconds(name: &str, value: &str) -> Result<Duration, String> {
    let (number, unit) = match value.trim().char_indices().next_back() {
        Some((end, 's')) => (&value.trim()[..end], 1.0),
        Some((end, 'm')) => (&value.trim()[..end], 60.0),
        Some((end, 'h')) => (&value.trim()[..end], 3600.0),
        _ => (value.trim(), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|seconds| seconds * unit);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.filter(|duration| !duration.is_zero()).ok_or_else(|| {
        format!("{name} takes a number of seconds above 0, such as 0.5 or 2m, not `{value}`")
    })
}

/// A command for the shell, on one line.
pub(super) fn command(name: &str, value: &str) -> Result<String, String> {
    let usable = !value.trim().is_empty() && !value.contains(char::is_control);
    usable.then(|| value.to_owned()).ok_or_else(|| {
        format!(
            "{name} takes a command on one line, such as `perf record -p {{pid}}`, not `{value}`"
        )
    })
}

/// A number of bytes, with K, M or G for powers of 1024.
pub(super) fn bytes(name: &str, value: &str) -> Result<u64, String> {
    let (number, unit) = match value.trim().char_indices().next_back() {
        Some((end, 'K' | 'k')) => (&value.trim()[..end], 1_u64 << 10),
        Some((end, 'M')) => (&value.trim()[..end], 1 << 20),
        Some((end, 'G')) => (&value.trim()[..end], 1 << 30),
        _ => (value.trim(), 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| {
        format!("{name} takes a number of bytes above 0, such as 512M, not `{value}`")
    })
}

/// A percentage, as a fraction.
pub(super) fn percent(name: &str, value: &str) -> Result<f64, String> {
    let percent: Option<f64> = value.strip_suffix('%').unwrap_or(value).trim().parse().ok();
    percent
        .filter(|percent| (0.0..=1000.0).contains(percent))
        .map(|percent| percent / 100.0)
        .ok_or_else(|| {
            format!("{name} takes a percentage from 0 to 1000, such as 2, not `{value}`")
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
