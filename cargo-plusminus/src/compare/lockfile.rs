//! Which `Cargo.lock` each side is built with, and the versions in it.

use std::{
    collections::BTreeMap,
    fs,
    io::{ErrorKind, Write},
    path::Path,
};

use serde::Deserialize;

use super::arguments::Locks;
use crate::error::{Error, Result, at};

pub(super) type Text = Vec<u8>;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lock {
    /// `None` if cargo is to resolve anew.
    pub(super) text: Option<Text>,
    /// Whose it is, in words that follow "Cargo.lock: ".
    pub(super) origin: &'static str,
}

/// The side's own.
pub(super) const OWN: &str = "its own";

pub(super) const RESOLVED: &str = "none; resolved now";

/// Chooses for base and head, from their own lock files and the one in the user's work tree.
pub(super) fn choose<'a>(
    rule: Locks,
    base: Option<&'a Text>,
    head: Option<&'a Text>,
    working: Option<&'a Text>,
) -> [Lock; 2] {
    let own = |text: Option<&'a Text>| text.map(|text| (text, OWN));
    let lent = |text: Option<&'a Text>, origin| text.map(|text| (text, origin));
    let of_working = lent(working, "the working tree's");
    let for_base = match rule {
        Locks::Each => own(base).or(of_working).or(lent(head, "head's")),
        Locks::Head => lent(head, "head's").or(of_working).or(own(base)),
    };
    let lock = |found: Option<(&Text, &'static str)>| {
        let (text, origin) = found.unzip();
        Lock { text: text.cloned(), origin: origin.unwrap_or(RESOLVED) }
    };
    [lock(for_base), lock(own(head).or(of_working).or(lent(base, "base's")))]
}

pub(super) fn read(workspace: &Path) -> Result<Option<Text>> {
    let path = workspace.join("Cargo.lock");
    match fs::read(&path) {
        Ok(text) => Ok(Some(text)),
        Err(reason) if reason.kind() == ErrorKind::NotFound => Ok(None),
        Err(reason) => Err(at("read", &path)(reason)),
    }
}

/// Gives a workspace a lock file. One that is there is replaced, never written through.
pub(super) fn give(workspace: &Path, text: &Text) -> Result<()> {
    let path = workspace.join("Cargo.lock");
    let mut file = tempfile::NamedTempFile::new_in(workspace).map_err(at("write to", workspace))?;
    file.write_all(text).map_err(at("write", &path))?;
    file.persist(&path).map_err(|reason| at("write", &path)(reason.error))?;
    Ok(())
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    /// A name, with a version and a source behind it where there are several.
    #[serde(default)]
    dependencies: Vec<String>,
}

/// The sources of locked packages by name and version: of one from git with the commit.
pub(super) fn sources(text: &Text) -> Result<BTreeMap<(String, String), String>> {
    let packages = packages(text)?.into_iter();
    Ok(packages.filter_map(|p| Some(((p.name, p.version), p.source?))).collect())
}

/// The names of the dependencies of each locked package with a source, over all of its versions.
pub(super) fn dependencies(text: &Text) -> Result<BTreeMap<String, Vec<String>>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages(text)?.into_iter().filter(|package| package.source.is_some()) {
        let names = package.dependencies.iter().filter_map(|one| one.split(' ').next());
        found.entry(package.name).or_default().extend(names.map(str::to_owned));
    }
    Ok(found)
}

fn packages(text: &Text) -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        package: Vec<Package>,
    }
    let wrong = |reason: String| Error::Message(format!("Cargo.lock is not understood: {reason}"));
    let text = std::str::from_utf8(text).map_err(|reason| wrong(reason.to_string()))?;
    let file: File = toml::from_str(text).map_err(|reason| wrong(reason.to_string()))?;
    Ok(file.package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_gives_the_lock_file_that_it_names() {
        let texts = [b"base".to_vec(), b"head".to_vec(), b"working".to_vec()];
        let [b, h, w] = [Some(&texts[0]), Some(&texts[1]), Some(&texts[2])];
        let chosen = |rule, base, head, working| {
            let [base, head] = choose(rule, base, head, working).map(|lock| {
                (String::from_utf8(lock.text.unwrap_or_default()).unwrap(), lock.origin)
            });
            (base, head)
        };
        let of = |text: &str, origin| (text.to_owned(), origin);
        let each = |base, head, working| chosen(Locks::Each, base, head, working);
        assert_eq!(each(b, h, w), (of("base", OWN), of("head", OWN)));
        assert_eq!(each(None, h, w), (of("working", "the working tree's"), of("head", OWN)));
        assert_eq!(each(None, h, None), (of("head", "head's"), of("head", OWN)));
        assert_eq!(each(b, None, None), (of("base", OWN), of("base", "base's")));
        assert_eq!(each(None, None, None), (of("", RESOLVED), of("", RESOLVED)));
        assert_eq!(chosen(Locks::Head, b, h, w), (of("head", "head's"), of("head", OWN)));
        assert_eq!(chosen(Locks::Head, b, None, None), (of("base", OWN), of("base", "base's")));
        let working = of("working", "the working tree's");
        assert_eq!(chosen(Locks::Head, b, None, w), (working.clone(), working));
    }

    #[test]
    fn sources_of_git_have_their_commit() {
        let text = b"version = 4\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\
                     source = \"git+https://example.org/a?branch=main#0123\"\n\
                     [[package]]\nname = \"own\"\nversion = \"0.0.0\"\n"
            .to_vec();
        let sources = sources(&text).unwrap();
        assert_eq!(sources.len(), 1);
        let source = &sources[&("a".to_owned(), "1.0.0".to_owned())];
        assert!(source.ends_with("#0123"));
    }
}
