//! Cargo's configuration: the files that count for a folder, and the settings in them that a build of ours would replace.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use toml::{Table, Value};

use crate::error::{Error, Result, at, error};

/// Files that include each other, one within the other, at most.
const DEPTH: usize = 16;

const FOLDERS: [&str; 4] =
    ["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"];

/// Returns the files that apply in a folder, in rising order of precedence: the user's own, and then those of the
/// folders above.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = within(Path::new(""), folder);
    let chosen = env::var_os("CARGO_HOME").map(PathBuf::from);
    if let Some(home) = chosen.or_else(|| env::home_dir().map(|home| home.join(".cargo"))) {
        let own = file_in(&home).filter(|file| !files.contains(file));
        files.splice(..0, own);
    }
    files
}

/// The files that count in a folder and lie below another one, those of outer folders first.
pub(crate) fn within(top: &Path, folder: &Path) -> Vec<PathBuf> {
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(top));
    let mut files: Vec<PathBuf> =
        folders.filter_map(|folder| file_in(&folder.join(".cargo"))).collect();
    files.reverse();
    files
}

/// The configuration file in a folder. Cargo reads the name without an ending first.
fn file_in(folder: &Path) -> Option<PathBuf> {
    ["config", "config.toml"].iter().map(|name| folder.join(name)).find(|file| file.is_file())
}

/// The contents of configuration files.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The files in rising order of precedence, each with the folder to which its paths are relative.
    tables: Vec<(PathBuf, Table)>,
}

impl Settings {
    /// Reads files in rising order of precedence.
    ///
    /// # Errors
    /// If a file cannot be read, or is not a configuration.
    pub(crate) fn read(files: &[PathBuf]) -> Result<Self> {
        let mut settings = Self::default();
        files.iter().try_for_each(|file| settings.add(file, DEPTH))?;
        Ok(settings)
    }

    /// Adds a file, and before it the files that it includes.
    fn add(&mut self, file: &Path, depth: usize) -> Result<()> {
        let text = fs::read_to_string(file).map_err(at("read", file))?;
        let table: Table = text.parse().map_err(|reason| {
            Error::Message(format!("{} is no configuration of cargo: {reason}", file.display()))
        })?;
        let parent = file.parent().unwrap_or(Path::new("."));
        let included = match table.get("include") {
            Some(Value::Array(list)) => list.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        for included in included {
            let path = included.as_str().or_else(|| included.get("path")?.as_str());
            let Some(path) = path.map(|path| parent.join(path)) else { continue };
            if !path.is_file() {
                continue;
            }
            if depth == 0 {
                return error(format!("{}: its files include each other", file.display()));
            }
            self.add(&path, depth - 1)?;
        }
        self.tables.push((parent.parent().unwrap_or(Path::new(".")).to_owned(), table));
        Ok(())
    }

    /// The contents of each file, with the folder to which its paths are relative.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&Path, &Table)> {
        self.tables.iter().map(|(folder, table)| (folder.as_path(), table))
    }

    /// The program that `build` has under a key. An empty text stands for none.
    fn program(&self, key: &str) -> Option<OsString> {
        let named = |(folder, table): &(PathBuf, Table)| {
            let text = table.get("build")?.get(key)?.as_str()?;
            Some(resolved(OsStr::new(text), folder))
        };
        self.tables.iter().rev().find_map(named)
    }

    /// Returns the settings to hand to cargo after these files, by `--config`. Variables override files, but not what
    /// is handed over. Lists are skipped, because cargo joins them.
    pub(crate) fn outranked(&self, variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let mut found = BTreeMap::new();
        for (_, table) in &self.tables {
            let own = ["alias", "env", "include"];
            for (key, value) in table.iter().filter(|(key, _)| !own.contains(&key.as_str())) {
                outranked(key.clone(), value, &variable, &mut found);
            }
        }
        found.into_iter().map(|(key, value)| format!("{key}={value}")).collect()
    }
}

/// Adds the settings below a key for which there is a variable, with its value.
fn outranked(
    path: String,
    value: &Value,
    variable: &impl Fn(&str) -> Option<String>,
    found: &mut BTreeMap<String, String>,
) {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !path.chars().all(plain) {
        return;
    }
    if let Value::Table(table) = value {
        for (key, inner) in table.iter().filter(|(key, _)| !key.contains('.')) {
            outranked(format!("{path}.{key}"), inner, variable, found);
        }
        return;
    }
    if matches!(value, Value::Array(_)) || path.ends_with("flags") {
        return;
    }
    let name = format!("CARGO_{}", path.to_uppercase().replace(['-', '.'], "_"));
    let Some(text) = variable(&name) else { return };
    // Settings of profiles are numbers, words and yes or no alike; elsewhere a text stays one.
    let is_text = value.is_str() && !path.starts_with("profile.");
    let is_word = is_text || (text.parse::<i64>().is_err() && text.parse::<bool>().is_err());
    let text = if is_word { toml_edit::Value::from(text).to_string() } else { text };
    found.insert(path, text);
}

/// A program as a folder has it: a bare name is looked for by the system.
pub(crate) fn resolved(program: &OsStr, folder: &Path) -> OsString {
    match program.to_string_lossy().contains(['/', '\\']) {
        true => folder.join(program).into_os_string(),
        false => program.to_owned(),
    }
}

/// A program that a variable names, relative to the folder that the user is in.
pub(crate) fn of_variable(name: &str) -> Option<OsString> {
    let program = env::var_os(name)?;
    Some(resolved(&program, &env::current_dir().unwrap_or_default()))
}

/// The variables of cargo that name folders and linkers, with paths that hold in any folder.
pub(crate) fn with_whole_paths() -> Vec<(OsString, OsString)> {
    let here = env::current_dir().unwrap_or_default();
    let whole = |(name, value): (OsString, OsString)| {
        let known = name.to_str()?;
        let is_linker = known.starts_with("CARGO_TARGET_") && known.ends_with("_LINKER");
        let value = match () {
            () if FOLDERS.contains(&known) && !value.is_empty() => here.join(value).into(),
            () if is_linker => resolved(&value, &here),
            () => return None,
        };
        Some((name, value))
    };
    env::vars_os().filter_map(whole).collect()
}

/// A tool of cargo's: the first of the variables that is set, or else the setting. An empty text stands for none.
fn tool(settings: &Settings, variables: [&str; 2], key: &str) -> Option<OsString> {
    let named = variables.into_iter().find_map(of_variable).or_else(|| settings.program(key));
    named.filter(|program| !program.is_empty())
}

pub(crate) fn wrapper(settings: &Settings) -> Option<OsString> {
    tool(settings, ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"], "rustc-wrapper")
}

pub(crate) fn compiler(settings: &Settings) -> Option<OsString> {
    tool(settings, ["RUSTC", "CARGO_BUILD_RUSTC"], "rustc")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, files: &[(&str, &str)]) -> Vec<PathBuf> {
        let write = |&(name, text): &(&str, &str)| {
            let file = folder.join(name);
            plusminus::output::write_file(&file, text.as_bytes()).unwrap();
            file
        };
        files.iter().map(write).collect()
    }

    #[test]
    fn files_of_a_tree_are_those_below_its_top_and_outer_ones_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let names = [".cargo/config.toml", "tree/.cargo/config", "tree/inner/.cargo/config.toml"];
        let files = write(folder.path(), &names.map(|name| (name, "")));
        let tree = folder.path().join("tree");
        assert_eq!(within(&tree, &tree.join("inner")), files[1..]);
        assert!(super::files(&tree.join("inner")).ends_with(&files));
    }

    #[test]
    fn programs_come_from_the_file_that_counts_most_and_from_included_ones() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(
            folder.path(),
            &[
                ("a/.cargo/config.toml", "[build]\nrustc-wrapper = 'sccache'\nrustc = 'bin/own'"),
                ("a/b/.cargo/config.toml", "include = ['more.toml', { path = 'gone.toml' }]"),
                ("a/b/.cargo/more.toml", "[build]\nrustc-wrapper = './wrap.sh'"),
                ("c/.cargo/config.toml", "include = 'config.toml'"),
                ("d/.cargo/config.toml", "[build]\nrustc-wrapper = ''"),
            ],
        );
        let settings = Settings::read(&files[..2]).unwrap();
        let at = |path: &str| Some(folder.path().join(path).into_os_string());
        assert_eq!(settings.program("rustc-wrapper"), at("a/b/./wrap.sh"));
        assert_eq!(settings.program("rustc"), at("a/bin/own"));
        assert_eq!(
            Settings::read(&files[..1]).unwrap().program("rustc-wrapper").unwrap(),
            "sccache"
        );
        let circle = Settings::read(&files[3..4]).unwrap_err().to_string();
        assert!(circle.contains("include each other"), "{circle}");
        let none = Settings::read(&[files[0].clone(), files[4].clone()]).unwrap();
        assert_eq!(tool(&none, ["PLUSMINUS_NO_SUCH", "PLUSMINUS_NOR_THIS"], "rustc-wrapper"), None);
    }

    #[test]
    fn variables_count_more_than_files() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[profile.bench]\nopt-level = 3\nlto = 'fat'\ndebug = true\n\
                    [build]\ntarget = 'a'\nrustflags = ['-C', 'x']\njobs = 3\n[env]\nA = 'b'\n\
                    [target.x86_64-unknown-linux-gnu]\nlinker = 'cc'\n[target.'cfg(unix)']\nlinker = 'd'\n";
        let files = write(folder.path(), &[(".cargo/config.toml", text)]);
        let variables = [
            ("CARGO_PROFILE_BENCH_OPT_LEVEL", "s"),
            ("CARGO_PROFILE_BENCH_LTO", "false"),
            ("CARGO_BUILD_TARGET", "1"),
            ("CARGO_BUILD_RUSTFLAGS", "-C y"),
            ("CARGO_ENV_A", "c"),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", "cl\"ang"),
        ];
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let expected = [
            "build.target=\"1\"",
            "profile.bench.lto=false",
            "profile.bench.opt-level=\"s\"",
            "target.x86_64-unknown-linux-gnu.linker='cl\"ang'",
        ];
        assert_eq!(Settings::read(&files).unwrap().outranked(variable), expected);
    }
}
