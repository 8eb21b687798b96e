//! Finds files in which the versions differ and which a benchmark may read while it runs: a word of their path is in the
//! program, and plusminus has not written them itself.

use std::{
    cell::LazyCell,
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Component, Path, PathBuf},
};

use super::{
    git::{Commit, Repository},
    kinds_of_files::{Kind, is_of_toolchain, kind, settings_of},
    outside::lexical,
    texts::Texts,
};
use crate::{
    error::{Error, Result},
    report::own::is_own,
};

/// How the file begins by which cargo marks a target folder.
const CARGO_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo";

/// The files in which two commits differ, or a commit and the work tree.
pub(super) struct Inputs<'r> {
    repository: &'r Repository,
    base: Commit,
    /// `None` for the work tree.
    head: Option<Commit>,
    changed: Vec<String>,
    /// Files of the work tree that git does not know.
    untracked: Vec<String>,
    /// Links, and where they lead.
    links: Vec<(String, PathBuf)>,
    /// Folders of other repositories, of which git tells no more than that they changed.
    submodules: BTreeSet<String>,
}

impl<'r> Inputs<'r> {
    /// The files in which a commit and another one differ, or the work tree.
    pub(super) fn of(
        repository: &'r Repository,
        base: &Commit,
        head: Option<&Commit>,
    ) -> Result<Self> {
        let mut changed = repository.changed(base, head)?;
        let mut untracked = Vec::new();
        if head.is_none() {
            for file in repository.silenced()? {
                let now = standing(&repository.top.join(&file));
                if now.is_some() && now != repository.content(base, &file)? {
                    changed.push(file);
                }
            }
            untracked = repository.untracked()?;
            let known: BTreeSet<&String> = changed.iter().collect();
            untracked.retain(|file| !known.contains(file));
        }
        let mut links = links(repository)?;
        for commit in [Some(base), head].into_iter().flatten() {
            let of_commit = repository.links_of(commit)?.into_iter();
            links.extend(of_commit.map(|(link, text)| {
                let target = lexical(&Path::new(&link).with_file_name(text));
                (link, target)
            }));
        }
        let (base, head) = (base.clone(), head.cloned());
        let submodules = repository.submodules()?.into_iter().collect();
        Ok(Self { repository, base, head, changed, untracked, links, submodules })
    }

    /// Returns the first of them that a benchmark may read which is in one of these programs, or starts one of them, and which has
    /// these variables, of build scripts and of cargo's configuration.
    pub(super) fn read_by(
        &self,
        programs: &[&Path],
        settings: &[(String, String)],
    ) -> Result<Option<String>> {
        let texts = LazyCell::new(|| texts(programs, settings));
        // Many files have folders and ends of names in common.
        let mut known: BTreeMap<String, bool> = BTreeMap::new();
        let mut mentioned = |file: &str| -> Result<bool> {
            let texts = texts.as_ref().map_err(Error::clone)?;
            let mut has = |word: String| {
                let has = |texts: &Texts| texts.has(&word);
                *known.entry(word.clone()).or_insert_with(|| texts.iter().any(has))
            };
            Ok(kind(file) == Kind::Data && texts.iter().any(|one| one.is_unknown)
                || self.submodules.contains(file)
                || self.is_named_by_variable(file, texts)
                || is_found(file, &self.links, &mut has))
        };
        for file in &self.changed {
            let is_found = kind(file) == Kind::Setting || mentioned(file)?;
            if is_found && self.differs(file)? {
                return Ok(Some(file.clone()));
            }
        }
        for file in &self.untracked {
            if kind(file) != Kind::Setting && !mentioned(file)? {
                continue;
            }
            let content = standing(&self.repository.top.join(file));
            // A path without the content of a file is a link, or another repository.
            let is_set = content.is_none()
                || settings_of(file, content.as_deref()) != settings_of(file, None);
            let is_own = content.is_some_and(|content| is_own(&content));
            if is_set && !is_own && !is_built(&self.repository.top, file) {
                return Ok(Some(file.clone()));
            }
        }
        Ok(None)
    }

    /// The file by which a version asks for another compiler.
    pub(super) fn toolchain_file(&self) -> Option<String> {
        let mut all = self.changed.iter().chain(&self.untracked);
        all.find(|file| is_of_toolchain(file)).cloned()
    }

    /// The manifest or configuration in which the versions have different profiles to compile benchmarks with.
    pub(super) fn profile_file(&self) -> Result<Option<String>> {
        for file in self.changed.iter().filter(|file| has_profiles(file)) {
            let [base, new] = self.contents(file)?.map(profiles);
            if base != new {
                return Ok(Some(file.clone()));
            }
        }
        Ok(None)
    }

    /// The content of a file in both versions, if they have it.
    fn contents(&self, file: &str) -> Result<[Option<Vec<u8>>; 2]> {
        let base = self.repository.content(&self.base, file)?;
        let new = match &self.head {
            Some(commit) => self.repository.content(commit, file)?,
            None => standing(&self.repository.top.join(file)),
        };
        Ok([base, new])
    }

    /// Whether a changed file differs for benchmarks: its mode alone does not count, and own files never do.
    fn differs(&self, file: &str) -> Result<bool> {
        let sides = self.contents(file)?;
        // A mode that changed changes no content.
        let settings = sides.each_ref().map(|content| settings_of(file, content.as_deref()));
        if settings[0].is_some() && settings[0] == settings[1] {
            return Ok(false);
        }
        // A file that neither side has is a link, a submodule, or has a name that is not UTF-8.
        let mut there = sides.iter().flatten().peekable();
        Ok(there.peek().is_none() || !there.all(|content| is_own(content)))
    }

    /// Whether a variable of this process, which benchmarks inherit and one of these asks for, names a file or a folder of its path.
    fn is_named_by_variable(&self, file: &str, texts: &[Texts]) -> bool {
        env::vars_os().any(|(name, value)| {
            leads_to(Path::new(&value), file, &self.repository.top)
                && name.to_str().is_some_and(|name| texts.iter().any(|one| one.has(name)))
        })
    }
}

/// Whether cargo reads profiles from a file of this path.
fn has_profiles(file: &str) -> bool {
    let names = ["Cargo.toml", ".cargo/config.toml", ".cargo/config"];
    names.iter().any(|name| Path::new(file).ends_with(name))
}

/// The profiles of a manifest that benchmarks can have.
fn profiles(content: Option<Vec<u8>>) -> Option<toml::Table> {
    let manifest: toml::Table = toml::from_slice(&content?).ok()?;
    let mut profiles = manifest.get("profile")?.as_table()?.clone();
    // `test` and `dev` are for others.
    profiles.retain(|name, _| !["dev", "test"].contains(&name));
    (!profiles.is_empty()).then_some(profiles)
}

/// The texts of programs, and of variables that they ask for; what has no name is read in any case.
fn texts(programs: &[&Path], variables: &[(String, String)]) -> Result<Vec<Texts>> {
    let mut texts: Vec<Texts> =
        programs.iter().map(|path| Texts::of(path)).collect::<Result<_>>()?;
    let is_asked = |name: &str| name.is_empty() || texts.iter().any(|one| one.has(name));
    let asked = variables.iter().filter(|(name, _)| is_asked(name));
    let values: Vec<Texts> =
        asked.map(|(_, value)| Texts::from(value.clone().into_bytes())).collect();
    texts.extend(values);
    Ok(texts)
}

/// Whether a path, from whatever folder of the repository at `top`, may be that of a file, or of a folder around it.
fn leads_to(path: &Path, file: &str, top: &Path) -> bool {
    let path = match path.strip_prefix(top) {
        Ok(within) => within,
        Err(_) if path.is_absolute() => return false,
        Err(_) => path,
    };
    let parts: Vec<_> =
        path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let all: Vec<_> = Path::new(file).components().collect();
    !parts.is_empty() && all.windows(parts.len()).any(|some| some == parts)
}

/// The links of a repository into it, and where they lead.
fn links(repository: &Repository) -> Result<Vec<(String, PathBuf)>> {
    let target = |link: String| {
        let whole = fs::canonicalize(repository.top.join(&link)).ok()?;
        let target = whole.strip_prefix(fs::canonicalize(&repository.top).ok()?).ok()?;
        Some((link, target.to_owned()))
    };
    Ok(repository.links()?.into_iter().filter_map(target).collect())
}

/// Whether a program that has these words mentions a file, or a link that leads to it, perhaps by way of others.
fn is_found(file: &str, links: &[(String, PathBuf)], has: &mut dyn FnMut(String) -> bool) -> bool {
    let is_data = matches!(kind(file), Kind::Data | Kind::Page);
    let mut others: Vec<(PathBuf, &str)> = vec![(file.into(), file)];
    let mut next = 0;
    while let Some((path, named)) = others.get(next) {
        if is_mentioned(named, has) {
            return true;
        }
        let path = path.clone();
        for (link, target) in links {
            let Ok(rest) = path.strip_prefix(target) else { continue };
            let is_new = others.iter().all(|(_, named)| named != link);
            if is_new && (is_data || rest == Path::new("")) {
                others.push((Path::new(link).join(rest).components().collect(), link));
            }
        }
        next += 1;
    }
    false
}

/// Returns whether a program has in it the name of a file, that of one of its folders, or the end of its name, from which it may
/// make it. Of a page or a known file it has to have more: many programs have the word `docs`, or the ends of such names.
fn is_mentioned(file: &str, has: &mut dyn FnMut(String) -> bool) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let mut folders = folder.split('/').filter(|folder| !folder.is_empty());
    let end = name.rsplit_once('.').map(|(_, end)| format!(".{end}"));
    let mut has = |word: &str| has(word.to_owned());
    match kind(file) {
        Kind::Source => false,
        Kind::Known => has(name),
        Kind::Page => {
            // Every program has the word `src/`, and a book keeps its pages in such a folder.
            let last = folders.rfind(|folder| *folder != "src");
            has(name)
                || last.is_some_and(|folder| {
                    has(&format!("{folder}/")) || has(folder) && end.is_some_and(|end| has(&end))
                })
        }
        Kind::Data | Kind::Setting => {
            end.is_some_and(|end| has(&end)) || folders.chain([name]).any(has)
        }
    }
}

/// The content of a regular file of the work tree.
fn standing(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    is_file.then(|| fs::read(path).ok()).flatten()
}

/// Returns whether a file lies in a target folder of cargo.
fn is_built(top: &Path, file: &str) -> bool {
    let folders = Path::new(file).ancestors().skip(1).filter(|folder| *folder != Path::new(""));
    folders
        .filter_map(|folder| standing(&top.join(folder).join("CACHEDIR.TAG")))
        .any(|tag| tag.starts_with(CARGO_TAG.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a program with this text mentions a file.
    fn mentions(file: &str, text: &str) -> bool {
        is_mentioned(file, &mut |word| text.contains(&word))
    }

    #[test]
    fn a_page_or_a_script_is_read_by_a_program_that_has_its_name() {
        let spec = |text: &str| mentions("docs/guide/spec.md", text);
        assert!(spec("open spec.md") && spec("read_dir guide/") && spec("guide {}.md"));
        assert!(!spec("guide spec") && !spec(""));
        assert!(!mentions("scripts/regex/grapheme.sh", "grapheme regex scripts"));
        let book = |text: &str| mentions("book/src/spec.md", text);
        assert!(book("open spec.md") && book("read_dir book/src"));
        assert!(!book("src/lib.rs") && !book("a book"));
        // Release notes change with almost every version.
        let notes = |text: &str| mentions("release-notes.md", text);
        assert!(notes("open release-notes.md") && !notes("src/lib.rs / release-notes"));
    }

    #[test]
    fn a_known_file_is_read_by_a_program_that_has_its_name() {
        assert!(mentions("Cargo.lock", "open Cargo.lock"));
        assert!(mentions("crates/own/README.md", "parse README.md"));
        assert!(!mentions("crates/own/README.md", "crates/own/src/lib.rs"));
        assert!(!mentions("crates/own/src/lib.rs", "crates/own/src/lib.rs"));
    }

    #[test]
    fn a_file_of_data_is_read_by_a_program_that_has_a_word_of_its_path() {
        let words = |text: &str| mentions("tests/fixtures/words-2.txt", text);
        for text in ["fixtures", "../tests", "{}.txt", "words-2.txt"] {
            assert!(words(text), "{text}");
        }
        assert!(!words("test fixture words txt"));
        assert!(mentions("words", "two words") && !mentions("words", "a word"));
    }

    #[test]
    fn a_file_is_found_by_the_links_to_it_and_to_its_folders() {
        let links = [
            ("benches/corpus", "shared/words"),
            ("input.zz", "src/lib.rs"),
            ("src", "own"),
            ("first", "second/words"),
            ("second", "third"),
            ("third/around", "third"),
        ];
        let links = links.map(|(link, target)| (link.to_owned(), PathBuf::from(target)));
        let is_found =
            |file: &str, text: &str| is_found(file, &links, &mut |word| text.contains(&word));
        assert!(is_found("shared/words/2.bin", "benches"));
        assert!(!is_found("shared/2.bin", "benches") && !is_found("shared/words/2.bin", ""));
        assert!(is_found("src/lib.rs", "input.zz") && !is_found("src/lib.rs", "src/lib.rs"));
        assert!(is_found("third/words", "first") && !is_found("third/others", "first"));
        // Every program has the word `src`.
        assert!(!is_found("own/lib.rs", "src/") && !is_found("own/Cargo.toml", "src/"));
    }

    #[test]
    fn profiles_of_benchmarks_are_compared_and_all_else_of_a_manifest_is_not() {
        assert!(has_profiles("Cargo.toml") && has_profiles("a/.cargo/config.toml"));
        assert!(!has_profiles("docs/config.toml") && !has_profiles("NotCargo.toml"));
        let of = |text: &str| profiles(Some(text.into()));
        let plain = "[package]\nname = 'a'\n[profile.dev]\nopt-level = 1\n";
        assert_eq!((of(plain), of("[dependencies"), profiles(None)), (None, None, None));
        let lto = of("[profile.bench]\nlto = true\n");
        assert!(lto.is_some() && lto != of("[profile.bench]\nlto = false\n"));
        assert_eq!(lto, of("# As before.\n[profile.bench]\nlto=true\n[profile.test]\nlto=true\n"));
    }

    #[test]
    fn a_variable_names_a_file_by_its_path_from_some_folder() {
        let leads = |path: &str| leads_to(Path::new(path), "own/data/words", Path::new("/r"));
        for path in ["data/words", "data", "./data/", "../own/data", "/r/own/data/words", "words"] {
            assert!(leads(path), "{path}");
        }
        for path in ["", ".", "/r", "/data", "dat", "data/word", "1", "words/data"] {
            assert!(!leads(path), "{path}");
        }
    }

    #[test]
    fn a_target_folder_is_known_by_the_tag_that_cargo_writes() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["built", "cache"] {
            fs::create_dir_all(folder.path().join(name).join("inner")).unwrap();
        }
        let tag = format!("{CARGO_TAG}.\n# For information about cache directory tags see …\n");
        fs::write(folder.path().join("built/CACHEDIR.TAG"), tag).unwrap();
        let other = "Signature: 8a477f597d28d172789f06886806bc55\n# Of another program\n";
        fs::write(folder.path().join("cache/CACHEDIR.TAG"), other).unwrap();
        assert!(is_built(folder.path(), "built/inner/data.bin"));
        assert!(!is_built(folder.path(), "cache/inner/data.bin"));
        assert!(!is_built(folder.path(), "data.bin"));
    }
}
