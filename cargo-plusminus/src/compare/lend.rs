//! Lends the dependencies that cargo has compiled for base to the other side. Without this, a comparison compiles all dependencies
//! twice: the first one on a machine, and each one with another compiler, other flags or other versions of them.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::vendored;

/// Copies packages of these names from a target folder to one that lacks them. Cargo builds anew what was copied in part.
///
/// Packages whose build scripts write files stay where they are: the paths of these files become part of programs. Nothing is lent
/// between folders with different vendored packages, which cargo cannot tell from each other.
pub(super) fn lend(from: &Path, to: &Path, packages: &BTreeSet<&str>) -> io::Result<()> {
    let note = |target: &Path| fs::read(target.join(vendored::NOTE)).ok();
    let own = note(from);
    if to.exists() {
        if note(to) != own {
            return Ok(());
        }
    } else if let Some(own) = own {
        fs::create_dir_all(to)?;
        fs::write(to.join(vendored::NOTE), own)?;
    }
    for profile in profiles(from)? {
        lend_profile(&profile, &to.join(profile.strip_prefix(from).unwrap_or(&profile)), packages)?;
    }
    Ok(())
}

/// The folders of profiles, of the system's own target and of others.
fn profiles(target: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![(target.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if folder.join(".fingerprint").is_dir() {
            found.push(folder);
        } else if depth < 2 {
            folders.extend(entries(&folder)?.into_iter().map(|entry| (entry, depth + 1)));
        }
    }
    Ok(found)
}

fn lend_profile(from: &Path, to: &Path, packages: &BTreeSet<&str>) -> io::Result<()> {
    let fingerprints = to.join(".fingerprint");
    let (mut lent, mut hashes) = (Vec::new(), BTreeSet::new());
    for folder in entries(&from.join(".fingerprint"))? {
        let name = name(&folder);
        let Some((package, hash)) = name.rsplit_once('-') else { continue };
        let build = from.join("build").join(name);
        let writes = entries(&build.join("out")).is_ok_and(|files| !files.is_empty());
        if packages.contains(package) && !writes && !fingerprints.join(name).exists() {
            if build.is_dir() {
                copy(&build, &to.join("build").join(name))?;
            }
            hashes.insert(hash.to_owned());
            lent.push(folder);
        }
    }
    for file in entries(&from.join("deps"))? {
        let name = name(&file);
        let stem = name.split('.').next().unwrap_or(name);
        if stem.rsplit_once('-').is_some_and(|(_, hash)| hashes.contains(hash)) {
            copy(&file, &to.join("deps").join(name))?;
        }
    }
    // Last: without its fingerprint, cargo knows nothing of a package.
    lent.iter().try_for_each(|folder| copy(folder, &fingerprints.join(name(folder))))
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("")
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(reason)
            if matches!(reason.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(Vec::new())
        }
        Err(reason) => Err(reason),
    }
}

/// Copies a file or a folder. Files keep their times: by these, cargo knows that they are fresh.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        return entries(from)?.iter().try_for_each(|entry| copy(entry, &to.join(name(entry))));
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn packages_are_lent_with_their_times_unless_their_scripts_write_files() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("base"), folder.path().join("new"));
        let time = SystemTime::now() - Duration::from_secs(3600);
        let write = |path: &str| {
            let path = from.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "x").unwrap();
            File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        };
        for path in [
            "release/.fingerprint/libc-aa/lib-libc",
            "release/deps/liblibc-aa.rlib",
            "release/deps/libc-aa.d",
            "release/build/libc-bb/output",
            "release/.fingerprint/libc-bb/run-build-script",
            "release/.fingerprint/writes-cc/run-build-script",
            "release/build/writes-cc/out/code.rs",
            "release/.fingerprint/mine-dd/lib-mine",
            "release/deps/libmine-dd.rlib",
            "x86_64-unknown-linux-gnu/release/.fingerprint/libc-ee/lib-libc",
            "x86_64-unknown-linux-gnu/release/deps/liblibc-ee.rlib",
        ] {
            write(path);
        }
        let packages = ["libc", "writes"].into();
        lend(&from, &to, &packages).unwrap();
        let has = |path: &str| to.join(path).is_file();
        for path in [
            "release/.fingerprint/libc-aa/lib-libc",
            "release/deps/liblibc-aa.rlib",
            "release/deps/libc-aa.d",
            "release/build/libc-bb/output",
            "x86_64-unknown-linux-gnu/release/deps/liblibc-ee.rlib",
        ] {
            assert!(has(path), "{path}");
            assert_eq!(fs::metadata(to.join(path)).unwrap().modified().unwrap(), time, "{path}");
        }
        assert!(!has("release/build/writes-cc/out/code.rs"));
        assert!(!has("release/deps/libmine-dd.rlib"));
        // Units that are there stay as they are, and others are lent.
        for path in [
            "release/deps/liblate-aa.rlib",
            "release/.fingerprint/libc-ff/lib-libc",
            "release/deps/liblibc-ff.rlib",
        ] {
            write(path);
        }
        lend(&from, &to, &packages).unwrap();
        assert!(!has("release/deps/liblate-aa.rlib"));
        assert!(
            has("release/deps/liblibc-ff.rlib") && has("release/.fingerprint/libc-ff/lib-libc")
        );
        // Vendored packages may have the same fingerprints, and other contents.
        write("release/.fingerprint/libc-gg/lib-libc");
        for (vendored, is_lent) in [("y", false), ("x", true)] {
            write(vendored::NOTE);
            fs::write(to.join(vendored::NOTE), vendored).unwrap();
            lend(&from, &to, &packages).unwrap();
            assert_eq!(has("release/.fingerprint/libc-gg/lib-libc"), is_lent);
        }
        lend(&folder.path().join("nowhere"), &folder.path().join("other"), &packages).unwrap();
        assert!(!folder.path().join("other").exists());
    }
}
