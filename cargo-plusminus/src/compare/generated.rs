//! Products of build scripts that a benchmark may read while it runs: files below `OUT_DIR`, and variables.

use memchr::memmem;
use plusminus_same_code::BuildFolders;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::Path,
};

use super::{
    build::{Bench, Built},
    texts::Texts,
};
use crate::error::{Result, at};

/// The variable in which a package's own benchmarks find the folder of its build script.
pub(super) const OUTPUT: &str = "OUT_DIR";

/// Files for the linker, whose content is looked at in the program, and notes of compilers: read by a program that has their name.
const LINKED: [&str; 6] = ["o", "a", "d", "lib", "rlib", "rmeta"];

/// Sources are compiled, and messages of programs name them.
const SOURCE: &str = "rs";

/// A bench target of one side.
pub(super) type Side<'a> = (&'a Bench, &'a Built, &'a BuildFolders);

/// Returns a product of build scripts that differs between the sides: a file, if a bench program may know its folder, or a variable
/// of the package's own script, if a program has its name.
pub(super) fn changed(sides: [Side<'_>; 2]) -> Result<Option<String>> {
    let (mut packages, mut variables) = (BTreeSet::new(), BTreeSet::new());
    let mut programs = Vec::new();
    for (bench, built, _) in sides {
        if built.scripts.is_empty() {
            continue;
        }
        // The arguments of the linker are also in the file, and contain these folders.
        let texts = Texts::of(&bench.binary)?;
        for script in &built.scripts {
            let is_own = script.package == bench.package;
            if texts.has(&script.output.to_string_lossy()) || is_own && texts.has(OUTPUT) {
                packages.insert(&script.package);
            }
            let known = script.variables.iter().filter(|(name, _)| is_own && texts.has(name));
            for (name, value) in known {
                variables.insert(name);
                if value.contains(&*script.output.to_string_lossy()) {
                    packages.insert(&script.package);
                }
            }
        }
        programs.push(texts);
    }
    let is_named = |name: &str| programs.iter().any(|texts| texts.has(name));
    for package in packages {
        let [base, new] =
            [written(sides[0], package, is_named)?, written(sides[1], package, is_named)?];
        let mut names = base.keys().chain(new.keys());
        if let Some(name) = names.find(|name| base.get(*name) != new.get(*name)) {
            return Ok(Some(name.clone()));
        }
    }
    let differs = |name: &&String| variable(sides[0], name) != variable(sides[1], name);
    Ok(variables.into_iter().find(differs).map(|name| format!("variable {name}")))
}

/// The values of a variable that scripts of a bench target's package set.
fn variable((bench, built, folders): Side<'_>, name: &str) -> Vec<Vec<u8>> {
    let scripts = built.scripts.iter().filter(|script| script.package == bench.package);
    let all = scripts.flat_map(|script| &script.variables).filter(|(known, _)| known == name);
    all.map(|(_, value)| placeless(value.as_bytes(), folders)).collect()
}

/// The files that the build scripts of a package have written, with their content.
fn written(
    (_, built, folders): Side<'_>,
    package: &str,
    is_named: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let of_package = built.scripts.iter().filter(|script| script.package == package);
    let mut left: Vec<_> = of_package.map(|one| (one.output.clone(), &one.output)).collect();
    while let Some((folder, top)) = left.pop() {
        for entry in fs::read_dir(&folder).map_err(at("read", &folder))? {
            let path = entry.map_err(at("read", &folder))?.path();
            // A link may lead back up, so folders are not looked for behind it.
            let found = fs::symlink_metadata(&path).map_err(at("read", &path))?;
            if found.is_dir() {
                left.push((path, top));
                continue;
            }
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let last = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if extension == SOURCE || LINKED.contains(&extension) && !is_named(last) {
                continue;
            }
            let content = if found.is_symlink() && !path.is_file() {
                let target = fs::read_link(&path).map_err(at("read", &path))?;
                target.into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).map_err(at("read", &path))?
            };
            let name = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
            files.insert(name, placeless(&content, folders));
        }
    }
    Ok(files)
}

/// Returns a text with words instead of the folders of a side.
pub(super) fn placeless(text: &[u8], folders: &BuildFolders) -> Vec<u8> {
    without(&without(text, &folders.target, "TARGET"), &folders.top, "TOP")
}

/// Returns a text with a word instead of a path, which differs between the sides.
fn without(text: &[u8], path: &Path, word: &str) -> Vec<u8> {
    let path = path.as_os_str().as_encoded_bytes();
    let mut made = Vec::with_capacity(text.len());
    let mut end = 0;
    for at in memmem::find_iter(text, path).filter(|_| !path.is_empty()) {
        made.extend_from_slice(&text[end..at]);
        made.extend_from_slice(word.as_bytes());
        end = at + path.len();
    }
    made.extend_from_slice(&text[end..]);
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::build::Script;

    #[test]
    fn what_a_build_script_makes_counts_for_benches_that_know_where_it_is() {
        let home = tempfile::tempdir().unwrap();
        let found = |files: [&[(&str, &str)]; 2], mentions: &str| {
            let sides = ["base", "work"].map(|role| home.path().join(role));
            let made: Vec<_> = sides
                .iter()
                .zip(files)
                .map(|(target, files)| {
                    let _ = fs::remove_dir_all(target);
                    let out = target.join("out");
                    fs::create_dir_all(out.join("inner")).unwrap();
                    for (name, text) in files {
                        let text = text.replace("OUT", &out.display().to_string());
                        fs::write(out.join(name), text).unwrap();
                    }
                    let program = target.join("bench");
                    let text = mentions.replace("OUT/", &out.display().to_string());
                    fs::write(&program, text).unwrap();
                    let variables =
                        vec![("SIZE".to_owned(), format!("{}{}", out.display(), files.len()))];
                    let script = Script { package: "own".to_owned(), output: out, variables };
                    let built = Built { scripts: [script].into(), ..Built::default() };
                    let folders = BuildFolders { top: "/tree".into(), target: target.clone() };
                    (Bench::for_test("own", program), built, folders)
                })
                .collect();
            let [base, new] = &made[..] else { unreachable!() };
            changed([(&base.0, &base.1, &base.2), (&new.0, &new.1, &new.2)]).unwrap()
        };
        let table = |text| [("inner/table.bin", text)];
        let file = Some("inner/table.bin");
        assert_eq!(found([&table("1"), &table("2")], "OUT/").as_deref(), file);
        assert_eq!(found([&table("1"), &[]], "OUT/").as_deref(), file);
        assert_eq!(found([&table("1"), &table("2")], "var(OUT_DIR)").as_deref(), file);
        assert_eq!(found([&table("1"), &table("2")], "none"), None);
        assert_eq!(found([&table("OUT/x"), &table("OUT/x")], "OUT/"), None, "its own path");
        let source = [("made.rs", "1")];
        assert_eq!(found([&source, &[]], "var(SIZE)").as_deref(), Some("variable SIZE"));
        // The variable has the folder.
        assert_eq!(found([&table("1"), &table("2")], "var(SIZE)").as_deref(), file);
        for source in ["made.rs", "libx.a", "x.o"] {
            assert_eq!(found([&[(source, "1")], &[(source, "2")]], "OUT/"), None, "{source}");
        }
        let words = |text| [("words.d", text)];
        assert_eq!(found([&words("1"), &words("2")], "OUT/ words.d").as_deref(), Some("words.d"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_counts_by_its_content() {
        let home = tempfile::tempdir().unwrap();
        let output = home.path().join("out");
        fs::create_dir(&output).unwrap();
        std::os::unix::fs::symlink("../words", output.join("link")).unwrap();
        std::os::unix::fs::symlink("..", output.join("up")).unwrap();
        let script = Script { package: "own".to_owned(), output, variables: Vec::new() };
        let built = Built { scripts: [script].into(), ..Built::default() };
        let content = |text: &str| {
            fs::write(home.path().join("words"), text).unwrap();
            let side = (&Bench::default(), &built, &BuildFolders::default());
            let mut files = written(side, "own", |_| false).unwrap();
            (files.remove("link"), files.remove("up"))
        };
        assert_eq!(content("1"), (Some(b"1".to_vec()), Some(b"..".to_vec())));
        assert_eq!(content("2").0, Some(b"2".to_vec()));
    }
}
