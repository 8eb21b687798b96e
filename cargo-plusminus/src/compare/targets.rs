//! The bench targets that a side builds: wanted by the user, present, and with their features on.

use std::{collections::BTreeSet, path::Path};

use super::arguments::Build;
use crate::cargo::{Metadata, Package, Target};

/// The request to cargo.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Wanted {
    /// Names of bench targets, or the pattern for all of them.
    pub(super) names: BTreeSet<String>,
    /// Bench targets that are skipped, with the features that they would need.
    pub(super) off: Vec<(String, Vec<String>)>,
    /// The packages with bench targets, if cargo builds none of them for these options.
    pub(super) elsewhere: BTreeSet<String>,
}

/// Selects bench targets. Targets from the command line are never skipped: cargo reports the features that they need.
pub(super) fn wanted(metadata: &Metadata, manifest: &Path, options: &Build) -> Wanted {
    let all = || metadata.packages.iter().flat_map(benches);
    if !options.bench.is_empty() {
        let there: BTreeSet<&String> = all().map(|target| &target.name).collect();
        let names = options.bench.iter().filter(|name| there.contains(*name)).cloned().collect();
        return Wanted { names, ..Wanted::default() };
    }
    let mut wanted = Wanted::default();
    let selected = selected(metadata, manifest, options);
    if !selected.is_empty() && selected.iter().copied().flat_map(benches).next().is_none() {
        let others = metadata.packages.iter().filter(|package| benches(package).next().is_some());
        wanted.elsewhere = others.map(|package| package.name.clone()).collect();
        return wanted;
    }
    for package in selected {
        let features = features(package, options);
        for target in benches(package) {
            let missing = |feature: &&String| !features.contains(*feature);
            let missing: Vec<String> =
                target.required_features.iter().filter(missing).cloned().collect();
            if missing.is_empty() {
                wanted.names.insert(target.name.clone());
            } else {
                wanted.off.push((target.name.clone(), missing));
            }
        }
    }
    if wanted.off.is_empty() && all().next().is_some() {
        // Every bench target, but not the library, which cargo would build as a bench of its own.
        wanted.names = BTreeSet::from(["*".to_owned()]);
    }
    wanted
}

/// The packages of which bench targets may be built.
pub(super) fn packages<'a>(
    metadata: &'a Metadata,
    manifest: &Path,
    options: &Build,
) -> Vec<&'a Package> {
    let found = match options.bench.is_empty() {
        true => selected(metadata, manifest, options),
        false => metadata.packages.iter().collect(),
    };
    let is_wanted = |package: &&Package| wanted_of(package, options).next().is_some();
    found.into_iter().filter(is_wanted).collect()
}

/// The bench targets of a package that the user wants.
pub(super) fn wanted_of<'a>(
    package: &'a Package,
    options: &Build,
) -> impl Iterator<Item = &'a Target> {
    benches(package)
        .filter(|target| options.bench.is_empty() || options.bench.contains(&target.name))
}

fn benches(package: &Package) -> impl Iterator<Item = &Target> {
    package.targets.iter().filter(|target| target.is("bench"))
}

/// The packages that cargo builds for these options.
pub(super) fn selected<'a>(
    metadata: &'a Metadata,
    manifest: &Path,
    options: &Build,
) -> Vec<&'a Package> {
    let members = metadata.packages.iter();
    let named = |package: &&Package, patterns: &[String]| {
        patterns.iter().any(|pattern| is_named(&package.name, pattern))
    };
    if options.workspace {
        return members.filter(|package| !named(package, &options.exclude)).collect();
    }
    if !options.package.is_empty() {
        return members.filter(|package| named(package, &options.package)).collect();
    }
    let at_root = manifest.parent() == Some(&metadata.workspace_root);
    let own = members.clone().find(|package| package.manifest_path == manifest);
    let default = |package: &&Package| metadata.workspace_default_members.contains(&package.id);
    match own {
        Some(own) if !at_root => vec![own],
        _ => members.filter(default).collect(),
    }
}

/// Whether a package is meant by a specification: a name, which may have wildcards, a version after `@`, or an
/// address before `#`.
fn is_named(name: &str, specification: &str) -> bool {
    let (address, fragment) = match specification.rsplit_once('#') {
        Some((address, fragment)) => (Some(address), fragment),
        None => (None, specification),
    };
    let pattern = match fragment.split_once('@') {
        Some((name, _)) => name,
        // Without a name in front, what follows is a version, and the address ends with the name.
        None => match address {
            Some(address) if fragment.starts_with(|c: char| c.is_ascii_digit()) => {
                address.rsplit('/').next().unwrap_or(address)
            }
            _ => fragment,
        },
    };
    matches(name.as_bytes(), pattern.as_bytes())
}

/// Whether a text has the form of a pattern with `*` and `?`.
fn matches(text: &[u8], pattern: &[u8]) -> bool {
    match (pattern, text) {
        ([], _) => text.is_empty(),
        ([b'*', rest @ ..], _) => {
            matches(text, rest) || (!text.is_empty() && matches(&text[1..], pattern))
        }
        ([b'?', rest @ ..], [_, text @ ..]) => matches(text, rest),
        ([one, rest @ ..], [other, text @ ..]) => one == other && matches(text, rest),
        (_, []) => false,
    }
}

/// The features of a package that these options turn on, with all that those turn on.
fn features(package: &Package, options: &Build) -> BTreeSet<String> {
    let mut left: Vec<String> = if options.all_features {
        package.features.keys().cloned().collect()
    } else {
        let given = options.features.iter().flat_map(|list| list.split([',', ' ']));
        let own = given.filter(|name| !name.is_empty()).map(|name| match name.split_once('/') {
            Some((owner, feature)) if owner == package.name => feature.to_owned(),
            _ => name.to_owned(),
        });
        let default = (!options.no_default_features).then(|| "default".to_owned());
        own.chain(default).collect()
    };
    let mut on = BTreeSet::new();
    while let Some(feature) = left.pop() {
        let implied = package.features.get(&feature);
        left.extend(implied.into_iter().flatten().filter(|name| !on.contains(*name)).cloned());
        // A feature of an optional dependency turns the dependency on.
        if let Some((dependency, _)) = feature.split_once('/') {
            left.extend(Some(dependency.to_owned()).filter(|name| !on.contains(name)));
        }
        on.insert(feature);
    }
    on
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Metadata {
        let target = |name: &str, required: &[&str]| {
            serde_json::json!({
                "name": name, "kind": ["bench"], "required-features": required,
            })
        };
        let package = |name: &str, folder: &str, targets: Vec<serde_json::Value>| {
            serde_json::json!({
                "name": name, "id": format!("path+file://{folder}#{name}@0.1.0"),
                "dependencies": [], "targets": targets, "manifest_path": format!("{folder}/Cargo.toml"),
                "features": {"default": ["usual"], "usual": [], "big": ["other/fast"], "other": ["dep:other"]}
            })
        };
        let ids = ["path+file:///w/one#one@0.1.0", "path+file:///w/two#two@0.1.0"];
        let document = serde_json::json!({
            "packages": [
                package("one", "/w/one", vec![target("always", &[]), target("huge", &["big", "usual"])]),
                package("two", "/w/two", vec![target("second", &[]), target("linked", &["other"])]),
            ],
            "workspace_default_members": ids, "workspace_root": "/w", "target_directory": "/w/target",
        });
        serde_json::from_value(document).unwrap()
    }

    fn chosen(manifest: &str, options: Build) -> (Vec<String>, Vec<String>) {
        let wanted = wanted(&metadata(), Path::new(manifest), &options);
        let off =
            wanted.off.into_iter().map(|(name, needs)| format!("{name}: {}", needs.join(" ")));
        (wanted.names.into_iter().collect(), off.collect())
    }

    #[test]
    fn targets_whose_features_are_off_are_left_out_and_named() {
        let strings =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let with = |features: &[&str]| Build { features: strings(features), ..Build::default() };
        let all = "/w/Cargo.toml";
        assert_eq!(
            chosen(all, Build::default()),
            (strings(&["always", "second"]), strings(&["huge: big", "linked: other"]))
        );
        assert_eq!(chosen("/w/one/Cargo.toml", Build::default()).1, ["huge: big"]);
        assert_eq!(chosen(all, with(&["one/big"])).1, ["linked: other"]);
        assert_eq!(chosen(all, with(&["big"])), (strings(&["*"]), vec![]), "big turns other on");
        assert_eq!(chosen(all, with(&["x big"])).1, Vec::<String>::new());
        let bare = Build { no_default_features: true, ..with(&["big"]) };
        assert_eq!(chosen(all, bare).1, ["huge: usual"]);
        let everything = Build { all_features: true, ..Build::default() };
        assert_eq!(chosen(all, everything), (strings(&["*"]), vec![]));
        // Cargo rejects a target that is requested by name.
        let asked = Build { bench: strings(&["huge", "nope"]), ..Build::default() };
        assert_eq!(chosen(all, asked), (strings(&["huge"]), vec![]));
    }

    #[test]
    fn packages_with_benches_that_cargo_does_not_build_here_are_named() {
        let mut metadata = metadata();
        metadata.packages[0].targets.clear();
        let wanted = |manifest: &str| wanted(&metadata, Path::new(manifest), &Build::default());
        let in_one = wanted("/w/one/Cargo.toml");
        assert_eq!(in_one.elsewhere, BTreeSet::from(["two".to_owned()]));
        assert!(in_one.names.is_empty());
        let at_root = wanted("/w/Cargo.toml");
        assert!(at_root.elsewhere.is_empty());
        assert!(at_root.names.contains("second"));
    }

    #[test]
    fn packages_are_selected_as_cargo_does_it() {
        let of = |package: &str| {
            chosen("/w/Cargo.toml", Build { package: vec![package.to_owned()], ..Build::default() })
                .0
        };
        for one in
            ["one", "one@0.1.0", "o*", "?ne", "path+file:///w/one#0.1.0", "file:///w/x#one@0.1.0"]
        {
            assert_eq!(of(one), ["always"], "{one}");
        }
        let exclude =
            Build { workspace: true, exclude: vec!["one".to_owned()], ..Build::default() };
        assert_eq!(chosen("/w/one/Cargo.toml", exclude).0, ["second"]);
    }
}
