//! The files of the build that a bench program uses while it runs: shared libraries that it loads, and programs of its
//! package that it may start. A copy of the program alone is not all of it.

use std::{
    env,
    path::{Path, PathBuf},
};

use super::{directory::target_directory, manifest::program_hash};
use plusminus_worker::json::json_object;

/// How variables begin that name a program of the package.
const PROGRAM: &str = "CARGO_BIN_EXE_";

json_object! {
    /// A file of the build that a program uses while it runs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FileBeside {
        /// The name of the library's file, or the variable that names the program.
        pub name: String,
        /// Its path.
        pub path: String,
        /// FNV-1a hash of its content.
        pub hash: String,
    }
}

/// Returns the files that a bench program uses: those of the loaded ones that are below the target directory or the package,
/// and the programs that cargo names.
pub(crate) fn beside(binary: &Path, loaded: &[String]) -> Vec<FileBeside> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folders = [target_directory(binary).map(Path::to_owned), package];
    let of_build = |path: &PathBuf| {
        path != binary && folders.iter().flatten().any(|folder| path.starts_with(folder))
    };
    let mut files = Vec::new();
    let mut add = |name: String, path: &Path| {
        if let Some(hash) = program_hash(path) {
            files.push(FileBeside { name, path: path.display().to_string(), hash });
        }
    };
    for path in loaded.iter().map(PathBuf::from).filter(of_build) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add(name, &path);
    }
    for (variable, path) in env::vars_os() {
        if let Some(name) = variable.to_str().filter(|name| name.starts_with(PROGRAM)) {
            add(name.to_owned(), Path::new(&path));
        }
    }
    files
}

/// Describes the changes that an older program would find, if it were started now in the surroundings of a program that
/// uses these files.
///
/// A library is found by its name in today's folders. A program may be named by today's variable, or by the path that the older
/// program has in its code, so both have to be as they were.
pub(crate) fn changed_since(recorded: &[FileBeside], now: &[FileBeside]) -> Option<String> {
    changed(recorded, now, |path| program_hash(Path::new(path)))
}

fn changed(
    recorded: &[FileBeside],
    now: &[FileBeside],
    hash_at: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    recorded.iter().find_map(|file| {
        let is_program = file.name.starts_with(PROGRAM);
        let (what, shown) = match file.name.strip_prefix(PROGRAM) {
            Some(name) => ("may start the program", name),
            None => ("loads", file.name.as_str()),
        };
        let today = now.iter().find(|today| today.name == file.name);
        let same = today.is_some_and(|today| today.hash == file.hash);
        let kept = !is_program || hash_at(&file.path).as_ref() == Some(&file.hash);
        let how = match today {
            None => "which this one no longer uses",
            Some(_) => "which is not what it was",
        };
        (!(same && kept)).then(|| format!("it {what} `{shown}`, {how}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, path: &str, hash: &str) -> FileBeside {
        let [name, path, hash] = [name, path, hash].map(str::to_owned);
        FileBeside { name, path, hash }
    }

    #[test]
    fn a_library_is_compared_by_its_name_and_content() {
        let before = [file("libx.so", "/t/out-1/libx.so", "1")];
        let now = |hash: &str| [file("libx.so", "/t/out-2/libx.so", hash)];
        assert_eq!(changed(&before, &now("1"), |_| None), None);
        let said = changed(&before, &now("2"), |_| Some("1".to_owned())).unwrap();
        assert_eq!(said, "it loads `libx.so`, which is not what it was");
        assert!(changed(&before, &[], |_| None).unwrap().contains("no longer uses"));
        assert_eq!(changed(&[], &now("1"), |_| None), None);
    }

    #[test]
    fn a_program_is_compared_by_its_variable_and_its_old_path() {
        let before = [file("CARGO_BIN_EXE_tool", "/t/tool", "1")];
        let now = |hash: &str| [file("CARGO_BIN_EXE_tool", "/t/tool", hash)];
        let there = |hash: &str| Some(hash.to_owned());
        assert_eq!(changed(&before, &now("1"), |_| there("1")), None);
        assert!(changed(&before, &now("2"), |_| there("2")).is_some());
        assert!(changed(&before, &now("1"), |_| there("2")).is_some());
        let said = changed(&before, &now("2"), |_| None).unwrap();
        assert_eq!(said, "it may start the program `tool`, which is not what it was");
    }
}
