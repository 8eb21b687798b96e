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

/// Returns the modules that each module of a crate may use, by the table under a heading.
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

/// Returns the first names after `crate::` in a source text, without comments.
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

/// The rooms behind the names that the root of a crate re-exports or defines: `Bencher` is of `bencher`.
fn behind_root(source: &Path) -> BTreeMap<String, String> {
    let root = fs::read_to_string(source.join("lib.rs")).unwrap();
    let mut all = BTreeMap::new();
    for statement in root.split("\npub use ").skip(1) {
        let statement = statement.split(';').next().unwrap();
        let Some((room, rest)) = statement.split_once("::") else { continue };
        for name in rest.split(|c: char| !c.is_alphanumeric() && c != '_') {
            all.entry(name.to_owned()).or_insert_with(|| room.to_owned());
        }
    }
    all
}

/// The room of a file, unless it is the root of the crate, or of tests alone.
fn room_of(source: &Path, file: &Path) -> Option<String> {
    let inside = file.strip_prefix(source).unwrap().to_str().unwrap();
    let room = inside.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
    (!inside.contains("/tests") && !["lib", "main"].contains(&room.as_str())).then_some(room)
}

/// Returns the modules that each module of a crate uses, by its imports and paths, also through re-exports of the
/// root.
fn uses(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    sources(source, &mut files);
    assert!(files.len() > 10, "{} has few files", source.display());
    let roots = behind_root(source);
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let Some(room) = room_of(source, &file) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let behind = |name: String| roots.get(&name).cloned().unwrap_or(name);
        all.entry(room).or_default().extend(used(code).into_iter().map(behind));
    }
    let rooms: BTreeSet<String> = all.keys().cloned().collect();
    for (room, others) in &mut all {
        others.retain(|other| other != room && rooms.contains(other));
    }
    all
}

/// The names of a table's rows, from top to bottom.
fn rows(page: &str, heading: &str) -> Vec<String> {
    let begin = page.find(heading).unwrap_or_else(|| panic!("no heading {heading:?}"));
    let lines = page[begin..].lines().skip_while(|line| !line.starts_with("| `"));
    let lines = lines.take_while(|line| line.starts_with('|'));
    lines.flat_map(|line| names(line.trim_matches('|').split('|').next().unwrap())).collect()
}

/// The uses that go up in a table, or to a row that it does not have.
fn arrows_up(rows: &[String], uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let place = |name: &String| rows.iter().position(|row| row == name);
    let mut up = Vec::new();
    for (room, others) in uses {
        let above = |other: &&String| place(other).is_none() || place(other) >= place(room);
        up.extend(others.iter().filter(above).map(|other| format!("{room} uses {other}")));
    }
    up
}

/// Returns the crates of this repository in the manifest of a crate, as folders.
fn dependencies(folder: &str, folders: &BTreeMap<String, String>) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let mut is_list = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            // Examples in the crates behind the facade are written with the facade.
            let of_examples = folder.starts_with("harness/") && line == "[dev-dependencies]";
            is_list = line.ends_with("dependencies]") && !of_examples;
        } else if is_list {
            let renamed = line.split("package = \"").nth(1).and_then(|rest| rest.split('"').next());
            let name = renamed.or_else(|| line.split([' ', '.', '=']).next()).unwrap_or("");
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
    let rows = rows(&page, "## The crates");
    let siblings =
        |room: &str, other: &String| room.starts_with("compat/") && other.starts_with("compat/");
    let up = arrows_up(&rows, &crates);
    let up: Vec<&String> = up
        .iter()
        .filter(|arrow| !siblings(arrow, &arrow.split(' ').next_back().unwrap().to_owned()))
        .collect();
    assert!(up.is_empty(), "{up:?}");
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
fn rooms_use_what_the_page_says_and_nothing_below_them() {
    let page = fs::read_to_string(root().join("docs/contributing/architecture.md")).unwrap();
    for (heading, source) in [
        ("## The worker", "harness/worker/src"),
        ("## The runner", "harness/runner/src"),
        ("## The subcommand", "cargo-plusminus/src"),
    ] {
        let found = uses(&root().join(source));
        assert_eq!(table(&page, heading), found, "{heading} and {source} differ");
        assert_eq!(arrows_up(&rows(&page, heading), &found), [""; 0], "{heading}");
    }
}

/// An order in which each room stands below all that it uses; what is left over is in a circle.
fn in_circles(mut uses: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let free = |others: &BTreeSet<String>| others.iter().all(|other| !uses.contains_key(other));
        let Some(room) = uses.iter().find(|(_, others)| free(others)).map(|(room, _)| room.clone())
        else {
            return uses.into_keys().collect();
        };
        uses.remove(&room);
    }
}

#[test]
fn no_room_of_the_statistics_or_the_attributes_is_in_a_circle() {
    for source in ["analysis/src", "macros/src", "same-code/src"] {
        assert_eq!(in_circles(uses(&root().join(source))), [""; 0], "{source}");
    }
}

#[test]
fn forbidden_uses_are_seen() {
    let source = "use crate::{\n    report::{self, text},\n    sys,\n};\nfn f() { crate::cli::run(); } // crate::json\n";
    let found: Vec<String> = used(source).into_iter().collect();
    assert_eq!(found, ["cli", "report", "sys"]);
    let found = uses(&root().join("harness/worker/src"));
    assert!(found["registry"].contains("bencher"), "`crate::Bencher` is of `bencher`");
    let rows = ["low", "high"].map(str::to_owned);
    let uses = |room: &str, other: &str| {
        BTreeMap::from([(room.to_owned(), BTreeSet::from([other.to_owned()]))])
    };
    assert_eq!(arrows_up(&rows, &uses("high", "low")), [""; 0]);
    assert_eq!(arrows_up(&rows, &uses("low", "high")), ["low uses high"]);
    let mut circle = uses("a", "b");
    circle.extend(uses("b", "a"));
    assert_eq!(in_circles(circle), ["a", "b"]);
}

#[test]
fn the_attributes_know_misspelt_words_as_the_harness_does() {
    let file = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    assert_eq!(file("macros/src/spelling.rs"), file("harness/runner/src/text/spelling.rs"));
}
