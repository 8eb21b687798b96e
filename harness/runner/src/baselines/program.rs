//! Copies of programs: made before measuring, kept under names after it, and bounded in all.
//!
//! A second name for cargo's own file would be cheaper, but the file behind it would change: some linkers write the
//! new program into the old file. On file systems that can, a copy shares its blocks with the original anyway.

use std::{
    env::consts::EXE_SUFFIX,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process,
    time::{Duration, SystemTime},
};

use crate::{
    output::try_file,
    record::{FileBeside, Home, Record, changed_since, program_hash},
    text::visible,
};

/// Bytes that the kept programs of all bench targets may have together.
const MOST_BYTES: u64 = 2 << 30;

/// How names of files begin that live as long as one process.
const TEMPORARY: &str = ".running-";

/// The age at which such a file has been left behind by a process that was killed.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3600);

fn ending() -> String {
    format!("program{EXE_SUFFIX}")
}

fn path(folder: &Path, name: &str) -> PathBuf {
    super::path(folder, name, &ending())
}

/// Finds the program that is kept with a record under the same name, to be compared with one that uses the files of `now`.
pub(crate) fn find_program(
    (folder, name): (&Path, &str),
    record: &Record,
    now: &[FileBeside],
) -> Result<PathBuf, String> {
    let path = path(folder, name);
    if !path.is_file() {
        return Err(format!("there is no copy of its program ({})", path.display()));
    }
    if program_hash(&path) != record.manifest.binary_hash {
        return Err(format!("{} is not the program that its record is of", path.display()));
    }
    if let Some(changed) = changed_since(&record.manifest.beside, now) {
        return Err(changed);
    }
    // The time of its last use, by which the oldest is found where there are too many.
    let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
    Ok(path)
}

/// A copy of a program that goes with this process.
#[derive(Debug)]
pub(crate) struct OwnCopy {
    path: PathBuf,
}

impl OwnCopy {
    /// Copies a program to where it can be kept. `role` separates several copies of one process.
    pub(crate) fn of(binary: &Path, folder: &Path, role: &str) -> io::Result<Self> {
        let name = format!("{TEMPORARY}{}-{role}.{}", process::id(), ending());
        let path = folder.join("baselines").join(name);
        try_file(&path)?;
        let copy = Self { path };
        fs::copy(binary, &copy.path)?;
        Ok(copy)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps it under a name, and replaces a program that is there. Several names share one file where that is
    /// possible: it is never written to. After an error, the program that was kept before is still there.
    pub(crate) fn keep(&self, folder: &Path, name: &str) -> io::Result<PathBuf> {
        let kept = path(folder, name);
        let second = Self { path: self.path.with_extension("keep") };
        fs::hard_link(&self.path, &second.path)
            .or_else(|_| fs::copy(&self.path, &second.path).map(drop))?;
        fs::rename(&second.path, &kept)?;
        let _ = File::open(&kept).and_then(|file| file.set_modified(SystemTime::now()));
        Ok(kept)
    }
}

impl Drop for OwnCopy {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes the programs that were not used for the longest time, while all of them together are too large, and the
/// remains of killed processes. `just_kept` stay. Answers the removed ones, as `package/target/name`.
pub(crate) fn keep_bounded(home: &Home, just_kept: &[PathBuf]) -> Vec<String> {
    bounded(&home.root, just_kept, MOST_BYTES)
}

fn bounded(root: &Path, just_kept: &[PathBuf], most: u64) -> Vec<String> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    // By the time of the last use, and then by path, so that the order is the same everywhere.
    let mut all: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    // Those of a known package lie one folder deeper.
    let mut targets: Vec<PathBuf> = entries(root).map(|entry| entry.path()).collect();
    for package in 0..targets.len() {
        targets.extend(entries(&targets[package]).map(|entry| entry.path()).collect::<Vec<_>>());
    }
    for target in targets {
        for file in entries(&target.join("baselines")) {
            let (path, name) = (file.path(), file.file_name());
            let Some(name) = name.to_str().filter(|name| name.ends_with(&ending())) else {
                continue;
            };
            let Ok(meta) = file.metadata() else { continue };
            let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if !name.starts_with(TEMPORARY) {
                all.push((used, path, meta.len()));
            } else if used.elapsed().is_ok_and(|age| age > LEFT_BEHIND) {
                let _ = fs::remove_file(path);
            }
        }
    }
    let mut bytes: u64 = all.iter().map(|(_, _, size)| size).sum();
    let mut removed = Vec::new();
    all.sort();
    for (_, path, size) in &all {
        if just_kept.contains(path) {
            continue;
        }
        if bytes <= most {
            break;
        }
        if fs::remove_file(path).is_ok() {
            bytes -= size;
            removed.push(shown(root, path));
        }
    }
    removed
}

/// `package/target/name`
fn shown(root: &Path, path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(&format!(".{}", ending())).unwrap_or(&name).to_owned();
    let target = path.ancestors().nth(2).unwrap_or(path);
    let target = target.strip_prefix(root).unwrap_or(target);
    visible(&target.join(name).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Scratch;

    fn folder(test: &str) -> Scratch {
        let folder = Scratch::new(test);
        fs::write(folder.join("program"), b"0123456789").unwrap();
        folder
    }

    fn keep(folder: &Path, target: &str, name: &str) -> PathBuf {
        let target = folder.join(target);
        let copy = OwnCopy::of(&folder.join("program"), &target, "new").unwrap();
        copy.keep(&target, name).unwrap()
    }

    fn used_before(path: &Path, seconds: u64) {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        File::open(path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn the_oldest_unused_programs_go_where_there_are_too_many() {
        let folder = folder("kept-bounded");
        let paths = ["a", "b", "c"].map(|name| keep(&folder, "bench", name));
        for (path, age) in paths.iter().zip([30, 20, 10]) {
            used_before(path, age);
        }
        assert!(bounded(&folder, &[], 30).is_empty());
        assert_eq!(bounded(&folder, &[paths[0].clone()], 20), ["bench/b"]);
        assert!(paths[0].exists() && !paths[1].exists() && paths[2].exists());
        assert_eq!(bounded(&folder, &[paths[2].clone()], 1), ["bench/a"], "the new one stays");
    }

    #[test]
    fn programs_of_packages_are_bounded_together_with_those_of_older_folders() {
        let folder = folder("kept-bounded-packages");
        let (older, newer) = (keep(&folder, "bench", "a"), keep(&folder, "package/bench", "a"));
        used_before(&older, 10);
        used_before(&newer, 20);
        assert_eq!(bounded(&folder, &[], 10), ["package/bench/a"]);
        assert!(older.exists() && !newer.exists());
    }

    #[test]
    fn a_copy_is_apart_from_its_original_and_goes_with_its_process() {
        let folder = folder("kept-apart");
        let kept = keep(&folder, "bench", "../hostile/\u{1b}[31m");
        let baselines = folder.join("bench/baselines");
        assert_eq!(kept.parent(), Some(&*baselines));
        fs::write(folder.join("program"), b"changed").unwrap();
        assert_eq!(fs::read(&kept).unwrap(), b"0123456789");
        assert_eq!(fs::read_dir(&baselines).unwrap().count(), 1, "nothing temporary is left");
        let stale = baselines.join(format!("{TEMPORARY}1-new.{}", ending()));
        fs::write(&stale, b"x").unwrap();
        bounded(&folder, &[], u64::MAX);
        assert!(stale.exists(), "it may be in use");
        used_before(&stale, 2 * 24 * 3600);
        bounded(&folder, &[], u64::MAX);
        assert!(!stale.exists());
    }
}
