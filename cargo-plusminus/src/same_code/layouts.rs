//! Links a program several times with its sections in different orders, while the linker's inputs are still there.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Where a layout of a program lies.
pub(crate) fn layout_of(program: &Path, seed: u32) -> PathBuf {
    with_ending(program, &format!("layout-{seed}"))
}

fn with_ending(program: &Path, ending: &str) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(format!(".{ending}"));
    name.into()
}

/// Removes the layouts of a program that is about to be linked anew.
pub(super) fn forget(program: &Path) -> io::Result<()> {
    let (Some(folder), Some(name)) = (program.parent(), program.file_name()) else { return Ok(()) };
    let mut begin = name.to_owned();
    begin.push(".layout-");
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(begin.as_encoded_bytes()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Links a program again with its sections shuffled by each of these seeds. The program itself stays as it is.
///
/// # Errors
/// That files cannot be renamed. A linker that cannot shuffle makes no layouts, which whoever wants them finds out.
pub(super) fn link(
    linker: &OsStr,
    arguments: &[OsString],
    program: &Path,
    seeds: &[u32],
) -> io::Result<()> {
    let plain = with_ending(program, "plain");
    for seed in seeds {
        // The name stays that of the command line, which may stand in a file of arguments.
        fs::rename(program, &plain)?;
        let mut command = Command::new(linker);
        command.args(arguments).arg(format!("-Wl,--shuffle-sections=*={seed}"));
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let linked = status.is_ok_and(|status| status.success());
        if linked {
            fs::rename(program, layout_of(program, *seed))?;
        }
        fs::rename(&plain, program)?;
        if !linked {
            break;
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn layouts_stand_beside_the_program_until_it_is_linked_anew() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, "plain").unwrap();
        // A linker that writes its last argument into the program.
        let script = format!("for last; do :; done; echo \"$last\" > {}", program.display());
        let arguments = ["-c", &script, "linker"].map(OsString::from);
        link(OsStr::new("sh"), &arguments, &program, &[3, 5]).unwrap();
        let text = |path: &Path| fs::read_to_string(path).unwrap();
        assert_eq!(text(&program), "plain");
        assert_eq!(text(&layout_of(&program, 3)), "-Wl,--shuffle-sections=*=3\n");
        assert_eq!(text(&layout_of(&program, 5)), "-Wl,--shuffle-sections=*=5\n");
        forget(&program).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        link(OsStr::new("false"), &[], &program, &[3]).unwrap();
        assert_eq!((text(&program), layout_of(&program, 3).exists()), ("plain".to_owned(), false));
    }
}
