//! The program by which cargo starts programs of a target: `target.<triple>.runner` of its configuration.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::Path,
};

use toml::Value;

use crate::{
    cargo::configuration::{Settings, resolved},
    error::{Result, error},
};

/// Conditions within conditions at most, which nobody writes.
const DEPTH: usize = 100;

/// Returns the runner of a target with its arguments; empty if there is none. The variable overrides files, and later
/// files override earlier ones. `cfg` is what `rustc --print cfg` lists.
pub(super) fn of(triple: &str, cfg: &[&str], settings: &Settings) -> Result<Vec<OsString>> {
    let upper = triple.to_uppercase().replace(['-', '.'], "_");
    if let Ok(line) = env::var(format!("CARGO_TARGET_{upper}_RUNNER")) {
        let here = env::current_dir().unwrap_or_default();
        return Ok(words(&Value::String(line), &here).unwrap_or_default());
    }
    let mut by_name = Vec::new();
    let mut by_settings = Vec::new();
    for (folder, table) in settings.tables() {
        let Some(targets) = table.get("target").and_then(Value::as_table) else { continue };
        for (name, target) in targets {
            let Some(runner) = target.get("runner").and_then(|runner| words(runner, folder)) else {
                continue;
            };
            if name == triple {
                by_name = runner;
            } else if let Some(inner) = name.strip_prefix("cfg(").and_then(|n| n.strip_suffix(')'))
                && holds(inner, cfg, DEPTH)?
            {
                by_settings = runner;
            }
        }
    }
    Ok(if by_name.is_empty() { by_settings } else { by_name })
}

/// The words of a runner: a line that is split at blanks, or a list.
fn words(runner: &Value, folder: &Path) -> Option<Vec<OsString>> {
    let words: Vec<&str> = match runner {
        Value::String(line) => line.split_whitespace().collect(),
        Value::Array(list) => list.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let (first, rest) = words.split_first()?;
    let program = resolved(OsStr::new(first), folder);
    Some([program].into_iter().chain(rest.iter().map(OsString::from)).collect())
}

/// Returns whether a condition holds: a setting, or `all(…)`, `any(…)` or `not(…)` of conditions.
fn holds(condition: &str, cfg: &[&str], depth: usize) -> Result<bool> {
    let condition = condition.trim();
    let inner = |name: &str| {
        let rest = condition.strip_prefix(name)?.trim_start();
        rest.strip_prefix('(')?.strip_suffix(')')
    };
    let Some(below) = depth.checked_sub(1) else {
        return error(format!("a condition of cargo's configuration has more than {DEPTH} levels"));
    };
    let each = |parts: &str| -> Result<Vec<bool>> {
        split(parts).iter().map(|part| holds(part, cfg, below)).collect()
    };
    if let Some(parts) = inner("all") {
        return Ok(!each(parts)?.contains(&false));
    }
    if let Some(parts) = inner("any") {
        return Ok(each(parts)?.contains(&true));
    }
    if let Some(part) = inner("not") {
        return Ok(!holds(part, cfg, below)?);
    }
    let without_blanks: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    Ok(without_blanks == "true" || cfg.contains(&&*without_blanks))
}

/// The parts of a list between its own commas.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut begin, mut parts) = (0, false, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[begin..]);
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const CFG: [&str; 3] = ["unix", "target_os=\"linux\"", "target_arch=\"x86_64\""];

    fn runner(texts: &[&str]) -> Vec<OsString> {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<PathBuf> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let file = folder.path().join(format!("{index}/.cargo/config.toml"));
                plusminus::output::write_file(&file, text.as_bytes()).unwrap();
                file
            })
            .collect();
        // No variable of the environment names the runner of this target.
        let settings = Settings::read(&files).unwrap();
        let found = of("x86_64-plusminus-test", &CFG, &settings).unwrap();
        let own = folder.path().join("1").display().to_string();
        found.iter().map(|word| word.to_str().unwrap().replace(&own, "ONE").into()).collect()
    }

    #[test]
    fn a_runner_is_found_as_cargo_finds_it() {
        let by_name = "[target.x86_64-plusminus-test]\nrunner = 'taskset -c 1'";
        let by_cfg =
            "[target.'cfg(all(unix, not(target_os = \"macos\")))']\nrunner = ['./run.sh', '-E']";
        let other = "[target.'cfg(windows)']\nrunner = 'wine'";
        assert!(runner(&[]).is_empty());
        assert!(runner(&[other]).is_empty());
        assert_eq!(runner(&[by_name, by_cfg]), ["taskset", "-c", "1"]);
        assert_eq!(runner(&[other, by_cfg]), ["ONE/./run.sh", "-E"]);
        assert_eq!(runner(&[by_name, "[target.x86_64-plusminus-test]\nrunner = 'env'"]), ["env"]);
    }

    #[test]
    fn conditions_are_read_as_cargo_reads_them() {
        for (condition, expected) in [
            ("unix", true),
            ("windows", false),
            ("target_os = \"linux\"", true),
            ("any(windows, target_arch = \"x86_64\")", true),
            ("all(unix, windows)", false),
            ("not(any(windows, target_os = \"macos\"))", true),
            ("all()", true),
        ] {
            assert_eq!(holds(condition, &CFG, DEPTH).unwrap(), expected, "{condition}");
        }
        let deep = format!("{}unix{}", "not(".repeat(60_000), ")".repeat(60_000));
        assert!(holds(&deep, &CFG, DEPTH).is_err());
    }
}
