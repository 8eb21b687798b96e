//! Lends the dependencies that cargo has compiled for base to the other side. Without this, a comparison compiles all dependencies
//! twice: the first one on a machine, and each one with another compiler, other flags or other versions of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::vendored;

/// Copies packages of these names from a target folder to one that lacks them.
///
/// Packages whose build scripts write files stay where they are: the paths of these files become part of programs. Packages that need
/// them stay as well, because the compiler refuses them with another build of these. Nothing is lent between folders with different
/// vendored packages, which cargo cannot tell from each other.
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
    let (mut lent, mut there) = (Vec::new(), Vec::new());
    for folder in entries(&from.join(".fingerprint"))? {
        let unit = Unit::read(folder)?;
        if unit.writes(from) {
            continue;
        }
        if to.join(".fingerprint").join(unit.name()).exists() {
            there.push(unit);
        } else if packages.contains(unit.parts().0) {
            lent.push(unit);
        }
    }
    if lent.is_empty() {
        return Ok(());
    }
    let mut made: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in entries(&from.join("deps"))? {
        let stem = name(&file).split('.').next().unwrap_or_default();
        if let Some((_, number)) = stem.rsplit_once('-') {
            made.entry(number.to_owned()).or_default().push(file);
        }
    }
    let files = |unit: &Unit| made.get(unit.parts().1).map_or(&[][..], Vec::as_slice);
    // A unit is of no use to the other side if it needs another one that was made there.
    there.retain(|unit| unit.is_same(files(unit), from, to));
    loop {
        let (count, all) = (lent.len(), lent.iter().chain(&there));
        let known: BTreeSet<String> = all.flat_map(|unit| unit.states.clone()).collect();
        lent.retain(|unit| unit.needs.iter().all(|need| known.contains(need)));
        if lent.len() == count {
            break;
        }
    }
    for unit in &lent {
        let build = from.join("build").join(unit.name());
        if build.is_dir() {
            copy(&build, &to.join("build").join(unit.name()))?;
        }
        for file in files(unit) {
            copy(file, &to.join("deps").join(name(file)))?;
        }
    }
    // Last: without its fingerprint, cargo knows nothing of a package.
    lent.iter().try_for_each(|unit| copy(&unit.folder, &to.join(".fingerprint").join(unit.name())))
}

/// A unit of cargo in the folder of a profile: something that is compiled, or a run of a build script.
struct Unit {
    /// The folder of its fingerprints.
    folder: PathBuf,
    /// Its states, by which others name what they need.
    states: Vec<String>,
    /// The states of other units that it needs.
    needs: Vec<String>,
}

impl Unit {
    fn read(folder: PathBuf) -> io::Result<Self> {
        let (mut states, mut needs) = (Vec::new(), Vec::new());
        for file in entries(&folder)?.iter().filter(|file| name(file).ends_with(".json")) {
            states.extend(fs::read_to_string(file.with_extension("")).ok());
            let told: Value = serde_json::from_slice(&fs::read(file)?).unwrap_or(Value::Null);
            // No unit has the state that stands for an unreadable one.
            let Some(all) = told["deps"].as_array() else {
                needs.push(String::new());
                continue;
            };
            needs.extend(all.iter().map(|need| need[3].as_u64().map(written).unwrap_or_default()));
        }
        Ok(Self { folder, states, needs })
    }

    fn name(&self) -> &str {
        name(&self.folder)
    }

    /// The package, and the number that its files have in their names.
    fn parts(&self) -> (&str, &str) {
        self.name().rsplit_once('-').unwrap_or_default()
    }

    /// Whether its build script has written files.
    fn writes(&self, profile: &Path) -> bool {
        let out = profile.join("build").join(self.name()).join("out");
        entries(&out).is_ok_and(|files| !files.is_empty())
    }

    /// Whether the other side has made these files of it as well, with the same content.
    fn is_same(&self, files: &[PathBuf], from: &Path, to: &Path) -> bool {
        let Ok(own) = Self::read(to.join(".fingerprint").join(self.name())) else { return false };
        let output = from.join("build").join(self.name()).join("output");
        let made = files.iter().chain([&output]);
        let mut compared = made.filter(|file| file.extension().is_none_or(|ending| ending != "d"));
        let is_equal = |file: &PathBuf| {
            let other = to.join(file.strip_prefix(from).unwrap_or(file));
            fs::read(file).ok() == fs::read(other).ok()
        };
        own.states == self.states && compared.all(is_equal)
    }
}

/// A state as cargo writes it into the file of a unit.
fn written(state: u64) -> String {
    state.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
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
            plusminus::output::write_file(&path, b"x").unwrap();
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
        // Packages that need one that stayed stay as well.
        for (unit, state, need) in
            [("made-hh", 1_u64, 9_u64), ("user-ii", 2, 1), ("lone-jj", 3, 4), ("base-kk", 4, 0)]
        {
            let (package, _) = unit.split_once('-').unwrap();
            let file = |ending: &str| format!("release/.fingerprint/{unit}/lib-{package}{ending}");
            write(&file(""));
            write(&file(".json"));
            fs::write(from.join(file("")), written(state)).unwrap();
            let needs = if need == 0 { String::new() } else { format!("[7,\"x\",false,{need}]") };
            fs::write(from.join(file(".json")), format!("{{\"deps\":[{needs}]}}")).unwrap();
        }
        let packages = ["libc", "writes", "made", "user", "lone", "base"].into();
        lend(&from, &to, &packages).unwrap();
        let is_lent = |unit: &str| to.join("release/.fingerprint").join(unit).exists();
        assert_eq!(
            ["made-hh", "user-ii", "lone-jj", "base-kk"].map(is_lent),
            [false, false, true, true]
        );
        // So do dependents of a package whose content on the other side is another one.
        write("release/.fingerprint/late-ll/lib-late.json");
        let needs = from.join("release/.fingerprint/late-ll/lib-late.json");
        fs::write(needs, "{\"deps\":[[7,\"x\",false,4]]}").unwrap();
        write("release/deps/libbase-kk.rlib");
        for (content, lends) in [("y", false), ("x", true)] {
            fs::write(to.join("release/deps/libbase-kk.rlib"), content).unwrap();
            lend(&from, &to, &["late"].into()).unwrap();
            assert_eq!(is_lent("late-ll"), lends);
        }
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
