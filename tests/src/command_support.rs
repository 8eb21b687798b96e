//! The command lines of the pages for users, as text.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::workspace;

/// The pages that have them.
pub fn pages() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["docs", "suite/book", "examples"] {
        below(&workspace().join(folder), &mut all);
    }
    let crates = ["", "harness", "cargo-plusminus", "suite", "compat/criterion", "compat/divan"];
    all.extend(crates.map(|name| workspace().join(name).join("README.md")));
    all.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    all
}

/// All files below a folder, but for what cargo has built.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            below(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Returns the lines of a page for a shell. Continued lines are joined.
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
