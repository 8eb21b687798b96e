//! Finds what base lacks because git ignores it, and a benchmark may read: its verdict would be about different inputs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{beside::loaded, inputs::may_be_read, work::BuiltSide};
use crate::error::{Result, at};

/// How many ignored paths are looked for: every program is read once for each.
const LOOKED_FOR: usize = 100;

/// Returns one of the files and folders that git ignores, if base does not have it, new does, and a bench program of either
/// side mentions it.
pub(super) fn lacking(
    ignored: &[PathBuf],
    base: &BuiltSide,
    new: &BuiltSide,
) -> Result<Option<PathBuf>> {
    let of_new = |path: &Path| new.placed.top.join(path);
    let is_missing = |path: &&PathBuf| {
        let there = fs::symlink_metadata(base.placed.top.join(path)).is_ok();
        !there && of_new(path).exists() && may_be_read(&path.to_string_lossy())
    };
    let missing: Vec<&PathBuf> = ignored.iter().filter(is_missing).take(LOOKED_FOR).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    for side in [base, new] {
        let top = &side.placed.top;
        for bench in &side.built.benches {
            let program = fs::read(&bench.binary).map_err(at("read", &bench.binary))?;
            let parts: Vec<&[u8]> = match loaded(&program) {
                Some(parts) => parts.into_iter().map(|(_, _, part)| part).collect(),
                None => vec![&program],
            };
            for path in &missing {
                let end = if of_new(path).is_dir() { "/" } else { "" };
                let leads_there = |folder: &PathBuf| {
                    let whole = top.join(path);
                    let Ok(inner) = whole.strip_prefix(folder) else { return false };
                    let word = format!("{}{end}", inner.display());
                    parts.iter().any(|part| leads_to(part, folder, &word))
                };
                if [top, &bench.folder].into_iter().any(leads_there) {
                    return Ok(Some(path.to_path_buf()));
                }
            }
        }
    }
    Ok(None)
}

/// Returns whether a text has a path that begins in `folder`. The place of a line of code is not read while it runs.
fn leads_to(text: &[u8], folder: &Path, path: &str) -> bool {
    let whole = format!("{}/", folder.display());
    let places = text.windows(path.len().max(1)).enumerate();
    places.filter(|(_, word)| *word == path.as_bytes()).any(|(at, word)| {
        let before = &text[..at];
        let begins = [whole.as_bytes(), b"./"].iter().any(|start| before.ends_with(start));
        let mut rest = text[at + word.len()..].splitn(2, |byte| *byte == b'.');
        let is_stem = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-".contains(byte);
        let is_source = rest.next().is_some_and(|stem| stem.iter().all(is_stem))
            && rest.next().is_some_and(|extension| extension.starts_with(b"rs"));
        (begins || !before.ends_with(b"/")) && !is_source
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_mentioned_from_its_folder_on() {
        let leads = |text: &str, path| leads_to(text.as_bytes(), Path::new("/top/base"), path);
        for text in ["opendata/big.binsrc/lib.rs", "./data/x", "../../data/x", "/top/base/data/x\0"]
        {
            assert!(leads(text, "data/"), "{text}");
        }
        assert!(leads("corpus.txt", "corpus.txt"));
        for text in ["/usr/data/x", "data", "data/some/generated.rsx", ""] {
            assert!(!leads(text, "data/"), "{text}");
        }
    }
}
