//! The variables `PLUSMINUS_…`: each is read and checked once, before anything is done.

use std::{env, ffi::OsString};

use super::known;
use crate::{
    engine::SUBCOMMAND_VARIABLE,
    text::{nearest, visible},
};
use plusminus_worker::processor_request;

const PREFIX: &str = "PLUSMINUS_";

/// Variables that are no options of a bench binary: of the folder of records, of the subcommand, of benches written
/// for other harnesses, and of workers.
const OTHERS: [&str; 13] = [
    SUBCOMMAND_VARIABLE,
    "PLUSMINUS_OUTPUT",
    "PLUSMINUS_ALPHA",
    "PLUSMINUS_COMPARE_TIME",
    "PLUSMINUS_CHAIN_STEPS",
    "PLUSMINUS_PADDING",
    "PLUSMINUS_SYSTEM",
    "PLUSMINUS_WORKER_CLOCK",
    "PLUSMINUS_WORKER_HEAP",
    "PLUSMINUS_WORKER_LAUNCHED",
    "PLUSMINUS_WORKER_MEMORY",
    "PLUSMINUS_WORKER_PLACE",
    "PLUSMINUS_WORKER_PROCESSORS",
];

/// Checks the variables `PLUSMINUS_…` of this process, for programs that read some of them.
///
/// # Errors
/// Names a variable that is probably misspelt, with the nearest right spelling, or whose value cannot be read.
pub fn check() -> Result<(), String> {
    for (name, value) in read(env::vars_os())? {
        // Workers read it as well, and have nobody to tell.
        if name == processor_request::PROCESSORS && !value.is_empty() {
            processor_request::read(&value).map_err(|reason| format!("{name} takes {reason}"))?;
        }
    }
    Ok(())
}

/// The variables that options are read from, as name and value.
pub(super) fn read(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Vec<(String, String)>, String> {
    let names = || known::all().map(|known| known.variable).chain(OTHERS);
    let mut read = Vec::new();
    for (name, value) in variables {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        if !names().any(|known| known == name) {
            // Others belong to benchmarks: the suite has some, and kernels of users may have more.
            let Some(near) = nearest(name, names()) else { continue };
            return Err(format!("unknown variable `{}`; did you mean `{near}`?", visible(name)));
        }
        // Folders need not have names that are texts.
        if name == "PLUSMINUS_OUTPUT" {
            if value.is_empty() {
                return Err(
                    "PLUSMINUS_OUTPUT is empty: name a folder for records, or unset it".to_owned()
                );
            }
            continue;
        }
        let value = value.into_string().map_err(|value| {
            format!("{name} is no text in UTF-8: `{}`", visible(&value.to_string_lossy()))
        })?;
        read.push((name.to_owned(), value));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> Result<Vec<(String, String)>, String> {
        read([(OsString::from(name), OsString::from(value))])
    }

    #[test]
    fn misspelt_variables_are_named_with_the_right_spelling() {
        for (wrong, right) in [
            ("PLUSMINUS_RUN", "PLUSMINUS_RUNS"),
            ("PLUSMINUS_MAXTIME", "PLUSMINUS_MAX_TIME"),
            ("PLUSMINUS_OUTPUTS", "PLUSMINUS_OUTPUT"),
        ] {
            assert!(of(wrong, "3").unwrap_err().contains(right), "{wrong}");
        }
        assert_eq!(of("PLUSMINUS_RUNS", "3"), Ok(vec![("PLUSMINUS_RUNS".into(), "3".into())]));
        for other in ["PLUSMINUS_SSSP_SCALES", "PLUSMINUS_ALPHA", "PATH", "plusminus_runs"] {
            assert!(of(other, "x").is_ok(), "{other}");
        }
        assert!(of("PLUSMINUS_OUTPUT", "").unwrap_err().contains("is empty"));
    }

    #[cfg(unix)]
    #[test]
    fn values_have_to_be_text() {
        use std::os::unix::ffi::OsStringExt;
        let broken = || OsString::from_vec(vec![b'3', 0xff]);
        let read = |name: &str| read([(OsString::from(name), broken())]);
        assert!(read("PLUSMINUS_RUNS").unwrap_err().contains("PLUSMINUS_RUNS is no text"));
        assert!(read("PLUSMINUS_OUTPUT").is_ok() && read("PATH").is_ok());
    }
}
