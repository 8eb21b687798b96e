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
        () if is_among(name, TOOLS) || lies_among(folder, TOOL_FOLDERS) => Kind::Known,
        () if is_documentation(name) => Kind::Known,
        () if is_among(extension, TESTS) => Kind::Page,
        // Not all of its name is known.
        () if file.contains(char::REPLACEMENT_CHARACTER) => Kind::Setting,
        () if is_page(folder, extension) => Kind::Page,
        () => Kind::Data,
    }
}

fn extension_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The file of git's settings for others.
const ATTRIBUTES: &str = ".gitattributes";

/// Returns the part of a file that counts: of one with git's settings, which may be absent, the lines that may change the content of
/// others where they are checked out.
pub(super) fn settings_of(file: &str, content: Option<&[u8]>) -> Option<Vec<u8>> {
    const HARMLESS: &str = "diff merge export-ignore whitespace delta conflict-marker-size";
    if file.rsplit('/').next() != Some(ATTRIBUTES) {
        return content.map(<[u8]>::to_vec);
    }
    let text = String::from_utf8_lossy(content.unwrap_or_default());
    let is_harmless = |setting: &str| {
        let name = setting.trim_start_matches(['-', '!']).split('=').next().unwrap_or_default();
        is_among(name, HARMLESS) || name.starts_with("linguist-") || name.starts_with("gitlab-")
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
    let lies_in = |folders| folder.is_empty() || lies_among(folder, folders);
    is_among(extension, SCRIPTS) && lies_in(SCRIPT_FOLDERS)
        || is_among(extension, MARKUP) && lies_in(MANUALS)
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
        Kind::Page => !is_among(extension_of(file), TESTS),
        Kind::Known => is_source(extension_of(file)),
        Kind::Source => false,
    }
}

pub(super) fn is_source(extension: &str) -> bool {
    is_among(extension, SOURCES)
}

/// The files that compilers and cargo read.
const SOURCES: &str = "rs c cc cpp h hpp s S asm proto natvis";

/// Files and folders that only tools read.
const TOOLS: &str = "
    Cargo.toml Cargo.lock rustfmt.toml .rustfmt.toml clippy.toml .clippy.toml deny.toml
    rust-toolchain.toml rust-toolchain book.toml plusminus.toml .git .gitignore .gitmodules
    .git-blame-ignore-revs .gitlab-ci.yml .travis.yml .editorconfig .mailmap .dockerignore
    .pre-commit-config.yaml .markdownlint.json .typos.toml .codecov.yml codecov.yml
";

/// Folders that only tools read.
const TOOL_FOLDERS: &str = "
    .git .github .gitlab .gitea .forgejo .cargo .config .vscode .idea .zed .circleci
    .devcontainer
";

/// Names of files about a project, as they are written.
const ABOUT: &str = "
    README Readme readme UNLICENSE AUTHORS CONTRIBUTORS MAINTAINERS NOTICE CHANGELOG Changelog
    CHANGES RELEASES CONTRIBUTING SECURITY CODE_OF_CONDUCT ARCHITECTURE
";

/// Extensions of texts for people.
const PROSE: &str = "md rst adoc txt html";

/// Extensions of the pages of a manual.
const MARKUP: &str = "md rst adoc";

/// Extensions of what tests compare their output with.
const TESTS: &str = "snap stderr stdout";

const SCRIPTS: &str = "sh bash fish ps1 bat py";

/// Folders with a project's scripts.
const SCRIPT_FOLDERS: &str = "bin build ci .ci contrib dev etc hack script scripts tools util";

/// Folders of a project's manual.
const MANUALS: &str = "book doc docs guide";

fn is_among(name: &str, words: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

/// Returns whether a folder or one around it has one of these names.
fn lies_among(folder: &str, names: &str) -> bool {
    folder.split('/').any(|part| is_among(part, names))
}

/// Returns whether a name is that of a file about a project: `README`, `README.md`, `LICENSE-MIT`, `LICENSE-APACHE-2.0.txt`.
fn is_documentation(name: &str) -> bool {
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if is_among(extension, PROSE) => stem,
        _ => name,
    };
    let licenses = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT"];
    let of_license = |name: &str| {
        let kind =
            licenses.iter().find_map(|license| name.strip_prefix(license)?.strip_prefix('-'));
        kind.is_some_and(|kind| {
            // A dot of a version, such as in 2.0, begins no extension.
            let last = kind.rsplit_once('.').map_or("0", |(_, last)| last);
            let letters = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            kind.chars().all(letters) && last.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    is_among(stem, ABOUT) || licenses.contains(&stem) || of_license(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_may_be_read_whatever_it_is_called() {
        let files = "data/graph.gr benches/words.txt config.toml Makefile data/authors.csv
            data/authors.txt data/AUTHORS.csv data/licenses.json LICENSE-MIT.json README-long.txt
            readmes/1.md NOTICES.txt data/corpus.md data/input.lock docs/table.json docs/words.txt
            vendor/corpus .data/words.txt .words .gitdata/words.txt .gitattributes";
        for file in files.split_whitespace().chain(["a b.json"]) {
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
        let files = "src/lib.rs Cargo.toml member/Cargo.toml debug/tinyvec.natvis Cargo.lock
            .github/workflows/x.yml .cargo/config.toml .gitignore release-notes.md LICENSE
            LICENSE-MIT LICENSE-APACHE-2.0 LICENSE-Apache-2.0_WITH_LLVM-exception COPYING.txt
            README.md crates/a/README.rst CHANGELOG.md AUTHORS docs/guide/compare.md";
        for file in files.split_whitespace() {
            assert!(!may_be_read(file), "{file}");
        }
    }
}
