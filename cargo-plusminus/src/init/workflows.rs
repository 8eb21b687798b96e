//! The files for a build server, and where they go.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Source, Write};

const BENCHMARKS: &str = include_str!("benchmarks.yml");
const COMMENT: &str = include_str!("comment.yml");
const GITLAB: &str = include_str!("gitlab.yml");

/// A build server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Server {
    /// GitHub Actions.
    Github,
    /// GitLab CI/CD.
    Gitlab,
    /// None: only the benchmarks.
    None,
}

impl Server {
    /// Returns the server of a repository, by the files in it and the address that it was cloned from.
    pub(super) fn of(top: &Path) -> Self {
        let is_gitlab = top.join(".gitlab-ci.yml").is_file()
            || git(top, &["remote", "get-url", "origin"]).is_some_and(|url| url.contains("gitlab"));
        let is_github = top.join(".github").is_dir();
        if is_gitlab && !is_github { Self::Gitlab } else { Self::Github }
    }

    /// Returns the files for a workspace in a folder of the repository.
    pub(super) fn files(self, top: &Path, workspace: &Path, source: &Source) -> Vec<Write> {
        let folder = workspace.strip_prefix(top).unwrap_or(Path::new(""));
        let folder = match folder.to_string_lossy() {
            folder if folder.is_empty() => String::new(),
            folder => format!("{folder}/"),
        };
        let of = |path: &str, template: &str| {
            Write::whole(top.join(path), filled(template, &folder, source))
        };
        match self {
            Self::Github => vec![
                of(".github/workflows/benchmarks.yml", BENCHMARKS),
                of(".github/workflows/benchmarks-comment.yml", COMMENT),
            ],
            Self::Gitlab => vec![of(".gitlab/benchmarks.yml", GITLAB)],
            Self::None => Vec::new(),
        }
    }
}

/// Puts the version, the installation and the folder into a template. `folder` is empty, or ends with a slash.
fn filled(template: &str, folder: &str, source: &Source) -> String {
    let install = match source {
        Source::Registry => {
            format!("cargo install --locked cargo-plusminus --version {}", super::VERSION)
        }
        // The clone is not there on the server: the user has to get it there.
        Source::Clone(clone) => {
            let path = clone.join("cargo-plusminus");
            format!(
                "cargo install --locked --path {}",
                plusminus::text::shell(&path.to_string_lossy())
            )
        }
    };
    let mut text = template
        .replace("@VERSION@", super::VERSION)
        .replace("@INSTALL@", &install)
        .replace("@FOLDER@", folder);
    if !folder.is_empty() && !template.contains("workflow_run") {
        let within = format!(
            "    timeout-minutes: 60\n    defaults:\n      run:\n        working-directory: {}\n",
            quoted(folder.trim_end_matches('/'))
        );
        text = text.replace("    timeout-minutes: 60\n", &within);
    }
    text
}

/// A text of YAML in which nothing has a meaning.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns the top of the work tree that a folder is in.
pub(super) fn top(folder: &Path) -> Option<PathBuf> {
    git(folder, &["rev-parse", "--show-toplevel"]).map(PathBuf::from)
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end_matches('\n').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_in_a_folder_has_its_own_paths() {
        let whole = filled(BENCHMARKS, "", &Source::Registry);
        assert!(whole.contains("\n            target/plusminus/compare/build\n"), "{whole}");
        let inner = filled(BENCHMARKS, "it's/", &Source::Registry);
        assert!(inner.contains("working-directory: 'it''s'"), "{inner}");
        assert!(inner.contains("\n            it's/target/plusminus/compare/build\n"), "{inner}");
    }

    #[test]
    fn nothing_is_left_to_fill_in_and_actions_are_pinned() {
        for template in [BENCHMARKS, COMMENT, GITLAB] {
            let text = filled(template, "", &Source::Registry);
            assert!(!text.contains('@') || !text.contains("@VERSION"), "{text}");
            for line in text.lines().filter(|line| line.contains("uses:")) {
                let commit = line.split('@').nth(1).and_then(|rest| rest.split(' ').next());
                let is_hash = |text: &str| {
                    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
                };
                assert!(commit.is_some_and(is_hash), "{line}");
            }
        }
    }
}
