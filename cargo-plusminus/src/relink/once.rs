//! `cargo plusminus link`: links one program once more, in another order. A bench binary asks for it before each of its runs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::Recipe;
use crate::error::{Error, Result};

/// The request of a bench binary.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Decides the order of functions, constants and variables.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    seed: u32,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    program: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let Arguments { seed, output, program } = arguments;
    let linked = again(program, *seed, output);
    if linked.is_err() {
        // A linker may have begun to write.
        let _ = fs::remove_file(output);
    }
    linked.map(|()| plusminus::exit::FINE).map_err(Error::Message)
}

fn again(program: &Path, seed: u32, output: &Path) -> std::result::Result<(), String> {
    let recipe = Recipe::of(program)
        .ok_or_else(|| format!("it is not known how {} was linked", program.display()))?;
    let refused = |why| format!("{why}; layouts need a linker that can, such as lld");
    recipe.link(seed, None, output).map_err(refused)?;
    check_order(program, output)
}

/// Checks that the linker has obeyed, rather than ignored an option that it does not know.
pub(super) fn check_order(plain: &Path, shuffled: &Path) -> std::result::Result<(), String> {
    let read = |path: &Path| {
        fs::read(path).map_err(|reason| format!("cannot read {}: {reason}", path.display()))
    };
    // The kept part of the code follows the program.
    if read(plain)?.starts_with(&read(shuffled)?) {
        return Err(
            "the linker leaves the sections of a program in their order; lld changes it".to_owned()
        );
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn linked(script: &str) -> (std::result::Result<(), String>, bool) {
        let folder = tempfile::tempdir().unwrap();
        let [program, output] = ["program", "output"].map(|name| folder.path().join(name));
        fs::write(&program, "plain").unwrap();
        let arguments = ["-c", script, "sh", "-o", "x"].map(str::to_owned);
        super::super::keep("sh".as_ref(), true, &arguments, &program).unwrap();
        let done = run(&Arguments { seed: 3, output: output.clone(), program });
        (done.map(drop).map_err(|error| error.to_string()), output.exists())
    }

    #[test]
    fn only_another_order_is_a_layout() {
        assert_eq!(linked("echo \"$3\" > \"$2\""), (Ok(()), true));
        for (script, why) in [
            ("printf pla > \"$2\"", "in their order"),
            ("printf x > \"$2\"; echo no room >&2; exit 1", "no room"),
        ] {
            let (refused, is_left) = linked(script);
            assert!(refused.unwrap_err().contains(why) && !is_left, "{script}");
        }
    }

    #[test]
    fn a_program_that_was_built_otherwise_is_refused() {
        let refused = again(Path::new("/no/such/program"), 1, Path::new("/no/output")).unwrap_err();
        assert_eq!(refused, "it is not known how /no/such/program was linked");
    }
}
