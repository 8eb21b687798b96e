//! Copies the user's work tree, uncommitted files included. Files that git ignores are linked; base gets only the settings of cargo
//! among them.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use super::{
    git::Repository,
    surroundings::{give, link, make_parent},
};
use crate::error::{Result, at};

/// Copies the work tree of a repository to `to`, but for the folder `except`.
pub(super) fn work_tree(repository: &Repository, to: &Path, except: &Path) -> Result<()> {
    let top = repository.top.as_path();
    fs::create_dir_all(to).map_err(at("create", to))?;
    let git = Path::new(".git").to_owned();
    for name in repository.files()? {
        entry(top, &name, to, except)?;
    }
    for name in repository.ignored()?.into_iter().chain([git]) {
        let (from, to) = (top.join(&name), to.join(&name));
        // A folder in which cargo builds lies within another one that is linked, or the other way round.
        let apart = !except.starts_with(&from) && !from.starts_with(except);
        if apart && fs::symlink_metadata(&from).is_ok() {
            give(&from, &to)?;
        }
    }
    Ok(())
}

/// Links what git ignores in folders `.cargo` of the work tree into the tree of a commit: settings of the machine, which count for
/// every version. Files of the version itself go before. A file that replaces a registry is not given: a commit may lack its folder.
pub(super) fn settings(repository: &Repository, tree: &Path) -> Result<()> {
    let top = repository.top.as_path();
    for name in repository.ignored()? {
        // Another version may not have the package that the folder lies in.
        let folder = name.ancestors().find(|folder| folder.ends_with(".cargo"));
        let package = folder.and_then(Path::parent);
        if !package.is_some_and(|package| tree.join(package).is_dir()) {
            continue;
        }
        if name.ends_with(".cargo") && tree.join(&name).is_dir() {
            let folder = top.join(&name);
            for entry in fs::read_dir(&folder).map_err(at("read", &folder))? {
                let entry = entry.map_err(at("read", &folder))?;
                give_setting(&entry.path(), &tree.join(&name).join(entry.file_name()))?;
            }
        } else {
            give_setting(&top.join(&name), &tree.join(&name))?;
        }
    }
    Ok(())
}

fn give_setting(from: &Path, to: &Path) -> Result<()> {
    let table = fs::read_to_string(from).ok().and_then(|text| text.parse::<toml::Table>().ok());
    if table.is_some_and(|table| table.contains_key("source")) {
        return Ok(());
    }
    give(from, to)
}

/// Copies what has a name in the tree: a file, a link, or the folder of a submodule with everything in it.
fn entry(top: &Path, name: &Path, tree: &Path, except: &Path) -> Result<()> {
    let (from, to) = (top.join(name), tree.join(name));
    // Git also lists files that were removed, and lists none in the middle of a folder that it takes for a repository.
    let Ok(found) = fs::symlink_metadata(&from) else { return Ok(()) };
    if from.starts_with(except) {
        return Ok(());
    }
    make_parent(&to)?;
    if found.is_symlink() {
        let target = fs::read_link(&from).map_err(at("read", &from))?;
        return link(&target_of(&target, name, top), &to).map_err(at("make a link at", &to));
    }
    if found.is_dir() {
        fs::create_dir_all(&to).map_err(at("create", &to))?;
        for inner in fs::read_dir(&from).map_err(at("read", &from))? {
            let inner = inner.map_err(at("read", &from))?;
            entry(top, &name.join(inner.file_name()), tree, except)?;
        }
        return Ok(());
    }
    if !found.is_file() {
        return Ok(());
    }
    fs::copy(&from, &to).map(drop).map_err(at("copy", &from))
}

/// Returns the target of a link of this name in a copy of the tree: the same, unless it leads out of it.
fn target_of(target: &Path, name: &Path, top: &Path) -> PathBuf {
    let mut depth = name.components().count() as isize - 1;
    for part in target.components() {
        match part {
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
        if depth < 0 {
            let folder = name.parent().unwrap_or(Path::new(""));
            return top.join(folder).join(target);
        }
    }
    target.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::{os::unix::fs::symlink, process::Command};

    use super::*;

    fn git(top: &Path, arguments: &[&str]) {
        let done = Command::new("git").arg("-C").arg(top).args(arguments).status();
        assert!(done.unwrap().success());
    }

    #[test]
    fn a_copy_has_what_git_knows_and_links_to_what_it_ignores() {
        let folder = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(folder.path()).unwrap();
        let top = home.join("repository");
        for path in ["src/lib.rs", "new file", "big/data.bin", "target/x", "Cargo.lock", "gone"] {
            make_parent(&top.join(path)).unwrap();
            fs::write(top.join(path), path).unwrap();
        }
        fs::write(top.join(".gitignore"), "/big\n").unwrap();
        symlink("../src/lib.rs", top.join("src/inner")).unwrap();
        symlink("../../outside", top.join("src/outer")).unwrap();
        fs::write(home.join("outside"), "outside").unwrap();
        git(&top, &["init", "--quiet"]);
        git(&top, &["add", "src", "gone", ".gitignore"]);
        fs::remove_file(top.join("gone")).unwrap();

        let tree = home.join("trees/work");
        let repository = Repository { top: top.clone() };
        work_tree(&repository, &tree, &top.join("target")).unwrap();
        let read = |path: &str| fs::read_to_string(tree.join(path)).ok();
        for path in ["src/lib.rs", "new file", "Cargo.lock", "big/data.bin"] {
            assert_eq!(read(path).as_deref(), Some(path));
        }
        assert_eq!(read("src/inner").as_deref(), Some("src/lib.rs"));
        assert_eq!(read("src/outer").as_deref(), Some("outside"));
        assert!(!tree.join("target").exists() && !tree.join("gone").exists());
        // Writing into the copy does not change the user's files.
        fs::write(tree.join("new file"), "changed").unwrap();
        assert_eq!(fs::read_to_string(top.join("new file")).unwrap(), "new file");
    }

    #[test]
    fn a_commit_gets_the_settings_that_git_ignores_unless_it_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(folder.path()).unwrap();
        let (top, tree) = (home.join("repository"), home.join("tree"));
        let write = |top: &Path, path: &str, text: &str| {
            make_parent(&top.join(path)).unwrap();
            fs::write(top.join(path), text).unwrap();
        };
        write(&top, ".gitignore", "config\n/.cargo/config.toml\n/own/.cargo\n/big\n");
        write(&top, ".cargo/known.toml", "mine");
        for path in [".cargo/config", ".cargo/config.toml", "own/.cargo/config.toml", "big/x"] {
            write(&top, path, "mine");
        }
        write(&top, "new/.cargo/config", "mine");
        git(&top, &["init", "--quiet"]);
        git(&top, &["add", ".cargo/known.toml", ".gitignore"]);
        write(&tree, ".cargo/config", "its own");
        write(&tree, "own/.cargo/other", "its own");
        settings(&Repository { top }, &tree).unwrap();
        let read = |path: &str| fs::read_to_string(tree.join(path)).ok();
        assert_eq!(read(".cargo/config").as_deref(), Some("its own"));
        assert_eq!(read(".cargo/config.toml").as_deref(), Some("mine"));
        assert_eq!(read("own/.cargo/config.toml").as_deref(), Some("mine"));
        assert!(!tree.join(".cargo/known.toml").exists() && !tree.join("big").exists());
        assert!(!tree.join("new").exists(), "the package is not there");
    }
}
