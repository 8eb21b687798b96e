//! Finds files in which the versions differ and which a benchmark may read while it runs: whatever is neither source nor
//! documentation, nor written by plusminus itself.

use std::{collections::BTreeSet, fs, path::Path};

use toml::{Table, Value};

use super::{
    beside::occurs,
    git::{Commit, Repository},
};
use crate::{
    error::{Result, at},
    report::own::is_own,
};

/// How the file begins by which cargo marks a target folder.
const CARGO_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo";

/// Returns the first file in which two commits differ, or a commit and the work tree, that a benchmark in one of these
/// programs may read.
pub(super) fn changed(
    repository: &Repository,
    base: &Commit,
    head: Option<&Commit>,
    programs: &[&Path],
) -> Result<Option<String>> {
    let mut files = repository.changed(base, head)?;
    if head.is_none() {
        for file in repository.silenced()? {
            let now = standing(&repository.top.join(&file));
            if now.is_some() && now != repository.content(base, &file)? {
                files.push(file);
            }
        }
    }
    let mut texts = None;
    for file in &files {
        if is_page(file) {
            let texts = match &mut texts {
                Some(texts) => texts,
                none => none.insert(all(programs)?),
            };
            if is_mentioned(file, texts) {
                return Ok(Some(file.clone()));
            }
        }
        if !may_be_read(file) && !is_configuration(file) {
            continue;
        }
        let new = match head {
            Some(commit) => repository.content(commit, file)?,
            None => standing(&repository.top.join(file)),
        };
        if is_configuration(file) {
            let base = repository.content(base, file)?;
            match variables(base.as_deref()) == variables(new.as_deref()) {
                true => continue,
                false => return Ok(Some(file.clone())),
            }
        }
        // A file that neither side has is a link, a submodule, or has a name that is no text.
        let sides = [repository.content(base, file)?, new];
        let mut there = sides.iter().flatten().peekable();
        if there.peek().is_none() || !there.all(|content| is_own(content)) {
            return Ok(Some(file.clone()));
        }
    }
    if head.is_some() {
        return Ok(None);
    }
    let known: BTreeSet<&String> = files.iter().collect();
    Ok(repository.untracked()?.into_iter().find(|file| {
        let content = || standing(&repository.top.join(file));
        if known.contains(file) {
            false
        } else if is_configuration(file) {
            variables(content().as_deref()) != variables(None)
        } else {
            may_be_read(file)
                && !is_built(&repository.top, file)
                && !content().is_some_and(|content| is_own(&content))
        }
    }))
}

fn all(programs: &[&Path]) -> Result<Vec<Vec<u8>>> {
    programs.iter().map(|path| fs::read(path).map_err(at("read", path))).collect()
}

/// Returns whether a program has the name of a file in it, or that of its folder with a slash behind it.
fn is_mentioned(file: &str, programs: &[Vec<u8>]) -> bool {
    let (path, name) = file.rsplit_once('/').unwrap_or(("", file));
    let folder = path.rsplit('/').next().filter(|folder| !folder.is_empty());
    let folder = folder.map(|folder| format!("{folder}/"));
    let is_read = |text: &Vec<u8>| {
        occurs(text, name) || folder.as_ref().is_some_and(|folder| occurs(text, folder))
    };
    programs.iter().any(is_read)
}

/// Returns whether a file is a configuration of cargo.
fn is_configuration(file: &str) -> bool {
    let of_cargo = [".cargo/config.toml", ".cargo/config"];
    of_cargo.iter().any(|name| file == *name || file.ends_with(&format!("/{name}")))
}

/// The variables that cargo sets for benchmarks by a configuration, but for those of the harness; all of the file if it is none.
fn variables(file: Option<&[u8]>) -> Value {
    let text = String::from_utf8_lossy(file.unwrap_or_default());
    let Ok(mut table) = text.parse::<Table>() else { return Value::String(text.into_owned()) };
    let mut variables = match table.remove("env") {
        Some(Value::Table(variables)) => variables,
        other => other.map(|other| ("env".to_owned(), other)).into_iter().collect(),
    };
    variables.retain(|name, _| !name.starts_with("PLUSMINUS_"));
    Value::Table(variables)
}

/// Returns whether a file is a page for people: one of a manual, or at the top of the repository, such as release notes.
fn is_page(file: &str) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_for_people = folder.is_empty() || folder.split('/').any(|part| MANUALS.contains(&part));
    MARKUP.contains(&extension) && is_for_people
}

/// The content of a regular file of the work tree.
fn standing(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    is_file.then(|| fs::read(path).ok()).flatten()
}

/// Returns whether a file lies in a target folder of cargo.
fn is_built(top: &Path, file: &str) -> bool {
    let folders = Path::new(file).ancestors().skip(1).filter(|folder| *folder != Path::new(""));
    folders
        .filter_map(|folder| standing(&top.join(folder).join("CACHEDIR.TAG")))
        .any(|tag| tag.starts_with(CARGO_TAG.as_bytes()))
}

/// Returns whether a file of the repository may be an input of a running benchmark, by its name. Sources are compared
/// in the program.
pub(super) fn may_be_read(file: &str) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !(is_of_tools(folder, name) || is_source(extension) || is_documentation(name) || is_page(file))
}

/// Returns whether files with an extension are source.
pub(super) fn is_source(extension: &str) -> bool {
    SOURCES.contains(&extension)
}

/// The files that compilers and cargo read.
const SOURCES: [&str; 11] =
    ["rs", "c", "cc", "cpp", "h", "hpp", "s", "S", "asm", "proto", "natvis"];

/// Files and folders that only tools read.
const TOOLS: [&str; 40] = [
    "Cargo.toml",
    "Cargo.lock",
    "rustfmt.toml",
    ".rustfmt.toml",
    "clippy.toml",
    ".clippy.toml",
    "deny.toml",
    "rust-toolchain.toml",
    "rust-toolchain",
    "book.toml",
    "plusminus.toml",
    ".git",
    ".gitignore",
    ".gitmodules",
    ".git-blame-ignore-revs",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".editorconfig",
    ".mailmap",
    ".dockerignore",
    ".pre-commit-config.yaml",
    ".markdownlint.json",
    ".typos.toml",
    ".codecov.yml",
    "codecov.yml",
    "release-plz.toml",
    "cliff.toml",
    "_typos.toml",
    "typos.toml",
    "taplo.toml",
    ".taplo.toml",
    "release.toml",
    "Cross.toml",
    "renovate.json",
    "appveyor.yml",
    ".cirrus.yml",
    "justfile",
    "Dockerfile",
    "flake.nix",
    "flake.lock",
];

/// Folders that only tools read.
const TOOL_FOLDERS: [&str; 12] = [
    ".git",
    ".github",
    ".gitlab",
    ".gitea",
    ".forgejo",
    ".cargo",
    ".config",
    ".vscode",
    ".idea",
    ".zed",
    ".circleci",
    ".devcontainer",
];

/// Names of files about a project, as they are written.
const ABOUT: [&str; 20] = [
    "README",
    "Readme",
    "readme",
    "LICENSE",
    "LICENCE",
    "UNLICENSE",
    "COPYING",
    "COPYRIGHT",
    "AUTHORS",
    "CONTRIBUTORS",
    "MAINTAINERS",
    "NOTICE",
    "CHANGELOG",
    "Changelog",
    "CHANGES",
    "RELEASES",
    "CONTRIBUTING",
    "SECURITY",
    "CODE_OF_CONDUCT",
    "ARCHITECTURE",
];

/// Extensions of texts for people.
const PROSE: [&str; 5] = ["md", "rst", "adoc", "txt", "html"];

/// Extensions of the pages of a manual.
const MARKUP: [&str; 3] = ["md", "rst", "adoc"];

/// Folders of a project's manual.
const MANUALS: [&str; 2] = ["doc", "docs"];

fn is_of_tools(folder: &str, name: &str) -> bool {
    TOOLS.contains(&name) || folder.split('/').any(|part| TOOL_FOLDERS.contains(&part))
}

/// Returns whether a name is that of a file about a project: `README`, `README.md`, `LICENSE-MIT`, `LICENSE-APACHE-2.0.txt`.
fn is_documentation(name: &str) -> bool {
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if PROSE.contains(&extension) => stem,
        _ => name,
    };
    let of_license = |name: &str| {
        let licenses = ["LICENSE-", "LICENCE-", "COPYING-", "COPYRIGHT-"];
        let kind = licenses.iter().find_map(|license| name.strip_prefix(license));
        kind.is_some_and(|kind| {
            // A dot of a version, such as in 2.0, begins no extension.
            let last = kind.rsplit_once('.').map_or("0", |(_, last)| last);
            let letters = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            kind.chars().all(letters) && last.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    ABOUT.contains(&stem) || of_license(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_configuration_of_cargo_the_variables_count() {
        let of = |text: &str| variables(Some(text.as_bytes()));
        let one = of("[env]\nN = '1'");
        assert_eq!(of("[env]\nPLUSMINUS_RUNS = '3'\nN = '1'\n[build]\njobs = 1"), one);
        assert_ne!(of("[env]\nN = '2'"), one);
        assert_ne!(of("[env]\nN = { value = '1', force = true }"), one);
        assert_ne!(of(""), one);
        assert_eq!(of("[alias]\nb = 'bench'"), variables(None));
        assert_ne!(of("no configuration"), variables(None));
        for file in [".cargo/config.toml", "a/.cargo/config"] {
            assert!(is_configuration(file), "{file}");
        }
        assert!(!is_configuration("x.cargo/config.toml"));
    }

    #[test]
    fn data_may_be_read_whatever_it_is_called() {
        for file in [
            "data/graph.gr",
            "benches/words.txt",
            "config.toml",
            "a b.json",
            "Makefile",
            "data/authors.csv",
            "data/authors.txt",
            "data/AUTHORS.csv",
            // It decides how files of data are checked out.
            ".gitattributes",
            "data/licenses.json",
            "LICENSE-MIT.json",
            "README-long.txt",
            "readmes/1.md",
            "NOTICES.txt",
            "data/corpus.md",
            "data/input.lock",
            "docs/table.json",
            "docs/words.txt",
            "vendor/corpus",
            ".data/words.txt",
            ".words",
            ".gitdata/words.txt",
        ] {
            assert!(may_be_read(file), "{file}");
        }
    }

    #[test]
    fn sources_documentation_and_settings_of_tools_are_not_read() {
        for file in [
            "src/lib.rs",
            "Cargo.toml",
            "member/Cargo.toml",
            "debug/tinyvec.natvis",
            "Cargo.lock",
            ".github/workflows/x.yml",
            ".cargo/config.toml",
            ".gitignore",
            "justfile",
            "release-notes.md",
            "LICENSE",
            "LICENSE-MIT",
            "LICENSE-APACHE-2.0",
            "LICENSE-Apache-2.0_WITH_LLVM-exception",
            "COPYING.txt",
            "README.md",
            "crates/a/README.rst",
            "CHANGELOG.md",
            "AUTHORS",
            "docs/guide/compare.md",
        ] {
            assert!(!may_be_read(file), "{file}");
        }
    }

    #[test]
    fn a_page_is_read_by_a_program_that_mentions_it() {
        let mentions = |text: &str| is_mentioned("docs/guide/spec.md", &[text.into()]);
        assert!(is_page("docs/guide/spec.md") && !is_page("data/spec.md"));
        assert!(mentions("open spec.md") && mentions("read_dir guide/"));
        assert!(!mentions("guide spec") && !mentions(""));
        // Release notes change with almost every version.
        let mentions = |text: &str| is_mentioned("release-notes.md", &[text.into()]);
        assert!(is_page("release-notes.md") && !is_page("words.txt"));
        assert!(mentions("open release-notes.md") && !mentions("src/lib.rs / release-notes"));
    }

    #[test]
    fn a_target_folder_is_known_by_the_tag_that_cargo_writes() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["built", "cache"] {
            fs::create_dir_all(folder.path().join(name).join("inner")).unwrap();
        }
        let tag = format!("{CARGO_TAG}.\n# For information about cache directory tags see …\n");
        fs::write(folder.path().join("built/CACHEDIR.TAG"), tag).unwrap();
        let other = "Signature: 8a477f597d28d172789f06886806bc55\n# Of another program\n";
        fs::write(folder.path().join("cache/CACHEDIR.TAG"), other).unwrap();
        assert!(is_built(folder.path(), "built/inner/data.bin"));
        assert!(!is_built(folder.path(), "cache/inner/data.bin"));
        assert!(!is_built(folder.path(), "data.bin"));
    }
}
