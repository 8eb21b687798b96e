//! The sources of both builds: lock files, versions of dependencies, crates outside of the repository, and skipped
//! targets. Verdicts are about all of this.

use plusminus::{
    record::{Built, Dependency, LockFile, LockFiles, OutsideCrates, SkippedTarget},
    text::{sentence, visible},
};
use serde::Serialize;

use super::{
    Identity,
    json::{Form, pretty},
};

/// The programs that cargo has built of a bench target.
#[derive(Debug, Serialize)]
pub(crate) struct Program {
    pub(crate) package: String,
    pub(crate) target: String,
    pub(crate) base: Option<String>,
    pub(crate) new: Option<String>,
}

/// Returns remarks in sentences. None, if each side was built from its commit alone with its own lock file.
pub(super) fn sentences(built: &Built) -> Vec<String> {
    let mut lines = Vec::new();
    if !built.dependencies.is_empty() {
        lines.push(format!("Dependencies differ: {}", dependencies(built)));
    }
    lines.extend(locks(built));
    for one in &built.outside {
        let same = if one.edited.is_some() { "" } else { ", the same for both versions" };
        lines.push(format!("Path dependencies outside the repository{same}: {}.", outside(one)));
    }
    lines.extend(edited(built));
    if !built.harness_of_new.is_empty() {
        let names: Vec<String> = built.harness_of_new.iter().map(|name| visible(name)).collect();
        lines.push(format!(
            "Base was built with the harness of the new version, which these manifests set: {}.",
            names.join(", ")
        ));
    }
    lines.extend(toolchain(built));
    lines.extend(profile(built));
    lines.extend(built.one_layout.iter().map(one_layout));
    lines.extend(built.left_out.iter().map(|one| format!("skipped: {}", left_out(one))));
    lines
}

/// Packages that a warning names; the record has all.
const DEPENDENCIES: usize = 8;

/// Which packages have different versions, and what to do about it.
pub(super) fn dependencies(built: &Built) -> String {
    let changes: Vec<String> = built.dependencies.iter().take(DEPENDENCIES).map(change).collect();
    let more = match built.dependencies.len() - changes.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{}{more}. Verdicts include them. To build both versions with the same ones: `--lock head`",
        changes.join(", ")
    )
}

pub(super) fn locks(built: &Built) -> Vec<String> {
    let Some(LockFiles { base, new }) = &built.locks else { return Vec::new() };
    match (lock(base), lock(new)) {
        (Some(base), Some(new)) if base == new => {
            vec![format!("Cargo.lock of both sides: {base}.")]
        }
        (base, new) => {
            let base = base.map(|base| format!("Cargo.lock of base: {base}."));
            base.into_iter().chain(new.map(|new| format!("Cargo.lock of new: {new}."))).collect()
        }
    }
}

/// Describes the unusual properties of a lock file.
fn lock(lock: &LockFile) -> Option<String> {
    // One that cargo resolves anew fits anyway.
    let is_fitted = lock.adjusted && !lock.origin.starts_with("none");
    let fitted = if is_fitted { ", which cargo fitted to the manifests" } else { "" };
    (!lock.own || lock.adjusted).then(|| format!("{}{fitted}", visible(&lock.origin)))
}

/// Whether the lock files of both sides are of different kinds, or were fitted. That both have none of their own is usual for a
/// library.
pub(super) fn has_unequal_locks(built: &Built) -> bool {
    built.locks.as_ref().is_some_and(|LockFiles { base, new }| {
        lock(base) != lock(new) || base.adjusted || new.adjusted
    })
}

/// Whether all these crates are of the harness, which measures both versions.
pub(super) fn is_harness(outside: &OutsideCrates) -> bool {
    let of_harness = |name: &String| name == "plusminus" || name.starts_with("plusminus-");
    outside.crates.iter().all(of_harness)
}

/// That a version asks for another compiler, and does not get it.
pub(super) fn toolchain(built: &Built) -> Option<String> {
    let file = visible(built.toolchain_file.as_ref()?);
    Some(format!("{file} changed, and both versions were built by the compiler of this folder."))
}

/// That the versions are compiled in different ways.
pub(super) fn profile(built: &Built) -> Option<String> {
    let file = visible(built.profile_file.as_ref()?);
    Some(format!("`[profile]` in {file} changed. Verdicts include that."))
}

/// Crates outside of the repository: `helper in /w/other (0123456789ab)`.
pub(super) fn outside(outside: &OutsideCrates) -> String {
    let names = outside.crates.iter().map(|name| visible(name)).collect::<Vec<_>>().join(", ");
    format!("{names} in {} ({})", sentence(&outside.folder), state(outside))
}

/// That base and new may have different states of crates outside of the repository.
pub(super) fn edited(built: &Built) -> Option<String> {
    let file = built.outside.iter().find_map(|one| one.edited.as_ref())?;
    Some(format!(
        "{} was written while the versions were built, so they may have different states of it. Run the comparison again.",
        sentence(file)
    ))
}

/// Why a target has one layout, and what that means.
pub(super) fn one_layout(one: &SkippedTarget) -> String {
    format!(
        "Bench target {} was measured in a single layout of each version, so its times include code placement: {}.",
        visible(&one.target),
        sentence(&one.why)
    )
}

/// Why a target is not compared.
pub(super) fn left_out(one: &SkippedTarget) -> String {
    format!("bench target {} {}", visible(&one.target), sentence(&one.why))
}

fn change(dependency: &Dependency) -> String {
    let versions = |versions: &[String]| match versions {
        [] => "none".to_owned(),
        versions => versions.iter().map(|v| visible(v)).collect::<Vec<_>>().join(" and "),
    };
    let Dependency { name, base, new } = dependency;
    format!("{} {} → {}", visible(name), versions(base), versions(new))
}

fn state(outside: &OutsideCrates) -> String {
    let changes = if outside.dirty { " with changes" } else { "" };
    match &outside.commit {
        Some(commit) => format!("{}{changes}", visible(commit.get(..12).unwrap_or(commit))),
        None if outside.in_git => "a repository without a commit".to_owned(),
        None => "not in git".to_owned(),
    }
}

/// Returns the report of a build without a measurement.
pub(crate) fn render([base, new]: [&Identity; 2], built: &Built, programs: &[Program]) -> String {
    let mut text = format!("{}  →  {}\n\n", base.text(), new.text());
    for Program { target, base, new, .. } in programs {
        text.push_str(&format!("{}\n", visible(target)));
        for (side, program) in [("base", base), ("new", new)] {
            let program = program.as_deref().map_or("none".to_owned(), sentence);
            text.push_str(&format!("  {side:4} {program}\n"));
        }
    }
    text.push('\n');
    sentences(built).iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text
}

pub(crate) fn render_json(
    [base, new]: [&Identity; 2],
    built: &Built,
    programs: &[Program],
) -> String {
    pretty(&serde_json::json!({
        "schema": 1, "plusminus": env!("CARGO_PKG_VERSION"), "base": base, "new": new,
        "built": Form((built, programs)),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_said_and_what_is_usual_is_not() {
        let lock = |origin: &str, own| LockFile { origin: origin.to_owned(), adjusted: false, own };
        let usual = Built {
            locks: Some(LockFiles { base: lock("its own", true), new: lock("its own", true) }),
            ..Built::default()
        };
        assert!(sentences(&usual).is_empty());
        let both = |base, new| {
            let locks = Some(LockFiles { base, new });
            has_unequal_locks(&Built { locks, ..Built::default() })
        };
        let [own, none] = [true, false].map(|own| move || lock("a lock file", own));
        assert!(!both(none(), none()) && both(own(), none()));
        assert!(both(own(), LockFile { adjusted: true, ..own() }));
        let built = Built {
            locks: Some(LockFiles {
                base: lock("the working tree's", false),
                new: lock("its own", true),
            }),
            dependencies: vec![Dependency {
                name: "itoa".to_owned(),
                base: vec!["0.4.8".to_owned(), "1.0.1".to_owned()],
                new: Vec::new(),
            }],
            outside: vec![OutsideCrates {
                folder: "/w/other\n".to_owned(),
                crates: vec!["helper".to_owned()],
                in_git: true,
                commit: Some("0123456789abcdef".to_owned()),
                dirty: true,
                edited: None,
            }],
            left_out: vec![SkippedTarget {
                target: "big".to_owned(),
                why: "needs the feature x".to_owned(),
            }],
            one_layout: vec![SkippedTarget {
                target: "small".to_owned(),
                why: "cc cannot put them into another order".to_owned(),
            }],
            ..Built::default()
        };
        let lines = sentences(&built);
        assert!(lines[0].contains("itoa 0.4.8 and 1.0.1 → none"), "{lines:?}");
        assert_eq!(lines[1], "Cargo.lock of base: the working tree's.");
        assert!(
            lines[3].starts_with("Bench target small was measured in a single layout"),
            "{lines:?}"
        );
        assert!(
            lines[2].contains("helper in /w/other\\n (0123456789ab with changes)"),
            "{lines:?}"
        );
        assert_eq!(lines[4], "skipped: bench target big needs the feature x");
        assert!(lines[2].contains("the same for both versions"), "{lines:?}");

        let mut built = built;
        built.outside[0].edited = Some("/w/other/src/lib.rs".to_owned());
        let lines = sentences(&built);
        assert!(!lines[2].contains("the same"), "{lines:?}");
        assert!(lines[3].starts_with("/w/other/src/lib.rs was written while"), "{lines:?}");
    }
}
