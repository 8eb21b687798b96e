//! Stands between rustc and the linker: runs the linker, and keeps its input in the program that it makes.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus},
};

use object::Object as _;
use plusminus::output::complain;
use plusminus_same_code::Link;

use super::{FOLDER_VARIABLE, LINKER_VARIABLE, speaks, texts};
use crate::relink;

/// A name of ours that rustc takes for that linker: it guesses from the name which options a linker understands.
pub(super) fn name_for(linker: &str) -> io::Result<PathBuf> {
    let folder = env::var_os(FOLDER_VARIABLE).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("no folder"))?;
    // Rustc replaces this process, so `/proc` no longer leads from it to our program. If our file is gone, the linker
    // needs the name that cargo was given.
    let path = env::current_exe()?;
    let given = || env::var_os("RUSTC_WRAPPER").map(PathBuf::from);
    let own = if path.exists() { path } else { given().unwrap_or(path) };
    let name = folder.join(Path::new(linker).file_name().unwrap_or(OsStr::new("cc")));
    if fs::read_link(&name).is_ok_and(|there| there == own) {
        return Ok(name);
    }
    fs::create_dir_all(&folder)?;
    // Another rustc may be doing the same: the name is put into its place in one step.
    let begun = tempfile::tempdir_in(&folder)?;
    let link = begun.path().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&own, &link)?;
    #[cfg(not(unix))]
    fs::copy(&own, &link)?;
    fs::rename(&link, &name)?;
    Ok(name)
}

/// Runs the linker, and appends its input to the program.
pub(super) fn link(linker: &OsStr, arguments: &[OsString]) -> ExitCode {
    let mut words = texts(arguments);
    let with_map = !words.iter().any(|word| word.contains("-Map"));
    let mut ran = linked(linker, arguments, with_map);
    let kept: Vec<_> =
        arguments.iter().filter(|argument| !drops_names(argument)).cloned().collect();
    // Mold drops all names with the debug information.
    let is_linked = ran.as_ref().is_ok_and(|(status, _)| status.success());
    if is_linked && kept.len() < arguments.len() && lacks_names(&words) {
        (ran, words) = (linked(linker, &kept, with_map), texts(&kept));
    }
    let (status, map) = match ran {
        Ok(linked) => linked,
        Err(reason) => {
            complain(&format!("plusminus: cannot run {}: {reason}\n", linker.display()));
            return ExitCode::from(2);
        }
    };
    // Cargo names the programs of a package, and does not name its benches.
    let is_bench = env::var_os("CARGO_BIN_NAME").is_none();
    let read = status.success().then(|| Link::read(linker, &words, map.as_deref()));
    if let Some(read) = read
        && let Some(output) = &read.output
        && (read.is_unknown() || is_bench || speaks(output).unwrap_or(false))
    {
        let name = linker.to_string_lossy();
        let kept = relink::keep(linker, is_compiler(&name), &read.arguments, output)
            .and_then(|()| read.keep(output));
        // Without it the benchmarks are measured in one layout.
        if let Err(reason) = kept {
            complain(&format!("plusminus: cannot write to {}: {reason}\n", output.display()));
        }
    }
    ExitCode::from(status.code().unwrap_or(2) as u8)
}

/// Whether an option of a linker drops debug information, and perhaps the names of functions with it.
fn drops_names(option: &OsStr) -> bool {
    ["-Wl,--strip-debug", "-Wl,-S", "--strip-debug", "-S"].iter().any(|name| option == *name)
}

/// Whether the program that a linker has made has no names of functions.
fn lacks_names(arguments: &[String]) -> bool {
    let output = arguments.windows(2).find(|pair| pair[0] == "-o").map(|pair| &pair[1]);
    let Some(program) = output.and_then(|path| fs::read(path).ok()) else { return false };
    object::File::parse(&*program).is_ok_and(|program| program.symbols().next().is_none())
}

/// Runs a linker, and returns its map: which members of archives it has taken. One that writes none runs without.
fn linked(
    linker: &OsStr,
    arguments: &[OsString],
    with_map: bool,
) -> io::Result<(ExitStatus, Option<Vec<u8>>)> {
    let command = || {
        let mut command = Command::new(linker);
        command.args(arguments).env_remove(LINKER_VARIABLE);
        command
    };
    if let Some(folder) = with_map.then(tempfile::tempdir).and_then(io::Result::ok) {
        let map = folder.path().join("map");
        let handed_on = is_compiler(&linker.to_string_lossy()).then_some("-Xlinker");
        let option = format!("-Map={}", map.display());
        let output = command().args(handed_on).arg(option).output()?;
        if output.status.success() {
            io::stdout().write_all(&output.stdout)?;
            io::stderr().write_all(&output.stderr)?;
            return Ok((output.status, fs::read(map).ok()));
        }
    }
    Ok((command().status()?, None))
}

/// Whether a linker is a compiler that passes options on, rather than a linker itself.
pub(super) fn is_compiler(linker: &str) -> bool {
    let file = Path::new(linker).file_name().and_then(OsStr::to_str).unwrap_or_default();
    // Such as `x86_64-linux-gnu-gcc-14` and `clang.exe`.
    file.split(['-', '.'])
        .any(|part| ["cc", "c++", "gcc", "g++", "clang", "clang++"].contains(&part))
}
