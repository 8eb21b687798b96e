//! Changes in `Cargo.toml`: everything else in it stays as it is.

use std::path::Path;

use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use super::Source;

/// The keys that choose where a dependency comes from.
const ORIGIN: [&str; 8] = ["version", "path", "git", "branch", "tag", "rev", "registry", "package"];

/// The tables of dependencies, of all platforms.
const TABLES: [&str; 2] = ["dev-dependencies", "dependencies"];

/// An entry of a table, if it is there. `Item::get_mut` would add it.
fn entry<'a>(table: &'a mut Item, key: &str) -> Option<&'a mut Item> {
    table.as_table_like_mut()?.get_mut(key)
}

/// Makes the dependency `name` come from the drop-in for it. Returns whether the workspace has to do the same.
pub(super) fn drop_in(manifest: &mut DocumentMut, name: &str, source: &Source) -> bool {
    let mut inherits = false;
    let mut replace = |table: &mut Item| {
        let Some(dependency) = entry(table, name) else { return };
        if dependency.get("workspace").and_then(Item::as_bool) == Some(true) {
            inherits = true;
        } else {
            redirect(dependency, name, source);
        }
    };
    for table in TABLES {
        manifest.get_mut(table).into_iter().for_each(&mut replace);
    }
    let platforms = manifest.get_mut("target").and_then(Item::as_table_like_mut);
    for (_, platform) in platforms.into_iter().flat_map(TableLike::iter_mut) {
        for table in TABLES {
            entry(platform, table).into_iter().for_each(&mut replace);
        }
    }
    inherits
}

/// Does it in the workspace's manifest, from which members inherit.
pub(super) fn drop_in_workspace(manifest: &mut DocumentMut, name: &str, source: &Source) {
    let table = manifest.get_mut("workspace").and_then(|of| entry(of, "dependencies"));
    if let Some(dependency) = table.and_then(|table| entry(table, name)) {
        redirect(dependency, name, source);
    }
}

/// Changes the origin of a dependency, and keeps its features.
fn redirect(dependency: &mut Item, name: &str, source: &Source) {
    let package = format!("plusminus-{name}");
    if dependency.is_str() {
        let mut table = InlineTable::new();
        table.insert("package", package.into());
        source.locate(&mut table, &format!("compat/{name}"));
        // A comment behind the value stays.
        let suffix = dependency.as_value().and_then(|value| value.decor().suffix().cloned());
        let mut new = Value::InlineTable(table);
        suffix.into_iter().for_each(|suffix| new.decor_mut().set_suffix(suffix));
        *dependency = Item::Value(new);
    } else if let Some(table) = dependency.as_table_like_mut() {
        ORIGIN.iter().for_each(|key| {
            table.remove(key);
        });
        table.insert("package", value(package));
        source.locate(table, &format!("compat/{name}"));
        if let Some(Value::InlineTable(table)) = dependency.as_value_mut() {
            table.fmt();
        }
    }
}

pub(super) fn depend(manifest: &mut DocumentMut, source: &Source) {
    let table = manifest.entry("dev-dependencies").or_insert_with(|| Item::Table(Table::new()));
    let Some(table) = table.as_table_like_mut() else { return };
    if table.contains_key("plusminus") {
        return;
    }
    let dependency = match source {
        Source::Registry => Value::from(super::REQUIREMENT),
        Source::Clone(_) => {
            let mut table = InlineTable::new();
            source.locate(&mut table, "harness");
            Value::InlineTable(table)
        }
    };
    table.insert("plusminus", Item::Value(dependency));
}

/// Turns the harness of a target off: `[[bench]] name = …`, `harness = false`.
pub(super) fn without_harness(manifest: &mut DocumentMut, bench: &str) {
    if let Some(table) = target(manifest, "bench", bench, None) {
        table["harness"] = value(false);
    }
}

/// Takes a library or a program out of `cargo bench`, whose options its own harness does not know. A setting of the user's stays.
pub(super) fn without_benches(manifest: &mut DocumentMut, kind: &str, name: &str, path: &Path) {
    let table = match kind {
        "lib" => manifest.entry("lib").or_insert_with(|| Item::Table(Table::new())).as_table_mut(),
        _ => target(manifest, kind, name, Some(path)),
    };
    if let Some(table) = table.filter(|table| !table.contains_key("bench")) {
        table["bench"] = value(false);
    }
}

/// The table of a target; a new one if cargo has found the target by itself.
fn target<'a>(
    manifest: &'a mut DocumentMut,
    kind: &str,
    name: &str,
    path: Option<&Path>,
) -> Option<&'a mut Table> {
    let tables = manifest.entry(kind).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let tables = tables.as_array_of_tables_mut()?;
    let has_name =
        |table: &Table| table.get("name").and_then(Item::as_str).is_some_and(|has| has == name);
    let found = tables.iter().position(has_name);
    let at = found.unwrap_or_else(|| {
        let mut table = Table::new();
        table["name"] = value(name);
        path.into_iter().for_each(|path| table["path"] = value(path.to_string_lossy().as_ref()));
        tables.push(table);
        tables.len() - 1
    });
    tables.get_mut(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, change: impl FnOnce(&mut DocumentMut)) -> String {
        let mut manifest: DocumentMut = text.parse().unwrap();
        change(&mut manifest);
        manifest.to_string()
    }

    #[test]
    fn the_line_of_a_dependency_changes_and_nothing_else() {
        let dropped = |text| {
            changed(text, |manifest| {
                drop_in(manifest, "criterion", &Source::Registry);
            })
        };
        assert_eq!(
            dropped("# a\n[dev-dependencies] # b\ncriterion = \"0.5\" # c\nrand = \"1\"\n"),
            "# a\n[dev-dependencies] # b\ncriterion = { package = \"plusminus-criterion\", version = \"0.1\" } # c\nrand = \"1\"\n"
        );
        assert_eq!(
            dropped(
                "[target.'cfg(unix)'.dev-dependencies]\ncriterion = { git = \"x\", features = [\"html_reports\"] }\n"
            ),
            "[target.'cfg(unix)'.dev-dependencies]\ncriterion = { features = [\"html_reports\"], package = \"plusminus-criterion\", \
             version = \"0.1\" }\n"
        );
        let twice = dropped("[dev-dependencies.criterion]\nversion = \"0.5\"\noptional = true\n");
        assert_eq!(dropped(&twice), twice);
        assert!(
            twice.contains("optional = true\npackage = \"plusminus-criterion\"\nversion = \"0.1\"")
        );
    }

    #[test]
    fn a_dependency_of_the_workspace_changes_there() {
        let mut inherits = false;
        let text = "[dev-dependencies]\ndivan.workspace = true\n";
        let same = changed(text, |manifest| {
            inherits = drop_in(manifest, "divan", &Source::Registry);
        });
        assert!(inherits && same == text);
        let text = "[workspace.dependencies]\ndivan = \"0.1\"\n";
        assert_eq!(
            changed(text, |manifest| drop_in_workspace(manifest, "divan", &Source::Registry)),
            "[workspace.dependencies]\ndivan = { package = \"plusminus-divan\", version = \"0.1\" }\n"
        );
    }

    #[test]
    fn targets_keep_what_the_user_has_set() {
        let text = "[package]\nname = \"a\"\n\n[lib]\nbench = true\n\n[[bench]]\nname = \"b\"\n";
        let new = changed(text, |manifest| {
            without_benches(manifest, "lib", "a", Path::new("src/lib.rs"));
            without_benches(manifest, "bin", "a", Path::new("src/main.rs"));
            without_harness(manifest, "b");
            without_harness(manifest, "c");
            depend(manifest, &Source::Registry);
        });
        for part in [
            "[lib]\nbench = true\n",
            "[[bench]]\nname = \"b\"\nharness = false\n",
            "[[bench]]\nname = \"c\"\nharness = false\n",
            "[[bin]]\nname = \"a\"\npath = \"src/main.rs\"\nbench = false\n",
            "[dev-dependencies]\nplusminus = \"0.1\"\n",
        ] {
            assert!(new.contains(part), "{part} is not in\n{new}");
        }
    }
}
