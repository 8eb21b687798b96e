//! Completions of shells and pages of the manual, both made from the parser of the command line, and the words of reports.

use std::path::{Path, PathBuf};

use clap::{Command, ValueEnum};
use clap_complete::aot;
use clap_mangen::Man;
use plusminus::{
    output::{Existing, print, write_file_with},
    text::number::counted,
};

use crate::{
    error::{Error, Result, at},
    report,
};

/// Print completions for a shell: of the words after `cargo plusminus`, and after `cargo-plusminus`. For elvish and
/// PowerShell, only the latter.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionArguments {
    /// The shell.
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    /// For a line in ~/.bashrc: `source <(cargo plusminus completions bash)`.
    Bash,
    /// For ~/.config/elvish/rc.elv.
    Elvish,
    /// For ~/.config/fish/conf.d/cargo-plusminus.fish.
    Fish,
    /// For $PROFILE.
    Powershell,
    /// For a file _cargo-plusminus in a folder of $fpath; cargo's own completions call it.
    Zsh,
}

/// Writes the pages of the manual: cargo-plusminus.1, and one for each command.
#[derive(Debug, clap::Args)]
pub(crate) struct ManualArguments {
    /// Write them into this folder, such as ~/.local/share/man/man1. It is made if it is missing.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Print the meaning of a word in a report: `inconclusive`, `machine too noisy`, `RSU`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArguments {
    /// The word, or `all`.
    #[arg(value_name = "TERM", required = true)]
    words: Vec<String>,
}

/// The name of the program, which cargo finds as `cargo plusminus`.
const PROGRAM: &str = "cargo-plusminus";

/// Prints the meaning of a word, and returns the exit code.
pub(crate) fn explain(arguments: &ExplainArguments) -> Result<i32> {
    // A word may be of two, and nobody types quotation marks who need not.
    report::explain(&arguments.words.join(" "))
}

pub(crate) fn complete(arguments: &CompletionArguments, command: Command) -> Result<i32> {
    let shell = match arguments.shell {
        Shell::Bash => aot::Shell::Bash,
        Shell::Elvish => aot::Shell::Elvish,
        Shell::Fish => aot::Shell::Fish,
        Shell::Powershell => aot::Shell::PowerShell,
        Shell::Zsh => aot::Shell::Zsh,
    };
    let mut text = Vec::new();
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned();
    let mut shown = Command::new(PROGRAM).version(env!("CARGO_PKG_VERSION")).subcommands(shown);
    aot::generate(shell, &mut shown, PROGRAM, &mut text);
    // Cargo completes only its own commands by default.
    let of_cargo = match arguments.shell {
        Shell::Bash => include_str!("completions/cargo.bash"),
        Shell::Fish => include_str!("completions/cargo.fish"),
        Shell::Elvish | Shell::Powershell | Shell::Zsh => "",
    };
    // In names with a dash, the library calls a command of bash by two names, so that its options would never be found.
    let text =
        String::from_utf8_lossy(&text).replace("cargo__subcmd__plusminus", "cargo__plusminus");
    print(&(text + of_cargo)).map_err(Error::Message)?;
    Ok(plusminus::exit::FINE)
}

pub(crate) fn write(arguments: &ManualArguments, command: Command) -> Result<i32> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(at("make", folder))?;
    let mut root = command.name(PROGRAM).bin_name(PROGRAM);
    // Inherited settings, such as the version, are known to subcommands from here on.
    root.build();
    let count = write_page(&root, PROGRAM, folder)?;
    print(&format!("{} in {}\n", counted(count, "page"), folder.display()))
        .map_err(Error::Message)?;
    Ok(plusminus::exit::FINE)
}

/// Writes the page of a command and of all below it; returns their number.
fn write_page(command: &Command, name: &str, folder: &Path) -> Result<usize> {
    let path = folder.join(format!("{name}.1"));
    let man = Man::new(command.clone()).title(name);
    write_file_with(&path, Existing::Replaced, |path| {
        let mut text = Vec::new();
        man.render(&mut text)?;
        std::fs::write(path, text)
    })
    .map_err(at("write", &path))?;
    let below =
        command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
    let mut count = 1;
    for sub in below {
        count += write_page(sub, &format!("{name}-{}", sub.get_name()), folder)?;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ManualArguments { folder: folder.path().join("man1") };
        let command = crate::Arguments::command();
        let names: Vec<String> = command
            .get_subcommands()
            .filter(|sub| !sub.is_hide_set())
            .map(|sub| sub.get_name().to_owned())
            .collect();
        assert_eq!(write(&arguments, command).unwrap(), plusminus::exit::FINE);
        for name in names {
            let path = arguments.folder.join(format!("cargo-plusminus-{name}.1"));
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(&format!("cargo\\-plusminus\\-{name}")), "{text}");
        }
        let compare =
            std::fs::read_to_string(arguments.folder.join("cargo-plusminus-compare.1")).unwrap();
        assert!(compare.contains("\\-\\-max\\-time"), "{compare}");
        assert!(arguments.folder.join("cargo-plusminus-history-add.1").exists());
        assert!(!arguments.folder.join("cargo-plusminus-guard.1").exists());
    }
}
