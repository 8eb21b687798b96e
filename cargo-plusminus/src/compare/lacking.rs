//! Finds what base lacks because git ignores it, and a benchmark may read: its verdict would be about different inputs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{kinds_of_files::may_be_read, texts::Texts, work::BuiltSide};
use crate::error::Result;

/// How many files are looked for: every program is read once for each.
const LOOKED_FOR: usize = 100;

/// Returns one of the files and folders that git ignores, if base does not have it, new does, and a bench program of either
/// side mentions it. Of a folder, a file in it has to be mentioned: the name alone stands in many programs.
pub(super) fn lacking(
    ignored: &[PathBuf],
    base: &BuiltSide,
    new: &BuiltSide,
) -> Result<Option<PathBuf>> {
    let is_missing = |path: &&PathBuf| fs::symlink_metadata(base.placed.top.join(path)).is_err();
    let missing: Vec<(&PathBuf, PathBuf)> = ignored
        .iter()
        .filter(is_missing)
        .flat_map(|path| files(&new.placed.top, path).into_iter().map(move |file| (path, file)))
        .filter(|(_, file)| may_be_read(&file.to_string_lossy()))
        .take(LOOKED_FOR)
        .collect();
    if missing.is_empty() {
        return Ok(None);
    }
    for side in [base, new] {
        let top = &side.placed.top;
        for bench in &side.built.benches {
            let texts = Texts::of(&bench.binary)?;
            for (path, file) in &missing {
                let leads_there = |folder: &PathBuf| {
                    let whole = top.join(file);
                    let Ok(inner) = whole.strip_prefix(folder) else { return false };
                    let word = inner.display().to_string();
                    leads_to(&texts.data, folder, &word)
                };
                if [top, &bench.folder].into_iter().any(leads_there) {
                    return Ok(Some(path.to_path_buf()));
                }
            }
        }
    }
    Ok(None)
}

/// The files that a path below `top` is or has, as far as they are looked for; none where it is no longer there.
fn files(top: &Path, first: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![first.to_owned()]);
    while let Some(path) = left.pop().filter(|_| found.len() < LOOKED_FOR) {
        let whole = top.join(&path);
        // The path itself may be a link to the user's folder. Others are not followed: two that lead upwards have no end.
        if whole.is_dir() && (path == first || !whole.is_symlink()) {
            let entries = fs::read_dir(&whole).into_iter().flatten().flatten();
            left.extend(entries.map(|entry| path.join(entry.file_name())));
        } else if whole.is_file() {
            found.push(path);
        }
    }
    found
}

/// Returns whether a text has a path that begins in `folder`. A name such as `core` or `tags` is none: it stands in many programs.
fn leads_to(text: &[u8], folder: &Path, path: &str) -> bool {
    if !path.contains(['/', '.']) {
        return false;
    }
    let whole = format!("{}/", folder.display());
    memchr::memmem::find_iter(text, path).any(|at| {
        let before = &text[..at];
        let begins = [whole.as_bytes(), b"./"].iter().any(|start| before.ends_with(start));
        begins || !before.ends_with(b"/")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_mentioned_from_its_folder_on() {
        let leads = |text: &str, path| leads_to(text.as_bytes(), Path::new("/top/base"), path);
        for text in ["opendata/xsrc/lib.rs", "./data/x", "../../data/x", "/top/base/data/x\0"] {
            assert!(leads(text, "data/x"), "{text}");
        }
        assert!(leads("corpus.txt", "corpus.txt") && !leads("core::fmt", "core"));
        for text in ["/usr/data/x", "data", "data/y", ""] {
            assert!(!leads(text, "data/x"), "{text}");
        }
    }

    #[test]
    fn a_folder_is_its_files() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("data/deep")).unwrap();
        fs::write(top.path().join("data/deep/x"), "").unwrap();
        assert_eq!(files(top.path(), Path::new("data")), [Path::new("data/deep/x")]);
        assert_eq!(files(top.path(), Path::new("data/deep/x")), [Path::new("data/deep/x")]);
        assert!(files(top.path(), Path::new("gone")).is_empty());
        #[cfg(unix)]
        for name in ["up", "again"] {
            std::os::unix::fs::symlink("..", top.path().join("data/deep").join(name)).unwrap();
        }
        assert_eq!(files(top.path(), Path::new("data")).len(), 1);
    }
}
