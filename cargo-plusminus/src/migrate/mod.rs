//! `cargo plusminus migrate`: benches written for criterion, divan or libtest in the words of plusminus, where the
//! translation is certain. It reads the syntax tree of each bench target, replaces what it understands in the text, and
//! leaves a target alone, with a reason, where anything is left that it does not understand.

mod attribute;
mod criterion;
mod divan;
mod groups;
mod kernel;
mod libtest;
mod package;
mod register;
#[cfg(test)]
mod tests;
mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use package::Target;
use plusminus::{
    output::{print, write_file},
    text::visible,
};
use text::Certain;

use crate::error::{Error, Result, at, error};

/// Turns benches of criterion, divan and libtest into benches of plusminus.
///
/// What is not certain stays as it is and is listed. With plusminus-criterion and plusminus-divan in Cargo.toml, benches
/// run as they are: migrating them is optional.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Replace the files, and change the manifests. Without it, translations are written below the target folder, to be
    /// looked at.
    #[arg(long)]
    write: bool,
    /// Replace files even if git does not have them as they are.
    #[arg(long)]
    allow_dirty: bool,
    /// Bench targets to translate [default: all].
    #[arg(long = "bench", value_name = "NAME")]
    benches: Vec<String>,
    /// Packages whose bench targets to translate [default: all of the workspace].
    #[arg(short, long, value_name = "NAME")]
    package: Vec<String>,
    /// The manifest of the package or workspace.
    #[arg(long, value_name = "FILE")]
    manifest_path: Option<PathBuf>,
    /// The folder of the harness, for `plusminus = { path = … }` [default: the published version].
    #[arg(long, value_name = "FOLDER")]
    harness: Option<PathBuf>,
}

/// A translated file.
#[derive(Debug)]
struct Translation {
    text: String,
    /// Settings of the other harness that have no place here.
    left_out: BTreeSet<String>,
}

/// The longest source file that is read, in bytes.
const LONGEST: u64 = 8 << 20;

/// Runs the subcommand; answers with the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let (mut targets, build) = package::targets(arguments.manifest_path.as_deref())?;
    let known = |wanted: &[String], name: &String| wanted.is_empty() || wanted.contains(name);
    targets.retain(|target| {
        known(&arguments.benches, &target.name) && known(&arguments.package, &target.package)
    });
    if targets.is_empty() {
        return error("there is no such bench target; `[[bench]]` in Cargo.toml names them");
    }
    let mut done: Vec<(&Target, Translation)> = Vec::new();
    let mut said = String::new();
    for target in &targets {
        let shown = visible(&target.file.display().to_string());
        match read(&target.file).and_then(|source| translated(&source)) {
            Ok(translation) => {
                said.push_str(&format!("{shown}: translated\n"));
                for setting in &translation.left_out {
                    said.push_str(&format!("  left out: {}\n", visible(setting)));
                }
                done.push((target, translation));
            }
            Err(why) => said.push_str(&format!("{shown}: left as it is: {}\n", visible(&why))),
        }
    }
    said.push_str(&format!("{} of {} bench targets translated\n", done.len(), targets.len()));
    if !done.is_empty() {
        said.push_str(&written(arguments, &build, &done)?);
    }
    print(&said).map_err(Error::Message)?;
    Ok(plusminus::exit::FINE)
}

fn read(file: &Path) -> Certain<String> {
    let length = fs::metadata(file).map_err(|reason| reason.to_string())?.len();
    if length > LONGEST {
        return Err(format!("it has {length} bytes, which no benches have"));
    }
    fs::read_to_string(file).map_err(|reason| reason.to_string())
}

/// A file in our words.
fn translated(source: &str) -> Certain<Translation> {
    // The parser takes these off, and its places would be wrong.
    if source.starts_with('\u{feff}') || (source.starts_with("#!") && !source.starts_with("#![")) {
        return Err("it begins with a byte order mark or a shebang".to_owned());
    }
    // Parsing is recursive; a deep nest of brackets must not end the program.
    if nesting(source) > 200 {
        return Err("its brackets are nested too deeply".to_owned());
    }
    let file =
        syn::parse_file(source).map_err(|reason| format!("it is no Rust source: {reason}"))?;
    let words: BTreeSet<String> =
        text::words(quote::ToTokens::to_token_stream(&file)).into_iter().collect();
    if words.contains("criterion_main") {
        criterion::translate(source, &file)
    } else if words.contains("divan") {
        divan::translate(source, &file)
    } else if libtest::is_for(&file) {
        libtest::translate(source, &file)
    } else {
        Err("it has no benches of criterion, divan or libtest that this file alone runs".to_owned())
    }
}

/// How deep brackets are nested at most, as far as that can be told without parsing.
fn nesting(source: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for letter in source.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Writes the translations where they belong, or where they can be looked at. Returns what to say of it.
fn written(arguments: &Arguments, build: &Path, done: &[(&Target, Translation)]) -> Result<String> {
    let mut manifests: BTreeMap<&Path, Vec<&Target>> = BTreeMap::new();
    for (target, _) in done {
        manifests.entry(&target.manifest).or_default().push(target);
    }
    let harness = match &arguments.harness {
        Some(folder) => Some(fs::canonicalize(folder).map_err(at("find", folder))?),
        None => None,
    };
    let mut files: BTreeMap<&Path, String> = BTreeMap::new();
    for (path, targets) in &manifests {
        files.insert(path, package::manifest(path, targets, harness.as_deref())?);
    }
    for (target, translation) in done {
        files.insert(&target.file, translation.text.clone());
    }
    if !arguments.write {
        let folder = build.join("plusminus/migrate");
        for (target, translation) in done {
            let place = folder.join(&target.package);
            fs::create_dir_all(&place).map_err(at("make", &place))?;
            let place = place.join(format!("{}.rs", target.name));
            write_file(&place, translation.text.as_bytes()).map_err(at("write", &place))?;
        }
        return Ok(format!(
            "nothing is replaced: the translations are in {}; --write replaces the files\n",
            visible(&folder.display().to_string())
        ));
    }
    if !arguments.allow_dirty {
        for path in files.keys() {
            is_kept(path)?;
        }
    }
    for (path, text) in &files {
        write_file(path, text.as_bytes()).map_err(at("write", path))?;
    }
    Ok(format!(
        "{} files replaced; `cargo bench --no-run` tells whether they compile\n",
        files.len()
    ))
}

/// Refuses to replace what git does not have.
fn is_kept(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let git = |arguments: &[&str]| {
        Command::new("git").arg("-C").arg(folder).args(arguments).arg("--").arg(path).output()
    };
    let kept = git(&["ls-files", "--error-unmatch"]).is_ok_and(|listed| listed.status.success())
        && git(&["status", "--porcelain"])
            .is_ok_and(|changes| changes.status.success() && changes.stdout.is_empty());
    if kept {
        return Ok(());
    }
    error(format!(
        "git does not have {} as it is, so that replacing it would lose it: commit it, or say --allow-dirty",
        path.display()
    ))
}
