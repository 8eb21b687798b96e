//! Finds the places of functions in the source, if a program has debug information.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    convert::Infallible,
    path::Path,
};

use addr2line::{
    Context,
    gimli::{DwarfSections, EndianSlice, RunTimeEndian},
};
use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _,
    read::elf::{ElfFile64, ElfSymbol64},
};

use super::{BuildFolders, Change, Code, How};

/// Adds file and line to the functions that differ, each from the program that has it, as seen from the tops of `folders`.
pub(super) fn add_places(codes: &mut [Code], programs: [&[u8]; 2], folders: &[BuildFolders; 2]) {
    let changes = codes.iter_mut().flat_map(|code| match code {
        Code::Differs { changes, .. } => changes.as_mut_slice(),
        Code::Identical | Code::Unknown(_) => &mut [],
    });
    add_to(changes.collect(), programs, folders);
}

pub(super) fn add_to(changes: Vec<&mut Change>, programs: [&[u8]; 2], folders: &[BuildFolders; 2]) {
    if changes.is_empty() {
        return;
    }
    let symbols = |removed: bool| -> HashSet<&str> {
        let of_side = changes.iter().filter(|change| (change.how == How::Removed) == removed);
        of_side.map(|change| change.symbol.as_str()).collect()
    };
    let found = [places(programs[0], &symbols(true)), places(programs[1], &symbols(false))];
    for change in changes {
        let side = usize::from(change.how != How::Removed);
        let place = found[side].get(&change.symbol);
        let shown = |(file, line): &(String, u32)| {
            format!("{}:{line}", shortened(file, &folders[side].top))
        };
        change.place = place.map(shown);
    }
}

/// Debug information of a program.
pub type Lines<'a> = Context<EndianSlice<'a, RunTimeEndian>>;

/// The debug information of a program, section by section; an empty one stands for each that it lacks.
pub(super) fn debug_sections<'a>(file: &ElfFile64<'a, Endianness>) -> DwarfSections<Cow<'a, [u8]>> {
    let section = |name: &str| {
        let section = file.section_by_name(name);
        section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default()
    };
    let Ok(sections) = DwarfSections::load(|id| Ok::<_, Infallible>(section(id.name())));
    sections
}

/// Looks something up in the debug information of a program, if it has any that is understood.
pub fn with_lines<T>(
    file: &ElfFile64<'_, Endianness>,
    look: impl FnOnce(&Lines<'_>) -> T,
) -> Option<T> {
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let sections = debug_sections(file);
    let dwarf = sections.borrow(|data| EndianSlice::new(data, endian));
    Some(look(&Context::from_dwarf(dwarf).ok()?))
}

/// The file and line of the first instruction of each of these functions that debug information knows.
fn places(program: &[u8], symbols: &HashSet<&str>) -> HashMap<String, (String, u32)> {
    let Ok(file) = ElfFile64::<Endianness>::parse(program) else { return HashMap::new() };
    let found = with_lines(&file, |lines| {
        let place = |symbol: &ElfSymbol64<'_, '_>| {
            let name = symbol.name().ok().filter(|name| symbols.contains(name))?;
            let found = lines.find_location(symbol.address()).ok()??;
            let line = found.line.filter(|line| *line > 0)?;
            Some((name.to_owned(), (found.file?.to_owned(), line)))
        };
        file.symbols()
            .filter(|symbol| symbol.is_definition())
            .filter_map(|symbol| place(&symbol))
            .collect()
    });
    found.unwrap_or_default()
}

/// A path as people know it: within the version's tree, within a published crate, within the standard library.
pub fn shortened(file: &str, top: &Path) -> String {
    if let Ok(within) = Path::new(file).strip_prefix(top) {
        return within.display().to_string();
    }
    // Below each of these stands a folder that names a source or a commit.
    for before in ["/registry/src/", "/git/checkouts/", "/rustc/"] {
        let after = file.split_once(before).and_then(|(_, after)| after.split_once('/'));
        if let Some((_, within)) = after {
            return within.to_owned();
        }
    }
    file.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_where_people_know_them() {
        let top = Path::new("/here/tree");
        for (file, shown) in [
            ("/here/tree/src/lib.rs", "src/lib.rs"),
            (
                "/home/.cargo/registry/src/index-1/memchr-2.8.0/src/lib.rs",
                "memchr-2.8.0/src/lib.rs",
            ),
            ("/rustc/5980/library/core/src/fmt/mod.rs", "library/core/src/fmt/mod.rs"),
            ("/elsewhere/lib.rs", "/elsewhere/lib.rs"),
        ] {
            assert_eq!(shortened(file, top), shown);
        }
    }

    #[test]
    // Within what calls it, it would have no name.
    #[inline(never)]
    fn functions_of_this_program_stand_in_its_source() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let Ok(file) = ElfFile64::<Endianness>::parse(&*program) else { return };
        // The function itself, and those of the standard library that call it, in any order.
        let mut symbols: HashSet<&str> = file
            .symbols()
            .filter_map(|symbol| symbol.name().ok())
            .filter(|name| name.contains("functions_of_this_program_stand"))
            .collect();
        symbols.insert("no function");
        let found = places(&program, &symbols);
        assert!(
            found.values().any(|(file, line)| file.ends_with("lines.rs") && *line > 1),
            "{found:?}"
        );
        assert!(places(b"no program", &symbols).is_empty());
    }
}
