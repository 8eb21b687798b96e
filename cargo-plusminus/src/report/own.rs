//! Recognizes files that plusminus has written, by their content.

use memchr::memmem;
use plusminus::engine::WORKER_FLAG;
use serde::Deserialize;

/// The mark of an entry of a history.
pub(crate) const HISTORY: &str = "plusminus-history";

/// The mark of a drawing by itself.
pub(crate) const DRAWING: &str = "<!-- Made by plusminus. -->";

/// The titles of the columns of a figure's data.
pub(crate) const FIGURE: [&str; 7] = ["series", "x", "y", "low", "high", "sigma_low", "sigma_high"];

/// The generator of a page, as its head names it.
const PAGE: &str = "<meta name=\"generator\" content=\"plusminus ";

/// The bytes of a page or drawing in which its mark stands.
const HEAD: usize = 1024;

/// The fields of a JSON document that show who wrote it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    schema: Option<u64>,
    kind: Option<String>,
    plusminus: Option<String>,
    manifest: Option<Box<Document>>,
    /// A side of the record of a comparison; reports have sides without a manifest.
    base: Option<Box<Document>>,
}

/// Returns whether a file is a record, a report, a page, a figure, an entry of a history, a kept program or a lock of
/// plusminus.
pub(crate) fn is_own(content: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&content[..content.len().min(HEAD)]);
    match content.trim_ascii_start().first() {
        Some(b'{') => is_own_json(content),
        Some(b'<') if head.starts_with("<!doctype html>") => head.contains(PAGE),
        Some(b'<') => head.starts_with("<svg") && head.contains(DRAWING),
        _ => {
            head.lines().next() == Some(&FIGURE.join(","))
                || is_lock(content)
                || is_program(content)
        }
    }
}

fn is_own_json(content: &[u8]) -> bool {
    let Ok(document) = serde_json::from_slice::<Document>(content) else { return false };
    let of_side = document.base.and_then(|base| base.manifest);
    let manifest = document.manifest.or(of_side);
    document.schema.is_some()
        && (document.plusminus.or(manifest.and_then(|one| one.plusminus)).is_some()
            || document.kind.as_deref() == Some(HISTORY))
}

/// Returns whether a file is the lock of a measurement: `BENCH, process 123, since 2026-01-31T…`.
fn is_lock(content: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(content) else { return false };
    let Some((_, rest)) = text.rsplit_once(", process ") else { return false };
    let Some((process, since)) = rest.split_once(", since ") else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(process) && text.lines().count() == 1 && since.get(..4).is_some_and(digits)
}

/// Returns whether a file is a program with our harness.
fn is_program(content: &[u8]) -> bool {
    let formats: [&[u8]; 3] = [b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe"];
    formats.iter().any(|format| content.starts_with(format))
        && memmem::find(content, WORKER_FLAG.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_recognized_by_their_content() {
        let program = [b"\x7fELF..".as_slice(), WORKER_FLAG.as_bytes(), b"\0"].concat();
        let texts = [
            r#"{"schema": 1, "manifest": {"plusminus": "0.1.0", "bench": "sort"}, "cases": [1]}"#,
            r#"{"schema": 1, "kind": "comparison", "base": {"name": "a", "manifest": {"plusminus": "0.1.0"}}}"#,
            r#"{"schema": 1, "kind": "plusminus-history", "base": {"name": "abc"}}"#,
            r#"{"schema": 1, "plusminus": "0.1.0", "base": {"name": "a", "commit": null, "dirty": false}}"#,
            "<svg width=\"1\"><!-- Made by plusminus. -->\n</svg>",
            "series,x,y,low,high,sigma_low,sigma_high\na,1,2,,,,\n",
            "sort, process 17, since 2026-01-31T12:34:56Z",
        ];
        for own in texts.map(str::as_bytes).into_iter().chain([program.as_slice()]) {
            assert!(is_own(own), "{}", String::from_utf8_lossy(own));
        }
    }

    #[test]
    fn files_of_others_are_not_taken_for_own_ones() {
        for other in [
            "",
            "one, process of many, since we have 2",
            "{}",
            r#"{"schema": 1, "cases": []}"#,
            r#"{"plusminus": "0.1.0"}"#,
            r#"{"schema": 1, "plusminus": "0.1.0"} trailing"#,
            r#"{"schema": 1, "plusminus": 7}"#,
            r#"[{"schema": 1, "plusminus": "0.1.0"}]"#,
            "<!doctype html><title>plusminus</title>",
            "<svg width=\"1\"></svg>",
            "series,x,y\n",
            "\u{7f}ELF",
        ] {
            assert!(!is_own(other.as_bytes()), "{other}");
        }
        assert!(!is_own(WORKER_FLAG.as_bytes()), "a text that mentions the flag is no program");
    }
}
