//! Commits and worktrees, by the git command line. Names from outside reach git as data only. A name that begins with
//! a dash is rejected, and every name is verified to be a commit first. From then on its hash is used.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use super::{
    command::{self, CHECK_OUT, QUESTION},
    submodules::submodules,
    surroundings::make_parent,
};
use crate::error::{Error, Result, error};

#[derive(Debug, Clone)]
pub(super) struct Repository {
    /// The top of its work tree.
    pub(super) top: PathBuf,
}

/// A commit under the name that the user gave it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Commit {
    pub(super) name: String,
    pub(super) hash: String,
}

impl Commit {
    /// The hash as people write it.
    pub(super) fn short(&self) -> &str {
        self.hash.get(..12).unwrap_or(&self.hash)
    }
}

impl Repository {
    pub(super) fn around(folder: &Path) -> Result<Self> {
        let found = run(folder, ["rev-parse", "--show-toplevel"])?;
        if !found.status.success() {
            return error(format!(
                "{} is not in a git work tree, so there is nothing to compare with; to compare two programs, use \
                 --binaries BASE HEAD\n{}",
                folder.display(),
                complaint(&found)
            ));
        }
        Ok(Self { top: path(&found) })
    }

    pub(super) fn of(folder: &Path) -> Result<Option<Self>> {
        let found = run(folder, ["rev-parse", "--show-toplevel"])?;
        Ok(found.status.success().then(|| Self { top: path(&found) }))
    }

    /// The commit that is checked out; `None` before the first one.
    pub(super) fn head(&self) -> Result<Option<String>> {
        let found = run(&self.top, ["rev-parse", "--verify", "--quiet", "HEAD"])?;
        Ok(Some(line(&found)).filter(|hash| found.status.success() && is_hash(hash)))
    }

    /// The first line of the message of a commit, by its hash.
    pub(super) fn subject(&self, hash: &str) -> Result<Option<String>> {
        if !is_hash(hash) {
            return Ok(None);
        }
        let told = run(&self.top, ["log", "-1", "--no-show-signature", "--format=%s", hash, "--"])?;
        Ok(Some(line(&told)).filter(|subject| told.status.success() && !subject.is_empty()))
    }

    /// The commit of a name: branch, tag, hash, `HEAD~3`, or a branch that only `origin` has.
    pub(super) fn resolve(&self, name: &str) -> Result<Commit> {
        let shown = name.escape_debug();
        if name.starts_with('-') {
            return error(format!("`{shown}` is not the name of a commit: it begins with a dash"));
        }
        let remote = format!("refs/remotes/origin/{name}");
        for candidate in [name, &remote] {
            let wanted = format!("{candidate}^{{commit}}");
            let found =
                run(&self.top, ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])?;
            let hash = line(&found);
            if found.status.success() && is_hash(&hash) {
                return Ok(Commit { name: name.to_owned(), hash });
            }
        }
        let mut message = format!("there is no commit named `{shown}`");
        if self.is_shallow()? {
            message.push_str(
                " in this shallow clone; fetch it first, such as with `git fetch --depth=1 origin NAME` followed by \
                 `cargo plusminus compare FETCH_HEAD`, or check out with the whole history (`fetch-depth: 0` for \
                 actions/checkout)",
            );
        } else {
            message.push_str(
                "; `git branch --all` and `git tag` show what there is, `git fetch` gets more",
            );
        }
        error(message)
    }

    /// The commit where two lines of work parted.
    pub(super) fn merge_base(&self, one: &Commit, other: &Commit) -> Result<Commit> {
        let found = run(&self.top, ["merge-base", "--end-of-options", &one.hash, &other.hash])?;
        let hash = line(&found);
        if found.status.success() && is_hash(&hash) {
            let name = format!("merge base of {} and {}", one.name, other.name);
            return Ok(Commit { name, hash });
        }
        let mut message = format!("{} and {} have no common history", one.name, other.name);
        if self.is_shallow()? {
            message.push_str(
                " in this shallow clone; get the rest with `git fetch --unshallow`, or check out with the whole \
                 history (`fetch-depth: 0` for actions/checkout)",
            );
        }
        error(message)
    }

    fn is_shallow(&self) -> Result<bool> {
        Ok(line(&run(&self.top, ["rev-parse", "--is-shallow-repository"])?) == "true")
    }

    /// Whether anything in the work tree differs from HEAD. A history contains earlier measurements, and changes no
    /// code.
    pub(super) fn is_dirty(&self) -> Result<bool> {
        let history = ":(exclude,top,glob)**/plusminus-history/**";
        let status = run(&self.top, ["status", "--porcelain", "--", ":/", history])?;
        if !status.status.success() {
            return error(format!(
                "git cannot tell the state of {}:\n{}",
                self.top.display(),
                complaint(&status)
            ));
        }
        Ok(!status.stdout.is_empty())
    }

    /// The files of the work tree that git knows, or does not know but does not ignore either, and folders of submodules.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>> {
        self.listed(&["--cached", "--others", "--exclude-standard"])
    }

    /// Files and whole folders of the work tree that git ignores.
    pub(super) fn ignored(&self) -> Result<Vec<PathBuf>> {
        self.listed(&["--others", "--ignored", "--exclude-standard", "--directory"])
    }

    fn listed(&self, which: &[&str]) -> Result<Vec<PathBuf>> {
        let found = run(&self.top, ["ls-files", "-z", "--deduplicate"].iter().chain(which))?;
        let failed = "git cannot list the files of the work tree";
        // A folder has a slash at its end.
        let path = |name: &[u8]| path_of(name.strip_suffix(b"/").unwrap_or(name));
        Ok(entries(&found, failed)?.map(path).collect())
    }

    /// The files in which two commits differ, or a commit and the work tree.
    pub(super) fn changed(&self, base: &Commit, head: Option<&Commit>) -> Result<Vec<String>> {
        // A repository may set that changes within its submodules are not worth a word.
        let all = "--ignore-submodules=none";
        let mut arguments = vec!["diff", "--name-only", "--no-renames", all, "-z", &base.hash];
        arguments.extend(head.map(|commit| commit.hash.as_str()));
        arguments.push("--");
        self.names(&arguments)
    }

    pub(super) fn untracked(&self) -> Result<Vec<String>> {
        self.names(&["ls-files", "--others", "--exclude-standard", "--full-name", "-z"])
    }

    pub(super) fn links(&self) -> Result<Vec<String>> {
        self.of_mode("120000 ")
    }

    pub(super) fn links_of(&self, commit: &Commit) -> Result<Vec<(String, String)>> {
        let (mut links, mut texts) = (Vec::new(), BTreeMap::new());
        for line in self.names(&["ls-tree", "-r", "-z", "--full-tree", &commit.hash])? {
            let link = line.strip_prefix("120000 blob ").and_then(|line| line.split_once('\t'));
            let Some((object, link)) = link else { continue };
            // Many links have one text.
            if !texts.contains_key(object) {
                let found = run(&self.top, ["cat-file", "blob", object])?;
                let text = String::from_utf8_lossy(&found.stdout).into_owned();
                texts.insert(object.to_owned(), text);
            }
            links.push((link.to_owned(), texts[object].clone()));
        }
        Ok(links)
    }

    fn of_mode(&self, mode: &str) -> Result<Vec<String>> {
        let files = self.names(&["ls-files", "--stage", "--full-name", "-z"])?;
        let of = |file: &String| Some(file.strip_prefix(mode)?.split_once('\t')?.1.to_owned());
        Ok(files.iter().filter_map(of).collect())
    }

    pub(super) fn submodules(&self) -> Result<Vec<String>> {
        self.of_mode("160000 ")
    }

    /// Returns the files whose changes git does not report: `git update-index --assume-unchanged` or
    /// `--skip-worktree`.
    pub(super) fn silenced(&self) -> Result<Vec<String>> {
        let marked = self.names(&["ls-files", "-v", "--full-name", "-z"])?;
        let is_silenced = |tag: char| tag.is_lowercase() || tag == 'S';
        let silenced = |line: String| {
            let (tag, name) = line.split_once(' ')?;
            tag.starts_with(is_silenced).then(|| name.to_owned())
        };
        Ok(marked.into_iter().filter_map(silenced).collect())
    }

    fn names(&self, arguments: &[&str]) -> Result<Vec<String>> {
        let found = run(&self.top, arguments)?;
        let names = entries(&found, "git cannot tell what changed")?;
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The content of a file of a commit; `None` if the commit has no such file.
    pub(super) fn content(&self, commit: &Commit, file: &str) -> Result<Option<Vec<u8>>> {
        let found = run(&self.top, ["cat-file", "blob", &format!("{}:{file}", commit.hash)])?;
        Ok(found.status.success().then_some(found.stdout))
    }

    /// Who has written each line of a file, and in which commit; nothing for lines and files that are not committed.
    pub(super) fn authors(&self, commit: Option<&Commit>, file: &str) -> Result<Vec<String>> {
        let mut arguments = vec!["blame", "--line-porcelain"];
        arguments.extend(commit.map(|commit| commit.hash.as_str()));
        arguments.extend(["--", file]);
        let found = run(&self.top, arguments)?;
        let (mut hash, mut author, mut lines) = (String::new(), String::new(), Vec::new());
        for line in String::from_utf8_lossy(&found.stdout).lines() {
            let first = line.split(' ').next().unwrap_or_default();
            if line.starts_with('\t') {
                let is_committed = hash.bytes().any(|byte| byte != b'0');
                let short = hash.get(..12).unwrap_or(&hash);
                lines.push(if is_committed { format!("{author}, {short}") } else { String::new() });
            } else if let Some(name) = line.strip_prefix("author ") {
                name.clone_into(&mut author);
            } else if is_hash(first) {
                first.clone_into(&mut hash);
            }
        }
        Ok(lines)
    }

    pub(super) fn check_out(&self, commit: &Commit, folder: PathBuf) -> Result<Tree> {
        let tree = Tree { repository: self.clone(), folder };
        make_parent(&tree.folder)?;
        let without_hooks = ["-c", "core.hooksPath=/dev/null", "worktree", "add"];
        let mut command = git(&self.top, without_hooks);
        command.args(["--force", "--detach", "--"]).arg(&tree.folder).arg(&commit.hash);
        let done = command::guarded(&command, false, Some(CHECK_OUT))?;
        if !done.status.success() {
            return error(format!(
                "git cannot check out {} into {}:\n{}",
                commit.short(),
                tree.folder.display(),
                complaint(&done)
            ));
        }
        submodules(&self.top, &tree.folder).map_err(|reason| {
            Error::Message(format!(
                "git cannot check out the submodules of {}:\n{reason}",
                commit.short()
            ))
        })?;
        Ok(tree)
    }

    /// Removes the worktrees below a folder that an earlier comparison, killed in the middle, has left.
    pub(super) fn clean(&self, folder: &Path) -> Result<()> {
        let list = run(&self.top, ["worktree", "list", "--porcelain"])?;
        for line in list.stdout.split(|&byte| byte == b'\n') {
            let Some(place) = line.strip_prefix(b"worktree ") else { continue };
            let place = path_of(place);
            if place.starts_with(folder) {
                drop(Tree { repository: self.clone(), folder: place });
            }
        }
        Ok(())
    }
}

/// A commit with its place in the order of commits.
#[derive(Debug)]
pub(crate) struct Dated {
    pub(crate) hash: String,
    /// When it was committed, in UTC.
    pub(crate) committed: Option<String>,
    /// How many commits it is made from, itself included. That of a shallow clone is not known.
    pub(crate) ancestors: Option<u64>,
}

/// Asks the repository around this folder; `None` where there is none, or it has no such commit.
pub(crate) fn dated(name: &str) -> Result<Option<Dated>> {
    let Some(repository) = Repository::of(Path::new("."))? else { return Ok(None) };
    let Ok(commit) = repository.resolve(name) else { return Ok(None) };
    let answer = |arguments: &[&str]| -> Result<String> {
        let mut command = git(&repository.top, arguments);
        command.env("TZ", "UTC");
        let found = command::ask(command, QUESTION)?;
        Ok(if found.status.success() { line(&found) } else { String::new() })
    };
    let format = "--date=format-local:%Y-%m-%dT%H:%M:%SZ";
    let committed = answer(&["show", "--no-patch", "--format=%cd", format, &commit.hash, "--"])?;
    let ancestors = match repository.is_shallow()? {
        true => None,
        false => answer(&["rev-list", "--count", &commit.hash, "--"])?.parse().ok(),
    };
    let committed = Some(committed).filter(|time| !time.is_empty());
    Ok(Some(Dated { hash: commit.hash, committed, ancestors }))
}

/// A commit checked out in a work tree of its own. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Tree {
    repository: Repository,
    pub(super) folder: PathBuf,
}

impl Drop for Tree {
    fn drop(&mut self) {
        // Not through `command`: an interrupt must not keep us from tidying up. Without pipes, which can fail.
        let mut git = git(&self.repository.top, ["worktree", "remove", "--force", "--force", "--"]);
        git.arg(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = git.status();
        if self.folder.exists() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// A git command in a folder, without the variables by which a hook around us would point it elsewhere.
pub(super) fn git<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"] {
        command.env_remove(name);
    }
    // A question for a password at the terminal would be a wait without end.
    command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    command
}

pub(super) fn run<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> Result<Output> {
    command::ask(git(folder, arguments), QUESTION)
}

/// The entries of a list with a zero behind each.
fn entries<'a>(output: &'a Output, failed: &str) -> Result<impl Iterator<Item = &'a [u8]>> {
    if !output.status.success() {
        return error(format!("{failed}:\n{}", complaint(output)));
    }
    Ok(output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty()))
}

/// The path that git has printed, whatever its bytes.
pub(super) fn path(output: &Output) -> PathBuf {
    path_of(output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout))
}

#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).trim_end_matches('\r'))
}

fn line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned()
}

pub(super) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

fn is_hash(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
