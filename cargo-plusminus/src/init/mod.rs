//! `cargo plusminus init`: shows what a workspace needs to gate its pull requests, and writes it when asked to. It changes
//! lines of manifests and adds files. It never replaces a file that it has not written.

mod diff;
mod harness;
mod manifest;
mod workflows;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use plusminus::{
    exit,
    output::{print, write_file},
    text::visible,
};
use toml_edit::{DocumentMut, TableLike, value};

use crate::{
    cargo::{Metadata, Package, metadata},
    error::{Error, Result, at, error},
};
use harness::Harness;
pub(crate) use workflows::Server;

/// The version of plusminus that the files ask for.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The requirement in a manifest that this version fulfills.
const REQUIREMENT: &str =
    concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// The command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo plusminus init                      show what would be written, and why
  cargo plusminus init --write              write it")]
pub(crate) struct Arguments {
    /// Write the files. Without this, only show them.
    #[arg(long)]
    write: bool,
    /// Choose the build server [default: by the repository].
    #[arg(long, value_enum, value_name = "SERVER")]
    ci: Option<Server>,
    /// Depend on this clone of plusminus instead of the published packages.
    #[arg(long, value_name = "FOLDER")]
    clone: Option<PathBuf>,
    /// Use the package or workspace of this Cargo.toml.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

/// Where plusminus comes from.
#[derive(Debug, Clone, PartialEq)]
enum Source {
    /// The published packages.
    Registry,
    /// A clone of its repository.
    Clone(PathBuf),
}

impl Source {
    /// Adds the place of a package, which is this folder in a clone, to a dependency.
    fn locate(&self, dependency: &mut dyn TableLike, folder: &str) {
        match self {
            Self::Registry => dependency.insert("version", value(REQUIREMENT)),
            Self::Clone(clone) => {
                dependency.insert("path", value(clone.join(folder).to_string_lossy().as_ref()))
            }
        };
    }
}

/// A file as it is and as it should be.
#[derive(Debug)]
struct Write {
    path: PathBuf,
    /// None if there is no such file.
    old: Option<String>,
    new: String,
    /// The whole file is ours. One that differs is the user's, and stays.
    is_whole: bool,
}

impl Write {
    /// A file that is ours as a whole.
    fn whole(path: PathBuf, new: String) -> Self {
        // A file that cannot be read is the user's.
        let old = path.exists().then(|| fs::read_to_string(&path).unwrap_or_default());
        Self { path, old, new, is_whole: true }
    }

    /// Whether there is anything to do, and it may be done.
    fn is_wanted(&self) -> bool {
        match &self.old {
            Some(old) => !self.is_whole && *old != self.new,
            None => true,
        }
    }

    /// Whether a user's file stands where ours would.
    fn is_kept(&self) -> bool {
        self.is_whole && self.old.as_ref().is_some_and(|old| *old != self.new)
    }
}

#[derive(Default)]
struct Plan {
    files: Vec<Write>,
    /// The harness of each package, one line per package.
    found: Vec<String>,
    /// The steps that are left to the user.
    left: Vec<String>,
    /// Whether any package has, or gets, benchmarks that `compare` measures.
    has_own: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let metadata = metadata(arguments.manifest_path.as_deref())?;
    let source = match &arguments.clone {
        None => Source::Registry,
        Some(clone) => Source::Clone(fs::canonicalize(clone).map_err(at("find", clone))?),
    };
    let mut plan = Plan::default();
    plan.benches(&metadata, &source)?;
    plan.server(&metadata, &source, arguments.ci);
    if arguments.write {
        for file in plan.files.iter().filter(|file| file.is_wanted()) {
            write_file(&file.path, file.new.as_bytes()).map_err(at("write", &file.path))?;
        }
    }
    let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
    print(&plan.told(&here, arguments.write)).map_err(Error::Message)?;
    Ok(exit::FINE)
}

impl Plan {
    fn benches(&mut self, metadata: &Metadata, source: &Source) -> Result<()> {
        let mut inherited = Vec::new();
        let mut is_empty = true;
        for package in &metadata.packages {
            let harnesses = harness::all(package);
            if harnesses.is_empty() {
                continue;
            }
            is_empty = false;
            let mut manifest = self.manifest(&package.manifest_path)?;
            for harness in harnesses {
                self.found.push(found(package, &harness));
                match harness {
                    Harness::Own => self.has_own = true,
                    Harness::DropIn(name) => {
                        self.has_own = true;
                        if manifest::drop_in(&mut manifest, name, source) {
                            inherited.push(name);
                        }
                        without_benches(&mut manifest, package);
                    }
                    Harness::Libtest(benches) => {
                        self.has_own = true;
                        for bench in benches {
                            manifest::without_harness(&mut manifest, &bench.name);
                            self.edit(&bench.src_path, harness::from_libtest)?;
                        }
                        manifest::depend(&mut manifest, source);
                        without_benches(&mut manifest, package);
                    }
                    Harness::Other(_) => self.left.push(format!(
                        "`cargo plusminus changed BASE` lists the benchmarks of `{}` whose machine code changed.",
                        visible(&package.name)
                    )),
                }
            }
            self.edit(&package.manifest_path, |_| manifest.to_string())?;
        }
        inherited.dedup();
        let root = metadata.workspace_root.join("Cargo.toml");
        for name in inherited {
            let mut manifest = self.manifest(&root)?;
            manifest::drop_in_workspace(&mut manifest, name, source);
            self.edit(&root, |_| manifest.to_string())?;
        }
        if is_empty { self.first(metadata, source) } else { Ok(()) }
    }

    /// Plans a first benchmark, where there is none: of the package that cargo builds first.
    fn first(&mut self, metadata: &Metadata, source: &Source) -> Result<()> {
        let has_lib = |package: &&&Package| package.targets.iter().any(|target| target.is("lib"));
        let members = metadata.default_members();
        let Some(package) = members.iter().find(has_lib).or(members.first()) else {
            return error(
                "the workspace has no package. Add one: `cargo new --lib NAME`, then run this again",
            );
        };
        self.found.push(format!("`{}` has no benchmarks", visible(&package.name)));
        let folder = package.manifest_path.parent().unwrap_or(Path::new("."));
        self.files.push(Write::whole(
            folder.join("benches/first.rs"),
            include_str!("first.rs").to_owned(),
        ));
        let mut manifest = self.manifest(&package.manifest_path)?;
        manifest::depend(&mut manifest, source);
        without_benches(&mut manifest, package);
        manifest::without_harness(&mut manifest, "first");
        self.has_own = true;
        self.edit(&package.manifest_path, |_| manifest.to_string())
    }

    fn server(&mut self, metadata: &Metadata, source: &Source, chosen: Option<Server>) {
        if !self.has_own {
            return;
        }
        let Some(top) = workflows::top(&metadata.workspace_root) else {
            self.left.push(
                "This folder is not in a git repository, so there is nothing to compare with. Run `git init`, commit, and \
                 run this again."
                    .to_owned(),
            );
            return;
        };
        let server = chosen.unwrap_or_else(|| Server::of(&top));
        self.files.extend(server.files(&top, &metadata.workspace_root, source));
        if server == Server::Gitlab {
            self.left
                .push("Add `include: .gitlab/benchmarks.yml` to your `.gitlab-ci.yml`.".to_owned());
        }
        if server != Server::None && matches!(source, Source::Clone(_)) {
            self.left.push(
                "The clone is not on the build server: change the step `Install cargo-plusminus`."
                    .to_owned(),
            );
        }
    }

    /// Returns a manifest as it is planned so far.
    fn manifest(&self, path: &Path) -> Result<DocumentMut> {
        let planned = self.files.iter().find(|file| file.path == path);
        let text = match planned {
            Some(file) => file.new.clone(),
            None => fs::read_to_string(path).map_err(at("read", path))?,
        };
        text.parse()
            .map_err(|reason| Error::Message(format!("cannot read {}: {reason}", path.display())))
    }

    fn edit(&mut self, path: &Path, change: impl FnOnce(&str) -> String) -> Result<()> {
        if let Some(file) = self.files.iter_mut().find(|file| file.path == path) {
            file.new = change(&file.new);
            return Ok(());
        }
        let old = fs::read_to_string(path).map_err(at("read", path))?;
        let new = change(&old);
        self.files.push(Write { path: path.to_owned(), old: Some(old), new, is_whole: false });
        Ok(())
    }

    /// Returns the text to print, with paths as they are from a folder.
    fn told(&self, here: &Path, written: bool) -> String {
        let shown =
            |path: &Path| visible(&path.strip_prefix(here).unwrap_or(path).display().to_string());
        let mut text: String = self.found.iter().map(|line| format!("{line}\n")).collect();
        let wanted: Vec<&Write> = self.files.iter().filter(|file| file.is_wanted()).collect();
        for file in &wanted {
            let path = shown(&file.path);
            match &file.old {
                Some(_) if written => text.push_str(&format!("\nchanged {path}\n")),
                None if written => text.push_str(&format!("\nwrote {path}\n")),
                Some(old) => {
                    text.push_str(&format!("\n{path}\n{}", diff::diff(old, &file.new)));
                }
                None => text.push_str(&format!("\n{path} (new)\n{}", diff::diff("", &file.new))),
            }
        }
        for file in self.files.iter().filter(|file| file.is_kept()) {
            text.push_str(&format!(
                "\n{} differs from what this would write, and stays as it is.\n",
                shown(&file.path)
            ));
        }
        if !self.left.is_empty() {
            text.push('\n');
        }
        self.left.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        text.push_str(match (wanted.is_empty(), written, self.has_own) {
            (true, _, false) => "\nThere is nothing to write.\n",
            (true, _, true) => {
                "\nEverything is there. Next: cargo plusminus compare --merge-base main\n"
            }
            (false, false, _) => "\nNothing is written yet. Next: cargo plusminus init --write\n",
            (false, true, _) => {
                "\nNext: cargo bench -- --quick\nThen commit, push, and open a pull request.\n"
            }
        });
        text
    }
}

/// Takes what is no benchmark out of `cargo bench`.
fn without_benches(manifest: &mut DocumentMut, package: &Package) {
    let folder = package.manifest_path.parent().unwrap_or(Path::new("."));
    for target in &package.targets {
        let path = target.src_path.strip_prefix(folder).unwrap_or(&target.src_path);
        for kind in ["lib", "bin"].into_iter().filter(|kind| target.is(kind)) {
            manifest::without_benches(manifest, kind, &target.name, path);
        }
    }
}

fn found(package: &Package, harness: &Harness) -> String {
    let name = visible(&package.name);
    match harness {
        Harness::Own => format!("`{name}` uses plusminus"),
        Harness::DropIn(harness) => {
            format!("`{name}` uses {harness}: the drop-in runs its benchmarks as they are")
        }
        Harness::Libtest(benches) => {
            let names: Vec<String> =
                benches.iter().map(|bench| format!("`{}`", visible(&bench.name))).collect();
            format!("`{name}` has benchmarks of libtest: {}", names.join(", "))
        }
        Harness::Other(harness) => format!("`{name}` uses {}, which stays", visible(harness)),
    }
}
