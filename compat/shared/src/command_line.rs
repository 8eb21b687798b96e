//! The command line of another harness in the words of plusminus, by a table of its options. Options that are not in the
//! table are taken for those of plusminus itself.

use std::{ffi::OsString, time::Duration};

use crate::budget::share;

/// The translation of an option.
pub enum Becomes {
    /// These words.
    Words(&'static [&'static str]),
    /// This option, with the value.
    Option(&'static str),
    /// Nothing.
    Nothing,
    /// Nothing, and its value neither.
    NothingOfValue,
    /// Nothing, and neither the `true` or `false` behind it, if there is one.
    NothingOfSwitch,
    /// Made by a function from its name and value.
    Made(fn(&str, &str) -> Result<Vec<String>, String>),
}

/// The names of an option, and its translation.
pub type Known = (&'static [&'static str], Becomes);

/// Translates a command line.
///
/// # Errors
/// A sentence that names the option.
pub fn translate(options: &[Known], arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut translated = Vec::new();
    let mut arguments = arguments.into_iter().peekable();
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str() else {
            translated.push(argument);
            continue;
        };
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (text, None),
        };
        let known = options.iter().find(|(names, _)| names.contains(&name));
        let mut value = || {
            let next = || arguments.next()?.into_string().ok();
            attached.clone().or_else(next).ok_or_else(|| format!("{name} needs a value"))
        };
        match known.map(|(_, becomes)| becomes) {
            Some(Becomes::Words(words)) => translated.extend(words.iter().map(OsString::from)),
            Some(Becomes::Option(option)) => {
                translated.extend([OsString::from(option), value()?.into()]);
            }
            Some(Becomes::Nothing) => {}
            Some(Becomes::NothingOfValue) => drop(value()?),
            Some(Becomes::NothingOfSwitch) => {
                let is_value = |next: &OsString| next == "true" || next == "false";
                if attached.is_none() {
                    arguments.next_if(is_value);
                }
            }
            Some(Becomes::Made(make)) => {
                translated.extend(make(name, &value()?)?.into_iter().map(OsString::from));
            }
            None => translated.push(argument),
        }
    }
    Ok(translated)
}

/// Returns an option as it is if its value has a unit, as ours have.
pub fn own(name: &str, value: &str) -> Option<Vec<String>> {
    let has_unit = value.ends_with(|last: char| last.is_ascii_alphabetic());
    has_unit.then(|| vec![name.to_owned(), value.to_owned()])
}

/// An option of ours with the time of each run, from the seconds of all.
///
/// # Errors
/// The value is no time.
pub fn all_seconds(option: &str, name: &str, value: &str) -> Result<Vec<String>, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let all = seconds.ok_or_else(|| format!("{name} takes a number of seconds, not `{value}`"))?;
    Ok(vec![option.to_owned(), share(all).as_secs_f64().to_string()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: [Known; 6] = [
        (&["--skip-external"], Becomes::NothingOfSwitch),
        (&["-s", "--save"], Becomes::Option("--save-baseline")),
        (&["--quick"], Becomes::Words(&["--precision", "5"])),
        (&["--noplot"], Becomes::Nothing),
        (&["--nresamples"], Becomes::NothingOfValue),
        (&["--time"], Becomes::Made(|name, value| all_seconds("--sample-time", name, value))),
    ];

    fn translated(line: &str) -> Result<String, String> {
        let words = line.split_whitespace().map(OsString::from).collect();
        let all = translate(&OPTIONS, words)?;
        Ok(all.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn options_are_translated_with_their_values() {
        for (theirs, ours) in [
            ("--bench -s main --noplot", "--bench --save-baseline main"),
            ("--save=main a|b --nresamples 7", "--save-baseline main a|b"),
            ("--time=6 --quick", "--sample-time 0.1 --precision 5"),
            ("--skip-external --bench", "--bench"),
            ("--skip-external true --skip-external=false true", "true"),
            ("--skip a -Z b --format terse", "--skip a -Z b --format terse"),
        ] {
            assert_eq!(translated(theirs).as_deref(), Ok(ours), "{theirs}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in
            [("--time -1", "--time takes a number of seconds"), ("--time", "--time needs a value")]
        {
            assert!(translated(line).unwrap_err().contains(part), "{line}");
        }
    }
}
