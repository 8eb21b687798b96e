//! `cargo plusminus clean`: removes what is kept and can be made again: programs of baselines, and what `compare` builds
//! into. Touches the folder of records of a target directory only.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus::{
    exit,
    output::print,
    text::{number::with_prefix, visible},
};

use crate::error::{Result, at, error};

/// What the command line says.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Remove the records and the baselines, too: all of target/plusminus.
    #[arg(long)]
    all: bool,
    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    dry_run: bool,
    /// The Cargo.toml whose target directory is meant.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

/// Runs the subcommand and answers the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let root = match env::var_os("PLUSMINUS_OUTPUT") {
        Some(root) => PathBuf::from(root),
        None => target_directory(arguments)?.join("plusminus"),
    };
    let mut places = Vec::new();
    for entry in fs::read_dir(&root).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_comparison = entry.file_name() == "compare" && path.join("build").is_dir();
        match () {
            () if arguments.all || is_comparison => places.push(path),
            () => places.extend(programs(&path)),
        }
    }
    places.sort();
    let mut text = String::new();
    let mut all = 0;
    for place in &places {
        let size = size(place);
        all += size;
        if !arguments.dry_run {
            remove(place)?;
        }
        text.push_str(&format!(
            "{:>8}B  {}\n",
            with_prefix(size as f64),
            visible(&place.display().to_string())
        ));
    }
    let did = if arguments.dry_run { "would be removed" } else { "removed" };
    text.push_str(&format!(
        "{}B {did} from {}; {}\n",
        with_prefix(all as f64),
        visible(&root.display().to_string()),
        if arguments.all { "records and baselines, too" } else { "records stay (--all)" }
    ));
    print(&text).map_err(crate::error::Error::Message)?;
    Ok(exit::FINE)
}

/// The programs that are kept beside the baselines of a bench target.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("baselines")).into_iter().flatten().flatten();
    let is_program = |name: &str| name.ends_with(&format!(".program{}", env::consts::EXE_SUFFIX));
    files
        .filter(|file| file.file_name().to_str().is_some_and(is_program))
        .map(|file| file.path())
        .collect()
}

/// The bytes of a file, or of all files in a folder. Links count for nothing, and are not followed.
fn size(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {
            let inner = fs::read_dir(path).into_iter().flatten().flatten();
            inner.map(|entry| size(&entry.path())).sum()
        }
        Ok(found) if found.is_file() => found.len(),
        _ => 0,
    }
}

/// Removes a file, a link or a folder, but nothing that a link leads to.
fn remove(path: &Path) -> Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    let removed = if found.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.map_err(at("remove", path))
}

/// Where cargo builds the package.
fn target_directory(arguments: &Arguments) -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--no-deps"]);
    if let Some(path) = &arguments.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().map_err(at("run", Path::new("cargo metadata")))?;
    if !output.status.success() {
        return error(format!(
            "cargo does not tell its target directory: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|reason| crate::error::Error::Message(format!("cargo metadata: {reason}")))?;
    match metadata["target_directory"].as_str() {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => error("cargo metadata names no target directory"),
    }
}
