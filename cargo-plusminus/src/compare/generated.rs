//! Files that build scripts have written and that a benchmark may read while it runs, by the path of `OUT_DIR`.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::{
    build::{Bench, Built},
    kinds_of_files::is_source,
    texts::Texts,
};
use crate::{
    error::{Result, at},
    same_code::BuildFolders,
};

/// Files for the linker, whose content is looked at in the program, and notes of compilers.
const LINKED: [&str; 6] = ["o", "a", "d", "lib", "rlib", "rmeta"];

/// A bench target of one side.
pub(super) type Side<'a> = (&'a Bench, &'a Built, &'a BuildFolders);

/// Returns a file of a build script that differs between the sides, if a bench program contains the path of the
/// script's folder.
pub(super) fn changed(sides: [Side<'_>; 2]) -> Result<Option<String>> {
    let mut mentioned = Vec::new();
    for (bench, built, _) in sides {
        if built.outputs.is_empty() {
            continue;
        }
        // The arguments of the linker are also in the file, and contain these folders.
        let texts = Texts::of(&bench.binary)?;
        let in_program = |folder: &PathBuf| texts.has(&folder.to_string_lossy());
        let there = built.outputs.iter().filter(|(_, folder)| in_program(folder));
        mentioned.extend(there.map(|(package, _)| package));
    }
    mentioned.sort();
    mentioned.dedup();
    for package in mentioned {
        let [base, new] = [written(sides[0], package)?, written(sides[1], package)?];
        let mut names = base.keys().chain(new.keys());
        if let Some(name) = names.find(|name| base.get(*name) != new.get(*name)) {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

/// The files that the build scripts of a package have written, with their content.
fn written((_, built, folders): Side<'_>, package: &str) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for (_, folder) in built.outputs.iter().filter(|(name, _)| name == package) {
        collect(folder, folder, folders, &mut files)?;
    }
    Ok(files)
}

fn collect(
    folder: &Path,
    top: &Path,
    folders: &BuildFolders,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(at("read", folder))? {
        let path = entry.map_err(at("read", folder))?.path();
        // A link may lead back up. Its target lies elsewhere, or is a file of this folder.
        let found = fs::symlink_metadata(&path).map_err(at("read", &path))?;
        if found.is_dir() {
            collect(&path, top, folders, files)?;
        }
        let name = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
        let extension =
            path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if found.is_dir() || is_source(extension) || LINKED.contains(&extension) {
            continue;
        }
        let content = if found.is_symlink() {
            let target = fs::read_link(&path).map_err(at("read", &path))?;
            target.into_os_string().into_encoded_bytes()
        } else {
            fs::read(&path).map_err(at("read", &path))?
        };
        let content = without(&content, &folders.target, "TARGET");
        files.insert(name, without(&content, &folders.top, "TOP"));
    }
    Ok(())
}

/// Returns a text with a word instead of a path, which differs between the sides.
fn without(text: &[u8], path: &Path, word: &str) -> Vec<u8> {
    let path = path.as_os_str().as_encoded_bytes();
    let mut rest = text;
    let mut made = Vec::with_capacity(text.len());
    while let Some((&first, after)) = rest.split_first() {
        match rest.strip_prefix(path).filter(|_| !path.is_empty()) {
            Some(behind) => {
                made.extend_from_slice(word.as_bytes());
                rest = behind;
            }
            None => {
                made.push(first);
                rest = after;
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_script_writes_counts_for_benches_that_have_its_path() {
        let home = tempfile::tempdir().unwrap();
        let found = |files: [&[(&str, &str)]; 2], mentions: bool| {
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
                    let text = if mentions { out.display().to_string() } else { "none".into() };
                    fs::write(&program, text).unwrap();
                    let outputs = [("own".to_owned(), out)].into();
                    let built = Built { outputs, ..Built::default() };
                    let folders = BuildFolders { top: "/tree".into(), target: target.clone() };
                    (Bench::for_test("own", program), built, folders)
                })
                .collect();
            let [base, new] = &made[..] else { unreachable!() };
            changed([(&base.0, &base.1, &base.2), (&new.0, &new.1, &new.2)]).unwrap()
        };
        let table = |text| [("inner/table.bin", text)];
        assert_eq!(found([&table("1"), &table("2")], true).as_deref(), Some("inner/table.bin"));
        assert_eq!(found([&table("1"), &[]], true).as_deref(), Some("inner/table.bin"));
        assert_eq!(found([&table("1"), &table("2")], false), None);
        assert_eq!(found([&table("OUT/x"), &table("OUT/x")], true), None, "its own path");
        for source in ["made.rs", "libx.a", "x.o"] {
            assert_eq!(found([&[(source, "1")], &[(source, "2")]], true), None, "{source}");
        }
    }
}
