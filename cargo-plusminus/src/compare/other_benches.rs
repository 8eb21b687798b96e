//! Bench targets that a side does not have here, and why: they have another harness, need features, or are elsewhere.

use std::{collections::BTreeSet, fs, path::Path};

use plusminus::{record::SkippedTarget, text::visible};
use toml::Table;

use super::{arguments::Build, harness, place::Placed};
use crate::error::Result;

/// A bench target whose required features are off.
pub(super) fn needing((target, features): &(String, Vec<String>)) -> SkippedTarget {
    let why = format!("needs --features {}", features.join(","));
    SkippedTarget { target: target.clone(), why }
}

/// A bench target with a different harness.
pub(super) fn foreign(target: &str) -> SkippedTarget {
    SkippedTarget {
        target: target.to_owned(),
        why: "has another harness or its own `main`, without `plusminus::main!`, `criterion_main!` or `divan::main`"
            .to_owned(),
    }
}

/// The error for a side without any bench target of ours: why each of its targets does not count, or what one needs.
pub(super) fn without_benches(
    placed: &Placed,
    packages_elsewhere: &BTreeSet<String>,
    left_out: &[SkippedTarget],
    options: &Build,
) -> Result<String> {
    let side = &placed.name;
    if let Some(reason) = elsewhere(side, packages_elsewhere) {
        return Ok(reason);
    }
    let members = placed.metadata.packages.iter().map(|package| &*package.manifest_path);
    let further = further_manifests(&placed.top, &members.collect())?;
    let is_foreign = left_out.iter().any(|left| *left == foreign(&left.target));
    let left_out: Vec<String> =
        left_out.iter().map(|left| format!("{} {}", left.target, left.why)).collect();
    let named: Vec<String> =
        options.bench.iter().map(|name| format!("`{}`", visible(name))).collect();
    Ok(format!(
        "{} has no bench target{} to compare: {}",
        side,
        if named.is_empty() { String::new() } else { format!(" {}", named.join(" or ")) },
        match &left_out[..] {
            [] if !further.is_empty() => format!(
                "other workspaces of the repository have some: add `--manifest-path` with {}",
                further.join(" or "),
            ),
            [] if !named.is_empty() => "`cargo bench --bench` lists the targets".to_owned(),
            [] => "a bench target needs `harness = false` in Cargo.toml, and `plusminus::main!()` or the package \
                   for criterion or divan"
                .to_owned(),
            left_out if is_foreign => format!(
                "{}. Benches for criterion or divan need one other line in Cargo.toml: see \
                 docs/how-to/from-criterion-or-divan.md",
                left_out.join("; ")
            ),
            left_out => left_out.join("; "),
        },
    ))
}

/// Returns the manifests in a tree that have bench targets, and are none of these.
fn further_manifests(tree: &Path, members: &BTreeSet<&Path>) -> Result<Vec<String>> {
    let has_benches = |path: &Path| {
        let table = fs::read_to_string(path).ok().and_then(|text| text.parse::<Table>().ok());
        table.is_some_and(|table| table.contains_key("bench"))
            || path.with_file_name("benches").is_dir()
    };
    let all = harness::manifests(tree)?.into_iter();
    let further = all.filter(|path| !members.contains(&**path) && has_benches(path));
    let named = further.map(|path| {
        let inner = path.strip_prefix(tree).unwrap_or(&path);
        format!("`{}`", visible(&inner.to_string_lossy()))
    });
    Ok(named.collect())
}

/// The error for a side whose bench targets are all in packages that cargo does not build for these options.
fn elsewhere(side: &str, packages: &BTreeSet<String>) -> Option<String> {
    let one = packages.first()?;
    let all: Vec<String> = packages.iter().map(|name| format!("`{name}`")).collect();
    Some(format!(
        "cargo builds no bench target of {side} here: they are in {}; add `--workspace`, or `-p {one}`",
        all.join(", "),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_that_cargo_does_not_build_come_with_the_option_that_builds_them() {
        let packages = ["parser_bench", "lexer_bench"].map(str::to_owned);
        assert_eq!(elsewhere("main", &BTreeSet::new()), None);
        assert_eq!(
            elsewhere("main", &BTreeSet::from(packages)).unwrap(),
            "cargo builds no bench target of main here: they are in `lexer_bench`, `parser_bench`; add `--workspace`, or `-p lexer_bench`"
        );
    }

    #[test]
    fn benches_of_another_workspace_are_found() {
        let top = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for (folder, bench) in
            [("", ""), ("benchmarks/", "[[bench]]\nname = 'linear'"), ("fuzz/", ""), ("perf/", "")]
        {
            write(&format!("{folder}Cargo.toml"), &format!("[package]\nname = 'p'\n{bench}"));
        }
        write("perf/benches/speed.rs", "");
        write("benches/own.rs", "");
        let own = top.path().join("Cargo.toml");
        let found = further_manifests(top.path(), &BTreeSet::from([&*own])).unwrap();
        assert_eq!(found, ["`benchmarks/Cargo.toml`", "`perf/Cargo.toml`"]);
    }
}
