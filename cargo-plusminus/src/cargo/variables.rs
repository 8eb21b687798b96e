//! The variables that cargo's configuration has under `[env]`. Cargo sets them for benches that it runs, and not for other
//! subcommands.

use std::{collections::BTreeMap, env, ffi::OsString, path::Path};

use toml::Value;

use super::configuration::{self, Settings};
use crate::error::{Result, at};

/// Names that begin like this are the harness's own.
pub(crate) const OWN: &str = "PLUSMINUS_";

/// Returns the variables of a configuration that differ from those of this process. Like cargo, it replaces a value that is there
/// already only by force.
pub(crate) fn of(settings: &Settings) -> BTreeMap<String, OsString> {
    wanted(settings, |name| env::var_os(name))
}

/// Returns the harness's own variables that the configuration of the current folder would change.
///
/// # Errors
/// If a file cannot be read, or is not a configuration of cargo.
pub(crate) fn own() -> Result<BTreeMap<String, OsString>> {
    let here = env::current_dir().map_err(at("find", Path::new("the current folder")))?;
    let mut variables = of(&Settings::read(&configuration::files(&here))?);
    variables.retain(|name, _| name.starts_with(OWN));
    Ok(variables)
}

fn wanted(
    settings: &Settings,
    is: impl Fn(&str) -> Option<OsString>,
) -> BTreeMap<String, OsString> {
    let mut found = BTreeMap::new();
    for (folder, table) in settings.tables() {
        for (name, value) in table.get("env").and_then(Value::as_table).into_iter().flatten() {
            let says = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
            let text = value.as_str().or_else(|| value.get("value")?.as_str());
            let Some(text) = text.map(OsString::from) else { continue };
            let text = if says("relative") { folder.join(text).into_os_string() } else { text };
            found.insert(name.clone(), (text, says("force")));
        }
    }
    let differs = |(name, (text, force)): (String, (OsString, bool))| {
        let is_wanted = is(&name).is_none_or(|known| force && known != text);
        is_wanted.then_some((name, text))
    };
    found.into_iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_files_count_more_and_what_is_set_is_replaced_by_force_alone() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name).join(".cargo/config.toml");
            plusminus::output::write_file(&file, text.as_bytes()).unwrap();
            file
        };
        let outer =
            write("", "[env]\nONE = 'outer'\nTWO = 'outer'\nSET = 'outer'\n[build]\njobs = 1");
        let inner = write(
            "inner",
            "[env]\nTWO = 'inner'\nDATA = { value = 'data', relative = true }\n\
             FORCED = { value = 'new', force = true }\nEQUAL = { value = 'old', force = true }\n",
        );
        let settings = Settings::read(&[outer, inner]).unwrap();
        let old = ["SET", "FORCED", "EQUAL"];
        let found = wanted(&settings, |name| old.contains(&name).then(|| "old".into()));
        let data = folder.path().join("inner/data").into_os_string();
        let expected = [
            ("DATA", data),
            ("FORCED", "new".into()),
            ("ONE", "outer".into()),
            ("TWO", "inner".into()),
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)).into());
        assert!(wanted(&Settings::default(), |_| None).is_empty());
    }
}
