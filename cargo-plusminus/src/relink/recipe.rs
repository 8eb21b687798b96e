//! How a program was linked: the linker's command line, with copies of those inputs that the compiler removes afterwards.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::order::Order;
use plusminus::engine::link_folder;
use serde::{Deserialize, Serialize};

/// The sections that are put into another order: functions, constants, variables. Others, such as tables of functions that
/// run before `main`, keep theirs, as programs may rely on it. One pattern for `.text`, `.rodata`, `.data` and `.bss`: the linker
/// compares each pattern with the names of all sections, twice.
const SHUFFLED: &str = ".[trdb][eoas][xdts]*";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recipe {
    linker: String,
    arguments: Vec<String>,
    /// Where the linker ran, and where it looked for programs.
    folder: PathBuf,
    search: Option<OsString>,
    /// Whether options for the linker proper need `-Wl,` in front.
    is_compiler: bool,
}

fn file(program: &Path) -> PathBuf {
    link_folder(program).join("recipe.json")
}

/// Keeps how a program is about to be linked, with what will be gone afterwards: `arguments` without files of arguments.
///
/// # Errors
/// That something cannot be read or written; then there is no recipe.
pub(crate) fn keep(
    linker: &OsStr,
    is_compiler: bool,
    arguments: &[String],
    program: &Path,
) -> io::Result<()> {
    let folder = link_folder(program);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let linker = linker.to_str().ok_or_else(|| io::Error::other("the linker's name"))?.to_owned();
    fs::create_dir_all(&folder)?;
    let mut kept = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let (before, path) = split(argument);
        let input = Path::new(path);
        if !(is_temporary(input) && input.is_file()) {
            kept.push(argument.clone());
            continue;
        }
        let name = input.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let copy = folder.join(format!("{}-{name}", kept.len()));
        if fs::hard_link(input, &copy).is_err() {
            fs::copy(input, &copy)?;
        }
        let copy = copy.to_str().ok_or_else(|| io::Error::other("a folder's name"))?;
        kept.push(format!("{before}{copy}"));
    }
    let recipe = Recipe {
        linker,
        arguments: kept,
        folder: env::current_dir()?,
        search: env::var_os("PATH"),
        is_compiler,
    };
    // Last, so that a recipe is never without its inputs.
    fs::write(file(program), serde_json::to_vec(&recipe)?)
}

/// An argument as what stands before a path, and the path: `-Wl,--version-script=/a/list` names one.
fn split(argument: &str) -> (&str, &str) {
    if !argument.starts_with('-') {
        return ("", argument);
    }
    let at = argument.rfind(['=', ',']).map_or(argument.len(), |at| at + 1);
    argument.split_at(at)
}

/// Whether the compiler removes a file after linking: it lies in a folder of its own for temporary files, or is an object
/// of the crate that is being linked.
fn is_temporary(path: &Path) -> bool {
    let is_random = |part: &OsStr| {
        let rest = part.to_str().and_then(|part| part.strip_prefix("rustc"));
        rest.is_some_and(|rest| rest.len() == 6 && rest.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    path.parent().is_some_and(|folder| folder.iter().any(is_random))
        || path.to_str().is_some_and(|path| path.ends_with(".rcgu.o"))
}

impl Recipe {
    pub(crate) fn of(program: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file(program)).ok()?).ok()
    }

    pub(crate) fn is_kept(program: &Path) -> bool {
        file(program).is_file()
    }

    /// Links the program again, into `output`, with its sections in an order that `seed` decides, and before that `order`.
    ///
    /// # Errors
    /// The linker's message, or that it cannot be run.
    pub(super) fn link(
        &self,
        seed: u32,
        order: Option<Order<'_>>,
        output: &Path,
    ) -> Result<(), String> {
        said(self.command(seed, order, output), &self.linker)
    }

    /// Joins all objects and archives of this recipe in one object, `object`, from which a linker has less to read.
    ///
    /// # Errors
    /// The linker's message, or that the recipe has no compiler that could do it.
    pub(crate) fn condensed(&self, object: &Path) -> Result<Self, String> {
        if !self.is_compiler {
            return Err("only a compiler's command line can be divided".to_owned());
        }
        let (joined, mut arguments) = divided(&self.arguments);
        let mut joining = self.linker();
        joining.args(joined).args(["-r", "-nostdlib", "-Wl,--strip-debug", "-o"]).arg(object);
        said(joining, &self.linker)?;
        let object = object.to_str().ok_or("the folder's name is no text")?.to_owned();
        arguments.insert(0, object);
        Ok(Self { arguments, ..self.clone() })
    }

    /// A condensed recipe with another object instead of its own.
    ///
    /// # Errors
    /// That the name of the object is not valid UTF-8.
    pub(crate) fn of_object(&self, object: &Path) -> Result<Self, String> {
        let mut recipe = self.clone();
        let object = object.to_str().ok_or("the folder's name is no text")?;
        recipe.arguments[0] = object.to_owned();
        Ok(recipe)
    }

    /// Links the program into `output`, in any order.
    ///
    /// # Errors
    /// The linker's message, or that it cannot be run.
    pub(crate) fn link_once(&self, output: &Path) -> Result<(), String> {
        self.link(1, None, output)
    }

    fn linker(&self) -> Command {
        let mut command = Command::new(&self.linker);
        command.current_dir(&self.folder).stdin(Stdio::null());
        if let Some(search) = &self.search {
            command.env("PATH", search);
        }
        command
    }

    fn command(&self, seed: u32, order: Option<Order<'_>>, output: &Path) -> Command {
        let mut command = self.linker();
        let mut arguments = self.arguments.iter();
        while let Some(argument) = arguments.next() {
            command.arg(argument);
            if argument == "-o" {
                arguments.next();
                command.arg(output);
            }
        }
        let prefix = if self.is_compiler { "-Wl," } else { "" };
        let orders = format!("{prefix}--shuffle-sections={SHUFFLED}={seed}");
        // One thread: the other processors are measuring. No kernel runs debug information, but it makes links slow, and every
        // round would write it to the disk during measurements.
        let others = ["--threads=1", "--strip-debug"].map(|option| format!("{prefix}{option}"));
        command.arg(orders).args(others);
        if let Some(Order { symbols, text }) = order {
            // A path may have commas, at which `-Wl,` would divide it.
            if self.is_compiler {
                command.arg("-Xlinker");
            }
            let mut list = OsString::from("--symbol-ordering-file=");
            list.push(symbols);
            command.arg(list).arg(format!("{prefix}--no-warn-symbol-ordering"));
            command.arg(format!("{prefix}--section-start=.text={text:#x}"));
        }
        command
    }
}

/// Divides a compiler's command line into a part that joins all objects and archives in one object, and a part that
/// links it.
fn divided(arguments: &[String]) -> (Vec<&str>, Vec<String>) {
    let is_input = |argument: &str| {
        !argument.starts_with('-')
            && [".o", ".rlib", ".a"].iter().any(|ending| argument.ends_with(ending))
    };
    let is_whole = |argument: &str| argument.ends_with("whole-archive");
    let is_setting = |argument: &str| {
        ["-m", "-B", "-fuse-ld", "--target"].iter().any(|begin| argument.starts_with(begin))
    };
    let (mut joined, mut left) = (Vec::new(), Vec::new());
    let mut values = arguments.iter();
    while let Some(argument) = values.next() {
        let goes = is_input(argument) || is_whole(argument);
        if goes || is_setting(argument) {
            joined.push(argument.as_str());
        }
        if !goes {
            left.push(argument.clone());
        }
        if argument == "-o" {
            left.extend(values.next().cloned());
        }
    }
    (joined, left)
}

/// Runs a linker.
///
/// # Errors
/// The first line that it printed, or that it cannot be run.
fn said(mut command: Command, linker: &str) -> Result<(), String> {
    let run = command.output().map_err(|reason| format!("cannot run {linker}: {reason}"))?;
    if run.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&run.stderr);
    let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(format!("{linker} cannot put the sections of a program into another order: {said}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn texts(arguments: &[&str]) -> Vec<String> {
        arguments.iter().map(|&argument| argument.to_owned()).collect()
    }

    #[test]
    fn what_the_compiler_removes_is_kept_and_the_rest_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let temporary = folder.path().join("rustcAb1Cd2");
        fs::create_dir(&temporary).unwrap();
        for name in ["symbols.o", "list", "lib.rlib"] {
            fs::write(temporary.join(name), name).unwrap();
        }
        let here = |name: &str| folder.path().join(name).display().to_string();
        for name in ["a.1.rcgu.o", "own.o"] {
            fs::write(here(name), name).unwrap();
        }
        let program = folder.path().join("program");
        let script = format!("-Wl,--version-script={}", here("rustcAb1Cd2/list"));
        let arguments = [
            "-m64",
            &here("rustcAb1Cd2/symbols.o"),
            &here("a.1.rcgu.o"),
            &here("own.o"),
            &script,
            "-L",
            &here("rustcAb1Cd2/raw"),
            "-o",
            &here("program"),
        ];
        keep(OsStr::new("cc"), true, &texts(&arguments), &program).unwrap();
        fs::remove_dir_all(&temporary).unwrap();
        fs::remove_file(here("a.1.rcgu.o")).unwrap();
        let recipe = Recipe::of(&program).unwrap();
        let read = |index: usize| fs::read_to_string(split(&recipe.arguments[index]).1).unwrap();
        assert_eq!(
            [read(1), read(2), read(3), read(4)],
            ["symbols.o", "a.1.rcgu.o", "own.o", "list"]
        );
        assert!(recipe.arguments[4].starts_with("-Wl,--version-script=/"));
        assert_eq!(recipe.arguments[3], here("own.o"));
        // Again, with less: what was kept before is gone.
        keep(OsStr::new("cc"), true, &texts(&["-m64"]), &program).unwrap();
        assert_eq!(fs::read_dir(link_folder(&program)).unwrap().count(), 1);
        assert!(Recipe::is_kept(&program) && Recipe::of(folder.path()).is_none());
    }

    #[test]
    fn objects_and_archives_are_joined_and_libraries_of_the_system_are_not() {
        let arguments = texts(&[
            "-m64",
            "/t/a.o",
            "-Wl,--whole-archive",
            "/t/b.a",
            "-Wl,--no-whole-archive",
            "-Wl,-Bstatic",
            "/t/c.rlib",
            "-lc",
            "-pie",
            "-o",
            "/t/x.o",
            "-fuse-ld=lld",
        ]);
        let (joined, left) = divided(&arguments);
        let whole = ["-Wl,--whole-archive", "/t/b.a", "-Wl,--no-whole-archive"];
        assert_eq!(joined[..2], ["-m64", "/t/a.o"]);
        assert_eq!(joined[2..5], whole);
        assert_eq!(joined[5..], ["/t/c.rlib", "-fuse-ld=lld"]);
        assert_eq!(left, ["-m64", "-Wl,-Bstatic", "-lc", "-pie", "-o", "/t/x.o", "-fuse-ld=lld"]);
    }

    #[test]
    fn a_program_is_linked_elsewhere_in_the_wanted_order() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut recipe = Recipe {
            linker: "sh".to_owned(),
            // A linker that writes its arguments into its output.
            arguments: texts(&["-c", "echo \"$@\" > \"$2\"", "sh", "-o", "elsewhere"]),
            folder: folder.path().to_owned(),
            search: env::var_os("PATH"),
            is_compiler: true,
        };
        recipe.link(7, None, &out).unwrap();
        let text = fs::read_to_string(&out).unwrap();
        assert!(
            text.starts_with(&format!("-o {} -Wl,--shuffle-sections={SHUFFLED}=7 ", out.display()))
        );
        assert!(text.ends_with(" -Wl,--strip-debug\n") && !text.contains("elsewhere"), "{text}");
        recipe.arguments[1] = "echo; echo unknown option >&2; exit 1".to_owned();
        assert!(recipe.link(7, None, &out).unwrap_err().ends_with("another order: unknown option"));
        recipe.linker = "no/such/linker".to_owned();
        assert!(recipe.link(7, None, &out).unwrap_err().starts_with("cannot run no/such/linker"));
    }
}
