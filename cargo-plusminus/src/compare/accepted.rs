//! Reads the slowdowns that a change accepts: entries of `plusminus.toml` that head has and base does not. An entry expires
//! when it is merged, because base has it from then on.

use std::fs;

use plusminus::record::AcceptedSlowdown;
use serde::Deserialize;
use toml::Spanned;

use super::git::{Commit, Repository};
use crate::{
    error::{Error, Result, at, error},
    report::FILE,
};

/// The largest file that anybody writes by hand, in bytes.
const LARGEST: usize = 1 << 20;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    accept: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    benchmark: Spanned<String>,
    up_to: String,
    reason: String,
}

/// Reads what the change from base to head accepts; without a head, to the working tree.
pub(super) fn accepted(
    repository: &Repository,
    base: &Commit,
    head: Option<&Commit>,
) -> Result<Vec<AcceptedSlowdown>> {
    let path = repository.top.join(FILE);
    let text = match head {
        Some(head) => repository.content(head, FILE)?,
        None if path.exists() => Some(fs::read(&path).map_err(at("read", &path))?),
        None => None,
    };
    let Some(text) = text else { return Ok(Vec::new()) };
    // A change has to repair its own entries only.
    let before = repository.content(base, FILE)?.and_then(|text| entries(&text).ok());
    let before = before.unwrap_or_default();
    let entries = entries(&text)?;
    let authors = if entries.is_empty() { Vec::new() } else { repository.authors(head, FILE)? };
    let told = |(line, entry): (usize, AcceptedSlowdown)| AcceptedSlowdown {
        by: authors.get(line).cloned().unwrap_or_default(),
        is_merged: before.iter().any(|(_, old)| *old == entry),
        ..entry
    };
    Ok(entries.into_iter().map(told).collect())
}

/// A percentage, as a fraction. A slowdown has no largest size.
fn bound(text: &str) -> Option<f64> {
    let number: f64 = text.trim().trim_end_matches('%').trim_end().parse().ok()?;
    (number > 0.0 && number.is_finite()).then_some(number / 100.0)
}

/// The entries of a file, each with the line that it begins on.
fn entries(bytes: &[u8]) -> Result<Vec<(usize, AcceptedSlowdown)>> {
    let wrong = |reason: String| {
        Error::Message(format!(
            "{FILE} cannot be read, so it is not known what the change accepts: {}\nAn entry looks like this:\n\
             [[accept]]\nbenchmark = \"parse::long\"\nup_to = \"8 %\"\nreason = \"checks every byte\"",
            reason.trim()
        ))
    };
    if bytes.len() > LARGEST {
        return error(format!("{FILE} has more than {LARGEST} bytes"));
    }
    let text = str::from_utf8(bytes).map_err(|reason| wrong(reason.to_string()))?;
    let file: File = toml::from_str(text).map_err(|reason| wrong(reason.to_string()))?;
    let entry = |entry: Entry| {
        let up_to = bound(&entry.up_to).ok_or_else(|| {
            wrong(format!("up_to = {:?} is not a percentage above 0", entry.up_to))
        })?;
        if entry.reason.trim().is_empty() {
            return Err(wrong("an entry has no reason".to_owned()));
        }
        let line = text[..entry.benchmark.span().start].matches('\n').count();
        let benchmark = entry.benchmark.into_inner();
        let reason = entry.reason;
        Ok((line, AcceptedSlowdown { benchmark, up_to, reason, ..Default::default() }))
    };
    file.accept.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_with_their_lines() {
        let text = "# why\n[[accept]]\nbenchmark = \"a\"\nup_to = \"8 %\"\nreason = \"r\"\n\n[[accept]]\nreason = \"s\"\n\
                    benchmark = \"b*\"\nup_to = \"0.5\"\n";
        let found = entries(text.as_bytes()).unwrap();
        let told: Vec<_> =
            found.iter().map(|(line, one)| (*line, &*one.benchmark, one.up_to)).collect();
        assert_eq!(told, [(2, "a", 0.08), (8, "b*", 0.005)]);
        assert!(entries(b"").unwrap().is_empty());
        assert_eq!(bound("3880 %"), Some(38.8));
        assert_eq!([bound("0"), bound("inf"), bound("x")], [None; 3]);
    }

    #[test]
    fn what_cannot_be_read_is_an_error_with_an_example() {
        let with = |entry: &str| format!("[[accept]]\n{entry}");
        for wrong in [
            "accept = 3".to_owned(),
            "\u{1b}[2J".to_owned(),
            with("benchmark = \"a\"\nup_to = \"8 %\"\nreason = \" \""),
            with("benchmark = \"a\"\nup_to = \"-8 %\"\nreason = \"r\""),
            with("benchmark = \"a\"\nup_to = \"8 %\"\nreason = \"r\"\nuntil = 3"),
            with("benchmark = \"a\"\nreason = \"r\""),
        ] {
            let said = entries(wrong.as_bytes()).unwrap_err().to_string();
            assert!(said.contains("[[accept]]\nbenchmark = "), "{said}");
        }
        assert!(entries(&vec![b' '; LARGEST + 1]).is_err());
        assert!(entries(b"\xff").is_err());
    }
}
