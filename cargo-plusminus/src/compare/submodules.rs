//! Submodules of a tree that git has checked out.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    command::{self, CHECK_OUT},
    git,
};
use crate::error::{Result, error};

/// Checks out the submodules of a tree that the user's own checkout has, from its folders: their servers may be away,
/// or ask for a password. Submodules that the user has not initialized are ignored.
pub(super) fn submodules(own: &Path, tree: &Path) -> Result<()> {
    if !tree.join(".gitmodules").is_file() {
        return Ok(());
    }
    let arguments =
        ["config", "--file", ".gitmodules", "-z", "--get-regexp", r"^submodule\..*\.path$"];
    let listed = git::run(tree, arguments)?;
    for entry in listed.stdout.split(|byte| *byte == 0) {
        let Some(at) = entry.iter().position(|byte| *byte == b'\n') else { continue };
        let key = String::from_utf8_lossy(&entry[..at]);
        let name = key.strip_prefix("submodule.").and_then(|key| key.strip_suffix(".path"));
        let (Some(name), path) = (name, git::path_of(&entry[at + 1..])) else { continue };
        let Some(module) = module_folder(own, name, &path)? else { continue };
        let mut url = OsString::from(format!("submodule.{name}.url="));
        url.push(module);
        let update = |mut git: Command| {
            git.args(["submodule", "update", "--init", "--quiet", "--"]).arg(&path);
            command::guarded(&git, false, Some(CHECK_OUT))
        };
        let mut from_there = git::git(tree, ["-c", "protocol.file.allow=always", "-c"]);
        from_there.arg(url);
        let mut done = update(from_there)?;
        if !done.status.success() {
            // The user's copy may lack the commit.
            done = update(git::git(tree, [""; 0]))?;
        }
        if !done.status.success() {
            return error(git::complaint(&done));
        }
        submodules(&own.join(&path), &tree.join(&path))?;
    }
    Ok(())
}

/// The folder in which the user's git keeps a submodule; `None` if it is not initialized.
fn module_folder(own: &Path, name: &str, path: &Path) -> Result<Option<PathBuf>> {
    if own.join(path).join(".git").exists() {
        let found = git::run(&own.join(path), ["rev-parse", "--absolute-git-dir"])?;
        return Ok(found.status.success().then(|| git::path(&found)));
    }
    if !own.is_dir() {
        return Ok(None);
    }
    // A version may have it at a different place.
    let found = git::run(own, ["rev-parse", "--git-path", &format!("modules/{name}")])?;
    let folder = own.join(git::path(&found));
    Ok(Some(folder).filter(|folder| found.status.success() && folder.join("HEAD").is_file()))
}
