//! The crates and rooms of `docs/contributing/architecture.md`: each crate and each source file uses only what its row allows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The names in backticks of a cell.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What each room of a crate may use, by the table under a heading.
fn table(page: &str, heading: &str) -> BTreeMap<String, BTreeSet<String>> {
    let begin = page.find(heading).unwrap_or_else(|| panic!("no heading {heading:?}"));
    let mut rooms = BTreeMap::new();
    let lines = page[begin..].lines().skip_while(|line| !line.starts_with("| `"));
    for line in lines.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 3, "{line}");
        for room in names(cells[0]) {
            rooms.insert(room, names(cells[2]).into_iter().collect());
        }
    }
    rooms
}

/// The first names after `crate::` in a source text, comments left out.
fn used(source: &str) -> BTreeSet<String> {
    let code: String = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    let mut found = BTreeSet::new();
    for (at, path) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + path.len()..];
        let word = |text: &str| -> String {
            text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        if !rest.starts_with('{') {
            found.insert(word(rest));
            continue;
        }
        let (mut depth, mut fresh) = (0, false);
        for (index, letter) in rest.char_indices() {
            match letter {
                '{' => {
                    depth += 1;
                    fresh = depth == 1;
                }
                '}' => depth -= 1,
                ',' if depth == 1 => fresh = true,
                letter if depth == 1 && fresh && !letter.is_whitespace() => {
                    found.insert(word(&rest[index..]));
                    fresh = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
}

/// The uses that a crate's table forbids, and its rooms that the table does not name.
fn faults(source: &Path, rooms: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut files = Vec::new();
    sources(source, &mut files);
    assert!(files.len() > 10, "{} has few files", source.display());
    let mut faults = Vec::new();
    for file in files {
        let inside = file.strip_prefix(source).unwrap().to_str().unwrap();
        let room = inside.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        // Roots, and small files beside them, hold what all rooms may use.
        if inside.contains("/tests") || ["lib", "main", "problem"].contains(&room.as_str()) {
            continue;
        }
        let Some(allowed) = rooms.get(&room) else {
            faults.push(format!("{inside}: its room is not in docs/contributing/architecture.md"));
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for other in used(code) {
            if other != room && rooms.contains_key(&other) && !allowed.contains(&other) {
                faults.push(format!("{inside} uses `{other}`, which `{room}` may not use"));
            }
        }
    }
    faults
}

/// The crates of this repository that a crate depends on, as folders: those that its manifest names.
fn dependencies(folder: &str, folders: &BTreeMap<String, String>) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let mut is_list = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_list = line.ends_with("dependencies]");
        } else if is_list {
            let name = line.split([' ', '.', '=']).next().unwrap_or("");
            found.extend(folders.get(name).cloned());
        }
    }
    found
}

/// The name of the package in a folder.
fn package(folder: &str) -> String {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")).unwrap();
    name.trim_end_matches('"').to_owned()
}

#[test]
fn no_crate_uses_what_the_page_forbids() {
    let page = fs::read_to_string(root().join("docs/contributing/architecture.md")).unwrap();
    let crates = table(&page, "## The crates");
    let folders: BTreeMap<String, String> =
        crates.keys().map(|folder| (package(folder), folder.clone())).collect();
    for (folder, allowed) in &crates {
        let used = dependencies(folder, &folders);
        let forbidden: Vec<&String> = used.difference(allowed).collect();
        assert_eq!(forbidden, [""; 0], "{folder} depends on them");
    }
    // Each row uses rows above it alone, so that there is no circle.
    let place = |name: &str| page.find(&format!("`{name}`")).unwrap();
    for (folder, allowed) in &crates {
        let up = allowed.iter().find(|other| place(other) > place(folder));
        assert_eq!(up, None, "{folder} uses a crate below it");
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    for member in members.split('"').skip(1).step_by(2) {
        assert!(
            crates.contains_key(member),
            "{member} is not in docs/contributing/architecture.md"
        );
    }
}

#[test]
fn no_room_uses_what_the_page_forbids() {
    let page = fs::read_to_string(root().join("docs/contributing/architecture.md")).unwrap();
    let harness = table(&page, "## The harness");
    let subcommand = table(&page, "## The subcommand");
    assert!(harness.len() > 10 && subcommand.len() > 6, "the tables are read");
    let mut all = faults(&root().join("harness/src"), &harness);
    all.extend(faults(&root().join("cargo-plusminus/src"), &subcommand));
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn forbidden_uses_are_seen() {
    let source = "use crate::{\n    report::{self, text},\n    sys,\n};\nfn f() { crate::cli::run(); } // crate::json\n";
    let found: Vec<String> = used(source).into_iter().collect();
    assert_eq!(found, ["cli", "report", "sys"]);
    let analysis = root().join("analysis/src");
    let page =
        "## A\n\n| room | contents | may use |\n|---|---|---|\n| `verdict`, `error` | x | |\n";
    let rooms = table(page, "## A");
    let faults = faults(&analysis, &rooms);
    assert!(faults.iter().any(|fault| fault.contains("`error`, which `verdict` may not use")));
}

#[test]
fn the_attributes_know_misspelt_words_as_the_harness_does() {
    let file = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    assert_eq!(file("macros/src/spelling.rs"), file("harness/src/text/spelling.rs"));
}
