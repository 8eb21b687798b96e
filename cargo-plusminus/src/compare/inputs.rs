//! Finds files in which the versions differ and which a benchmark may read while it runs: whatever is neither source nor
//! documentation, nor written by plusminus itself.

use std::{
    cell::LazyCell,
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use toml::{Table, Value};

use super::{
    beside::{loaded, occurs},
    git::{Commit, Repository},
    kinds_of_files::{Reading, is_configuration, is_for_people, reading},
};
use crate::{
    error::{Result, at},
    report::own::is_own,
};

/// How the file begins by which cargo marks a target folder.
const CARGO_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo";

/// Returns the first file in which two commits differ, or a commit and the work tree, that a benchmark in one of these
/// programs may read.
pub(super) fn changed(
    repository: &Repository,
    base: &Commit,
    head: Option<&Commit>,
    programs: &[&Path],
) -> Result<Option<String>> {
    let mut files = repository.changed(base, head)?;
    if head.is_none() {
        for file in repository.silenced()? {
            let now = standing(&repository.top.join(&file));
            if now.is_some() && now != repository.content(base, &file)? {
                files.push(file);
            }
        }
    }
    let texts = LazyCell::new(|| Texts::of(repository, programs));
    let mentioned = |file: &str| match &*texts {
        Ok(texts) => Ok(texts.mention(file)),
        Err(reason) => Err(reason.clone()),
    };
    for file in &files {
        let reading = reading(file);
        if reading == Reading::Never || reading == Reading::ByName && !mentioned(file)? {
            continue;
        }
        let new = match head {
            Some(commit) => repository.content(commit, file)?,
            None => standing(&repository.top.join(file)),
        };
        if is_configuration(file) {
            let base = repository.content(base, file)?;
            match variables(base.as_deref()) == variables(new.as_deref()) {
                true => continue,
                false => return Ok(Some(file.clone())),
            }
        }
        // A file that neither side has is a link, a submodule, or has a name that is no text.
        let sides = [repository.content(base, file)?, new];
        let mut there = sides.iter().flatten().peekable();
        if there.peek().is_none() || !there.all(|content| is_own(content)) {
            return Ok(Some(file.clone()));
        }
    }
    if head.is_some() {
        return Ok(None);
    }
    let known: BTreeSet<&String> = files.iter().collect();
    for file in repository.untracked()? {
        let content = || standing(&repository.top.join(&file));
        let is_read = match reading(&file) {
            _ if known.contains(&file) => false,
            _ if is_configuration(&file) => variables(content().as_deref()) != variables(None),
            Reading::Never => false,
            Reading::ByName if !mentioned(&file)? => false,
            _ => {
                !is_built(&repository.top, &file)
                    && !content().is_some_and(|content| is_own(&content))
            }
        };
        if is_read {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// The words by which programs may find a file.
struct Texts {
    /// The content of programs and of cargo's configuration, whose variables may lead to a folder.
    read: Vec<Vec<u8>>,
    /// Links to folders, and where they lead.
    links: Vec<(String, PathBuf)>,
}

impl Texts {
    fn of(repository: &Repository, programs: &[&Path]) -> Result<Self> {
        let top = &repository.top;
        let mut read: Vec<Vec<u8>> =
            programs.iter().map(|path| text(path)).collect::<Result<_>>()?;
        read.extend(standing(&top.join(".cargo/config.toml")));
        let target = |link: String| {
            let target = fs::canonicalize(top.join(&link)).ok().filter(|target| target.is_dir())?;
            Some((link, target.strip_prefix(fs::canonicalize(top).ok()?).ok()?.to_owned()))
        };
        Ok(Self { read, links: repository.links()?.into_iter().filter_map(target).collect() })
    }

    fn mention(&self, file: &str) -> bool {
        let leads_to = |(link, target): &(String, PathBuf)| {
            Path::new(file).starts_with(target) && is_mentioned(link, &self.read)
        };
        is_mentioned(file, &self.read) || self.links.iter().any(leads_to)
    }
}

/// The part of a program that is in memory while it runs; all of its file where that is not known.
fn text(path: &Path) -> Result<Vec<u8>> {
    let program = fs::read(path).map_err(at("read", path))?;
    let parts = loaded(&program)
        .map(|parts| parts.into_iter().flat_map(|(_, _, part)| part).copied().collect());
    Ok(parts.unwrap_or(program))
}

/// Returns whether a program has in it the name of a file, that of one of its folders, or the end of its name, from which it may
/// make it. Of a page or script it has to have more: many programs have the word `docs`, or the ends of such names.
fn is_mentioned(file: &str, programs: &[Vec<u8>]) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let mut folders = folder.split('/').filter(|folder| !folder.is_empty());
    let words: Vec<String> = if is_for_people(file) {
        let last = folders.next_back().map(|folder| format!("{folder}/"));
        last.into_iter().chain([name.to_owned()]).collect()
    } else {
        let end = name.rsplit_once('.').map(|(_, end)| format!(".{end}"));
        let begin = |word: &str| word.get(..TOGETHER).unwrap_or(word).to_owned();
        folders.chain([name]).map(begin).chain(end).collect()
    };
    programs.iter().any(|text| words.iter().any(|word| occurs(text, word)))
}

/// The bytes at the beginning of a text that lie side by side in the program, even where the text is part of instructions.
const TOGETHER: usize = 8;

/// The variables that cargo sets for benchmarks by a configuration, but for those of the harness; all of the file if it is none.
fn variables(file: Option<&[u8]>) -> Value {
    let text = String::from_utf8_lossy(file.unwrap_or_default());
    let Ok(mut table) = text.parse::<Table>() else { return Value::String(text.into_owned()) };
    let mut variables = match table.remove("env") {
        Some(Value::Table(variables)) => variables,
        other => other.map(|other| ("env".to_owned(), other)).into_iter().collect(),
    };
    variables.retain(|name, _| !name.starts_with("PLUSMINUS_"));
    Value::Table(variables)
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

    #[test]
    fn of_a_configuration_of_cargo_the_variables_count() {
        let of = |text: &str| variables(Some(text.as_bytes()));
        let one = of("[env]\nN = '1'");
        assert_eq!(of("[env]\nPLUSMINUS_RUNS = '3'\nN = '1'\n[build]\njobs = 1"), one);
        assert_ne!(of("[env]\nN = '2'"), one);
        assert_ne!(of("[env]\nN = { value = '1', force = true }"), one);
        assert_ne!(of(""), one);
        assert_eq!(of("[alias]\nb = 'bench'"), variables(None));
        assert_ne!(of("no configuration"), variables(None));
    }

    #[test]
    fn a_page_is_read_by_a_program_that_mentions_it() {
        let mentions = |text: &str| is_mentioned("docs/guide/spec.md", &[text.into()]);
        assert!(is_for_people("docs/guide/spec.md") && !is_for_people("data/spec.md"));
        assert!(mentions("open spec.md") && mentions("read_dir guide/"));
        assert!(!mentions("guide spec") && !mentions(""));
        assert!(!is_mentioned("scripts/regex/grapheme.sh", &["grapheme regex scripts".into()]));
        // Release notes change with almost every version.
        let mentions = |text: &str| is_mentioned("release-notes.md", &[text.into()]);
        assert!(is_for_people("release-notes.md") && !is_for_people("words.txt"));
        assert!(mentions("open release-notes.md") && !mentions("src/lib.rs / release-notes"));
    }

    #[test]
    fn a_file_of_data_is_read_by_a_program_that_has_a_word_of_its_path() {
        let mentions = |text: &str| is_mentioned("tests/fixtures/words-2.txt", &[text.into()]);
        for text in ["fixtures", "../tests", "{}.txt", "words-2.txt", "words-2.\u{0}xt"] {
            assert!(mentions(text), "{text}");
        }
        assert!(!mentions("test fixture words txt"));
        assert!(is_mentioned("words", &["two words".into()]));
        assert!(!is_mentioned("words", &["a word".into()]) && !is_mentioned("a.png", &[]));
    }

    #[test]
    fn a_file_is_found_by_the_links_to_its_folders() {
        let of = |text: &str| Texts {
            read: vec![text.into()],
            links: vec![("benches/corpus".to_owned(), "shared/words".into())],
        };
        let text = "benches";
        assert!(of(text).mention("shared/words/2.bin"));
        assert!(!of(text).mention("shared/2.bin") && !of("").mention("shared/words/2.bin"));
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
