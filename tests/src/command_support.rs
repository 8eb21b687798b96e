//! The command lines of the pages for users, as text.

use std::{fs, path::PathBuf};

use crate::workspace;

/// The pages that have them.
pub fn pages() -> Vec<PathBuf> {
    let folder = |name: &str| {
        let entries = fs::read_dir(workspace().join(name)).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let examples = folder("examples").into_iter().map(|path| path.join("README.md"));
    let crates = ["", "harness", "cargo-plusminus", "suite", "compat/criterion", "compat/divan"];
    let crates = crates.map(|name| workspace().join(name).join("README.md"));
    let all = folder("docs").into_iter().chain(examples).chain(crates);
    all.filter(|path| path.extension().is_some_and(|ending| ending == "md") && path.exists())
        .collect()
}

/// The lines of a page that are for a shell, with those that go on in the next put together.
pub fn lines(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for block in page.split("\n```").skip(1).step_by(2) {
        let Some((language, text)) = block.split_once('\n') else { continue };
        let text = text.replace("\\\n", " ");
        match language {
            "console" => lines
                .extend(text.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned)),
            "sh" => lines.extend(text.lines().map(str::to_owned)),
            _ => {}
        }
    }
    lines
}
