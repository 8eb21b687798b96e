//! Tells by the name of a file whether a running benchmark may read it.

/// How a running benchmark may come to read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Not at all: it is in the program, or for tools.
    Never,
    /// If its program has a word of the path in it: no other program can find it.
    ByName,
    /// Whatever its program contains.
    Perhaps,
}

/// Returns how a benchmark may come to read a file of the repository.
pub(super) fn reading(file: &str) -> Reading {
    match () {
        // It decides how files of data are checked out.
        () if file == ".gitattributes" || file.ends_with("/.gitattributes") => Reading::Perhaps,
        () if is_configuration(file) => Reading::Perhaps,
        () if !may_be_read(file) && !is_for_people(file) => Reading::Never,
        // Not all of its name is known.
        () if file.contains(char::REPLACEMENT_CHARACTER) => Reading::Perhaps,
        () => Reading::ByName,
    }
}

/// The extension of a file; empty without one.
fn extension_of(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns whether a file is a configuration of cargo.
pub(super) fn is_configuration(file: &str) -> bool {
    let of_cargo = [".cargo/config.toml", ".cargo/config"];
    of_cargo.iter().any(|name| file == *name || file.ends_with(&format!("/{name}")))
}

/// Returns whether a file is for people: a script, or a page of a manual or at the top of the repository, such as release notes.
pub(super) fn is_for_people(file: &str) -> bool {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_manual = folder.is_empty() || folder.split('/').any(|part| MANUALS.contains(&part));
    let extension = extension_of(file);
    SCRIPTS.contains(&extension) || MARKUP.contains(&extension) && is_manual
}

/// Returns whether a file of the repository may be an input of a running benchmark, by its name. Sources are compared
/// in the program.
pub(super) fn may_be_read(file: &str) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    !(is_of_tools(folder, name)
        || is_source(extension_of(file))
        || is_documentation(name)
        || is_for_people(file))
}

/// Returns whether files with an extension are source.
pub(super) fn is_source(extension: &str) -> bool {
    SOURCES.contains(&extension)
}

/// The files that compilers and cargo read.
const SOURCES: [&str; 11] =
    ["rs", "c", "cc", "cpp", "h", "hpp", "s", "S", "asm", "proto", "natvis"];

/// Files and folders that only tools read.
const TOOLS: [&str; 25] = [
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

/// Extensions of scripts.
const SCRIPTS: [&str; 6] = ["sh", "bash", "fish", "ps1", "bat", "py"];

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
    fn a_configuration_of_cargo_lies_in_its_folder() {
        for file in [".cargo/config.toml", "a/.cargo/config"] {
            assert!(is_configuration(file), "{file}");
        }
        assert!(!is_configuration("x.cargo/config.toml"));
    }

    #[test]
    fn few_files_are_read_without_a_name() {
        for file in ["words.txt", "data/1.json", "data/spec.md", "ci/all.py", "docs/spec.md"] {
            assert_eq!(reading(file), Reading::ByName, "{file}");
        }
        for file in [".gitattributes", "data/.gitattributes", ".cargo/config.toml", "\u{fffd}.csv"]
        {
            assert_eq!(reading(file), Reading::Perhaps, "{file}");
        }
        for file in ["src/lib.rs", "data/README.md", "Cargo.lock"] {
            assert_eq!(reading(file), Reading::Never, "{file}");
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
}
