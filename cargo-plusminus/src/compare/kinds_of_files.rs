//! Sorts files by their names: whether a running benchmark may read them.

/// How a running benchmark may come to read a file of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Source in Rust, which is compared in the program. Messages of programs name their sources.
    Source,
    /// A file for tools, about the project or source in another language: it is read by its name.
    Known,
    /// A script for tools, a page of a manual or the output that a test expects: it is read by its name or its folder.
    Page,
    /// Any other file: it may be read by any word of its path.
    Data,
    /// A setting that changes what is read, or a file whose name is not known.
    Setting,
}

/// Returns how a running benchmark may come to read a file of the repository.
pub(super) fn kind(file: &str) -> Kind {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let extension = extension_of(name);
    match () {
        // It decides how files of data are checked out.
        () if name == ATTRIBUTES => Kind::Setting,
        () if extension == "rs" => Kind::Source,
        () if is_source(extension) => Kind::Known,
        () if is_of_tools(folder, name) || is_documentation(name) => Kind::Known,
        () if TESTS.contains(&extension) => Kind::Page,
        // Not all of its name is known.
        () if file.contains(char::REPLACEMENT_CHARACTER) => Kind::Setting,
        () if is_page(folder, extension) => Kind::Page,
        () => Kind::Data,
    }
}

/// The extension of a name; empty without one.
fn extension_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The file of git's settings for others.
const ATTRIBUTES: &str = ".gitattributes";

/// Returns the part of a file that counts: of one with git's settings, which may be absent, the lines that may change the content of
/// others where they are checked out.
pub(super) fn settings_of(file: &str, content: Option<&[u8]>) -> Option<Vec<u8>> {
    const HARMLESS: [&str; 6] =
        ["diff", "merge", "export-ignore", "whitespace", "delta", "conflict-marker-size"];
    if file.rsplit('/').next() != Some(ATTRIBUTES) {
        return content.map(<[u8]>::to_vec);
    }
    let text = String::from_utf8_lossy(content.unwrap_or_default());
    let is_harmless = |setting: &str| {
        let name = setting.trim_start_matches(['-', '!']).split('=').next().unwrap_or_default();
        HARMLESS.contains(&name) || name.starts_with("linguist-") || name.starts_with("gitlab-")
    };
    let changing = |line: &&str| {
        let is_comment = line.trim_start().starts_with('#');
        !is_comment && !line.split_whitespace().skip(1).all(is_harmless)
    };
    let lines = text.lines().filter(changing).flat_map(|line| [line, "\n"]);
    Some(lines.collect::<String>().into_bytes())
}

/// Returns whether a file tells rustup which compiler to take.
pub(super) fn is_of_toolchain(file: &str) -> bool {
    ["rust-toolchain", "rust-toolchain.toml"].contains(&file)
}

/// Returns whether a file is a script for tools or a page of a manual: it lies in such a folder, or at the top of the repository, as
/// release notes do.
fn is_page(folder: &str, extension: &str) -> bool {
    let lies_in = |folders: &[&str]| {
        folder.is_empty() || folder.split('/').any(|part| folders.contains(&part))
    };
    SCRIPTS.contains(&extension) && lies_in(&SCRIPT_FOLDERS)
        || MARKUP.contains(&extension) && lies_in(&MANUALS)
}

/// Returns whether a file of the repository may be an input of a running benchmark, by its name.
pub(super) fn may_be_read(file: &str) -> bool {
    matches!(kind(file), Kind::Data | Kind::Setting)
}

/// Returns whether building may read a file of which cargo does not know: all but sources in Rust, and files for tools and about a
/// project.
pub(super) fn is_read_by_builds(file: &str) -> bool {
    match kind(file) {
        Kind::Data | Kind::Setting => true,
        Kind::Page => !TESTS.contains(&extension_of(file)),
        Kind::Known => is_source(extension_of(file)),
        Kind::Source => false,
    }
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

/// Extensions of what tests compare their output with.
const TESTS: [&str; 3] = ["snap", "stderr", "stdout"];

/// Extensions of scripts.
const SCRIPTS: [&str; 6] = ["sh", "bash", "fish", "ps1", "bat", "py"];

/// Folders with a project's scripts.
const SCRIPT_FOLDERS: [&str; 12] = [
    "bin", "build", "ci", ".ci", "contrib", "dev", "etc", "hack", "script", "scripts", "tools",
    "util",
];

/// Folders of a project's manual.
const MANUALS: [&str; 4] = ["book", "doc", "docs", "guide"];

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
    fn of_attributes_count_the_settings_that_change_files() {
        let of = |text: Option<&str>| settings_of("data/.gitattributes", text.map(str::as_bytes));
        let harmless = "# words\n*.md linguist-documentation\n*.rs diff=rust -merge\n\n";
        assert_eq!(of(Some(harmless)), of(None));
        assert_ne!(of(Some("*.csv unix")), of(None), "a macro");
        assert_eq!(of(Some("*.md diff\n*.csv text eol=lf")), of(Some("*.csv text eol=lf\n")));
        assert_ne!(of(Some("*.csv text eol=lf")), of(None));
        assert_eq!(settings_of("words", None), None);
    }

    #[test]
    fn few_files_are_read_without_a_name() {
        let all = |kind_of: Kind, files: &[&str]| {
            for file in files {
                assert_eq!(kind(file), kind_of, "{file}");
            }
        };
        all(Kind::Data, &["words.txt", "data/1.json", "data/spec.md", "corpus/parsed.py"]);
        all(Kind::Page, &["ci/all.py", "docs/spec.md", "release-notes.md", "src/snapshots/a.snap"]);
        all(Kind::Setting, &[".gitattributes", "data/.gitattributes"]);
        all(Kind::Setting, &["\u{fffd}.csv"]);
        all(Kind::Known, &["data/README.md", "Cargo.lock", ".github/workflows/\u{fffd}"]);
        all(Kind::Known, &["data/parsed.c", "model.proto"]);
        all(Kind::Source, &["src/lib.rs", "\u{fffd}.rs", "docs/build.rs"]);
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
